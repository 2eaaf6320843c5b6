import { type Command, CommandKind } from './command.ts';
import { fromCommandBytes, toCommandBytes } from './operators/command-bytes.ts';
import type { ApprovalRequest } from './operators/records.ts';
import { RejectionCode } from './rejection.ts';
import { announcementSeverities, marketStatuses } from './terms.ts';

/** Commands as operators see them: their names, their kinds in timelines, and their fields as JSON. */

const names = new Map(Object.entries(CommandKind).map(([name, kind]) => [kind as number, name]));

export function commandName({ kind }: Command): string {
  return names.get(kind)!;
}

/** The kinds of entries in the timeline of a user. */
export const timelineKinds = [
  'account',
  'fees',
  'limits',
  'keys',
  'roles',
  'notes',
  'transfers',
  'deposits',
  'withdrawals',
  'other',
] as const;
export type TimelineKind = (typeof timelineKinds)[number];

/** The commands of each kind; all others are `other`. */
const COMMANDS_BY_KIND: Readonly<
  Partial<Record<TimelineKind, readonly (keyof typeof CommandKind)[]>>
> = {
  account: [
    ...(['createAccount', 'setAccountStatus', 'cancelOrdersOf'] as const),
    ...(['createSubAccount', 'renameSubAccount', 'closeSubAccount'] as const),
  ],
  fees: ['setFeeTiers', 'setAccountFeeTier', 'setFeeDiscount', 'setReferralShare', 'setReferrer'],
  limits: ['setAccountLimitClass', 'setTradingLimits'],
  keys: [
    ...(['createKey', 'createSignedKey', 'createHmacKey', 'resealKey'] as const),
    ...(['changeKey', 'revokeKey'] as const),
  ],
  roles: ['grantAccess'],
  notes: ['addNote', 'removeNote'],
  transfers: ['transfer', 'internalTransfer', 'bustTrade'],
  deposits: ['assignAddress', 'resolveDeposit'],
  withdrawals: [
    ...(['addWithdrawalAddress', 'removeWithdrawalAddress', 'requestWithdrawal'] as const),
    ...(['cancelWithdrawal', 'approveWithdrawal', 'rejectWithdrawal', 'reportWithdrawal'] as const),
  ],
};

/** The kinds by the names of commands; all others are `other`. */
export const KINDS_BY_NAME: ReadonlyMap<string, TimelineKind> = new Map(
  timelineKinds.flatMap((kind) =>
    (COMMANDS_BY_KIND[kind] ?? []).map((name): [string, TimelineKind] => [name, kind]),
  ),
);

/** Returns the kind of a command in the timeline of a user. */
export function timelineKind(command: Command): TimelineKind {
  return KINDS_BY_NAME.get(commandName(command)) ?? 'other';
}

/** Outcomes as operators see them: no one rejected a command that the policy sent to a second operator. */
export const auditOutcomes = ['done', 'repeated', 'rejected', 'sent_for_approval'] as const;
export type AuditOutcome = (typeof auditOutcomes)[number];

/** @param rejection A RejectionCode; 0 unless rejected */
export function toAuditOutcome({
  outcome,
  rejection,
}: {
  readonly outcome: 'done' | 'repeated' | 'rejected';
  readonly rejection: number;
}): AuditOutcome {
  const isSent = outcome === 'rejected' && rejection === RejectionCode.needsApproval;
  return isSent ? 'sent_for_approval' : outcome;
}

/** Returns the fields of a command but its actor as JSON: money as decimal text, no secrets or their hashes. */
export function commandDetails(command: Command): string {
  return JSON.stringify(command, detail);
}

/** Returns the fields of a request for approval that expired as JSON, like those of a command. */
export function expiryDetails(request: ApprovalRequest): string {
  const { id, user, reason, requestedAt } = request;
  // The order of its fields is another if the request comes from a snapshot, and the text must be the same on every replay.
  const command = fromCommandBytes(toCommandBytes(request.command));
  return JSON.stringify({ id, user, reason, requestedAt, command }, detail);
}

/** Fields that have their own columns, or that must not be stored. */
const EXCLUDED = new Set(['kind', 'account', 'key', 'secretHash', 'sealedSecret']);
/** Fields written as decimal text, whatever their size. */
const MONEY = new Set([
  ...['amount', 'minNotional', 'minVolume'],
  ...['makerFeePaid', 'takerFeePaid'],
  ...[
    'minDeposit',
    'minWithdrawal',
    'withdrawalFee',
    'dailyLimit',
    'approvalAbove',
    'minBalance',
    'limit',
  ],
]);

function detail(name: string, value: unknown): unknown {
  if (EXCLUDED.has(name)) return undefined;
  // The command of a request for approval.
  if (name === 'command') return { action: commandName(value as Command), ...(value as Command) };
  if (value instanceof Uint8Array) return value.toBase64();
  if (name === 'status' || name === 'mode') return marketStatuses[value as number];
  if (name === 'severity') return announcementSeverities[value as number];
  return MONEY.has(name) ? String(value) : value;
}
