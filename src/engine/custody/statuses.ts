/**
 * The states of deposits and withdrawals. The engine, the log, snapshots and history store the index in the list; an
 * index never changes its meaning, so new names are appended.
 */

export const depositStatuses = [
  'pending',
  'credited',
  'reversed',
  'below_minimum',
  'review',
  'frozen',
  'debited',
  'released',
  'dismissed',
] as const;
export const DepositStatus = {
  /** Seen, with fewer confirmations than the network asks for, or while its deposits are off. */
  pending: 0,
  /** Ended, unless it is reorganized. */
  credited: 1,
  /** Reorganized before its credit. Ended, unless it is reported again. */
  reversed: 2,
  /** Confirmed, but too small to be credited. Ended. */
  belowMinimum: 3,
  /** Confirmed, but to an address of no account: an operator decides. */
  review: 4,
  /** Reorganized after its credit: what the account still had of it is held, and an operator decides. */
  frozen: 5,
  /** Taken back after a reorganization. Ended. */
  debited: 6,
  /** Left with the account after a reorganization. Ended. */
  released: 7,
  /** Not credited to any account. Ended. */
  dismissed: 8,
} as const;
export type DepositStatus = (typeof DepositStatus)[keyof typeof DepositStatus];

/** The names of the states of deposits in the API, where a pending one is `seen` before its first confirmation. */
export const shownDepositStatuses = [
  'seen',
  'confirming',
  ...depositStatuses.slice(1),
] as readonly ShownDepositStatus[];
export type ShownDepositStatus =
  | 'seen'
  | 'confirming'
  | Exclude<(typeof depositStatuses)[number], 'pending'>;

/** Returns the name of the state of a deposit in the API. */
export function depositStatusName({
  status,
  confirmations,
}: {
  readonly status: DepositStatus;
  readonly confirmations: number;
}): ShownDepositStatus {
  if (status !== DepositStatus.pending) return depositStatuses[status] as ShownDepositStatus;
  return confirmations === 0 ? 'seen' : 'confirming';
}

export const withdrawalStatuses = [
  'delayed',
  'awaiting_approval',
  'approved',
  'sending',
  'broadcast',
  'confirmed',
  'failed',
  'canceled',
  'rejected',
] as const;
export const WithdrawalStatus = {
  /** Waits for the end of the delay after a new device. */
  delayed: 0,
  /** Waits for two operators. */
  awaitingApproval: 1,
  /** Its instruction waits in the outbox. */
  approved: 2,
  /** The custodian has received the instruction. */
  sending: 3,
  broadcast: 4,
  /** Ended: paid. */
  confirmed: 5,
  /** Ended by the custodian, like all further ones with its hold released. */
  failed: 6,
  /** Ended by the user. */
  canceled: 7,
  /** Ended by an operator. */
  rejected: 8,
} as const;
export type WithdrawalStatus = (typeof WithdrawalStatus)[keyof typeof WithdrawalStatus];

/** Returns whether a deposit has left the list of those that something may still happen to by itself. */
export function isEnded({ status }: { readonly status: DepositStatus }): boolean {
  return (
    status !== DepositStatus.pending &&
    status !== DepositStatus.review &&
    status !== DepositStatus.frozen
  );
}

/** Returns whether nothing is held for a withdrawal any more. */
export function hasEnded({ status }: { readonly status: WithdrawalStatus }): boolean {
  return status >= WithdrawalStatus.confirmed;
}

/** The states that the custodian reports. */
export type WithdrawalReport =
  | typeof WithdrawalStatus.broadcast
  | typeof WithdrawalStatus.confirmed
  | typeof WithdrawalStatus.failed;

export const resolutions = ['credit', 'dismiss', 'debit', 'release'] as const;
/** Decisions of an operator: the first two on deposits under review, the others on frozen ones. */
export const Resolution = { credit: 0, dismiss: 1, debit: 2, release: 3 } as const;
export type Resolution = (typeof Resolution)[keyof typeof Resolution];

export const memoRules = ['none', 'optional', 'required'] as const;
export const MemoRule = { none: 0, optional: 1, required: 2 } as const;
export type MemoRule = (typeof MemoRule)[keyof typeof MemoRule];

/** Distinct operators who must approve a withdrawal that no rule approves. */
export const REQUIRED_APPROVALS = 2;
