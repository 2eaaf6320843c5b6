import { afterAll, beforeAll, expect, test } from 'bun:test';
import { TestExchange } from './exchange.ts';

/** Tests busts of trades over HTTP, by two operators. */

const SYMBOL = 'BTC/USDT';
let exchange: TestExchange;
beforeAll(async () => {
  exchange = await TestExchange.open();
  await exchange.addKey('second', 'bob', ['operate']);
  await exchange.addKey('auditor', 'bob', ['audit']);
});
afterAll(() => exchange.close());

const send = (name: string, method: string, path: string, body?: object) =>
  exchange.send(name, method, `/api${path}`, body && JSON.stringify(body));
const request = (tradeId: string, name = 'operator', symbol = SYMBOL) =>
  send(name, 'POST', '/admin/trade-busts', { symbol, tradeId, reason: 'Erroneous order' });
const balances = async (name: string) => (await send(name, 'GET', '/portfolio/balances')).text;
const newestTrade = async () =>
  (await send('alice', 'GET', `/trades?symbol=${SYMBOL}&limit=1`)).data.trades[0];

/** Alice buys of Bob. @returns The id of the trade */
async function trade(price: number, amount = 0.01): Promise<string> {
  const order = { symbol: SYMBOL, type: 'limit', price, amount };
  await exchange.place('bob', { ...order, side: 'sell' });
  await exchange.place('alice', { ...order, side: 'buy' });
  return (await newestTrade()).id;
}

/** Approves the request in an answer. */
const approve = (answer: { data: { approval: { id: string } } }, name = 'second') =>
  send(name, 'POST', `/admin/approvals/${answer.data.approval.id}/approve`, {});

test('two operators bust a trade, and it is marked everywhere', async () => {
  const before = [await balances('alice'), await balances('bob')];
  const candles = `/candles?symbol=${SYMBOL}&interval=1d`;
  const tradeId = await trade(1000);
  const traded = (await send('alice', 'GET', candles)).text;
  expect(await newestTrade()).not.toHaveProperty('bustedAt');
  const asked = await request(tradeId);
  expect([asked.status, asked.data.approval]).toMatchObject([
    202,
    {
      action: 'bustTrade',
      subject: SYMBOL,
      reason: 'Erroneous order',
      details: { tradeId, side: 'buy', price: 1000, amount: 0.01, maker: 'bob', taker: 'alice' },
    },
  ]);
  const { approval } = (await approve(asked)).data;
  expect(approval.status).toBe('approved');
  const bustedAt = approval.decision.timestamp;
  expect([await balances('alice'), await balances('bob')]).toEqual(before);
  expect(await newestTrade()).toMatchObject({ id: tradeId, bustedAt });
  for (const name of ['alice', 'bob']) {
    const { fills } = (await send(name, 'GET', '/fills?limit=1')).data;
    expect(fills[0]).toMatchObject({ id: tradeId, bustedAt });
    const { entries } = (await send(name, 'GET', '/ledger?limit=2')).data;
    expect(entries[0]).toMatchObject({ type: 'trade_bust', reference: tradeId });
    const path = `/notices`;
    const [notice] = await waitFor(async () => (await send(name, 'GET', path)).data.notices);
    expect(notice).toMatchObject({ event: 'trade.busted', data: { id: tradeId, bustedAt } });
  }
  const { busts } = (await send('auditor', 'GET', '/admin/trade-busts')).data;
  expect(busts).toMatchObject([{ id: tradeId, maker: 'bob', taker: 'alice', bustedAt }]);
  // The trade happened: candles and statistics keep it.
  expect((await send('alice', 'GET', candles)).text).toBe(traded);
  const again = await request(tradeId);
  expect([again.status, again.details]).toEqual([400, { field: 'tradeId', rule: 'notBusted' }]);
});

test('the approval is rejected as long as a side cannot return what it received', async () => {
  const tradeId = await trade(1000, 0.02);
  const asked = await request(tradeId);
  const { data } = await send('alice', 'GET', '/portfolio/balances');
  const btc = data.balances.find(({ asset }: { asset: string }) => asset === 'BTC').available;
  const sell = { symbol: SYMBOL, side: 'sell', type: 'limit', price: 200_000 };
  const held = { ...sell, amount: Math.floor(btc * 1e5) / 1e5 };
  const { orderId } = (await exchange.place('alice', held)).data;
  const rejected = await approve(asked);
  expect([rejected.status, rejected.code, rejected.details.rule]).toEqual([
    400,
    'INSUFFICIENT_BALANCE',
    'taker',
  ]);
  await send('alice', 'DELETE', `/orders/${orderId}`);
  expect((await approve(asked)).status).toBe(200);
});

test('only an operator of markets asks, and only one of another account approves', async () => {
  const tradeId = await trade(1000);
  for (const name of ['alice', 'auditor']) {
    expect((await request(tradeId, name)).status).toBe(403);
  }
  expect((await send('alice', 'GET', '/admin/trade-busts')).status).toBe(403);
  const asked = await request(tradeId);
  for (const name of ['operator', 'auditor', 'alice']) {
    expect((await approve(asked, name)).status).toBe(403);
  }
});

test('the trade must be one of the market', async () => {
  const tradeId = await trade(1000);
  expect((await request('999999999')).status).toBe(404);
  expect((await request(tradeId, 'operator', 'ETH/USDT')).status).toBe(404);
  for (const wrong of ['', '0', '-1', '1e3', '1;drop table fills', '9'.repeat(17)]) {
    const { status, details } = await request(wrong);
    expect([status, details.field]).toEqual([400, 'tradeId']);
  }
  expect((await request(tradeId, 'operator', 'NO/NO')).details.field).toBe('symbol');
});

/** Waits for the first elements of a list. The test's own timeout ends it. */
async function waitFor<Item>(read: () => Promise<Item[]>): Promise<Item[]> {
  for (;;) {
    const items = await read();
    if (items.length > 0) return items;
    await Bun.sleep(2);
  }
}
