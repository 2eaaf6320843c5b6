import { expect, test } from 'bun:test';
import { ALICE, BOB, CAROL, Fixture, limitOrder } from '../../../../test/fixture.ts';
import { auditState } from '../../audit/audit.ts';
import { type Attached, CommandKind, type OtoTerms, SYSTEM_ACTOR } from '../../command.ts';
import type { OrderRecord, Outcome } from '../../event.ts';
import { RejectionCode } from '../../rejection.ts';
import { readSnapshot, writeSnapshot } from '../../snapshot/snapshot.ts';
import {
  MarketStatus,
  OrderType,
  orderReasons,
  orderStatuses,
  orderTypes,
  SelfTradePrevention,
  Side,
  TimeInForce,
} from '../../terms.ts';

const { gtc, ioc, fok } = TimeInForce;
const MARKET = { type: OrderType.market, timeInForce: ioc, price: 0 } as const;
const limit = (price: number, timeInForce: number = gtc) =>
  ({ type: OrderType.limit, timeInForce, price }) as const;

/** Returns an order of its own that waits for the complete fill of another one. */
function oto(terms: Partial<OtoTerms>): Attached {
  const own = { side: Side.sell, amount: 3, order: null, ...terms };
  return { takeProfit: null, stopLoss: null, oto: own };
}

/** Legs for 3 of either side: a take profit and a stop loss. */
const otoco = (side: Side, profit: number, loss: number): Attached => ({
  takeProfit: { price: profit, triggerPrice: 0 },
  stopLoss: { price: 0, triggerPrice: loss },
  oto: { side, amount: 3, order: null },
});

/** Alice buys 5 at 100, then what is attached. */
function place(fixture: Fixture, attached: Attached): Outcome {
  const order = limitOrder(ALICE, Side.buy, 5, 100);
  return fixture.apply({ kind: CommandKind.placeBracket, order, attached });
}

const placedId = (outcome: Outcome) => (outcome as { order: OrderRecord }).order.id;

/** Returns each change of a leg by the last command: `type remaining/amount status reason`. */
function legs(fixture: Fixture): string[] {
  auditState(fixture.exchange.state);
  return fixture.events.flatMap((event) => {
    if (event.kind !== 'order' || event.parentId === 0) return [];
    const { type, amount, remaining, status, reason } = event;
    const text = `${orderTypes[type]} ${remaining}/${amount} ${orderStatuses[status]}`;
    return reason === 0 ? text : `${text} ${orderReasons[reason]}`;
  });
}

test('legs with terms of their own are activated by the last fill only, for their amount', () => {
  const fixture = new Fixture({ collar: 100_000 });
  place(fixture, otoco(Side.sell, 110, 90));
  fixture.sell(BOB, 4, 100);
  expect(legs(fixture)).toEqual([]);
  fixture.sell(BOB, 1, 100);
  expect(legs(fixture)).toEqual(['limit 3/3 open', 'stop 3/3 open']);
  expect(fixture.exchange.state.links.size).toBe(2);
  expect(fixture.balances(ALICE)).toBe('1002+3 99500+0');
});

test('a partly filled order that is canceled cancels its legs', () => {
  const fixture = new Fixture();
  const id = placedId(place(fixture, otoco(Side.sell, 110, 90)));
  fixture.sell(BOB, 4, 100);
  fixture.cancel(ALICE, id);
  expect(legs(fixture)).toEqual(['limit 3/3 canceled requested', 'stop 3/3 canceled requested']);
  expect(fixture.balances(ALICE)).toBe('1004+0 99600+0');
});

test('an order that is amended to its filled amount activates its leg', () => {
  const fixture = new Fixture();
  const orderId = placedId(place(fixture, oto({ order: limit(105) })));
  fixture.sell(BOB, 4, 100);
  const change = { ...SYSTEM_ACTOR, account: ALICE, orderId, price: 0, triggerPrice: 0 };
  fixture.apply({ kind: CommandKind.amendOrder, ...change, amount: 4 });
  expect(legs(fixture)).toEqual(['limit 3/3 open', 'limit 3/3 open']);
});

test('an order whose remainder self-trade prevention takes cancels its leg', () => {
  const fixture = new Fixture();
  place(fixture, oto({ order: limit(105) }));
  fixture.sell(BOB, 4, 100);
  const modes = { selfTradePrevention: SelfTradePrevention.decrement };
  fixture.apply(limitOrder(ALICE, Side.sell, 1, 100, modes));
  expect(legs(fixture)).toEqual(['limit 3/3 canceled linked']);
});

test('a leg of the same side buys more', () => {
  const fixture = new Fixture({ collar: 100_000 });
  place(fixture, otoco(Side.buy, 80, 120));
  fixture.sell(BOB, 5, 100);
  expect(legs(fixture)).toEqual(['limit 3/3 open', 'stop 3/3 open']);
  // 3 at 120 plus 10 %.
  expect(fixture.balances(ALICE)).toBe('1005+0 99104+396');
  fixture.sell(BOB, 1, 80);
  expect(legs(fixture)).toEqual(['stop 3/3 canceled linked', 'limit 2/3 open']);
});

test.each([
  ['a market order trades', MARKET, ['market 3/3 open', 'market 0/3 filled']],
  ['a limit order trades what it can and rests', limit(99), ['limit 3/3 open', 'limit 1/3 open']],
  ['an IOC expires', limit(99, ioc), ['limit 3/3 open', 'limit 1/3 expired time_in_force']],
  ['a FOK expires', limit(99, fok), ['limit 3/3 open', 'limit 3/3 expired time_in_force']],
] as const)('%s when it is activated, in the command of the last fill', (_, order, expected) => {
  const fixture = new Fixture({ collar: 100_000 });
  place(fixture, oto({ order }));
  fixture.buy(CAROL, 2, 99);
  fixture.buy(CAROL, 2, 95);
  fixture.sell(BOB, 5, 100);
  expect(legs(fixture)).toEqual([...expected]);
});

test('an order that is filled immediately activates its leg in the same command', () => {
  const fixture = new Fixture({ collar: 100_000 });
  fixture.buy(CAROL, 3, 99);
  fixture.sell(BOB, 5, 100);
  const outcome = place(fixture, oto({ order: MARKET }));
  expect(outcome).toMatchObject({ order: { attached: { firstOrderId: placedId(outcome) + 1 } } });
  expect(legs(fixture)).toEqual(['market 3/3 open', 'market 0/3 filled']);
});

test.each([
  ['its funds lack', 'insufficient_balance', oto({ amount: 1500, order: limit(120) }), () => {}],
  [
    'the market takes limit orders only',
    'market_unavailable',
    oto({ order: MARKET }),
    (fixture: Fixture) => fixture.setStatus(MarketStatus.limitOnly),
  ],
] as const)('a leg is rejected if %s', (_, reason, attached, prepare) => {
  const fixture = new Fixture({ maxAmount: 2000, collar: 100_000 });
  place(fixture, attached);
  prepare(fixture);
  fixture.sell(BOB, 5, 100);
  const { amount, order } = attached.oto!;
  const type = orderTypes[order!.type];
  expect(legs(fixture)).toEqual([`${type} ${amount}/${amount} rejected ${reason}`]);
});

test('a market leg without liquidity is open for a moment, then rejected, and its hold released', () => {
  const fixture = new Fixture({ collar: 100_000 });
  place(fixture, oto({ order: MARKET }));
  fixture.sell(BOB, 5, 100);
  expect(legs(fixture)).toEqual(['market 3/3 open', 'market 3/3 rejected no_liquidity']);
  expect(fixture.balances(ALICE)).toBe('1005+0 99500+0');
});

test('a market leg that buys pays no more than it holds', () => {
  const fixture = new Fixture({ collar: 100_000 });
  place(fixture, oto({ side: Side.buy, order: MARKET }));
  fixture.sell(BOB, 5, 100);
  expect(legs(fixture).at(-1)).toBe('market 3/3 rejected no_liquidity');
  fixture.sell(CAROL, 2, 105);
  fixture.sell(CAROL, 2, 111);
  place(fixture, oto({ side: Side.buy, order: MARKET }));
  fixture.sell(BOB, 5, 100);
  expect(legs(fixture)).toEqual(['market 3/3 open', 'market 1/3 expired collar']);
});

test.each([
  [otoco(Side.sell, 90, 110), 'takeProfit', RejectionCode.bracketOnWrongSide],
  [otoco(Side.sell, 90, 90), 'takeProfit', RejectionCode.bracketOnWrongSide],
  [otoco(Side.buy, 110, 90), 'takeProfit', RejectionCode.bracketOnWrongSide],
  [oto({ order: limit(2_000_000) }), 'order', RejectionCode.priceOutOfBounds],
  [oto({ amount: 0, order: MARKET }), 'order', RejectionCode.amountOutOfBounds],
] as const)('rejected: %j', (attached, name, code) => {
  const fixture = new Fixture();
  const { digest } = fixture.exchange.state;
  expect(place(fixture, attached)).toMatchObject({ kind: 'rejected', code, attached: name });
  expect(fixture.exchange.state.digest).toBe(digest);
});

test('delisting a market rejects a leg that was about to run', () => {
  const fixture = new Fixture({ collar: 100_000 });
  place(fixture, oto({ order: limit(99) }));
  const { state } = fixture.exchange;
  state.triggered.left = 0;
  fixture.sell(BOB, 5, 100);
  expect(legs(fixture)).toEqual(['limit 3/3 open']);
  fixture.apply({ kind: CommandKind.delistMarket, ...SYSTEM_ACTOR, market: 0 });
  fixture.wait(1);
  expect(legs(fixture)).toEqual(['limit 3/3 rejected market_unavailable']);
  expect(fixture.balances(ALICE)).toBe('1005+0 99500+0');
  expect(state.orders.size).toBe(0);
});

test('waiting and activated legs survive a snapshot', () => {
  const fixture = new Fixture({ collar: 100_000 });
  place(fixture, oto({ order: limit(99, ioc) }));
  place(fixture, otoco(Side.sell, 110, 90));
  const { state } = fixture.exchange;
  const check = () => {
    const restored = readSnapshot(writeSnapshot(fixture.exchange));
    expect(restored.state.digest).toBe(state.digest);
    auditState(restored.state);
    const list = (exchange: typeof restored) =>
      exchange.state.accountOpenOrders(exchange.state.accounts[ALICE]!);
    expect(list(restored)).toEqual(list(fixture.exchange));
  };
  check();
  state.triggered.left = 0;
  fixture.sell(BOB, 10, 100);
  expect(state.triggered.size).toBe(1);
  check();
});

test('a repeated request with another leg is rejected', () => {
  const fixture = new Fixture();
  const order = limitOrder(ALICE, Side.buy, 5, 100, { clientOrderId: 'mine' });
  const send = (attached: Attached) =>
    fixture.apply({ kind: CommandKind.placeBracket, order, attached });
  const orderId = placedId(send(oto({ order: limit(105) })));
  expect(send(oto({ order: limit(105) }))).toEqual({ kind: 'repeated', orderId });
  const code = RejectionCode.duplicateClientOrderId;
  for (const other of [
    oto({ order: limit(106) }),
    oto({ order: limit(105, ioc) }),
    oto({ amount: 4, order: limit(105) }),
    oto({ side: Side.buy, order: limit(105) }),
    oto({ order: MARKET }),
  ]) {
    expect(send(other)).toEqual({ kind: 'rejected', code });
  }
});
