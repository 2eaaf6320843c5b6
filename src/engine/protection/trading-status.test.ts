import { describe, expect, test } from 'bun:test';
import { ALICE, BOB, Fixture, trades } from '../../../test/fixture.ts';
import { auditState } from '../audit/audit.ts';
import { CommandKind, SYSTEM_ACTOR } from '../command.ts';
import { MAX_MAINTENANCE, PORTION } from '../limits.ts';
import { RejectionCode } from '../rejection.ts';
import { readSnapshot, writeSnapshot } from '../snapshot/snapshot.ts';
import { MarketStatus, OrderReason } from '../terms.ts';

const { online, cancelOnly, halted, postOnly } = MarketStatus;

function setTrading(fixture: Fixture, status: number, cancelOrders = false, reason = 'outage') {
  const kind = CommandKind.setTradingStatus;
  return fixture.apply({ kind, ...SYSTEM_ACTOR, status, reason, cancelOrders });
}

function schedule(fixture: Fixture, startsInMs: number, lastsMs: number, mode: number = halted) {
  const from = fixture.time + startsInMs;
  const terms = { from, to: from + lastsMs, mode, message: 'new disks' };
  return fixture.apply({ kind: CommandKind.scheduleMaintenance, ...SYSTEM_ACTOR, ...terms });
}

function tick(fixture: Fixture, waitMs: number): void {
  fixture.wait(waitMs);
  fixture.apply({ kind: CommandKind.tick });
}

/** Returns the rejection code of an order of Alice, or undefined if it is placed. */
function rejectionOfOrder(fixture: Fixture): number | undefined {
  const outcome = fixture.buy(ALICE, 1, 100);
  return outcome.kind === 'rejected' ? outcome.code : undefined;
}

const market = (fixture: Fixture) => fixture.exchange.state.markets[0]!;

describe('the kill switch', () => {
  test('rejects orders in every market, and its release restores the status of each', () => {
    const fixture = new Fixture();
    fixture.apply({
      kind: CommandKind.setMarketStatus,
      ...SYSTEM_ACTOR,
      market: 0,
      status: postOnly,
    });
    for (const status of [halted, cancelOnly]) {
      expect(setTrading(fixture, status).kind).toBe('done');
      expect(rejectionOfOrder(fixture)).toBe(RejectionCode.marketUnavailable);
      expect([market(fixture).status, market(fixture).currentStatus]).toEqual([postOnly, status]);
    }
    setTrading(fixture, online);
    expect(market(fixture).currentStatus).toBe(postOnly);
    auditState(fixture.exchange.state);
  });

  test('leaves resting orders in the book, which can be canceled', () => {
    const fixture = new Fixture();
    const outcome = fixture.sell(BOB, 2, 100);
    setTrading(fixture, halted);
    expect(market(fixture).openOrders).toBe(1);
    if (outcome.kind !== 'order') throw new Error(outcome.kind);
    expect(fixture.cancel(BOB, outcome.order.id).kind).toBe('order');
  });

  test('keeps a stricter status of a market', () => {
    const fixture = new Fixture();
    fixture.setStatus(halted);
    setTrading(fixture, cancelOnly);
    expect(market(fixture).currentStatus).toBe(halted);
  });

  test('cancels all orders in portions, and is not released before the last one', () => {
    const fixture = new Fixture();
    const count = PORTION.ends + 5;
    for (let placed = 0; placed < count; placed++) fixture.sell(BOB, 1, 100);
    setTrading(fixture, halted, true);
    const [ended] = fixture.events.filter((event) => event.kind === 'order');
    expect(ended?.reason).toBe(OrderReason.operator);
    expect(market(fixture).openOrders).toBeGreaterThan(0);
    expect(setTrading(fixture, online)).toMatchObject({
      code: RejectionCode.cancellationInProgress,
    });
    while (market(fixture).openOrders > 0) tick(fixture, 1);
    expect(setTrading(fixture, online).kind).toBe('done');
    expect(
      fixture.exchange.state.accounts[BOB]!.balances.every((each) => !each || each.held === 0),
    ).toBe(true);
    auditState(fixture.exchange.state);
  });

  test('stays in force over a snapshot, also in markets that are listed later', () => {
    const fixture = new Fixture();
    setTrading(fixture, cancelOnly);
    schedule(fixture, 10, 20);
    const { state } = readSnapshot(writeSnapshot(fixture.exchange).slice());
    expect(state.digest).toBe(fixture.exchange.state.digest);
    expect(state.markets[0]!.currentStatus).toBe(cancelOnly);
    expect(state.parts.tradingStatus.maintenance.length).toBe(1);
    const listing = { ...market(fixture).rules, symbol: 'USDT/BTC', base: 'USDT', quote: 'BTC' };
    fixture.apply({ kind: CommandKind.listMarket, ...SYSTEM_ACTOR, ...listing });
    expect(fixture.exchange.state.markets.map((each) => each.currentStatus)).toContain(cancelOnly);
    auditState(fixture.exchange.state);
  });

  test('needs a status, a reason and engine version 2', () => {
    const expected = { kind: 'rejected', code: RejectionCode.invalidRules };
    const broken: readonly [number, boolean, string][] = [
      [postOnly, false, 'x'],
      [online, true, 'x'],
      [halted, false, ' '],
      [halted, false, 'x'.repeat(201)],
    ];
    for (const terms of broken) {
      expect(setTrading(new Fixture(), ...terms)).toMatchObject(expected);
    }
    expect(setTrading(new Fixture({}, 1), halted)).toMatchObject(expected);
  });
});

describe('an auction', () => {
  function fixtureInCall(): Fixture {
    const fixture = new Fixture({ auctionMs: 10 });
    fixture.setStatus(MarketStatus.auction);
    fixture.sell(BOB, 1, 90);
    fixture.buy(ALICE, 1, 100);
    return fixture;
  }

  test('that would end while trading is halted ends once it resumes', () => {
    const fixture = fixtureInCall();
    setTrading(fixture, halted);
    tick(fixture, 20);
    expect(market(fixture).status).toBe(MarketStatus.auction);
    expect(fixture.exchange.nextDueTime).toBe(Number.POSITIVE_INFINITY);
    setTrading(fixture, online);
    tick(fixture, 1);
    expect(market(fixture).status).toBe(online);
    expect(market(fixture).openOrders).toBe(0);
  });

  test('is not ended by an operator while trading is halted', () => {
    const fixture = fixtureInCall();
    setTrading(fixture, halted);
    const status = { kind: CommandKind.setMarketStatus, ...SYSTEM_ACTOR, market: 0 } as const;
    const outcome = fixture.apply({ ...status, status: online });
    expect(outcome).toMatchObject({ code: RejectionCode.invalidRules });
    expect(fixture.apply({ ...status, status: cancelOnly }).kind).toBe('market');
    expect(trades(fixture.events)).toEqual([]);
  });
});

describe('a maintenance', () => {
  test('starts and ends by itself', () => {
    const fixture = new Fixture();
    schedule(fixture, 10, 20, cancelOnly);
    expect(fixture.exchange.nextDueTime).toBe(fixture.time + 10);
    tick(fixture, 9);
    expect(rejectionOfOrder(fixture)).toBeUndefined();
    tick(fixture, 1);
    expect(rejectionOfOrder(fixture)).toBe(RejectionCode.marketUnavailable);
    tick(fixture, 19);
    expect(rejectionOfOrder(fixture)).toBe(RejectionCode.marketUnavailable);
    tick(fixture, 1);
    expect(rejectionOfOrder(fixture)).toBeUndefined();
    expect(fixture.exchange.state.parts.tradingStatus.maintenance).toEqual([]);
    auditState(fixture.exchange.state);
  });

  test('that passed while the exchange was down starts and ends at once', () => {
    const fixture = new Fixture();
    schedule(fixture, 10, 20);
    schedule(fixture, 50, 20);
    tick(fixture, 60);
    const { maintenance, status } = fixture.exchange.state.parts.tradingStatus;
    expect(maintenance.length).toBe(1);
    expect(status).toBe(halted);
  });

  test('does not release the kill switch', () => {
    const fixture = new Fixture();
    schedule(fixture, 0, 20, halted);
    setTrading(fixture, cancelOnly);
    expect(market(fixture).currentStatus).toBe(halted);
    tick(fixture, 20);
    expect(market(fixture).currentStatus).toBe(cancelOnly);
    setTrading(fixture, online);
    expect(trades(fixture.events)).toEqual([]);
    expect(rejectionOfOrder(fixture)).toBeUndefined();
  });

  test('is replaced by one with the same start, and may overlap no other', () => {
    const fixture = new Fixture();
    schedule(fixture, 10, 20);
    expect(schedule(fixture, 10, 40).kind).toBe('done');
    expect(schedule(fixture, 49, 5)).toMatchObject({ code: RejectionCode.invalidRules });
    expect(schedule(fixture, 50, 5).kind).toBe('done');
    expect(schedule(fixture, -9, 9)).toMatchObject({ code: RejectionCode.invalidRules });
    expect(fixture.exchange.state.parts.tradingStatus.maintenance.length).toBe(2);
  });

  test('is withdrawn, or ended early, by its start', () => {
    const fixture = new Fixture();
    schedule(fixture, 0, 20);
    const cancel = { kind: CommandKind.cancelMaintenance, ...SYSTEM_ACTOR, from: fixture.time };
    expect(rejectionOfOrder(fixture)).toBe(RejectionCode.marketUnavailable);
    expect(fixture.apply(cancel).kind).toBe('done');
    expect(rejectionOfOrder(fixture)).toBeUndefined();
    expect(fixture.apply(cancel)).toMatchObject({ code: RejectionCode.unknownMaintenance });
  });

  test('has a maximum number of periods', () => {
    const fixture = new Fixture();
    for (let count = 0; count < MAX_MAINTENANCE; count++) schedule(fixture, 10 + count, 1);
    expect(schedule(fixture, 5, 1)).toMatchObject({ code: RejectionCode.limitReached });
  });
});
