import { DAY_MS } from '../config/durations.ts';
import type { Queries, Row } from './database.ts';

/** A user, who signs in to an account of the engine. Several users may share an account. */
export interface User {
  readonly id: string;
  readonly accountId: string;
  /** In lower case. */
  readonly email: string;
  readonly name: string;
  /** argon2id hash, '' until a password is set. */
  readonly password: string;
  /** Sum of the engine's permissions. */
  readonly permissions: number;
  /** Base32; '' if two-factor authentication is off. */
  readonly totpSecret: string;
  /** An offered secret, not in force until a code is confirmed. */
  readonly totpPending: string;
  /** The time step of the last accepted code. */
  readonly totpStep: number;
  /** Shown by every mail to the user; '' for none. */
  readonly antiPhishingCode: string;
  /** The new address of a change that is not confirmed yet; '' for none. */
  readonly pendingEmail: string;
  readonly createdAt: number;
}

export type NewUser = Pick<
  User,
  'id' | 'accountId' | 'email' | 'name' | 'password' | 'permissions' | 'createdAt'
>;

/** The users of the exchange, in SQL. */
export class UserStore {
  constructor(private readonly queries: Queries) {}

  async findByEmail(email: string): Promise<User | undefined> {
    return this.one('SELECT * FROM people WHERE email = $1', email);
  }

  async findById(id: string): Promise<User | undefined> {
    return this.one('SELECT * FROM people WHERE id = $1', id);
  }

  /** Returns the users who have one of the permissions, by account and address. @param permissions Sum of their bits */
  async listByPermissions(permissions: number): Promise<User[]> {
    const text = 'SELECT * FROM people WHERE (permissions & $1) <> 0 ORDER BY account_id, email';
    return (await this.queries.query(text, permissions)).map(toUser);
  }

  /** Returns the accounts of the users whose name or email address contains a text, in any case. */
  async searchAccounts(text: string): Promise<Set<string>> {
    const escaped = text.replace(/[\\%_]/g, '\\$&');
    const rows = await this.queries.query(
      `SELECT DISTINCT account_id FROM people
       WHERE email LIKE $1 ESCAPE '\\' OR LOWER(name) LIKE $1 ESCAPE '\\' OR name LIKE $2 ESCAPE '\\'`,
      `%${escaped.toLowerCase()}%`,
      `%${escaped}%`,
    );
    return new Set(rows.map(({ account_id }) => account_id as string));
  }

  /**
   * Returns users whose email address or name starts with a text, in any case, then those who have it elsewhere in them.
   * Only the second search reads all users, and only if the first one found fewer than `limit`.
   */
  async search(text: string, limit: number): Promise<User[]> {
    const start = text.toLowerCase();
    const found = new Map<string, User>();
    const add = async (condition: string, ...values: string[]) => {
      if (found.size >= limit) return;
      const rows = await this.queries.query(
        `SELECT * FROM people WHERE ${condition} LIMIT ${limit}`,
        ...values,
      );
      for (const row of rows) if (found.size < limit) found.set(String(row.id), toUser(row));
    };
    // No character of a text has a higher code point.
    const range = [start, `${start}\u{10FFFF}`] as const;
    await add('email BYTEWISE >= $1 AND email BYTEWISE < $2 ORDER BY email BYTEWISE', ...range);
    await add(
      'LOWER(name) BYTEWISE >= $1 AND LOWER(name) BYTEWISE < $2 ORDER BY LOWER(name) BYTEWISE',
      ...range,
    );
    const escaped = text.replace(/[\\%_]/g, '\\$&');
    await add(
      `email LIKE $1 ESCAPE '\\' OR LOWER(name) LIKE $1 ESCAPE '\\' OR name LIKE $2 ESCAPE '\\'`,
      `%${escaped.toLowerCase()}%`,
      `%${escaped}%`,
    );
    return [...found.values()];
  }

  /** Returns the number of users who were created on each day (UTC) from one on, by its number since 1970. */
  async countByDay(firstDay: number): Promise<Map<number, number>> {
    const rows = await this.queries.query(
      'SELECT created_at / 86400000 AS day, COUNT(*) AS total FROM people WHERE created_at >= $1 GROUP BY created_at / 86400000',
      firstDay * DAY_MS,
    );
    return new Map(rows.map(({ day, total }) => [Math.floor(Number(day)), Number(total)]));
  }

  /** Counts all users, those created and those whose sessions were used since a time. */
  async count(since: number): Promise<{ registered: number; created: number; active: number }> {
    const [users] = await this.queries.query(
      'SELECT COUNT(*) AS total, COUNT(CASE WHEN created_at >= $1 THEN 1 END) AS created FROM people',
      since,
    );
    const [sessions] = await this.queries.query(
      'SELECT COUNT(DISTINCT person_id) AS active FROM sessions WHERE seen_at >= $1',
      since,
    );
    return {
      registered: Number(users?.total),
      created: Number(users?.created),
      active: Number(sessions?.active),
    };
  }

  /** Returns the users with these ids, at most 1,000; those who were removed are missing. */
  listByIds(ids: readonly string[]): Promise<User[]> {
    return this.listIn('id', ids);
  }

  /** Returns the users of some accounts. */
  listByAccounts(accountIds: readonly string[]): Promise<User[]> {
    return this.listIn('account_id', accountIds);
  }

  /** Returns when the sessions of some users that did not end were last used, by user; at most 1,000 users. */
  async readLastSeen(ids: readonly string[]): Promise<Map<string, number>> {
    if (ids.length === 0) return new Map();
    const rows = await this.queries.query(
      `SELECT person_id, MAX(seen_at) AS seen FROM sessions WHERE person_id IN (${places(ids)}) GROUP BY person_id`,
      ...ids,
    );
    return new Map(rows.map(({ person_id, seen }) => [String(person_id), Number(seen)]));
  }

  private async listIn(column: 'id' | 'account_id', values: readonly string[]): Promise<User[]> {
    if (values.length === 0) return [];
    const text = `SELECT * FROM people WHERE ${column} IN (${places(values)}) ORDER BY created_at, id`;
    return (await this.queries.query(text, ...values)).map(toUser);
  }

  async listByAccount(accountId: string): Promise<User[]> {
    const text = 'SELECT * FROM people WHERE account_id = $1 ORDER BY created_at, id';
    return (await this.queries.query(text, accountId)).map(toUser);
  }

  /** Returns false if the email address is taken. */
  async add(user: NewUser): Promise<boolean> {
    const { id, accountId, email, name, password, permissions, createdAt } = user;
    const added = await this.queries.run(
      `INSERT INTO people (id, account_id, email, name, password, permissions,
         totp_secret, totp_pending, totp_step, created_at)
       VALUES ($1, $2, $3, $4, $5, $6, '', '', 0, $7) ON CONFLICT DO NOTHING`,
      id,
      accountId,
      email,
      name,
      password,
      permissions,
      createdAt,
    );
    return added === 1;
  }

  async setName(id: string, name: string): Promise<void> {
    await this.queries.run('UPDATE people SET name = $2 WHERE id = $1', id, name);
  }

  async setAntiPhishingCode(id: string, code: string): Promise<void> {
    await this.queries.run('UPDATE people SET anti_phishing_code = $2 WHERE id = $1', id, code);
  }

  /** Stores the new address of a change that is not confirmed yet. @param email '' cancels the change */
  async setPendingEmail(id: string, email: string): Promise<void> {
    await this.queries.run('UPDATE people SET pending_email = $2 WHERE id = $1', id, email);
  }

  /**
   * Puts the pending address in force. Returns `taken` if it belongs to another user, and `changed` if the password or the
   * pending address is no longer that of `user`.
   */
  async confirmEmail({ id, password, pendingEmail }: User): Promise<'done' | 'taken' | 'changed'> {
    if ((await this.findByEmail(pendingEmail)) !== undefined) return 'taken';
    const text = `UPDATE people SET email = pending_email, pending_email = ''
      WHERE id = $1 AND password = $2 AND pending_email = $3`;
    return (await this.queries.run(text, id, password, pendingEmail)) === 1 ? 'done' : 'changed';
  }

  /** Also cancels a change of the email address, which someone who knew the old password may have begun. */
  async setPassword(id: string, password: string): Promise<void> {
    const text = "UPDATE people SET password = $2, pending_email = '' WHERE id = $1";
    await this.queries.run(text, id, password);
  }

  /** Like `setPassword`. Returns false if the password is no longer `old`. */
  async changePassword(id: string, old: string, password: string): Promise<boolean> {
    const text =
      "UPDATE people SET password = $3, pending_email = '' WHERE id = $1 AND password = $2";
    return (await this.queries.run(text, id, old, password)) === 1;
  }

  async setPermissions(id: string, permissions: number): Promise<void> {
    await this.queries.run('UPDATE people SET permissions = $2 WHERE id = $1', id, permissions);
  }

  /**
   * Deletes a user and everything except the sessions; with the last user of an account also the names of its addresses.
   * Returns false if there is none.
   */
  async remove(id: string): Promise<boolean> {
    // Always in the order links, user, passkeys, to prevent deadlocks.
    await this.queries.run('DELETE FROM links WHERE subject = $1', id);
    await this.queries.run(
      `DELETE FROM address_labels
       WHERE account_id = (SELECT account_id FROM people WHERE id = $1) AND NOT EXISTS (
         SELECT 1 FROM people WHERE people.account_id = address_labels.account_id AND people.id <> $1
       )`,
      id,
    );
    if ((await this.queries.run('DELETE FROM people WHERE id = $1', id)) !== 1) return false;
    for (const table of ['passkeys', 'recovery_codes', 'devices']) {
      await this.queries.run(`DELETE FROM ${table} WHERE person_id = $1`, id);
    }
    return true;
  }

  private async one(text: string, value: string): Promise<User | undefined> {
    const [row] = await this.queries.query(text, value);
    return row === undefined ? undefined : toUser(row);
  }
}

function toUser(row: Row): User {
  return {
    id: String(row.id),
    accountId: String(row.account_id),
    email: String(row.email),
    name: String(row.name),
    password: String(row.password),
    permissions: Number(row.permissions),
    totpSecret: String(row.totp_secret),
    totpPending: String(row.totp_pending),
    totpStep: Number(row.totp_step),
    antiPhishingCode: String(row.anti_phishing_code),
    pendingEmail: String(row.pending_email),
    createdAt: Number(row.created_at),
  };
}

/** Returns the parameters of a query for a list of values: `$1,$2`. */
function places(values: readonly string[]): string {
  return values.map((_, place) => `$${place + 1}`).join();
}
