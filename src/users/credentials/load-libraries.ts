import { webauthn } from './passkeys.ts';
import { strength } from './passwords.ts';
import { otp } from './second-factor.ts';

/** Loads all libraries that are otherwise loaded on first use. */
export function loadLibraries(): void {
  webauthn();
  strength();
  otp();
}
