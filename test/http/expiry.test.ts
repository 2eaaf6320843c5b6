import { afterAll, beforeAll, expect, test } from 'bun:test';
import fc from 'fast-check';
import { MAX_TIME_MS } from '../../src/gateway/http/request/query.ts';
import { CHECK_TIMEOUT_MS, checkAsync } from '../check.ts';
import { Browser, PASSWORD } from './browser.ts';
import { type Answer, TestExchange } from './exchange.ts';

/** Times at which keys and orders end: what is sent is in the future or rejected, never taken for "never". */

let exchange: TestExchange;
let browser: Browser;
beforeAll(async () => {
  exchange = await TestExchange.open();
  browser = await Browser.signedUp(exchange);
});
afterAll(() => exchange.close());

const GTD = { symbol: 'BTC/USDT', side: 'buy', amount: 0.01, timeInForce: 'GTD' };
const LIMIT = { ...GTD, type: 'limit', price: 100_000 };
const { timeInForce: _, ...PAIR } = {
  ...GTD,
  takeProfit: { price: 110_000 },
  stopLoss: { triggerPrice: 120_000, price: 121_000 },
};

/** Requests with an expiry. */
const REQUESTS: Readonly<Record<string, (expiresAt: unknown) => Promise<Answer>>> = {
  'a key of an operator': (expiresAt) =>
    post('operator', '/api/admin/accounts/bob/keys', { permissions: ['read'], expiresAt }),
  'a key of a user': (expiresAt) =>
    browser.post('/keys', { label: 'bot', permissions: ['read'], password: PASSWORD, expiresAt }),
  'an order': (expiresAt) => post('alice', '/api/orders', { ...LIMIT, expiresAt }),
  'a tested order': (expiresAt) => post('alice', '/api/orders/test', { ...LIMIT, expiresAt }),
  'an OCO order': (expiresAt) => post('alice', '/api/orders/oco', { ...PAIR, expiresAt }),
  'a tested OCO order': (expiresAt) =>
    post('alice', '/api/orders/oco/test', { ...PAIR, expiresAt }),
};

function post(name: string, path: string, body: object): Promise<Answer> {
  return exchange.send(name, 'POST', path, JSON.stringify(body));
}

const BEGINNING = [0, '0', '0000', '1970-01-01T00:00:00Z', '1970-01-01T01:00:00+01:00'];

test.each(Object.entries(REQUESTS))(
  '%s with an expiry at the very beginning of time is rejected',
  async (_, send) => {
    for (const expiresAt of [...BEGINNING, 1, '1970-01-01T00:00:00.001Z']) {
      const { digest } = exchange.state;
      const { status, details, text } = await send(expiresAt);
      expect({ expiresAt, status, details }).toEqual({
        expiresAt,
        status: 400,
        details: { field: 'expiresAt', rule: 'future' },
      });
      expect(text).toContain('"expiresAt must be in the future."');
      expect(exchange.state.digest).toBe(digest);
    }
  },
);

test('an order of a batch with an expiry at the very beginning of time is rejected alone', async () => {
  for (const expiresAt of BEGINNING) {
    const orders = [{ ...LIMIT, expiresAt }];
    const { data } = await post('alice', '/api/orders/batch', { orders });
    expect(data.results[0].error.details).toEqual({ field: 'expiresAt', rule: 'future' });
  }
});

test.each(['a key of an operator', 'a key of a user'])(
  '%s never expires only without an expiry',
  async (name) => {
    for (const expiresAt of [undefined, null]) {
      const { data } = await REQUESTS[name]!(expiresAt);
      expect(data.key.expiresAt).toBeNull();
    }
  },
);

const time = fc.oneof(
  fc.integer({ min: 0, max: MAX_TIME_MS }),
  fc.constantFrom(0, 1, MAX_TIME_MS),
  fc.integer({ min: -2, max: 2 }).map((offset) => Date.UTC(2026, 0, 5, 12) + offset),
);
const form = fc.constantFrom<(ms: number) => number | string>(
  (ms) => ms,
  (ms) => `${ms}`,
  (ms) => new Date(ms).toISOString(),
);

test(
  'any time creates a key with exactly that expiry if it is in the future, and is rejected otherwise',
  async () => {
    const property = fc.asyncProperty(time, form, async (ms, write) => {
      const answer = await REQUESTS['a key of an operator']!(write(ms));
      expect(answer.status).toBe(ms > exchange.now ? 200 : 400);
      if (answer.status === 400) {
        expect(answer.details).toEqual({ field: 'expiresAt', rule: 'future' });
        return;
      }
      const { apiKey, expiresAt } = answer.data.key;
      expect(expiresAt).toBe(new Date(ms).toISOString());
      // An account has at most 100 keys in force.
      await exchange.send('operator', 'DELETE', `/api/admin/accounts/bob/keys/${apiKey}`);
    });
    await checkAsync(property, 200);
  },
  CHECK_TIMEOUT_MS,
);
