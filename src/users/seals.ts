import { randomBytes } from 'node:crypto';
import type { Queries } from './database.ts';

/**
 * Returns the secret of this name that all nodes share, 32 bytes. The node that asks first creates it.
 * @throws DatabaseDownError
 */
export async function loadSeal(database: Queries, name: string): Promise<Buffer> {
  const text = 'INSERT INTO seals (name, secret) VALUES ($1, $2) ON CONFLICT DO NOTHING';
  await database.run(text, name, randomBytes(32).toString('hex'));
  const [row] = await database.query('SELECT secret FROM seals WHERE name = $1', name);
  return Buffer.from(String(row!.secret), 'hex');
}
