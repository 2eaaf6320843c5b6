import { expect, test } from 'bun:test';
import { ALICE, BOB, CAROL, Fixture, limitOrder, summary, USDT } from '../../../test/fixture.ts';
import { auditState } from '../audit/audit.ts';
import { type AmendOrder, CommandKind, type PlaceStopOrder, SYSTEM_ACTOR } from '../command.ts';
import type { OrderRecord, Outcome } from '../event.ts';
import { RejectionCode } from '../rejection.ts';
import { MarketStatus, OrderReason, OrderType, Side } from '../terms.ts';

/** Places an order of Alice that buys 5 once the last price, 100, has risen to 110. */
function stop(fixture: Fixture, terms: Partial<PlaceStopOrder> = {}): number {
  const order = limitOrder(ALICE, Side.buy, 5, 0, { type: OrderType.stop });
  const kind = CommandKind.placeStopOrder;
  const outcome = fixture.apply({ ...order, kind, triggerPrice: 110, ...terms });
  return (outcome as { order: OrderRecord }).order.id;
}

function amend(fixture: Fixture, orderId: number, change: Partial<AmendOrder>): Outcome {
  const terms = { price: 0, amount: 0, triggerPrice: 0, ...change };
  const command = {
    kind: CommandKind.amendOrder,
    ...SYSTEM_ACTOR,
    account: ALICE,
    orderId,
    ...terms,
  };
  const outcome = fixture.apply(command);
  auditState(fixture.exchange.state);
  return outcome;
}

/** Trades at a price, which becomes the last price. */
function trade(fixture: Fixture, price: number): void {
  fixture.sell(BOB, 1, price);
  fixture.buy(CAROL, 1, price);
  auditState(fixture.exchange.state);
}

test('a stop triggers at its new trigger price, and holds what that requires', () => {
  const fixture = new Fixture({ collar: 100_000 });
  const id = stop(fixture);
  expect(fixture.balances(ALICE)).toBe('1000+0 99395+605');
  const reason = OrderReason.amended;
  expect(amend(fixture, id, { triggerPrice: 120 })).toMatchObject({
    order: { id, triggerPrice: 120, amount: 5, price: 0, status: 0, reason },
  });
  expect(fixture.entries()).toEqual([`${ALICE} hold 1 -55`]);
  trade(fixture, 115);
  expect(fixture.exchange.state.openOrder(id)).toBeDefined();
  fixture.sell(BOB, 9, 121);
  trade(fixture, 120);
  expect(fixture.trades()).toBe('1@120 5@121');
  expect(fixture.balances(ALICE)).toBe('1005+0 99395+0');
});

test('trigger, amount and limit change alone or together, completely or not at all', () => {
  const fixture = new Fixture();
  const id = stop(fixture, { type: OrderType.stopLimit, price: 112 });
  expect(summary(amend(fixture, id, { amount: 3 }))).toBe('open 0/3');
  expect(fixture.balances(ALICE)).toBe('1000+0 99664+336');
  amend(fixture, id, { amount: 8, price: 115, triggerPrice: 111 });
  expect(fixture.balances(ALICE)).toBe('1000+0 99080+920');
  fixture.transfer(ALICE, USDT, -99_000, 'most');
  const { digest } = fixture.exchange.state;
  expect(amend(fixture, id, { amount: 9 })).toMatchObject({ required: 115, available: 80 });
  expect(fixture.exchange.state.digest).toBe(digest);
});

test.each([
  [{ triggerPrice: 100 }, RejectionCode.triggerCrossed],
  [{ triggerPrice: 99, amount: 1 }, RejectionCode.minNotional],
  [{ triggerPrice: 2_000_000 }, RejectionCode.insufficientBalance],
  [{ triggerPrice: 15_000, amount: 1 }, RejectionCode.triggerOutOfBounds],
  [{ price: 110 }, RejectionCode.takesNoPrice],
])('rejected: %j', (change, code) => {
  const fixture = new Fixture({ minNotional: 100, maxPrice: 10_000 });
  const id = stop(fixture);
  const { digest } = fixture.exchange.state;
  expect(amend(fixture, id, change)).toMatchObject({ kind: 'rejected', code });
  expect(fixture.exchange.state.digest).toBe(digest);
});

test.each([
  [{ price: 1_001 }, RejectionCode.priceOutOfBounds],
  [{ amount: 51 }, RejectionCode.amountOutOfBounds],
  [{ triggerPrice: 1_001 }, RejectionCode.triggerOutOfBounds],
  [{ price: 1_000, amount: 50, triggerPrice: 1_000 }, undefined],
])('only as the current rules allow: %j', (change, code) => {
  const fixture = new Fixture({ maxPrice: 1_000, maxAmount: 50 });
  const id = stop(fixture, { type: OrderType.stopLimit, price: 120 });
  const outcome = amend(fixture, id, change);
  expect(outcome.kind === 'rejected' ? outcome.code : undefined).toBe(code);
  // Unchanged fields may break rules that were set later.
  const rules = { maxPrice: 105, maxAmount: 3, minPrice: 1, referencePrice: 100 };
  fixture.apply({ kind: CommandKind.changeMarketRules, ...SYSTEM_ACTOR, market: 0, rules });
  expect(amend(fixture, id, { amount: 2 }).kind).toBe('order');
});

test('lowering the amount is accepted whenever cancels are, a new trigger is not', () => {
  const fixture = new Fixture();
  const id = stop(fixture);
  fixture.setStatus(MarketStatus.halted);
  const code = RejectionCode.marketUnavailable;
  expect(amend(fixture, id, { triggerPrice: 120 })).toEqual({ kind: 'rejected', code });
  expect(summary(amend(fixture, id, { amount: 4 }))).toBe('open 0/4');
});

test('equal values change nothing, and a triggered order rejects a new trigger', () => {
  const fixture = new Fixture();
  const id = stop(fixture, { type: OrderType.stopLimit, price: 105 });
  amend(fixture, id, { triggerPrice: 110, price: 105, amount: 5 });
  expect(fixture.events).toEqual([]);
  trade(fixture, 110);
  expect(fixture.book()).toBe('5@105 |');
  expect(summary(amend(fixture, id, { triggerPrice: 110, price: 104 }))).toBe('open 0/5');
  expect(summary(amend(fixture, id, { price: 103 }))).toBe('open 0/5');
  const code = RejectionCode.noPendingTrigger;
  expect(amend(fixture, id, { triggerPrice: 111 })).toEqual({ kind: 'rejected', code });
});

test('at equal triggers the older order still runs first', () => {
  const fixture = new Fixture({ collar: 100_000 });
  const first = stop(fixture, { triggerPrice: 130 });
  stop(fixture, { triggerPrice: 120 });
  amend(fixture, first, { triggerPrice: 120 });
  fixture.sell(BOB, 7, 125);
  trade(fixture, 120);
  expect(fixture.exchange.state.openOrder(first)).toBeUndefined();
  expect(fixture.trades()).toBe('1@120 5@125 2@125');
});

test('the amended notional may be minNotional, but not less', () => {
  const fixture = new Fixture({ minNotional: 360 });
  const id = stop(fixture, { type: OrderType.stopLimit, price: 120 });
  expect(summary(amend(fixture, id, { amount: 3 }))).toBe('open 0/3');
  const code = RejectionCode.minNotional;
  expect(amend(fixture, id, { price: 119 })).toEqual({ kind: 'rejected', code });
});

test('a hold that changes by one unit changes by one unit', () => {
  const fixture = new Fixture();
  const id = stop(fixture, { type: OrderType.stopLimit, amount: 1, price: 120 });
  const { digest } = fixture.exchange.state;
  for (const [price, entry] of [
    [121, 'hold 1 -1'],
    [120, 'release 1 1'],
  ] as const) {
    expect(amend(fixture, id, { price }).kind).toBe('order');
    expect(fixture.entries()).toEqual([`${ALICE} ${entry}`]);
  }
  expect(amend(fixture, id, { triggerPrice: 111 }).kind).toBe('order');
  expect(fixture.entries()).toEqual([]);
  expect(fixture.exchange.state.digest).not.toBe(digest);
});
