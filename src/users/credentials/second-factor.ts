import { randomBytes } from 'node:crypto';
import type { Database, Queries } from '../database.ts';
import { InvalidInputError } from '../errors.ts';
import { lockSession, type Session } from '../sign-in/sessions.ts';
import { type UserAction, UserEvents } from '../user-events.ts';
import type { User } from '../user-store.ts';
import { library } from './libraries.ts';
import { hashSecretHex } from './secrets.ts';

const STEP_SECONDS = 30;
const RECOVERY_CODES = 10;
/** 80 random bits cannot be guessed, even with the hashes. */
const RECOVERY_BYTES = 10;
const TOTP_CODE = /^\d{6}$/;

/** Returns whether a code is one of an authenticator app; otherwise it can only be a recovery code. */
export function isTotpCode(code: string): boolean {
  return TOTP_CODE.test(code);
}

export const otp = library(() => require('otplib') as typeof import('otplib'));

/** Two-factor authentication: codes of an authenticator app (RFC 6238), and ten recovery codes. */
export class SecondFactor {
  constructor(
    private readonly database: Database,
    private readonly now: () => number,
  ) {}

  /**
   * Returns a new secret, which is in force once `confirm` gets its first code. Here and below, the session
   * must not have ended. @throws InvalidInputError, WrongCredentialsError
   */
  async offer(session: Session, user: User): Promise<{ secret: string; uri: string }> {
    if (user.totpSecret !== '') {
      const message =
        'Two-factor authentication is already on. Turn it off before you set it up again.';
      throw new InvalidInputError('password', 'noSecondFactor', message);
    }
    const { generateSecret, generateURI } = otp();
    const secret = generateSecret();
    const text = "UPDATE people SET totp_pending = $2 WHERE id = $1 AND totp_secret = ''";
    await this.database.transaction(async (queries) => {
      await queries.run(text, user.id, secret);
      await lockSession(queries, session);
    });
    return { secret, uri: generateURI({ issuer: 'Buttonwood', label: user.email, secret }) };
  }

  /**
   * Puts the offered secret in force. Returns the recovery codes, or undefined if the code is wrong.
   * @param also Runs in the same transaction.
   * @throws InvalidInputError, WrongCredentialsError if the session has ended
   */
  async confirm(
    session: Session,
    user: User,
    code: string,
    address = '',
    also: (queries: Queries) => Promise<void> = async () => {},
  ): Promise<string[] | undefined> {
    if (user.totpPending === '') {
      const message = 'Request a secret first: POST /api/account/second-factor.';
      throw new InvalidInputError('code', 'offered', message);
    }
    const step = await this.findStep(user.totpPending, code);
    if (step === undefined) return undefined;
    return this.database.transaction(async (queries) => {
      const changed = await queries.run(
        `UPDATE people SET totp_secret = totp_pending, totp_pending = '', totp_step = $3
         WHERE id = $1 AND totp_pending = $2`,
        user.id,
        user.totpPending,
        step,
      );
      if (changed !== 1) return undefined;
      await lockSession(queries, session);
      await also(queries);
      await this.recordEvent(queries, user, 'second_factor_on', address);
      return newRecoveryCodes(queries, user.id);
    });
  }

  /** Returns whether a code, of the app or a recovery code, is valid, and marks it as used. */
  async accept(user: User, code: string): Promise<boolean> {
    if (isTotpCode(code)) return this.acceptTotp(user, code);
    const used = await this.database.run(
      'DELETE FROM recovery_codes WHERE person_id = $1 AND hash = $2',
      user.id,
      hashSecretHex(normalizeCode(code)),
    );
    return used === 1;
  }

  renewRecoveryCodes(session: Session, user: User, address = ''): Promise<string[]> {
    return this.database.transaction(async (queries) => {
      await lockSession(queries, session);
      await this.recordEvent(queries, user, 'recovery_codes_renewed', address);
      return newRecoveryCodes(queries, user.id);
    });
  }

  async recoveryCodesLeft(userId: string): Promise<number> {
    const text = 'SELECT COUNT(*) AS count FROM recovery_codes WHERE person_id = $1';
    const [row] = await this.database.query(text, userId);
    return Number(row!.count);
  }

  /** @param also Runs in the same transaction. */
  async remove(
    session: Session,
    user: User,
    address = '',
    also: (queries: Queries) => Promise<void> = async () => {},
  ): Promise<void> {
    await this.database.transaction(async (queries) => {
      const text = "UPDATE people SET totp_secret = '', totp_pending = '' WHERE id = $1";
      await queries.run(text, user.id);
      await lockSession(queries, session);
      await also(queries);
      await queries.run('DELETE FROM recovery_codes WHERE person_id = $1', user.id);
      await this.recordEvent(queries, user, 'second_factor_off', address);
    });
  }

  private recordEvent(queries: Queries, user: User, action: UserAction, address: string) {
    const actor = { by: user.email, address };
    return new UserEvents(queries, this.now).add(user, action, actor);
  }

  private async acceptTotp(user: User, code: string): Promise<boolean> {
    const step = await this.findStep(user.totpSecret, code);
    if (step === undefined) return false;
    // Each code is valid once: neither codes of earlier steps, nor this one in a concurrent request.
    const text = 'UPDATE people SET totp_step = $2 WHERE id = $1 AND totp_step < $2';
    return (await this.database.run(text, user.id, step)) === 1;
  }

  /** Returns the time step of a valid code: the current, previous or next one. */
  private async findStep(secret: string, code: string): Promise<number | undefined> {
    if (!isTotpCode(code)) return undefined;
    const epoch = Math.floor(this.now() / 1000);
    const { verify } = otp();
    const result = await verify({ secret, token: code, epoch, epochTolerance: STEP_SECONDS });
    return result.valid ? Math.floor(epoch / STEP_SECONDS) + result.delta : undefined;
  }
}

/** Replaces the recovery codes. */
async function newRecoveryCodes(queries: Queries, userId: string): Promise<string[]> {
  await queries.run('DELETE FROM recovery_codes WHERE person_id = $1', userId);
  const codes = Array.from({ length: RECOVERY_CODES }, () =>
    randomBytes(RECOVERY_BYTES).toString('hex').match(/.{5}/g)!.join('-'),
  );
  for (const code of codes) {
    const text = 'INSERT INTO recovery_codes (person_id, hash) VALUES ($1, $2)';
    await queries.run(text, userId, hashSecretHex(normalizeCode(code)));
  }
  return codes;
}

/** Undoes differences in typing: spaces, hyphens, upper case. */
function normalizeCode(code: string): string {
  return code.replace(/[\s-]/g, '').toLowerCase();
}
