import { webauthn } from './passkeys.ts';
import { commonPasswords } from './passwords.ts';
import { otp } from './second-factor.ts';

/** Loads at once what is else loaded when people first need it. */
export function loadLibraries(): void {
  webauthn();
  commonPasswords();
  otp();
}
