import { NO_SESSION_COOKIE } from '../../auth/cookies.ts';
import type { Call } from '../../http/request/call.ts';
import { ApiError } from '../../http/response/errors.ts';
import { describe } from '../../openapi/description.ts';
import { record } from '../../openapi/json-schema.ts';
import { many } from '../../openapi/record-schemas.ts';
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
  data: record({ sessions: many('Session') }),
});

/** DELETE /api/account/sessions/:id: ends one of the user's sessions. */
export async function endSession(call: Call): Promise<string> {
  call.query([]);
  const { sessions } = call.services.accounts;
  const id = call.parameters.id!;
  const own = await sessions.of(call.session!.userId);
  if (!own.some((session) => session.id === id)) {
    throw new ApiError('NOT_FOUND', 'You have no such session.', { field: 'id' });
  }
  const { user } = await signedIn(call);
  const { accounts } = call.services;
  await accounts.endSessions(user, [id], 'sessions_ended', call.visit!.address);
  if (id === call.session!.id) call.setCookie(NO_SESSION_COOKIE);
  return sessionsText(call);
}
endSession.description = describe({
  operationId: 'endSession',
  tag: 'Users',
  summary: 'End a session',
  notes: 'The session and its streams end at once. `sessions` are those that remain.',
  path: { id: 'sessionId' },
  data: record({ sessions: many('Session') }),
  errors: ['NOT_FOUND'],
});

/** DELETE /api/account/sessions: ends all sessions of the user, including this one. */
export async function endSessions(call: Call): Promise<string> {
  call.query([]);
  const { user } = await signedIn(call);
  const { accounts } = call.services;
  const ids = (await accounts.sessions.of(user.id)).map(({ id }) => id);
  await accounts.endSessions(user, ids, 'sessions_ended', call.visit!.address);
  call.setCookie(NO_SESSION_COOKIE);
  return sessionsText(call);
}
endSessions.description = describe({
  operationId: 'endSessions',
  tag: 'Users',
  summary: 'Sign out everywhere',
  notes: 'All sessions end at once, including the one of this request.',
  data: record({ sessions: many('Session') }),
});

async function sessionsText(call: Call): Promise<string> {
  const { userId, id } = call.session!;
  const all = await call.services.accounts.sessions.of(userId);
  return `{"sessions":[${all.map((session) => sessionText(session, id)).join(',')}]}`;
}
