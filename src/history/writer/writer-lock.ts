import { PostgresDatabase, type Session } from '../database/postgres-database.ts';
import { VERSION } from '../database/schema.ts';

/**
 * The lock of the node that writes a cluster's history. It belongs to a database session, so a node that is suspended or
 * cut off loses it after some seconds. A commit of such a node then fails, because the position has moved.
 */
export class WriterLock {
  private readonly database: PostgresDatabase;
  private session: Session | undefined;
  isHeld = false;
  /** A newer release has changed the tables, so only nodes of that release write. */
  isOutdated = false;

  constructor(url: string) {
    this.database = new PostgresDatabase(url, 1);
  }

  /** Tries to take the lock without waiting. @returns the session that holds it, or undefined */
  async take(): Promise<Session | undefined> {
    if (this.isOutdated) return undefined;
    this.session ??= await this.database.reserve();
    if (this.isHeld) return this.session;
    if (!(await this.session.tryLock())) return undefined;
    const [row] = await this.session.query('SELECT version FROM schema_version');
    this.isOutdated = Number(row!.version) !== VERSION;
    this.isHeld = !this.isOutdated;
    if (this.isOutdated) await this.release();
    return this.isHeld ? this.session : undefined;
  }

  async release(): Promise<void> {
    const { session } = this;
    this.isHeld = false;
    this.session = undefined;
    await session?.close();
  }

  async close(): Promise<void> {
    await this.release();
    await this.database.close();
  }
}
