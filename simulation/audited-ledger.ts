import type { EntryEvent } from '../src/engine/event.ts';
import type { Exact } from '../src/engine/numbers/exact.ts';
import type { State } from '../src/engine/state.ts';
import { EntryType } from '../src/engine/terms.ts';
import { check } from './failure.ts';

interface AuditedBalance {
  available: bigint;
  held: bigint;
}

/** Who has what, added up from ledger entries alone (invariants 1, 2 and 11). */
export class AuditedLedger {
  /** By account, then asset. */
  private readonly balances: AuditedBalance[][] = [];
  /** By asset: fees taken, and what came from outside, which counts below zero. */
  private readonly fees: bigint[] = [];
  private readonly external: bigint[] = [];
  /** What each order holds: nothing where it is not there. */
  private readonly holds = new Map<number, bigint>();
  private nextEntryId = 1;

  /** What the order holds, minor units. */
  heldBy(orderId: number): bigint {
    return this.holds.get(orderId) ?? 0n;
  }

  /** An entry that the engine has reported as such. */
  note({ id, account, asset, type, amount, after, reference }: EntryEvent): void {
    this.checkNext(id);
    this.change(account, asset, type, BigInt(amount), reference);
    this.checkAfter(account, asset, after);
  }

  /** The next entry must have this id. */
  checkNext(id: number): void {
    check(id === this.nextEntryId, `ledger entry ${id} comes after entry ${this.nextEntryId - 1}`);
  }

  /** Makes the next entry. @param reference The order that a hold or release is for. */
  change(account: number, asset: number, type: number, amount: bigint, reference: number): void {
    this.nextEntryId++;
    const balance = this.balance(account, asset);
    balance.available += amount;
    if (type === EntryType.hold || type === EntryType.release) {
      balance.held -= amount;
      const held = this.heldBy(reference) - amount;
      check(held >= 0n, `order ${reference} gives back more than it held`);
      if (held === 0n) this.holds.delete(reference);
      else this.holds.set(reference, held);
    }
    if (type === EntryType.fee) this.fees[asset] = (this.fees[asset] ?? 0n) - amount;
    if (type === EntryType.transfer) this.external[asset] = (this.external[asset] ?? 0n) - amount;
    const isSound = balance.available >= 0n && balance.held >= 0n;
    check(isSound, `account ${account} has less than zero of asset ${asset}`);
  }

  /** What is available now must be what the engine says. */
  checkAfter(account: number, asset: number, after: Exact): void {
    const { available } = this.balance(account, asset);
    check(
      available === BigInt(after),
      `account ${account} has ${available} of asset ${asset} by its entries, not ${after}`,
    );
  }

  /** The engine's balances and sums are those of the entries, and nothing was made or lost. */
  check({ accounts, assets, ledger }: State): void {
    const sums = assets.map(({ index }) => (this.fees[index] ?? 0n) + (this.external[index] ?? 0n));
    for (const { index: account, balances } of accounts) {
      for (let asset = 0; asset < assets.length; asset++) {
        const own = this.balances[account]?.[asset];
        const { available, held } = balances[asset] ?? NOTHING;
        const isSame =
          BigInt(available) === (own?.available ?? 0n) && BigInt(held) === (own?.held ?? 0n);
        check(
          isSame,
          `account ${account} has another balance of asset ${asset} than its entries say`,
        );
        sums[asset]! += BigInt(available) + BigInt(held);
      }
    }
    assets.forEach(({ asset, index }) => {
      check(sums[index] === 0n, `the sums of ${asset} add up to ${sums[index]}`);
      const isSame =
        BigInt(ledger.fees[index]!) === (this.fees[index] ?? 0n) &&
        BigInt(ledger.external[index]!) === (this.external[index] ?? 0n);
      check(isSame, `fees and external of ${asset} are not what the entries say`);
    });
  }

  private balance(account: number, asset: number): AuditedBalance {
    this.balances[account] ??= [];
    this.balances[account][asset] ??= { available: 0n, held: 0n };
    return this.balances[account][asset];
  }
}

const NOTHING = { available: 0, held: 0 } as const;
