import { type Command, CommandKind } from '../../engine/command.ts';
import { type TimelineKind, timelineKind } from '../../engine/command-details.ts';
import { type Event, findResult, type Outcome } from '../../engine/event.ts';
import { NONE } from '../../engine/terms.ts';
import type { Row, Table } from '../database/database.ts';
import { bigint, Columns, text } from './columns.ts';

/** An account that an audit record concerns: that of its actor, or one that the command is about. */
export interface AuditSubject {
  /** Index of the account. */
  readonly account: number;
  /** Batch of the command. */
  readonly sequence: number;
  /** Id of the audit record. */
  readonly auditId: number;
  /** The kind of the command; of requests for approval and decisions about them, that of the command that waits. */
  readonly kind: TimelineKind;
}

const columns = new Columns<AuditSubject>({
  account: bigint('account'),
  sequence: bigint('sequence'),
  auditId: bigint('audit_id'),
  kind: text<TimelineKind>('kind'),
});

/** The accounts of audit records, by which the timeline of a user finds them; rows never change. */
export const auditSubjectsTable: Table<AuditSubject> = {
  name: 'audit_subjects',
  columns: columns.all,
  write: (subject, values, at) => columns.write(subject, values, at),
};

export function readAuditSubject(row: Row): AuditSubject {
  return columns.read(row);
}

/**
 * Returns the accounts that a command concerns, each once. A rejected command concerns those that it names; the owner of
 * a key, note, deposit or withdrawal that it names by its id is only known if it was carried out.
 */
export function toSubjects(
  { sequence, auditId }: Pick<AuditSubject, 'sequence' | 'auditId'>,
  command: Command,
  outcome: Outcome,
): AuditSubject[] {
  const request = findRequest(command, outcome);
  const accounts = new Set([
    ...namedAccounts(command),
    ...(request === undefined ? [] : namedAccounts(request)),
    ...resultAccounts(findResult(outcome)),
  ]);
  accounts.delete(NONE);
  const kind = timelineKind(request ?? command);
  return [...accounts].map((account) => ({ account, sequence, auditId, kind }));
}

/** Returns the accounts that a request for approval concerns that expired. */
export function toExpirySubjects(
  { sequence, auditId }: Pick<AuditSubject, 'sequence' | 'auditId'>,
  { command }: Extract<Event, { kind: 'approvalExpired' }>['request'],
): AuditSubject[] {
  return toSubjects({ sequence, auditId }, command, { kind: 'done' });
}

/** Returns the command that waits for the approval that a command is about; undefined for other commands. */
function findRequest(command: Command, outcome: Outcome): Command | undefined {
  if (command.kind === CommandKind.requestApproval) return command.command;
  return outcome.kind === 'approval' ? outcome.approval.command : undefined;
}

/** Returns the actor's account and the accounts in a command's fields. */
function namedAccounts(command: Command): number[] {
  const named: number[] = [];
  if ('account' in command) named.push(command.account);
  if ('owner' in command) named.push(command.owner);
  if (command.kind === CommandKind.setReferrer) named.push(command.referrer);
  else if (command.kind === CommandKind.internalTransfer) named.push(command.from, command.to);
  else if (command.kind === CommandKind.bustTrade) {
    named.push(command.trade.makerAccount, command.trade.takerAccount);
  }
  return named;
}

/** Returns the accounts of the records that a command changed. */
function resultAccounts(result: Outcome): number[] {
  switch (result.kind) {
    case 'account':
      return [result.account.index];
    case 'key':
      return [result.key.account.index];
    case 'note':
      return [result.note.owner];
    case 'deposit':
      return [result.deposit.account];
    case 'withdrawal':
      return [result.withdrawal.account];
    default:
      return [];
  }
}
