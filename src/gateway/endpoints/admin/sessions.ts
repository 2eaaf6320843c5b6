import type { Session, User } from '../../../users/users.ts';
import { quote } from '../../http/json.ts';
import type { Call } from '../../http/request/call.ts';
import { ApiError } from '../../http/response/errors.ts';
import { describe } from '../../openapi/description.ts';
import { record } from '../../openapi/json-schema.ts';
import { recordList } from '../../openapi/record-schemas.ts';
import { timeText } from '../records.ts';
import { readActor } from '../user/confirmation.ts';
import { readAccount } from './accounts.ts';

interface UserSession {
  readonly user: User;
  readonly session: Session;
}

/** GET /api/admin/accounts/:id/sessions: `{sessions}` of the users of the account, newest first. */
export async function listAccountSessions(call: Call): Promise<string> {
  call.query([]);
  return sessionsText(await readSessions(call));
}
listAccountSessions.description = describe({
  operationId: 'listAccountSessions',
  tag: 'Operator',
  summary: 'Sessions of the users of an account',
  notes: 'Sub-accounts have the sessions of their main account.',
  path: { id: 'accountId' },
  data: record({ sessions: recordList('UserSession') }),
  errors: ['NOT_FOUND', 'OVERLOADED'],
});

/** DELETE /api/admin/accounts/:id/sessions/:sessionId: ends a session. `{sessions}` are those that remain. */
export async function endAccountSession(call: Call): Promise<string> {
  call.query([]);
  const all = await readSessions(call);
  const id = call.parameters.sessionId!;
  const ended = all.find(({ session }) => session.id === id);
  if (ended === undefined) {
    const message = 'No user of the account has such a session.';
    throw new ApiError('NOT_FOUND', message, { field: 'sessionId' });
  }
  const actor = await readActor(call);
  await call.services.users.endSessionsBy(ended.user, [id], actor);
  return sessionsText(all.filter((each) => each !== ended));
}
endAccountSession.description = describe({
  operationId: 'endAccountSession',
  tag: 'Operator',
  summary: 'End a session of a user',
  notes:
    'The session and its streams end at once; the user can sign in again. It is in the audit of users.',
  path: { id: 'accountId', sessionId: 'sessionId' },
  data: record({ sessions: recordList('UserSession') }),
  errors: ['NOT_FOUND', 'OVERLOADED'],
});

async function readSessions(call: Call): Promise<UserSession[]> {
  const { store, sessions } = call.services.users;
  const users = await store.listByAccount(readAccount(call).owner.id);
  const found = await Promise.all(
    users.map(async (user) =>
      (await sessions.listByUser(user.id)).map((session) => ({ user, session })),
    ),
  );
  return found.flat().sort((a, b) => b.session.createdAt - a.session.createdAt);
}

function sessionsText(all: readonly UserSession[]): string {
  const texts = all.map(({ user, session }) => {
    const { id, createdAt, seenAt, address, userAgent } = session;
    return (
      `{"id":"${id}","email":${quote(user.email)},"createdAt":${timeText(createdAt)},` +
      `"lastSeenAt":${timeText(seenAt)},"address":${quote(address)},"userAgent":${quote(userAgent)}}`
    );
  });
  return `{"sessions":[${texts.join(',')}]}`;
}
