import type { ElementHashes } from '../digest.ts';
import { type ByteReader, ByteWriter } from '../numbers/bytes.ts';
import { difference, type Exact, sum } from '../numbers/exact.ts';
import { invariant } from '../rejection.ts';
import { hashBytes } from './approvals.ts';

/** The rest of the state, as far as the totals need it. */
interface TotalState extends ElementHashes {
  /** Milliseconds since 1970. */
  readonly time: number;
}

interface HourlyTotal {
  /** Index of the operator's account. */
  readonly account: number;
  readonly asset: number;
  /** Hours since 1970. */
  readonly hour: number;
  /** Sum of the credits and debits without their signs, in minor units. */
  readonly amount: Exact;
}

const HOUR_MS = 3_600_000;
/** With the current hour, totals reach back 24 to 25 hours, so that no 24 hours exceed a limit. */
const HOURS_BEFORE = 24;

/**
 * The state part of what each operator's account has credited and debited without an approval, by asset and hour. Limits
 * apply to the sum of the last 24 hours, so that no one splits a large credit into small ones. There are at most 25
 * totals per account and asset.
 */
export class AdjustmentTotals {
  readonly id = 67;
  readonly nextTime = Number.POSITIVE_INFINITY;
  /** By account and asset, in ascending order of their hours. */
  private readonly totals = new Map<string, HourlyTotal[]>();

  constructor(private readonly state: TotalState) {}

  get isEmpty(): boolean {
    return this.totals.size === 0;
  }

  /** Returns the total of the last 24 hours, in minor units. */
  sumRecent(account: number, asset: number): Exact {
    const first = this.firstHour;
    let total: Exact = 0;
    for (const { hour, amount } of this.totals.get(toKey(account, asset)) ?? []) {
      if (hour >= first) total = sum(total, amount);
    }
    return total;
  }

  /** Adds a credit or debit, in minor units. */
  add(account: number, asset: number, amount: Exact): void {
    const { state, firstHour } = this;
    const key = toKey(account, asset);
    const hour = Math.floor(state.time / HOUR_MS);
    let added = amount < 0 ? difference(0, amount) : amount;
    const kept: HourlyTotal[] = [];
    for (const total of this.totals.get(key) ?? []) {
      if (total.hour >= firstHour && total.hour < hour) {
        kept.push(total);
        continue;
      }
      state.exclude(hashTotal(total));
      if (total.hour === hour) added = sum(added, total.amount);
    }
    const total = { account, asset, hour, amount: added };
    state.include(hashTotal(total));
    this.totals.set(key, [...kept, total]);
  }

  /** Forgets all totals, for a policy without limits of credits. */
  clear(): void {
    for (const total of this.all()) this.state.exclude(hashTotal(total));
    this.totals.clear();
  }

  runDue(): void {}

  countDigest(): number {
    let digest = 0;
    for (const total of this.all()) digest = (digest + hashTotal(total)) | 0;
    return digest;
  }

  audit(): void {
    for (const [key, totals] of this.totals) {
      let previous = -1;
      for (const { account, asset, hour, amount } of totals) {
        const isInOrder = toKey(account, asset) === key && hour > previous && amount > 0;
        invariant(isInOrder, `the totals of adjustments of ${key} are out of order`);
        previous = hour;
      }
      invariant(totals.length <= HOURS_BEFORE + 1, `too many totals of adjustments of ${key}`);
    }
  }

  write(writer: ByteWriter): void {
    const all = [...this.all()];
    writer.uint32(all.length);
    for (const total of all) writeTotal(writer, total);
  }

  read(reader: ByteReader): void {
    for (let left = reader.uint32(); left > 0; left--) {
      const account = reader.uint32();
      const asset = reader.uint32();
      const total = { account, asset, hour: reader.number(), amount: reader.exact() };
      const key = toKey(account, asset);
      this.totals.set(key, [...(this.totals.get(key) ?? []), total]);
      this.state.include(hashTotal(total));
    }
  }

  private get firstHour(): number {
    return Math.floor(this.state.time / HOUR_MS) - HOURS_BEFORE;
  }

  private *all(): Iterable<HourlyTotal> {
    for (const totals of this.totals.values()) yield* totals;
  }
}

function toKey(account: number, asset: number): string {
  return `${account}/${asset}`;
}

function hashTotal(total: HourlyTotal): number {
  const writer = new ByteWriter(64);
  writeTotal(writer, total);
  return hashBytes(67, writer.bytes());
}

function writeTotal(writer: ByteWriter, { account, asset, hour, amount }: HourlyTotal): void {
  writer.uint32(account);
  writer.uint32(asset);
  writer.number(hour);
  writer.exact(amount);
}
