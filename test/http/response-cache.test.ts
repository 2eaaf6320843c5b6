import { afterAll, beforeAll, expect, test } from 'bun:test';
import { TestExchange } from './exchange.ts';

/** Responses are cached until the caller's account changes, however much other accounts change. */

let exchange: TestExchange;
beforeAll(async () => {
  exchange = await TestExchange.open();
  const order = { symbol: 'BTC/USDT', side: 'buy', type: 'limit', amount: 0.01, price: 1000 };
  for (const name of ['alice', 'bob']) await exchange.place(name, order);
});
afterAll(() => exchange.close());

test.each(['/api/orders', '/api/ledger'])(
  'a cached answer of %s is only returned to its account',
  async (path) => {
    const { state, services } = exchange;
    const changes = (id: string) => services.changes.get(state.accountsById.get(id)!.index);
    expect(changes('bob')).toBe(changes('alice'));
    const alice = await exchange.send('alice', 'GET', path);
    const bob = await exchange.send('bob', 'GET', path);
    expect([alice.status, bob.status]).toEqual([200, 200]);
    expect(bob.text).not.toBe(alice.text);
  },
);
