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

/** Passkeys belong to a name: there are none where the address bar has a number. */
const isNamed = !/^[\d.]+$|:/.test(location.hostname);

/** Whether this browser has passkeys here: by name, and over HTTPS or on this machine. */
export const hasPasskeys = isNamed && typeof PublicKeyCredential === 'function';

/** Signs in with a passkey that the browser offers. @throws FieldError where that was given up */
export async function signInWithPasskey(): Promise<void> {
  const { options } = await api.passkeySignInOptions();
  // What the exchange hands on as it is, between one library on either side.
  const optionsJSON = options as unknown as PublicKeyCredentialRequestOptionsJSON;
  const response = await asked(() => startAuthentication({ optionsJSON }));
  try {
    await api.signInByPasskey({ response: { ...response } });
  } catch (error) {
    const isUnknown = error instanceof ApiRequestError && error.code === 'UNAUTHORIZED';
    throw isUnknown ? new FieldError('passkey', 'That passkey opens no account here.') : error;
  }
}

/**
 * Makes a passkey and adds it to the account.
 * @param proof The code where a second factor is on, else the password.
 * @throws FieldError where that was given up
 */
export async function addPasskey(
  label: string,
  proof: { readonly code: string } | { readonly password: string },
): Promise<Passkey> {
  const { options } = await api.passkeyOptions(proof);
  const optionsJSON = options as unknown as PublicKeyCredentialCreationOptionsJSON;
  const response = await asked(() => startRegistration({ optionsJSON }));
  return (await api.addPasskey({ response: { ...response }, label })).passkey;
}

async function asked<Response>(ask: () => Promise<Response>): Promise<Response> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof WebAuthnError) && !(error instanceof DOMException)) throw error;
    throw new FieldError('passkey', errorMessage(error));
  }
}

function errorMessage(error: Error): string {
  const isKnown = 'code' in error && error.code === 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED';
  if (isKnown) return 'This device has a passkey for the account already.';
  if (error.name === 'NotAllowedError') return 'No passkey was chosen. Try again when you like.';
  return `The passkey did not work: ${error.message}`;
}
