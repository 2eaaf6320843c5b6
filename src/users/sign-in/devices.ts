import { hashSecretHex, isSecret, newSecret } from '../credentials/secrets.ts';
import type { Queries } from '../database.ts';

const MAX_DEVICES_PER_USER = 20;

/** Browsers that have signed in before, identified by a cookie that outlives the sessions. */
export class Devices {
  constructor(private readonly queries: Queries) {}

  /** Returns the id of the user whose device has this secret. */
  async findUser(secret: string): Promise<string | undefined> {
    if (!isSecret(secret)) return undefined;
    const text = 'SELECT person_id FROM devices WHERE hash = $1';
    const [row] = await this.queries.query(text, hashSecretHex(secret));
    return row === undefined ? undefined : String(row.person_id);
  }

  /** Returns when a user's device was added, milliseconds since 1970; undefined for a device that is not theirs. */
  async findAddedAt(userId: string, secret: string): Promise<number | undefined> {
    if (!isSecret(secret)) return undefined;
    const text = 'SELECT added_at FROM devices WHERE hash = $1 AND person_id = $2';
    const [row] = await this.queries.query(text, hashSecretHex(secret), userId);
    return row === undefined ? undefined : Number(row.added_at);
  }

  /** Adds a browser and returns its secret. Beyond the maximum, the least recently seen is deleted. */
  async add(userId: string, now: number): Promise<string> {
    const secret = newSecret();
    const text = 'INSERT INTO devices (hash, person_id, seen_at, added_at) VALUES ($1, $2, $3, $3)';
    await this.queries.run(text, hashSecretHex(secret), userId, now);
    await this.queries.run(
      `DELETE FROM devices WHERE person_id = $1 AND hash NOT IN
         (SELECT hash FROM devices WHERE person_id = $1 ORDER BY seen_at DESC, hash LIMIT $2)`,
      userId,
      MAX_DEVICES_PER_USER,
    );
    return secret;
  }

  async deleteByUser(userId: string): Promise<void> {
    await this.queries.run('DELETE FROM devices WHERE person_id = $1', userId);
  }

  /** Updates when a device was last seen. */
  async touch(secret: string, now: number): Promise<void> {
    await this.queries.run(
      'UPDATE devices SET seen_at = $2 WHERE hash = $1',
      hashSecretHex(secret),
      now,
    );
  }
}
