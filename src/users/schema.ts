import type { Database } from './database.ts';
import { UsersVersionError } from './errors.ts';

/**
 * Statements that migrate a database from version n - 1 to n; the first list starts from an empty database. A
 * released list never changes: append a new one instead.
 *
 * Secrets are stored as hashes: argon2id for passwords, SHA-256 for random secrets. Only TOTP secrets are
 * stored in plain text, because codes are computed from them. Times are milliseconds since 1970. No column
 * is nullable: absent values are '' or 0.
 */
export const MIGRATIONS: readonly (readonly string[])[] = [
  [
    // Users. Several may share an account of the engine.
    `CREATE TABLE people (
      id TEXT PRIMARY KEY,
      account_id TEXT NOT NULL,
      email TEXT NOT NULL UNIQUE,
      name TEXT NOT NULL,
      password TEXT NOT NULL,
      permissions INTEGER NOT NULL,
      totp_secret TEXT NOT NULL,
      totp_pending TEXT NOT NULL,
      totp_step BIGINT NOT NULL,
      created_at BIGINT NOT NULL
    )`,
    // Sign-ups whose email address is not confirmed yet. The id becomes the user's id.
    `CREATE TABLE sign_ups (
      id TEXT PRIMARY KEY,
      email TEXT NOT NULL,
      name TEXT NOT NULL,
      password TEXT NOT NULL,
      created_at BIGINT NOT NULL
    )`,
    'CREATE INDEX sign_ups_by_email ON sign_ups (email, created_at)',
    `CREATE TABLE links (
      hash TEXT PRIMARY KEY,
      purpose TEXT NOT NULL,
      subject TEXT NOT NULL,
      expires_at BIGINT NOT NULL
    )`,
    'CREATE INDEX links_by_subject ON links (subject)',
    `CREATE TABLE sessions (
      id TEXT PRIMARY KEY,
      hash TEXT NOT NULL UNIQUE,
      person_id TEXT NOT NULL,
      created_at BIGINT NOT NULL,
      seen_at BIGINT NOT NULL,
      address TEXT NOT NULL,
      user_agent TEXT NOT NULL
    )`,
    'CREATE INDEX sessions_by_person ON sessions (person_id, created_at)',
    `CREATE TABLE devices (
      hash TEXT PRIMARY KEY,
      person_id TEXT NOT NULL,
      seen_at BIGINT NOT NULL
    )`,
    'CREATE INDEX devices_by_person ON devices (person_id, seen_at)',
    `CREATE TABLE recovery_codes (
      person_id TEXT NOT NULL,
      hash TEXT NOT NULL,
      PRIMARY KEY (person_id, hash)
    )`,
    `CREATE TABLE passkeys (
      id TEXT PRIMARY KEY,
      person_id TEXT NOT NULL,
      public_key TEXT NOT NULL,
      counter BIGINT NOT NULL,
      transports TEXT NOT NULL,
      label TEXT NOT NULL,
      created_at BIGINT NOT NULL,
      last_used_at BIGINT NOT NULL
    )`,
    'CREATE INDEX passkeys_by_person ON passkeys (person_id, created_at)',
    'CREATE TABLE key_uses (api_key TEXT PRIMARY KEY, last_used_at BIGINT NOT NULL)',
  ],
  // The network address of a sign-up: beyond the maximum per email address, a flood evicts its own first.
  ["ALTER TABLE sign_ups ADD COLUMN scope TEXT NOT NULL DEFAULT ''"],
  [
    // Events of users. Without foreign keys, so that they outlive removed users.
    `CREATE TABLE people_events (
      id NUMBERED PRIMARY KEY,
      happened_at BIGINT NOT NULL,
      person_id TEXT NOT NULL,
      email TEXT NOT NULL,
      account_id TEXT NOT NULL,
      action TEXT NOT NULL,
      done_by TEXT NOT NULL,
      address TEXT NOT NULL,
      details TEXT NOT NULL
    )`,
    'CREATE INDEX people_events_by_account ON people_events (account_id, id)',
  ],
  [
    // HMAC keys that all nodes share.
    'CREATE TABLE seals (name TEXT PRIMARY KEY, secret TEXT NOT NULL)',
    // Used passkey challenges: each is valid once.
    'CREATE TABLE used_challenges (nonce TEXT PRIMARY KEY, expires_at BIGINT NOT NULL)',
  ],
  [
    // Where events of accounts are sent, and how far each has come in their history.
    `CREATE TABLE subscriptions (
      id TEXT PRIMARY KEY,
      account_id TEXT NOT NULL,
      person_id TEXT NOT NULL,
      channel TEXT NOT NULL,
      target TEXT NOT NULL,
      label TEXT NOT NULL,
      events TEXT NOT NULL,
      status TEXT NOT NULL,
      created_at BIGINT NOT NULL,
      secret_number INTEGER NOT NULL,
      secret_changed_at BIGINT NOT NULL,
      order_batch BIGINT NOT NULL,
      order_id BIGINT NOT NULL,
      trade_id BIGINT NOT NULL,
      notice_id BIGINT NOT NULL,
      failing_since BIGINT NOT NULL,
      attempts INTEGER NOT NULL,
      last_error TEXT NOT NULL
    )`,
    'CREATE INDEX subscriptions_by_account ON subscriptions (account_id, created_at)',
    `CREATE TABLE deliveries (
      id NUMBERED PRIMARY KEY,
      subscription_id TEXT NOT NULL,
      event_id TEXT NOT NULL,
      event TEXT NOT NULL,
      attempted_at BIGINT NOT NULL,
      attempt INTEGER NOT NULL,
      status INTEGER NOT NULL,
      error TEXT NOT NULL,
      duration_ms INTEGER NOT NULL
    )`,
    'CREATE INDEX deliveries_by_subscription ON deliveries (subscription_id, id)',
    `CREATE TABLE price_alerts (
      id TEXT PRIMARY KEY,
      account_id TEXT NOT NULL,
      symbol TEXT NOT NULL,
      direction TEXT NOT NULL,
      price TEXT NOT NULL,
      note TEXT NOT NULL,
      created_at BIGINT NOT NULL,
      triggered_at BIGINT NOT NULL
    )`,
    'CREATE INDEX price_alerts_by_account ON price_alerts (account_id, created_at)',
    // Notices of accounts on the pages.
    `CREATE TABLE notices (
      id NUMBERED PRIMARY KEY,
      account_id TEXT NOT NULL,
      event TEXT NOT NULL,
      created_at BIGINT NOT NULL,
      data TEXT NOT NULL,
      is_read INTEGER NOT NULL
    )`,
    'CREATE INDEX notices_by_account ON notices (account_id, id)',
    // Work that one node does for all, and until when it has it.
    'CREATE TABLE leases (name TEXT PRIMARY KEY, owner TEXT NOT NULL, until BIGINT NOT NULL)',
  ],
  // Devices that were added before count as old.
  ['ALTER TABLE devices ADD COLUMN added_at BIGINT NOT NULL DEFAULT 0'],
  // Grants of permissions that a second operator has approved and that were applied.
  ['CREATE TABLE applied_grants (approval TEXT PRIMARY KEY)'],
  // Subscriptions also follow deposits and withdrawals, from where they have come.
  [
    'ALTER TABLE subscriptions ADD COLUMN custody_batch BIGINT NOT NULL DEFAULT 0',
    'ALTER TABLE subscriptions ADD COLUMN custody_index BIGINT NOT NULL DEFAULT 0',
    `UPDATE subscriptions SET custody_batch = order_batch, custody_index = ${Number.MAX_SAFE_INTEGER}`,
  ],
  // The event that a notice is about, so that repeating it adds no other notice; null for older notices.
  [
    'ALTER TABLE notices ADD COLUMN event_id TEXT',
    'CREATE UNIQUE INDEX notices_by_event ON notices (account_id, event_id)',
  ],
  // Operators look for users by the beginning of an address or a name.
  [
    'CREATE INDEX people_by_email_bytes ON people (email BYTEWISE)',
    'CREATE INDEX people_by_lower_name ON people (LOWER(name) BYTEWISE)',
  ],
  // Users see the browsers of their sign-ins.
  [
    "ALTER TABLE people_events ADD COLUMN user_agent TEXT NOT NULL DEFAULT ''",
    'CREATE INDEX people_events_by_person ON people_events (person_id, id)',
  ],
  // Names of the addresses to which accounts withdraw.
  [
    `CREATE TABLE address_labels (
      account_id TEXT NOT NULL,
      asset TEXT NOT NULL,
      network TEXT NOT NULL,
      address TEXT NOT NULL,
      memo TEXT NOT NULL,
      label TEXT NOT NULL,
      PRIMARY KEY (account_id, asset, network, address, memo)
    )`,
  ],
  // The word that mails to a user show, in plain text; '' for none.
  ["ALTER TABLE people ADD COLUMN anti_phishing_code TEXT NOT NULL DEFAULT ''"],
  // The new address of a user who has not confirmed it yet; '' for none.
  ["ALTER TABLE people ADD COLUMN pending_email TEXT NOT NULL DEFAULT ''"],
];

/** Creates the tables, or migrates them to this release's version. @throws UsersVersionError */
export async function upgrade(database: Database, migrations = MIGRATIONS): Promise<void> {
  await database.exclusively(async (queries) => {
    await queries.run('CREATE TABLE IF NOT EXISTS accounts_version (version INTEGER NOT NULL)');
    const [row] = await queries.query('SELECT version FROM accounts_version');
    const version = Number(row?.version ?? 0);
    if (version > migrations.length) throw new UsersVersionError(version, migrations.length);
    for (const migration of migrations.slice(version)) {
      for (const statement of migration) await queries.run(statement);
    }
    await queries.run('DELETE FROM accounts_version');
    await queries.run('INSERT INTO accounts_version (version) VALUES ($1)', migrations.length);
  });
}
