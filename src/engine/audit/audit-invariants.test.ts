import { expect, test } from 'bun:test';
import { ALICE, BOB, BTC, Fixture, placed, USDT } from '../../../test/fixture.ts';
import { CommandKind, SYSTEM_ACTOR } from '../command.ts';
import type { Deadline } from '../orders/endings/deadlines.ts';
import type { State } from '../state.ts';
import { NONE, OrderType, SelfTradePrevention, Side, TimeInForce } from '../terms.ts';
import { auditState } from './audit.ts';

// Each damage is also made to the running digest, as a defect of the engine would do, so that only
// the check of that invariant can find it.

/**
 * Returns an exchange in which Alice and Bob have orders of every kind, with the slots of these
 * orders.
 */
function busy() {
  const fixture = new Fixture({ collar: 100_000 });
  const { state } = fixture.exchange;
  const findSlot = (id: number) => state.index.find(id);
  const gtd = { timeInForce: TimeInForce.gtd, expiresAt: fixture.time + 1_000 };
  const bid = findSlot(placed(fixture.buy(ALICE, 5, 100)).id);
  const later = findSlot(placed(fixture.buy(ALICE, 5, 99, gtd)).id);
  const ask = findSlot(placed(fixture.sell(BOB, 5, 101)).id);
  const other = findSlot(placed(fixture.sell(ALICE, 5, 102)).id);
  const small = findSlot(placed(fixture.sell(ALICE, 4, 103)).id);
  const stopAt = (triggerPrice: number) => {
    const terms = { type: OrderType.stop, timeInForce: TimeInForce.ioc };
    const order = { ...placedTerms(ALICE), ...terms, triggerPrice };
    return findSlot(placed(fixture.apply({ ...order, kind: CommandKind.placeStopOrder })).id);
  };
  const stop = stopAt(90);
  const lower = stopAt(80);
  for (const timeoutMs of [10, 20]) {
    for (const account of [ALICE, BOB]) {
      const market = timeoutMs === 10 ? 0 : NONE;
      fixture.apply({ kind: CommandKind.cancelAfter, ...SYSTEM_ACTOR, account, market, timeoutMs });
    }
  }
  return { fixture, state, bid, later, ask, other, small, stop, lower };
}
type Busy = ReturnType<typeof busy>;

function placedTerms(account: number) {
  return {
    account,
    key: NONE,
    market: 0,
    side: Side.sell,
    postOnly: false,
    price: 0,
    amount: 5,
    selfTradePrevention: SelfTradePrevention.expireMaker,
    cost: 0,
    expiresAt: 0,
    clientOrderId: null,
  } as const;
}

/** Changes an order and its hash in the digest. */
function change(state: State, slot: number, by: () => void): void {
  state.excludeOrder(slot);
  by();
  state.includeOrder(slot, state.orders.remaining(slot));
}

function setBalance(state: State, account: number, asset: number, available = 0, held = 0): void {
  const owner = state.accounts[account]!;
  const balance = owner.balances[asset]!;
  const [left, set] = [Number(balance.available) + available, Number(balance.held) + held];
  state.ledger.restore(owner, asset, left, set);
}

const leg = { price: 110, triggerPrice: 0 };
const ownDeadlines = (state: State) => state.deadlines.get(ALICE) as Deadline[];

test('a busy exchange with OCO and bracket orders passes', () => {
  const { state, bid, other, ask, small } = busy();
  auditState(state);
  state.attach(bid, { takeProfit: leg, stopLoss: null });
  state.attach(other, { takeProfit: null, stopLoss: leg });
  state.setParent(small, 1);
  auditState(state);
  expect(state.attachments.size).toBe(3);
  expect(ask).not.toBe(other);
});

test.each<[string, (busy: Busy) => void, string]>([
  ['that is not in the index', ({ state }) => state.index.remove(1), 'not found by its id'],
  [
    'in the place of another one',
    ({ state, bid, later }) => {
      const accountPlace = state.details.accountPlace(later);
      state.details.setAccountPlace(later, state.details.accountPlace(bid));
      state.details.setAccountPlace(bid, accountPlace);
    },
    'not in the list of its account',
  ],
  [
    'missing from the expiries',
    ({ state, later }) => state.expiries.remove(later),
    'place of the expiries',
  ],
  [
    'without expiry among the expiries',
    ({ state, bid }) => state.expiries.add(bid),
    'the expiries contain orders that are not open',
  ],
  [
    'listed twice',
    ({ state, bid }) => state.accounts[ALICE]!.openSlots.push(bid),
    'the lists of accounts contain',
  ],
  [
    'missing from its book',
    ({ state, bid }) => state.markets[0]!.book.remove(bid),
    '1 open orders are in',
  ],
  ['in its book twice', ({ state, bid }) => state.triggered.add(bid), 'more orders than are open'],
  [
    'in the wrong place of the triggers',
    ({ state, stop, lower }) => {
      const { triggers } = state.markets[0]!;
      triggers.remove(stop);
      state.orders.setLevel(stop, 1);
      state.orders.setLevel(lower, 1);
    },
    'wrong place of the triggers',
  ],
  [
    'that is pending without a trigger price',
    ({ state, lower }) => change(state, lower, () => state.details.setTriggerPrice(lower, 0)),
    'pending without a trigger price',
  ],
  [
    'among the triggers that is not pending',
    ({ state, bid }) => state.markets[0]!.triggers.add(bid),
    'more orders than are open',
  ],
  [
    'with no remaining quantity',
    ({ state, bid }) => change(state, bid, () => state.orders.setRemaining(bid, 0)),
    'rests with no remaining quantity',
  ],
  [
    'with more remaining than is held',
    ({ state, bid }) => change(state, bid, () => state.orders.setRemaining(bid, 6)),
    'account alice holds 995 of asset 1, but its orders, withdrawals and deposits need 1095',
  ],
])('an order %s', (_, damage, message) => {
  const all = busy();
  damage(all);
  expect(() => auditState(all.state)).toThrow(message);
});

test.each<[string, (busy: Busy) => void, string]>([
  [
    'crossed',
    ({ state, ask }) => {
      state.removeOrder(ask);
      change(state, ask, () => state.orders.setPrice(ask, 100));
      state.insertOrder(ask);
    },
    'is crossed',
  ],
  [
    'with an order at a level of another price',
    ({ state, ask }) => change(state, ask, () => state.orders.setPrice(ask, 104)),
    'does not belong in this place of the book of BTC/USDT',
  ],
  [
    'with an order that names another level',
    ({ state, ask, other }) => state.orders.setLevel(ask, state.orders.level(other)),
    'more orders than are open',
  ],
  [
    'with a total below that of its orders',
    ({ state, small }) => {
      change(state, small, () => state.orders.setRemaining(small, 5));
      setBalance(state, ALICE, BTC, -1, 1);
    },
    'the total of BTC/USDT at 103',
  ],
])('a book %s', (_, damage, message) => {
  const all = busy();
  damage(all);
  expect(() => auditState(all.state)).toThrow(message);
});

test.each<[string, (busy: Busy) => void]>([
  [
    'of two sides',
    ({ state, bid, other }) => {
      state.linkOco(bid, other);
      setBalance(state, ALICE, BTC, 5, -5);
    },
  ],
  [
    'of two accounts',
    ({ state, ask, other }) => {
      state.linkOco(other, ask);
      setBalance(state, BOB, BTC, 5, -5);
    },
  ],
  [
    'of two amounts',
    ({ state, other, small }) => {
      state.linkOco(other, small);
      setBalance(state, ALICE, BTC, 4, -4);
    },
  ],
  [
    'with a leg that is linked to a third order',
    ({ state, other, stop, lower }) => {
      state.linkOco(other, stop);
      setBalance(state, ALICE, BTC, 5, -5);
      state.linkOco(lower, stop);
    },
  ],
])('an OCO order %s', (_, damage) => {
  const all = busy();
  damage(all);
  expect(() => auditState(all.state)).toThrow('is in a broken OCO order');
});

test.each<[string, (busy: Busy) => void, string]>([
  [
    'to a stop',
    ({ state, stop }) => state.attach(stop, { takeProfit: leg, stopLoss: null }),
    'not an open limit',
  ],
  [
    'to an empty bracket',
    ({ state, bid }) => state.attach(bid, { takeProfit: null, stopLoss: null }),
    'empty bracket',
  ],
  [
    'to itself',
    ({ state, small }) => state.setParent(small, state.details.id(small)),
    'cannot be a leg',
  ],
  ['to none', ({ state, small }) => state.setParent(small, 0), 'cannot be a leg'],
])('an order attached %s', (_, damage, message) => {
  const all = busy();
  damage(all);
  expect(() => auditState(all.state)).toThrow(message);
});

test.each<[string, (busy: Busy) => void, string]>([
  [
    'missing from the queue',
    ({ state: { deadlines } }) => deadlines.remove(deadlines.first),
    'wrong place of the queue',
  ],
  [
    'missing from their account',
    ({ state }) => ownDeadlines(state).pop(),
    'is not found by its account',
  ],
  [
    'twice with their account',
    ({ state }) => ownDeadlines(state).push(ownDeadlines(state)[0]!),
    'that are not armed',
  ],
])('deadlines %s', (_, damage, message) => {
  const all = busy();
  damage(all);
  expect(() => auditState(all.state)).toThrow(message);
});

test.each<[string, (busy: Busy) => void, string]>([
  [
    'held for no order',
    ({ state }) => setBalance(state, ALICE, USDT, -1, 1),
    'withdrawals and deposits need 995',
  ],
  [
    'not held for an order',
    ({ state }) => setBalance(state, BOB, BTC, 1, -1),
    'withdrawals and deposits need 5',
  ],
  ['from nowhere', ({ state }) => setBalance(state, BOB, USDT, 1), 'the totals of USDT'],
  ['lost', ({ state }) => setBalance(state, BOB, USDT, -1), 'the totals of USDT'],
  [
    'spent twice',
    ({ state }) => setBalance(state, BOB, USDT, -100_001),
    'negative balance of asset 1',
  ],
])('money %s', (_, damage, message) => {
  const all = busy();
  damage(all);
  expect(() => auditState(all.state)).toThrow(message);
});
