/**
 * The cookies of browsers: one for the session, and one that marks a browser which has signed in before. The prefix
 * `__Host-` means that only this host can set them. Scripts cannot read them (HttpOnly), and requests from other
 * sites do not carry them (SameSite).
 *
 * hono/utils/cookie is not used here: it writes the attributes in another order, and its parser decodes percent
 * escapes and drops quotes, so that several spellings of a cookie would be the same secret.
 */
const SESSION = '__Host-buttonwood';
const DEVICE = '__Host-buttonwood-device';
const ATTRIBUTES = 'Path=/; Secure; HttpOnly; SameSite=Strict';
const SESSION_SECONDS = 30 * 86_400;
const DEVICE_SECONDS = 400 * 86_400;

/** Returns the secret of the session in a Cookie header. */
export function sessionSecret(header: string | null): string | undefined {
  return findCookie(header, SESSION);
}

export function deviceSecret(header: string | null): string | undefined {
  return findCookie(header, DEVICE);
}

/** Returns a Set-Cookie header. */
export function sessionCookie(secret: string): string {
  return `${SESSION}=${secret}; Max-Age=${SESSION_SECONDS}; ${ATTRIBUTES}`;
}

export function deviceCookie(secret: string): string {
  return `${DEVICE}=${secret}; Max-Age=${DEVICE_SECONDS}; ${ATTRIBUTES}`;
}

export const NO_SESSION_COOKIE = `${SESSION}=; Max-Age=0; ${ATTRIBUTES}`;

function findCookie(header: string | null, name: string): string | undefined {
  if (header === null) return undefined;
  for (const pair of header.split(';')) {
    const equals = pair.indexOf('=');
    if (equals > 0 && pair.slice(0, equals).trim() === name) return pair.slice(equals + 1).trim();
  }
  return undefined;
}
