import { afterEach, expect, setDefaultTimeout, test } from 'bun:test';
import { Client } from '../../src/client/index.ts';
import { startExchange, type TestExchange } from '../../src/test-exchange/index.ts';

/** The clock and the checkpoints of startExchange, and that the same calls give the same exchange. */

setDefaultTimeout(120_000);

const BID = { symbol: 'BTC/USDT', side: 'buy', type: 'limit', amount: 1, price: 100 } as const;
const open: TestExchange[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((exchange) => exchange.close()));
});

async function start(...options: Parameters<typeof startExchange>): Promise<TestExchange> {
  const exchange = await startExchange(...options);
  open.push(exchange);
  return exchange;
}

test('time stands still until it is advanced, and what is due happens then', async () => {
  const { clock, client } = await start({ clockStart: '2030-06-01T12:00:00+02:00' });
  const from = await clock.now();
  expect(from.toISOString()).toBe('2030-06-01T10:00:00.000Z');
  const expiresAt = from.getTime() + 1000;
  const { orderId: id } = await client.placeOrder({ ...BID, timeInForce: 'GTD', expiresAt });
  await Bun.sleep(50);
  expect(await clock.now()).toEqual(from);
  await clock.advance(999);
  expect((await client.getOrder({ id })).status).toBe('open');
  expect(await clock.until(new Date(expiresAt))).toEqual(new Date(expiresAt));
  expect((await client.getOrder({ id })).status).toBe('expired');
  await expect(clock.until(from)).rejects.toThrow('Time cannot go back');
});

test('the clock can step, run fast and be real', async () => {
  const { clock, client } = await start({ clock: { stepMs: 1000 } });
  const from = (await clock.now()).getTime();
  for (let i = 0; i < 3; i++) await client.getTime();
  expect((await clock.now()).getTime()).toBe(from + 3000);
  await clock.set({ speed: 10_000 });
  while ((await clock.now()).getTime() < from + 60_000) await Bun.sleep(1);
  const atFreeze = await clock.set('frozen');
  expect(await clock.now()).toEqual(atFreeze);
  await clock.set('real');
  while ((await clock.now()) <= atFreeze) await Bun.sleep(1);
  await expect(clock.advance(1)).rejects.toThrow('real clock');
});

test('an exchange may have the real time', async () => {
  const before = Date.now();
  const { clock } = await start({ clock: 'real' });
  expect((await clock.now()).getTime()).toBeGreaterThanOrEqual(before);
});

test('the same calls give the same exchange, another seed another one', async () => {
  const run = async (seed: number) => {
    const exchange = await start({ seed });
    const bob = await exchange.account({ funds: { USDT: 1e6 } });
    await exchange.client.placeOrder(BID);
    await bob.client.placeOrder({ ...BID, price: 99 });
    await exchange.clock.advance(90_000);
    return (await exchange.operator.getState()).stateHash;
  };
  const [first, again, other] = [await run(5), await run(5), await run(6)];
  expect(again).toBe(first);
  expect(other).not.toBe(first);
});

test('a checkpoint is returned to as often as a test likes, with the same ids', async () => {
  const exchange = await start();
  const { client, clock, operator } = exchange;
  const kept = await client.placeOrder(BID);
  const checkpoint = await exchange.checkpoint();
  const from = await clock.now();
  const hashes: string[] = [];
  for (let round = 0; round < 3; round++) {
    const { accountId } = await exchange.account({ funds: { USDT: 5 } });
    expect(accountId).toBe('test-1');
    await client.placeOrder(BID);
    await client.cancelOrder({ id: kept.orderId });
    await clock.advance(60_000);
    hashes.push((await operator.getState()).stateHash);
    await checkpoint.restore();
    expect((await client.listOrders()).orders.map(({ orderId }) => orderId)).toEqual([
      kept.orderId,
    ]);
    expect(await clock.now()).toEqual(from);
  }
  expect(new Set(hashes).size).toBe(1);
});

test('faults happen until they are cleared, and are listed', async () => {
  const exchange = await start();
  const { client, faults, keys } = exchange;
  const other = new Client({ baseUrl: exchange.baseUrl, ...keys.bob });
  const script = await faults.add(
    { kind: 'status', status: 503, endpoints: ['POST /api/orders'] },
    { account: 'alice' },
  );
  await expect(client.placeOrder(BID)).rejects.toMatchObject({ code: 'OVERLOADED' });
  await other.placeOrder(BID);
  expect(await faults.list()).toMatchObject([
    { scriptId: script.id, kind: 'status', account: 'alice', endpoint: 'POST /api/orders' },
  ]);
  await faults.add([{ kind: 'reject_all' }, { kind: 'delay', ms: 1 }]);
  await faults.clear();
  expect((await client.placeOrder(BID)).status).toBe('open');
  await expect(faults.add({ kind: 'delay' })).rejects.toThrow('ms');
});

test('the list of faults is complete', async () => {
  const { client, faults } = await start();
  await faults.add({ kind: 'delay', ms: 1 });
  await Promise.all(Array.from({ length: 120 }, () => client.getTime()));
  const numbers = (await faults.list()).map(({ number }) => number);
  expect(numbers).toEqual(numbers.map((_, index) => index + 1));
  expect(numbers).toHaveLength(120);
});

test('an order whose answer was lost is placed once', async () => {
  const { client, faults } = await start();
  await faults.add({ kind: 'answer_lost_after_commit', count: 1, endpoints: ['POST /api/orders'] });
  expect((await client.placeOrder(BID)).status).toBe('open');
  expect((await client.listOrders()).orders).toHaveLength(1);
  expect((await faults.list()).map(({ kind }) => kind)).toEqual(['answer_lost_after_commit']);
});
