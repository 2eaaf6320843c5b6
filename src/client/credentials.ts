/** Visible ASCII, of which all keys and secrets are. */
const FORM = /^[\x21-\x7e]+$/;

/**
 * An account id, or a function that returns the current one. With a session it is an account of the user's group, by
 * default the main account. With a key it must be the account of the key: a wrong key is then rejected, and does nothing.
 */
export type AccountChoice = string | (() => string | undefined);

/** Returns the id of the chosen account; undefined for the default. */
export function chosenAccount(choice: AccountChoice | undefined): string | undefined {
  return typeof choice === 'function' ? choice() : choice;
}

export interface Credentials {
  readonly apiKey?: string | undefined;
  readonly apiSecret?: string | undefined;
  readonly account?: AccountChoice | undefined;
}

/**
 * Rejects credentials with characters that none has. The errors of fetch would contain them, and so reach logs. An
 * account id has the same characters.
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
  const { account } = credentials;
  if (typeof account === 'string' && !FORM.test(account)) {
    throw new RangeError('account is not an account id. Use one of GET /api/accounts.');
  }
}
