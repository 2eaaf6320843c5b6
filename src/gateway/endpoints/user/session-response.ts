import type { Session, SignedIn } from '../../../users/users.ts';
import { deviceCookie, sessionCookie } from '../../auth/cookies.ts';
import { quote } from '../../http/json.ts';
import type { Call } from '../../http/request/call.ts';
import { enumeration, record } from '../../openapi/json-schema.ts';
import { recordRef } from '../../openapi/record-schemas.ts';
import { timeText } from '../records.ts';

export const SIGNED_IN = record({
  status: enumeration(['signed_in'], 'The session is in the Set-Cookie header.'),
  session: recordRef('Session'),
});

/** Sets the cookies of a new session, and returns the response's `data`. */
export function signedInText(call: Call, { session, secret, device }: SignedIn): string {
  call.setCookie(sessionCookie(secret));
  if (device !== undefined) call.setCookie(deviceCookie(device));
  return `{"status":"signed_in","session":${sessionText(session, session.id)}}`;
}

/** @param current The id of the session that made the request. */
export function sessionText(session: Session, current: string): string {
  const { id, createdAt, seenAt, address, userAgent } = session;
  return (
    `{"id":"${id}","createdAt":${timeText(createdAt)},"lastSeenAt":${timeText(seenAt)},` +
    `"address":${quote(address)},"userAgent":${quote(userAgent)},"current":${id === current}}`
  );
}

/** Returns the schema of `{"status":…}`, for responses without other data. */
export function statusData(status: string, description: string) {
  return record({ status: enumeration([status], description) });
}
