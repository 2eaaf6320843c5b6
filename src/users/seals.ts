import { randomBytes } from 'node:crypto';
import type { Queries } from './database.ts';
import { SealLostError } from './errors.ts';

/** Encrypts secrets that are stored, under a key that is not. */
export interface SealCipher {
  seal(name: string, secret: Uint8Array): Uint8Array;
  /** Returns undefined if none of the keys opens it. */
  open(name: string, sealed: Uint8Array): Uint8Array | undefined;
  /** Returns whether it is encrypted under the current key. */
  isCurrent(sealed: Uint8Array): boolean;
}

/** The beginning of secrets that are stored encrypted. */
const SEALED = 'sealed:';

/**
 * Returns the secret of this name that all nodes share, 32 bytes. The node that asks first creates it.
 * @param cipher Encrypts what is stored, also a secret that was stored plainly or under an earlier key.
 * @throws DatabaseDownError, SealLostError if the secret is encrypted and cannot be decrypted
 */
export async function loadSeal(
  database: Queries,
  name: string,
  cipher?: SealCipher,
): Promise<Buffer> {
  const create = 'INSERT INTO seals (name, secret) VALUES ($1, $2) ON CONFLICT DO NOTHING';
  await database.run(create, name, toText(name, randomBytes(32), cipher));
  const [row] = await database.query('SELECT secret FROM seals WHERE name = $1', name);
  const stored = String(row!.secret);
  const sealed = stored.startsWith(SEALED)
    ? Buffer.from(stored.slice(SEALED.length), 'hex')
    : undefined;
  const secret = sealed === undefined ? Buffer.from(stored, 'hex') : cipher?.open(name, sealed);
  if (secret === undefined) throw new SealLostError(name);
  if (cipher !== undefined && (sealed === undefined || !cipher.isCurrent(sealed))) {
    // Another node may have done it at the same time.
    const change = 'UPDATE seals SET secret = $3 WHERE name = $1 AND secret = $2';
    await database.run(change, name, stored, toText(name, secret, cipher));
  }
  return Buffer.from(secret);
}

function toText(name: string, secret: Uint8Array, cipher: SealCipher | undefined): string {
  if (cipher === undefined) return Buffer.from(secret).toString('hex');
  return SEALED + Buffer.from(cipher.seal(name, secret)).toString('hex');
}

/** Secrets that nodes share. */
export class Seals {
  constructor(private readonly database: Queries) {}

  /** See `loadSeal`. */
  load(name: string, cipher?: SealCipher): Promise<Buffer> {
    return loadSeal(this.database, name, cipher);
  }

  /** Returns the names of all. */
  async list(): Promise<string[]> {
    const rows = await this.database.query('SELECT name FROM seals ORDER BY name');
    return rows.map(({ name }) => String(name));
  }

  async remove(name: string): Promise<void> {
    await this.database.run('DELETE FROM seals WHERE name = $1', name);
  }
}
