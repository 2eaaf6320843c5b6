import { mix, mixExact } from '../digest.ts';
import type { Event } from '../event.ts';
import { difference, type Exact, exact, sum } from '../numbers/exact.ts';
import { InvariantError } from '../rejection.ts';
import { EntryType } from '../terms.ts';
import { type Account, Balance, hashBalance } from './accounts.ts';

/** Totals of an asset over the whole exchange, in minor units; they always add up to zero. */
export interface AssetTotals {
  readonly available: Exact;
  readonly held: Exact;
  readonly fees: Exact;
  readonly external: Exact;
}

/** The balances at one moment, while they are copied in steps. */
export interface BalanceCopy {
  readonly total: (balance: Balance) => Exact;
  readonly end: () => void;
}

/**
 * The balances of all accounts. Every unit in an account came from `external` (which is negative by
 * that amount) or from another account, and every unit that leaves an account arrives in another
 * one, in `fees` or in `external`. Costs are exact by the listing rules, fees round up, and what is
 * paid from fees rounds down, so there is no remainder to book elsewhere.
 */
export class Ledger {
  /** By asset, in minor units. */
  readonly fees: Exact[] = [];
  readonly external: Exact[] = [];
  nextEntryId = 1;
  /** Time of the command being applied, in milliseconds since 1970. */
  time = 0;

  private hashes = 0;
  /** The totals of balances before their first change since `beginCopy`; undefined if no copy is being made. */
  private preserved: Map<Balance, Exact> | undefined;
  /** Balances and assets that changed since the digest was last read. */
  private readonly staleBalances: Balance[] = [];
  private readonly staleAssets = new Set<number>();
  /** By asset: hash of its totals that is included in the digest. */
  private readonly assetHashes: number[] = [];

  constructor(private readonly events: Event[]) {}

  /**
   * Sum of the hashes of all balances and totals. A balance changes several times per batch, so it
   * is only hashed when the digest is read.
   */
  get digest(): number {
    for (const balance of this.staleBalances) {
      const hash = hashBalance(balance);
      this.hashes = (this.hashes - balance.hash + hash) | 0;
      balance.hash = hash;
      balance.isStale = false;
    }
    this.staleBalances.length = 0;
    for (const asset of this.staleAssets) {
      const hash = this.hashAssetTotals(asset);
      this.hashes = (this.hashes - this.assetHashes[asset]! + hash) | 0;
      this.assetHashes[asset] = hash;
    }
    this.staleAssets.clear();
    return this.hashes;
  }

  addAsset(fees: Exact, external: Exact): void {
    this.fees.push(fees);
    this.external.push(external);
    this.assetHashes.push(0);
    this.staleAssets.add(this.fees.length - 1);
  }

  /**
   * Moves `amount` between the account and `external`: positive is a credit, negative a debit.
   * @param reference Id of the transfer, deposit or withdrawal.
   */
  transfer(
    account: Account,
    asset: number,
    amount: Exact,
    reference: number,
    type: number = EntryType.transfer,
  ): void {
    const balance = this.balance(account, asset);
    this.change(balance, sum(balance.available, amount));
    this.note(balance, type, amount, reference);
    this.external[asset] = difference(this.external[asset]!, amount);
    this.staleAssets.add(asset);
  }

  /** Moves `amount`, which must be available, from one account to another. @param reference Id of the internal transfer */
  move(from: Account, to: Account, asset: number, amount: Exact, reference: number): void {
    const type = EntryType.internalTransfer;
    const giving = this.balance(from, asset);
    this.change(giving, difference(giving.available, amount));
    this.note(giving, type, difference(0, amount), reference);
    const receiving = this.balance(to, asset);
    this.change(receiving, sum(receiving.available, amount));
    this.note(receiving, type, amount, reference);
  }

  /**
   * Moves one side of a busted trade, positive to this account: the other account moves the same amount the other way.
   * @param reference Id of the trade.
   */
  reverse(account: Account, asset: number, amount: Exact, reference: number, type: number): void {
    const balance = this.balance(account, asset);
    this.change(balance, sum(balance.available, amount));
    this.note(balance, type, amount, reference);
  }

  /** Debits a fee that is not for a trade, or returns one if it is negative. */
  chargeFee(account: Account, asset: number, fee: Exact, reference: number, type: number): void {
    const balance = this.balance(account, asset);
    this.change(balance, difference(balance.available, fee));
    this.note(balance, type, difference(0, fee), reference);
    this.fees[asset] = sum(this.fees[asset]!, fee);
    this.staleAssets.add(asset);
  }

  /** Pays a share of the fees of a trade. */
  payReferral(account: Account, asset: number, amount: Exact, tradeId: number): void {
    const balance = this.balance(account, asset);
    this.payFromFees(balance, amount);
    this.note(balance, EntryType.referral, amount, tradeId);
  }

  private payFromFees(balance: Balance, amount: Exact): void {
    const { asset } = balance;
    this.change(balance, sum(balance.available, amount));
    this.fees[asset] = difference(this.fees[asset]!, amount);
    this.staleAssets.add(asset);
  }

  /** Holds `amount` for an order, or for the deposit or withdrawal that the type of the entry refers to. */
  hold(
    account: Account,
    asset: number,
    amount: Exact,
    reference: number,
    type: number = EntryType.hold,
  ): void {
    const balance = this.balance(account, asset);
    this.keep(balance);
    balance.held = sum(balance.held, amount);
    this.change(balance, difference(balance.available, amount));
    this.note(balance, type, difference(0, amount), reference);
  }

  /** Releases `amount` of a hold. */
  release(
    account: Account,
    asset: number,
    amount: Exact,
    reference: number,
    type: number = EntryType.release,
  ): void {
    const balance = this.balance(account, asset);
    this.unhold(balance, amount);
    this.change(balance, sum(balance.available, amount));
    this.note(balance, type, amount, reference);
  }

  // The methods below report no entries: `TradeEvent` represents the entries of a trade.

  /** Debits a maker's held balance, and pays it a rebate from the fees. @returns The available balance afterwards. */
  debitHeld(account: Account, asset: number, amount: Exact, rebate: Exact): Exact {
    const balance = this.balance(account, asset);
    this.unhold(balance, amount);
    if (rebate === 0) this.noteChange(balance);
    else this.payFromFees(balance, rebate);
    return balance.available;
  }

  /** Debits a taker's available balance. @returns The available balance afterwards. */
  debit(account: Account, asset: number, amount: Exact): Exact {
    const balance = this.balance(account, asset);
    this.change(balance, difference(balance.available, amount));
    return balance.available;
  }

  /** Credits `amount` less the fee. @returns The available balance afterwards. */
  credit(account: Account, asset: number, amount: Exact, fee: Exact): Exact {
    const balance = this.balance(account, asset);
    this.change(balance, sum(balance.available, difference(amount, fee)));
    if (fee !== 0) {
      this.fees[asset] = sum(this.fees[asset]!, fee);
      this.staleAssets.add(asset);
    }
    return balance.available;
  }

  /**
   * Begins a copy of all balances that takes several steps: `total` returns what a balance, available and held, was at this
   * call, whatever is applied before `end`. A later call ends the copy before.
   */
  beginCopy(): BalanceCopy {
    const kept = new Map<Balance, Exact>();
    this.preserved = kept;
    return {
      total: (balance) => kept.get(balance) ?? sum(balance.available, balance.held),
      end: () => {
        if (this.preserved === kept) this.preserved = undefined;
      },
    };
  }

  totals(accounts: readonly Account[], asset: number): AssetTotals {
    let available: Exact = 0;
    let held: Exact = 0;
    for (const account of accounts) {
      const balance = account.balances[asset];
      if (balance === undefined) continue;
      available = sum(available, balance.available);
      held = sum(held, balance.held);
    }
    return { available, held, fees: this.fees[asset]!, external: this.external[asset]! };
  }

  /** Restores a balance from a snapshot. */
  restore(account: Account, asset: number, available: Exact, held: Exact): void {
    const balance = this.balance(account, asset);
    balance.available = available;
    balance.held = held;
    this.noteChange(balance);
  }

  /** Returns the hash of the totals that belong to no account. */
  hashAssetTotals(asset: number): number {
    return mixExact(mixExact(mix(8, asset), this.fees[asset]!), this.external[asset]!);
  }

  private balance(account: Account, asset: number): Balance {
    let balance = account.balances[asset];
    if (balance === undefined) {
      balance = new Balance(account.index, asset);
      // Filled without holes, which keeps the array in its fast representation.
      while (account.balances.length < asset) account.balances.push(undefined);
      account.balances[asset] = balance;
    }
    return balance;
  }

  private change(balance: Balance, available: Exact): void {
    if (available < 0) throw belowZero(balance, 'available');
    this.keep(balance);
    balance.available = available;
    this.noteChange(balance);
  }

  private unhold(balance: Balance, amount: Exact): void {
    const held = difference(balance.held, amount);
    if (held < 0) throw belowZero(balance, 'held');
    this.keep(balance);
    balance.held = held;
  }

  /** Keeps the total of a balance before it changes, for the copy that is being made. */
  private keep(balance: Balance): void {
    const { preserved } = this;
    if (preserved === undefined || preserved.has(balance)) return;
    preserved.set(balance, sum(balance.available, balance.held));
  }

  /** Reports a change of `balance` that was already made. */
  private note(balance: Balance, type: number, amount: Exact, reference: number): void {
    this.events.push({
      kind: 'entry',
      id: this.nextEntryId++,
      account: balance.account,
      asset: balance.asset,
      type,
      amount,
      after: balance.available,
      reference,
      time: this.time,
    });
  }

  private noteChange(balance: Balance): void {
    if (balance.isStale) return;
    balance.isStale = true;
    this.staleBalances.push(balance);
  }
}

function belowZero({ account, asset }: Balance, part: string): InvariantError {
  return new InvariantError(
    `the ${part} balance of account ${account} in asset ${asset} would become negative`,
  );
}

/**
 * Returns the fee on `received`, rounded up, so never in the trader's favor. `rate` is in parts per
 * million.
 */
export function feeOn(received: Exact, rate: number): Exact {
  if (typeof received !== 'number') {
    return exact((received * BigInt(rate) + 999_999n) / 1_000_000n);
  }
  // Computed separately for the millions and the rest, so that every step is exact.
  const millions = Math.floor(received / 1_000_000);
  const rest = received - millions * 1_000_000;
  return millions * rate + Math.ceil((rest * rate) / 1_000_000);
}

/** Returns a share of `amount`, rounded down, so never to the exchange's loss. `rate` is in parts per million. */
export function takeShare(amount: Exact, rate: number): Exact {
  if (typeof amount !== 'number') return exact((amount * BigInt(rate)) / 1_000_000n);
  // Computed separately for the millions and the rest, so that every step is exact.
  const millions = Math.floor(amount / 1_000_000);
  const rest = amount - millions * 1_000_000;
  return millions * rate + Math.floor((rest * rate) / 1_000_000);
}
