import type { Actor, CommandKind } from '../command-kind.ts';
import type { Exact } from '../numbers/exact.ts';

/** The commands of users about their sub-accounts and transfers between accounts (engine version 2). */

/** Opens a sub-account of the actor's account, or returns the one with the same name. */
export interface CreateSubAccount extends Actor {
  readonly kind: typeof CommandKind.createSubAccount;
  /** Id of the new account. */
  readonly accountId: string;
  readonly name: string;
}

export interface RenameSubAccount extends Actor {
  readonly kind: typeof CommandKind.renameSubAccount;
  /** The account index of the sub-account. */
  readonly owner: number;
  readonly name: string;
}

/** Closes a sub-account that holds and awaits nothing, and revokes its keys, or reopens it. */
export interface CloseSubAccount extends Actor {
  readonly kind: typeof CommandKind.closeSubAccount;
  /** The account index of the sub-account. */
  readonly owner: number;
  /** False to reopen it. */
  readonly isClosed: boolean;
}

/** Moves available money to another account of the group or of another user. */
export interface InternalTransfer extends Actor {
  readonly kind: typeof CommandKind.internalTransfer;
  /** The account index of the actor's account, or of a sub-account of it. */
  readonly from: number;
  readonly to: number;
  readonly asset: number;
  /** In minor units, positive. */
  readonly amount: Exact;
  /** A repeated request with the same id moves nothing; null for none. */
  readonly clientId: string | null;
}

export type SubAccountCommand =
  | CreateSubAccount
  | RenameSubAccount
  | CloseSubAccount
  | InternalTransfer;
