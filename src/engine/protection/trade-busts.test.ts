import { describe, expect, test } from 'bun:test';
import { ALICE, BOB, BTC, CAROL, Fixture, trades, USDT } from '../../../test/fixture.ts';
import { auditState } from '../audit/audit.ts';
import { type BustTrade, CommandKind, SYSTEM_ACTOR, type TradeTerms } from '../command.ts';
import type { TradeEvent } from '../event.ts';
import { RejectionCode } from '../rejection.ts';
import { readSnapshot, writeSnapshot } from '../snapshot/snapshot.ts';
import { MarketStatus, NONE } from '../terms.ts';

/** Fees of 10 %, so that those of small trades are not all 1. */
const FEES = { makerFee: 100_000, takerFee: 100_000 };

function toTerms({ makerFee, takerFee, ...trade }: TradeEvent): TradeTerms {
  return { ...trade, makerFeePaid: makerFee, takerFeePaid: takerFee };
}

function bust(fixture: Fixture, trade: TradeTerms, terms: Partial<BustTrade> = {}) {
  const kind = CommandKind.bustTrade;
  return fixture.apply({ kind, ...SYSTEM_ACTOR, trade, reason: 'fat finger', ...terms });
}

/** Alice buys 20 BTC of Bob at 100. */
function traded(): { fixture: Fixture; trade: TradeTerms } {
  const fixture = new Fixture(FEES);
  fixture.sell(BOB, 20, 100);
  fixture.buy(ALICE, 20, 100);
  return { fixture, trade: toTerms(trades(fixture.events)[0]!) };
}

const state = ({ exchange }: Fixture) => exchange.state;

describe('a bust', () => {
  test('gives both sides back what they gave, with the fees', () => {
    const { fixture, trade } = traded();
    expect([fixture.balances(ALICE), fixture.balances(BOB)]).toEqual([
      '1018+0 98000+0',
      '980+0 101800+0',
    ]);
    expect(bust(fixture, trade)).toEqual({ kind: 'done' });
    expect(fixture.entries()).toEqual([
      `${BOB} trade_bust ${BTC} 20`,
      `${BOB} trade_bust_fee ${USDT} 200`,
      `${ALICE} trade_bust ${USDT} 2000`,
      `${ALICE} trade_bust_fee ${BTC} 2`,
      `${BOB} trade_bust ${USDT} -2000`,
      `${ALICE} trade_bust ${BTC} -20`,
    ]);
    expect([fixture.balances(ALICE), fixture.balances(BOB)]).toEqual([
      '1000+0 100000+0',
      '1000+0 100000+0',
    ]);
    const { ledger, accounts } = state(fixture);
    expect([ledger.fees[BTC], ledger.fees[USDT]]).toEqual([0, 0]);
    expect(ledger.totals(accounts, BTC)).toMatchObject({ available: 3000, external: -3000 });
    auditState(state(fixture));
  });

  test('takes the rebate of the maker back, from which the fee of the taker is returned', () => {
    const fixture = new Fixture({ makerFee: -50_000, takerFee: 100_000 });
    fixture.sell(BOB, 20, 100);
    fixture.buy(ALICE, 20, 100);
    const trade = toTerms(trades(fixture.events)[0]!);
    expect(trade.makerFeePaid).toBe(-1);
    const { ledger } = state(fixture);
    const fees = ledger.fees[BTC];
    ledger.fees[BTC] = 0;
    expect(bust(fixture, trade)).toMatchObject({
      code: RejectionCode.insufficientBalance,
      ...{ rule: 'fees', asset: BTC, required: 2, available: 1 },
    });
    ledger.fees[BTC] = fees!;
    expect(bust(fixture, trade)).toEqual({ kind: 'done' });
    expect(fixture.entries()).toContain(`${BOB} trade_bust_fee ${BTC} -1`);
    expect([fixture.balances(ALICE), fixture.balances(BOB)]).toEqual([
      '1000+0 100000+0',
      '1000+0 100000+0',
    ]);
    expect(ledger.fees[BTC]).toBe(0);
    auditState(state(fixture));
  });

  test('happens once per trade, also after a snapshot', () => {
    const { fixture, trade } = traded();
    bust(fixture, trade);
    const expected = { code: RejectionCode.alreadyBusted };
    expect(bust(fixture, trade)).toMatchObject(expected);
    const restored = readSnapshot(writeSnapshot(fixture.exchange).slice());
    expect(restored.state.digest).toBe(state(fixture).digest);
    auditState(restored.state);
    const command = { kind: CommandKind.bustTrade, ...SYSTEM_ACTOR, trade, reason: 'x' } as const;
    expect(restored.apply(command, fixture.time)).toMatchObject(expected);
    expect(restored.state.markets[0]!.busts.get(trade.id)).toBe(fixture.time);
  });

  test('is rejected as long as a side no longer has what it received', () => {
    const { fixture, trade } = traded();
    // What is held does not count: the operator cancels the orders first.
    fixture.sell(ALICE, 1001, 500);
    const { digest } = state(fixture);
    expect(bust(fixture, trade)).toMatchObject({
      code: RejectionCode.insufficientBalance,
      ...{ rule: 'taker', asset: BTC, required: 18, available: 17 },
    });
    expect(state(fixture).digest).toBe(digest);
    fixture.transfer(ALICE, BTC, 1);
    expect(bust(fixture, trade).kind).toBe('done');
    auditState(state(fixture));
  });

  test('reverses a trade of an auction between orders of one account', () => {
    const fixture = new Fixture(FEES);
    fixture.setStatus(MarketStatus.auction);
    fixture.sell(ALICE, 1000, 100);
    fixture.buy(ALICE, 900, 100);
    fixture.setStatus(MarketStatus.online);
    const [event] = trades(fixture.events);
    expect(event).toMatchObject({ makerAccount: ALICE, takerAccount: ALICE, amount: 900 });
    fixture.transfer(ALICE, USDT, -state(fixture).accounts[ALICE]!.available(USDT), 'away');
    expect(bust(fixture, toTerms(event!)).kind).toBe('done');
    expect(fixture.balances(ALICE)).toBe('900+100 9000+0');
    auditState(state(fixture));
  });

  test('needs a trade, its market and accounts, a reason and engine version 2', () => {
    const { fixture, trade } = traded();
    const code = (terms: Partial<TradeTerms>, reason = 'x') => {
      const outcome = bust(fixture, { ...trade, ...terms }, { reason });
      return outcome.kind === 'rejected' ? outcome.code : undefined;
    };
    const { unknownTrade, unknownMarket, unknownAccount, invalidRules } = RejectionCode;
    for (const id of [0, -1, 2, Number.NaN]) expect(code({ id })).toBe(unknownTrade);
    for (const terms of [{ price: 0 }, { amount: 0 }, { makerFeePaid: 2001 }, { takerFeePaid: 21 }])
      expect(code(terms)).toBe(unknownTrade);
    expect(code({ market: 1 })).toBe(unknownMarket);
    for (const terms of [{ makerAccount: 3 }, { takerAccount: 3 }]) {
      expect(code(terms)).toBe(unknownAccount);
    }
    for (const reason of ['', ' ', 'x'.repeat(201)]) expect(code({}, reason)).toBe(invalidRules);
    expect(bust(new Fixture({}, 1), trade)).toMatchObject({ code: invalidRules });
    auditState(state(fixture));
  });

  test('always needs a second operator', () => {
    const { fixture, trade } = traded();
    const byOne = { account: CAROL, key: NONE };
    expect(bust(fixture, trade, byOne)).toMatchObject({ code: RejectionCode.needsApproval });
    const command = { kind: CommandKind.bustTrade, ...byOne, trade, reason: 'x' } as const;
    const request = { kind: CommandKind.requestApproval, ...byOne, user: '', reason: 'x' } as const;
    for (const _ of ['first', 'second']) {
      expect(fixture.apply({ ...request, command }).kind).toBe('approval');
    }
    const approve = { kind: CommandKind.approve, user: '', key: NONE } as const;
    const own = fixture.apply({ ...approve, account: CAROL, id: 1 });
    expect(own).toMatchObject({ code: RejectionCode.ownApproval });
    expect(fixture.apply({ ...approve, account: BOB, id: 1 })).toMatchObject({
      approval: { status: 'approved' },
      outcome: { kind: 'done' },
    });
    const again = fixture.apply({ ...approve, account: BOB, id: 2 });
    expect(again).toMatchObject({ code: RejectionCode.alreadyBusted });
    expect(fixture.balances(ALICE)).toBe('1000+0 100000+0');
  });
});
