import {
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
  WebAuthnError,
} from '@simplewebauthn/browser';
import { ApiRequestError, type Passkey } from '../../src/client/index.ts';
import { api } from '../api.ts';
import { FieldError } from '../components/action.ts';
import { t } from '../i18n/index.ts';

/** Passkeys are bound to a domain name; an IP address has none. */
const hasDomainName = !/^[\d.]+$|:/.test(location.hostname);

/** Whether passkeys work here: they need a domain name, and HTTPS or localhost. */
export const hasPasskeys = hasDomainName && typeof PublicKeyCredential === 'function';

/** Signs in with a passkey. @throws FieldError if the user cancels or the passkey is unknown */
export async function signInWithPasskey(): Promise<void> {
  const { options } = await api.passkeySignInOptions();
  // The exchange passes these options through unchanged between the two WebAuthn libraries.
  const optionsJSON = options as unknown as PublicKeyCredentialRequestOptionsJSON;
  const response = await promptUser(() => startAuthentication({ optionsJSON }));
  try {
    await api.signInByPasskey({ response: { ...response } });
  } catch (error) {
    const isUnknown = error instanceof ApiRequestError && error.code === 'UNAUTHORIZED';
    throw isUnknown
      ? new FieldError('passkey', t('This passkey is not registered here. Sign in another way.'))
      : error;
  }
}

/**
 * Creates a passkey and adds it to the account.
 * @param proof The code if two-factor authentication is on, else the password.
 * @throws FieldError if the user cancels
 */
export async function addPasskey(
  label: string,
  proof: { readonly code: string } | { readonly password: string },
): Promise<Passkey> {
  const { options } = await api.passkeyOptions(proof);
  const optionsJSON = options as unknown as PublicKeyCredentialCreationOptionsJSON;
  const response = await promptUser(() => startRegistration({ optionsJSON }));
  return (await api.addPasskey({ response: { ...response }, label })).passkey;
}

async function promptUser<Response>(prompt: () => Promise<Response>): Promise<Response> {
  try {
    return await prompt();
  } catch (error) {
    if (!(error instanceof WebAuthnError) && !(error instanceof DOMException)) throw error;
    throw new FieldError('passkey', passkeyMessage(error));
  }
}

function passkeyMessage(error: Error): string {
  const isKnown = 'code' in error && error.code === 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED';
  if (isKnown) return t('This device already has a passkey for your account.');
  if (error.name === 'NotAllowedError') return t('Passkey request canceled. Try again.');
  return t('Passkey failed: {reason}', { reason: error.message });
}
