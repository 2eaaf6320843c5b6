import type { EntryEvent } from '../src/engine/event.ts';
import { EntryType } from '../src/engine/terms.ts';
import { check } from './failure.ts';

const BUSTS: readonly number[] = [EntryType.tradeBust, EntryType.tradeBustFee];

/** The sums that trades have moved: a bust must reverse exactly these, once. */
export class AuditedBusts {
  /** By trade id: sums by account and asset, without the releases of holds. */
  private readonly moved = new Map<number, Map<string, bigint>>();
  private readonly busted = new Set<number>();

  /** Adds an entry of a trade. */
  add(trade: number, account: number, asset: number, amount: bigint): void {
    const sums = this.moved.get(trade) ?? new Map<string, bigint>();
    this.moved.set(trade, sums);
    const place = `${account} ${asset}`;
    sums.set(place, (sums.get(place) ?? 0n) + amount);
  }

  /** Checks the entries of a command. */
  note(entries: readonly EntryEvent[]): void {
    const reversing = entries.filter(({ type }) => BUSTS.includes(type));
    for (const [trade, own] of Map.groupBy(reversing, ({ reference }) => reference)) {
      check(!this.busted.has(trade), `trade ${trade} was busted twice`);
      this.busted.add(trade);
      for (const { account, asset, amount } of own) this.add(trade, account, asset, BigInt(amount));
      const isReversed = [...this.moved.get(trade)!.values()].every((sum) => sum === 0n);
      check(isReversed, `the bust of trade ${trade} does not reverse it`);
    }
  }
}
