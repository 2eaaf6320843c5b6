import type { Session } from '../../../users/sessions.ts';
import { NO_SESSION_COOKIE } from '../../auth/cookies.ts';
import type { Call } from '../../http/call.ts';
import { ApiError } from '../../http/errors.ts';
import { quote } from '../../http/json.ts';
import { describe } from '../../openapi/description.ts';
import { record } from '../../openapi/json-schema.ts';
import { many } from '../../openapi/record-schemas.ts';
import { timeText } from '../records.ts';
import { signedIn } from './visit.ts';

/** GET /api/account/sessions: `{sessions}`, the newest first. */
export async function listSessions(call: Call): Promise<string> {
  call.query([]);
  return sessionsText(call);
}
listSessions.description = describe({
  operationId: 'listSessions',
  tag: 'Users',
  summary: 'Where you are signed in',
  data: record({ sessions: many('Session') }),
});

/** DELETE /api/account/sessions/:id: ends one of one's own. */
export async function endSession(call: Call): Promise<string> {
  call.query([]);
  const { sessions } = call.services.accounts;
  const id = call.parameters.id!;
  const own = await sessions.of(call.session!.personId);
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
  summary: 'Sign a browser out',
  notes: 'It ends at once, its streams too. `sessions` are those that remain.',
  path: { id: 'sessionId' },
  data: record({ sessions: many('Session') }),
  errors: ['NOT_FOUND'],
});

/** DELETE /api/account/sessions: ends all of one's own, this one too. */
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
  notes: 'All sessions end at once, the one that asks too.',
  data: record({ sessions: many('Session') }),
});

async function sessionsText(call: Call): Promise<string> {
  const { personId, id } = call.session!;
  const all = await call.services.accounts.sessions.of(personId);
  return `{"sessions":[${all.map((session) => sessionText(session, id)).join(',')}]}`;
}

/** @param current The id of the session that asks. */
export function sessionText(session: Session, current: string): string {
  const { id, createdAt, seenAt, address, userAgent } = session;
  return (
    `{"id":"${id}","createdAt":${timeText(createdAt)},"lastSeenAt":${timeText(seenAt)},` +
    `"address":${quote(address)},"userAgent":${quote(userAgent)},"current":${id === current}}`
  );
}
