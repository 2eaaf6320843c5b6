import { z } from 'zod';
import { CommandKind, type GrantAccess } from '../../../engine/command.ts';
import type { Account } from '../../../engine/ledger/accounts.ts';
import { isSensitiveGrant } from '../../../engine/operators/approval-policy.ts';
import { RejectionCode } from '../../../engine/rejection.ts';
import { NotFoundError } from '../../../users/errors.ts';
import type { UserEvent } from '../../../users/user-events.ts';
import { normalizeEmail, type User } from '../../../users/users.ts';
import {
  permissionList,
  permissionsText,
  toPermissionNames,
  toPermissions,
} from '../../auth/permissions.ts';
import { quote } from '../../http/json.ts';
import type { Call } from '../../http/request/call.ts';
import { nextCursorText } from '../../http/request/cursor.ts';
import { invalid } from '../../http/request/query.ts';
import { ApiError, quoteSender } from '../../http/response/errors.ts';
import { checkBody } from '../../openapi/body-schema.ts';
import { describe } from '../../openapi/description.ts';
import { fromZod, record, text } from '../../openapi/json-schema.ts';
import { nextCursor, recordList } from '../../openapi/record-schemas.ts';
import { textOrNull, timeText } from '../records.ts';
import { approvalReason, proof } from '../user/body-fields.ts';
import { confirm, readActor, requireGrantable } from '../user/confirmation.ts';
import { findAccount, readAccount } from './accounts.ts';
import { executeAsOperator, requireGrantReason } from './execute.ts';
import { expectOutcome } from './outcome.ts';

const invitation = z.strictObject({
  email: z.string().max(320, 'is too long'),
  permissions: permissionList,
  reason: approvalReason,
  ...proof,
});

/**
 * POST /api/admin/accounts/:id/users: invites a user to an account. `{email, link}`. Repeated, it changes the
 * user's permissions and returns a new link. A caller with a session must confirm it. No one grants more
 * than they hold (see `grantablePermissions`).
 */
export async function inviteUser(call: Call): Promise<string> {
  const body = checkBody(invitation, call.body());
  const email = normalizeEmail(body.email);
  const account = readAccount(call);
  if (account.main !== undefined) throw mainAccountsOnly(account.main);
  const permissions = toPermissions(body.permissions);
  requireGrantable(call, account, permissions);
  requireGrantReason(call, { owner: account, permissions, reason: body.reason });
  await confirm(call, body);
  if (isSensitiveGrant({ account: call.account.index, owner: account.index, permissions })) {
    await grantAccess(call, account, email, permissions, body.reason);
  }
  const link = await call.services.users.invite(
    account.id,
    email,
    permissions,
    await readActor(call),
  );
  return `{"email":${quote(email)},"link":${quote(link)}}`;
}

/** Returns the error of an invitation to a sub-account: the users of its main account use it. */
function mainAccountsOnly(main: Account): ApiError {
  const message = `Users belong to main accounts. Invite the user to the main account ${main.id}, which gives access to its sub-accounts.`;
  return new ApiError('INVALID_REQUEST', message, { field: 'account', rule: 'mainAccount' });
}

/**
 * Records a grant of permissions of operators, or over funds of another account, in the log, or requests its approval. The permissions of a user whose grant
 * waits do not change: a new user is invited without them first.
 * @throws AcceptedForApproval, ApiError INVALID_REQUEST
 */
async function grantAccess(
  call: Call,
  owner: Account,
  email: string,
  permissions: number,
  reason: string | null | undefined,
): Promise<void> {
  const known = await call.services.users.store.findByEmail(email);
  const user = known?.accountId === owner.id ? known : undefined;
  const command: GrantAccess = {
    kind: CommandKind.grantAccess,
    ...call.actor,
    owner: owner.index,
    user: user?.id ?? '',
    permissions,
  };
  const outcome = await executeAsOperator(call, command, reason, async (each) => {
    const result = await call.services.replica.execute(each);
    const mustWait = result.kind === 'rejected' && result.code === RejectionCode.needsApproval;
    if (!mustWait || user !== undefined) return result;
    const message =
      'A second operator must approve these permissions. Invite the user with read first, then grant them.';
    throw invalid('permissions', 'approval', message);
  });
  expectOutcome(outcome, 'account', call.exchange.state);
}
inviteUser.description = describe({
  operationId: 'inviteUser',
  tag: 'Operator',
  summary: 'Invite a user to an account',
  notes:
    'The user chooses a password with the link, which works once, for 24 hours. It is also mailed if the exchange ' +
    'sends mail. Repeat the request to change the permissions and get a new link. With a session, send `code` if ' +
    'two-factor authentication is on, else `password`. You grant at most what you hold: an administrator all ' +
    'permissions of operators and `read`, and `trade` to other accounts. The other users of the account are notified by mail. ' +
    'Users belong to main accounts: a sub-account is rejected with the rule `mainAccount`.',
  path: { id: 'accountId' },
  body: {
    schema: fromZod(invitation),
    examples: { trader: { email: 'dora@example.com', permissions: ['read', 'trade'] } },
  },
  data: record({
    email: text('Email address of the user.', 'dora@example.com'),
    link: text(
      'The page where the user chooses a password.',
      'http://127.0.0.1:3000/reset-password#token=A',
    ),
  }),
  errors: ['NOT_FOUND', 'OVERLOADED'],
  mayNeedApproval: true,
});

/** GET /api/admin/accounts/:id/users: `{users}` who can sign in to the account. */
export async function listUsers(call: Call): Promise<string> {
  call.query([]);
  return usersText(call, readAccount(call).id);
}
listUsers.description = describe({
  operationId: 'listUsers',
  tag: 'Operator',
  summary: 'Users of an account',
  path: { id: 'accountId' },
  data: record({ users: recordList('User') }),
  errors: ['NOT_FOUND'],
});

const removal = z.strictObject(proof);

/**
 * POST /api/admin/accounts/:id/users/:email/remove: removes a user, who is signed out at once and notified by
 * mail. `{users}` are those that remain. A caller with a session must confirm it.
 */
export async function removeUser(call: Call): Promise<string> {
  const body = checkBody(removal, call.body());
  const { id } = readAccount(call);
  const email = normalizeEmail(call.parameters.email!);
  const { users } = call.services;
  await confirm(call, body);
  const actor = await readActor(call);
  await users.remove(id, email, actor).catch((error) => {
    if (!(error instanceof NotFoundError)) throw error;
    const message = `${quoteSender(email)} is not a user of ${id}. List its users to find the right address.`;
    throw new ApiError('NOT_FOUND', message, { field: 'email' });
  });
  return usersText(call, id);
}
removeUser.description = describe({
  operationId: 'removeUser',
  tag: 'Operator',
  summary: 'Remove a user from an account',
  notes:
    'The sessions of the user end at once, and the user is notified by mail. The account with its balances, orders ' +
    'and API keys stays: revoke the keys that the user knows. With a session, send `code` if two-factor ' +
    'authentication is on, else `password`.',
  path: { id: 'accountId', email: 'email' },
  body: {
    schema: fromZod(removal),
    examples: { password: { password: 'a meadow full of clover' } },
  },
  data: record({ users: recordList('User') }),
  errors: ['NOT_FOUND', 'OVERLOADED'],
});

async function usersText(call: Call, accountId: string): Promise<string> {
  const users = await call.services.users.store.listByAccount(accountId);
  return `{"users":[${users.map(userText).join(',')}]}`;
}

function userText({ email, name, permissions, totpSecret, createdAt }: User): string {
  return (
    `{"email":${quote(email)},"name":${quote(name)},"permissions":${permissionsText(permissions)},` +
    `"secondFactor":${totpSecret !== ''},"createdAt":${timeText(createdAt)}}`
  );
}

const AUDIT_PARAMETERS = ['account', 'limit', 'cursor'] as const;

/** GET /api/admin/audit/users: `{entries, nextCursor}`, the events of users, newest first. */
export async function getUserAudit(call: Call): Promise<string> {
  const query = call.query(AUDIT_PARAMETERS);
  const limit = query.count('limit');
  const account = query.text('account');
  const beforeId = query.cursor('users') ?? Number.MAX_SAFE_INTEGER;
  if (account !== undefined) findAccount(account, call.exchange.state);
  const found = await call.services.users.events.listBefore(beforeId, limit + 1, account);
  const page = found.slice(0, limit);
  const edge = found.length > page.length ? page.at(-1)!.id : undefined;
  const texts = page.map(eventText);
  return `{"entries":[${texts.join(',')}],"nextCursor":${nextCursorText(edge, query.scope('users'))}}`;
}
getUserAudit.description = describe({
  operationId: 'getUserAudit',
  tag: 'Operator',
  summary: 'Audit of sign-ins and permission changes, newest first',
  query: AUDIT_PARAMETERS,
  data: record({ entries: recordList('UserEntry'), nextCursor }),
  errors: ['NOT_FOUND'],
});

function eventText(event: UserEvent): string {
  const { id, time, userId, email, accountId, action, by, address } = event;
  const details = PERMISSION_ACTIONS.has(action)
    ? toPermissionNames(Number(event.details)).join(', ')
    : event.details;
  return (
    `{"id":"${id}","timestamp":${timeText(time)},"personId":"${userId}","email":${quote(email)},` +
    `"account":${quote(accountId)},"action":"${action}","by":${textOrNull(by)},` +
    `"address":${textOrNull(address)},"details":${textOrNull(details)}}`
  );
}
/** Actions whose details are a sum of permissions. */
const PERMISSION_ACTIONS: ReadonlySet<string> = new Set(['invited', 'permissions_changed']);
