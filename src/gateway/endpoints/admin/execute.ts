import {
  type ApprovableCommand,
  CommandKind,
  type GrantAccess,
  isExplained,
  type RequestApproval,
} from '../../../engine/command.ts';
import type { Outcome } from '../../../engine/event.ts';
import type { Account } from '../../../engine/ledger/accounts.ts';
import { RejectionCode } from '../../../engine/rejection.ts';
import { toPermissionNames } from '../../auth/permissions.ts';
import type { Call } from '../../http/request/call.ts';
import { invalid } from '../../http/request/query.ts';
import { AcceptedForApproval } from '../../http/response/accepted.ts';
import { ApiError } from '../../http/response/errors.ts';
import type { NewKeyCommand } from '../create-key.ts';
import { confirm } from '../user/confirmation.ts';
import { approvalText } from './approval-text.ts';
import { expectOutcome } from './outcome.ts';

/**
 * Executes a command of an operator, or requests its approval if the policy requires one.
 * @param reason For the audit, and for the operator who approves, who needs one. @param execute Sends the command; by default to the replica
 * @throws AcceptedForApproval if a second operator must approve; ApiError INSUFFICIENT_PERMISSIONS
 */
export async function executeAsOperator<Command extends ApprovableCommand>(
  call: Call,
  command: Command,
  reason?: string | null | undefined,
  execute: (command: Command) => Promise<Outcome> = (each) => call.services.replica.execute(each),
): Promise<Outcome> {
  requirePermission(call, command);
  // Checked before execution: a request without a reason must not leave a rejected command in the log.
  if (call.exchange.needsApproval(command)) requireReason(reason ?? '');
  const outcome = await execute(explain(call, command, reason));
  const isDone = outcome.kind !== 'rejected' || outcome.code !== RejectionCode.needsApproval;
  return isDone ? outcome : requestApproval(call, command, reason ?? '');
}

/** Returns the command with its reason. Logs of engine version 1 have none, because older releases could not read them. */
function explain<Command extends ApprovableCommand>(
  { exchange }: Call,
  command: Command,
  reason: string | null | undefined,
): Command {
  const isKept = reason && isExplained(command) && exchange.state.version >= 2;
  return isKept ? { ...command, reason } : command;
}

/**
 * Like `executeAsOperator`, for commands that a caller with a session must confirm. That comes last, because a code is used
 * up then. @throws AcceptedForApproval, ApiError
 */
export async function executeConfirmed<Command extends ApprovableCommand>(
  call: Call,
  command: Command,
  body: Parameters<typeof confirm>[1] & { readonly reason?: string | null | undefined },
  execute?: (command: Command) => Promise<Outcome>,
): Promise<Outcome> {
  requirePermission(call, command);
  if (call.exchange.needsApproval(command)) requireReason(body.reason ?? '');
  await confirm(call, body);
  return executeAsOperator(call, command, body.reason, execute);
}

/**
 * Creates a key, or requests its approval. A key that waits must have a public key: the secret of another one would be
 * shown before someone has approved it. @throws AcceptedForApproval, ApiError
 */
export function executeNewKey(
  call: Call,
  command: NewKeyCommand,
  reason: string | null | undefined,
): Promise<Outcome> {
  if (command.kind === CommandKind.createSignedKey) {
    return executeAsOperator(call, command, reason);
  }
  return executeAsOperator(call, command, reason, async (each) => {
    const outcome = await call.services.replica.execute(each);
    if (outcome.kind !== 'rejected' || outcome.code !== RejectionCode.needsApproval) return outcome;
    const message =
      'A second operator must approve a key with these permissions. Create it with a publicKey (type ed25519).';
    throw invalid('type', 'approval', message);
  });
}

/**
 * Checks that a grant that a second operator must approve has a reason. For callers that confirm a request before it is
 * sent: a code is used up then. @throws ApiError INVALID_REQUEST
 */
export function requireGrantReason(
  call: Call,
  {
    owner,
    permissions,
    reason,
  }: Pick<GrantAccess, 'permissions'> & {
    readonly owner: Account;
    readonly reason?: string | null | undefined;
  },
): void {
  const terms = { owner: owner.index, user: '', permissions };
  const command: GrantAccess = { kind: CommandKind.grantAccess, ...call.actor, ...terms };
  if (call.exchange.needsApproval(command)) requireReason(reason ?? '');
}

/** Checks that a request that a second operator must approve has a reason. @throws ApiError INVALID_REQUEST */
export function requireReason(reason: string): void {
  if (reason.trim() !== '') return;
  throw invalid('reason', 'approval', 'A second operator must approve this: send a reason.');
}

/** Requests the approval of a command. @throws AcceptedForApproval, ApiError */
export async function requestApproval(
  call: Call,
  command: ApprovableCommand,
  reason: string,
): Promise<never> {
  requireReason(reason);
  const request: RequestApproval = {
    kind: CommandKind.requestApproval,
    ...call.actor,
    user: call.session?.userId ?? '',
    reason,
    command,
  };
  const outcome = await call.services.replica.execute(request);
  const { approval } = expectOutcome(outcome, 'approval', call.exchange.state);
  throw new AcceptedForApproval(`{"approval":${await approvalText(call, approval)}}`);
}

/**
 * Checks that a session has the permission of a command. The engine knows the permissions of API keys and checks them
 * itself. @throws ApiError INSUFFICIENT_PERMISSIONS
 */
export function requirePermission(call: Call, command: ApprovableCommand): void {
  if (call.session === undefined) return;
  const needed = call.exchange.neededPermission(command);
  if ((call.session.permissions & needed) !== 0) return;
  const [required] = toPermissionNames(needed).filter((name) => name !== 'operate');
  throw new ApiError('INSUFFICIENT_PERMISSIONS', undefined, { required: required ?? 'operate' });
}
