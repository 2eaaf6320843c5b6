import { NO_SESSION_COOKIE } from '../../auth/cookies.ts';
import type { Call } from '../../http/request/call.ts';
import { ApiError } from '../../http/response/errors.ts';
import { describe } from '../../openapi/description.ts';
import { record } from '../../openapi/json-schema.ts';
import { recordList } from '../../openapi/record-schemas.ts';
import { signedIn } from './browser.ts';
import { sessionText } from './session-response.ts';

/** GET /api/account/sessions: `{sessions}`, newest first. */
export async function listSessions(call: Call): Promise<string> {
  call.query([]);
  return sessionsText(call);
}
listSessions.description = describe({
  operationId: 'listSessions',
  tag: 'Users',
  summary: 'Your sessions',
  data: record({ sessions: recordList('Session') }),
});

/** DELETE /api/account/sessions/:id: ends one of the user's sessions. */
export async function endSession(call: Call): Promise<string> {
  call.query([]);
  const { sessions } = call.services.users;
  const id = call.parameters.id!;
  const own = await sessions.listByUser(call.session!.userId);
  if (!own.some((session) => session.id === id)) {
    throw new ApiError('NOT_FOUND', 'You have no such session.', { field: 'id' });
  }
  const { user } = await signedIn(call);
  const { users } = call.services;
  await users.endSessions(user, [id], 'sessions_ended', call.requestOrigin!.address);
  if (id === call.session!.id) call.setCookie(NO_SESSION_COOKIE);
  return sessionsText(call);
}
endSession.description = describe({
  operationId: 'endSession',
  tag: 'Users',
  summary: 'End a session',
  notes: 'The session and its streams end at once. `sessions` are those that remain.',
  path: { id: 'sessionId' },
  data: record({ sessions: recordList('Session') }),
  errors: ['NOT_FOUND'],
});

/** DELETE /api/account/sessions: ends all sessions of the user, including this one. */
export async function endSessions(call: Call): Promise<string> {
  call.query([]);
  const { user } = await signedIn(call);
  const { users } = call.services;
  const ids = (await users.sessions.listByUser(user.id)).map(({ id }) => id);
  await users.endSessions(user, ids, 'sessions_ended', call.requestOrigin!.address);
  call.setCookie(NO_SESSION_COOKIE);
  return sessionsText(call);
}
endSessions.description = describe({
  operationId: 'endSessions',
  tag: 'Users',
  summary: 'Sign out everywhere',
  notes: 'All sessions end at once, including the one of this request.',
  data: record({ sessions: recordList('Session') }),
});

async function sessionsText(call: Call): Promise<string> {
  const { userId, id } = call.session!;
  const all = await call.services.users.sessions.listByUser(userId);
  return `{"sessions":[${all.map((session) => sessionText(session, id)).join(',')}]}`;
}
