import type { Transaction } from './chain.ts';
import type { Wallet } from './store.ts';

/** Decimals of the sums: no asset has more. */
const DECIMALS = 22;

interface Owner {
  readonly isOwn: (address: string) => boolean;
  /** Whether the custodian sent the transaction. */
  readonly isSent: (transaction: string) => boolean;
}

/**
 * Returns the coins of a wallet as a decimal: its reserve, what transactions in blocks have brought to own addresses, less
 * what was sent, which counts at once.
 */
export function holdings(
  { asset, reserve }: Pick<Wallet, 'asset' | 'reserve'>,
  transactions: readonly Transaction[],
  { isOwn, isSent }: Owner,
): string {
  let units = toUnits(reserve);
  for (const each of transactions) {
    if (each.asset !== asset || each.isDropped) continue;
    for (const { address, amount } of each.payments) {
      if (isSent(each.id)) units -= toUnits(amount);
      if (isOwn(address) && each.block !== null) units += toUnits(amount);
    }
  }
  // Made-up chains let a wallet pay more than it has.
  return toDecimal(units < 0n ? 0n : units);
}

function toUnits(amount: string): bigint {
  const [whole = '', fraction = ''] = amount.split('.');
  return BigInt(whole + fraction.slice(0, DECIMALS).padEnd(DECIMALS, '0'));
}

function toDecimal(units: bigint): string {
  const digits = units.toString().padStart(DECIMALS + 1, '0');
  const fraction = digits.slice(-DECIMALS).replace(/0+$/, '');
  return digits.slice(0, -DECIMALS) + (fraction === '' ? '' : `.${fraction}`);
}
