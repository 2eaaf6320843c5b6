import type { Queries } from '../database.ts';

export interface Lease {
  /** Whether the owner has the lease now. */
  readonly isHeld: boolean;
  /** The end of the lease before, milliseconds since 1970; 0 if there was none. */
  readonly previousUntil: number;
}

/**
 * Takes or extends a lease, so that one node does some work for all. Call it in a transaction.
 * @param until The end of the lease, milliseconds since 1970.
 */
export async function takeLease(
  queries: Queries,
  name: string,
  owner: string,
  now: number,
  until: number,
): Promise<Lease> {
  const [row] = await queries.query('SELECT until FROM leases WHERE name = $1', name);
  const text = `INSERT INTO leases (name, owner, until) VALUES ($1, $2, $3)
    ON CONFLICT (name) DO UPDATE SET owner = $2, until = $3
    WHERE leases.owner = $2 OR leases.until < $4`;
  const changed = await queries.run(text, name, owner, until, now);
  return { isHeld: changed > 0, previousUntil: Number(row?.until ?? 0) };
}
