import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { type Answer, TestExchange } from './exchange.ts';

/** Orders that the account's funds do not cover. */

let exchange: TestExchange;
beforeAll(async () => {
  exchange = await TestExchange.open();
  await exchange.send('operator', 'POST', '/api/admin/accounts', '{"accountId":"poor"}');
  await exchange.addKey('poor', 'poor', ['read', 'trade']);
  await exchange.place('bob', { ...ORDER, side: 'sell', amount: 1, price: 120_000 });
  await exchange.place('alice', ORDER);
});
afterAll(() => exchange.close());

const ORDER = { symbol: 'BTC/USDT', side: 'buy', type: 'limit', amount: 0.01, price: 45000 };

function expectShort({ status, code, details }: Answer, expected: object): void {
  expect({ status, code, details }).toEqual({
    status: 400,
    code: 'INSUFFICIENT_BALANCE',
    details: expected,
  });
}

describe('INSUFFICIENT_BALANCE reports the required and available balance and the asset', () => {
  test.each([
    [{ amount: 100 }, 'USDT', '4500000'],
    [{ side: 'sell', amount: 100.00000001 }, 'BTC', '100.00000001'],
    [{ type: 'market', price: null, amount: null, cost: 1000000.5 }, 'USDT', '1000000.5'],
    [{ type: 'market', price: null, side: 'sell', amount: 101 }, 'BTC', '101'],
    [{ symbol: 'ETH/BTC', amount: 9999, price: 0.04321 }, 'BTC', '432.05679'],
  ])('%j', async (change, asset, required) => {
    const { data } = await exchange.send('alice', 'GET', '/api/portfolio/balances');
    const { available } = data.balances.find((one: { asset: string }) => one.asset === asset);
    const answer = await exchange.place('alice', { ...ORDER, ...change });
    expectShort(answer, { required: Number(required), available, asset });
    expect(answer.text).toContain(`"required":${required},`);
  });

  test('an account without funds and an order beyond any book', async () => {
    const text = (order: string) => exchange.place('poor', `{"symbol":"BTC/USDT",${order}}`);
    const limit = await text('"side":"buy","type":"limit","amount":1e30,"price":9e30');
    expect(limit.code).toBe('INSUFFICIENT_BALANCE');
    expect(limit.text).toContain(`"required":9${'0'.repeat(60)},"available":0,"asset":"USDT"`);
    const market = await text('"side":"buy","type":"market","amount":1e30');
    // The cost of the whole book.
    expectShort(market, { required: 120_000, available: 0, asset: 'USDT' });
    const sell = await text('"side":"sell","type":"market","amount":12345678901234567890.5');
    expect(sell.text).toContain('"required":12345678901234567890.5,"available":0,"asset":"BTC"');
  });
});
