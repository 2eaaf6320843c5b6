import { afterAll, beforeAll, expect, test } from 'bun:test';
import { MAX_COMMAND_BYTES } from '../../src/log/codec.ts';
import { encode } from '../../src/testing/test-exchange.ts';
import { TestExchange } from './exchange.ts';

/** Tests that the largest command of each kind of request fits into every log. */

const BODY_BYTES = 16 * 1024;

let exchange: TestExchange;
let largest = 0;
beforeAll(async () => {
  exchange = await TestExchange.open();
  const { replica } = exchange;
  const submit = replica.submit.bind(replica);
  replica.submit = (command, ...callbacks) => {
    largest = Math.max(largest, encode([command]).length);
    submit(command, ...callbacks);
  };
});
afterAll(() => exchange.close());

/** Returns a text with three bytes per character. */
const wide = (characters: number) => '€'.repeat(characters);
/** Repeats a part of a body up to the maximum size. */
const filled = (begin: string, part: string, end: string) => {
  const times = Math.floor((BODY_BYTES - begin.length - end.length) / (part.length + 1));
  return begin + Array(times).fill(part).join(',') + end;
};
const ids = Array.from({ length: 1000 }, (_, n) => 9_000_000_000_000_000 + n).join(',');
const address = '2001:0db8:1111:2222:3333:4444:5555:6666/128';
const leg = { price: 4000.01, triggerPrice: 4000.02 };
const expiresAt = '2126-01-05T12:00:00Z';

test.each<[name: string, method: string, path: string, body: unknown, minBytes: number]>([
  ['operator', 'DELETE', `/api/admin/accounts/alice/orders?ids=${ids}`, undefined, 8000],
  ['alice', 'DELETE', `/api/orders?ids=${ids}`, undefined, 8000],
  [
    'operator',
    'POST',
    '/api/admin/fee-tiers',
    filled('{"asset":"USDT","tiers":[', '{"minVolume":1,"makerFee":0,"takerFee":0}', ']}'),
    5000,
  ],
  [
    'operator',
    'POST',
    '/api/admin/fee-tiers',
    `{"asset":"USDT","tiers":[{"minVolume":${'9'.repeat(16_000)},"makerFee":0,"takerFee":0}]}`,
    0,
  ],
  [
    'operator',
    'POST',
    '/api/admin/accounts/alice/keys',
    {
      label: wide(64),
      permissions: ['read', 'trade'],
      addresses: Array(20).fill(address),
      expiresAt,
    },
    1000,
  ],
  [
    'operator',
    'POST',
    '/api/admin/transfers',
    `{"account":"alice","asset":"USDT","amount":1,"reference":"${'r'.repeat(64)}","reason":"${wide(200)}"}`,
    600,
  ],
  ['operator', 'PATCH', '/api/admin/accounts/bob', { frozen: false, reason: wide(200) }, 0],
  [
    'operator',
    'POST',
    '/api/admin/assets',
    { asset: 'ABCDEFGHIJKL', name: wide(64), decimals: 6 },
    190,
  ],
  [
    'alice',
    'POST',
    '/api/orders',
    {
      symbol: 'BTC/USDT',
      side: 'buy',
      type: 'limit',
      amount: 0.01,
      price: 4500,
      timeInForce: 'GTD',
      expiresAt,
      clientOrderId: 'c'.repeat(64),
      attached: { takeProfit: { price: 50000 }, stopLoss: leg },
    },
    100,
  ],
  [
    'alice',
    'POST',
    '/api/orders/oco',
    {
      symbol: 'BTC/USDT',
      side: 'sell',
      amount: 0.01,
      takeProfit: { price: 200000 },
      stopLoss: leg,
      expiresAt,
      clientOrderId: 'd'.repeat(64),
    },
    100,
  ],
])('%s %s %s', async (name, method, path, body, minBytes) => {
  largest = 0;
  const text = typeof body === 'string' || body === undefined ? body : JSON.stringify(body);
  await exchange.send(name, method, path, text);
  expect(largest).toBeGreaterThanOrEqual(minBytes);
  expect(largest).toBeLessThanOrEqual(MAX_COMMAND_BYTES);
});
