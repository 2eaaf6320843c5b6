import type { Fee, FeeTier } from '../../src/client/index.ts';
import { decimal, ZERO } from '../decimal.ts';

interface Rates {
  readonly makerFee: string;
  readonly takerFee: string;
}

/** The lowest and the highest rate of the markets. */
export type RateRange = readonly [lowest: string, highest: string];

export interface TierRow {
  /** 0 for accounts without a tier. */
  readonly tier: number;
  readonly minVolume: string;
  readonly maker: RateRange;
  readonly taker: RateRange;
}

/** Returns the rates of each tier, tier 0 first: the lower of the rate of a market and that of the tier. */
export function listTierRows(
  markets: readonly Fee<string>[],
  tiers: readonly FeeTier<string>[],
): readonly TierRow[] {
  const row = (tier: number, minVolume: string, own?: Rates): TierRow => ({
    tier,
    minVolume,
    maker: toRange(markets.map(({ makerFee }) => lower(makerFee, own?.makerFee))),
    taker: toRange(markets.map(({ takerFee }) => lower(takerFee, own?.takerFee))),
  });
  return [row(0, '0'), ...tiers.map((each) => row(each.tier, each.minVolume, each))];
}

/** Markets with the same rates. */
export interface MarketGroup extends Rates {
  readonly symbols: readonly string[];
}

/** Groups markets by their rates, in the order in which the exchange lists them. */
export function groupMarkets(markets: readonly Fee<string>[]): readonly MarketGroup[] {
  const groups = Map.groupBy(markets, ({ makerFee, takerFee }) => `${makerFee} ${takerFee}`);
  return [...groups.values()].map((group) => ({
    symbols: group.map(({ symbol }) => symbol),
    makerFee: group[0]!.makerFee,
    takerFee: group[0]!.takerFee,
  }));
}

interface OwnTier {
  readonly tier: number;
  readonly isTierFixed: boolean;
  readonly volume: string | null;
  readonly tiers: readonly FeeTier<string>[];
}

/** Returns the next tier and the volume that is missing to it; undefined if more volume changes nothing. */
export function nextTier({
  tier,
  isTierFixed,
  volume,
  tiers,
}: OwnTier): { readonly tier: number; readonly missing: string } | undefined {
  const next = tiers[tier];
  if (isTierFixed || volume === null || next === undefined) return undefined;
  const missing = (decimal(next.minVolume) ?? ZERO).minus(volume);
  return { tier: next.tier, missing: missing.toFixed() };
}

function lower(rate: string, other: string | undefined): string {
  return other !== undefined && compare(other, rate) < 0 ? other : rate;
}

function toRange(rates: readonly string[]): RateRange {
  const sorted = [...rates].sort(compare);
  return [sorted[0] ?? '0', sorted.at(-1) ?? '0'];
}

function compare(a: string, b: string): number {
  return (decimal(a) ?? ZERO).cmp(decimal(b) ?? ZERO);
}
