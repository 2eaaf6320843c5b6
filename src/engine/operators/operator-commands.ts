import type { Actor, CommandKind } from '../command-kind.ts';
import type { Exact } from '../numbers/exact.ts';

/** The commands about approvals, grants to users, notes and alerts (engine version 2). */

/**
 * Replaces the approval policy. It always needs a second operator, so that a policy in force proves that two of them
 * can act.
 */
export interface SetApprovalPolicy extends Actor {
  readonly kind: typeof CommandKind.setApprovalPolicy;
  /** Sum of ApprovalAction values; 0 turns the policy off. */
  readonly actions: number;
  /** Credits and debits of an asset need an approval above its limit; without one always. */
  readonly limits: readonly ApprovalLimit[];
}

export interface ApprovalLimit {
  /** An asset index. */
  readonly asset: number;
  /** In minor units. */
  readonly amount: Exact;
}

/** Approves a request and executes its command at once, on behalf of the requester. */
export interface Approve extends Actor {
  readonly kind: typeof CommandKind.approve;
  readonly id: number;
  /** Id of the signed-in user who approves; empty for a key. */
  readonly user: string;
  /** For the command of the request: see Transfer. */
  readonly searchedBelow?: number;
}

/** Rejects a request; its requester withdraws it. */
export interface RejectApproval extends Actor {
  readonly kind: typeof CommandKind.rejectApproval;
  readonly id: number;
  readonly user: string;
  readonly reason: string;
}

/** Allows a user's permissions, which are kept in the user database; the engine only records it. */
export interface GrantAccess extends Actor {
  readonly kind: typeof CommandKind.grantAccess;
  /** The user's account. */
  readonly owner: number;
  /** Id of the user. */
  readonly user: string;
  /** Sum of Permission values. */
  readonly permissions: number;
}

/** Adds a note of operators to an account. */
export interface AddNote extends Actor {
  readonly kind: typeof CommandKind.addNote;
  readonly owner: number;
  /** Id of the signed-in user who writes it; empty for a key. */
  readonly user: string;
  readonly text: string;
}

export interface RemoveNote extends Actor {
  readonly kind: typeof CommandKind.removeNote;
  readonly id: number;
}

/** Changes the case of an alert of surveillance. History has the alerts and their cases; the engine records the review only. */
export interface ReviewAlert extends Actor {
  readonly kind: typeof CommandKind.reviewAlert;
  /** Id of the alert. */
  readonly alert: string;
  /** Whether the case is closed from then on. */
  readonly isClosed: boolean;
  /** Index of the account of the operator who investigates from then on; NONE for no one. */
  readonly assignee: number;
  /** Id of the signed-in user who reviews it; empty for a key. */
  readonly user: string;
  /** May be empty unless the case is closed. */
  readonly note: string;
}
