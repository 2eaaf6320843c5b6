import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { entryTypes } from '../../src/engine/terms.ts';
import { TestExchange } from './exchange.ts';

/** Tests GET /api/ledger. */

let exchange: TestExchange;
let orderId: string;
const ORDER = { symbol: 'BTC/USDT', type: 'limit', amount: 0.01, price: 1000 };

async function ledger(name: string, query = '') {
  const answer = await exchange.send(name, 'GET', `/api/ledger${query}`);
  if (answer.status !== 200) throw new Error(answer.text);
  return answer.data;
}

interface Entry {
  readonly asset: string;
  readonly type: string;
  readonly amount: number;
  readonly before: number;
  readonly after: number;
}

beforeAll(async () => {
  exchange = await TestExchange.open();
  orderId = (await exchange.place('alice', { ...ORDER, side: 'buy', amount: 0.02 })).data.orderId;
  await exchange.archive.flush();
  await exchange.place('bob', { ...ORDER, side: 'sell' });
  await exchange.send('alice', 'DELETE', `/api/orders/${orderId}`);
});
afterAll(() => exchange.close());

describe('GET /api/ledger', () => {
  test('lists an order from its hold to its release', async () => {
    const { entries, nextCursor } = await ledger('alice', `?orderId=${orderId}&sort=asc`);
    expect(nextCursor).toBeNull();
    const shown = entries.map(({ id, timestamp, ...rest }: { id: string; timestamp: string }) => {
      expect(timestamp).toBe('2026-01-05T12:00:00.000Z');
      return rest;
    });
    const usdt = { asset: 'USDT' };
    expect(shown).toEqual([
      { ...usdt, type: 'hold', amount: -20, before: 1e6, after: 999_980, reference: orderId },
      { ...usdt, type: 'release', amount: 10, before: 999_980, after: 999_990, reference: orderId },
      { ...usdt, type: 'trade', amount: -10, before: 999_990, after: 999_980, reference: '1' },
      { asset: 'BTC', type: 'trade', amount: 0.01, before: 100, after: 100.01, reference: '1' },
      {
        asset: 'BTC',
        type: 'fee',
        amount: -0.000008,
        before: 100.01,
        after: 100.009992,
        reference: '1',
      },
      { ...usdt, type: 'release', amount: 10, before: 999_980, after: 999_990, reference: orderId },
    ]);
  });

  test('starts with transfers, and each entry continues the balance of the previous one', async () => {
    for (const name of ['alice', 'bob']) {
      const entries: Entry[] = (await ledger(name, '?sort=asc')).entries;
      const { balances } = (await exchange.send(name, 'GET', '/api/portfolio/balances')).data;
      for (const { asset, available } of balances) {
        let before = 0;
        for (const entry of entries.filter((each) => each.asset === asset)) {
          expect(entry.before).toBe(before);
          before = entry.after;
        }
        expect(before).toBe(available);
      }
      expect(entries[0]!.type).toBe('transfer');
    }
  });

  test('by asset, newest first', async () => {
    const { entries } = await ledger('reader', '?asset=BTC');
    expect(entries.map(({ type }: Entry) => type)).toEqual(['fee', 'trade', 'transfer']);
  });

  test('by type: all types together are the whole list', async () => {
    const { entries } = await ledger('alice');
    const byType = [];
    for (const type of entryTypes) {
      const page = (await ledger('alice', `?type=${type}`)).entries;
      expect(page.every((entry: Entry) => entry.type === type)).toBe(true);
      byType.push(...page);
    }
    expect(new Set(entries.map(({ type }: Entry) => type))).toEqual(
      new Set(['transfer', 'hold', 'release', 'trade', 'fee']),
    );
    expect(byType.sort((a, b) => b.id - a.id)).toEqual(entries);
  });

  test('an order of another account has no entries', async () => {
    expect((await ledger('bob', `?orderId=${orderId}`)).entries).toEqual([]);
    expect((await ledger('bob', '?orderId=none')).entries).toEqual([]);
  });

  test('pages of one entry are together the whole list', async () => {
    const whole = (await ledger('alice')).entries;
    const paged: Entry[] = [];
    for (let cursor = ''; ; ) {
      const page = await ledger('alice', `?limit=1${cursor}`);
      paged.push(...page.entries);
      if (page.nextCursor === null) break;
      cursor = `&cursor=${page.nextCursor}`;
      await exchange.place('alice', { ...ORDER, side: 'buy' });
    }
    expect(paged).toEqual(whole);
  });

  test('a cursor of another account is rejected', async () => {
    const { nextCursor } = await ledger('alice', '?limit=1');
    const answer = await exchange.send('bob', 'GET', `/api/ledger?cursor=${nextCursor}`);
    expect([answer.status, answer.code, answer.details.field]).toEqual([
      400,
      'INVALID_REQUEST',
      'cursor',
    ]);
  });

  test.each([
    ['?asset=XX', 'asset'],
    ['?symbol=BTC/USDT', 'symbol'],
    ['?type=gift', 'type'],
    ['?limit=0', 'limit'],
    ['?since=x', 'since'],
  ])('rejects "%s"', async (query, field) => {
    const answer = await exchange.send('alice', 'GET', `/api/ledger${query}`);
    expect([answer.status, answer.code, answer.details.field]).toEqual([
      400,
      'INVALID_REQUEST',
      field,
    ]);
  });
});
