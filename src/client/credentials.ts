/** Visible ASCII, of which all keys and secrets are. */
const FORM = /^[\x21-\x7e]+$/;

export interface Credentials {
  readonly apiKey?: string | undefined;
  readonly apiSecret?: string | undefined;
}

/**
 * Rejects credentials with characters that none has. The errors of fetch would contain them, and so reach logs.
 * @throws RangeError without any part of them
 */
export function checkCredentials(credentials: Credentials): void {
  for (const name of ['apiKey', 'apiSecret'] as const) {
    const value = credentials[name];
    if (value === undefined || FORM.test(value)) continue;
    const advice = 'Pass it exactly as it was shown, without a line break.';
    throw new RangeError(
      `${name} is empty, or has spaces or characters that are not ASCII. ${advice}`,
    );
  }
}
