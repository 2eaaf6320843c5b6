import { KINDS_BY_NAME } from '../../engine/command-details.ts';
import { EntryType, Side } from '../../engine/terms.ts';
import { HistoryDamagedError, HistoryVersionError } from '../errors.ts';
import { auditTable } from '../tables/audit.ts';
import { auditSubjectsTable } from '../tables/audit-subjects.ts';
import { CANDLE_WIDTHS, candlesTable } from '../tables/candles.ts';
import {
  depositChangesTable,
  depositsTable,
  withdrawalChangesTable,
  withdrawalsTable,
} from '../tables/custody.ts';
import { entriesTable } from '../tables/entries.ts';
import { fillsTable } from '../tables/fills.ts';
import { ordersTable } from '../tables/orders.ts';
import {
  alertCasesTable,
  alertReviewsTable,
  alertsTable,
  detectorsTable,
} from '../tables/surveillance.ts';
import { transfersTable } from '../tables/transfers.ts';
import { checksumRow } from './checksum.ts';
import type { Database, Table } from './database.ts';

/** Returns the statement that creates a table, without the columns that later versions added. */
function create({ name, columns }: Table<never>, key: readonly string[] = []): string {
  const lines = columns
    .filter(({ since }) => since === undefined)
    .map((column) => {
      const isKey = key.length === 1 && key[0] === column.name;
      return `${column.name} ${column.type} NOT NULL${isKey ? ' PRIMARY KEY' : ''}`;
    });
  if (key.length > 1) lines.push(`PRIMARY KEY (${key.join(', ')})`);
  return `CREATE TABLE ${name} (\n      ${lines.join(',\n      ')}\n    )`;
}

/** Returns the statements that add the columns of a later version. */
function addColumns({ name, columns }: Table<never>, version: number): string[] {
  return columns
    .filter(({ since }) => since === version)
    .map((column) => {
      const value = column.type === 'TEXT' ? "''" : '0';
      return `ALTER TABLE ${name} ADD COLUMN ${column.name} ${column.type} NOT NULL DEFAULT ${value}`;
    });
}

/**
 * Returns the statements that compute the columns of version 5 for the candles in PostgreSQL, whose log may have been trimmed,
 * from the takers' fills. A candle's quote volume is its sum of price × amount in minor units, so their ratio, a whole number,
 * converts the part of buyers. The rows count as unchecked from then on.
 */
function fillCandles(): string[] {
  const widths = CANDLE_WIDTHS.map((width) => `SELECT ${width} AS width`).join(' UNION ALL ');
  const bought = (value: string) => `SUM(CASE WHEN side = ${Side.buy} THEN ${value} ELSE 0 END)`;
  const amount = 'CAST(amount AS NUMERIC)';
  const value = `${amount} * price`;
  const quote = 'CAST(candles.quote_volume AS NUMERIC)';
  return [
    `UPDATE candles SET taker_buy_volume = CAST(found.base AS TEXT),
      taker_buy_quote_volume = CAST(CAST(${quote} / found.value * found.bought AS NUMERIC(1000, 0)) AS TEXT),
      first_trade_id = found.first_id, last_trade_id = found.last_id, checksum = 0
      FROM (SELECT market, width, time - time % width AS start, ${bought(amount)} AS base,
        ${bought(value)} AS bought, SUM(${value}) AS value, MIN(trade_id) AS first_id, MAX(trade_id) AS last_id
        FROM fills CROSS JOIN (${widths}) AS widths WHERE is_maker = 0
        GROUP BY market, width, time - time % width) AS found
      WHERE candles.market = found.market AND candles.width = found.width AND candles.start = found.start`,
    `UPDATE candles SET last_amount = fills.amount FROM fills
      WHERE fills.is_maker = 0 AND fills.market = candles.market AND fills.trade_id = candles.last_trade_id`,
  ];
}

/** A statement that SQLite skips, whose files of earlier versions are rebuilt. */
interface PostgresStatement {
  readonly postgres: string;
}

/**
 * Adds the accounts of the audit records of earlier versions in PostgreSQL, whose log may have been trimmed: those of
 * their actors, and those that the details name by their index. Owners of keys, notes, deposits and withdrawals that a
 * command names by an id are missing. Quotes within texts are escaped, so the patterns match fields only.
 */
const FILL_AUDIT_SUBJECTS = `
  INSERT INTO audit_subjects (account, sequence, audit_id, kind)
  SELECT DISTINCT named.account, sequence, id, COALESCE(kinds.kind, 'other')
  FROM audit
  LEFT JOIN (VALUES ${[...KINDS_BY_NAME].map((pair) => `('${pair.join("', '")}')`).join(', ')})
    AS kinds (action, kind)
    ON kinds.action = COALESCE(SUBSTRING(details FROM '"command":{"action":"([A-Za-z]+)"'), audit.action)
  CROSS JOIN LATERAL (
    SELECT CAST(audit.account AS BIGINT) AS account
    UNION ALL SELECT CAST(found[1] AS BIGINT) FROM REGEXP_MATCHES(
      details, '"(?:owner|referrer|makerAccount|takerAccount)":([0-9]+)', 'g') AS found
    UNION ALL SELECT CAST(found[1] AS BIGINT) FROM REGEXP_MATCHES(
      details, '"(?:from|to)":([0-9]+)', 'g') AS found WHERE audit.action = 'internalTransfer'
  ) AS named
  WHERE named.account >= 0`;

/**
 * The statements that upgrade a history from version n - 1 to n, the first one from an empty database. A released list
 * never changes (stored-bytes.test.ts has its hash); a change of the schema is a new list at the end.
 *
 * Money is text, a decimal integer in minor units, because it is unbounded. Prices and amounts are whole units of their
 * market, below 2^53. Side, status and type are the engine's numbers. No column is ever null: a missing client order id
 * is ''.
 *
 * Rows are inserted sorted by account and found through an index that starts with account and id: appending rows and
 * keeping a narrow index costs less than keeping wide rows in order. The index also has the columns by which searches
 * filter, so that skipping a row does not read it.
 */
const MIGRATIONS: readonly (readonly (string | PostgresStatement)[])[] = [
  [
    create(ordersTable),
    'CREATE UNIQUE INDEX orders_by_account ON orders (account, id, market, side, status)',
    `CREATE INDEX orders_by_client_order_id ON orders (account, client_order_id, id)
      WHERE client_order_id <> ''`,
    create(fillsTable),
    'CREATE UNIQUE INDEX fills_by_account ON fills (account, trade_id, market, order_id)',
    // A public trade is its taker's fill.
    'CREATE UNIQUE INDEX trades_by_market ON fills (market, trade_id) WHERE is_maker = 0',
    create(entriesTable),
    'CREATE UNIQUE INDEX entries_by_account ON entries (account, id, asset, reference, type)',
    create(candlesTable, candlesTable.replaces),
    create(auditTable, ['id']),
    'CREATE TABLE position (sequence BIGINT NOT NULL, hash TEXT NOT NULL)',
    `INSERT INTO position (sequence, hash) VALUES (0, '${'0'.repeat(64)}')`,
  ],
  addColumns(ordersTable, 2),
  [...addColumns(ordersTable, 3), 'CREATE INDEX orders_by_end ON orders (account, ended_in, id)'],
  [
    ...addColumns(ordersTable, 4),
    create(transfersTable, ['id']),
    'CREATE UNIQUE INDEX transfers_by_reference ON transfers (reference)',
    ...['orders', 'fills', 'entries', 'candles', 'audit', 'transfers', 'position'].map(
      (table) => `ALTER TABLE ${table} ADD COLUMN checksum BIGINT NOT NULL DEFAULT 0`,
    ),
    `UPDATE position SET checksum = ${checksumRow([0, '0'.repeat(64)], 0, 2)} WHERE sequence = 0`,
  ],
  [...addColumns(candlesTable, 5), ...fillCandles()],
  [
    create(depositsTable),
    'CREATE UNIQUE INDEX deposits_by_account ON deposits (account, id)',
    // A payment that left its chain and came back may have several.
    'CREATE INDEX deposits_by_payment ON deposits (transaction_id, network, place, id)',
    create(withdrawalsTable),
    'CREATE UNIQUE INDEX withdrawals_by_account ON withdrawals (account, id)',
    ...['deposits', 'withdrawals'].map(
      (table) => `ALTER TABLE ${table} ADD COLUMN checksum BIGINT NOT NULL DEFAULT 0`,
    ),
  ],
  [
    // The time from which orders, fills and entries are kept; 0 if all are.
    'CREATE TABLE kept (since BIGINT NOT NULL, checksum BIGINT NOT NULL)',
    `INSERT INTO kept (since, checksum) VALUES (0, ${checksumRow([0], 0, 1)})`,
  ],
  [depositChangesTable, withdrawalChangesTable].flatMap((table) => [
    create(table),
    `CREATE UNIQUE INDEX ${table.name}_by_account ON ${table.name} (account, changed_in, change_index)`,
    `ALTER TABLE ${table.name} ADD COLUMN checksum BIGINT NOT NULL DEFAULT 0`,
  ]),
  [
    create(alertsTable, ['id']),
    'CREATE UNIQUE INDEX alerts_by_place ON alerts (found_in, found_index)',
    create(detectorsTable, ['name']),
    ...['alerts', 'detectors'].map(
      (table) => `ALTER TABLE ${table} ADD COLUMN checksum BIGINT NOT NULL DEFAULT 0`,
    ),
  ],
  [
    create(alertReviewsTable, ['alert', 'sequence', 'command_index']),
    create(alertCasesTable, alertCasesTable.replaces),
    ...['alert_reviews', 'alert_cases'].map(
      (table) => `ALTER TABLE ${table} ADD COLUMN checksum BIGINT NOT NULL DEFAULT 0`,
    ),
  ],
  [
    create(auditSubjectsTable),
    'CREATE UNIQUE INDEX audit_subjects_by_account ON audit_subjects (account, sequence, audit_id)',
    'CREATE INDEX audit_subjects_by_kind ON audit_subjects (account, kind, sequence, audit_id)',
    'ALTER TABLE audit_subjects ADD COLUMN checksum BIGINT NOT NULL DEFAULT 0',
    { postgres: FILL_AUDIT_SUBJECTS },
  ],
  // The reports of all nodes of a cluster, whose logs need PostgreSQL.
  [
    {
      postgres: `CREATE TABLE reports (id TEXT PRIMARY KEY, account BIGINT NOT NULL, created_at BIGINT NOT NULL,
        is_finished INTEGER NOT NULL, bytes BIGINT NOT NULL, record TEXT NOT NULL,
        seen_at TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp())`,
    },
    { postgres: 'CREATE INDEX reports_by_account ON reports (account, created_at)' },
    {
      postgres: `CREATE TABLE report_parts (report TEXT NOT NULL REFERENCES reports ON DELETE CASCADE,
        part INTEGER NOT NULL, content BYTEA NOT NULL, PRIMARY KEY (report, part))`,
    },
  ],
  // Operators look for the hash of a transaction.
  [
    `CREATE INDEX IF NOT EXISTS withdrawals_by_transaction ON withdrawals (transaction_id)
      WHERE transaction_id <> ''`,
  ],
  // Operators list the deposits and withdrawals of all accounts.
  ['deposits', 'withdrawals'].map(
    (table) =>
      `CREATE INDEX IF NOT EXISTS ${table}_by_id ON ${table} (id, network, status, account)`,
  ),
  // The status page, which anyone may open, lists commands of few actions.
  ['CREATE INDEX IF NOT EXISTS audit_by_action ON audit (action, id)'],
  // A list of transfers looks for the entry of the other account.
  [
    `CREATE INDEX IF NOT EXISTS internal_transfers_by_id ON entries (id)
      WHERE type = ${EntryType.internalTransfer}`,
  ],
];

/** The first version whose files are kept; earlier ones lack checksums, values of candles, or accounts of the audit. */
export const FIRST_KEPT_VERSION = 11;

/** The version that this release writes. */
export const VERSION = MIGRATIONS.length;

/**
 * Rejects a history file that an earlier release wrote with fewer columns; it is then rebuilt from the log.
 * @throws HistoryDamagedError
 */
export async function refuseEarlier(database: Database): Promise<void> {
  const tables = await database.query(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name = 'schema_version'",
  );
  if (tables.length === 0) return;
  const [row] = await database.query('SELECT version FROM schema_version');
  const version = Number(row?.version ?? 0);
  if (version > 0 && version < FIRST_KEPT_VERSION) {
    throw new HistoryDamagedError('an earlier release wrote it, without some of its columns');
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
      for (const statement of migration) {
        if (typeof statement === 'string') await statements.run(statement);
        else if (statements.hasUncheckedRows) await statements.run(statement.postgres);
      }
    }
    await statements.run('DELETE FROM schema_version');
    await statements.run('INSERT INTO schema_version (version) VALUES ($1)', migrations.length);
  });
}
