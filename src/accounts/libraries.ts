import { webauthn } from './passkeys.ts';
import { commonPasswords } from './passwords.ts';
import { otp } from './second-factor.ts';

/**
 * Loads what would else be loaded when it is first needed: a node does so before it listens. Where connections
 * have taken all descriptors, Bun takes a library that it looks for as missing from then on, or ends the process.
 */
export async function loadLibraries(): Promise<void> {
  await Promise.all([webauthn(), commonPasswords(), otp()]);
}
