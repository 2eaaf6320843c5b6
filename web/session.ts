import { signal } from '@preact/signals';
import { ApiRequestError, type Profile } from '../src/client/index.ts';
import { api } from './api.ts';

/** Undefined while it is not known yet, null where nobody is signed in. */
export const profile = signal<Profile | null | undefined>(undefined);

/** Asks who is signed in. A failure of another kind leaves it as it was, and is thrown. */
export async function loadSession(): Promise<Profile | null> {
  try {
    profile.value = (await api.getProfile()).profile;
  } catch (error) {
    if (!(error instanceof ApiRequestError && error.status === 401)) throw error;
    profile.value = null;
  }
  return profile.value;
}

/** Ends this session, and shows the page as who is not signed in sees it. */
export async function signOut(): Promise<void> {
  await api.signOut();
  location.assign('/sign-in');
}

/** Of who is not signed in yet: nobody wants to come back to them, and mailed links carry their token there. */
const ENTRIES = ['/sign-in', '/sign-up', '/verify-email', '/forgot-password', '/reset-password'];

/** Where to sign in, and then come back to this page and its section. */
export function signInPath(): string {
  const { pathname, hash } = location;
  if (ENTRIES.includes(pathname)) return '/sign-in';
  return `/sign-in?next=${encodeURIComponent(pathname + hash)}`;
}
