import type { Actor, CommandKind, Explained } from '../command-kind.ts';
import type { Exact } from '../numbers/exact.ts';
import type { NetworkRules } from './networks.ts';
import type { Resolution, WithdrawalReport } from './statuses.ts';

/** The commands about networks, deposits and withdrawals (engine version 2). */

/** Adds a network of an asset, or replaces the rules of a known one. */
export interface SetNetwork extends Explained, NetworkRules {
  readonly kind: typeof CommandKind.setNetwork;
  readonly asset: number;
}

/** Replaces the key with which the custodian signs its requests. */
export interface SetCustodianKey extends Actor {
  readonly kind: typeof CommandKind.setCustodianKey;
  /** The 32 bytes of an Ed25519 public key (RFC 8032). */
  readonly publicKey: Uint8Array;
}

/** Asks the custodian for the deposit address of the account, unless it has one. */
export interface RequestAddress extends Actor {
  readonly kind: typeof CommandKind.requestAddress;
  readonly network: number;
}

/** A command that the custodian caused. */
export interface CustodianActor extends Actor {
  /** Number of the key that signed the request (see `Custody.keyNumber`); 0 for the process itself. */
  readonly keyNumber: number;
}

/** Gives an account its deposit address on a network. */
export interface AssignAddress extends CustodianActor {
  readonly kind: typeof CommandKind.assignAddress;
  readonly owner: number;
  readonly network: number;
  readonly address: string;
  /** Empty for an address without a memo. */
  readonly memo: string;
}

/** Reports what the custodian knows of an incoming payment. */
export interface ReportDeposit extends CustodianActor {
  readonly kind: typeof CommandKind.reportDeposit;
  readonly network: number;
  readonly transaction: string;
  /** Place of the payment in its transaction, from 0. */
  readonly index: number;
  readonly address: string;
  readonly memo: string;
  /** In minor units of the asset. */
  readonly amount: Exact;
  readonly confirmations: number;
  /** Increases with every report of a deposit, from 1. A report that is not newer changes nothing. */
  readonly report: number;
  /** The transaction is no longer in the chain. */
  readonly reorganized: boolean;
  /** Deposit id up to which history was searched: no deposit with a lower id is of this payment. Absent if it was not searched. */
  readonly searchedBelow?: number;
}

/** Decides on a deposit under review, or on one that was reorganized after its credit. */
export interface ResolveDeposit extends Actor {
  readonly kind: typeof CommandKind.resolveDeposit;
  readonly deposit: number;
  readonly resolution: Resolution;
  /** The account to credit; NONE unless `resolution` is credit. */
  readonly owner: number;
}

/** Adds an address to which the account may withdraw. */
export interface AddWithdrawalAddress extends Actor {
  readonly kind: typeof CommandKind.addWithdrawalAddress;
  readonly network: number;
  readonly address: string;
  readonly memo: string;
}

export interface RemoveWithdrawalAddress extends Actor {
  readonly kind: typeof CommandKind.removeWithdrawalAddress;
  readonly addressId: number;
}

export interface RequestWithdrawal extends Actor {
  readonly kind: typeof CommandKind.requestWithdrawal;
  /** Id of an entry of the account's address book. */
  readonly addressId: number;
  /** The amount that arrives at the address, in minor units of the asset. */
  readonly amount: Exact;
  readonly clientId: string | null;
  /** The user signed in with a device that is new to them. */
  readonly isNewDevice: boolean;
}

/** Cancels a withdrawal that was not approved yet. */
export interface CancelWithdrawal extends Actor {
  readonly kind: typeof CommandKind.cancelWithdrawal;
  readonly withdrawal: number;
}

/** One of the two approvals of a withdrawal; the second one sends it. */
export interface ApproveWithdrawal extends Actor {
  readonly kind: typeof CommandKind.approveWithdrawal;
  readonly withdrawal: number;
}

export interface RejectWithdrawal extends Actor {
  readonly kind: typeof CommandKind.rejectWithdrawal;
  readonly withdrawal: number;
  /** Shown to the user. */
  readonly reason: string;
}

/** Reports the progress of a withdrawal that was sent to the custodian. */
export interface ReportWithdrawal extends CustodianActor {
  readonly kind: typeof CommandKind.reportWithdrawal;
  readonly withdrawal: number;
  readonly reached: WithdrawalReport;
  /** Empty if unknown, which it may be of a failed one only. */
  readonly transaction: string;
  /** Why it failed; shown to the user. */
  readonly reason: string;
  /** Increases with every report of a withdrawal, from 1. */
  readonly report: number;
}

/** Reports the coins that the custodian holds for the exchange on a network. */
export interface ReportHoldings extends CustodianActor {
  readonly kind: typeof CommandKind.reportHoldings;
  readonly network: number;
  /** In minor units of the asset; 0 if it holds none. */
  readonly amount: Exact;
  /** Increases with every report of a network by the same key, from 1. A report that is not newer changes nothing. */
  readonly report: number;
}

/** The custodian has received an instruction of the outbox. */
export interface AcknowledgeInstruction extends Actor {
  readonly kind: typeof CommandKind.acknowledgeInstruction;
  readonly instruction: number;
}

export type CustodyCommand =
  | SetNetwork
  | SetCustodianKey
  | RequestAddress
  | AssignAddress
  | ReportDeposit
  | ResolveDeposit
  | AddWithdrawalAddress
  | RemoveWithdrawalAddress
  | RequestWithdrawal
  | CancelWithdrawal
  | ApproveWithdrawal
  | RejectWithdrawal
  | ReportWithdrawal
  | ReportHoldings
  | AcknowledgeInstruction;
