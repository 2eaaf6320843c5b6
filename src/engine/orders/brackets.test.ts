import { expect, test } from 'bun:test';
import { ALICE, BOB, CAROL, Desk, limitOrder, summary, USDT } from '../../../test/desk.ts';
import { auditState } from '../audit/audit.ts';
import { type Attached, CommandKind, type PlaceOrder, SYSTEM_ACTOR } from '../command.ts';
import type { OrderRecord, Outcome } from '../event.ts';
import type { Exchange } from '../exchange.ts';
import { MAX_OPEN_ORDERS_PER_ACCOUNT } from '../limits.ts';
import { RejectionCode } from '../rejection.ts';
import { readSnapshot, writeSnapshot } from '../snapshot/snapshot.ts';
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
} from '../terms.ts';

const BOTH: Attached = {
  takeProfit: { price: 110, triggerPrice: 0 },
  stopLoss: { price: 0, triggerPrice: 90 },
};
const STOP: Attached = { takeProfit: null, stopLoss: { price: 0, triggerPrice: 90 } };

/** Alice buys at 100 with orders attached. */
function place(
  desk: Desk,
  attached: Attached,
  amount = 5,
  terms: Partial<PlaceOrder> = {},
): Outcome {
  const order = limitOrder(ALICE, Side.buy, amount, 100, terms);
  return desk.apply({ kind: CommandKind.placeAttached, order, attached });
}

/** What was attached, as the last command changed it: `type amount status reason`. */
function children(desk: Desk): string[] {
  auditState(desk.exchange.state);
  return desk.events.flatMap((event) => {
    if (event.kind !== 'order' || event.parentId === 0) return [];
    const { type, amount, status, reason } = event;
    return `${orderTypes[type]} ${amount} ${orderStatuses[status]} ${orderReasons[reason]}`;
  });
}

/** The open orders of an account, as `type remaining`. */
function open(desk: Desk, account = ALICE): string[] {
  const { state } = desk.exchange;
  auditState(state);
  return state
    .openOrdersOf(state.accounts[account]!)
    .map(({ type, remaining }) => `${orderTypes[type]} ${remaining}`);
}

const idOf = (outcome: Outcome) => (outcome as { order: OrderRecord }).order.id;
const alive = ['limit 5 open null', 'stop 5 open null'];

test('they come alive as a pair when the order is filled, and hold nothing before', () => {
  const desk = new Desk({ collar: 100_000 });
  const parent = idOf(place(desk, BOTH));
  expect(desk.balances(ALICE)).toBe('1000+0 99500+500');
  desk.sell(BOB, 3, 100);
  expect(children(desk)).toEqual([]);
  desk.sell(BOB, 2, 100);
  expect(children(desk)).toEqual(alive);
  expect(desk.exchange.state.links.size).toBe(2);
  expect(desk.balances(ALICE)).toBe('1000+5 99500+0');
  const { state } = desk.exchange;
  const records = state.openOrdersOf(state.accounts[ALICE]!);
  expect(records.map(({ parentId }) => parentId)).toEqual([parent, parent]);
  desk.buy(CAROL, 1, 110);
  expect(open(desk)).toEqual(['limit 4']);
});

test('an order that is filled at once brings them in the same command', () => {
  const desk = new Desk({ collar: 100_000 });
  desk.sell(BOB, 5, 100);
  const outcome = place(desk, BOTH, 5, { type: OrderType.market, price: 0, timeInForce: 1 });
  expect(summary(outcome)).toBe('filled 5/5');
  expect(children(desk)).toEqual(alive);
});

test('a buy by cost brings them for what it bought', () => {
  const desk = new Desk();
  desk.sell(BOB, 9, 100);
  place(desk, STOP, 0, { type: OrderType.market, price: 0, timeInForce: 1, cost: 750 });
  expect(children(desk)).toEqual(['stop 7 open null']);
});

test('of a buy they are for what the fee left, in whole steps', () => {
  // A tenth of 55 is 6 rounded up, which leaves 49.
  const desk = new Desk({ makerFee: 100_000, step: 5, minAmount: 5, maxAmount: 100 });
  place(desk, STOP, 55);
  desk.sell(BOB, 55, 100);
  expect(children(desk)).toEqual(['stop 45 open null']);
});

test('a sell brings a buy that may need more than it got', () => {
  const desk = new Desk({ makerFee: 100_000 });
  const order = limitOrder(ALICE, Side.sell, 10, 100);
  const attached = { takeProfit: null, stopLoss: { price: 120, triggerPrice: 115 } };
  desk.apply({ kind: CommandKind.placeAttached, order, attached });
  desk.transfer(ALICE, USDT, -100_000, 'all');
  desk.buy(BOB, 10, 100);
  expect(children(desk)).toEqual(['stop_limit 10 rejected insufficient_balance']);
});

test('an order that ends with nothing filled takes them with it', () => {
  const desk = new Desk();
  desk.cancel(ALICE, idOf(place(desk, BOTH)));
  expect(children(desk)).toEqual([]);
  expect(desk.exchange.state.attachments.size).toBe(0);
});

test.each([
  ['a cancel', (desk: Desk, id: number) => desk.cancel(ALICE, id)],
  ['its date', (desk: Desk) => desk.wait(100)],
  ['self-trade prevention', (desk: Desk) => desk.sell(ALICE, 1, 100)],
  [
    'an amend to what is filled',
    (desk: Desk, orderId: number) => {
      const change = {
        ...SYSTEM_ACTOR,
        account: ALICE,
        orderId,
        price: 0,
        amount: 2,
        triggerPrice: 0,
      };
      return desk.apply({ kind: CommandKind.amendOrder, ...change });
    },
  ],
])('%s that ends a partly filled order brings them for that part', (_, end) => {
  const desk = new Desk();
  const terms = { timeInForce: TimeInForce.gtd, expiresAt: desk.time + 100 };
  const id = idOf(place(desk, BOTH, 5, terms));
  desk.sell(BOB, 2, 100);
  end(desk, id);
  expect(children(desk)).toEqual(['limit 2 open null', 'stop 2 open null']);
});

const everything = { market: -1, orderIds: null, clientOrderId: null };
test.each([
  ['a cancel of several', { kind: CommandKind.cancelOrders, account: ALICE, key: -1 }],
  ['an operator', { kind: CommandKind.cancelOrdersOf, ...SYSTEM_ACTOR, owner: ALICE }],
  ['delisting', { kind: CommandKind.delistMarket, ...SYSTEM_ACTOR, market: 0 }],
])('%s ends a partly filled order and all of them', (_, command) => {
  const desk = new Desk();
  const id = idOf(place(desk, BOTH));
  desk.sell(BOB, 2, 100);
  const outcome = desk.apply({ ...everything, ...command } as Parameters<Desk['apply']>[0]);
  expect(outcome).toMatchObject({ kind: 'orders', orders: [{ id, attached: null }] });
  expect(open(desk)).toEqual([]);
});

test('a key that falls silent keeps none of them', () => {
  const desk = new Desk();
  place(desk, BOTH);
  desk.sell(BOB, 2, 100);
  const silence = { account: ALICE, key: -1, market: -1, timeoutMs: 10 };
  desk.apply({ kind: CommandKind.cancelAfter, ...silence });
  desk.wait(10);
  expect(open(desk)).toEqual([]);
});

test.each([
  [
    'too little is left for the market',
    ['limit 1 rejected too_small', 'stop 1 rejected too_small'],
    (desk: Desk, id: number) => {
      desk.sell(BOB, 2, 100);
      desk.cancel(ALICE, id);
    },
  ],
  [
    'the market takes no such order',
    ['limit 3 rejected market_unavailable', 'stop 3 rejected market_unavailable'],
    (desk: Desk, id: number) => {
      desk.sell(BOB, 4, 100);
      desk.setStatus(MarketStatus.cancelOnly);
      desk.cancel(ALICE, id);
    },
  ],
  [
    'the take profit would trade at once',
    ['limit 3 rejected post_only_would_take', 'stop 3 rejected post_only_would_take'],
    (desk: Desk, id: number) => {
      desk.sell(BOB, 4, 100);
      desk.buy(CAROL, 2, 115);
      desk.cancel(ALICE, id);
    },
  ],
])('where %s both are rejected, with the reason', (_, expected, act) => {
  // The fee takes one of what is filled.
  const desk = new Desk({ minAmount: 2, makerFee: 100_000 });
  act(desk, idOf(place(desk, BOTH)));
  expect(children(desk)).toEqual(expected);
  expect(open(desk)).toEqual([]);
  const prices = desk.events.flatMap((event) =>
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
] as const)('on the wrong side of the price they are refused: %j', (attached, name) => {
  const code = RejectionCode.attachedMisplaced;
  expect(place(new Desk(), attached)).toEqual({ kind: 'rejected', code, attached: name });
});

test.each([
  [{ ...BOTH, takeProfit: { price: 2_000_000, triggerPrice: 0 } }, 'takeProfit'],
  [{ ...BOTH, stopLoss: { price: 2_000_000, triggerPrice: 90 } }, 'stopLoss'],
  [{ takeProfit: null, stopLoss: { price: 2_000_000, triggerPrice: 90 } }, 'stopLoss'],
] as const)('beyond the bounds of the market they are refused: %j', (attached, name) => {
  const refusal = { kind: 'rejected', code: RejectionCode.priceOutOfBounds, rule: 'maxPrice' };
  expect(place(new Desk(), attached)).toEqual({ ...refusal, attached: name } as Outcome);
});

test('worth too little at its own price is refused', () => {
  const attached = { takeProfit: null, stopLoss: { price: 0, triggerPrice: 90 } };
  const outcome = place(new Desk({ minNotional: 460 }), attached);
  const code = RejectionCode.minNotional;
  expect(outcome).toEqual({ kind: 'rejected', code, attached: 'stopLoss' });
});

test('where one of them is worth too little for what was filled, neither opens', () => {
  const desk = new Desk({ minNotional: 100 });
  const orderId = idOf(place(desk, BOTH));
  desk.sell(BOB, 1, 100);
  desk.cancel(ALICE, orderId);
  // One at 110 would do, one at 90 does not.
  expect(children(desk)).toEqual(['limit 1 rejected too_small', 'stop 1 rejected too_small']);
  expect(open(desk)).toEqual([]);
});

test('an amended order keeps them; a price beyond them is refused', () => {
  const desk = new Desk();
  const orderId = idOf(place(desk, BOTH));
  const amend = (price: number, amount: number) => {
    const change = { ...SYSTEM_ACTOR, account: ALICE, orderId, price, amount, triggerPrice: 0 };
    return desk.apply({ kind: CommandKind.amendOrder, ...change });
  };
  const refused = { kind: 'rejected', code: RejectionCode.attachedMisplaced };
  expect(amend(90, 0)).toMatchObject(refused);
  expect(summary(amend(95, 4))).toBe('open 0/4');
  desk.sell(BOB, 4, 95);
  expect(children(desk)).toEqual(['limit 4 open null', 'stop 4 open null']);
});

test('a cascade runs through them, each order ending once', () => {
  const desk = new Desk({ collar: 500_000 });
  for (const price of [100, 99, 98]) {
    const order = limitOrder(ALICE, Side.buy, 2, price);
    const stopLoss = { price: 0, triggerPrice: price - 1 };
    desk.apply({
      kind: CommandKind.placeAttached,
      order,
      attached: { takeProfit: null, stopLoss },
    });
  }
  desk.buy(CAROL, 100, 80);
  const modes = { selfTradePrevention: SelfTradePrevention.expireTaker };
  desk.sell(BOB, 3, 99, modes);
  auditState(desk.exchange.state);
  desk.sell(BOB, 3, 98, modes);
  auditState(desk.exchange.state);
  const ended = desk.events.flatMap((event) =>
    event.kind === 'order' && event.status !== 0 ? event.id : [],
  );
  expect(new Set(ended).size).toBe(ended.length);
  expect(desk.exchange.state.attachments.size).toBe(
    desk.exchange.state.accounts[ALICE]!.openOrders,
  );
});

test('the same client order id with other orders attached is another order', () => {
  const desk = new Desk();
  const terms = { clientOrderId: 'a' };
  const orderId = idOf(place(desk, BOTH, 5, terms));
  expect(place(desk, BOTH, 5, terms)).toEqual({ kind: 'repeated', orderId });
  const code = RejectionCode.duplicateClientOrderId;
  expect(place(desk, STOP, 5, terms)).toEqual({ kind: 'rejected', code });
});

test('they outlive a snapshot, waiting and alive', () => {
  const desk = new Desk({ collar: 100_000 });
  place(desk, BOTH);
  place(desk, STOP, 3);
  desk.sell(BOB, 5, 100);
  const restored: Exchange = readSnapshot(writeSnapshot(desk.exchange));
  expect(restored.state.digest).toBe(desk.exchange.state.digest);
  auditState(restored.state);
  const fill = limitOrder(BOB, Side.sell, 3, 100);
  desk.apply(fill);
  restored.apply(fill, desk.time);
  expect(restored.events).toEqual(desk.events);
  expect(writeSnapshot(restored)).toEqual(writeSnapshot(desk.exchange));
});

test('a stop whose trigger is passed by the trade that fills its order runs at once', () => {
  const desk = new Desk();
  place(desk, BOTH);
  desk.buy(CAROL, 20, 90);
  desk.sell(BOB, 7, 90);
  expect(children(desk)).toEqual([
    'limit 5 open null',
    'stop 5 open null',
    'limit 5 canceled linked',
    'stop 5 filled null',
  ]);
  expect(open(desk)).toEqual([]);
});

test('once accepted they open at their prices, whatever tick and bounds are by then', () => {
  const desk = new Desk();
  place(desk, { ...BOTH, takeProfit: { price: 111, triggerPrice: 0 } });
  const rules = { tick: 10, minPrice: 100, maxPrice: 110, maxAmount: 4 };
  desk.apply({ kind: CommandKind.changeMarketRules, ...SYSTEM_ACTOR, market: 0, rules });
  desk.sell(BOB, 4, 100);
  desk.sell(BOB, 1, 100);
  expect(children(desk)).toEqual(alive);
});

test('the room of what is attached is taken with its order, so that a full account keeps it', () => {
  const desk = new Desk();
  for (let n = 1; n < MAX_OPEN_ORDERS_PER_ACCOUNT; n++) desk.buy(ALICE, 1, 10);
  place(desk, BOTH);
  desk.sell(BOB, 5, 100);
  expect(children(desk)).toEqual(alive);
  const code = RejectionCode.tooManyOpenOrders;
  desk.sell(BOB, 5, 100);
  const now = { type: OrderType.market, timeInForce: TimeInForce.ioc };
  expect(place(desk, BOTH, 5, now)).toMatchObject({ kind: 'rejected', code });
});

test('what an expiry brought alive is canceled by a deadline that is due after it, however late both run', () => {
  const desk = new Desk({ collar: 100_000 });
  place(desk, BOTH, 5, { timeInForce: TimeInForce.gtd, expiresAt: desk.time + 10 });
  desk.sell(BOB, 2, 100);
  const silence = { ...SYSTEM_ACTOR, account: ALICE, market: NONE, timeoutMs: 20 };
  desk.apply({ kind: CommandKind.cancelAfter, ...silence });
  desk.wait(50);
  expect(children(desk)).toEqual([
    ...['limit 2 open null', 'stop 2 open null'],
    ...['limit 2 canceled cancel_after', 'stop 2 canceled cancel_after'],
  ]);
  expect(open(desk)).toEqual([]);
});
