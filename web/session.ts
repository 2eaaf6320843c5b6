import { signal } from '@preact/signals';
import { ApiRequestError, type Profile } from '../src/client/index.ts';
import { api } from './api.ts';
import { group, restoreSelection } from './selected-account.ts';

/** The signed-in user; null when signed out, undefined until known. */
export const profile = signal<Profile | null | undefined>(undefined);

/** Loads the profile of the signed-in user. @throws any error other than 401, leaving `profile` unchanged */
export async function loadSession(): Promise<Profile | null> {
  try {
    const loaded = (await api.getProfile()).profile;
    await restoreSelection(loaded.accountId, loadGroup);
    profile.value = loaded;
  } catch (error) {
    if (!(error instanceof ApiRequestError && error.status === 401)) throw error;
    profile.value = null;
  }
  return profile.value;
}

/** Loads the accounts of the user. */
export async function loadGroup(): Promise<void> {
  group.value = (await api.listGroup()).accounts;
}

/** Ends this session and opens the sign-in page. */
export async function signOut(): Promise<void> {
  await api.signOut();
  location.assign('/sign-in');
}

/** Pages for signed-out users. They are not returned to after signing in, and emailed links carry tokens there. */
const ENTRY_PATHS = [
  '/sign-in',
  '/sign-up',
  '/verify-email',
  '/forgot-password',
  '/reset-password',
];

/** Returns the sign-in path that leads back to this page and section. */
export function signInPath(): string {
  const { pathname, hash } = location;
  if (ENTRY_PATHS.includes(pathname)) return '/sign-in';
  return `/sign-in?next=${encodeURIComponent(pathname + hash)}`;
}
