import type { ApprovableCommand } from '../command.ts';

/** The states of a request. Snapshots store the index in the list: new names are appended. */
export const approvalStatuses = [
  'pending',
  'approved',
  'rejected',
  'withdrawn',
  'expired',
] as const;
export type ApprovalStatus = (typeof approvalStatuses)[number];

/** The operator who decided about a request. */
export interface Decision {
  /** Indexes of account and key, NONE for an expiry; the key is NONE for a session too. */
  readonly account: number;
  readonly key: number;
  /** Id of the signed-in user, empty for a key. */
  readonly user: string;
  readonly reason: string;
  /** Milliseconds since 1970. */
  readonly time: number;
}

/** A request for the approval of a command by a second operator. It never changes. */
export interface ApprovalRequest {
  readonly id: number;
  readonly user: string;
  readonly reason: string;
  /** Its actor is the requester. */
  readonly command: ApprovableCommand;
  /** Milliseconds since 1970. */
  readonly requestedAt: number;
  readonly status: ApprovalStatus;
  /** Undefined while it is pending. */
  readonly decision?: Decision | undefined;
}

/** A note of operators about an account. */
export interface Note {
  readonly id: number;
  /** Index of the account that it is about. */
  readonly owner: number;
  /** Indexes of its author's account and key; the key is NONE for a session. */
  readonly account: number;
  readonly key: number;
  /** Id of the signed-in user who wrote it, empty for a key. */
  readonly user: string;
  readonly text: string;
  /** Milliseconds since 1970. */
  readonly time: number;
}
