import { type Account, Balance, hashBalance } from './accounts.ts';
import { mix, mixBigint } from './digest.ts';
import type { Event } from './event.ts';
import { invariant } from './rejection.ts';
import { EntryType } from './terms.ts';

/** An asset's sums over the whole exchange, minor units; they always add up to zero. */
export interface AssetTotals {
  readonly available: bigint;
  readonly held: bigint;
  readonly fees: bigint;
  readonly external: bigint;
}

/**
 * Who has what. Every unit in an account came from `external` (which goes below zero by it) or
 * from another account, and every unit that leaves one arrives in another, in `fees` or back in
 * `external`. Costs are exact by the listing's rules and fees round up, so there is no dust that
 * would need a place of its own.
 */
export class Ledger {
  /** By asset, minor units. */
  readonly fees: bigint[] = [];
  readonly external: bigint[] = [];
  nextEntryId = 1;
  /** Time of the command being applied. */
  time = 0;

  private hashes = 0;
  /** Balances that have changed since the digest was last asked for, and assets whose sums have. */
  private readonly staleBalances: Balance[] = [];
  private readonly staleAssets = new Set<number>();
  /** By asset: hash of its sums as it stands in the digest. */
  private readonly assetHashes: number[] = [];

  constructor(private readonly events: Event[]) {}

  /**
   * The sum of the hashes of all balances and sums. A balance changes several times in a batch, so
   * it is hashed when the digest is asked for and not before.
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
      const hash = this.hashOwn(asset);
      this.hashes = (this.hashes - this.assetHashes[asset]! + hash) | 0;
      this.assetHashes[asset] = hash;
    }
    this.staleAssets.clear();
    return this.hashes;
  }

  addAsset(fees: bigint, external: bigint): void {
    this.fees.push(fees);
    this.external.push(external);
    this.assetHashes.push(0);
    this.staleAssets.add(this.fees.length - 1);
  }

  /** Moves `amount` between the account and the outside: above zero in, below zero out. */
  transfer(account: Account, asset: number, amount: bigint, transferId: number): void {
    this.change(account, asset, EntryType.transfer, amount, transferId);
    this.external[asset]! -= amount;
    this.staleAssets.add(asset);
  }

  /** Sets `amount` aside for an order. */
  hold(account: Account, asset: number, amount: bigint, orderId: number): void {
    const balance = this.balance(account, asset);
    balance.held += amount;
    this.change(account, asset, EntryType.hold, -amount, orderId);
  }

  /** Gives back what was set aside. */
  release(account: Account, asset: number, amount: bigint, orderId: number): void {
    const balance = this.balance(account, asset);
    balance.held -= amount;
    invariant(
      balance.held >= 0n,
      `account ${account.id} has less than zero of asset ${asset} held`,
    );
    this.change(account, asset, EntryType.release, amount, orderId);
  }

  /** One side of a trade: what it gives and what it gets, the fee taken out of the latter. */
  settle(
    account: Account,
    givenAsset: number,
    given: bigint,
    receivedAsset: number,
    received: bigint,
    fee: bigint,
    tradeId: number,
  ): void {
    this.change(account, givenAsset, EntryType.trade, -given, tradeId);
    this.change(account, receivedAsset, EntryType.trade, received, tradeId);
    if (fee === 0n) return;
    this.change(account, receivedAsset, EntryType.fee, -fee, tradeId);
    this.fees[receivedAsset]! += fee;
    this.staleAssets.add(receivedAsset);
  }

  totals(accounts: readonly Account[], asset: number): AssetTotals {
    let available = 0n;
    let held = 0n;
    for (const account of accounts) {
      const balance = account.balances[asset];
      if (balance === undefined) continue;
      available += balance.available;
      held += balance.held;
    }
    return { available, held, fees: this.fees[asset]!, external: this.external[asset]! };
  }

  /** Puts a balance as it stands in a snapshot. */
  restore(account: Account, asset: number, available: bigint, held: bigint): void {
    const balance = this.balance(account, asset);
    balance.available = available;
    balance.held = held;
    this.noteChange(balance);
  }

  /** Hash of what belongs to no account. */
  hashOwn(asset: number): number {
    return mixBigint(mixBigint(mix(8, asset), this.fees[asset]!), this.external[asset]!);
  }

  private balance(account: Account, asset: number): Balance {
    let balance = account.balances[asset];
    if (balance === undefined) {
      balance = new Balance(account.index, asset);
      // Without holes, so that the array stays a fast one.
      while (account.balances.length < asset) account.balances.push(undefined);
      account.balances[asset] = balance;
    }
    return balance;
  }

  private change(
    account: Account,
    asset: number,
    type: number,
    amount: bigint,
    reference: number,
  ): void {
    const balance = this.balance(account, asset);
    const after = balance.available + amount;
    invariant(after >= 0n, `account ${account.id} would have less than zero of asset ${asset}`);
    balance.available = after;
    this.noteChange(balance);
    this.events.push({
      kind: 'entry',
      id: this.nextEntryId++,
      account: account.index,
      asset,
      type,
      amount,
      after,
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

/** The fee on `received`, rounded up: never in the trader's favour. `rate` is in parts per million. */
export function feeOn(received: bigint, rate: number): bigint {
  if (rate === 0) return 0n;
  if (received > LARGEST_SAFE) return (received * BigInt(rate) + 999_999n) / 1_000_000n;
  // The same in doubles, a quarter of the time: millions and rest apart, every step is exact.
  const amount = Number(received);
  const millions = Math.floor(amount / 1_000_000);
  const rest = amount - millions * 1_000_000;
  return BigInt(millions * rate + Math.ceil((rest * rate) / 1_000_000));
}

const LARGEST_SAFE = BigInt(Number.MAX_SAFE_INTEGER);
