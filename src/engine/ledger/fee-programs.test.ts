import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { check } from '../../../test/check.ts';
import { ALICE, BOB, BTC, CAROL, Fixture, trades, USDT } from '../../../test/fixture.ts';
import { auditAssets, auditState } from '../audit/audit.ts';
import { CommandKind, SYSTEM_ACTOR } from '../command.ts';
import { type Exact, exact } from '../numbers/exact.ts';
import { RejectionCode } from '../rejection.ts';
import { readSnapshot, writeSnapshot } from '../snapshot/snapshot.ts';
import { MarketStatus, Side } from '../terms.ts';
import { takeShare } from './ledger.ts';

function setShare(fixture: Fixture, share: number) {
  return fixture.apply({ kind: CommandKind.setReferralShare, ...SYSTEM_ACTOR, share });
}

function refer(fixture: Fixture, owner: number, referrer: number) {
  return fixture.apply({ kind: CommandKind.setReferrer, ...SYSTEM_ACTOR, owner, referrer });
}

function setDiscount(fixture: Fixture, asset: number, minBalance: Exact, rate: number) {
  const kind = CommandKind.setFeeDiscount;
  return fixture.apply({ kind, ...SYSTEM_ACTOR, asset, minBalance, rate });
}

function setRates(fixture: Fixture, rules: { makerFee?: number; takerFee?: number }) {
  return fixture.apply({ kind: CommandKind.changeMarketRules, ...SYSTEM_ACTOR, market: 0, rules });
}

/** Adds an asset of which Alice owns 10. */
function addToken(fixture: Fixture): number {
  const names = { asset: 'TOKEN', name: 'TOKEN', decimals: 0 };
  fixture.apply({ kind: CommandKind.createAsset, ...SYSTEM_ACTOR, ...names });
  fixture.transfer(ALICE, 2, 10);
  return 2;
}

describe('a rebate', () => {
  test('is paid in the asset of the fee that pays it, rounded down', () => {
    const fixture = new Fixture({ makerFee: -15_000, takerFee: 20_000 });
    fixture.sell(ALICE, 3, 110);
    fixture.buy(BOB, 130, 110, {});
    // The taker buys 3 BTC: its fee of 2 % is 0.06, rounded up; the rebate of 1.5 % is 0.045, rounded down.
    expect(fixture.entries().slice(0, 6)).toEqual([
      '0 release 0 3',
      '0 trade 0 -3',
      '0 trade 1 330',
      '1 trade 1 -330',
      '1 trade 0 3',
      '1 fee 0 -1',
    ]);
    fixture.sell(CAROL, 100, 110);
    // The taker sells 100 BTC for 11,000: its fee is 220, of which the maker receives 165.
    expect(trades(fixture.events)[0]).toMatchObject({ makerFee: -165, takerFee: 220 });
    expect(fixture.entries().slice(0, 7)).toEqual([
      '1 release 1 11000',
      '1 trade 1 -11000',
      '1 trade 0 100',
      '1 rebate 1 165',
      '2 trade 0 -100',
      '2 trade 1 11000',
      '2 fee 1 -220',
    ]);
    expect(fixture.exchange.state.ledger.fees).toEqual([1, 55]);
    auditState(fixture.exchange.state);
  });

  test('is not among the fees of its order', () => {
    const fixture = new Fixture({ makerFee: -10_000, takerFee: 20_000 });
    fixture.buy(ALICE, 100, 100);
    fixture.sell(BOB, 100, 100);
    const orders = fixture.events.filter((event) => event.kind === 'order');
    expect(orders.map(({ account, fees }) => [account, fees])).toEqual([
      [ALICE, 0],
      [BOB, 200],
    ]);
  });

  test('is not paid by an auction, where no order takes', () => {
    const fixture = new Fixture({ makerFee: -10_000, takerFee: 20_000 });
    fixture.setStatus(MarketStatus.auction);
    fixture.buy(ALICE, 100, 100);
    fixture.sell(BOB, 100, 100);
    fixture.setStatus(MarketStatus.online);
    expect(trades(fixture.events)[0]).toMatchObject({ makerFee: 0, takerFee: 0, isAuction: true });
  });

  test('needs engine version 2', () => {
    const fixture = new Fixture({ takerFee: 20_000 }, 1);
    const tiers = [{ minVolume: 1, makerFee: -1, takerFee: 1 }];
    const table = { ...SYSTEM_ACTOR, asset: USDT, tiers };
    const rule = 'fees must be from 0 to 0.1, with at most six decimals';
    const rejection = { code: RejectionCode.invalidRules, rule };
    expect(setRates(fixture, { makerFee: -1 })).toMatchObject(rejection);
    expect(fixture.apply({ kind: CommandKind.setFeeTiers, ...table })).toMatchObject(rejection);
    const code = RejectionCode.invalidRules;
    expect(setShare(fixture, 1)).toMatchObject({ code });
    expect(refer(fixture, BOB, ALICE)).toMatchObject({ code });
    expect(setDiscount(fixture, BTC, 1, 1)).toMatchObject({ code });
  });

  test('never exceeds the fee of any taker, whatever is changed last', () => {
    const fixture = new Fixture({ makerFee: -1_000, takerFee: 1_000 });
    const setTiers = (makerFee: number, takerFee: number) =>
      fixture.apply({
        kind: CommandKind.setFeeTiers,
        ...SYSTEM_ACTOR,
        asset: USDT,
        tiers: [{ minVolume: 1, makerFee, takerFee }],
      }).kind;
    const token = addToken(fixture);
    expect(setRates(fixture, { takerFee: 999 }).kind).toBe('rejected');
    expect(setRates(fixture, { makerFee: -1_001 }).kind).toBe('rejected');
    expect(setTiers(0, 999)).toBe('rejected');
    expect(setTiers(-1_001, 2_000)).toBe('rejected');
    // The lower of market and tier applies, so that this tier lets takers pay 1,000 as before.
    expect(setTiers(-1_000, 2_000)).toBe('done');
    expect(setDiscount(fixture, token, 1, 1_000).kind).toBe('rejected');
    expect(setRates(fixture, { makerFee: -500 }).kind).toBe('market');
    expect(setDiscount(fixture, token, 1, 1_000).kind).toBe('rejected');
    expect(setTiers(-500, 2_000)).toBe('done');
    expect(setDiscount(fixture, token, 1, 500_000).kind).toBe('done');
    expect(setRates(fixture, { takerFee: 999 }).kind).toBe('market');
    expect(setRates(fixture, { takerFee: 998 }).kind).toBe('rejected');
    auditState(fixture.exchange.state);
  });
});

describe('a referral', () => {
  test('pays the referrer a share of what the exchange keeps of both fees', () => {
    const fixture = new Fixture({ makerFee: 10_000, takerFee: 20_000 });
    setShare(fixture, 250_000);
    refer(fixture, BOB, ALICE);
    refer(fixture, CAROL, ALICE);
    fixture.buy(BOB, 500, 100);
    fixture.sell(CAROL, 500, 100);
    // The maker pays 5 BTC, the taker 1,000 USDT.
    expect(fixture.entries().slice(7)).toEqual(['0 referral 0 1', '0 referral 1 250']);
    expect(fixture.exchange.state.ledger.fees).toEqual([4, 750]);
    setRates(fixture, { makerFee: -20_000 });
    fixture.buy(BOB, 100, 100);
    fixture.sell(CAROL, 100, 100);
    // The whole fee of the taker is paid to the maker, so that nothing is left to share.
    expect(fixture.entries().filter((entry) => entry.includes('referral'))).toEqual([]);
    expect(fixture.exchange.state.ledger.fees).toEqual([4, 750]);
    auditState(fixture.exchange.state);
  });

  test('is made once, by an older account', () => {
    const fixture = new Fixture();
    const code = (owner: number, referrer: number) => {
      const { digest } = fixture.exchange.state;
      const outcome = refer(fixture, owner, referrer);
      if (outcome.kind !== 'rejected') return undefined;
      expect(fixture.exchange.state.digest).toBe(digest);
      return outcome.code;
    };
    const { referrerNotAllowed, alreadyReferred, unknownAccount } = RejectionCode;
    expect(code(BOB, BOB)).toBe(referrerNotAllowed);
    expect(code(ALICE, BOB)).toBe(referrerNotAllowed);
    expect(code(9, BOB)).toBe(unknownAccount);
    expect(code(BOB, 9)).toBe(unknownAccount);
    expect(code(CAROL, BOB)).toBeUndefined();
    expect(code(CAROL, BOB)).toBeUndefined();
    expect(code(CAROL, ALICE)).toBe(alreadyReferred);
    expect(code(BOB, CAROL)).toBe(referrerNotAllowed);
    expect(code(BOB, ALICE)).toBeUndefined();
  });

  test('has a share of at most the whole fee', () => {
    const fixture = new Fixture();
    expect(setShare(fixture, 1_000_001)).toMatchObject({ code: RejectionCode.invalidRules });
    expect(setShare(fixture, 1_000_000).kind).toBe('done');
  });
});

describe('a discount', () => {
  const rates = (fixture: Fixture, account: number) => {
    const { feeTiers, accounts, markets } = fixture.exchange.state;
    const terms = [accounts[account]!, markets[0]!, fixture.time] as const;
    return [
      feeTiers.makerFee(...terms),
      feeTiers.takerFee(...terms),
      feeTiers.takerFeeAfter(...terms, 1),
    ];
  };

  test('lowers the fees of accounts that own the asset, rounded up, and no rebates', () => {
    const fixture = new Fixture({ makerFee: -1, takerFee: 1_001 });
    const token = addToken(fixture);
    expect(setDiscount(fixture, token, 10, 250_000).kind).toBe('done');
    expect(rates(fixture, ALICE)).toEqual([-1, 751, 751]);
    expect(rates(fixture, BOB)).toEqual([-1, 1_001, 1_001]);
    fixture.transfer(ALICE, token, -1, 'back');
    expect(rates(fixture, ALICE)).toEqual([-1, 1_001, 1_001]);
    fixture.transfer(ALICE, token, 1, 'again');
    expect(setDiscount(fixture, token, 1, 0).kind).toBe('done');
    expect(rates(fixture, ALICE)).toEqual([-1, 1_001, 1_001]);
  });

  test('does not apply in markets of the asset itself', () => {
    for (const asset of [BTC, USDT]) {
      const fixture = new Fixture({ makerFee: 1_000, takerFee: 1_000 });
      expect(setDiscount(fixture, asset, 1, 250_000).kind).toBe('done');
      expect(rates(fixture, ALICE)).toEqual([1_000, 1_000, 1_000]);
    }
  });

  test.each<[string, number, Exact, number]>([
    ['of an unknown asset', 9, 1, 1],
    ['for nothing', BTC, 0, 1],
    ['for less than nothing', BTC, -1, 1],
    ['of more than the fee', BTC, 1, 1_000_001],
  ])('%s is rejected', (_, asset, minBalance, rate) => {
    expect(setDiscount(new Fixture(), asset, minBalance, rate).kind).toBe('rejected');
  });
});

test('rates, discounts and referrals are part of a snapshot and of the digest', () => {
  const fixture = new Fixture({ makerFee: -100, takerFee: 1_000 });
  const digests = new Set<number>();
  const note = () => digests.add(fixture.exchange.state.digest);
  note();
  setDiscount(fixture, addToken(fixture), 2n ** 80n, 250_000);
  note();
  setShare(fixture, 10);
  note();
  refer(fixture, CAROL, BOB);
  note();
  expect(digests.size).toBe(4);
  const bytes = writeSnapshot(fixture.exchange);
  const loaded = readSnapshot(bytes);
  expect(loaded.state.digest).toBe(fixture.exchange.state.digest);
  expect(writeSnapshot(loaded)).toEqual(bytes);
  expect(loaded.state.parts.feePrograms.findReferrer(CAROL)).toBe(BOB);
  expect(loaded.state.feeTiers.discount).toEqual({
    asset: 2,
    minBalance: 2n ** 80n,
    rate: 250_000,
  });
});

test('a share is exact and rounded down, whatever its size', () => {
  check(
    fc.property(
      fc.oneof(fc.maxSafeNat(), fc.bigInt({ min: 0n, max: 10n ** 40n })),
      fc.nat(1_000_000),
      (amount, rate) => {
        const expected = (BigInt(amount) * BigInt(rate)) / 1_000_000n;
        expect(takeShare(exact(amount), rate)).toBe(exact(expected));
      },
    ),
    1000,
  );
});

test('every fill adds to the fees of each asset or leaves them, and nothing is lost', () => {
  const order = fc.record({
    account: fc.constantFrom(ALICE, BOB, CAROL),
    side: fc.constantFrom(Side.buy, Side.sell),
    amount: fc.integer({ min: 1, max: 60 }),
    price: fc.integer({ min: 95, max: 105 }),
  });
  const terms = fc.record({
    takerFee: fc.nat(100_000),
    /** Part of the taker fee that makers receive, in parts per million. */
    rebate: fc.nat(1_000_000),
    share: fc.nat(1_000_000),
    orders: fc.array(order, { minLength: 10, maxLength: 60 }),
  });
  check(
    fc.property(terms, ({ takerFee, rebate, share, orders }) => {
      const makerFee = 0 - Math.floor((takerFee * rebate) / 1_000_000);
      const fixture = new Fixture({ makerFee, takerFee });
      setShare(fixture, share);
      refer(fixture, CAROL, BOB);
      refer(fixture, BOB, ALICE);
      const { state } = fixture.exchange;
      for (const { account, side, amount, price } of orders) {
        const before = [...state.ledger.fees];
        if (side === Side.buy) fixture.buy(account, amount, price);
        else fixture.sell(account, amount, price);
        state.ledger.fees.forEach((fees, asset) => {
          expect(fees >= before[asset]!).toBe(true);
        });
        for (const trade of trades(fixture.events)) {
          const isRebate = trade.makerFee <= 0;
          expect(isRebate && -trade.makerFee <= trade.takerFee).toBe(true);
        }
        expect(auditAssets(state).every(({ balances }) => balances)).toBe(true);
      }
      auditState(state);
    }),
    100,
  );
});
