import type { Database } from './database.ts';

/** When each API key was last used, as far as it was written down. */
export class KeyUses {
  constructor(private readonly database: Database) {}

  async load(): Promise<Map<string, number>> {
    const rows = await this.database.query('SELECT api_key, last_used_at FROM key_uses');
    return new Map(rows.map((row) => [String(row.api_key), Number(row.last_used_at)]));
  }

  async save(uses: ReadonlyMap<string, number>): Promise<void> {
    if (uses.size === 0) return;
    await this.database.transaction(async (queries) => {
      for (const [apiKey, at] of uses) {
        await queries.run(
          `INSERT INTO key_uses (api_key, last_used_at) VALUES ($1, $2)
           ON CONFLICT (api_key) DO UPDATE SET last_used_at = $2`,
          ...[apiKey, at],
        );
      }
    });
  }
}
