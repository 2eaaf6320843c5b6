import { z } from 'zod';
import { type Approve, CommandKind, type GrantAccess } from '../../../engine/command.ts';
import type { Outcome } from '../../../engine/event.ts';
import { MAX_REASON_LENGTH } from '../../../engine/limits.ts';
import type { ApprovalRequest } from '../../../engine/operators/records.ts';
import { RejectionCode, rejected } from '../../../engine/rejection.ts';
import * as logger from '../../../monitoring/logger.ts';
import { executeApproval } from '../../../replica/transfers.ts';
import { applyApprovedGrants } from '../../approved-grants.ts';
import type { Call } from '../../http/request/call.ts';
import { ApiError } from '../../http/response/errors.ts';
import { checkBody, optional } from '../../openapi/body-schema.ts';
import { describe } from '../../openapi/description.ts';
import { fromZod, record } from '../../openapi/json-schema.ts';
import { recordList, recordRef } from '../../openapi/record-schemas.ts';
import { rejectionError } from '../../orders/rejections.ts';
import { prepareKeyMail } from '../change-key.ts';
import { proof } from '../user/body-fields.ts';
import { confirm } from '../user/confirmation.ts';
import { approvalText } from './approval-text.ts';
import { requirePermission } from './execute.ts';
import { expectOutcome } from './outcome.ts';

/** GET /api/admin/approvals: `{pending, closed}`: the pending requests, oldest first, and the newest closed ones. */
export async function listApprovals(call: Call): Promise<string> {
  call.query([]);
  const { approvals } = call.exchange.state.parts;
  const toTexts = (requests: Iterable<ApprovalRequest>) =>
    Promise.all([...requests].map((request) => approvalText(call, request)));
  const pending = await toTexts(approvals.pending);
  const closed = await toTexts(approvals.closed.toReversed());
  return `{"pending":[${pending.join(',')}],"closed":[${closed.join(',')}]}`;
}
listApprovals.description = describe({
  operationId: 'listApprovals',
  tag: 'Operator',
  summary: 'Requests for approval',
  notes:
    'The pending requests, oldest first, and the last 200 that were approved, rejected or withdrawn or have expired, the ' +
    'last one first. The audit trail has all.',
  data: record({ pending: recordList('Approval'), closed: recordList('Approval') }),
});

const confirmation = z.strictObject(proof);

/**
 * POST /api/admin/approvals/:id/approve: executes the command of a request of another account. A caller with a session
 * must confirm it.
 */
export async function approveRequest(call: Call): Promise<string> {
  const body = checkBody(confirmation, call.body());
  const { state } = call.exchange;
  const request = readRequest(call);
  const { command } = request;
  if (command.account !== call.account.index) {
    requirePermission(call, command);
    await requireRequester(call, request);
    if (command.kind === CommandKind.grantAccess) await requireGrantee(call, command);
  }
  const changed =
    command.kind === CommandKind.changeKey ? state.keysByApiKey.get(command.apiKey) : undefined;
  const notifyKeyChange = changed && (await prepareKeyMail(call, changed));
  await confirm(call, body);
  const { id } = request;
  const user = call.session?.userId ?? '';
  const approve: Approve = { kind: CommandKind.approve, ...call.actor, id, user };
  const outcome = await executeApproval(call.services, approve, command);
  const { approval } = expectOutcome(outcome as Outcome, 'approval', state);
  if (command.kind === CommandKind.grantAccess) {
    await applyGrants(call);
  }
  notifyKeyChange?.();
  return `{"approval":${await approvalText(call, approval)}}`;
}
approveRequest.description = describe({
  operationId: 'approveRequest',
  tag: 'Operator',
  summary: 'Approve a request of another operator',
  notes:
    'Executes the command at once, with the requester as its author. Requires the permission of the command, and an account ' +
    'other than that of the requester, who must still have the permission too. If the command is rejected now, so is the ' +
    'approval, and the request stays pending. With a session, send `code` if two-factor authentication is on, else ' +
    '`password`.',
  path: { id: 'approvalId' },
  body: {
    schema: fromZod(confirmation),
    examples: { key: {}, session: { password: 'a meadow full of clover' } },
  },
  data: record({ approval: recordRef('Approval') }),
  errors: [
    'NOT_FOUND',
    'INSUFFICIENT_BALANCE',
    'INVALID_AMOUNT',
    'DUPLICATE_REFERENCE',
    'OVERLOADED',
  ],
});

const rejection = z.strictObject({
  reason: optional(
    z.string().max(MAX_REASON_LENGTH, `must be at most ${MAX_REASON_LENGTH} characters`),
    'Why; the requester sees it.',
  ),
});

/** POST /api/admin/approvals/:id/reject: rejects a request, or withdraws one of the own account. */
export async function rejectRequest(call: Call): Promise<string> {
  const { reason } = checkBody(rejection, call.body());
  const request = readRequest(call);
  requirePermission(call, request.command);
  const outcome = await call.services.replica.execute({
    kind: CommandKind.rejectApproval,
    ...call.actor,
    id: request.id,
    user: call.session?.userId ?? '',
    reason: reason ?? '',
  });
  const { approval } = expectOutcome(outcome, 'approval', call.exchange.state);
  return `{"approval":${await approvalText(call, approval)}}`;
}
rejectRequest.description = describe({
  operationId: 'rejectRequest',
  tag: 'Operator',
  summary: 'Reject a request for approval, or withdraw your own',
  path: { id: 'approvalId' },
  body: { schema: fromZod(rejection), examples: { reason: { reason: 'wrong account' } } },
  data: record({ approval: recordRef('Approval') }),
  errors: ['NOT_FOUND'],
});

/** Returns the pending request in the path. @throws ApiError NOT_FOUND */
function readRequest(call: Call): ApprovalRequest {
  const { state } = call.exchange;
  const id = /^[1-9]\d{0,14}$/.test(call.parameters.id!) ? Number(call.parameters.id) : 0;
  const request = state.parts.approvals.find(id);
  if (request !== undefined) return request;
  throw rejectionError(rejected(RejectionCode.unknownApproval), state);
}

/** Checks that the user whose permissions a request changes still exists. @throws ApiError NOT_FOUND */
async function requireGrantee(call: Call, { user: id, owner }: GrantAccess): Promise<void> {
  const user = await call.services.users.store.findById(id);
  if (user?.accountId === call.exchange.state.accounts[owner]!.id) return;
  const message = 'The user of this request has been removed. Reject the request.';
  throw new ApiError('NOT_FOUND', message, { field: 'user' });
}

/** Applies approved grants. If that fails, the next cleanup applies them. */
async function applyGrants({ services, exchange: { state } }: Call): Promise<void> {
  try {
    await applyApprovedGrants(services.users, state);
  } catch (error) {
    // The command has been carried out, and the next cleanup tries again.
    logger.error('An approved grant could not be applied to the user database yet', error);
  }
}

/** Checks that the user who made a request with a session still has the permission for it. @throws ApiError */
async function requireRequester(call: Call, { user: id, command }: ApprovalRequest): Promise<void> {
  if (id === '') return;
  const { state } = call.exchange;
  const user = await call.services.users.store.findById(id);
  const isSame = user?.accountId === state.accounts[command.account]!.id;
  if (isSame && (user.permissions & call.exchange.neededPermission(command)) !== 0) return;
  throw rejectionError(rejected(RejectionCode.requesterUnauthorized), state);
}
