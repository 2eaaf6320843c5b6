import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/browser';
import { request } from '../api.ts';
import type { Profile } from '../session.ts';

/** The endpoints of people, /api/account: what they take and give. All may throw ApiRequestError. */

export interface Session {
  readonly id: string;
  readonly createdAt: string;
  readonly lastSeenAt: string;
  readonly address: string;
  readonly userAgent: string;
  readonly current: boolean;
}

export interface Passkey {
  readonly id: string;
  readonly label: string;
  readonly createdAt: string;
  readonly lastUsedAt: string | null;
}

export type KeyPermission = 'read' | 'trade' | 'operate';

export interface Key {
  readonly id: string;
  readonly label: string;
  readonly permissions: readonly KeyPermission[];
  readonly addresses: readonly string[];
  readonly createdAt: string;
  readonly expiresAt: string | null;
  readonly lastUsedAt: string | null;
  readonly status: 'active' | 'expired' | 'revoked';
}

export interface NewKey extends Confirmation {
  readonly label: string;
  readonly permissions: readonly KeyPermission[];
  readonly addresses?: readonly string[];
  readonly expiresAt?: string;
}

/** What proves once more who is asking: the code where a second factor is on, else the password. */
export interface Confirmation {
  readonly password?: string;
  readonly code?: string;
}

export type SignInStatus = 'signed_in' | 'second_factor_required';

const post = <Data = { status: string }>(path: string, body: object) =>
  request<Data>('POST', `/api/account${path}`, body);
const get = <Data>(path: string) => request<Data>('GET', `/api/account${path}`);
const remove = <Data>(path: string) => request<Data>('DELETE', `/api/account${path}`);
const part = encodeURIComponent;

export const signUp = (body: { email: string; password: string; name: string }) =>
  post('/sign-up', body);
export const verifyEmail = (token: string) => post('/verify-email', { token });
export const signIn = (body: { email: string; password: string; code?: string }) =>
  post<{ status: SignInStatus }>('/sign-in', body);
export const passkeySignInOptions = () =>
  post<{ options: PublicKeyCredentialRequestOptionsJSON }>('/sign-in/passkey/options', {});
export const passkeySignIn = (response: AuthenticationResponseJSON) =>
  post<{ status: SignInStatus }>('/sign-in/passkey', { response });
export const requestPasswordReset = (email: string) => post('/password-reset', { email });
export const resetPassword = (token: string, password: string) =>
  post('/password-reset/confirm', { token, password });

export const changeName = (name: string) =>
  request<{ profile: Profile }>('PATCH', '/api/account', { name });
export const changePassword = (body: { password: string; newPassword: string; code?: string }) =>
  post('/password', body);

export const listSessions = () => get<{ sessions: Session[] }>('/sessions');
export const endSession = (id: string) => remove<{ sessions: Session[] }>(`/sessions/${part(id)}`);
export const endAllSessions = () => remove<{ sessions: Session[] }>('/sessions');

export const beginSecondFactor = (password: string) =>
  post<{ secret: string; uri: string }>('/second-factor', { password });
export const confirmSecondFactor = (code: string) =>
  post<{ recoveryCodes: string[] }>('/second-factor/confirm', { code });
export const renewRecoveryCodes = (code: string) =>
  post<{ recoveryCodes: string[] }>('/second-factor/recovery-codes', { code });
export const removeSecondFactor = (body: { password: string; code: string }) =>
  post('/second-factor/remove', body);

export const listPasskeys = () => get<{ passkeys: Passkey[] }>('/passkeys');
export const passkeyOptions = (body: Confirmation) =>
  post<{ options: PublicKeyCredentialCreationOptionsJSON }>('/passkeys/options', body);
export const addPasskey = (response: RegistrationResponseJSON, label: string) =>
  post<{ passkey: Passkey }>('/passkeys', { response, label });
export const removePasskey = (id: string) =>
  remove<{ passkeys: Passkey[] }>(`/passkeys/${part(id)}`);

export const listKeys = () => get<{ keys: Key[] }>('/keys');
export const createKey = (body: NewKey) =>
  post<{ key: Key; apiKey: string; apiSecret: string }>('/keys', body);
export const revokeKey = (id: string) => remove<{ key: Key }>(`/keys/${part(id)}`);
