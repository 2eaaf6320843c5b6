import type { Queries } from './database.ts';
import { InvalidInputError } from './errors.ts';
import { hashOf, isSecret, newSecret } from './secrets.ts';

/** What the holder of a link may do: show that a sign-up's address is theirs, or set a password. */
export type Purpose = 'verify' | 'password';

const HALF_HOUR_MS = 1_800_000;
const RESET_LIFETIME_MS = 2 * HALF_HOUR_MS;
/** Links for a new password that one person is mailed in half an hour, whoever asks. */
const MAX_RESETS_PER_HALF_HOUR = 5;
/** More than all resets that live at a time: what strangers ask for voids nothing. */
const MAX_PER_SUBJECT = 20;
/** For whom a link is that nobody gets. */
const NO_ONE = 'nobody';

/** Links that are mailed: each works once, until its time is over. */
export class Links {
  constructor(private readonly queries: Queries) {}

  /**
   * Of too many for one subject, the one that expires first is forgotten.
   * @param subject Of `verify` a sign-up's id, of `password` a person's. @returns The token.
   */
  async make(purpose: Purpose, subject: string, expiresAt: number): Promise<string> {
    const token = newSecret();
    await this.queries.run(
      'INSERT INTO links (hash, purpose, subject, expires_at) VALUES ($1, $2, $3, $4)',
      ...[hashOf(token), purpose, subject, expiresAt],
    );
    await this.queries.run(
      `DELETE FROM links WHERE subject = $1 AND hash <> $2 AND hash NOT IN
         (SELECT hash FROM links WHERE subject = $1 AND hash <> $2
          ORDER BY expires_at DESC, hash LIMIT $3)`,
      ...[subject, hashOf(token), MAX_PER_SUBJECT - 1],
    );
    return token;
  }

  /**
   * A link for a new password, good for an hour; undefined where nobody is to be mailed one: no such
   * person, or five of theirs are good for another half hour. The work is the same.
   */
  async makeReset(personId: string | undefined, now: number): Promise<string | undefined> {
    const subject = personId ?? NO_ONE;
    const [row] = await this.queries.query(
      // Invitations live longer, and are not asked for.
      `SELECT COUNT(*) AS count FROM links
       WHERE subject = $1 AND expires_at > $2 AND expires_at <= $3`,
      ...[subject, now + HALF_HOUR_MS, now + RESET_LIFETIME_MS],
    );
    const isFor = personId !== undefined && Number(row!.count) < MAX_RESETS_PER_HALF_HOUR;
    const token = await this.make('password', isFor ? subject : NO_ONE, now + RESET_LIFETIME_MS);
    return isFor ? token : undefined;
  }

  /** Whom a link is for, without using it up. @throws InvalidInputError */
  async look(purpose: Purpose, token: string, now: number): Promise<string> {
    if (!isSecret(token)) throw refused();
    const [row] = await this.queries.query(
      'SELECT subject FROM links WHERE hash = $1 AND purpose = $2 AND expires_at > $3',
      ...[hashOf(token), purpose, now],
    );
    if (row === undefined) throw refused();
    return String(row.subject);
  }

  /** Uses a link up, and with it all others for the same subject. @throws InvalidInputError */
  async take(purpose: Purpose, token: string, now: number): Promise<string> {
    const subject = await this.look(purpose, token, now);
    const taken = await this.queries.run('DELETE FROM links WHERE hash = $1', hashOf(token));
    if (taken !== 1) throw refused();
    await this.queries.run('DELETE FROM links WHERE subject = $1', subject);
    return subject;
  }

  async forgetOf(subject: string): Promise<void> {
    await this.queries.run('DELETE FROM links WHERE subject = $1', subject);
  }
}

/** Wrong, used, expired or made for something else: one answer. */
function refused(): InvalidInputError {
  const message = 'The link has been used, has expired or is not complete: ask for a new one.';
  return new InvalidInputError('token', 'valid', message);
}
