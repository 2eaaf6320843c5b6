import { z } from 'zod';
import { NotThereError } from '../../../users/errors.ts';
import type { UserEvent } from '../../../users/user-events.ts';
import type { User } from '../../../users/user-store.ts';
import { normalizeEmail } from '../../../users/users.ts';
import {
  permissionList,
  permissionNamesOf,
  permissionsOf,
  permissionsText,
} from '../../auth/permissions.ts';
import type { Call } from '../../http/call.ts';
import { nextCursorText } from '../../http/cursor.ts';
import { ApiError, quoteSender } from '../../http/errors.ts';
import { quote } from '../../http/json.ts';
import { checkBody } from '../../openapi/body-schema.ts';
import { describe } from '../../openapi/description.ts';
import { fromZod, record, text } from '../../openapi/json-schema.ts';
import { many, nextCursor } from '../../openapi/record-schemas.ts';
import { timeText } from '../records.ts';
import { proof } from '../user/body-fields.ts';
import { actorOf, confirm, demandPermissions } from '../user/confirmation.ts';
import { accountOf, findAccount } from './accounts.ts';

const invitation = z.strictObject({
  email: z.string().max(320, 'is too long'),
  permissions: permissionList,
  ...proof,
});

/**
 * POST /api/admin/accounts/:id/people: lets someone sign in to an account; `{email, link}`. Again, it
 * changes what they may do there and makes another link. Who is signed in confirms it. To their own
 * account nobody lets in who may do more than they.
 */
export async function inviteUser(call: Call): Promise<string> {
  const body = checkBody(invitation, call.body());
  const email = normalizeEmail(body.email);
  const account = accountOf(call);
  const permissions = permissionsOf(body.permissions);
  if (account === call.account) demandPermissions(call, permissions);
  await confirm(call, body);
  const link = await call.services.accounts.invite(
    account.id,
    email,
    permissions,
    await actorOf(call),
  );
  return `{"email":${quote(email)},"link":${quote(link)}}`;
}
inviteUser.description = describe({
  operationId: 'inviteUser',
  tag: 'Operator',
  summary: 'Let someone sign in to an account',
  notes:
    'The link, mailed too where the exchange sends mail, sets their password, once, within 24 hours. Again, ' +
    'it changes what they may do, and makes another. With a session send `code` where there is a second ' +
    'factor, else `password`. Your own account gets no permission beyond your own; its other people are mailed.',
  path: { id: 'accountId' },
  body: {
    schema: fromZod(invitation),
    examples: { trader: { email: 'dora@example.com', permissions: ['read', 'trade'] } },
  },
  data: record({
    email: text('Whom.', 'dora@example.com'),
    link: text('Where they choose a password.', 'http://127.0.0.1:3000/reset-password#token=A'),
  }),
  errors: ['NOT_FOUND', 'OVERLOADED'],
});

/** GET /api/admin/accounts/:id/people: `{people}` who may sign in to the account. */
export async function listUsers(call: Call): Promise<string> {
  call.query([]);
  return usersText(call, accountOf(call).id);
}
listUsers.description = describe({
  operationId: 'listUsers',
  tag: 'Operator',
  summary: 'Who may sign in to an account',
  path: { id: 'accountId' },
  data: record({ users: many('User') }),
  errors: ['NOT_FOUND'],
});

const removal = z.strictObject(proof);

/**
 * POST /api/admin/accounts/:id/people/:email/remove: they are signed out at once and mailed; `{people}` who
 * remain. Who is signed in confirms it.
 */
export async function removeUser(call: Call): Promise<string> {
  const body = checkBody(removal, call.body());
  const { id } = accountOf(call);
  const email = normalizeEmail(call.parameters.email!);
  const { accounts } = call.services;
  await confirm(call, body);
  const actor = await actorOf(call);
  await accounts.remove(id, email, actor).catch((error) => {
    if (!(error instanceof NotThereError)) throw error;
    const message = `${quoteSender(email)} may not sign in to ${id}: list its people first.`;
    throw new ApiError('NOT_FOUND', message, { field: 'email' });
  });
  return usersText(call, id);
}
removeUser.description = describe({
  operationId: 'removeUser',
  tag: 'Operator',
  summary: 'Let someone sign in to an account no more',
  notes:
    'Their sessions end at once, and they are mailed. Account, money, orders and API keys stay: revoke the ' +
    'keys that they know. With a session send `code` where there is a second factor, else `password`.',
  path: { id: 'accountId', email: 'email' },
  body: {
    schema: fromZod(removal),
    examples: { password: { password: 'a meadow full of clover' } },
  },
  data: record({ users: many('User') }),
  errors: ['NOT_FOUND', 'OVERLOADED'],
});

async function usersText(call: Call, accountId: string): Promise<string> {
  const users = await call.services.accounts.store.ofAccount(accountId);
  return `{"users":[${users.map(userText).join(',')}]}`;
}

function userText({ email, name, permissions, totpSecret, createdAt }: User): string {
  return (
    `{"email":${quote(email)},"name":${quote(name)},"permissions":${permissionsText(permissions)},` +
    `"secondFactor":${totpSecret !== ''},"createdAt":${timeText(createdAt)}}`
  );
}

const AUDIT_PARAMETERS = ['account', 'limit', 'cursor'] as const;

/** GET /api/admin/audit/users: `{entries, nextCursor}`, what happened to people, newest first. */
export async function getUserAudit(call: Call): Promise<string> {
  const query = call.query(AUDIT_PARAMETERS);
  const limit = query.count('limit');
  const account = query.text('account');
  const beforeId = query.cursor('users') ?? Number.MAX_SAFE_INTEGER;
  if (account !== undefined) findAccount(account, call.exchange.state);
  const found = await call.services.accounts.events.before(beforeId, limit + 1, account);
  const page = found.slice(0, limit);
  const edge = found.length > page.length ? page.at(-1)!.id : undefined;
  const texts = page.map(eventText);
  return `{"entries":[${texts.join(',')}],"nextCursor":${nextCursorText(edge, query.scope('users'))}}`;
}
getUserAudit.description = describe({
  operationId: 'getUserAudit',
  tag: 'Operator',
  summary: 'What happened to people, and by whom, newest first',
  query: AUDIT_PARAMETERS,
  data: record({ entries: many('UserEntry'), nextCursor }),
  errors: ['NOT_FOUND'],
});

function eventText(event: UserEvent): string {
  const { id, time, personId, email, accountId, action, by, address } = event;
  const orNull = (text: string) => (text === '' ? 'null' : quote(text));
  const details = HAVE_PERMISSIONS.has(action)
    ? permissionNamesOf(Number(event.details)).join(', ')
    : event.details;
  return (
    `{"id":"${id}","timestamp":${timeText(time)},"personId":"${personId}","email":${quote(email)},` +
    `"account":${quote(accountId)},"action":"${action}","by":${orNull(by)},` +
    `"address":${orNull(address)},"details":${orNull(details)}}`
  );
}
/** Those whose details are a sum of permissions. */
const HAVE_PERMISSIONS: ReadonlySet<string> = new Set(['invited', 'permissions_changed']);
