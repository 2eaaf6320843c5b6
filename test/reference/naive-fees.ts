import type { SetAccountFeeTier, SetFeeTiers } from '../../src/engine/command.ts';
import { MAX_FEE_TIERS } from '../../src/engine/limits.ts';
import { RejectionCode } from '../../src/engine/rejection.ts';
import { type NaiveAdministrationOutcome, refuse } from './naive-administration.ts';
import type { NaiveMarket, NaiveState } from './naive-state.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

export function setFeeTiers(
  state: NaiveState,
  { asset, tiers }: SetFeeTiers,
): NaiveAdministrationOutcome | { readonly kind: 'done' } {
  if (state.assets[asset] === undefined) return refuse(RejectionCode.unknownAsset);
  const isSound = tiers.every(({ minVolume, makerFee, takerFee }, place) => {
    const rises = minVolume > (tiers[place - 1]?.minVolume ?? 0);
    return rises && [makerFee, takerFee].every((fee) => fee >= 0 && fee <= 100_000);
  });
  if (!isSound || tiers.length > MAX_FEE_TIERS) return refuse(RejectionCode.invalidRules);
  if (asset !== state.feeAsset) state.volumes = [];
  state.feeAsset = asset;
  state.feeTiers = tiers;
  return { kind: 'done' };
}

export function setAccountFeeTier(
  state: NaiveState,
  { owner, tier }: SetAccountFeeTier,
): NaiveAdministrationOutcome {
  const account = state.accounts[owner];
  if (account === undefined) return refuse(RejectionCode.unknownAccount);
  if (tier < -1 || tier > state.feeTiers.length) return refuse(RejectionCode.invalidRules);
  account.feeTier = tier;
  return { kind: 'account', account, created: false };
}

/** What an account traded today and on the 29 days before, by UTC. */
export function volumeOf(state: NaiveState, account: number): bigint {
  const today = Math.floor(state.time / DAY_MS);
  return state.volumes
    .filter((each) => each.account === account)
    .filter((each) => Math.floor(each.time / DAY_MS) > today - 30)
    .reduce((sum, each) => sum + each.cost, 0n);
}

/** The market's own rate, or a lower one of the tier that the account has. */
export function rateOf(
  state: NaiveState,
  market: NaiveMarket,
  account: number,
  side: 'makerFee' | 'takerFee',
): number {
  const own = market.rules[side];
  const given = state.accounts[account]!.feeTier;
  const volume = volumeOf(state, account);
  const reached = state.feeTiers.filter(({ minVolume }) => minVolume <= volume);
  const tiers = given === -1 ? reached : state.feeTiers.slice(0, given);
  return Math.min(own, tiers.at(-1)?.[side] ?? own);
}
