import { PostgresDatabase, type Session } from './postgres-database.ts';
import { VERSION } from './schema.ts';

/**
 * Who writes history of many: the one whose session has the lock. It ends with the session; who is stopped or
 * cut off loses it after some seconds. What was under way then fails by the position, which moved.
 */
export class WriterLock {
  private readonly database: PostgresDatabase;
  private session: Session | undefined;
  isHeld = false;
  /** A newer release has changed the tables: others write from now on. */
  isOutdated = false;

  constructor(url: string) {
    this.database = new PostgresDatabase(url, 1);
  }

  /** The session that writes, undefined where it is another's. Does not wait for it. */
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
