import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { orderTypes } from '../../src/engine/terms.ts';
import { TestExchange } from './exchange.ts';

/** Tests the order of checks: a request with two faults reports the first in this list. */

/** Two exchanges: in one, the account has used up its window. */
let exchange: TestExchange;
let spent: TestExchange;
beforeAll(async () => {
  exchange = await TestExchange.open();
  spent = await TestExchange.open({ rateLimits: 'spec' });
  const halt = JSON.stringify({ symbol: 'SOL/USDT', status: 'halted' });
  for (const each of [exchange, spent]) {
    await each.send('operator', 'PATCH', '/api/admin/markets', halt);
  }
  for (let count = 0; count < 30; count++) await spent.place('alice', {});
});
afterAll(async () => {
  await exchange.close();
  await spent.close();
});

interface Draft {
  method: string;
  path: string;
  isSpent: boolean;
  key: 'alice' | 'reader';
  hasSecret: boolean;
  readonly headers: Record<string, string>;
  readonly order: Record<string, unknown>;
  body: string | undefined;
}

const draft = (): Draft => ({
  method: 'POST',
  path: '/api/orders',
  isSpent: false,
  key: 'alice',
  hasSecret: true,
  headers: {},
  order: { symbol: 'BTC/USDT', side: 'buy', type: 'limit', amount: 0.00001, price: 45000 },
  body: undefined,
});

/** Faults in the order of the checks: the reported `CODE` or `CODE rule`, and a function that adds the fault. */
const FAULTS: readonly (readonly [string, (request: Draft) => void])[] = [
  ['NOT_FOUND', (request) => Object.assign(request, { path: '/api/order' })],
  ['METHOD_NOT_ALLOWED', (request) => Object.assign(request, { method: 'PUT' })],
  ['UNAUTHORIZED', (request) => Object.assign(request, { hasSecret: false })],
  ['RATE_LIMIT_EXCEEDED', (request) => Object.assign(request, { isSpent: true })],
  ['INSUFFICIENT_PERMISSIONS', (request) => Object.assign(request, { key: 'reader' })],
  ['BROWSER_NOT_ALLOWED', ({ headers }) => Object.assign(headers, { Origin: 'https://a.example' })],
  ['UNSUPPORTED_VERSION 1', ({ headers }) => Object.assign(headers, { 'X-API-Version': '2' })],
  [
    'INVALID_REQUEST application/json',
    ({ headers }) => Object.assign(headers, { 'Content-Type': 'text/plain' }),
  ],
  [
    'INVALID_REQUEST unknownParameter',
    (request) => Object.assign(request, { path: `${request.path}?x=1` }),
  ],
  ['PAYLOAD_TOO_LARGE maxBytes', (request) => Object.assign(request, { body: ' '.repeat(17_000) })],
  ['INVALID_REQUEST malformedJson', (request) => Object.assign(request, { body: '{"symbol":' })],
  ['INVALID_REQUEST unknownField', ({ order }) => Object.assign(order, { postonly: true })],
  ['INVALID_REQUEST boolean', ({ order }) => Object.assign(order, { postOnly: 'yes' })],
  ['INVALID_SYMBOL required', ({ order }) => Object.assign(order, { symbol: null })],
  ['INVALID_SIDE buy or sell', ({ order }) => Object.assign(order, { side: 'long' })],
  [
    `INVALID_TYPE ${orderTypes.join(' or ')}`,
    ({ order }) => Object.assign(order, { type: 'iceberg' }),
  ],
  ['INVALID_REQUEST required', ({ order }) => Object.assign(order, { timeInForce: 'GTD' })],
  ['INVALID_AMOUNT number', ({ order }) => Object.assign(order, { amount: '1' })],
  ['INVALID_PRICE tickSize', ({ order }) => Object.assign(order, { price: 45000.001 })],
  ['INSUFFICIENT_BALANCE', ({ order }) => Object.assign(order, { amount: 100_000 })],
  ['INVALID_PRICE maxPrice', ({ order }) => Object.assign(order, { price: 2_000_000_000 })],
  ['MARKET_UNAVAILABLE', ({ order }) => Object.assign(order, { symbol: 'SOL/USDT' })],
];

async function outcome(request: Draft): Promise<string> {
  const { method, path, headers, order, body = JSON.stringify(order) } = request;
  const receiver = request.isSpent ? spent : exchange;
  const credentials = receiver.headers(request.key);
  if (!request.hasSecret) delete credentials['X-API-Secret'];
  const answer = await receiver.send(undefined, method, path, body, { ...credentials, ...headers });
  const rule = answer.code === 'RATE_LIMIT_EXCEEDED' ? undefined : answer.details?.rule;
  return [answer.code ?? answer.status, rule].filter((part) => part !== undefined).join(' ');
}

test('without a fault the order is placed', async () => {
  expect(await outcome(draft())).toBe('200');
});

describe('each fault is reported alone, and before each later one', () => {
  test.each(FAULTS.map(([name], index) => [name, index] as const))('%s', async (name, index) => {
    const { digest } = exchange.state;
    for (const [, commitLater] of FAULTS.slice(index)) {
      const request = draft();
      // If both change the same part, the fault of the earlier check applies.
      commitLater(request);
      FAULTS[index]![1](request);
      expect(await outcome(request)).toBe(name);
    }
    expect(exchange.state.digest).toBe(digest);
  });
});

test('an absurd amount is reported as insufficient balance, with all digits', async () => {
  const text =
    '{"symbol":"SOL/USDT","side":"buy","type":"limit","amount":1e30,"price":1e30,"clientOrderId":"x"}';
  const answer = await exchange.place('alice', text);
  expect(answer.code).toBe('INSUFFICIENT_BALANCE');
  expect(answer.text).toContain(`"required":1${'0'.repeat(60)},`);
});

describe('GET: the form of the query comes before its symbol', () => {
  test.each(['limit=0', 'cursor=x', 'since=x', 'status=x', 'side=x', 'sort=x', 'x=x'])(
    'symbol=X&%s',
    async (query) => {
      const answer = await exchange.send('alice', 'GET', `/api/orders?symbol=X&${query}`);
      expect(answer.code).toBe('INVALID_REQUEST');
    },
  );
});
