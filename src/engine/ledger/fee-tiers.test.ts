import { describe, expect, test } from 'bun:test';
import { ALICE, BOB, CAROL, Desk, trades, USDT } from '../../../test/desk.ts';
import { auditState } from '../audit/audit.ts';
import { CommandKind, SYSTEM_ACTOR } from '../command.ts';
import { MAX_FEE_TIERS } from '../limits.ts';
import { readSnapshot, writeSnapshot } from '../snapshot/snapshot.ts';
import { NONE } from '../terms.ts';
import type { FeeTier } from './fee-tiers.ts';

const DAY_MS = 86_400_000;
const TIERS: FeeTier[] = [
  { minVolume: 1_000, makerFee: 5_000, takerFee: 20_000 },
  { minVolume: 2_000, makerFee: 0, takerFee: 50_000 },
];

/** Makers pay 1 %, takers 3 %, before any tier. */
function deskWithTiers(tiers = TIERS): Desk {
  const desk = new Desk({ makerFee: 10_000, takerFee: 30_000 });
  desk.apply({ kind: CommandKind.setFeeTiers, ...SYSTEM_ACTOR, asset: USDT, tiers });
  return desk;
}

/** Alice sells to Bob, who takes; gives the fees of both. */
function trade(desk: Desk, amount: number): number[] {
  desk.sell(ALICE, amount, 100);
  desk.buy(BOB, amount, 100);
  auditState(desk.exchange.state);
  return trades(desk.events).flatMap(({ makerFee, takerFee }) => [
    Number(makerFee),
    Number(takerFee),
  ]);
}

function tierOf(desk: Desk, account: number, time = desk.time): number {
  const { state } = desk.exchange;
  return state.feeTiers.tierOf(state.accounts[account]!, time);
}

function setTier(desk: Desk, owner: number, tier: number): string {
  const outcome = desk.apply({ kind: CommandKind.setAccountFeeTier, ...SYSTEM_ACTOR, owner, tier });
  return outcome.kind;
}

test('a tier holds from the trade after the one that reached it, for both sides', () => {
  const desk = deskWithTiers();
  expect([tierOf(desk, ALICE), tierOf(desk, BOB)]).toEqual([0, 0]);
  expect(trade(desk, 100)).toEqual([100, 3]);
  expect([tierOf(desk, ALICE), tierOf(desk, BOB), tierOf(desk, CAROL)]).toEqual([2, 2, 0]);
});

test('fees are those of the tier, and never above the market’s own', () => {
  const desk = deskWithTiers();
  trade(desk, 9);
  expect([tierOf(desk, ALICE), ...trade(desk, 100)]).toEqual([0, 100, 3]);
  // The taker's rate of tier 2 is higher than the market's, which holds.
  expect([tierOf(desk, ALICE), ...trade(desk, 100)]).toEqual([2, 0, 3]);
});

test('volume counts for thirty days by UTC, the present one included', () => {
  const desk = deskWithTiers();
  desk.time = 20_000 * DAY_MS + 23 * 3_600_000;
  trade(desk, 10);
  desk.time = 20_001 * DAY_MS;
  trade(desk, 5);
  const { feeTiers } = desk.exchange.state;
  const volumeOn = (day: number) => feeTiers.volumeOf(BOB, day * DAY_MS);
  expect([volumeOn(20_001), feeTiers.volumeOf(BOB, desk.time + 1)]).toEqual([1_500, 1_500]);
  expect([volumeOn(20_029), volumeOn(20_030), volumeOn(20_031)]).toEqual([1_500, 500, 0]);
  expect(tierOf(desk, BOB, 20_029 * DAY_MS)).toBe(1);
  expect(tierOf(desk, BOB, 20_030 * DAY_MS)).toBe(0);
  desk.time = 20_030 * DAY_MS;
  trade(desk, 1);
  expect(volumeOn(20_030)).toBe(600);
});

test('the operator’s tier comes before that of the volume', () => {
  const desk = deskWithTiers();
  expect(setTier(desk, ALICE, 2)).toBe('account');
  trade(desk, 30);
  expect(setTier(desk, BOB, 0)).toBe('account');
  expect([tierOf(desk, ALICE), tierOf(desk, BOB)]).toEqual([2, 0]);
  expect(setTier(desk, ALICE, 3)).toBe('rejected');
  expect(setTier(desk, 99, 1)).toBe('rejected');
  desk.apply({
    kind: CommandKind.setFeeTiers,
    ...SYSTEM_ACTOR,
    asset: USDT,
    tiers: TIERS.slice(0, 1),
  });
  expect(tierOf(desk, ALICE)).toBe(1);
  expect(setTier(desk, BOB, NONE)).toBe('account');
  expect(tierOf(desk, BOB)).toBe(1);
});

test('in another asset volume begins anew; without a table nothing is counted', () => {
  const desk = deskWithTiers();
  trade(desk, 30);
  const set = (asset: number, tiers: FeeTier[]) =>
    desk.apply({ kind: CommandKind.setFeeTiers, ...SYSTEM_ACTOR, asset, tiers }).kind;
  expect(set(USDT, [])).toBe('done');
  expect(tierOf(desk, ALICE)).toBe(0);
  expect(set(USDT, TIERS)).toBe('done');
  expect(tierOf(desk, ALICE)).toBe(2);
  expect(set(0, TIERS)).toBe('done');
  expect(set(USDT, TIERS)).toBe('done');
  expect(tierOf(desk, ALICE)).toBe(0);
  const plain = new Desk();
  trade(plain, 30);
  expect(plain.exchange.state.feeTiers.volumeOf(ALICE, plain.time)).toBe(0);
});

test('stands in a snapshot', () => {
  const desk = deskWithTiers();
  trade(desk, 12);
  desk.wait(DAY_MS);
  trade(desk, 2);
  setTier(desk, CAROL, 1);
  const exchange = readSnapshot(writeSnapshot(desk.exchange));
  expect(exchange.state.digest).toBe(desk.exchange.state.digest);
  expect(writeSnapshot(exchange)).toEqual(writeSnapshot(desk.exchange));
  expect(exchange.state.feeTiers.volumeOf(BOB, desk.time)).toBe(1_400);
  expect(exchange.state.accounts[CAROL]!.feeTier).toBe(1);
});

describe('a table is refused', () => {
  const tier = (change: Partial<FeeTier>) => ({ ...TIERS[0]!, ...change });
  test.each([
    ['of no volume', [tier({ minVolume: 0 })]],
    ['that does not rise', [tier({}), tier({})]],
    ['with a fee above a tenth', [tier({ takerFee: 100_001 })]],
    ['with a fee below zero', [tier({ makerFee: -1 })]],
    [
      'that is too long',
      Array.from({ length: MAX_FEE_TIERS + 1 }, (_, n) => tier({ minVolume: n + 1 })),
    ],
  ])('%s', (_, tiers) => {
    const desk = deskWithTiers();
    const { digest } = desk.exchange.state;
    const table = { ...SYSTEM_ACTOR, asset: USDT, tiers };
    expect(desk.apply({ kind: CommandKind.setFeeTiers, ...table }).kind).toBe('rejected');
    expect(desk.exchange.state.digest).toBe(digest);
  });
});

test('a table is as long as it may be, with fees as high as they may be', () => {
  const desk = deskWithTiers();
  const tiers = Array.from({ length: MAX_FEE_TIERS }, (_, n) => {
    return { minVolume: n + 1, makerFee: 100_000, takerFee: 100_000 };
  });
  const table = { ...SYSTEM_ACTOR, asset: USDT, tiers };
  expect(desk.apply({ kind: CommandKind.setFeeTiers, ...table }).kind).toBe('done');
  expect(setTier(desk, ALICE, MAX_FEE_TIERS)).toBe('account');
  expect(setTier(desk, ALICE, MAX_FEE_TIERS + 1)).toBe('rejected');
});
