import { DAY_MS } from '../../src/config/durations.ts';
import type { SetAccountFeeTier, SetFeeTiers } from '../../src/engine/command.ts';
import { MAX_FEE_TIERS } from '../../src/engine/limits.ts';
import { RejectionCode } from '../../src/engine/rejection.ts';
import { type NaiveAdministrationOutcome, reject } from './naive-administration.ts';
import type { NaiveMarket, NaiveState } from './naive-state.ts';

export function setFeeTiers(
  state: NaiveState,
  { asset, tiers }: SetFeeTiers,
): NaiveAdministrationOutcome | { readonly kind: 'done' } {
  if (state.assets[asset] === undefined) return reject(RejectionCode.unknownAsset);
  const isValid = tiers.every(({ minVolume, makerFee, takerFee }, place) => {
    const rises = minVolume > (tiers[place - 1]?.minVolume ?? 0);
    return rises && [makerFee, takerFee].every((fee) => fee >= 0 && fee <= 100_000);
  });
  if (!isValid || tiers.length > MAX_FEE_TIERS) return reject(RejectionCode.invalidRules);
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
  if (account === undefined) return reject(RejectionCode.unknownAccount);
  if (tier < -1 || tier > state.feeTiers.length) return reject(RejectionCode.invalidRules);
  account.feeTier = tier;
  return { kind: 'account', account, created: false };
}

/** Returns the volume of an account today and on the 29 UTC days before. */
export function tradedVolume(state: NaiveState, account: number): bigint {
  const today = Math.floor(state.time / DAY_MS);
  return state.volumes
    .filter((each) => each.account === account)
    .filter((each) => Math.floor(each.time / DAY_MS) > today - 30)
    .reduce((sum, each) => sum + each.cost, 0n);
}

/** Returns the rate of the market, or that of the tier of the account if it is lower. */
export function feeRate(
  state: NaiveState,
  market: NaiveMarket,
  account: number,
  side: 'makerFee' | 'takerFee',
): number {
  const own = market.rules[side];
  const given = state.accounts[account]!.feeTier;
  const volume = tradedVolume(state, account);
  const reached = state.feeTiers.filter(({ minVolume }) => minVolume <= volume);
  const tiers = given === -1 ? reached : state.feeTiers.slice(0, given);
  return Math.min(own, tiers.at(-1)?.[side] ?? own);
}
