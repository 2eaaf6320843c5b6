import { afterEach, beforeEach, expect, test } from 'bun:test';
import { NetworkError, RateLimitExceeded } from 'ccxt';
import { Venue } from '../ccxt/venue.ts';

/** CCXT bots that meet faults: what they get is what they know from other venues. */

let venue: Venue;
beforeEach(async () => {
  venue = await Venue.open();
});
afterEach(() => venue.close());

const add = async (faults: object[]) => {
  const body = JSON.stringify({ account: 'alice', faults });
  const answer = await venue.exchange.send('operator', 'POST', '/api/sandbox/faults', body);
  expect(answer.status).toBe(200);
};
const openOrders = () => venue.exchange.state.accountsById.get('alice')!.openOrders;

test.each(['answer_lost_after_commit', 'answer_lost_before_commit'])(
  'a bot that retries with its client order id ends with one order: %s',
  async (kind) => {
    const bot = venue.bot('alice');
    await add([{ kind, count: 2, endpoints: ['POST /api/orders'] }]);
    let failures = 0;
    const place = async (): Promise<{ clientOrderId?: string | undefined }> => {
      try {
        const params = { clientOrderId: 'bot-1' };
        return await bot.createOrder('BTC/USDT', 'limit', 'buy', 0.01, 45_000, params);
      } catch (error) {
        expect(error).toBeInstanceOf(NetworkError);
        failures++;
        return place();
      }
    };
    expect((await place()).clientOrderId).toBe('bot-1');
    expect(failures).toBe(2);
    expect(openOrders()).toBe(1);
  },
);

test('a bot without client order ids places an order twice', async () => {
  const bot = venue.bot('alice');
  await add([{ kind: 'answer_lost_after_commit', count: 1, endpoints: ['POST /api/orders'] }]);
  const place = () => bot.createOrder('BTC/USDT', 'limit', 'buy', 0.01, 45_000);
  await expect(place()).rejects.toBeInstanceOf(NetworkError);
  await place();
  expect(openOrders()).toBe(2);
});

test.each([
  [{ kind: 'status', status: 429 }, RateLimitExceeded],
  [{ kind: 'maintenance' }, NetworkError],
])('%j', async (fault, expected) => {
  const bot = venue.bot('alice', { maxRetriesOnFailure: 0 });
  await bot.loadMarkets();
  await add([fault]);
  await expect(bot.fetchBalance()).rejects.toBeInstanceOf(expected);
});
