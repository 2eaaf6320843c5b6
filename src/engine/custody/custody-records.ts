import type { Exact } from '../numbers/exact.ts';
import type { DepositStatus, WithdrawalStatus } from './statuses.ts';

/** An address at which the custodian receives deposits of an account. */
export interface DepositAddress {
  readonly id: number;
  readonly account: number;
  readonly network: number;
  readonly address: string;
  /** Empty for none. */
  readonly memo: string;
  /** Milliseconds since 1970, like all times. */
  readonly createdAt: number;
}

/** A request to the custodian for a deposit address; its id is that of the instruction. */
export interface AddressRequest {
  readonly id: number;
  readonly account: number;
  readonly network: number;
  readonly createdAt: number;
}

/** An address of an account's address book. */
export interface WithdrawalAddress {
  readonly id: number;
  readonly account: number;
  readonly network: number;
  readonly address: string;
  readonly memo: string;
  readonly createdAt: number;
  /** When withdrawals to it may first be requested. */
  readonly usableAt: number;
}

/** A deposit after a change. */
export interface DepositRecord {
  readonly kind: 'deposit';
  /** From the same sequence as the ids of withdrawals, instructions and addresses. */
  readonly id: number;
  /** NONE if the address belongs to no account. */
  readonly account: number;
  readonly network: number;
  readonly transaction: string;
  readonly index: number;
  readonly address: string;
  readonly memo: string;
  /** In minor units of the asset. */
  readonly amount: Exact;
  readonly confirmations: number;
  readonly status: DepositStatus;
  /** Number of the newest report that was taken into account. */
  readonly report: number;
  /** The held part of a frozen deposit; otherwise 0. Less than the amount if the account had less. */
  readonly held: Exact;
  readonly createdAt: number;
  readonly updatedAt: number;
  /** 0 unless it was credited. */
  readonly creditedAt: number;
}

/** A withdrawal after a change. */
export interface WithdrawalRecord {
  readonly kind: 'withdrawal';
  readonly id: number;
  readonly account: number;
  /** The key that requested it; NONE for a session. */
  readonly key: number;
  readonly network: number;
  readonly address: string;
  readonly memo: string;
  /** The amount that arrives, in minor units of the asset; the fee is held in addition. */
  readonly amount: Exact;
  readonly fee: Exact;
  readonly clientId: string | null;
  readonly status: WithdrawalStatus;
  /** End of the delay; 0 without one. */
  readonly waitsUntil: number;
  /** Accounts of the operators who approved it. */
  readonly approvals: readonly number[];
  /** Id of its instruction; 0 before its approval. */
  readonly instruction: number;
  /** Empty before it is broadcast. */
  readonly transaction: string;
  /** Why it failed or was rejected; otherwise empty. */
  readonly reason: string;
  /** Number of the newest report that was taken into account; 0 before the first. */
  readonly report: number;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** The coins that the custodian holds for the exchange on one network. */
export interface Holding {
  /** Id of the network. */
  readonly id: number;
  /** In minor units of the asset. */
  readonly amount: Exact;
  /** Number of the key that signed the newest report. */
  readonly keyNumber: number;
  /** Number of the newest report. */
  readonly report: number;
  /** When it arrived, milliseconds since 1970. */
  readonly reportedAt: number;
}

/** An order to the custodian. The outbox has the instructions that it has not acknowledged, by ascending id. */
export type Instruction =
  | { readonly id: number; readonly kind: 'address'; readonly request: AddressRequest }
  | { readonly id: number; readonly kind: 'withdrawal'; readonly withdrawal: WithdrawalRecord };
