import type { FeeTier } from '../command.ts';
import { mix, mixExact, mixNumber } from '../digest.ts';
import type { Market } from '../markets/markets.ts';
import type { ByteReader, ByteWriter } from '../numbers/bytes.ts';
import { type Exact, sum } from '../numbers/exact.ts';
import { NONE } from '../terms.ts';
import type { Account } from './accounts.ts';

const DAY_MS = 86_400_000;
/** Days that an account's volume is counted over: the present one (UTC) and those before it. */
export const VOLUME_DAYS = 30;

/** What an account has traded, as maker and as taker. */
interface Volume {
  readonly account: number;
  /** Days since 1970 with a trade, the earliest first. */
  days: { readonly day: number; volume: Exact }[];
  /** Of the days that counted on the last of them. */
  sum: Exact;
  /** Hash of this volume as it stands in the digest. */
  hash: number;
  /** It has changed since. */
  isStale: boolean;
}

/**
 * Fees that fall with what an account has traded. Volume is the cost of its trades in the markets
 * that are quoted in one named asset; trades of other markets do not count, so nothing is ever
 * converted at a rate that someone could move. Tier 0 pays the market's own rates, tier n those of
 * place n - 1 of the table; a market's own rate holds where it is lower.
 */
export class FeeTiers {
  /** Index of the asset that volume is counted in, NONE while nothing is counted. */
  asset: number = NONE;
  tiers: readonly FeeTier[] = [];
  private readonly volumes = new Map<number, Volume>();
  private readonly stale: Volume[] = [];
  private volumeHashes = 0;

  /** Puts another table in force. Volume in another asset counts anew from nothing. */
  set(asset: number, tiers: readonly FeeTier[]): void {
    if (asset !== this.asset) {
      this.volumes.clear();
      this.stale.length = 0;
      this.volumeHashes = 0;
    }
    this.asset = asset;
    this.tiers = tiers;
  }

  /** Parts per million. */
  makerFee(account: Account, market: Market, time: number): number {
    const own = market.rules.makerFee;
    if (this.tiers.length === 0) return own;
    const tier = this.tierOf(account, time);
    return tier === 0 ? own : Math.min(own, this.tiers[tier - 1]!.makerFee);
  }

  takerFee(account: Account, market: Market, time: number): number {
    const own = market.rules.takerFee;
    if (this.tiers.length === 0) return own;
    const tier = this.tierOf(account, time);
    return tier === 0 ? own : Math.min(own, this.tiers[tier - 1]!.takerFee);
  }

  /** The tier the operator gave the account, or else the highest that its volume reaches. */
  tierOf(account: Account, time: number): number {
    if (account.feeTier !== NONE) return Math.min(account.feeTier, this.tiers.length);
    const volume = this.volumeOf(account.index, time);
    let tier = this.tiers.length;
    while (tier > 0 && this.tiers[tier - 1]!.minVolume > volume) tier--;
    return tier;
  }

  /** Minor units of the asset, over the days that count at `time`. */
  volumeOf(account: number, time: number): Exact {
    const volume = this.volumes.get(account);
    if (volume === undefined) return 0;
    const day = dayOf(time);
    return volume.days.at(-1)!.day === day ? volume.sum : sumOf(volume, day);
  }

  /** Counts a trade for both of its sides. */
  note(market: Market, maker: number, taker: number, cost: Exact, time: number): void {
    if (market.quote.index !== this.asset) return;
    this.add(maker, cost, dayOf(time));
    this.add(taker, cost, dayOf(time));
  }

  private add(account: number, cost: Exact, day: number): void {
    let volume = this.volumes.get(account);
    if (volume === undefined) {
      volume = { account, days: [], sum: 0, hash: 0, isStale: false };
      this.volumes.set(account, volume);
    }
    if (volume.days.at(-1)?.day !== day) {
      volume.days = volume.days.filter((each) => each.day > day - VOLUME_DAYS);
      volume.sum = sumOf(volume, day);
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

  /** The digest, counted anew from every element. */
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
      writer.uint32(makerFee);
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
      return { minVolume: reader.exact(), makerFee: reader.uint32(), takerFee: reader.uint32() };
    });
    this.set(asset, tiers);
    for (let left = reader.uint32(); left > 0; left--) {
      const account = reader.uint32();
      const days = Array.from({ length: reader.uint32() }, () => {
        return { day: reader.uint32(), volume: reader.exact() };
      });
      const volume = { account, days, sum: 0, hash: 0, isStale: false } as Volume;
      volume.sum = sumOf(volume, days.at(-1)!.day);
      this.volumes.set(account, volume);
      this.noteChange(volume);
    }
  }
}

function dayOf(time: number): number {
  return Math.floor(time / DAY_MS);
}

function sumOf({ days }: Volume, today: number): Exact {
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
