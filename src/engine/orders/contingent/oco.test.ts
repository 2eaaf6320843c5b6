import { expect, test } from 'bun:test';
import { ALICE, BOB, CAROL, Fixture, limitOrder, summary, USDT } from '../../../../test/fixture.ts';
import { auditState } from '../../audit/audit.ts';
import { type AmendOrder, CommandKind, type PlaceOco, SYSTEM_ACTOR } from '../../command.ts';
import type { OrderRecord, Outcome } from '../../event.ts';
import { RejectionCode } from '../../rejection.ts';
import { readSnapshot, writeSnapshot } from '../../snapshot/snapshot.ts';
import { OrderReason, OrderStatus, SelfTradePrevention, Side, TimeInForce } from '../../terms.ts';

const { linked, selfTrade } = OrderReason;

/**
 * An OCO order of Alice that sells 5 at a last price of 100: a take profit that rests at 110 and a
 * stop at 90.
 */
const OCO: PlaceOco = {
  kind: CommandKind.placeOco,
  account: ALICE,
  key: -1,
  market: 0,
  side: Side.sell,
  amount: 5,
  takeProfit: { price: 110, triggerPrice: 0 },
  stopLoss: { price: 0, triggerPrice: 90 },
  selfTradePrevention: SelfTradePrevention.expireMaker,
  expiresAt: 0,
  clientOrderId: null,
};

function placeOco(fixture: Fixture, terms: Partial<PlaceOco> = {}): OrderRecord[] {
  const outcome = fixture.apply({ ...OCO, ...terms });
  if (outcome.kind !== 'oco') throw new Error(`expected an OCO order, not ${outcome.kind}`);
  auditState(fixture.exchange.state);
  return [...outcome.orders];
}

/** Returns `id status reason` of each order that the last command changed. */
function changes(fixture: Fixture): string[] {
  auditState(fixture.exchange.state);
  return fixture.events.flatMap((event) =>
    event.kind === 'order' && event.account === ALICE
      ? `${event.id} ${event.status} ${event.reason}`
      : [],
  );
}

test('a partial fill of one leg cancels the other before the trade', () => {
  const fixture = new Fixture({ collar: 100_000 });
  const [first, second] = placeOco(fixture);
  fixture.buy(BOB, 2, 110);
  expect(changes(fixture)).toEqual([
    `${second!.id} ${OrderStatus.canceled} ${linked}`,
    `${first!.id} ${OrderStatus.open} ${OrderReason.none}`,
  ]);
  expect(fixture.balances(ALICE)).toBe('995+3 100220+0');
});

test('each leg names the other one, also after that has ended and when it trades', () => {
  const fixture = new Fixture({ collar: 100_000 });
  const [first, second] = placeOco(fixture);
  expect([first!.ocoId, second!.ocoId]).toEqual([second!.id, first!.id]);
  fixture.buy(BOB, 9, 90);
  fixture.sell(CAROL, 2, 90);
  const { events } = fixture;
  const named = events.filter((event) => event.kind === 'order' && event.account === ALICE);
  const pairs = named.map((event) => [(event as OrderRecord).id, (event as OrderRecord).ocoId]);
  expect(pairs).toHaveLength(2);
  const [a, b] = [first!.id, second!.id];
  for (const [id, ocoId] of pairs) expect(ocoId).toBe(id === a ? b : a);
  const alone = placeOco(new Fixture({}, 1));
  expect(alone.map(({ ocoId }) => ocoId)).toEqual([undefined, undefined]);
});

test('an OCO order holds the larger need of its legs, and a fill of the smaller keeps the hold it needs', () => {
  const fixture = new Fixture({ collar: 100_000 });
  placeOco(fixture, {
    side: Side.buy,
    takeProfit: { price: 90, triggerPrice: 0 },
    stopLoss: { price: 0, triggerPrice: 120 },
  });
  // 5 at 120 plus 10 %.
  expect(fixture.balances(ALICE)).toBe('1000+0 99340+660');
  fixture.sell(BOB, 2, 90);
  auditState(fixture.exchange.state);
  expect(fixture.balances(ALICE)).toBe('1002+0 99550+270');
});

test('a trade that triggers one leg and fills the other ends only one', () => {
  const fixture = new Fixture({ collar: 500_000 });
  const [, second] = placeOco(fixture, { takeProfit: { price: 0, triggerPrice: 110 } });
  fixture.buy(BOB, 9, 80);
  fixture.sell(BOB, 1, 110);
  fixture.buy(CAROL, 1, 110, { timeInForce: TimeInForce.ioc });
  expect(changes(fixture)[0]).toBe(`${second!.id} ${OrderStatus.canceled} ${linked}`);
  expect(fixture.trades()).toBe('1@110 5@80');
  expect(fixture.exchange.state.links.size).toBe(0);
});

test('self-trade prevention that ends one leg ends both; if it reduces one, the other is canceled', () => {
  for (const [mode, ending] of [
    [SelfTradePrevention.expireMaker, `${OrderStatus.expired} ${selfTrade}`],
    [SelfTradePrevention.decrement, `${OrderStatus.canceled} ${linked}`],
  ] as const) {
    const fixture = new Fixture({ collar: 100_000 });
    const [, second] = placeOco(fixture);
    fixture.apply(limitOrder(ALICE, Side.buy, 2, 110, { selfTradePrevention: mode }));
    expect(changes(fixture)).toContain(`${second!.id} ${ending}`);
  }
});

test('both legs expire', () => {
  const fixture = new Fixture({ collar: 100_000 });
  placeOco(fixture, { expiresAt: fixture.time + 10 });
  fixture.wait(10);
  expect(changes(fixture)).toHaveLength(2);
  expect(fixture.balances(ALICE)).toBe('1000+0 100000+0');
});

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

test('the prices of both legs can change, and the legs stay linked', () => {
  const fixture = new Fixture({ collar: 100_000 });
  const [first, second] = placeOco(fixture);
  amend(fixture, first!.id, { price: 112 });
  expect(fixture.book()).toBe('| 5@112');
  amend(fixture, second!.id, { triggerPrice: 88 });
  expect(fixture.entries()).toEqual([]);
  fixture.buy(BOB, 1, 112);
  expect(changes(fixture)).toContain(`${second!.id} ${OrderStatus.canceled} ${linked}`);
});

test('the leg that needs more holds for both, also after amendments', () => {
  const fixture = new Fixture({ collar: 100_000 });
  const [first, second] = placeOco(fixture, {
    side: Side.buy,
    takeProfit: { price: 0, triggerPrice: 50 },
    stopLoss: { price: 0, triggerPrice: 120 },
  });
  expect(fixture.balances(ALICE)).toBe('1000+0 99340+660');
  // With the collar 154 per unit, before that 132.
  amend(fixture, second!.id, { triggerPrice: 140 });
  expect(fixture.entries()).toEqual([`${ALICE} hold 1 -110`]);
  expect(fixture.balances(ALICE)).toBe('1000+0 99230+770');
  amend(fixture, second!.id, { triggerPrice: 101 });
  expect(fixture.balances(ALICE)).toBe('1000+0 99445+555');
  amend(fixture, first!.id, { triggerPrice: 99 });
  expect(fixture.balances(ALICE)).toBe('1000+0 99445+555');
  fixture.cancel(ALICE, first!.id);
  expect(fixture.balances(ALICE)).toBe('1000+0 100000+0');
});

test('the whole hold moves to the other leg if that one holds for both', () => {
  const fixture = new Fixture({ collar: 100_000 });
  const [first, second] = placeOco(fixture, {
    side: Side.buy,
    takeProfit: { price: 150, triggerPrice: 90 },
    stopLoss: { price: 160, triggerPrice: 120 },
  });
  amend(fixture, first!.id, { price: 170 });
  expect(fixture.entries()).toEqual([`${ALICE} release 1 800`, `${ALICE} hold 1 -850`]);
  fixture.transfer(ALICE, USDT, -99_150, 'rest');
  const rejection = amend(fixture, second!.id, { price: 171 });
  expect(rejection).toMatchObject({ code: RejectionCode.insufficientBalance, required: 5 });
});

test.each([
  [{ amount: 4 }, RejectionCode.notAmendable],
  [{ amount: 6, price: 111 }, RejectionCode.notAmendable],
  [{ triggerPrice: 111 }, RejectionCode.noPendingTrigger],
  [{ price: 100 }, RejectionCode.postOnlyWouldTake],
  [{ price: 1 }, RejectionCode.minNotional],
])('rejected for a resting take profit: %j', (change, code) => {
  const fixture = new Fixture({ collar: 100_000 });
  const [first] = placeOco(fixture);
  fixture.buy(BOB, 1, 100);
  const { digest } = fixture.exchange.state;
  expect(amend(fixture, first!.id, change)).toMatchObject({ kind: 'rejected', code });
  expect(fixture.exchange.state.digest).toBe(digest);
});

test('an OCO order survives a snapshot', () => {
  const fixture = new Fixture({ collar: 100_000 });
  const [first, second] = placeOco(fixture);
  const restored = readSnapshot(writeSnapshot(fixture.exchange));
  expect(restored.state.digest).toBe(fixture.exchange.state.digest);
  auditState(restored.state);
  restored.apply({ kind: CommandKind.cancelOrder, account: ALICE, key: -1, orderId: first!.id }, 0);
  expect(restored.state.openOrder(second!.id)).toBeUndefined();
  expect(summary(fixture.cancel(ALICE, second!.id))).toBe('canceled 0/5');
});

test('repeating a client order id returns the first OCO order, different terms are rejected', () => {
  const fixture = new Fixture();
  const terms = { ...OCO, clientOrderId: 'mine' };
  const [{ id: orderId }] = placeOco(fixture, terms) as [OrderRecord];
  const digest = () => fixture.exchange.state.digest;
  const before = digest();
  expect(fixture.apply(terms)).toEqual({ kind: 'repeated', orderId });
  const code = RejectionCode.duplicateClientOrderId;
  expect(fixture.apply({ ...terms, amount: 4 })).toEqual({ kind: 'rejected', code });
  expect(digest()).toBe(before);
});
