import { HOUR_MS } from '../../config/durations.ts';
import { hashSecretHex, isSecret, newSecret } from '../credentials/secrets.ts';
import type { Queries } from '../database.ts';
import { InvalidInputError } from '../errors.ts';

/** The purpose of a link: to confirm the email address of a sign-up, to set a password, or to change the address. */
export type Purpose = 'verify' | 'password' | 'email';

const RESET_LIFETIME_MS = HOUR_MS;
const HALF_HOUR_MS = HOUR_MS / 2;
/** Maximum password reset links that a user is mailed in half an hour, by all requests together. */
const MAX_RESETS_PER_HALF_HOUR = 5;
/** More than all valid reset links of a user, so that requests of strangers never delete a valid one. */
const MAX_PER_SUBJECT = 20;
/** The subject of links that are never mailed. */
const NO_ONE = 'nobody';

/** Mailed links, in SQL. Each works once, until it expires. */
export class Links {
  constructor(private readonly queries: Queries) {}

  /**
   * Creates a link and returns its token. Beyond the maximum per subject, the first to expire is deleted.
   * @param subject The sign-up's id for `verify`, the user's for `password`, with the new address for `email`.
   */
  async create(purpose: Purpose, subject: string, expiresAt: number): Promise<string> {
    const token = newSecret();
    await this.queries.run(
      'INSERT INTO links (hash, purpose, subject, expires_at) VALUES ($1, $2, $3, $4)',
      hashSecretHex(token),
      purpose,
      subject,
      expiresAt,
    );
    await this.queries.run(
      `DELETE FROM links WHERE subject = $1 AND hash <> $2 AND hash NOT IN
         (SELECT hash FROM links WHERE subject = $1 AND hash <> $2
          ORDER BY expires_at DESC, hash LIMIT $3)`,
      subject,
      hashSecretHex(token),
      MAX_PER_SUBJECT - 1,
    );
    return token;
  }

  /**
   * Creates a password reset link, valid for an hour. Returns undefined if none must be mailed, because there
   * is no such user or five links were mailed in the last half hour. The work is the same in all cases.
   */
  async createReset(userId: string | undefined, now: number): Promise<string | undefined> {
    const subject = userId ?? NO_ONE;
    const [row] = await this.queries.query(
      // Invitations, which live longer, do not count.
      `SELECT COUNT(*) AS count FROM links
       WHERE subject = $1 AND expires_at > $2 AND expires_at <= $3`,
      subject,
      now + HALF_HOUR_MS,
      now + RESET_LIFETIME_MS,
    );
    const isMailed = userId !== undefined && Number(row!.count) < MAX_RESETS_PER_HALF_HOUR;
    const token = await this.create(
      'password',
      isMailed ? subject : NO_ONE,
      now + RESET_LIFETIME_MS,
    );
    return isMailed ? token : undefined;
  }

  /** Returns the subject of a valid link. @throws InvalidInputError */
  async find(purpose: Purpose, token: string, now: number): Promise<string> {
    if (!isSecret(token)) throw invalidLink();
    const [row] = await this.queries.query(
      'SELECT subject FROM links WHERE hash = $1 AND purpose = $2 AND expires_at > $3',
      hashSecretHex(token),
      purpose,
      now,
    );
    if (row === undefined) throw invalidLink();
    return String(row.subject);
  }

  /** Deletes a valid link and all others of its subject. Returns the subject. @throws InvalidInputError */
  async use(purpose: Purpose, token: string, now: number): Promise<string> {
    const subject = await this.find(purpose, token, now);
    const deleted = await this.queries.run(
      'DELETE FROM links WHERE hash = $1',
      hashSecretHex(token),
    );
    if (deleted !== 1) throw invalidLink();
    await this.queries.run('DELETE FROM links WHERE subject = $1', subject);
    return subject;
  }

  async deleteBySubject(subject: string): Promise<void> {
    await this.queries.run('DELETE FROM links WHERE subject = $1', subject);
  }
}

/** The same error for wrong, used and expired links, and for links of another purpose. */
export function invalidLink(): InvalidInputError {
  const message = 'This link was used, has expired or is incomplete. Request a new one.';
  return new InvalidInputError('token', 'valid', message);
}
