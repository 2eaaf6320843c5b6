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

/** Where to sign in, and then come back to this page. */
export function signInPath(): string {
  return `/sign-in?next=${encodeURIComponent(location.pathname)}`;
}
