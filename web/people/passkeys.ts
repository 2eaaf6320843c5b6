import { startAuthentication, startRegistration, WebAuthnError } from '@simplewebauthn/browser';
import { FieldError } from '../components/action.ts';
import * as people from './api.ts';

/** Whether this browser has passkeys: only over HTTPS, or on this machine. */
export const hasPasskeys = typeof PublicKeyCredential === 'function';

/** Signs in with a passkey that the browser offers. @throws FieldError where that was given up */
export async function signInWithPasskey(): Promise<people.SignInStatus> {
  const { options } = await people.passkeySignInOptions();
  const response = await asked(() => startAuthentication({ optionsJSON: options }));
  return (await people.passkeySignIn(response)).status;
}

/** Makes a passkey and adds it to the account. @throws FieldError where that was given up */
export async function addPasskey(
  label: string,
  confirmation: people.Confirmation,
): Promise<people.Passkey> {
  const { options } = await people.passkeyOptions(confirmation);
  const response = await asked(() => startRegistration({ optionsJSON: options }));
  return (await people.addPasskey(response, label)).passkey;
}

async function asked<Response>(ask: () => Promise<Response>): Promise<Response> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof WebAuthnError) && !(error instanceof DOMException)) throw error;
    throw new FieldError('passkey', messageOf(error));
  }
}

function messageOf(error: Error): string {
  const isKnown = 'code' in error && error.code === 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED';
  if (isKnown) return 'This device has a passkey for the account already.';
  if (error.name === 'NotAllowedError') return 'No passkey was chosen. Try again when you like.';
  return `The passkey did not work: ${error.message}`;
}
