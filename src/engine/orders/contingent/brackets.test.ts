import { expect, test } from 'bun:test';
import { ALICE, BOB, CAROL, Fixture, limitOrder, summary, USDT } from '../../../../test/fixture.ts';
import { auditState } from '../../audit/audit.ts';
import { type Attached, CommandKind, type PlaceOrder, SYSTEM_ACTOR } from '../../command.ts';
import type { OrderRecord, Outcome } from '../../event.ts';
import type { Exchange } from '../../exchange.ts';
import { MAX_OPEN_ORDERS_PER_ACCOUNT } from '../../limits.ts';
import { RejectionCode } from '../../rejection.ts';
import { readSnapshot, writeSnapshot } from '../../snapshot/snapshot.ts';
import {
  MarketStatus,
  NONE,
  OrderType,
  orderReasons,
  orderStatuses,
  orderTypes,
  SelfTradePrevention,
  Side,
  TimeInForce,
} from '../../terms.ts';

const BOTH: Attached = {
  takeProfit: { price: 110, triggerPrice: 0 },
  stopLoss: { price: 0, triggerPrice: 90 },
};
const STOP: Attached = { takeProfit: null, stopLoss: { price: 0, triggerPrice: 90 } };

/** Places a bracket order: Alice buys at 100. */
function place(
  fixture: Fixture,
  attached: Attached,
  amount = 5,
  terms: Partial<PlaceOrder> = {},
): Outcome {
  const order = limitOrder(ALICE, Side.buy, amount, 100, terms);
  return fixture.apply({ kind: CommandKind.placeBracket, order, attached });
}

/** Returns the legs as changed by the last command: `type amount status reason`. */
function children(fixture: Fixture): string[] {
  auditState(fixture.exchange.state);
  return fixture.events.flatMap((event) => {
    if (event.kind !== 'order' || event.parentId === 0) return [];
    const { type, amount, status, reason } = event;
    return `${orderTypes[type]} ${amount} ${orderStatuses[status]} ${orderReasons[reason]}`;
  });
}

/** Returns the open orders of an account: `type remaining`. */
function open(fixture: Fixture, account = ALICE): string[] {
  const { state } = fixture.exchange;
  auditState(state);
  return state
    .accountOpenOrders(state.accounts[account]!)
    .map(({ type, remaining }) => `${orderTypes[type]} ${remaining}`);
}

const placedId = (outcome: Outcome) => (outcome as { order: OrderRecord }).order.id;
const alive = ['limit 5 open null', 'stop 5 open null'];

test('legs are activated as an OCO order when the bracket order is filled, and hold nothing before', () => {
  const fixture = new Fixture({ collar: 100_000 });
  const parent = placedId(place(fixture, BOTH));
  expect(fixture.balances(ALICE)).toBe('1000+0 99500+500');
  fixture.sell(BOB, 3, 100);
  expect(children(fixture)).toEqual([]);
  fixture.sell(BOB, 2, 100);
  expect(children(fixture)).toEqual(alive);
  expect(fixture.exchange.state.links.size).toBe(2);
  expect(fixture.balances(ALICE)).toBe('1000+5 99500+0');
  const { state } = fixture.exchange;
  const records = state.accountOpenOrders(state.accounts[ALICE]!);
  expect(records.map(({ parentId }) => parentId)).toEqual([parent, parent]);
  fixture.buy(CAROL, 1, 110);
  expect(open(fixture)).toEqual(['limit 4']);
});

test('an order that is filled immediately activates its legs in the same command', () => {
  const fixture = new Fixture({ collar: 100_000 });
  fixture.sell(BOB, 5, 100);
  const outcome = place(fixture, BOTH, 5, { type: OrderType.market, price: 0, timeInForce: 1 });
  expect(summary(outcome)).toBe('filled 5/5');
  expect(children(fixture)).toEqual(alive);
});

test('a buy by cost activates legs for the quantity it bought', () => {
  const fixture = new Fixture();
  fixture.sell(BOB, 9, 100);
  place(fixture, STOP, 0, { type: OrderType.market, price: 0, timeInForce: 1, cost: 750 });
  expect(children(fixture)).toEqual(['stop 7 open null']);
});

test('the legs of a buy are for the quantity less fees, in whole steps', () => {
  // A tenth of 55 is 6, rounded up, which leaves 49.
  const fixture = new Fixture({ makerFee: 100_000, step: 5, minAmount: 5, maxAmount: 100 });
  place(fixture, STOP, 55);
  fixture.sell(BOB, 55, 100);
  expect(children(fixture)).toEqual(['stop 45 open null']);
});

test('a sell activates a buy that may need more funds than it received', () => {
  const fixture = new Fixture({ makerFee: 100_000 });
  const order = limitOrder(ALICE, Side.sell, 10, 100);
  const attached = { takeProfit: null, stopLoss: { price: 120, triggerPrice: 115 } };
  fixture.apply({ kind: CommandKind.placeBracket, order, attached });
  fixture.transfer(ALICE, USDT, -100_000, 'all');
  fixture.buy(BOB, 10, 100);
  expect(children(fixture)).toEqual(['stop_limit 10 rejected insufficient_balance']);
});

test('an order that ends without a fill cancels its legs', () => {
  const fixture = new Fixture();
  fixture.cancel(ALICE, placedId(place(fixture, BOTH)));
  expect(children(fixture)).toEqual(['limit 5 canceled requested', 'stop 5 canceled requested']);
  expect(fixture.exchange.state.attachments.size).toBe(0);
});

test.each([
  ['a cancel', (fixture: Fixture, id: number) => fixture.cancel(ALICE, id)],
  ['its expiry', (fixture: Fixture) => fixture.wait(100)],
  ['self-trade prevention', (fixture: Fixture) => fixture.sell(ALICE, 1, 100)],
  [
    'an amend to the filled quantity',
    (fixture: Fixture, orderId: number) => {
      const change = {
        ...SYSTEM_ACTOR,
        account: ALICE,
        orderId,
        price: 0,
        amount: 2,
        triggerPrice: 0,
      };
      return fixture.apply({ kind: CommandKind.amendOrder, ...change });
    },
  ],
])('%s that ends a partly filled order activates legs for that part', (_, end) => {
  const fixture = new Fixture();
  const terms = { timeInForce: TimeInForce.gtd, expiresAt: fixture.time + 100 };
  const id = placedId(place(fixture, BOTH, 5, terms));
  fixture.sell(BOB, 2, 100);
  end(fixture, id);
  expect(children(fixture)).toEqual(['limit 2 open null', 'stop 2 open null']);
});

const everything = { market: -1, orderIds: null, clientOrderId: null };
test.each([
  ['a bulk cancel', 'requested', { kind: CommandKind.cancelOrders, account: ALICE, key: -1 }],
  [
    'a bulk cancel by an operator',
    'operator',
    { kind: CommandKind.cancelOrdersOf, ...SYSTEM_ACTOR, owner: ALICE },
  ],
  ['delisting', 'delisted', { kind: CommandKind.delistMarket, ...SYSTEM_ACTOR, market: 0 }],
])('%s ends a partly filled order and drops its legs', (_, reason, command) => {
  const fixture = new Fixture();
  const id = placedId(place(fixture, BOTH));
  fixture.sell(BOB, 2, 100);
  const outcome = fixture.apply({ ...everything, ...command } as Parameters<Fixture['apply']>[0]);
  expect(outcome).toMatchObject({ kind: 'orders', orders: [{ id, attached: BOTH }] });
  expect(children(fixture)).toEqual([`limit 5 canceled ${reason}`, `stop 5 canceled ${reason}`]);
  expect(open(fixture)).toEqual([]);
});

test('a missed heartbeat drops the legs', () => {
  const fixture = new Fixture();
  place(fixture, BOTH);
  fixture.sell(BOB, 2, 100);
  const silence = { account: ALICE, key: -1, market: -1, timeoutMs: 10 };
  fixture.apply({ kind: CommandKind.cancelAfter, ...silence });
  fixture.wait(10);
  expect(open(fixture)).toEqual([]);
});

test.each([
  [
    'the quantity is too small',
    ['limit 1 rejected too_small', 'stop 1 rejected too_small'],
    (fixture: Fixture, id: number) => {
      fixture.sell(BOB, 2, 100);
      fixture.cancel(ALICE, id);
    },
  ],
  [
    'the market does not accept the order',
    ['limit 3 rejected market_unavailable', 'stop 3 rejected market_unavailable'],
    (fixture: Fixture, id: number) => {
      fixture.sell(BOB, 4, 100);
      fixture.setStatus(MarketStatus.cancelOnly);
      fixture.cancel(ALICE, id);
    },
  ],
  [
    'the take profit would match immediately',
    ['limit 3 rejected post_only_would_take', 'stop 3 rejected post_only_would_take'],
    (fixture: Fixture, id: number) => {
      fixture.sell(BOB, 4, 100);
      fixture.buy(CAROL, 2, 115);
      fixture.cancel(ALICE, id);
    },
  ],
])('if %s, both legs are rejected with that reason', (_, expected, act) => {
  // The fee takes 1 of the filled quantity.
  const fixture = new Fixture({ minAmount: 2, makerFee: 100_000 });
  act(fixture, placedId(place(fixture, BOTH)));
  expect(children(fixture)).toEqual(expected);
  expect(open(fixture)).toEqual([]);
  const prices = fixture.events.flatMap((event) =>
    event.kind === 'order' && event.parentId !== 0 ? [[event.price, event.triggerPrice]] : [],
  );
  expect(prices).toEqual([
    [110, 0],
    [0, 90],
  ]);
});

test.each([
  [{ takeProfit: { price: 100, triggerPrice: 0 }, stopLoss: null }, 'takeProfit'],
  [{ takeProfit: { price: 120, triggerPrice: 99 }, stopLoss: null }, 'takeProfit'],
  [{ ...BOTH, stopLoss: { price: 0, triggerPrice: 100 } }, 'stopLoss'],
] as const)('legs on the wrong side of the price are rejected: %j', (attached, name) => {
  const code = RejectionCode.bracketOnWrongSide;
  expect(place(new Fixture(), attached)).toEqual({ kind: 'rejected', code, attached: name });
});

test.each([
  [{ ...BOTH, takeProfit: { price: 2_000_000, triggerPrice: 0 } }, 'takeProfit'],
  [{ ...BOTH, stopLoss: { price: 2_000_000, triggerPrice: 90 } }, 'stopLoss'],
  [{ takeProfit: null, stopLoss: { price: 2_000_000, triggerPrice: 90 } }, 'stopLoss'],
] as const)('legs beyond the bounds of the market are rejected: %j', (attached, name) => {
  const rejection = { kind: 'rejected', code: RejectionCode.priceOutOfBounds, rule: 'maxPrice' };
  expect(place(new Fixture(), attached)).toEqual({ ...rejection, attached: name } as Outcome);
});

test('a leg below minNotional at its own price is rejected', () => {
  const attached = { takeProfit: null, stopLoss: { price: 0, triggerPrice: 90 } };
  const outcome = place(new Fixture({ minNotional: 460 }), attached);
  const code = RejectionCode.minNotional;
  expect(outcome).toEqual({ kind: 'rejected', code, attached: 'stopLoss' });
});

test('if one leg is below minNotional for the filled quantity, neither opens', () => {
  const fixture = new Fixture({ minNotional: 100 });
  const orderId = placedId(place(fixture, BOTH));
  fixture.sell(BOB, 1, 100);
  fixture.cancel(ALICE, orderId);
  // 1 at 110 is enough, 1 at 90 is not.
  expect(children(fixture)).toEqual(['limit 1 rejected too_small', 'stop 1 rejected too_small']);
  expect(open(fixture)).toEqual([]);
});

test('an amended order keeps its legs; a price beyond them is rejected', () => {
  const fixture = new Fixture();
  const orderId = placedId(place(fixture, BOTH));
  const amend = (price: number, amount: number) => {
    const change = { ...SYSTEM_ACTOR, account: ALICE, orderId, price, amount, triggerPrice: 0 };
    return fixture.apply({ kind: CommandKind.amendOrder, ...change });
  };
  const rejection = { kind: 'rejected', code: RejectionCode.bracketOnWrongSide };
  expect(amend(90, 0)).toMatchObject(rejection);
  expect(summary(amend(95, 4))).toBe('open 0/4');
  fixture.sell(BOB, 4, 95);
  expect(children(fixture)).toEqual(['limit 4 open null', 'stop 4 open null']);
});

test('a cascade of triggers runs through legs, and each order ends once', () => {
  const fixture = new Fixture({ collar: 500_000 });
  for (const price of [100, 99, 98]) {
    const order = limitOrder(ALICE, Side.buy, 2, price);
    const stopLoss = { price: 0, triggerPrice: price - 1 };
    fixture.apply({
      kind: CommandKind.placeBracket,
      order,
      attached: { takeProfit: null, stopLoss },
    });
  }
  fixture.buy(CAROL, 100, 80);
  const modes = { selfTradePrevention: SelfTradePrevention.expireTaker };
  fixture.sell(BOB, 3, 99, modes);
  auditState(fixture.exchange.state);
  fixture.sell(BOB, 3, 98, modes);
  auditState(fixture.exchange.state);
  const ended = fixture.events.flatMap((event) =>
    event.kind === 'order' && event.status !== 0 ? event.id : [],
  );
  expect(new Set(ended).size).toBe(ended.length);
  expect(fixture.exchange.state.attachments.size).toBe(
    fixture.exchange.state.accounts[ALICE]!.openOrders,
  );
});

test('the same client order id with different legs is a different request', () => {
  const fixture = new Fixture();
  const terms = { clientOrderId: 'a' };
  const orderId = placedId(place(fixture, BOTH, 5, terms));
  expect(place(fixture, BOTH, 5, terms)).toEqual({ kind: 'repeated', orderId });
  const code = RejectionCode.duplicateClientOrderId;
  expect(place(fixture, STOP, 5, terms)).toEqual({ kind: 'rejected', code });
});

test('legs survive a snapshot, activated or not', () => {
  const fixture = new Fixture({ collar: 100_000 });
  place(fixture, BOTH);
  place(fixture, STOP, 3);
  fixture.sell(BOB, 5, 100);
  const restored: Exchange = readSnapshot(writeSnapshot(fixture.exchange));
  expect(restored.state.digest).toBe(fixture.exchange.state.digest);
  auditState(restored.state);
  const fill = limitOrder(BOB, Side.sell, 3, 100);
  fixture.apply(fill);
  restored.apply(fill, fixture.time);
  expect(restored.events).toEqual(fixture.events);
  expect(writeSnapshot(restored)).toEqual(writeSnapshot(fixture.exchange));
});

test('a stop loss whose trigger is crossed by the filling trade runs immediately', () => {
  const fixture = new Fixture();
  place(fixture, BOTH);
  fixture.buy(CAROL, 20, 90);
  fixture.sell(BOB, 7, 90);
  expect(children(fixture)).toEqual([
    'limit 5 open null',
    'stop 5 open null',
    'limit 5 canceled linked',
    'stop 5 filled null',
  ]);
  expect(open(fixture)).toEqual([]);
});

test('accepted legs open at their prices even if tick and bounds have changed', () => {
  const fixture = new Fixture();
  place(fixture, { ...BOTH, takeProfit: { price: 111, triggerPrice: 0 } });
  const rules = { tick: 10, minPrice: 100, maxPrice: 110, maxAmount: 4 };
  fixture.apply({ kind: CommandKind.changeMarketRules, ...SYSTEM_ACTOR, market: 0, rules });
  fixture.sell(BOB, 4, 100);
  fixture.sell(BOB, 1, 100);
  expect(children(fixture)).toEqual(alive);
});

test('legs are activated even if the account has reached its open order limit', () => {
  const fixture = new Fixture();
  for (let n = 1; n < MAX_OPEN_ORDERS_PER_ACCOUNT; n++) fixture.buy(ALICE, 1, 10);
  place(fixture, BOTH);
  fixture.sell(BOB, 5, 100);
  expect(children(fixture)).toEqual(alive);
  const code = RejectionCode.tooManyOpenOrders;
  fixture.sell(BOB, 5, 100);
  const now = { type: OrderType.market, timeInForce: TimeInForce.ioc };
  expect(place(fixture, BOTH, 5, now)).toMatchObject({ kind: 'rejected', code });
});

test('legs activated by an expiry are canceled by a later deadline, however late both run', () => {
  const fixture = new Fixture({ collar: 100_000 });
  place(fixture, BOTH, 5, { timeInForce: TimeInForce.gtd, expiresAt: fixture.time + 10 });
  fixture.sell(BOB, 2, 100);
  const silence = { ...SYSTEM_ACTOR, account: ALICE, market: NONE, timeoutMs: 20 };
  fixture.apply({ kind: CommandKind.cancelAfter, ...silence });
  fixture.wait(50);
  expect(children(fixture)).toEqual([
    'limit 2 open null',
    'stop 2 open null',
    'limit 2 canceled cancel_after',
    'stop 2 canceled cancel_after',
  ]);
  expect(open(fixture)).toEqual([]);
});
