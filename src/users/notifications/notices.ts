import type { Database, Queries, Row } from '../database.ts';

/** A notice of an account on the pages. */
export interface Notice {
  /** Increasing. */
  readonly id: number;
  /** Name of the event. */
  readonly event: string;
  readonly createdAt: number;
  /** The event's data, as JSON. */
  readonly data: string;
  readonly isRead: boolean;
}

/** The content of a notice. */
export type NewNotice = Pick<Notice, 'event' | 'createdAt' | 'data'>;

/** Notices kept per account, the newest. */
const MAX_NOTICES = 500;

/** The notices of accounts, in SQL. */
export class Notices {
  constructor(private readonly queries: Queries) {}

  /**
   * Adds a notice, unless the account has one about the same event.
   * @param id Identifies the event among those of the account at the same time.
   * @returns Whether it was added.
   */
  async add(
    accountId: string,
    id: string,
    { event, createdAt, data }: NewNotice,
  ): Promise<boolean> {
    const added = await this.queries.run(
      `INSERT INTO notices (account_id, event_id, event, created_at, data, is_read) VALUES ($1, $2, $3, $4, $5, 0)
         ON CONFLICT (account_id, event_id) DO NOTHING`,
      accountId,
      // Ids of orders and trades begin again once a sandbox has been reset.
      `${id}-${createdAt}`,
      event,
      createdAt,
      data,
    );
    if (added === 0) return false;
    await this.queries.run(
      `DELETE FROM notices WHERE account_id = $1 AND id <=
         (SELECT id FROM notices WHERE account_id = $1 ORDER BY id DESC LIMIT 1 OFFSET ${MAX_NOTICES})`,
      accountId,
    );
    return true;
  }

  /** Returns the newest first. */
  async list(accountId: string, limit: number): Promise<Notice[]> {
    const rows = await this.queries.query(
      'SELECT * FROM notices WHERE account_id = $1 ORDER BY id DESC LIMIT $2',
      accountId,
      limit,
    );
    return rows.map(toNotice);
  }

  /** Returns the notices of some events after a notice, oldest first. @param prefix Beginning of the events' names. */
  async after(accountId: string, id: number, prefix: string, limit: number): Promise<Notice[]> {
    const rows = await this.queries.query(
      'SELECT * FROM notices WHERE account_id = $1 AND id > $2 AND event LIKE $3 ORDER BY id LIMIT $4',
      accountId,
      id,
      `${prefix}%`,
      limit,
    );
    return rows.map(toNotice);
  }

  async countUnread(accountId: string): Promise<number> {
    const text = 'SELECT COUNT(*) AS count FROM notices WHERE account_id = $1 AND is_read = 0';
    const [row] = await this.queries.query(text, accountId);
    return Number(row!.count);
  }

  /** Marks the notices up to one as read. */
  async markRead(accountId: string, upTo: number): Promise<void> {
    await this.queries.run(
      'UPDATE notices SET is_read = 1 WHERE account_id = $1 AND id <= $2 AND is_read = 0',
      accountId,
      upTo,
    );
  }
}

function toNotice(row: Row): Notice {
  return {
    id: Number(row.id),
    event: String(row.event),
    createdAt: Number(row.created_at),
    data: String(row.data),
    isRead: Number(row.is_read) !== 0,
  };
}

/** Returns the id of the newest notice of any account, 0 if there is none. Notices that are added later have greater ones. */
export function lastNoticeId(database: Database): Promise<number> {
  const read = async (queries: Queries) => {
    const [row] = await queries.query('SELECT COALESCE(MAX(id), 0) AS id FROM notices');
    return Number(row!.id);
  };
  if (database.isSqlite) return read(database);
  return database.transaction(async (queries) => {
    // Waits for transactions that have numbered a notice and not ended: a smaller number must not appear later.
    await queries.run('LOCK TABLE notices IN SHARE MODE');
    return read(queries);
  });
}
