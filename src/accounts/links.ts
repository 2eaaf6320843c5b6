import type { Queries } from './database.ts';
import { InvalidInputError } from './errors.ts';
import { hashOf, isSecret, newSecret } from './secrets.ts';

/** What the holder of a link may do: show that a sign-up's address is theirs, or set a password. */
export type Purpose = 'verify' | 'password';

/** As many as are mailed to one address in an hour. */
const MAX_PER_SUBJECT = 10;

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
