import type { FeeTier } from '../command.ts';
import { mix, mixExact, mixNumber } from '../digest.ts';
import { VOLUME_DAYS } from '../limits.ts';
import type { Market } from '../markets/markets.ts';
import type { ByteReader, ByteWriter } from '../numbers/bytes.ts';
import { type Exact, sum } from '../numbers/exact.ts';
import { NONE } from '../terms.ts';
import type { Account } from './accounts.ts';
import { discountRate, type FeeDiscount, hasDiscount } from './fee-discount.ts';

const DAY_MS = 24 * 3_600_000;

/** The volume that an account traded as maker and as taker. */
interface Volume {
  readonly account: number;
  /** Days with a trade, numbered from 1970, the earliest first. */
  days: { readonly day: number; volume: Exact }[];
  /** Sum over the days that counted on the last of them. */
  sum: Exact;
  /** Hash of this volume that is included in the digest. */
  hash: number;
  /** Whether the volume changed since `hash` was computed. */
  isStale: boolean;
}

/**
 * Fee tiers by traded volume. Volume is the cost of trades in markets quoted in one given asset.
 * Trades in other markets do not count, so volume never depends on a conversion rate that someone
 * could manipulate.
 * Tier 0 pays the rates of the market, tier n those of entry n - 1 of the table, unless the rate of
 * the market is lower.
 */
export class FeeTiers {
  /** Index of the asset in which volume is counted; NONE if no volume is counted. */
  asset: number = NONE;
  tiers: readonly FeeTier[] = [];
  /** Set by the state part of fee programs, which stores it. */
  discount: FeeDiscount | undefined;
  private readonly volumes = new Map<number, Volume>();
  private readonly stale: Volume[] = [];
  private volumeHashes = 0;

  /** Replaces the table. Another asset resets all volumes. */
  set(asset: number, tiers: readonly FeeTier[]): void {
    if (asset !== this.asset) {
      this.volumes.clear();
      this.stale.length = 0;
      this.volumeHashes = 0;
    }
    this.asset = asset;
    this.tiers = tiers;
  }

  /** Returns the maker fee rate, in parts per million; negative for a rebate. */
  makerFee(account: Account, market: Market, time: number): number {
    const own = market.rules.makerFee;
    if (this.tiers.length === 0) return this.discounted(own, account, market);
    const tier = this.currentTier(account, time);
    const rate = tier === 0 ? own : Math.min(own, this.tiers[tier - 1]!.makerFee);
    return this.discounted(rate, account, market);
  }

  /** Returns the taker fee rate, in parts per million. */
  takerFee(account: Account, market: Market, time: number): number {
    const own = market.rules.takerFee;
    if (this.tiers.length === 0) return this.discounted(own, account, market);
    const tier = this.currentTier(account, time);
    const rate = tier === 0 ? own : Math.min(own, this.tiers[tier - 1]!.takerFee);
    return this.discounted(rate, account, market);
  }

  /** Returns the taker fee rate once the account has traded another `cost` in the market. */
  takerFeeAfter(account: Account, market: Market, time: number, cost: Exact): number {
    const more = market.quote.index === this.asset ? cost : 0;
    const tier = this.tiers[this.currentTier(account, time, more) - 1];
    const rate = Math.min(market.rules.takerFee, tier?.takerFee ?? market.rules.takerFee);
    return this.discounted(rate, account, market);
  }

  /** Returns the rate that an account pays with the discount, if it has one. */
  private discounted(rate: number, account: Account, market: Market): number {
    const { discount } = this;
    if (discount === undefined || rate <= 0) return rate;
    return hasDiscount(discount, account, market) ? discountRate(rate, discount.rate) : rate;
  }

  /**
   * Returns the tier set by an operator, or else the highest tier that the volume reaches.
   * @param more Volume to add to the traded one.
   */
  currentTier(account: Account, time: number, more: Exact = 0): number {
    if (account.feeTier !== NONE) return Math.min(account.feeTier, this.tiers.length);
    const volume = sum(this.tradedVolume(account.index, time), more);
    let tier = this.tiers.length;
    while (tier > 0 && this.tiers[tier - 1]!.minVolume > volume) tier--;
    return tier;
  }

  /** Returns the volume that counts at `time`, in minor units of `asset`. */
  tradedVolume(account: number, time: number): Exact {
    const volume = this.volumes.get(account);
    if (volume === undefined) return 0;
    const day = toDay(time);
    return volume.days.at(-1)!.day === day ? volume.sum : sumVolume(volume, day);
  }

  /** Adds a trade to the volume of both accounts. */
  note(market: Market, maker: number, taker: number, cost: Exact, time: number): void {
    if (market.quote.index !== this.asset) return;
    this.add(maker, cost, toDay(time));
    this.add(taker, cost, toDay(time));
  }

  private add(account: number, cost: Exact, day: number): void {
    let volume = this.volumes.get(account);
    if (volume === undefined) {
      volume = { account, days: [], sum: 0, hash: 0, isStale: false };
      this.volumes.set(account, volume);
    }
    if (volume.days.at(-1)?.day !== day) {
      volume.days = volume.days.filter((each) => each.day > day - VOLUME_DAYS);
      volume.sum = sumVolume(volume, day);
      volume.days.push({ day, volume: 0 });
    }
    const today = volume.days.at(-1)!;
    today.volume = sum(today.volume, cost);
    volume.sum = sum(volume.sum, cost);
    this.noteChange(volume);
  }

  private noteChange(volume: Volume): void {
    if (volume.isStale) return;
    volume.isStale = true;
    this.stale.push(volume);
  }

  /** The sum of the hashes of the table and of all volumes. */
  get digest(): number {
    for (const volume of this.stale) {
      const hash = hashVolume(volume);
      this.volumeHashes = (this.volumeHashes - volume.hash + hash) | 0;
      volume.hash = hash;
      volume.isStale = false;
    }
    this.stale.length = 0;
    return (this.volumeHashes + this.hashTable()) | 0;
  }

  /** Computes the digest again from every element, to check it. */
  countDigest(): number {
    let hashes = this.hashTable();
    for (const volume of this.volumes.values()) hashes = (hashes + hashVolume(volume)) | 0;
    return hashes;
  }

  private hashTable(): number {
    let hash = mix(21, this.asset);
    for (const { minVolume, makerFee, takerFee } of this.tiers) {
      hash = mix(mix(mixExact(hash, minVolume), makerFee), takerFee);
    }
    return hash;
  }

  write(writer: ByteWriter): void {
    writer.int32(this.asset);
    writer.uint32(this.tiers.length);
    for (const { minVolume, makerFee, takerFee } of this.tiers) {
      writer.exact(minVolume);
      writer.int32(makerFee);
      writer.uint32(takerFee);
    }
    writer.uint32(this.volumes.size);
    for (const { account, days } of [...this.volumes.values()].sort(byAccount)) {
      writer.uint32(account);
      writer.uint32(days.length);
      for (const { day, volume } of days) {
        writer.uint32(day);
        writer.exact(volume);
      }
    }
  }

  read(reader: ByteReader): void {
    const asset = reader.int32();
    const tiers = Array.from({ length: reader.uint32() }, () => {
      return { minVolume: reader.exact(), makerFee: reader.int32(), takerFee: reader.uint32() };
    });
    this.set(asset, tiers);
    for (let left = reader.uint32(); left > 0; left--) {
      const account = reader.uint32();
      const days = Array.from({ length: reader.uint32() }, () => {
        return { day: reader.uint32(), volume: reader.exact() };
      });
      const volume = { account, days, sum: 0, hash: 0, isStale: false } as Volume;
      volume.sum = sumVolume(volume, days.at(-1)!.day);
      this.volumes.set(account, volume);
      this.noteChange(volume);
    }
  }
}

function toDay(time: number): number {
  return Math.floor(time / DAY_MS);
}

function sumVolume({ days }: Volume, today: number): Exact {
  let all: Exact = 0;
  for (const { day, volume } of days) if (day > today - VOLUME_DAYS) all = sum(all, volume);
  return all;
}

function byAccount(a: Volume, b: Volume): number {
  return a.account - b.account;
}

function hashVolume({ account, days }: Volume): number {
  let hash = mix(22, account);
  for (const { day, volume } of days) hash = mixExact(mixNumber(hash, day), volume);
  return hash;
}
