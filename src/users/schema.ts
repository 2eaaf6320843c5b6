import type { Database } from './database.ts';
import { UsersVersionError } from './errors.ts';

/**
 * What makes a database of version n out of one of version n - 1, the first out of an empty one. A
 * released list never changes; a change of the schema is a new one at the end.
 *
 * Secrets are there as hashes: argon2id of passwords, which can be guessed, SHA-256 of what is random.
 * A second factor's secret has to be read, so it is there as it is. Times are milliseconds since 1970.
 * Nothing is ever null: what there is not is '' or 0.
 */
export const MIGRATIONS: readonly (readonly string[])[] = [
  [
    // Several people may share an account of the engine.
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
    // Who has not shown yet that the e-mail address is theirs. Their id is their person's to be.
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
  // Where a sign-up came from: whoever floods an address with them pushes out their own.
  ["ALTER TABLE sign_ups ADD COLUMN scope TEXT NOT NULL DEFAULT ''"],
  [
    // Of people that are removed too: nothing here refers to another table.
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
    // What all nodes seal with.
    'CREATE TABLE seals (name TEXT PRIMARY KEY, secret TEXT NOT NULL)',
    // Challenges of passkeys that were answered: each is good once.
    'CREATE TABLE used_challenges (nonce TEXT PRIMARY KEY, expires_at BIGINT NOT NULL)',
  ],
];

/** Makes the tables, or brings them up to this release's version. @throws UsersVersionError */
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
