import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { CommandKind, SYSTEM_ACTOR } from '../../src/engine/command.ts';
import { TestExchange } from './exchange.ts';

/** Tests the terms of an order and its hold. */

let exchange: TestExchange;
beforeEach(async () => {
  exchange = await TestExchange.open();
});
afterEach(() => exchange.close());

const ORDER = { symbol: 'BTC/USDT', side: 'buy', type: 'limit', amount: 0.02, price: 100_000 };
const place = (name: string, change: Record<string, unknown> = {}) =>
  exchange.place(name, { ...ORDER, ...change });
/** bob offers 0.01 at 100,000. */
const offer = () => place('bob', { side: 'sell', amount: 0.01 });

async function readBalance(name: string, asset: string): Promise<Record<string, number>> {
  const { balances } = (await exchange.send(name, 'GET', '/api/portfolio/balances')).data;
  return balances.find((balance: { asset: string }) => balance.asset === asset);
}

describe('time in force', () => {
  test.each([
    ['GTC', 'open', 0.01],
    ['IOC', 'expired', 0.01],
    ['FOK', 'expired', 0],
  ])('%s with half of the amount in the book ends %s', async (timeInForce, status, filled) => {
    await offer();
    const { data } = await place('alice', { timeInForce });
    expect(data).toMatchObject({ timeInForce, status, filled });
    expect((await readBalance('alice', 'USDT')).held).toBe(status === 'open' ? 1000 : 0);
  });

  test('FOK within the book is filled', async () => {
    await offer();
    const { data } = await place('alice', { timeInForce: 'FOK', amount: 0.01 });
    expect(data).toMatchObject({ status: 'filled', filled: 0.01 });
  });

  test('GTD expires at its time, and releases its hold', async () => {
    const expiresAt = exchange.now + 5000;
    const { data } = await place('alice', { timeInForce: 'GTD', expiresAt });
    expect((await readBalance('alice', 'USDT')).held).toBe(2000);
    exchange.now += 4999;
    // Any command advances the time.
    await place('bob', { side: 'sell', price: 200_000, amount: 0.001 });
    expect((await readBalance('alice', 'USDT')).held).toBe(2000);
    exchange.now += 1;
    await place('bob', { side: 'sell', price: 200_000, amount: 0.001 });
    expect((await readBalance('alice', 'USDT')).held).toBe(0);
    const cancel = await exchange.send('alice', 'DELETE', `/api/orders/${data.orderId}`);
    expect(cancel.code).toBe('ORDER_NOT_OPEN');
    expect(cancel.details).toEqual({ status: 'expired' });
  });

  test.each([
    [{ type: 'market', price: null, timeInForce: 'GTC' }, 'timeInForce', 'marketOrder'],
    [{ type: 'market', price: null, timeInForce: 'GTD' }, 'timeInForce', 'marketOrder'],
    [
      { type: 'market', price: null, amount: null, cost: 5, timeInForce: 'FOK' },
      'timeInForce',
      'cost',
    ],
    [{ timeInForce: 'GTD' }, 'expiresAt', 'required'],
    [{ expiresAt: '2026-02-01T00:00:00Z' }, 'expiresAt', 'goodTillDate'],
    [{ timeInForce: 'IOC', expiresAt: '2026-02-01T00:00:00Z' }, 'expiresAt', 'goodTillDate'],
    [{ timeInForce: 'GTD', expiresAt: '2026-01-05T12:00:00Z' }, 'expiresAt', 'future'],
    [{ timeInForce: 'GTD', expiresAt: 0 }, 'expiresAt', 'future'],
    [{ timeInForce: 'GTD', expiresAt: 'soon' }, 'expiresAt', 'time'],
    [{ timeInForce: 'GTD', expiresAt: 253402300800000 }, 'expiresAt', 'time'],
    [{ postOnly: true, timeInForce: 'IOC' }, 'postOnly', 'restingOrder'],
    [{ postOnly: true, type: 'market', price: null }, 'postOnly', 'restingOrder'],
    [{ timeInForce: 'gtc' }, 'timeInForce', 'GTC, IOC, FOK, GTD'],
    [
      { selfTradePrevention: 'none' },
      'selfTradePrevention',
      'expire_maker, expire_taker, expire_both, decrement',
    ],
  ])('%j is rejected', async (change, field, rule) => {
    const answer = await place('alice', change);
    expect(answer.status).toBe(400);
    expect(answer.code).toBe('INVALID_REQUEST');
    expect(answer.details).toEqual({ field, rule });
  });
});

describe('a market order takes exactly one of amount and cost', () => {
  const market = { type: 'market', price: null, amount: null };
  test.each([
    [{}, 'INVALID_AMOUNT', 'amount', 'required'],
    [{ amount: 0.01, cost: 5 }, 'INVALID_AMOUNT', 'cost', 'amountOrCost'],
    [{ side: 'sell', cost: 0 }, 'INVALID_AMOUNT', 'cost', 'positive'],
    [{ amount: 0.01, price: 100_000 }, 'INVALID_PRICE', 'price', 'limitOrdersOnly'],
    [{ cost: 0 }, 'INVALID_AMOUNT', 'cost', 'positive'],
    [{ cost: 0.00000000001 }, 'INVALID_AMOUNT', 'cost', 'decimals'],
  ])('%j is rejected', async (change, code, field, rule) => {
    await offer();
    const answer = await place('alice', { ...market, ...change });
    expect(answer.code).toBe(code);
    expect(answer.details).toMatchObject({ field, rule });
  });

  test('a limit order accepts no cost', async () => {
    const answer = await place('alice', { cost: 5 });
    expect(answer.code).toBe('INVALID_AMOUNT');
    expect(answer.details).toEqual({ field: 'cost', rule: 'marketOrdersOnly' });
  });

  test('a sell by cost sells until it is reached, and its test shows the same', async () => {
    await place('bob', { amount: 0.01, price: 100_000 });
    await place('bob', { amount: 0.01, price: 99_999 });
    const body = { ...ORDER, ...market, side: 'sell', cost: 1500 };
    const tested = await exchange.send('alice', 'POST', '/api/orders/test', JSON.stringify(body));
    const { data } = await place('alice', { ...body, returnFills: true });
    // 1000 for the first 0.01; the rest pays for 0.00500005 at 99,999.
    const terms = { status: 'filled', amount: 0.01500005, filled: 0.01500005, cost: 1499.99999995 };
    expect(data).toMatchObject(terms);
    expect(tested.data.order).toMatchObject(terms);
    expect(tested.data.fills.map(({ amount }: { amount: number }) => amount)).toEqual(
      data.fills.map(({ amount }: { amount: number }) => amount),
    );
    expect(tested.data.hold).toBeNull();
    expect(data.fees).toEqual([{ asset: 'USDT', cost: 1.5 }]);
  });

  test('a sell by cost is rejected until the engine has version 2', async () => {
    const older = await TestExchange.open({ version: 1 });
    await older.place('bob', ORDER);
    const sell = { ...ORDER, ...market, side: 'sell', cost: 5 };
    const { code, details } = await older.place('alice', sell);
    expect([code, details]).toEqual(['INVALID_AMOUNT', { field: 'cost', rule: 'marketBuysOnly' }]);
    await older.replica.execute({ kind: CommandKind.upgrade, ...SYSTEM_ACTOR, version: 2 });
    expect((await older.place('alice', sell)).data.status).toBe('filled');
    await older.close();
  });

  test('a sell by cost that would need more than the balance at the best bid is rejected', async () => {
    await place('bob', { amount: 0.01, price: 100_000 });
    const answer = await place('alice', { ...market, side: 'sell', cost: 1e9 });
    expect(answer.code).toBe('INSUFFICIENT_BALANCE');
    expect(answer.details).toMatchObject({ asset: 'BTC', required: 10_000 });
  });

  test('the part that the book cannot fill expires', async () => {
    await offer();
    const byAmount = await place('alice', { ...market, amount: 0.02 });
    expect(byAmount.data).toMatchObject({ status: 'expired', filled: 0.01, remaining: 0.01 });
    await offer();
    const byCost = await place('alice', { ...market, cost: 5000 });
    expect(byCost.data).toMatchObject({ status: 'expired', cost: 1000, amount: 0.01 });
  });
});

describe('postOnly', () => {
  test('rests, or is rejected if it would trade', async () => {
    await offer();
    const { digest } = exchange.state;
    const refused = await place('alice', { postOnly: true });
    expect(refused.code).toBe('POST_ONLY_WOULD_TAKE');
    expect(exchange.state.digest).toBe(digest);
    const below = await place('alice', { postOnly: true, price: 99_999.99 });
    expect(below.data).toMatchObject({ status: 'open', postOnly: true });
  });
});

describe('holds and payments', () => {
  test('a buy holds price × amount of quote, a sell amount of base', async () => {
    await place('alice');
    expect(await readBalance('alice', 'USDT')).toMatchObject({ available: 998_000, held: 2000 });
    await place('alice', { side: 'sell', price: 120_000 });
    expect(await readBalance('alice', 'BTC')).toMatchObject({ available: 99.98, held: 0.02 });
  });

  test('price improvement is released with the fill; the fee is taken from the received amount', async () => {
    await offer();
    await place('alice', { price: 110_000 });
    // 0.01 filled at 100,000, the rest holds 0.01 × 110,000.
    expect(await readBalance('alice', 'USDT')).toMatchObject({
      total: 999_000,
      available: 997_900,
      held: 1100,
    });
    expect(await readBalance('alice', 'BTC')).toMatchObject({ total: 100.00999, held: 0 });
    expect(await readBalance('bob', 'USDT')).toMatchObject({ total: 1_000_999.2 });
    expect(await readBalance('bob', 'BTC')).toMatchObject({ total: 99.99, held: 0 });
  });

  test('matches the best price first, then the earliest order', async () => {
    const first = (await offer()).data.orderId;
    const second = (await offer()).data.orderId;
    const better = (await place('bob', { side: 'sell', amount: 0.01, price: 99_000 })).data.orderId;
    await place('alice', { amount: 0.02 });
    const cancel = (id: string) => exchange.send('bob', 'DELETE', `/api/orders/${id}`);
    expect((await cancel(better)).details).toEqual({ status: 'filled' });
    expect((await cancel(first)).details).toEqual({ status: 'filled' });
    expect((await cancel(second)).data).toMatchObject({ status: 'canceled', filled: 0 });
  });
});
