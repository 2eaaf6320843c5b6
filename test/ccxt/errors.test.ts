import { afterAll, beforeAll, expect, test } from 'bun:test';
import * as ccxt from 'ccxt';
import { ERROR_CLASSES } from '../../src/client/ccxt/errors.ts';
import { buttonwood } from '../../src/client/ccxt/index.ts';
import { ERRORS, type ErrorCode } from '../../src/gateway/http/response/errors.ts';
import { Venue } from './venue.ts';

const SYMBOL = 'BTC/USDT';
let venue: Venue;
let limited: Venue;
let alice: buttonwood;
beforeAll(async () => {
  [venue, limited] = await Promise.all([Venue.open(), Venue.open({ rateLimits: 'spec' })]);
  alice = venue.bot('alice');
});
afterAll(() => Promise.all([venue.close(), limited.close()]));

const limit = (
  bot: buttonwood,
  price: number | string,
  params = {},
  amount: number | string = 0.1,
) => bot.createOrder(SYMBOL, 'limit', 'buy', amount as number, price as number, params);
const setStatus = (status: string) =>
  venue.exchange.send(
    'operator',
    'PATCH',
    '/api/admin/markets',
    JSON.stringify({ symbol: SYMBOL, status }),
  );

/** Requests that provoke each code, by CCXT's unified methods or, if those prevent it, by raw calls. */
const WAYS: Partial<Record<ErrorCode, () => Promise<unknown>>> = {
  INVALID_REQUEST: () => limit(alice, 1000, { postonly: true }),
  INVALID_SYMBOL: () => alice.publicGetPrices({ symbol: 'NO/SUCH' }),
  INVALID_SIDE: () => alice.createOrder(SYMBOL, 'limit', 'hold' as 'buy', 0.1, 1000),
  INVALID_TYPE: () => alice.createOrder(SYMBOL, 'iceberg', 'buy', 0.1, 1000),
  INVALID_AMOUNT: () => limit(alice, 1000, {}, -1),
  INVALID_PRICE: () => limit(alice, -1),
  MIN_NOTIONAL: () => limit(alice, 0.01),
  INSUFFICIENT_BALANCE: () => limit(alice, 118_000, {}, 1000),
  POST_ONLY_WOULD_TAKE: async () => {
    await alice.createOrder(SYMBOL, 'limit', 'sell', 0.1, 118_000);
    return limit(venue.bot('bob'), 118_000, { postOnly: true }).finally(() =>
      alice.cancelAllOrders(),
    );
  },
  MARKET_UNAVAILABLE: async () => {
    await setStatus('halted');
    return limit(alice, 1000).finally(() => setStatus('online'));
  },
  NO_LIQUIDITY: () => alice.createOrder(SYMBOL, 'market', 'buy', 0.1),
  TOO_MANY_OPEN_ORDERS: async () => {
    for (let placed = 0; placed <= 2000; placed += 15) {
      const order = {
        symbol: 'ETH/USDT',
        type: 'limit',
        side: 'buy',
        amount: 0.001,
        price: 100,
      } as const;
      const results = await alice.createOrders(Array.from({ length: 15 }, () => order));
      if (results.some(({ status }) => status === 'rejected')) break;
    }
    return limit(alice, 1000).finally(() => alice.cancelAllOrders());
  },
  ACCOUNT_LIMIT: async () => {
    const restrict = (terms: object) =>
      venue.exchange.send(
        'operator',
        'POST',
        '/api/admin/accounts/bob/trading-limits',
        JSON.stringify(terms),
      );
    await restrict({ openNotional: [{ asset: 'USDT', amount: 1 }] });
    return limit(venue.bot('bob'), 1000).finally(() => restrict({ useDefault: true }));
  },
  ORDER_NOT_OPEN: async () => {
    const { id } = await limit(alice, 1000);
    await alice.cancelOrder(id!);
    return alice.cancelOrder(id!);
  },
  UNSUPPORTED_VERSION: () => venue.bot('alice', { headers: { 'X-API-Version': '2' } }).fetchTime(),
  UNAUTHORIZED: () => venue.bot('alice', { secret: 'other' }).fetchBalance(),
  INSUFFICIENT_PERMISSIONS: () => limit(venue.bot('reader'), 1000),
  IP_NOT_ALLOWED: async () => {
    await venue.exchange.addKey('elsewhere', 'alice', ['read'], { addresses: ['192.0.2.0/24'] });
    return venue.bot('elsewhere').fetchBalance();
  },
  ACCOUNT_FROZEN: async () => {
    const freeze = (frozen: boolean) =>
      venue.exchange.send(
        'operator',
        'PATCH',
        '/api/admin/accounts/bob',
        JSON.stringify({ frozen }),
      );
    await freeze(true);
    return limit(venue.bot('bob'), 1000).finally(() => freeze(false));
  },
  BROWSER_NOT_ALLOWED: () =>
    venue.bot('alice', { headers: { Origin: 'https://example.com' } }).fetchBalance(),
  ORDER_NOT_FOUND: () => alice.fetchOrder('999999'),
  NOT_FOUND: () => alice.request('nowhere'),
  METHOD_NOT_ALLOWED: () => alice.request('time', 'public', 'POST'),
  PAYLOAD_TOO_LARGE: () => limit(alice, 1000, { clientOrderId: 'x'.repeat(20_000) }),
  DUPLICATE_CLIENT_ORDER_ID: async () => {
    await limit(alice, 1000, { clientOrderId: 'twice' });
    return limit(alice, 1001, { clientOrderId: 'twice' });
  },
  RATE_LIMIT_EXCEEDED: async () => {
    const bot = limited.bot();
    for (let sent = 0; sent < 101; sent++) await bot.fetchTime();
  },
};

async function thrownBy(way: () => Promise<unknown>): Promise<Error> {
  return way().then(
    () => {
      throw new Error('the request did not fail');
    },
    (error) => error,
  );
}

test('every API error code has its CCXT class', () => {
  expect(Object.keys(ERROR_CLASSES).sort()).toEqual(Object.keys(ERRORS).sort());
});

test('CCXT retries only transient errors', () => {
  const isRetried = ([, errorClass]: [string, unknown]) =>
    (errorClass as { prototype: unknown }).prototype instanceof ccxt.OperationFailed;
  const retried = Object.entries(ERROR_CLASSES)
    .filter(isRetried)
    .map(([code]) => code);
  expect(retried.sort()).toEqual([
    'CLOCK_OFF',
    'INTERNAL_ERROR',
    'OUTCOME_UNKNOWN',
    'OVERLOADED',
    'RATE_LIMIT_EXCEEDED',
    'STALE',
  ]);
});

test.each(Object.keys(WAYS) as ErrorCode[])('%s', async (code) => {
  const error = await thrownBy(WAYS[code]!);
  expect(error.constructor.name).toBe((ERROR_CLASSES[code] as { name: string }).name);
  expect(error).toBeInstanceOf(ERROR_CLASSES[code]!);
  expect(error.message).toContain(`"code":"${code}"`);
});

/** Scripted responses, for errors that cannot be provoked from outside. */
const answers = Bun.serve({
  port: 0,
  fetch: (request) => {
    const [, , , status, code] = new URL(request.url).pathname.split('/');
    const error = { code, message: 'It is so.', details: {} };
    const body = code === undefined ? '<html>' : JSON.stringify({ success: false, error });
    return new Response(body, { status: Number(status) });
  },
});
afterAll(() => answers.stop(true));
const answered = (path: string) => {
  const bot = new buttonwood({ urls: { api: answers.url.origin }, enableRateLimit: false });
  return thrownBy(() => bot.request(`x/${path}`));
};

const others = Object.keys(ERRORS).filter((code) => !(code in WAYS)) as ErrorCode[];
test.each(others)('%s, from a stand-in', async (code) => {
  const error = await answered(`${ERRORS[code].status}/${code}`);
  expect(error.constructor.name).toBe((ERROR_CLASSES[code] as { name: string }).name);
});

test.each([
  ['400/SOMETHING_NEW', 'BadRequest'],
  ['403/SOMETHING_NEW', 'PermissionDenied'],
  ['409/SOMETHING_NEW', 'BadRequest'],
  ['408', 'RequestTimeout'],
  ['418', 'BadRequest'],
  ['429/SOMETHING_NEW', 'RateLimitExceeded'],
  ['451', 'RestrictedLocation'],
  ['451/constructor', 'RestrictedLocation'],
  ['402/SOMETHING_NEW', 'ExchangeError'],
  ['404', 'BadRequest'],
  ['502', 'ExchangeNotAvailable'],
  ['503/SOMETHING_NEW', 'ExchangeNotAvailable'],
  ['200', 'BadResponse'],
])('what is answered by %s is %s', async (path, name) => {
  expect((await answered(path)).constructor.name).toBe(name);
});

test('of 4xx statuses CCXT retries only 408 and 429', async () => {
  const statuses = Array.from({ length: 100 }, (_, place) => 400 + place);
  const errors = await Promise.all(statuses.map((status) => answered(`${status}`)));
  const retried = statuses.filter((_, place) => errors[place] instanceof ccxt.OperationFailed);
  expect(retried).toEqual([408, 429]);
});

test('an unknown market is rejected without a request', async () => {
  const error = await thrownBy(() => alice.fetchTicker('NO/SUCH'));
  expect(error).toBeInstanceOf(ccxt.BadSymbol);
});

test('an unreachable exchange', async () => {
  const bot = new buttonwood({ urls: { api: 'http://127.0.0.1:1' } });
  expect(await thrownBy(() => bot.fetchTime())).toBeInstanceOf(ccxt.NetworkError);
});
