import type { Database } from './database.ts';

/** The last use of each API key, in SQL. */
export class KeyUses {
  constructor(private readonly database: Database) {}

  /** Loads the keys used since a time, by any node. */
  async load(since = 0): Promise<Map<string, number>> {
    const text = 'SELECT api_key, last_used_at FROM key_uses WHERE last_used_at >= $1';
    const rows = await this.database.query(text, since);
    return new Map(rows.map((row) => [String(row.api_key), Number(row.last_used_at)]));
  }

  async save(uses: ReadonlyMap<string, number>): Promise<void> {
    if (uses.size === 0) return;
    await this.database.transaction(async (queries) => {
      // A fixed order prevents deadlocks between nodes.
      for (const [apiKey, at] of [...uses].sort()) {
        await queries.run(
          `INSERT INTO key_uses (api_key, last_used_at) VALUES ($1, $2)
           ON CONFLICT (api_key) DO UPDATE SET last_used_at = $2
           WHERE key_uses.last_used_at < $2`,
          apiKey,
          at,
        );
      }
    });
  }
}
