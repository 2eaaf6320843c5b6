import type { EntryEvent } from '../../engine/event.ts';
import { EntryType, isHoldEntry } from '../../engine/terms.ts';

/**
 * Kinds of changes of what an account owns. A `flow` comes from outside or goes there, a `cost` is a fee without a trade,
 * and `income` is earned without giving anything.
 */
export type ChangeKind = 'trade' | 'bust' | 'flow' | 'cost' | 'income';

/** The ledger entries of one account that belong together: those of a fill, or a single one. */
export interface BalanceChange {
  readonly kind: ChangeKind;
  /** Index in the list `entryTypes` of the first entry. */
  readonly type: number;
  /** Id of the trade, transfer, deposit or withdrawal. */
  readonly reference: number;
  readonly time: number;
  /** Changes by asset index, minor units; negative if the account gives. Those that cancel out are 0. */
  readonly amounts: Map<number, bigint>;
  /** Fees by asset index, minor units; negative if they were returned. `amounts` includes them. */
  readonly fees: Map<number, bigint>;
}

/** Returns the kind of change that an entry is part of; undefined if it only moves money between available and held. */
function changeKind(type: number): ChangeKind | undefined {
  if (isHoldEntry(type)) return undefined;
  switch (type) {
    case EntryType.trade:
    case EntryType.fee:
    case EntryType.rebate:
      return 'trade';
    case EntryType.tradeBust:
    case EntryType.tradeBustFee:
      return 'bust';
    case EntryType.withdrawalFee:
      return 'cost';
    case EntryType.referral:
      return 'income';
    default:
      return 'flow';
  }
}

/** Collects ledger entries, in order of ids, into changes. Its state may lie between two pages of a ledger. */
export class ChangeCollector {
  private open: BalanceChange | undefined;

  /** Returns the change that is complete now that the next entry is known. */
  add({ type, asset, amount, reference, time }: EntryEvent): BalanceChange | undefined {
    const kind = changeKind(type);
    if (kind === undefined) return undefined;
    const isJoined = kind === 'trade' || kind === 'bust';
    let complete: BalanceChange | undefined;
    let change = this.open;
    if (
      change === undefined ||
      !isJoined ||
      change.kind !== kind ||
      change.reference !== reference
    ) {
      complete = change;
      change = { kind, type, reference, time, amounts: new Map(), fees: new Map() };
      this.open = change;
    }
    addTo(change.amounts, asset, BigInt(amount));
    if (isFee(type)) addTo(change.fees, asset, -BigInt(amount));
    return complete;
  }

  /** Returns the last change at the end of a ledger, which never ends within the entries of a fill. */
  end(): BalanceChange | undefined {
    const last = this.open;
    this.open = undefined;
    return last;
  }
}

function isFee(type: number): boolean {
  return (
    type === EntryType.fee ||
    type === EntryType.rebate ||
    type === EntryType.tradeBustFee ||
    type === EntryType.withdrawalFee
  );
}

function addTo(sums: Map<number, bigint>, asset: number, amount: bigint): void {
  sums.set(asset, (sums.get(asset) ?? 0n) + amount);
}
