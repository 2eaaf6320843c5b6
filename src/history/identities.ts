import type { TransferRecord } from '../engine/event.ts';
import { select } from './checksum.ts';
import type { Queries } from './database.ts';
import { type EndedOrder, fromFingerprintColumn, ordersTable } from './orders.ts';
import type { Pending } from './pending.ts';
import { readTransfer, transfersTable } from './transfers.ts';

/** The client order ids of accounts, of which the orders are asked for that ended. */
export interface PlacedFilter {
  readonly ids: readonly { readonly account: number; readonly clientOrderId: string }[];
  /** Only orders placed after this time, milliseconds since 1970. */
  readonly since: number;
}

/** An order that was placed under a client order id. */
export interface PlacedOrder {
  readonly orderId: number;
  /** Of the request's terms, as the engine computes it; undefined for orders from before it was kept. */
  readonly fingerprint: number | undefined;
}

/** Finds what was placed or transferred by the names that clients gave it. */
export class IdentityQueries {
  constructor(
    private readonly database: Queries,
    private readonly pending: Pick<Pending, 'orders' | 'transfers'>,
  ) {}

  /** The newest order of each id, in the order of the ids. */
  async placed({ ids, since }: PlacedFilter): Promise<(PlacedOrder | undefined)[]> {
    const wanted = new Map<number, Map<string, PlacedOrder | undefined>>();
    for (const { account, clientOrderId } of ids) {
      const ofAccount = wanted.get(account) ?? new Map<string, PlacedOrder | undefined>();
      wanted.set(account, ofAccount.set(clientOrderId, undefined));
    }
    // Taken before the first wait: what is pending is as of this moment.
    const pending = new Map([...wanted.keys()].map((each) => [each, this.pending.orders(each)]));
    for (const [account, found] of wanted) {
      await this.readStored(account, since, found);
      for (const ended of pending.get(account)!) noteNewer(found, ended, since);
    }
    return ids.map(({ account, clientOrderId }) => wanted.get(account)!.get(clientOrderId));
  }

  private async readStored(
    account: number,
    since: number,
    found: Map<string, PlacedOrder | undefined>,
  ): Promise<void> {
    const names = [...found.keys()];
    const places = names.map((_, index) => `$${index + 3}`).join(', ');
    // The last condition is that of the index, without which it is not used.
    const rows = await select(
      this.database,
      ordersTable,
      `SELECT * FROM orders WHERE account = $1 AND created_at > $2
        AND client_order_id IN (${places}) AND client_order_id <> '' ORDER BY id`,
      account,
      since,
      ...names,
    );
    for (const row of rows) {
      const fingerprint = fromFingerprintColumn(Number(row.fingerprint));
      found.set(String(row.client_order_id), { orderId: Number(row.id), fingerprint });
    }
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
  found: Map<string, PlacedOrder | undefined>,
  { order, fingerprint }: EndedOrder,
  since: number,
): void {
  const { id, clientOrderId, createdAt } = order;
  if (clientOrderId === null || !found.has(clientOrderId) || createdAt <= since) return;
  if (id > (found.get(clientOrderId)?.orderId ?? 0)) {
    found.set(clientOrderId, { orderId: id, fingerprint });
  }
}
