import type { EntryEvent } from '../../engine/event.ts';
import { difference, type Exact, sum } from '../../engine/numbers/exact.ts';
import { isHoldEntry } from '../../engine/terms.ts';

/** A balance of one asset in minor units. */
export interface AssetBalance {
  readonly available: Exact;
  readonly held: Exact;
}

/** The balances of an asset at both ends of a period, and what changed them. */
export interface AssetMovements {
  /** Index of the asset. */
  readonly asset: number;
  readonly opening: AssetBalance;
  readonly closing: AssetBalance;
  /** The sum of the entries of each type in the period, and their number, by index of the type. */
  readonly types: ReadonlyMap<number, { readonly amount: Exact; readonly entries: number }>;
}

/** The entries of a ledger do not lead to the balances of the state: one of them is damaged. */
export class LedgerMismatchError extends Error {
  override readonly name = 'LedgerMismatchError';
}

interface Running {
  /** Available before the first entry. */
  readonly opening: Exact;
  /** Available after the last entry in the period. */
  closing: Exact;
  /** Available after the last entry. */
  last: Exact;
  readonly types: Map<number, { amount: Exact; entries: number }>;
  /** Changes of what the account owns, in the period and after it. */
  ownedInPeriod: Exact;
  ownedAfter: Exact;
}

/**
 * Adds up an account's ledger from the beginning of a period to a position of the log, in order of id, and proves it: every
 * entry begins where the one before it ended, and the last ones end at the balances of the state at that position. The
 * balances at both ends of the period follow from those.
 */
export class LedgerSums {
  private readonly assets = new Map<number, Running>();

  /**
   * @param to The end of the period, milliseconds since 1970, which is not included.
   * @param present The account's balances at the position, by asset index; undefined for assets that it never held.
   */
  constructor(
    private readonly to: number,
    private readonly present: readonly (AssetBalance | undefined)[],
  ) {}

  /** Adds the next entry. @returns Whether it is in the period. @throws LedgerMismatchError */
  add({ id, asset, type, amount, after, time }: EntryEvent): boolean {
    const before = difference(after, amount);
    let running = this.assets.get(asset);
    if (running === undefined) {
      running = startAt(before);
      this.assets.set(asset, running);
    }
    if (before !== running.last) {
      throw new LedgerMismatchError(
        `ledger entry ${id} begins at ${before} of asset ${asset}, and the one before it ended at ${running.last}`,
      );
    }
    running.last = after;
    const isOwned = !isHoldEntry(type);
    if (time >= this.to) {
      if (isOwned) running.ownedAfter = sum(running.ownedAfter, amount);
      return false;
    }
    running.closing = after;
    const sums = running.types.get(type);
    if (sums === undefined) running.types.set(type, { amount, entries: 1 });
    else {
      sums.amount = sum(sums.amount, amount);
      sums.entries++;
    }
    if (isOwned) running.ownedInPeriod = sum(running.ownedInPeriod, amount);
    return true;
  }

  /**
   * Returns the movements of all assets that the account had or moved, once all entries up to the position are added.
   * @throws LedgerMismatchError
   */
  finish(): AssetMovements[] {
    const indexes = new Set([...this.present.keys(), ...this.assets.keys()]);
    return [...indexes]
      .sort((a, b) => a - b)
      .map((asset) => this.finishAsset(asset))
      .filter(
        ({ opening, closing, types }) => types.size > 0 || hasAny(opening) || hasAny(closing),
      );
  }

  private finishAsset(asset: number): AssetMovements {
    const { available, held } = this.present[asset] ?? NOTHING;
    const running = this.assets.get(asset) ?? startAt(available);
    if (running.last !== available) {
      throw new LedgerMismatchError(
        `the ledger ends at ${running.last} of asset ${asset}, and the account has ${available}`,
      );
    }
    const closing = difference(sum(available, held), running.ownedAfter);
    const opening = difference(closing, running.ownedInPeriod);
    return {
      asset,
      opening: split(asset, opening, running.opening),
      closing: split(asset, closing, running.closing),
      types: running.types,
    };
  }
}

const NOTHING: AssetBalance = { available: 0, held: 0 };

function startAt(available: Exact): Running {
  return {
    opening: available,
    closing: available,
    last: available,
    types: new Map(),
    ownedInPeriod: 0,
    ownedAfter: 0,
  };
}

function split(asset: number, total: Exact, available: Exact): AssetBalance {
  const held = difference(total, available);
  if (held < 0 || available < 0) {
    throw new LedgerMismatchError(
      `the ledger leads to ${available} available and ${held} held of asset ${asset}`,
    );
  }
  return { available, held };
}

function hasAny({ available, held }: AssetBalance): boolean {
  return available !== 0 || held !== 0;
}
