import { HistoryDamagedError, HistoryVersionError } from '../errors.ts';
import { checksumRow } from './checksum.ts';
import type { Database } from './database.ts';

/**
 * The statements that upgrade a history from version n - 1 to n, the first one from an empty database. A released list
 * never changes; a change of the schema is a new list at the end.
 *
 * Money is text, a decimal integer in minor units, because it is unbounded. Prices and amounts are whole units of their
 * market, below 2^53. Side, status and type are the engine's numbers. No column is ever null: a missing client order id
 * is ''.
 *
 * Rows are inserted sorted by account and found through an index that starts with account and id: appending rows and
 * keeping a narrow index costs less than keeping wide rows in order. The index also has the columns by which searches
 * filter, so that skipping a row does not read it.
 */
const MIGRATIONS: readonly (readonly string[])[] = [
  [
    `CREATE TABLE orders (
      account INTEGER NOT NULL,
      id BIGINT NOT NULL,
      market INTEGER NOT NULL,
      side INTEGER NOT NULL,
      status INTEGER NOT NULL,
      key INTEGER NOT NULL,
      type INTEGER NOT NULL,
      time_in_force INTEGER NOT NULL,
      post_only INTEGER NOT NULL,
      self_trade_prevention INTEGER NOT NULL,
      price BIGINT NOT NULL,
      amount BIGINT NOT NULL,
      remaining BIGINT NOT NULL,
      cost TEXT NOT NULL,
      filled_cost TEXT NOT NULL,
      fees TEXT NOT NULL,
      reason INTEGER NOT NULL,
      client_order_id TEXT NOT NULL,
      created_at BIGINT NOT NULL,
      updated_at BIGINT NOT NULL,
      last_fill_at BIGINT NOT NULL,
      expires_at BIGINT NOT NULL
    )`,
    'CREATE UNIQUE INDEX orders_by_account ON orders (account, id, market, side, status)',
    `CREATE INDEX orders_by_client_order_id ON orders (account, client_order_id, id)
      WHERE client_order_id <> ''`,
    `CREATE TABLE fills (
      account INTEGER NOT NULL,
      trade_id BIGINT NOT NULL,
      order_id BIGINT NOT NULL,
      market INTEGER NOT NULL,
      side INTEGER NOT NULL,
      is_maker INTEGER NOT NULL,
      price BIGINT NOT NULL,
      amount BIGINT NOT NULL,
      fee TEXT NOT NULL,
      first_entry_id BIGINT NOT NULL,
      given_after TEXT NOT NULL,
      received_after TEXT NOT NULL,
      time BIGINT NOT NULL
    )`,
    'CREATE UNIQUE INDEX fills_by_account ON fills (account, trade_id, market, order_id)',
    // A public trade is its taker's fill.
    'CREATE UNIQUE INDEX trades_by_market ON fills (market, trade_id) WHERE is_maker = 0',
    `CREATE TABLE entries (
      account INTEGER NOT NULL,
      id BIGINT NOT NULL,
      asset INTEGER NOT NULL,
      type INTEGER NOT NULL,
      amount TEXT NOT NULL,
      available_after TEXT NOT NULL,
      reference BIGINT NOT NULL,
      time BIGINT NOT NULL
    )`,
    'CREATE UNIQUE INDEX entries_by_account ON entries (account, id, asset, reference, type)',
    `CREATE TABLE candles (
      market INTEGER NOT NULL,
      width INTEGER NOT NULL,
      start BIGINT NOT NULL,
      open BIGINT NOT NULL,
      high BIGINT NOT NULL,
      low BIGINT NOT NULL,
      close BIGINT NOT NULL,
      base_volume TEXT NOT NULL,
      quote_volume TEXT NOT NULL,
      trades BIGINT NOT NULL,
      PRIMARY KEY (market, width, start)
    )`,
    `CREATE TABLE audit (
      id BIGINT NOT NULL PRIMARY KEY,
      sequence BIGINT NOT NULL,
      command_index INTEGER NOT NULL,
      time BIGINT NOT NULL,
      account INTEGER NOT NULL,
      key INTEGER NOT NULL,
      action TEXT NOT NULL,
      details TEXT NOT NULL,
      outcome TEXT NOT NULL,
      rejection INTEGER NOT NULL
    )`,
    'CREATE TABLE position (sequence BIGINT NOT NULL, hash TEXT NOT NULL)',
    `INSERT INTO position (sequence, hash) VALUES (0, '${'0'.repeat(64)}')`,
  ],
  ['ALTER TABLE orders ADD COLUMN trigger_price BIGINT NOT NULL DEFAULT 0'],
  [
    "ALTER TABLE orders ADD COLUMN attached TEXT NOT NULL DEFAULT ''",
    'ALTER TABLE orders ADD COLUMN parent_id BIGINT NOT NULL DEFAULT 0',
    'ALTER TABLE orders ADD COLUMN ended_in BIGINT NOT NULL DEFAULT 0',
    'CREATE INDEX orders_by_end ON orders (account, ended_in, id)',
  ],
  [
    'ALTER TABLE orders ADD COLUMN fingerprint BIGINT NOT NULL DEFAULT 0',
    `CREATE TABLE transfers (
      id BIGINT NOT NULL PRIMARY KEY,
      account INTEGER NOT NULL,
      asset INTEGER NOT NULL,
      amount TEXT NOT NULL,
      reference TEXT NOT NULL,
      time BIGINT NOT NULL
    )`,
    'CREATE UNIQUE INDEX transfers_by_reference ON transfers (reference)',
    ...['orders', 'fills', 'entries', 'candles', 'audit', 'transfers', 'position'].map(
      (table) => `ALTER TABLE ${table} ADD COLUMN checksum BIGINT NOT NULL DEFAULT 0`,
    ),
    `UPDATE position SET checksum = ${checksumRow([0, '0'.repeat(64)], 0, 2)} WHERE sequence = 0`,
  ],
];

/** The first version whose rows have checksums. */
export const FIRST_CHECKED_VERSION = 4;

/** The version that this release writes. */
export const VERSION = MIGRATIONS.length;

/**
 * Rejects a history file that an earlier release wrote without checksums; it is then rebuilt from the log.
 * @throws HistoryDamagedError
 */
export async function refuseUnchecked(database: Database): Promise<void> {
  const tables = await database.query(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name = 'schema_version'",
  );
  if (tables.length === 0) return;
  const [row] = await database.query('SELECT version FROM schema_version');
  const version = Number(row?.version ?? 0);
  if (version > 0 && version < FIRST_CHECKED_VERSION) {
    throw new HistoryDamagedError('an earlier release wrote it, without checksums');
  }
}

/** Creates the tables or upgrades them to this release's version. @throws HistoryVersionError */
export async function upgrade(database: Database, migrations = MIGRATIONS): Promise<void> {
  await database.migration(async (statements) => {
    await statements.run('CREATE TABLE IF NOT EXISTS schema_version (version INTEGER NOT NULL)');
    const [row] = await statements.query('SELECT version FROM schema_version');
    const version = Number(row?.version ?? 0);
    if (version > migrations.length) throw new HistoryVersionError(version, migrations.length);
    if (version === migrations.length) return;
    for (const migration of migrations.slice(version)) {
      for (const statement of migration) await statements.run(statement);
    }
    await statements.run('DELETE FROM schema_version');
    await statements.run('INSERT INTO schema_version (version) VALUES ($1)', migrations.length);
  });
}
