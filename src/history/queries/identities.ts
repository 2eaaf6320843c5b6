import type { TransferRecord } from '../../engine/event.ts';
import { select } from '../database/checksum.ts';
import type { Queries } from '../database/database.ts';
import { fromFingerprintColumn, ordersTable } from '../tables/orders.ts';
import { readTransfer, transfersTable } from '../tables/transfers.ts';
import type { Pending } from '../writer/pending.ts';

/** Client order ids of accounts whose ended orders are looked up. */
export interface PlacedFilter {
  readonly ids: readonly { readonly account: number; readonly clientOrderId: string }[];
  /** Only orders placed after this time, milliseconds since 1970. */
  readonly since: number;
}

/** A page of the client order ids of an account, newest orders first. */
export interface PlacedIdsFilter {
  readonly account: number;
  /** Only orders with a lower id; undefined for the first page. */
  readonly before: number | undefined;
  /** Only orders placed after this time, milliseconds since 1970. */
  readonly since: number;
  /** Maximum number of orders to read from the store. */
  readonly limit: number;
}

export interface PlacedIdsPage {
  readonly clientOrderIds: readonly string[];
  /** `before` of the next page; undefined if this is the last one. */
  readonly next: number | undefined;
}

/** An order that was placed under a client order id. */
export interface PlacedOrder {
  readonly orderId: number;
  /** Fingerprint of the request's terms; undefined for orders from before fingerprints were stored. */
  readonly fingerprint: number | undefined;
}

/** The newest order of each client order id of an account. */
type PlacedById = Map<string, PlacedOrder | undefined>;

/** Finds orders by client order id and transfers by reference. */
export class IdentityQueries {
  constructor(
    private readonly database: Queries,
    private readonly pending: Pick<Pending, 'orders' | 'placed' | 'transfers'>,
  ) {}

  /** The newest order of each id, in the order of the ids. */
  async placed({ ids, since }: PlacedFilter): Promise<(PlacedOrder | undefined)[]> {
    const wanted = new Map<number, PlacedById>();
    for (const { account, clientOrderId } of ids) {
      const found: PlacedById = wanted.get(account) ?? new Map();
      wanted.set(account, found.set(clientOrderId, undefined));
    }
    // Read before the first wait, so that pending and stored rows are of the same time.
    for (const [account, found] of wanted) {
      for (const { order, fingerprint } of this.pending.placed(account, found.keys())) {
        if (order.createdAt > since) noteNewer(found, order.clientOrderId!, order.id, fingerprint);
      }
    }
    await this.readStored(since, wanted);
    return ids.map(({ account, clientOrderId }) => wanted.get(account)!.get(clientOrderId));
  }

  private async readStored(since: number, wanted: ReadonlyMap<number, PlacedById>): Promise<void> {
    const values: (number | string)[] = [since];
    const accounts = Array.from(wanted, ([account, found]) => {
      const first = `account = $${values.push(account)}`;
      const places = Array.from(found.keys(), (id) => `$${values.push(id)}`).join(', ');
      // The last condition is that of the index, without which it is not used.
      return `(${first} AND client_order_id IN (${places}) AND client_order_id <> '')`;
    });
    // Not sorted: SQLite would read all rows of an account, in the order of their ids.
    const rows = await select(
      this.database,
      ordersTable,
      `SELECT * FROM orders WHERE created_at > $1 AND (${accounts.join(' OR ')})`,
      ...values,
    );
    for (const row of rows) {
      const found = wanted.get(Number(row.account))!;
      const fingerprint = fromFingerprintColumn(Number(row.fingerprint));
      noteNewer(found, String(row.client_order_id), Number(row.id), fingerprint);
    }
  }

  /**
   * Returns client order ids of an account's ended orders. The pages together hold those of all orders that
   * had ended when the first page was requested. The first one includes the orders that wait for a commit.
   */
  async placedIds({ account, before, since, limit }: PlacedIdsFilter): Promise<PlacedIdsPage> {
    const clientOrderIds: string[] = [];
    const pending = before === undefined ? this.pending.orders(account) : [];
    for (const { order } of pending) {
      if (order.clientOrderId !== null && order.createdAt > since) {
        clientOrderIds.push(order.clientOrderId);
      }
    }
    const rows = await select(
      this.database,
      ordersTable,
      'SELECT * FROM orders WHERE account = $1 AND id < $2 ORDER BY id DESC LIMIT $3',
      account,
      before ?? Number.MAX_SAFE_INTEGER,
      limit,
    );
    for (const row of rows) {
      // A newer order is never created earlier.
      if (Number(row.created_at) <= since) return { clientOrderIds, next: undefined };
      if (row.client_order_id !== '') clientOrderIds.push(String(row.client_order_id));
    }
    return { clientOrderIds, next: rows.length < limit ? undefined : Number(rows.at(-1)!.id) };
  }

  /** The transfer of each reference, in the order of the references. */
  async transfers(references: readonly string[]): Promise<(TransferRecord | undefined)[]> {
    const found = new Map<string, TransferRecord>();
    const wanted = new Set(references);
    for (const transfer of this.pending.transfers()) {
      if (wanted.has(transfer.reference)) found.set(transfer.reference, transfer);
    }
    const places = references.map((_, index) => `$${index + 1}`).join(', ');
    const rows = await select(
      this.database,
      transfersTable,
      `SELECT * FROM transfers WHERE reference IN (${places})`,
      ...references,
    );
    for (const row of rows) found.set(String(row.reference), readTransfer(row));
    return references.map((reference) => found.get(reference));
  }
}

function noteNewer(
  found: PlacedById,
  clientOrderId: string,
  orderId: number,
  fingerprint: number | undefined,
): void {
  if (orderId > (found.get(clientOrderId)?.orderId ?? 0)) {
    found.set(clientOrderId, { orderId, fingerprint });
  }
}
