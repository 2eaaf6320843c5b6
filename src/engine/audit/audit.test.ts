import { describe, expect, test } from 'bun:test';
import { ALICE, BOB, BTC, Fixture, placed, USDT } from '../../../test/fixture.ts';
import type { Balance } from '../ledger/accounts.ts';
import { exact } from '../numbers/exact.ts';
import { InvariantError } from '../rejection.ts';
import { Side, TimeInForce } from '../terms.ts';
import { auditState } from './audit.ts';

/** Returns an exchange with orders of every kind, one partly filled, some at the same price. */
function busy(): { fixture: Fixture; ids: number[] } {
  const fixture = new Fixture({ makerFee: 1_000 });
  const gtd = { timeInForce: TimeInForce.gtd, expiresAt: fixture.time + 1_000 };
  const ids = [
    fixture.buy(ALICE, 5, 100),
    fixture.buy(BOB, 6, 100, { clientOrderId: 'mine' }),
    fixture.buy(ALICE, 2, 99, gtd),
    fixture.buy(ALICE, 2, 98, { ...gtd, expiresAt: fixture.time + 500, postOnly: true }),
    fixture.sell(BOB, 3, 101, { selfTradePrevention: 3 }),
    fixture.sell(ALICE, 4, 102),
  ].map((outcome) => placed(outcome).id);
  fixture.market(BOB, Side.sell, 2);
  // Reading the digest updates it, as a checkpoint does: every later change must show.
  expect(fixture.exchange.state.digest).toBeGreaterThan(0);
  return { fixture, ids };
}

/** Returns a private typed array of an object. */
function readMemory(owner: object, name: string): Int32Array {
  return (owner as unknown as Record<string, Int32Array>)[name]!;
}

test('a busy exchange passes', () => {
  expect(() => auditState(busy().fixture.exchange.state)).not.toThrow();
});

describe('one flipped bit of an open order is found', () => {
  const { fixture, ids } = busy();
  const { state } = fixture.exchange;
  const { orders, details } = state;
  const slots = ids.map((id) => state.index.find(id));

  const { book } = state.markets[0]!;

  test.each<['orders' | 'details', string, number, (slot: number, word: number) => boolean]>([
    // The links beyond the ends of a price level.
    [
      'orders',
      'words',
      8,
      (slot, word) =>
        (word === 4 && slot === book.lastOrder(orders.level(slot))) ||
        (word === 5 && slot === book.firstOrder(orders.level(slot))),
    ],
    ['orders', 'hashes', 1, () => false],
    // The place in the expiries of an order without an expiry.
    ['details', 'words', 16, (slot, word) => word === 15 && details.expiresAt(slot) === 0],
  ])('in its record of %s, %s', (store, name, size, isUnused) => {
    const words = readMemory(state[store], name);
    for (const slot of slots) {
      for (let word = slot * size; word < (slot + 1) * size; word++) {
        if (isUnused(slot, word % size)) continue;
        for (let bit = 0; bit < 32; bit++) {
          const before = words[word]!;
          words[word] = before ^ (1 << bit);
          expect(() => auditState(state)).toThrow();
          words[word] = before;
        }
      }
    }
    expect(() => auditState(state)).not.toThrow();
  });

  test('in its side', () => {
    for (const slot of slots) {
      for (let bit = 0; bit < 8; bit++) {
        state.orders.side[slot]! ^= 1 << bit;
        expect(() => auditState(state)).toThrow(InvariantError);
        state.orders.side[slot]! ^= 1 << bit;
      }
    }
  });
});

/** Flips one bit of a balance. */
function flip(balance: Balance, part: 'available' | 'held', bit: bigint): void {
  balance[part] = exact(BigInt(balance[part]) ^ (1n << bit));
}

describe('damage is found', () => {
  test.each<[string, (state: Fixture['exchange']['state']) => void]>([
    ['a unit more available', (state) => state.accounts[ALICE]!.balances[USDT]!.available++],
    ['a unit less available', (state) => state.accounts[ALICE]!.balances[USDT]!.available--],
    ['a unit more held', (state) => state.accounts[BOB]!.balances[BTC]!.held++],
    ['a high bit', (state) => flip(state.accounts[BOB]!.balances[BTC]!, 'held', 90n)],
    [
      'a unit moved from held to available',
      (state) => {
        state.accounts[BOB]!.balances[BTC]!.held--;
        state.accounts[BOB]!.balances[BTC]!.available++;
      },
    ],
    [
      'a unit moved between accounts',
      (state) => {
        state.accounts[ALICE]!.balances[USDT]!.available--;
        state.accounts[BOB]!.balances[USDT]!.available++;
      },
    ],
    ['the hash of a balance', (state) => (state.accounts[ALICE]!.balances[USDT]!.hash ^= 1)],
    ['fees', (state) => state.ledger.fees[USDT]!++],
    ['the external total', (state) => state.ledger.external[BTC]!--],
    ['a frozen account', (state) => (state.accounts[BOB]!.frozen = true)],
    ["a market's status", (state) => (state.markets[0]!.status = 1)],
    ["a market's last price", (state) => state.markets[0]!.lastPrice++],
    ["a book's sequence", (state) => state.markets[0]!.bookSequence++],
    ['an order missing from its account', (state) => state.accounts[ALICE]!.openSlots.pop()],
    ['an order twice in its account', (state) => state.accounts[ALICE]!.openSlots.push(0)],
    [
      'a client order id that was dropped',
      (state) => state.accounts[BOB]!.recentIds!.removeFirst(),
    ],
    [
      'the newest dropped client order id',
      (state) => state.accounts[BOB]!.recentIds!.droppedOrderId++,
    ],
  ])('%s', (_, damage) => {
    const { fixture } = busy();
    damage(fixture.exchange.state);
    expect(() => auditState(fixture.exchange.state)).toThrow(InvariantError);
  });
});

test('damage that is changed again before an audit still shows in the digest', () => {
  const [damaged, sound] = [busy().fixture, busy().fixture];
  flip(damaged.exchange.state.accounts[ALICE]!.balances[USDT]!, 'available', 40n);
  damaged.buy(ALICE, 1, 90);
  sound.buy(ALICE, 1, 90);
  expect(damaged.exchange.state.digest).not.toBe(sound.exchange.state.digest);
});
