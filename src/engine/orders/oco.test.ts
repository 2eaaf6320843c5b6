import { expect, test } from 'bun:test';
import { ALICE, BOB, CAROL, Desk, limitOrder, summary, USDT } from '../../../test/desk.ts';
import { auditState } from '../audit/audit.ts';
import { type AmendOrder, CommandKind, type PlacePair, SYSTEM_ACTOR } from '../command.ts';
import type { OrderRecord, Outcome } from '../event.ts';
import { RejectionCode } from '../rejection.ts';
import { readSnapshot, writeSnapshot } from '../snapshot/snapshot.ts';
import { OrderReason, OrderStatus, SelfTradePrevention, Side, TimeInForce } from '../terms.ts';

const { linked, selfTrade } = OrderReason;

/** Alice's: a take profit that rests at 110 and a stop at 90, to sell 5 of the last price 100. */
const PAIR: PlacePair = {
  kind: CommandKind.placePair,
  ...{ account: ALICE, key: -1, market: 0, side: Side.sell, amount: 5 },
  takeProfit: { price: 110, triggerPrice: 0 },
  stopLoss: { price: 0, triggerPrice: 90 },
  selfTradePrevention: SelfTradePrevention.expireMaker,
  expiresAt: 0,
  clientOrderId: null,
};

function pair(desk: Desk, terms: Partial<PlacePair> = {}): OrderRecord[] {
  const outcome = desk.apply({ ...PAIR, ...terms });
  if (outcome.kind !== 'pair') throw new Error(`no pair, but ${outcome.kind}`);
  auditState(desk.exchange.state);
  return [...outcome.orders];
}

/** `id status reason` of each order that the last command changed. */
function changes(desk: Desk): string[] {
  auditState(desk.exchange.state);
  return desk.events.flatMap((event) =>
    event.kind === 'order' && event.account === ALICE
      ? `${event.id} ${event.status} ${event.reason}`
      : [],
  );
}

test('a fill of a part of one cancels the other before the trade', () => {
  const desk = new Desk({ collar: 100_000 });
  const [first, second] = pair(desk);
  desk.buy(BOB, 2, 110);
  expect(changes(desk)).toEqual([
    `${second!.id} ${OrderStatus.canceled} ${linked}`,
    `${first!.id} ${OrderStatus.open} ${OrderReason.none}`,
  ]);
  expect(desk.balances(ALICE)).toBe('995+3 100220+0');
});

test('a pair holds the larger need, and a fill of the smaller leaves what it needs', () => {
  const desk = new Desk({ collar: 100_000 });
  pair(desk, {
    side: Side.buy,
    takeProfit: { price: 90, triggerPrice: 0 },
    stopLoss: { price: 0, triggerPrice: 120 },
  });
  // 5 at 120 and a tenth of it.
  expect(desk.balances(ALICE)).toBe('1000+0 99340+660');
  desk.sell(BOB, 2, 90);
  auditState(desk.exchange.state);
  expect(desk.balances(ALICE)).toBe('1002+0 99550+270');
});

test('a trade that triggers one and takes the other leaves one alone', () => {
  const desk = new Desk({ collar: 500_000 });
  const [, second] = pair(desk, { takeProfit: { price: 0, triggerPrice: 110 } });
  desk.buy(BOB, 9, 80);
  desk.sell(BOB, 1, 110);
  desk.buy(CAROL, 1, 110, { timeInForce: TimeInForce.ioc });
  expect(changes(desk)[0]).toBe(`${second!.id} ${OrderStatus.canceled} ${linked}`);
  expect(desk.trades()).toBe('1@110 5@80');
  expect(desk.exchange.state.links.size).toBe(0);
});

test('self-trade prevention that ends one ends both, that lowers one cancels the other', () => {
  for (const [mode, ending] of [
    [SelfTradePrevention.expireMaker, `${OrderStatus.expired} ${selfTrade}`],
    [SelfTradePrevention.decrement, `${OrderStatus.canceled} ${linked}`],
  ] as const) {
    const desk = new Desk({ collar: 100_000 });
    const [, second] = pair(desk);
    desk.apply(limitOrder(ALICE, Side.buy, 2, 110, { selfTradePrevention: mode }));
    expect(changes(desk)).toContain(`${second!.id} ${ending}`);
  }
});

test('both end at their date', () => {
  const desk = new Desk({ collar: 100_000 });
  pair(desk, { expiresAt: desk.time + 10 });
  desk.wait(10);
  expect(changes(desk)).toHaveLength(2);
  expect(desk.balances(ALICE)).toBe('1000+0 100000+0');
});

function amend(desk: Desk, orderId: number, change: Partial<AmendOrder>): Outcome {
  const terms = { price: 0, amount: 0, triggerPrice: 0, ...change };
  const command = {
    kind: CommandKind.amendOrder,
    ...SYSTEM_ACTOR,
    account: ALICE,
    orderId,
    ...terms,
  };
  const outcome = desk.apply(command);
  auditState(desk.exchange.state);
  return outcome;
}

test('the prices of either change, and they stay a pair', () => {
  const desk = new Desk({ collar: 100_000 });
  const [first, second] = pair(desk);
  amend(desk, first!.id, { price: 112 });
  expect(desk.book()).toBe('| 5@112');
  amend(desk, second!.id, { triggerPrice: 88 });
  expect(desk.entries()).toEqual([]);
  desk.buy(BOB, 1, 112);
  expect(changes(desk)).toContain(`${second!.id} ${OrderStatus.canceled} ${linked}`);
});

test('the one that needs more holds for both, whichever it has become', () => {
  const desk = new Desk({ collar: 100_000 });
  const [first, second] = pair(desk, {
    side: Side.buy,
    takeProfit: { price: 0, triggerPrice: 50 },
    stopLoss: { price: 0, triggerPrice: 120 },
  });
  expect(desk.balances(ALICE)).toBe('1000+0 99340+660');
  // With the collar 154 for each, before that 132.
  amend(desk, second!.id, { triggerPrice: 140 });
  expect(desk.entries()).toEqual([`${ALICE} hold 1 -110`]);
  expect(desk.balances(ALICE)).toBe('1000+0 99230+770');
  amend(desk, second!.id, { triggerPrice: 101 });
  expect(desk.balances(ALICE)).toBe('1000+0 99445+555');
  amend(desk, first!.id, { triggerPrice: 99 });
  expect(desk.balances(ALICE)).toBe('1000+0 99445+555');
  desk.cancel(ALICE, first!.id);
  expect(desk.balances(ALICE)).toBe('1000+0 100000+0');
});

test('where the holder changes the hold goes over whole', () => {
  const desk = new Desk({ collar: 100_000 });
  const [first, second] = pair(desk, {
    side: Side.buy,
    takeProfit: { price: 150, triggerPrice: 90 },
    stopLoss: { price: 160, triggerPrice: 120 },
  });
  amend(desk, first!.id, { price: 170 });
  expect(desk.entries()).toEqual([`${ALICE} release 1 800`, `${ALICE} hold 1 -850`]);
  desk.transfer(ALICE, USDT, -99_150, 'rest');
  const refused = amend(desk, second!.id, { price: 171 });
  expect(refused).toMatchObject({ code: RejectionCode.insufficientBalance, required: 5 });
});

test.each([
  [{ amount: 4 }, RejectionCode.notAmendable],
  [{ amount: 6, price: 111 }, RejectionCode.notAmendable],
  [{ triggerPrice: 111 }, RejectionCode.waitsForNoTrigger],
  [{ price: 100 }, RejectionCode.postOnlyWouldTake],
  [{ price: 1 }, RejectionCode.minNotional],
])('refused of a take profit that rests: %j', (change, code) => {
  const desk = new Desk({ collar: 100_000 });
  const [first] = pair(desk);
  desk.buy(BOB, 1, 100);
  const { digest } = desk.exchange.state;
  expect(amend(desk, first!.id, change)).toMatchObject({ kind: 'rejected', code });
  expect(desk.exchange.state.digest).toBe(digest);
});

test('a pair outlives a snapshot', () => {
  const desk = new Desk({ collar: 100_000 });
  const [first, second] = pair(desk);
  const restored = readSnapshot(writeSnapshot(desk.exchange));
  expect(restored.state.digest).toBe(desk.exchange.state.digest);
  auditState(restored.state);
  restored.apply({ kind: CommandKind.cancelOrder, account: ALICE, key: -1, orderId: first!.id }, 0);
  expect(restored.state.openOrder(second!.id)).toBeUndefined();
  expect(summary(desk.cancel(ALICE, second!.id))).toBe('canceled 0/5');
});

test('the same again under one client order id is the first pair, another is refused', () => {
  const desk = new Desk();
  const terms = { ...PAIR, clientOrderId: 'mine' };
  const [{ id: orderId }] = pair(desk, terms) as [OrderRecord];
  const digest = () => desk.exchange.state.digest;
  const before = digest();
  expect(desk.apply(terms)).toEqual({ kind: 'repeated', orderId });
  const code = RejectionCode.duplicateClientOrderId;
  expect(desk.apply({ ...terms, amount: 4 })).toEqual({ kind: 'rejected', code });
  expect(digest()).toBe(before);
});
