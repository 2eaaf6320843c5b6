import { afterAll, beforeAll, expect, spyOn, test } from 'bun:test';
import { masked } from '../../src/client/ccxt/masked.ts';
import { newKeyPair } from '../http/signing.ts';
import { Venue } from './venue.ts';

/** Logs of requests, responses and messages, with CCXT's `verbose`. */

const SYMBOL = 'BTC/USDT';
let venue: Venue;
beforeAll(async () => {
  venue = await Venue.open();
  Object.defineProperty(venue.exchange, 'now', { get: () => Date.now() });
});
afterAll(() => venue.close());

/** Trades over both transports. @returns What was logged. */
async function logged(options: object): Promise<string> {
  const lines: string[] = [];
  const log = spyOn(console, 'log').mockImplementation((...parts) => {
    lines.push(Bun.inspect(parts, { depth: 10 }));
  });
  try {
    const bot = venue.bot('alice', { verbose: true, ...options });
    await bot.createOrder(SYMBOL, 'limit', 'buy', 0.01, 1000);
    await bot.watchOrders();
    await bot.createOrderWs(SYMBOL, 'limit', 'buy', 0.01, 1001);
    await bot.cancelAllOrders();
    await bot.close();
  } finally {
    log.mockRestore();
  }
  return lines.join('\n');
}

test('has no secret, but everything else', async () => {
  const { 'X-API-Secret': secret, Authorization } = venue.exchange.headers('alice');
  const text = await logged({});
  expect([text.includes(secret!), text.includes(Authorization!)]).toEqual([false, true]);
  // The order, its response, and the messages of the socket.
  for (const part of ['/api/orders', 'X-Ratelimit-Limit', 'authenticated', 'order.place']) {
    expect([part, text.includes(part)]).toEqual([part, true]);
  }
  expect(text).toMatch(/X-API-Secret"?: "\*\*\*"/);
  expect(text).toMatch(/apiSecret"?: "\*\*\*"/);
});

test('has no signature or private key, which others could use', async () => {
  const pair = newKeyPair();
  const body = JSON.stringify({ permissions: ['read', 'trade'], publicKey: pair.publicPem });
  const path = '/api/admin/accounts/alice/keys';
  const { apiKey } = (await venue.exchange.send('operator', 'POST', path, body)).data.key;
  const privateKey = pair.privateKey.export({ format: 'pem', type: 'pkcs8' }) as string;
  const text = await logged({ apiKey, privateKey, secret: '' });
  // 64 bytes in base64.
  expect(text).not.toMatch(/[A-Za-z0-9+/]{86}==/);
  expect(text).not.toContain(privateKey.split('\n')[1]!);
  expect(text).toMatch(/X-API-Signature"?: "\*\*\*"/);
  expect(text).toMatch(/signature"?: "\*\*\*"/);
});

test('secrets are masked wherever they are, and nothing else changes', () => {
  const date = new Date(0);
  const value = {
    text: 'a s3cret in a s3cret text',
    list: ['s3cret', 7, null, undefined, true],
    headers: { 'x-api-secret': 'other', plain: 's3' },
    date,
  };
  expect(masked(value, ['s3cret'])).toEqual({
    text: 'a *** in a *** text',
    list: ['***', 7, null, undefined, true],
    headers: { 'x-api-secret': '***', plain: 's3' },
    date,
  });
  expect(masked('no secret', [])).toBe('no secret');
});
