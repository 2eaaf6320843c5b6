import { describe, expect, test } from 'bun:test';
import { ALICE, BOB, CAROL, Fixture, trades, USDT } from '../../../test/fixture.ts';
import { auditState } from '../audit/audit.ts';
import type { FeeTier } from '../command.ts';
import { CommandKind, SYSTEM_ACTOR } from '../command.ts';
import { MAX_FEE_TIERS } from '../limits.ts';
import { readSnapshot, writeSnapshot } from '../snapshot/snapshot.ts';
import { NONE } from '../terms.ts';

const DAY_MS = 86_400_000;
const TIERS: FeeTier[] = [
  { minVolume: 1_000, makerFee: 5_000, takerFee: 20_000 },
  { minVolume: 2_000, makerFee: 0, takerFee: 50_000 },
];

/** Returns an exchange where makers pay 1 % and takers 3 %, before any tier. */
function fixtureWithTiers(tiers = TIERS): Fixture {
  const fixture = new Fixture({ makerFee: 10_000, takerFee: 30_000 });
  fixture.apply({ kind: CommandKind.setFeeTiers, ...SYSTEM_ACTOR, asset: USDT, tiers });
  return fixture;
}

/** Lets Alice sell to Bob as the taker. @returns The fees of both. */
function trade(fixture: Fixture, amount: number): number[] {
  fixture.sell(ALICE, amount, 100);
  fixture.buy(BOB, amount, 100);
  auditState(fixture.exchange.state);
  return trades(fixture.events).flatMap(({ makerFee, takerFee }) => [
    Number(makerFee),
    Number(takerFee),
  ]);
}

function currentTier(fixture: Fixture, account: number, time = fixture.time): number {
  const { state } = fixture.exchange;
  return state.feeTiers.currentTier(state.accounts[account]!, time);
}

function setTier(fixture: Fixture, owner: number, tier: number): string {
  const outcome = fixture.apply({
    kind: CommandKind.setAccountFeeTier,
    ...SYSTEM_ACTOR,
    owner,
    tier,
  });
  return outcome.kind;
}

test('a tier applies to both sides from the trade after the one that reached it', () => {
  const fixture = fixtureWithTiers();
  expect([currentTier(fixture, ALICE), currentTier(fixture, BOB)]).toEqual([0, 0]);
  expect(trade(fixture, 100)).toEqual([100, 3]);
  expect([
    currentTier(fixture, ALICE),
    currentTier(fixture, BOB),
    currentTier(fixture, CAROL),
  ]).toEqual([2, 2, 0]);
});

test('fees are those of the tier, but never above those of the market', () => {
  const fixture = fixtureWithTiers();
  trade(fixture, 9);
  expect([currentTier(fixture, ALICE), ...trade(fixture, 100)]).toEqual([0, 100, 3]);
  // The taker rate of tier 2 is higher than that of the market, which applies.
  expect([currentTier(fixture, ALICE), ...trade(fixture, 100)]).toEqual([2, 0, 3]);
});

test('volume counts for thirty UTC days including today', () => {
  const fixture = fixtureWithTiers();
  fixture.time = 20_000 * DAY_MS + 23 * 3_600_000;
  trade(fixture, 10);
  fixture.time = 20_001 * DAY_MS;
  trade(fixture, 5);
  const { feeTiers } = fixture.exchange.state;
  const volumeOn = (day: number) => feeTiers.tradedVolume(BOB, day * DAY_MS);
  expect([volumeOn(20_001), feeTiers.tradedVolume(BOB, fixture.time + 1)]).toEqual([1_500, 1_500]);
  expect([volumeOn(20_029), volumeOn(20_030), volumeOn(20_031)]).toEqual([1_500, 500, 0]);
  expect(currentTier(fixture, BOB, 20_029 * DAY_MS)).toBe(1);
  expect(currentTier(fixture, BOB, 20_030 * DAY_MS)).toBe(0);
  fixture.time = 20_030 * DAY_MS;
  trade(fixture, 1);
  expect(volumeOn(20_030)).toBe(600);
});

test('a tier set by the operator overrides the volume', () => {
  const fixture = fixtureWithTiers();
  expect(setTier(fixture, ALICE, 2)).toBe('account');
  trade(fixture, 30);
  expect(setTier(fixture, BOB, 0)).toBe('account');
  expect([currentTier(fixture, ALICE), currentTier(fixture, BOB)]).toEqual([2, 0]);
  expect(setTier(fixture, ALICE, 3)).toBe('rejected');
  expect(setTier(fixture, 99, 1)).toBe('rejected');
  fixture.apply({
    kind: CommandKind.setFeeTiers,
    ...SYSTEM_ACTOR,
    asset: USDT,
    tiers: TIERS.slice(0, 1),
  });
  expect(currentTier(fixture, ALICE)).toBe(1);
  expect(setTier(fixture, BOB, NONE)).toBe('account');
  expect(currentTier(fixture, BOB)).toBe(1);
});

test('volume restarts in another asset; without a table nothing is counted', () => {
  const fixture = fixtureWithTiers();
  trade(fixture, 30);
  const set = (asset: number, tiers: FeeTier[]) =>
    fixture.apply({ kind: CommandKind.setFeeTiers, ...SYSTEM_ACTOR, asset, tiers }).kind;
  expect(set(USDT, [])).toBe('done');
  expect(currentTier(fixture, ALICE)).toBe(0);
  expect(set(USDT, TIERS)).toBe('done');
  expect(currentTier(fixture, ALICE)).toBe(2);
  expect(set(0, TIERS)).toBe('done');
  expect(set(USDT, TIERS)).toBe('done');
  expect(currentTier(fixture, ALICE)).toBe(0);
  const plain = new Fixture();
  trade(plain, 30);
  expect(plain.exchange.state.feeTiers.tradedVolume(ALICE, plain.time)).toBe(0);
});

test('is part of a snapshot', () => {
  const fixture = fixtureWithTiers();
  trade(fixture, 12);
  fixture.wait(DAY_MS);
  trade(fixture, 2);
  setTier(fixture, CAROL, 1);
  const exchange = readSnapshot(writeSnapshot(fixture.exchange));
  expect(exchange.state.digest).toBe(fixture.exchange.state.digest);
  expect(writeSnapshot(exchange)).toEqual(writeSnapshot(fixture.exchange));
  expect(exchange.state.feeTiers.tradedVolume(BOB, fixture.time)).toBe(1_400);
  expect(exchange.state.accounts[CAROL]!.feeTier).toBe(1);
});

describe('a table is rejected', () => {
  const tier = (change: Partial<FeeTier>) => ({ ...TIERS[0]!, ...change });
  test.each([
    ['without a volume', [tier({ minVolume: 0 })]],
    ['that does not increase', [tier({}), tier({})]],
    ['with a fee above a tenth', [tier({ takerFee: 100_001 })]],
    ['with a taker fee below zero', [tier({ takerFee: -1 })]],
    ['with a rebate above the taker fee of a tier', [tier({ makerFee: -1, takerFee: 0 })]],
    [
      'that is too long',
      Array.from({ length: MAX_FEE_TIERS + 1 }, (_, n) => tier({ minVolume: n + 1 })),
    ],
  ])('%s', (_, tiers) => {
    const fixture = fixtureWithTiers();
    const { digest } = fixture.exchange.state;
    const table = { ...SYSTEM_ACTOR, asset: USDT, tiers };
    expect(fixture.apply({ kind: CommandKind.setFeeTiers, ...table }).kind).toBe('rejected');
    expect(fixture.exchange.state.digest).toBe(digest);
  });
});

test('a table may have the maximum length and the maximum fees', () => {
  const fixture = fixtureWithTiers();
  const tiers = Array.from({ length: MAX_FEE_TIERS }, (_, n) => {
    return { minVolume: n + 1, makerFee: 100_000, takerFee: 100_000 };
  });
  const table = { ...SYSTEM_ACTOR, asset: USDT, tiers };
  expect(fixture.apply({ kind: CommandKind.setFeeTiers, ...table }).kind).toBe('done');
  expect(setTier(fixture, ALICE, MAX_FEE_TIERS)).toBe('account');
  expect(setTier(fixture, ALICE, MAX_FEE_TIERS + 1)).toBe('rejected');
});
