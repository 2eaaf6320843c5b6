import type { Exact } from '../numbers/exact.ts';

/** A sub-account, in addition to its account. */
export interface SubAccount {
  /** An account index. */
  readonly account: number;
  /** The index of the main account. */
  readonly main: number;
  /** Unique within the group. */
  readonly name: string;
}

/** Money that moved between the accounts of users. */
export interface InternalTransferRecord {
  readonly id: number;
  /** Account indexes. */
  readonly from: number;
  readonly to: number;
  readonly asset: number;
  /** In minor units, positive. */
  readonly amount: Exact;
  /** The sender's id of the transfer. */
  readonly clientId: string | null;
  /** Milliseconds since 1970. */
  readonly time: number;
}
