import type {
  DepositRecord,
  OrderRecord,
  TransferRecord,
  WithdrawalRecord,
} from '../../engine/event.ts';
import { select } from '../database/checksum.ts';
import type { Queries, Row, Table } from '../database/database.ts';
import { depositsTable, readDeposit, readWithdrawal, withdrawalsTable } from '../tables/custody.ts';
import { ordersTable, readOrder } from '../tables/orders.ts';
import { readTransfer, transfersTable } from '../tables/transfers.ts';
import type { Pending } from '../writer/pending.ts';

/** Records of all accounts that an operator looks for. */
export interface FoundRecords {
  readonly orders: OrderRecord[];
  readonly transfers: TransferRecord[];
  readonly deposits: DepositRecord[];
  readonly withdrawals: WithdrawalRecord[];
}

export interface RecordSearchFilter {
  /** An id, a client order id, a reference or the hash of a transaction, in full. */
  readonly text: string;
  /** Maximum number of records of each kind. */
  readonly limit: number;
}

/** Accounts named in one statement: SQLite's index of orders starts with the account. */
const ACCOUNTS_AT_ONCE = 500;
/**
 * Accounts whose ended orders, deposits and withdrawals are looked up by id, the newest: each one is a look-up in three indexes, and all of them must not
 * delay the archivist by more than a fraction of a second.
 */
export const MAX_ACCOUNTS_SEARCHED = 20_000;

/** Returns the id that a text is; undefined if it cannot be one. */
export function toRecordId(text: string): number | undefined {
  return /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined;
}

/**
 * Finds ended orders, deposits and withdrawals, and transfers that the engine has dropped.
 * @param accounts Number of accounts
 */
export async function searchRecords(
  database: Queries,
  pending: Pick<Pending, 'orders' | 'placed' | 'transfers' | 'deposits' | 'withdrawals'>,
  { text, limit }: RecordSearchFilter,
  accounts: number,
): Promise<FoundRecords> {
  const id = toRecordId(text);
  const has = (each: { readonly id: number; readonly transaction: string }) =>
    each.id === id || each.transaction === text;
  const first = Math.max(0, accounts - MAX_ACCOUNTS_SEARCHED);
  const found: FoundRecords = {
    orders: listPendingOrders(pending, { text, id }, { first, accounts }),
    transfers: pending.transfers().filter((each) => each.id === id || each.reference === text),
    deposits: pending.deposits().filter(has),
    withdrawals: pending.withdrawals().filter(has),
  };
  const search = new RecordSearch(database, text, limit);
  await search.addTransfers(found.transfers, id);
  await search.addByTransaction(found);
  for (let from = first; from < accounts; from += ACCOUNTS_AT_ONCE) {
    const length = Math.min(ACCOUNTS_AT_ONCE, accounts - from);
    await search.addOwned(found, Array.from({ length }, (_, place) => from + place).join(), id);
  }
  return found;
}

interface Wanted {
  readonly text: string;
  readonly id: number | undefined;
}

function listPendingOrders(
  pending: Pick<Pending, 'orders' | 'placed'>,
  { text, id }: Wanted,
  { first, accounts }: { readonly first: number; readonly accounts: number },
): OrderRecord[] {
  const found: OrderRecord[] = [];
  for (let account = first; account < accounts; account++) {
    for (const { order } of pending.placed(account, [text])) found.push(order);
    if (id === undefined) continue;
    const own = pending.orders(account).find(({ order }) => order.id === id);
    if (own !== undefined) found.push(own.order);
  }
  return found;
}

class RecordSearch {
  constructor(
    private readonly database: Queries,
    private readonly text: string,
    private readonly limit: number,
  ) {}

  async addTransfers(found: TransferRecord[], id: number | undefined): Promise<void> {
    const rows = await this.read(transfersTable, 'reference = $1', this.text);
    if (id !== undefined) rows.push(...(await this.read(transfersTable, 'id = $1', id)));
    found.push(...rows.map(readTransfer));
  }

  async addByTransaction({ deposits, withdrawals }: FoundRecords): Promise<void> {
    const { text } = this;
    const sent = await this.read(depositsTable, 'transaction_id = $1', text);
    deposits.push(...sent.map(readDeposit));
    // The second condition is that of the index.
    const paid = await this.read(
      withdrawalsTable,
      "transaction_id = $1 AND transaction_id <> ''",
      text,
    );
    withdrawals.push(...paid.map(readWithdrawal));
  }

  /** Adds the records of some accounts. @param accounts Their indexes, separated by commas */
  async addOwned(found: FoundRecords, accounts: string, id: number | undefined): Promise<void> {
    const owned = `account IN (${accounts})`;
    const { orders, deposits, withdrawals } = found;
    const placed = await this.read(
      ordersTable,
      `${owned} AND client_order_id = $1 AND client_order_id <> ''`,
      this.text,
    );
    orders.push(...placed.map(readOrder));
    if (id === undefined) return;
    const condition = `${owned} AND id = $1`;
    orders.push(...(await this.read(ordersTable, condition, id)).map(readOrder));
    deposits.push(...(await this.read(depositsTable, condition, id)).map(readDeposit));
    withdrawals.push(...(await this.read(withdrawalsTable, condition, id)).map(readWithdrawal));
  }

  private read<Item>(
    table: Table<Item>,
    condition: string,
    value: number | string,
  ): Promise<Row[]> {
    const { name } = table;
    return select(
      this.database,
      table as Table<never>,
      `SELECT * FROM ${name} WHERE ${condition} LIMIT ${this.limit}`,
      value,
    );
  }
}
