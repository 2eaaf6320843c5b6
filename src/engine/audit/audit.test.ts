import { describe, expect, test } from 'bun:test';
import { ALICE, BOB, BTC, Desk, placed, USDT } from '../../../test/desk.ts';
import type { Balance } from '../ledger/accounts.ts';
import { exact } from '../numbers/exact.ts';
import { InvariantError } from '../rejection.ts';
import { Side, TimeInForce } from '../terms.ts';
import { auditState } from './audit.ts';

/** Orders of every kind, one of them partly filled, some at one price. */
function busy(): { desk: Desk; ids: number[] } {
  const desk = new Desk({ makerFee: 1_000 });
  const gtd = { timeInForce: TimeInForce.gtd, expiresAt: desk.time + 1_000 };
  const ids = [
    desk.buy(ALICE, 5, 100),
    desk.buy(BOB, 6, 100, { clientOrderId: 'mine' }),
    desk.buy(ALICE, 2, 99, gtd),
    desk.buy(ALICE, 2, 98, { ...gtd, expiresAt: desk.time + 500, postOnly: true }),
    desk.sell(BOB, 3, 101, { selfTradePrevention: 3 }),
    desk.sell(ALICE, 4, 102),
  ].map((outcome) => placed(outcome).id);
  desk.market(BOB, Side.sell, 2);
  // As at a checkpoint: from here on every change must show.
  expect(desk.exchange.state.digest).toBeGreaterThan(0);
  return { desk, ids };
}

/** The private memory of an object: its typed arrays, which damage does not ask for access. */
function memoryOf(owner: object, name: string): Int32Array {
  return (owner as unknown as Record<string, Int32Array>)[name]!;
}

test('a busy exchange passes', () => {
  expect(() => auditState(busy().desk.exchange.state)).not.toThrow();
});

describe('one flipped bit of an open order is found', () => {
  const { desk, ids } = busy();
  const { state } = desk.exchange;
  const slots = ids.map((id) => state.index.find(id));

  test.each([
    ['orders', 'words', 8],
    ['details', 'words', 16],
  ] as const)('in its record of %s', (store, name, size) => {
    const words = memoryOf(state[store], name);
    for (const slot of slots) {
      for (let word = slot * size; word < (slot + 1) * size; word++) {
        // Where an order that does not expire would stand in the queue of expiries.
        const isUnused =
          store === 'details' && word % 16 === 15 && state.details.expiresAt(slot) === 0;
        if (isUnused) continue;
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

/** Flips one bit of a part of a balance. */
function flip(balance: Balance, part: 'available' | 'held', bit: bigint): void {
  balance[part] = exact(BigInt(balance[part]) ^ (1n << bit));
}

describe('damage is found', () => {
  test.each<[string, (state: Desk['exchange']['state']) => void]>([
    ['a unit more available', (state) => state.accounts[ALICE]!.balances[USDT]!.available++],
    ['a unit less available', (state) => state.accounts[ALICE]!.balances[USDT]!.available--],
    ['a unit more held', (state) => state.accounts[BOB]!.balances[BTC]!.held++],
    ['a bit far up', (state) => flip(state.accounts[BOB]!.balances[BTC]!, 'held', 90n)],
    [
      'a unit moved from held to available',
      (state) => {
        state.accounts[BOB]!.balances[BTC]!.held--;
        state.accounts[BOB]!.balances[BTC]!.available++;
      },
    ],
    [
      'a unit moved from one to another',
      (state) => {
        state.accounts[ALICE]!.balances[USDT]!.available--;
        state.accounts[BOB]!.balances[USDT]!.available++;
      },
    ],
    ['the hash of a balance', (state) => (state.accounts[ALICE]!.balances[USDT]!.hash ^= 1)],
    ['fees', (state) => state.ledger.fees[USDT]!++],
    ['what is outside', (state) => state.ledger.external[BTC]!--],
    ['an account frozen', (state) => (state.accounts[BOB]!.frozen = true)],
    ["a market's status", (state) => (state.markets[0]!.status = 1)],
    ["a market's last price", (state) => state.markets[0]!.lastPrice++],
    ["a book's sequence", (state) => state.markets[0]!.bookSequence++],
    ['an order gone from its account', (state) => state.accounts[ALICE]!.openSlots.pop()],
    ['an order twice in its account', (state) => state.accounts[ALICE]!.openSlots.push(0)],
    [
      'a client order id that was dropped',
      (state) => state.accounts[BOB]!.recentIds!.removeFirst(),
    ],
    ['what was dropped', (state) => state.accounts[BOB]!.recentIds!.droppedOrderId++],
  ])('%s', (_, damage) => {
    const { desk } = busy();
    damage(desk.exchange.state);
    expect(() => auditState(desk.exchange.state)).toThrow(InvariantError);
  });
});

test('damage that is touched before anyone looks shows in the digest', () => {
  const [damaged, sound] = [busy().desk, busy().desk];
  flip(damaged.exchange.state.accounts[ALICE]!.balances[USDT]!, 'available', 40n);
  damaged.buy(ALICE, 1, 90);
  sound.buy(ALICE, 1, 90);
  expect(damaged.exchange.state.digest).not.toBe(sound.exchange.state.digest);
});
