/**
 * The cookies of people's browsers: that of a session, and that of a browser which has signed in
 * before. `__Host-` lets nobody set them but this very host, for all of its paths; no script reads them,
 * and no other site's page makes a browser send them.
 */
const SESSION = '__Host-buttonwood';
const DEVICE = '__Host-buttonwood-device';
const ATTRIBUTES = 'Path=/; Secure; HttpOnly; SameSite=Strict';
const SESSION_SECONDS = 30 * 86_400;
const DEVICE_SECONDS = 400 * 86_400;

/** The secret of a session in a Cookie header. */
export function sessionSecret(header: string | null): string | undefined {
  return cookieOf(header, SESSION);
}

export function deviceSecret(header: string | null): string | undefined {
  return cookieOf(header, DEVICE);
}

/** A Set-Cookie header. */
export function sessionCookie(secret: string): string {
  return `${SESSION}=${secret}; Max-Age=${SESSION_SECONDS}; ${ATTRIBUTES}`;
}

export function deviceCookie(secret: string): string {
  return `${DEVICE}=${secret}; Max-Age=${DEVICE_SECONDS}; ${ATTRIBUTES}`;
}

export const NO_SESSION_COOKIE = `${SESSION}=; Max-Age=0; ${ATTRIBUTES}`;

function cookieOf(header: string | null, name: string): string | undefined {
  if (header === null) return undefined;
  for (const pair of header.split(';')) {
    const equals = pair.indexOf('=');
    if (equals > 0 && pair.slice(0, equals).trim() === name) return pair.slice(equals + 1).trim();
  }
  return undefined;
}
