import type { Actor, CommandKind, Explained } from './command-kind.ts';
import type { FeeTier } from './markets/market-rules.ts';
import type { Exact } from './numbers/exact.ts';

/** The commands about accounts, their funds and fees. */

export interface CreateAccount extends Actor {
  readonly kind: typeof CommandKind.createAccount;
  readonly accountId: string;
  /** Multiplier of the account's rate limits, 1 to 1000. */
  readonly limitClass: number;
}

export interface SetAccountStatus extends Actor {
  readonly kind: typeof CommandKind.setAccountStatus;
  readonly owner: number;
  readonly frozen: boolean;
  /** For the audit log; the engine ignores it. */
  readonly reason?: string;
}

export interface SetAccountLimitClass extends Explained {
  readonly kind: typeof CommandKind.setAccountLimitClass;
  readonly owner: number;
  /** Multiplier of the account's rate limits, 1 to 1000. */
  readonly limitClass: number;
}

export interface Transfer extends Actor {
  readonly kind: typeof CommandKind.transfer;
  readonly owner: number;
  readonly asset: number;
  /** In minor units; positive credits the account, negative debits it. */
  readonly amount: Exact;
  readonly reference: string;
  readonly reason: string;
  /**
   * Transfer id up to which history was searched: no transfer with a lower id has `reference`.
   * Absent if history was not searched.
   */
  readonly searchedBelow?: number;
}

export interface SetFeeTiers extends Explained {
  readonly kind: typeof CommandKind.setFeeTiers;
  /** Index of the asset in which volume is counted: only trades in markets quoted in it count. */
  readonly asset: number;
  /** In ascending order of volume; replaces the whole table. */
  readonly tiers: readonly FeeTier[];
}

export interface SetAccountFeeTier extends Explained {
  readonly kind: typeof CommandKind.setAccountFeeTier;
  readonly owner: number;
  /** NONE lets the account's volume decide. */
  readonly tier: number;
}

/** Replaces the fee discount of accounts that own an asset (engine version 2). */
export interface SetFeeDiscount extends Explained {
  readonly kind: typeof CommandKind.setFeeDiscount;
  readonly asset: number;
  /** Minimum that an account must own, available and held, in minor units; above zero. */
  readonly minBalance: Exact;
  /** Part of the fee rate that is waived, in parts per million; 0 removes the discount. */
  readonly rate: number;
}

/** Sets which part of its fees the referrer of an account receives (engine version 2). */
export interface SetReferralShare extends Explained {
  readonly kind: typeof CommandKind.setReferralShare;
  /** Parts per million of the fee less the rebate that it pays for. */
  readonly share: number;
}

/** Records that an account was referred by another, once and permanently (engine version 2). */
export interface SetReferrer extends Explained {
  readonly kind: typeof CommandKind.setReferrer;
  readonly owner: number;
  /** Index of the account that receives the share. */
  readonly referrer: number;
}
