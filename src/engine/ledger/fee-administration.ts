import type { FeeTier, SetAccountFeeTier, SetFeeTiers } from '../command.ts';
import type { Outcome } from '../event.ts';
import { MAX_FEE_TIERS } from '../limits.ts';
import { brokenRateRule } from '../markets/markets.ts';
import { RejectionCode, rejected } from '../rejection.ts';
import type { State } from '../state.ts';
import { NONE } from '../terms.ts';
import { hashAccount } from './accounts.ts';
import { brokenRebateRule } from './fee-rules.ts';

/** Administration of fees: the table of tiers, and the tier of an account. */
export class FeeAdministration {
  constructor(private readonly state: State) {}

  setFeeTiers({ asset, tiers }: SetFeeTiers): Outcome {
    const { state } = this;
    if (state.assets[asset] === undefined) return rejected(RejectionCode.unknownAsset);
    if (tiers.length > MAX_FEE_TIERS) {
      return rejected(
        RejectionCode.invalidRules,
        `there may be at most ${MAX_FEE_TIERS} tiers, not ${tiers.length}`,
      );
    }
    const { markets, feeTiers } = state;
    const broken =
      brokenTableRule(tiers, state.version) ??
      brokenRebateRule({ markets, feeTiers: { tiers, discount: feeTiers.discount } });
    if (broken !== undefined) return rejected(RejectionCode.invalidRules, broken);
    state.feeTiers.set(asset, tiers);
    return { kind: 'done' };
  }

  /** Sets the fee tier of an account; NONE lets its volume decide. */
  setAccountFeeTier({ owner, tier }: SetAccountFeeTier): Outcome {
    const { state } = this;
    const account = state.accounts[owner];
    if (account === undefined) return rejected(RejectionCode.unknownAccount);
    const { length } = state.feeTiers.tiers;
    if (tier !== NONE && !(tier >= 0 && tier <= length)) {
      return rejected(RejectionCode.invalidRules, `feeTier must be from 0 to ${length}`);
    }
    state.exclude(hashAccount(account));
    account.feeTier = tier;
    state.include(hashAccount(account));
    return { kind: 'account', account, created: false };
  }
}

/** Returns the rule that a table breaks, or undefined if it is valid. */
function brokenTableRule(tiers: readonly FeeTier[], version: number): string | undefined {
  let before: FeeTier['minVolume'] = 0;
  for (const tier of tiers) {
    const { minVolume } = tier;
    if (minVolume <= before) return 'minVolume must be above zero and increase from tier to tier';
    const broken = brokenRateRule(tier, version);
    if (broken !== undefined) return broken;
    before = minVolume;
  }
  return undefined;
}
