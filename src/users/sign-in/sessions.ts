import type { Bus } from '../../cluster/bus/bus.ts';
import { DAY_MS } from '../../config/durations.ts';
import { hashSecretHex, isSecret, newId, newSecret } from '../credentials/secrets.ts';
import type { Database, Queries, Row } from '../database.ts';
import { WrongCredentialsError } from '../errors.ts';
import type { User } from '../user-store.ts';

export const SESSION_IDLE_MS = 7 * DAY_MS;
export const SESSION_LIFETIME_MS = 30 * DAY_MS;
const MAX_SESSIONS_PER_USER = 50;
/** Maximum sessions in memory, about 500 bytes each. Others are read from the database when used. */
const MAX_CACHED = 20_000;
/** Maximum lag of the stored time at which a session was last seen. */
const SEEN_LAG_MS = 60_000;
/**
 * The time for which a cached session is trusted without a query to the shared database of a cluster. Nodes notify each
 * other when sessions end; this is the limit if a notification is lost.
 */
export const MAX_CACHE_AGE_MS = 5000;
const ENDED_TOPIC = 'sessions-ended';
/** Maximum values per query. */
const MAX_QUERY_VALUES = 500;

/** The client of a session. */
export interface ClientInfo {
  readonly address: string;
  readonly userAgent: string;
}

/** A signed-in browser. */
export interface Session extends ClientInfo {
  /** Identifies the session to its user. Not its secret. */
  readonly id: string;
  readonly userId: string;
  readonly accountId: string;
  /** Sum of the engine's permissions. */
  readonly permissions: number;
  readonly createdAt: number;
  seenAt: number;
}

interface Cached {
  readonly session: Session;
  storedSeenAt: number;
  /** The start of the query that read it. */
  readAt: number;
}

/**
 * Sessions by the hash of their secret, in SQL. Those in use are cached, so that requests need no query. When a
 * session ends, it leaves the database first, then the cache, before anyone is notified. In a cluster, cached
 * sessions are read again after five seconds.
 */
export class Sessions {
  private readonly cache = new Map<string, Cached>();
  /** The cache key of each cached session, by session id. */
  private readonly hashes = new Map<string, string>();
  /** Counts ended sessions, to detect concurrent endings. */
  private endings = 0;
  /** Called with the sessions that were ended or got another secret. */
  onEnded: (ids: ReadonlySet<string>) => void = () => {};

  constructor(
    private readonly database: Database,
    private readonly now: () => number,
    private readonly bus?: Bus,
  ) {
    bus?.subscribe(ENDED_TOPIC, (bytes) => {
      this.forget(new Set(new TextDecoder().decode(bytes).split(' ')));
    });
  }

  /** Returns the session with this secret if it is cached, trusted and in force. */
  cached(secret: string): Session | undefined {
    const entry = this.trusted(hashSecretHex(secret));
    return entry === undefined ? undefined : this.use(entry.session);
  }

  /** Returns whether a session with this secret is cached: then the secret is not a guess. */
  isKnown(secret: string): boolean {
    return this.cache.has(hashSecretHex(secret));
  }

  /** Returns the session with this secret if it is in force. @throws DatabaseDownError */
  async find(secret: string): Promise<Session | undefined> {
    if (!isSecret(secret)) return undefined;
    const hash = hashSecretHex(secret);
    for (;;) {
      const cached = this.trusted(hash);
      if (cached !== undefined) return this.use(cached.session);
      const before = this.endings;
      const readAt = this.now();
      const [row] = await this.database.query(`${SELECT} WHERE s.hash = $1`, hash);
      // A session ended during the query: if it was this one, the row is outdated.
      if (this.endings !== before) continue;
      if (row === undefined) {
        this.forgetHash(hash);
        return undefined;
      }
      const read = toSession(row);
      // Sockets refer to the cached object.
      const session = this.cache.get(hash)?.session ?? read;
      session.seenAt = Math.max(session.seenAt, read.seenAt);
      this.keep(hash, { session, storedSeenAt: read.seenAt, readAt });
      return this.use(session);
    }
  }

  /**
   * Creates a session and returns its secret, if password, second factor and permissions are still those of
   * `user`: they may have changed while they were checked.
   * @param also Runs in the same transaction. @throws WrongCredentialsError
   */
  async begin(
    user: User,
    client: ClientInfo,
    also: (queries: Queries) => Promise<void> = async () => {},
  ): Promise<{ secret: string; session: Session }> {
    const now = this.now();
    const secret = newSecret();
    const { address, userAgent } = client;
    const session: Session = {
      id: newId('s'),
      userId: user.id,
      accountId: user.accountId,
      permissions: user.permissions,
      createdAt: now,
      seenAt: now,
      address,
      userAgent,
    };
    const before = this.endings;
    await this.database.transaction(async (queries) => {
      await lockUser(queries, user);
      await also(queries);
      await queries.run(
        `INSERT INTO sessions (id, hash, person_id, created_at, seen_at, address, user_agent)
         VALUES ($1, $2, $3, $4, $5, $6, $7)`,
        session.id,
        hashSecretHex(secret),
        user.id,
        now,
        now,
        address,
        userAgent,
      );
    });
    // If a session ended in the meantime, it may be this one: then its first request reads it.
    if (this.endings === before) {
      this.keep(hashSecretHex(secret), { session, storedSeenAt: now, readAt: now });
    }
    const all = await this.listByUser(user.id);
    await this.end(all.slice(MAX_SESSIONS_PER_USER).map(({ id }) => id));
    return { secret, session };
  }

  /**
   * Gives a session another secret, which invalidates the old one and closes its sockets.
   * @throws WrongCredentialsError if the session has ended
   */
  async rotate(session: Session): Promise<string> {
    const secret = await rotateSecret(this.database, session);
    this.notifyEnded([session.id]);
    return secret;
  }

  /** Returns the sessions of a user that are in force, newest first. */
  async listByUser(userId: string): Promise<Session[]> {
    const text = `${SELECT} WHERE s.person_id = $1 ORDER BY s.created_at DESC, s.id`;
    const rows = await this.database.query(text, userId);
    return rows
      .map(
        (row) => this.cache.get(this.hashes.get(String(row.id)) ?? '')?.session ?? toSession(row),
      )
      .filter((session) => this.isInForce(session));
  }

  /**
   * Ends sessions and closes their sockets.
   * @param also Runs in the same transaction.
   */
  async end(
    ids: readonly string[],
    also: (queries: Queries) => Promise<void> = async () => {},
  ): Promise<void> {
    if (ids.length === 0) return;
    await this.database.transaction(async (queries) => {
      for (const id of ids) await queries.run('DELETE FROM sessions WHERE id = $1', id);
      await also(queries);
    });
    this.notifyEnded(ids);
  }

  /** Notifies every node of sessions that a committed transaction has ended or given another secret. */
  notifyEnded(ids: readonly string[]): void {
    if (ids.length === 0) return;
    this.forget(new Set(ids));
    this.bus?.publish(ENDED_TOPIC, new TextEncoder().encode(ids.join(' ')));
  }

  /** Returns which of these sessions other nodes have ended, according to the database. */
  async findEnded(ids: readonly string[]): Promise<Set<string>> {
    if (this.database.isSqlite) return new Set();
    const ended = new Set(ids);
    for (let from = 0; from < ids.length; from += MAX_QUERY_VALUES) {
      const some = ids.slice(from, from + MAX_QUERY_VALUES);
      const places = some.map((_, index) => `$${index + 1}`).join(', ');
      const text = `SELECT id FROM sessions WHERE id IN (${places})`;
      for (const { id } of await this.database.query(text, ...some)) ended.delete(String(id));
    }
    return ended;
  }

  /** Returns whether a session has not been idle for too long and is not too old. */
  isInForce(session: Pick<Session, 'createdAt' | 'seenAt'>): boolean {
    const now = this.now();
    return now < session.seenAt + SESSION_IDLE_MS && now < session.createdAt + SESSION_LIFETIME_MS;
  }

  /** Stores when sessions were last seen, and deletes expired ones. */
  async deleteExpired(): Promise<void> {
    const now = this.now();
    const stale = [...this.cache.values()].filter(
      ({ session, storedSeenAt }) => session.seenAt - storedSeenAt >= SEEN_LAG_MS,
    );
    await this.database.transaction(async (queries) => {
      for (const { session } of stale) {
        const text = 'UPDATE sessions SET seen_at = $2 WHERE id = $1 AND seen_at < $2';
        await queries.run(text, session.id, session.seenAt);
      }
      await queries.run(
        'DELETE FROM sessions WHERE seen_at <= $1 OR created_at <= $2',
        now - SESSION_IDLE_MS - SEEN_LAG_MS,
        now - SESSION_LIFETIME_MS,
      );
    });
    for (const entry of stale) entry.storedSeenAt = entry.session.seenAt;
    for (const [hash, { session }] of this.cache) {
      if (!this.isInForce(session)) this.drop(hash);
    }
  }

  private trusted(hash: string): Cached | undefined {
    const entry = this.cache.get(hash);
    if (entry === undefined || this.database.isSqlite) return entry;
    // The absolute difference, because the clock may have been set back.
    return Math.abs(this.now() - entry.readAt) < MAX_CACHE_AGE_MS ? entry : undefined;
  }

  private use(session: Session): Session | undefined {
    if (!this.isInForce(session)) return undefined;
    session.seenAt = this.now();
    return session;
  }

  private keep(hash: string, entry: Cached): void {
    const { id } = entry.session;
    const oldHash = this.hashes.get(id);
    // The session has got another secret.
    if (oldHash !== undefined && oldHash !== hash) this.drop(oldHash);
    if (this.cache.size >= MAX_CACHED && !this.cache.has(hash)) {
      this.drop(this.cache.keys().next().value!);
    }
    this.cache.set(hash, entry);
    this.hashes.set(id, hash);
  }

  private drop(hash: string): void {
    const entry = this.cache.get(hash);
    if (entry === undefined) return;
    this.cache.delete(hash);
    this.hashes.delete(entry.session.id);
  }

  private forgetHash(hash: string): void {
    const entry = this.cache.get(hash);
    if (entry !== undefined) this.forget(new Set([entry.session.id]));
  }

  private forget(ids: ReadonlySet<string>): void {
    this.endings++;
    for (const id of ids) {
      const hash = this.hashes.get(id);
      if (hash !== undefined) this.drop(hash);
    }
    this.onEnded(ids);
  }
}

/**
 * Deletes all sessions of a user within a transaction. The transaction must have changed the user's row first,
 * or a session that is being created would survive. Returns the ids for `notifyEnded` after the commit.
 * @param except The id of a session to keep.
 */
export async function deleteUserSessions(
  queries: Queries,
  userId: string,
  except = '',
): Promise<string[]> {
  const text = 'DELETE FROM sessions WHERE person_id = $1 AND id <> $2 RETURNING id';
  return (await queries.query(text, userId, except)).map(({ id }) => String(id));
}

/**
 * Gives a session another secret within a transaction. Call `notifyEnded` after the commit.
 * @throws WrongCredentialsError if the session has ended
 */
export async function rotateSecret(queries: Queries, session: Session): Promise<string> {
  const secret = newSecret();
  const text = 'UPDATE sessions SET hash = $2 WHERE id = $1';
  if ((await queries.run(text, session.id, hashSecretHex(secret))) !== 1) {
    throw new WrongCredentialsError();
  }
  return secret;
}

/**
 * Locks a user's row until the transaction ends, so that a later change also deletes a session that this
 * transaction creates. @throws WrongCredentialsError if the user has changed since the check
 */
async function lockUser(queries: Queries, user: User): Promise<void> {
  const locked = await queries.run(
    `UPDATE people SET id = id
     WHERE id = $1 AND password = $2 AND totp_secret = $3 AND permissions = $4 AND email = $5`,
    user.id,
    user.password,
    user.totpSecret,
    user.permissions,
    user.email,
  );
  if (locked !== 1) throw new WrongCredentialsError();
}

/**
 * Locks a session's row until the transaction ends, so that it cannot end during it.
 * @throws WrongCredentialsError if it has ended before
 */
export async function lockSession(queries: Queries, { id }: Pick<Session, 'id'>): Promise<void> {
  const locked = await queries.run('UPDATE sessions SET id = id WHERE id = $1', id);
  if (locked !== 1) throw new WrongCredentialsError();
}

const SELECT = `SELECT s.id, s.person_id, p.account_id, p.permissions, s.created_at, s.seen_at,
  s.address, s.user_agent FROM sessions s JOIN people p ON p.id = s.person_id`;

function toSession(row: Row): Session {
  return {
    id: String(row.id),
    userId: String(row.person_id),
    accountId: String(row.account_id),
    permissions: Number(row.permissions),
    createdAt: Number(row.created_at),
    seenAt: Number(row.seen_at),
    address: String(row.address),
    userAgent: String(row.user_agent),
  };
}
