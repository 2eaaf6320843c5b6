import { DAY_MS } from '../../src/config/durations.ts';
import type {
  FeeTier,
  MarketRules,
  SetAccountFeeTier,
  SetFeeDiscount,
  SetFeeTiers,
  SetReferralShare,
  SetReferrer,
} from '../../src/engine/command.ts';
import { MAX_FEE_TIERS } from '../../src/engine/limits.ts';
import { RejectionCode } from '../../src/engine/rejection.ts';
import { EntryType, MarketStatus } from '../../src/engine/terms.ts';
import { type NaiveAdministrationOutcome, reject } from './naive-administration.ts';
import { findOwner } from './naive-owners.ts';
import { type NaiveMarket, type NaiveState, type NaiveTrade, NO_DISCOUNT } from './naive-state.ts';
import { BUY, shareAmount } from './naive-values.ts';

type Rates = Pick<MarketRules, 'makerFee' | 'takerFee'>;
type Result = NaiveAdministrationOutcome | { readonly kind: 'done' };

export function setFeeTiers(state: NaiveState, { asset, tiers }: SetFeeTiers): Result {
  if (state.assets[asset] === undefined) return reject(RejectionCode.unknownAsset);
  const isValid = tiers.every(({ minVolume, makerFee, takerFee }, place) => {
    const rises = minVolume > (tiers[place - 1]?.minVolume ?? 0);
    return rises && areRates(state, { makerFee, takerFee });
  });
  if (!isValid || tiers.length > MAX_FEE_TIERS) return reject(RejectionCode.invalidRules);
  if (!areRebatesPaid({ ...state, feeTiers: tiers })) return reject(RejectionCode.invalidRules);
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
  const rate = Math.min(own, tiers.at(-1)?.[side] ?? own);
  return hasDiscount(state, market, account) ? lowered(rate, state.discount.rate) : rate;
}

/** Returns whether the rates are in their bounds; rebates need engine version 2. */
export function areRates({ version }: NaiveState, { makerFee, takerFee }: Rates): boolean {
  const lowest = version < 2 ? 0 : -100_000;
  return makerFee >= lowest && makerFee <= 100_000 && takerFee >= 0 && takerFee <= 100_000;
}

/** Returns whether every possible taker pays the rebate of every possible maker. */
export function areRebatesPaid({
  markets,
  feeTiers,
  discount,
}: {
  readonly markets: readonly { readonly rules: Rates; readonly status: number }[];
  readonly feeTiers: readonly FeeTier[];
  readonly discount: NaiveState['discount'];
}): boolean {
  return markets.every(({ rules, status }) => {
    if (status === MarketStatus.delisted) return true;
    const all = [rules, ...feeTiers];
    return all.every((maker) =>
      all.every((taker) => {
        const paid = lowered(Math.min(rules.takerFee, taker.takerFee), discount.rate);
        return Math.min(rules.makerFee, maker.makerFee) + paid >= 0;
      }),
    );
  });
}

/** Returns a fee rate after a discount in parts per million, rounded up; a rebate stays as it is. */
function lowered(rate: number, discount: number): number {
  return rate < 0 ? rate : Math.ceil((rate * (1_000_000 - discount)) / 1_000_000);
}

function hasDiscount(state: NaiveState, market: NaiveMarket, account: number): boolean {
  const { asset, minBalance, rate } = state.discount;
  if (rate === 0 || [market.base.index, market.quote.index].includes(asset)) return false;
  const own = state.balances.find((each) => each.account === account && each.asset === asset);
  return own !== undefined && own.available + own.held >= minBalance;
}

export function setFeeDiscount(state: NaiveState, command: SetFeeDiscount): Result {
  const { asset, rate } = command;
  if (state.version < 2) return reject(RejectionCode.invalidRules);
  if (state.assets[asset] === undefined) return reject(RejectionCode.unknownAsset);
  const minBalance = BigInt(command.minBalance);
  const discount = rate === 0 ? NO_DISCOUNT : { asset, minBalance, rate };
  const isValid = rate === 0 || (rate <= 1_000_000 && minBalance > 0n);
  if (!isValid || !areRebatesPaid({ ...state, discount })) {
    return reject(RejectionCode.invalidRules);
  }
  state.discount = discount;
  return { kind: 'done' };
}

export function setReferralShare(state: NaiveState, { share }: SetReferralShare): Result {
  if (state.version < 2 || share > 1_000_000) return reject(RejectionCode.invalidRules);
  state.referralShare = share;
  return { kind: 'done' };
}

export function setReferrer(
  state: NaiveState,
  { owner, referrer }: SetReferrer,
): NaiveAdministrationOutcome {
  if (state.version < 2) return reject(RejectionCode.invalidRules);
  const account = state.accounts[owner];
  if (account === undefined || state.accounts[referrer] === undefined) {
    return reject(RejectionCode.unknownAccount);
  }
  const isOfGroup = findOwner(state, owner) === findOwner(state, referrer);
  if (owner <= referrer || isOfGroup) return reject(RejectionCode.referrerNotAllowed);
  const known = state.referrers.get(owner) ?? referrer;
  if (known !== referrer) return reject(RejectionCode.alreadyReferred);
  state.referrers.set(owner, referrer);
  return { kind: 'account', account, created: false };
}

/** Pays the referrers of both accounts a share of what the exchange keeps of the fees. */
export function payReferrers(state: NaiveState, market: NaiveMarket, trade: NaiveTrade): void {
  const { makerFee, takerFee, takerSide } = trade;
  const [base, quote] = [market.base.index, market.quote.index];
  const rebate = makerFee < 0n ? -makerFee : 0n;
  for (const [account, asset, fee] of [
    [trade.makerAccount, takerSide === BUY ? quote : base, makerFee + rebate],
    [trade.takerAccount, takerSide === BUY ? base : quote, takerFee - rebate],
  ] as const) {
    const referrer = state.referrers.get(account);
    const share = shareAmount(fee, state.referralShare);
    if (referrer === undefined || share === 0n) continue;
    state.post(referrer, asset, EntryType.referral, share, trade.id);
    state.fees[asset]! -= share;
  }
}
