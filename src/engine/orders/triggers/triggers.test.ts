import { describe, expect, test } from 'bun:test';
import {
  ALICE,
  BOB,
  BTC,
  CAROL,
  Fixture,
  limitOrder,
  placed,
  summary,
  USDT,
} from '../../../../test/fixture.ts';
import { auditState } from '../../audit/audit.ts';
import { CommandKind, type PlaceStopOrder, SYSTEM_ACTOR } from '../../command.ts';
import type { OrderRecord, Outcome } from '../../event.ts';
import { PORTION } from '../../limits.ts';
import { RejectionCode } from '../../rejection.ts';
import { readSnapshot, writeSnapshot } from '../../snapshot/snapshot.ts';
import {
  MarketStatus,
  OrderReason,
  OrderStatus,
  OrderType,
  Side,
  TimeInForce,
} from '../../terms.ts';

const { stop, stopLimit, takeProfit, takeProfitLimit } = OrderType;
const COLLAR = { collar: 100_000 };

function place(
  fixture: Fixture,
  account: number,
  type: number,
  side: Side,
  amount: number,
  triggerPrice: number,
  terms: Partial<PlaceStopOrder> = {},
): Outcome {
  const order = limitOrder(account, side, amount, 0, { type });
  return fixture.apply({ ...order, ...terms, kind: CommandKind.placeStopOrder, triggerPrice });
}

/** Trades at `price`, which becomes the last price. */
function trade(fixture: Fixture, price: number): void {
  fixture.sell(BOB, 1, price);
  fixture.buy(CAROL, 1, price, { timeInForce: TimeInForce.ioc });
}

/** Returns the last record of an order that the last command reported. */
function reported(fixture: Fixture, id: number): OrderRecord {
  const found = fixture.events.findLast((event) => event.kind === 'order' && event.id === id);
  if (found?.kind !== 'order') throw new Error(`order ${id} was not reported`);
  return found;
}

describe('a pending order', () => {
  test('is open, in no book, and holds its maximum cost', () => {
    const fixture = new Fixture(COLLAR);
    expect(summary(place(fixture, ALICE, stop, Side.buy, 10, 120))).toBe('open 0/10');
    expect(fixture.book()).toBe('|');
    // 120 plus 10 %, ten times.
    expect(fixture.balances(ALICE)).toBe('1000+0 98680+1320');
    expect(fixture.entries()).toEqual([`${ALICE} hold ${USDT} -1320`]);
    place(fixture, ALICE, stopLimit, Side.buy, 10, 120, { price: 125 });
    expect(fixture.balances(ALICE)).toBe('1000+0 97430+2570');
    place(fixture, ALICE, stop, Side.sell, 7, 90);
    expect(fixture.balances(ALICE)).toBe('993+7 97430+2570');
    expect(fixture.exchange.state.accounts[ALICE]!.openOrders).toBe(3);
  });

  test('needs funds for its hold', () => {
    const fixture = new Fixture(COLLAR);
    expect(place(fixture, ALICE, stop, Side.buy, 1_000, 100_000)).toEqual({
      kind: 'rejected',
      code: RejectionCode.insufficientBalance,
      required: 110_000_000,
      available: 100_000,
      asset: USDT,
    });
  });

  test('keeps its hold when the collar changes', () => {
    const fixture = new Fixture(COLLAR);
    const { id } = placed(place(fixture, ALICE, stop, Side.buy, 10, 120));
    const rules = { collar: 500_000 };
    const actor = { account: ALICE, key: -1 };
    fixture.apply({ kind: CommandKind.changeMarketRules, ...actor, market: 0, rules });
    auditState(fixture.exchange.state);
    fixture.cancel(ALICE, id);
    expect(fixture.balances(ALICE)).toBe('1000+0 100000+0');
  });

  test('can be canceled, and expires', () => {
    const fixture = new Fixture(COLLAR);
    const { id } = placed(place(fixture, ALICE, stop, Side.buy, 10, 120));
    expect(placed(fixture.cancel(ALICE, id)).status).toBe(OrderStatus.canceled);
    expect(fixture.balances(ALICE)).toBe('1000+0 100000+0');
    const terms = { timeInForce: TimeInForce.gtd, expiresAt: fixture.time + 10 };
    const dated = placed(place(fixture, ALICE, stop, Side.sell, 10, 90, terms));
    fixture.wait(10);
    expect(reported(fixture, dated.id)).toMatchObject({ status: OrderStatus.expired });
    expect(fixture.balances(ALICE)).toBe('1000+0 100000+0');
  });

  test('is rejected if the last price has reached its trigger', () => {
    const fixture = new Fixture(COLLAR);
    const crossed = { kind: 'rejected', code: RejectionCode.triggerCrossed } as const;
    // Before the first trade the reference price of 100 applies.
    expect(place(fixture, ALICE, stop, Side.buy, 1, 100)).toEqual(crossed);
    expect(place(fixture, ALICE, stop, Side.sell, 1, 100)).toEqual(crossed);
    expect(place(fixture, ALICE, takeProfit, Side.buy, 1, 100)).toEqual(crossed);
    expect(place(fixture, ALICE, takeProfit, Side.sell, 1, 100)).toEqual(crossed);
    trade(fixture, 110);
    expect(place(fixture, ALICE, stop, Side.buy, 1, 105)).toEqual(crossed);
    expect(place(fixture, ALICE, takeProfit, Side.buy, 1, 105).kind).toBe('order');
  });

  test('is rejected if the market does not accept the order', () => {
    const fixture = new Fixture(COLLAR);
    const unavailable = { kind: 'rejected', code: RejectionCode.marketUnavailable } as const;
    for (const status of [MarketStatus.cancelOnly, MarketStatus.halted]) {
      fixture.setStatus(status);
      expect(place(fixture, ALICE, stop, Side.buy, 1, 110)).toEqual(unavailable);
      const limit = { price: 111 };
      expect(place(fixture, ALICE, stopLimit, Side.buy, 1, 110, limit)).toEqual(unavailable);
    }
    expect(fixture.balances(ALICE)).toBe('1000+0 100000+0');
  });
});

describe('a trade', () => {
  test.each([
    [stop, Side.buy, 110, 109],
    [stop, Side.sell, 90, 91],
    [takeProfit, Side.buy, 90, 91],
    [takeProfit, Side.sell, 110, 109],
  ] as const)('triggers type %p of side %p at %p, not at %p', (type, side, trigger, short) => {
    const fixture = new Fixture({ collar: 1_000_000 });
    const { id } = placed(place(fixture, ALICE, type, side, 2, trigger));
    trade(fixture, short);
    fixture.buy(BOB, 5, 85);
    fixture.sell(BOB, 5, 115);
    expect(
      fixture.exchange.state.details.awaitsTrigger(fixture.exchange.state.index.find(id)),
    ).toBe(true);
    trade(fixture, trigger);
    expect(reported(fixture, id)).toMatchObject({
      status: OrderStatus.filled,
      triggerPrice: trigger,
    });
  });

  test('makes a stop_limit a limit order under its id, which may rest', () => {
    const fixture = new Fixture(COLLAR);
    const order = placed(place(fixture, ALICE, stopLimit, Side.buy, 3, 110, { price: 111 }));
    fixture.wait(5);
    trade(fixture, 110);
    expect(fixture.book()).toBe('3@111 |');
    const { createdAt, updatedAt, triggerPrice, type } = reported(fixture, order.id);
    expect({ triggerPrice, type }).toEqual({ triggerPrice: 110, type: stopLimit });
    expect(updatedAt - createdAt).toBe(5);
    expect(fixture.balances(ALICE)).toBe('1000+0 99667+333');
    const triggeredAt = updatedAt;
    expect(reported(fixture, order.id)).toMatchObject({ triggeredAt });
    fixture.wait(7);
    fixture.sell(BOB, 1, 111);
    expect(reported(fixture, order.id)).toMatchObject({ remaining: 2, triggeredAt });
    const amendment = { orderId: order.id, price: 109, amount: 0, triggerPrice: 0 };
    fixture.apply({ kind: CommandKind.amendOrder, ...SYSTEM_ACTOR, account: ALICE, ...amendment });
    expect(reported(fixture, order.id)).toMatchObject({ price: 109, triggeredAt });
    const canceled = placed(fixture.cancel(ALICE, order.id));
    expect(canceled).toMatchObject({ status: OrderStatus.canceled, triggeredAt });
    expect(order).not.toHaveProperty('triggeredAt');
  });

  test('triggers the nearest trigger first, and at equal triggers the older order', () => {
    const fixture = new Fixture({ collar: 1_000_000 });
    const [far, near, second] = [112, 110, 110].map((trigger) =>
      placed(place(fixture, ALICE, stop, Side.buy, 1, trigger)),
    );
    fixture.sell(BOB, 1, 112);
    fixture.sell(BOB, 9, 113);
    fixture.buy(CAROL, 1, 112);
    const takers = fixture.events.flatMap((event) =>
      event.kind === 'trade' && event.takerAccount === ALICE ? event.takerOrderId : [],
    );
    expect(takers).toEqual([near!.id, second!.id, far!.id]);
  });

  test('triggers a cascade within the same command', () => {
    const fixture = new Fixture({ collar: 1_000_000 });
    place(fixture, ALICE, stop, Side.buy, 1, 110);
    place(fixture, ALICE, stop, Side.buy, 1, 120);
    for (const price of [110, 120, 130]) fixture.sell(BOB, 1, price);
    fixture.buy(CAROL, 1, 110);
    expect(fixture.trades()).toBe('1@110 1@120 1@130');
  });

  test('triggers an order even if the price has moved back when it runs', () => {
    const fixture = new Fixture({ collar: 1_000_000 });
    const [sell, buy] = [
      placed(place(fixture, ALICE, takeProfit, Side.sell, 1, 105)),
      placed(place(fixture, ALICE, stop, Side.buy, 1, 106)),
    ];
    fixture.buy(BOB, 1, 80);
    fixture.sell(BOB, 1, 106);
    fixture.sell(BOB, 1, 107);
    fixture.buy(CAROL, 1, 106);
    expect(fixture.trades()).toBe('1@106 1@80 1@107');
    expect(reported(fixture, sell!.id).status).toBe(OrderStatus.filled);
    expect(reported(fixture, buy!.id).status).toBe(OrderStatus.filled);
  });

  test('runs a bounded number of orders, and the rest in later portions', () => {
    const fixture = new Fixture({ collar: 1_000_000 });
    const count = PORTION.triggers * 2 + 50;
    for (let left = count; left > 0; left--)
      place(fixture, ALICE, stopLimit, Side.sell, 1, 90, { price: 50 });
    fixture.buy(BOB, 1, 90);
    fixture.buy(BOB, count, 60);
    fixture.sell(CAROL, 1, 90);
    const openOrders = () => fixture.exchange.state.accounts[ALICE]!.openOrders;
    expect(openOrders()).toBe(count - PORTION.triggers);
    expect(fixture.exchange.nextDueTime).toBe(fixture.time);
    const { digest } = fixture.exchange.state;
    auditState(fixture.exchange.state);
    expect(readSnapshot(writeSnapshot(fixture.exchange)).state.digest).toBe(digest);
    // Other commands of the batch run none, because they share the portion.
    fixture.buy(BOB, 1, 40);
    expect(openOrders()).toBe(count - PORTION.triggers);
    for (let left = count - PORTION.triggers; left > 0; left -= PORTION.triggers) fixture.wait(0);
    expect(fixture.exchange.nextDueTime).toBe(Number.POSITIVE_INFINITY);
    expect(fixture.book()).toBe('1@40 |');
  });
});

describe('a triggered order that cannot run', () => {
  test('is rejected if the other side is empty', () => {
    const fixture = new Fixture(COLLAR);
    const { id } = placed(place(fixture, ALICE, stop, Side.buy, 2, 110));
    trade(fixture, 110);
    expect(reported(fixture, id)).toMatchObject({
      status: OrderStatus.rejected,
      reason: OrderReason.noLiquidity,
      remaining: 2,
    });
    expect(fixture.balances(ALICE)).toBe('1000+0 100000+0');
  });

  test('is rejected if it is post-only and would match', () => {
    const fixture = new Fixture(COLLAR);
    const terms = { price: 111, postOnly: true };
    const { id } = placed(
      place(fixture, ALICE, takeProfitLimit, Side.sell, 2, 110, { ...terms, price: 105 }),
    );
    fixture.buy(BOB, 1, 106);
    trade(fixture, 106);
    fixture.buy(BOB, 1, 110);
    fixture.buy(BOB, 1, 105);
    fixture.sell(CAROL, 1, 110);
    expect(reported(fixture, id)).toMatchObject({
      status: OrderStatus.rejected,
      reason: OrderReason.postOnlyWouldTake,
    });
    expect(fixture.balances(ALICE)).toBe('1000+0 100000+0');
  });

  test('is rejected if the market only accepts limit orders', () => {
    const fixture = new Fixture(COLLAR);
    const { id } = placed(place(fixture, ALICE, stop, Side.sell, 2, 90));
    const actor = { account: ALICE, key: -1 };
    fixture.apply({ kind: CommandKind.setMarketStatus, ...actor, market: 0, status: 2 });
    fixture.buy(BOB, 5, 90);
    fixture.sell(CAROL, 1, 90);
    expect(reported(fixture, id)).toMatchObject({
      status: OrderStatus.rejected,
      reason: OrderReason.marketUnavailable,
    });
  });
});

describe('the collar', () => {
  test('limits how far from the last price a market order trades', () => {
    const fixture = new Fixture(COLLAR);
    for (const price of [105, 110, 111]) fixture.sell(BOB, 1, price);
    const order = placed(fixture.market(ALICE, Side.buy, 3));
    expect(fixture.trades()).toBe('1@105 1@110');
    expect(order).toMatchObject({ status: OrderStatus.expired, reason: OrderReason.collar });
    expect(fixture.book()).toBe('| 1@111');
  });

  test('limits a sell and a buy by cost', () => {
    const fixture = new Fixture(COLLAR);
    fixture.buy(BOB, 1, 90);
    fixture.buy(BOB, 1, 89);
    expect(placed(fixture.market(ALICE, Side.sell, 2)).reason).toBe(OrderReason.collar);
    expect(fixture.trades()).toBe('1@90');
    fixture.sell(BOB, 1, 99);
    fixture.sell(BOB, 1, 100);
    expect(placed(fixture.spend(ALICE, 300)).reason).toBe(OrderReason.collar);
    expect(fixture.trades()).toBe('1@99');
    expect(fixture.balances(ALICE)).toBe('1000+0 99991+0');
  });

  test('bounds the funds that a market buy needs', () => {
    const fixture = new Fixture(COLLAR);
    fixture.sell(BOB, 1, 100);
    fixture.sell(BOB, 1, 500_000);
    expect(placed(fixture.market(ALICE, Side.buy, 2)).status).toBe(OrderStatus.expired);
    expect(fixture.balances(ALICE)).toBe('1001+0 99900+0');
  });

  test('keeps a triggered buy within its hold, however far the price has moved', () => {
    const fixture = new Fixture(COLLAR);
    const { id } = placed(place(fixture, ALICE, stop, Side.buy, 2, 101));
    fixture.sell(BOB, 1, 111);
    fixture.sell(BOB, 2, 112);
    fixture.buy(CAROL, 2, 112);
    // 101 plus 10 %, rounded down.
    expect(reported(fixture, id)).toMatchObject({
      status: OrderStatus.expired,
      reason: OrderReason.collar,
      remaining: 2,
    });
    expect(fixture.balances(ALICE)).toBe('1000+0 100000+0');
    expect(fixture.exchange.state.accounts[ALICE]!.available(BTC)).toBe(1000);
  });
});
