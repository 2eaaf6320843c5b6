import type { EntryEvent } from '../src/engine/event.ts';
import type { Exact } from '../src/engine/numbers/exact.ts';
import type { State } from '../src/engine/state.ts';
import { EntryType } from '../src/engine/terms.ts';
import { check } from './failure.ts';

interface AuditedBalance {
  available: bigint;
  held: bigint;
}

/** Balances added up from ledger entries alone (invariants 1, 2 and 11). */
export class AuditedLedger {
  /** By account, then asset. */
  private readonly balances: AuditedBalance[][] = [];
  /** Fees collected and external transfers by asset; deposits are negative. */
  private readonly fees: bigint[] = [];
  private readonly external: bigint[] = [];
  /** The amount that each order holds; orders without a hold are absent. */
  private readonly holds = new Map<number, bigint>();
  /** The amount that each deposit or withdrawal holds. */
  private readonly custodyHolds = new Map<number, bigint>();
  /** The sum that each deposit or withdrawal has moved, with its fee. */
  private readonly moved = new Map<number, bigint>();
  private nextEntryId = 1;

  /** Returns the amount that the order holds, minor units. */
  heldBy(orderId: number): bigint {
    return this.holds.get(orderId) ?? 0n;
  }

  /** Returns the amount that a deposit or withdrawal holds, minor units. */
  heldByCustody(id: number): bigint {
    return this.custodyHolds.get(id) ?? 0n;
  }

  /** Returns what a deposit or withdrawal has moved, with its fee, minor units; negative if it was paid out. */
  movedBy(id: number): bigint {
    return this.moved.get(id) ?? 0n;
  }

  /** Returns whether an account has nothing, available or held. */
  isEmpty(account: number): boolean {
    const balances = this.balances[account] ?? [];
    return balances.every(({ available, held }) => available === 0n && held === 0n);
  }

  /** Records and checks an entry event of the engine. */
  note({ id, account, asset, type, amount, after, reference }: EntryEvent): void {
    this.checkNext(id);
    this.change(account, asset, type, BigInt(amount), reference);
    this.checkAfter(account, asset, after);
  }

  /** Checks the id of the next entry. */
  checkNext(id: number): void {
    check(id === this.nextEntryId, `ledger entry ${id} comes after entry ${this.nextEntryId - 1}`);
  }

  /** Adds the next entry. @param reference The order that a hold or release is for. */
  change(account: number, asset: number, type: number, amount: bigint, reference: number): void {
    this.nextEntryId++;
    const balance = this.balance(account, asset);
    balance.available += amount;
    if (type === EntryType.hold || type === EntryType.release) {
      balance.held -= amount;
      changeHold(this.holds, amount, reference);
    } else if (type === EntryType.custodyHold || type === EntryType.custodyRelease) {
      balance.held -= amount;
      changeHold(this.custodyHolds, amount, reference);
    }
    if (FEES.includes(type)) this.fees[asset] = (this.fees[asset] ?? 0n) - amount;
    if (MOVES.includes(type)) this.moved.set(reference, this.movedBy(reference) + amount);
    if (EXTERNAL.includes(type)) this.external[asset] = (this.external[asset] ?? 0n) - amount;
    const isSound = balance.available >= 0n && balance.held >= 0n;
    check(isSound, `account ${account} has less than zero of asset ${asset}`);
  }

  /** Checks the available balance against the engine's. */
  checkAfter(account: number, asset: number, after: Exact): void {
    const { available } = this.balance(account, asset);
    check(
      available === BigInt(after),
      `account ${account} has ${available} of asset ${asset} by its entries, not ${after}`,
    );
  }

  /** Checks that the engine's balances and sums match the entries, and that they add up to zero. */
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
          `the balance of account ${account} in asset ${asset} differs from its entries`,
        );
        sums[asset]! += BigInt(available) + BigInt(held);
      }
    }
    assets.forEach(({ asset, index }) => {
      check(sums[index] === 0n, `the sums of ${asset} add up to ${sums[index]}`);
      const isSame =
        BigInt(ledger.fees[index]!) === (this.fees[index] ?? 0n) &&
        BigInt(ledger.external[index]!) === (this.external[index] ?? 0n);
      check(isSame, `fees and external of ${asset} differ from the entries`);
      check((this.fees[index] ?? 0n) >= 0n, `more fees of ${asset} were paid out than charged`);
    });
  }

  private balance(account: number, asset: number): AuditedBalance {
    this.balances[account] ??= [];
    this.balances[account][asset] ??= { available: 0n, held: 0n };
    return this.balances[account][asset];
  }
}

const FEES: readonly number[] = [
  EntryType.fee,
  EntryType.withdrawalFee,
  EntryType.rebate,
  EntryType.referral,
  EntryType.tradeBustFee,
];
/** The types whose reference is a deposit or withdrawal. */
const MOVES: readonly number[] = [EntryType.deposit, EntryType.withdrawal, EntryType.withdrawalFee];
const EXTERNAL: readonly number[] = [EntryType.transfer, EntryType.deposit, EntryType.withdrawal];

/** Changes a hold by an entry, whose amount is that of the available balance. */
function changeHold(holds: Map<number, bigint>, amount: bigint, id: number): void {
  const held = (holds.get(id) ?? 0n) - amount;
  check(held >= 0n, `${id} releases more than it held`);
  if (held === 0n) holds.delete(id);
  else holds.set(id, held);
}

const NOTHING = { available: 0, held: 0 } as const;
