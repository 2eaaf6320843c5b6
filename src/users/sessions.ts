import type { Bus } from '../cluster/bus/bus.ts';
import { DAY_MS } from '../config/durations.ts';
import type { Database, Queries, Row } from './database.ts';
import { WrongCredentialsError } from './errors.ts';
import { hashOf, isSecret, newId, newSecret } from './secrets.ts';
import type { User } from './user-store.ts';

export const SESSION_IDLE_MS = 7 * DAY_MS;
export const SESSION_LIFETIME_MS = 30 * DAY_MS;
const MAX_SESSIONS_PER_USER = 50;
/** Sessions in memory, some 500 bytes each; the others are read again when they are shown. */
const MAX_CACHED = 20_000;
/** How far the database may lag behind with when a session was last seen. */
const SEEN_LAG_MS = 60_000;
/**
 * How long a session is believed without asking a database that other nodes share. They tell each other at
 * once what they end; where that was lost it is over by then.
 */
export const BELIEVED_MS = 5000;
const ENDED_TOPIC = 'sessions-ended';
/** Values in one question. */
const MANY = 500;

/** Where a browser speaks from. */
export interface Visitor {
  readonly address: string;
  readonly userAgent: string;
}

/** A browser that is signed in. */
export interface Session extends Visitor {
  /** Names it to its holder; the secret is another. */
  readonly id: string;
  readonly personId: string;
  readonly accountId: string;
  /** Sum of the engine's permissions. */
  readonly permissions: number;
  readonly createdAt: number;
  seenAt: number;
}

interface Cached {
  readonly session: Session;
  storedSeenAt: number;
  /** When it was asked for before the database said that it is there. */
  readAt: number;
}

/**
 * Sessions by the hash of their secret, in SQL. Those in use are kept in memory, so that a request
 * costs no query; whatever ends one ends it there first after the database, before anybody is told. In a
 * database that nodes share each is read again once it was believed for five seconds.
 */
export class Sessions {
  private readonly cache = new Map<string, Cached>();
  /** The hash under which a session is in the cache, by the session's id. */
  private readonly hashes = new Map<string, string>();
  private endings = 0;
  /** Hears which sessions have ended before their time, or go on under another secret. */
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

  /** The session in force that has this secret, if it is in memory and may be believed. */
  cached(secret: string): Session | undefined {
    const entry = this.believed(hashOf(secret));
    return entry === undefined ? undefined : this.use(entry.session);
  }

  /** Whether a session that had this secret is in memory: then the secret is not a guess. */
  isKnown(secret: string): boolean {
    return this.cache.has(hashOf(secret));
  }

  /** The session in force that has this secret. @throws DatabaseDownError */
  async find(secret: string): Promise<Session | undefined> {
    if (!isSecret(secret)) return undefined;
    const hash = hashOf(secret);
    for (;;) {
      const cached = this.believed(hash);
      if (cached !== undefined) return this.use(cached.session);
      const before = this.endings;
      const readAt = this.now();
      const [row] = await this.database.query(`${SELECT} WHERE s.hash = $1`, hash);
      // What ended one meanwhile may have ended this: it is read again.
      if (this.endings !== before) continue;
      if (row === undefined) {
        this.forgetHash(hash);
        return undefined;
      }
      const read = sessionOf(row);
      // Sockets know it as the object that it was.
      const session = this.cache.get(hash)?.session ?? read;
      session.seenAt = Math.max(session.seenAt, read.seenAt);
      this.keep(hash, { session, storedSeenAt: read.seenAt, readAt });
      return this.use(session);
    }
  }

  /**
   * Signs a browser in, if password, second factor and permissions are still those of `person`: what
   * was checked may have changed during the check. @returns The secret for its cookie.
   * @param hold Holds what else was checked, in the same transaction. @throws WrongCredentialsError
   */
  async begin(
    user: User,
    visitor: Visitor,
    hold: (queries: Queries) => Promise<void> = async () => {},
  ): Promise<{ secret: string; session: Session }> {
    const now = this.now();
    const secret = newSecret();
    const { address, userAgent } = visitor;
    const session: Session = {
      ...{ id: newId('s'), personId: user.id, accountId: user.accountId },
      ...{ permissions: user.permissions, createdAt: now, seenAt: now, address, userAgent },
    };
    const before = this.endings;
    await this.database.transaction(async (queries) => {
      await validateUser(queries, user);
      await hold(queries);
      await queries.run(
        `INSERT INTO sessions (id, hash, person_id, created_at, seen_at, address, user_agent)
         VALUES ($1, $2, $3, $4, $5, $6, $7)`,
        ...[session.id, hashOf(secret), user.id, now, now, address, userAgent],
      );
    });
    // What ended one meanwhile may have ended this: then its first request reads it.
    if (this.endings === before) {
      this.keep(hashOf(secret), { session, storedSeenAt: now, readAt: now });
    }
    const all = await this.of(user.id);
    await this.end(all.slice(MAX_SESSIONS_PER_USER).map(({ id }) => id));
    return { secret, session };
  }

  /**
   * Gives a session another secret: what was known of it before is worth nothing, the sockets that it
   * opened neither. @throws WrongCredentialsError where the session was ended meanwhile
   */
  async rotate(session: Session): Promise<string> {
    const secret = await rotateIn(this.database, session);
    this.ended([session.id]);
    return secret;
  }

  /** Those in force of a person, the newest first. */
  async of(personId: string): Promise<Session[]> {
    const text = `${SELECT} WHERE s.person_id = $1 ORDER BY s.created_at DESC, s.id`;
    const rows = await this.database.query(text, personId);
    return rows
      .map(
        (row) => this.cache.get(this.hashes.get(String(row.id)) ?? '')?.session ?? sessionOf(row),
      )
      .filter((session) => this.isInForce(session));
  }

  /**
   * Ends sessions at once: their next request, and their sockets.
   * @param note What is written down together with it.
   */
  async end(
    ids: readonly string[],
    note: (queries: Queries) => Promise<void> = async () => {},
  ): Promise<void> {
    if (ids.length === 0) return;
    await this.database.transaction(async (queries) => {
      for (const id of ids) await queries.run('DELETE FROM sessions WHERE id = $1', id);
      await note(queries);
    });
    this.ended(ids);
  }

  /** Says on every node what a transaction that is done has ended, or given another secret. */
  ended(ids: readonly string[]): void {
    if (ids.length === 0) return;
    this.forget(new Set(ids));
    this.bus?.publish(ENDED_TOPIC, new TextEncoder().encode(ids.join(' ')));
  }

  /** Which of these sessions are over by what the database says, where other nodes may have ended them. */
  async overOf(ids: readonly string[]): Promise<Set<string>> {
    const over = new Set(this.database.isOwn ? [] : ids);
    const asked = [...over];
    for (let from = 0; from < asked.length; from += MANY) {
      const some = asked.slice(from, from + MANY);
      const places = some.map((_, index) => `$${index + 1}`).join(', ');
      const text = `SELECT id FROM sessions WHERE id IN (${places})`;
      for (const { id } of await this.database.query(text, ...some)) over.delete(String(id));
    }
    return over;
  }

  /** Whether a session is neither idle for too long nor too old. */
  isInForce(session: Pick<Session, 'createdAt' | 'seenAt'>): boolean {
    const now = this.now();
    return now < session.seenAt + SESSION_IDLE_MS && now < session.createdAt + SESSION_LIFETIME_MS;
  }

  /** Writes down when sessions were last seen, and forgets those that are over. */
  async tidy(): Promise<void> {
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
        ...[now - SESSION_IDLE_MS - SEEN_LAG_MS, now - SESSION_LIFETIME_MS],
      );
    });
    for (const entry of stale) entry.storedSeenAt = entry.session.seenAt;
    for (const [hash, { session }] of this.cache) {
      if (!this.isInForce(session)) this.drop(hash);
    }
  }

  private believed(hash: string): Cached | undefined {
    const entry = this.cache.get(hash);
    if (entry === undefined || this.database.isOwn) return entry;
    // A clock that was set back proves nothing.
    return Math.abs(this.now() - entry.readAt) < BELIEVED_MS ? entry : undefined;
  }

  private use(session: Session): Session | undefined {
    if (!this.isInForce(session)) return undefined;
    session.seenAt = this.now();
    return session;
  }

  private keep(hash: string, entry: Cached): void {
    const { id } = entry.session;
    const earlier = this.hashes.get(id);
    // It has another secret by now.
    if (earlier !== undefined && earlier !== hash) this.drop(earlier);
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
 * Ends all sessions of a person in a transaction that has changed the person's row, or one that was being
 * begun would stay. @param but One that stays. @returns Their ids, for `ended` once it is done.
 */
export async function endAllIn(queries: Queries, personId: string, but = ''): Promise<string[]> {
  const text = 'DELETE FROM sessions WHERE person_id = $1 AND id <> $2 RETURNING id';
  return (await queries.query(text, personId, but)).map(({ id }) => String(id));
}

/**
 * Gives a session another secret in a transaction; `ended` once it is done.
 * @throws WrongCredentialsError where the session was ended meanwhile
 */
export async function rotateIn(queries: Queries, session: Session): Promise<string> {
  const secret = newSecret();
  const text = 'UPDATE sessions SET hash = $2 WHERE id = $1';
  if ((await queries.run(text, session.id, hashOf(secret))) !== 1) {
    throw new WrongCredentialsError();
  }
  return secret;
}

/**
 * Holds a person's row until the transaction ends, so that whoever changes it ends the sessions that
 * are made here too. @throws WrongCredentialsError where they are not any more what was checked
 */
async function validateUser(queries: Queries, user: User): Promise<void> {
  const held = await queries.run(
    `UPDATE people SET id = id
     WHERE id = $1 AND password = $2 AND totp_secret = $3 AND permissions = $4`,
    ...[user.id, user.password, user.totpSecret, user.permissions],
  );
  if (held !== 1) throw new WrongCredentialsError();
}

/**
 * Holds a session's row until the transaction ends: what is done in it was asked by a session that is
 * there. @throws WrongCredentialsError where it was ended meanwhile
 */
export async function holdSession(queries: Queries, { id }: Pick<Session, 'id'>): Promise<void> {
  const held = await queries.run('UPDATE sessions SET id = id WHERE id = $1', id);
  if (held !== 1) throw new WrongCredentialsError();
}

const SELECT = `SELECT s.id, s.person_id, p.account_id, p.permissions, s.created_at, s.seen_at,
  s.address, s.user_agent FROM sessions s JOIN people p ON p.id = s.person_id`;

function sessionOf(row: Row): Session {
  return {
    id: String(row.id),
    personId: String(row.person_id),
    accountId: String(row.account_id),
    permissions: Number(row.permissions),
    createdAt: Number(row.created_at),
    seenAt: Number(row.seen_at),
    address: String(row.address),
    userAgent: String(row.user_agent),
  };
}
