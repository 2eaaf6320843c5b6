import type { Database, Queries, Row } from './database.ts';
import { DatabaseDownError } from './errors.ts';
import { type Actor, UserEvents } from './user-events.ts';
import type { User } from './user-store.ts';

/** An entry of an address book, as names are stored: ids of entries are assigned again after a return to a checkpoint. */
export interface BookAddress {
  readonly asset: string;
  readonly network: string;
  readonly address: string;
  /** '' without one. */
  readonly memo: string;
}

export interface LabeledAddress extends BookAddress {
  readonly label: string;
}

/** The names that accounts give the addresses to which they withdraw, in SQL: personal data, which the log would keep. */
export class AddressLabels {
  constructor(
    private readonly database: Database,
    private readonly now: () => number,
  ) {}

  /** Returns the names of an account; none while the database does not respond, because withdrawals need no names. */
  async list(accountId: string): Promise<LabeledAddress[]> {
    const text = 'SELECT * FROM address_labels WHERE account_id = $1';
    return (await unlessDown(this.database.query(text, accountId))).map((row) => ({
      asset: String(row.asset),
      network: String(row.network),
      address: String(row.address),
      memo: String(row.memo),
      label: String(row.label),
    }));
  }

  /**
   * Names an address. The event for the audit has the id of the entry, not its name.
   * @param label '' removes the name @param user Undefined for an API key, which belongs to no user
   */
  async set(
    accountId: string,
    entry: BookAddress & { readonly id: number },
    label: string,
    user: Pick<User, 'id' | 'email'> | undefined,
    actor: Actor,
  ): Promise<void> {
    const subject = { id: user?.id ?? '', email: user?.email ?? '', accountId };
    await this.database.transaction(async (queries) => {
      if (label === '') await remove(queries, accountId, entry);
      else await store(queries, accountId, entry, label);
      const events = new UserEvents(queries, this.now);
      await events.add(subject, 'address_named', actor, String(entry.id));
    });
  }

  /** Deletes names whose addresses were removed. While the database does not respond, they stay until the next removal. */
  async remove(accountId: string, entries: readonly BookAddress[]): Promise<void> {
    for (const entry of entries) await unlessDown(remove(this.database, accountId, entry));
  }
}

async function store(
  queries: Queries,
  accountId: string,
  { asset, network, address, memo }: BookAddress,
  label: string,
): Promise<void> {
  await queries.run(
    `INSERT INTO address_labels (account_id, asset, network, address, memo, label)
     VALUES ($1, $2, $3, $4, $5, $6)
     ON CONFLICT (account_id, asset, network, address, memo) DO UPDATE SET label = $6`,
    ...[accountId, asset, network, address, memo, label],
  );
}

async function remove(
  queries: Queries,
  accountId: string,
  { asset, network, address, memo }: BookAddress,
): Promise<Row[]> {
  return queries.query(
    `DELETE FROM address_labels
     WHERE account_id = $1 AND asset = $2 AND network = $3 AND address = $4 AND memo = $5`,
    ...[accountId, asset, network, address, memo],
  );
}

/** Returns the rows of a query; none if the database does not respond. */
async function unlessDown(rows: Promise<Row[]>): Promise<Row[]> {
  try {
    return await rows;
  } catch (error) {
    if (error instanceof DatabaseDownError) return [];
    throw error;
  }
}
