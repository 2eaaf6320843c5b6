import { signal } from '@preact/signals';
import { ApiRequestError } from '../src/client/index.ts';
import { request } from './api.ts';

/** Of the person who is signed in. */
export interface Profile {
  readonly accountId: string;
  readonly name: string;
  readonly email: string;
  readonly permissions: readonly ('read' | 'trade' | 'operate')[];
  readonly secondFactor: boolean;
  readonly recoveryCodesLeft: number;
  readonly passkeys: number;
  readonly createdAt: string;
  readonly isSandbox: boolean;
}

/** Undefined while it is not known yet, null where nobody is signed in. */
export const profile = signal<Profile | null | undefined>(undefined);

/** Asks who is signed in. A failure of another kind leaves it as it was, and is thrown. */
export async function loadSession(): Promise<Profile | null> {
  try {
    profile.value = (await request<{ profile: Profile }>('GET', '/api/account')).profile;
  } catch (error) {
    if (!(error instanceof ApiRequestError)) throw error;
    profile.value = null;
  }
  return profile.value;
}

/** Ends this session, and shows the page as who is not signed in sees it. */
export async function signOut(): Promise<void> {
  await request('POST', '/api/account/sign-out', {});
  location.assign('/sign-in');
}

/** Where to sign in, and then come back to this page. */
export function signInPath(): string {
  return `/sign-in?next=${encodeURIComponent(location.pathname)}`;
}
