import type { Session, SignInClient, Site, User } from '../../../users/users.ts';
import { deviceSecret, sessionSecret } from '../../auth/cookies.ts';
import type { Call } from '../../http/request/call.ts';
import { ApiError } from '../../http/response/errors.ts';

/** Characters of the header User-Agent that are kept. */
const MAX_USER_AGENT = 200;
export const NO_ORIGIN = "Send this from the exchange's own pages, with their Origin header.";

/** Returns the browser of a call, with the cookies that it sent. */
export function readBrowser(call: Call): SignInClient {
  const { address, scope } = call.requestOrigin!;
  const { headers } = call.request;
  const cookie = headers.get('cookie');
  return {
    address,
    scope,
    userAgent: (headers.get('user-agent') ?? '').replace(/\p{Cc}/gu, '').slice(0, MAX_USER_AGENT),
    device: deviceSecret(cookie),
    session: sessionSecret(cookie),
  };
}

/** Returns the site under which the browser opened the exchange. @throws ApiError BROWSER_NOT_ALLOWED */
export function readSite(call: Call): Site {
  const { origin } = call.requestOrigin!;
  if (origin === undefined) throw new ApiError('BROWSER_NOT_ALLOWED', NO_ORIGIN);
  return { origin, hostname: new URL(origin).hostname };
}

/** Returns the session and its user. @throws ApiError UNAUTHORIZED if the user was removed */
export async function signedIn(call: Call): Promise<{ session: Session; user: User }> {
  const session = call.session!;
  const user = await call.services.users.store.findById(session.userId);
  if (user === undefined) throw new ApiError('UNAUTHORIZED');
  return { session, user };
}
