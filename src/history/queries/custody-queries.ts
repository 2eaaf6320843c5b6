import type { DepositRecord, WithdrawalRecord } from '../../engine/event.ts';
import { select } from '../database/checksum.ts';
import type { Queries, Row, Table } from '../database/database.ts';
import {
  type CustodyChange,
  depositChangesTable,
  depositsTable,
  readDeposit,
  readDepositChange,
  readWithdrawal,
  readWithdrawalChange,
  withdrawalChangesTable,
  withdrawalsTable,
} from '../tables/custody.ts';
import type { Pending } from '../writer/pending.ts';
import { allows, Conditions, IdSearch, mergePage, type Page, type PageTerms } from './id-search.ts';

/** A query for deposits or withdrawals, of one account or of all. Absent or undefined terms do not filter. */
export interface CustodyFilter extends PageTerms {
  readonly account?: number | undefined;
  /** The networks of an asset. */
  readonly networks?: readonly number[] | undefined;
  /** The stored state: `DepositStatus` or `WithdrawalStatus`. */
  readonly status?: number | undefined;
}

/** A query for the changes of deposits and withdrawals of one account, in the order of the log. */
export interface ChangeFilter {
  readonly account: number;
  /** Undefined for changes of both. */
  readonly kind?: CustodyChange['kind'] | undefined;
  /** Only changes after this place. */
  readonly after: Pick<CustodyChange, 'changedIn' | 'changeIndex'>;
  /** The last batch of the changes. */
  readonly upTo: number;
  readonly limit: number;
}

/** The identity of a payment in its chain. */
export interface Payment {
  readonly network: number;
  readonly transaction: string;
  readonly index: number;
}

/** Reads pages of deposits and withdrawals that the engine has dropped. */
export class CustodyQueries {
  private readonly depositRows: OwnedOrAll;
  private readonly withdrawalRows: OwnedOrAll;

  constructor(
    private readonly database: Queries,
    private readonly pending: Pick<Pending, 'deposits' | 'withdrawals' | 'custodyChanges'>,
    searchLimit?: number,
  ) {
    this.depositRows = createSearches(database, depositsTable, searchLimit);
    this.withdrawalRows = createSearches(database, withdrawalsTable, searchLimit);
  }

  /** @param known The deposits that the engine knows, of which those that match are on the page too. */
  async deposits(
    filter: CustodyFilter,
    known: readonly DepositRecord[],
  ): Promise<Page<DepositRecord>> {
    const others = [...this.pending.deposits(), ...known];
    return merge(await this.read(this.depositRows, readDeposit, filter), others, filter);
  }

  /** @param known The withdrawals that the engine knows, of which those that match are on the page too. */
  async withdrawals(
    filter: CustodyFilter,
    known: readonly WithdrawalRecord[],
  ): Promise<Page<WithdrawalRecord>> {
    const others = [...this.pending.withdrawals(), ...known];
    return merge(await this.read(this.withdrawalRows, readWithdrawal, filter), others, filter);
  }

  /** Returns the newest deposit of a payment. */
  async payment({ network, transaction, index }: Payment): Promise<DepositRecord | undefined> {
    const pending = this.pending
      .deposits()
      .findLast(
        (each) =>
          each.transaction === transaction && each.network === network && each.index === index,
      );
    const [row] = await select(
      this.database,
      depositsTable,
      `SELECT * FROM deposits WHERE transaction_id = $1 AND network = $2 AND place = $3
        ORDER BY id DESC LIMIT 1`,
      transaction,
      network,
      index,
    );
    const stored = row === undefined ? undefined : readDeposit(row);
    return (pending?.id ?? 0) > (stored?.id ?? 0) ? pending : stored;
  }

  /** Returns the first changes after a place. */
  async changes(filter: ChangeFilter): Promise<CustodyChange[]> {
    const { account, kind, limit } = filter;
    const pending = this.pending
      .custodyChanges(account)
      .filter((change) => (kind ?? change.kind) === change.kind && isInRange(change, filter));
    const deposits = kind === 'withdrawal' ? [] : await this.readChanges(DEPOSIT_CHANGES, filter);
    const others = kind === 'deposit' ? [] : await this.readChanges(WITHDRAWAL_CHANGES, filter);
    return [...deposits, ...others, ...pending].sort(byPlace).slice(0, limit);
  }

  private async readChanges(
    { table, read }: ChangeRows,
    { account, after, upTo, limit }: ChangeFilter,
  ): Promise<CustodyChange[]> {
    const rows = await select(
      this.database,
      table,
      `SELECT * FROM ${table.name}
        WHERE account = $1 AND (changed_in, change_index) > ($2, $3) AND changed_in <= $4
        ORDER BY changed_in, change_index LIMIT $5`,
      account,
      after.changedIn,
      after.changeIndex,
      upTo,
      limit,
    );
    return rows.map(read);
  }

  private async read<Item>(
    { owned, all }: OwnedOrAll,
    toItem: (row: Row) => Item,
    filter: CustodyFilter,
  ): Promise<Page<Item>> {
    const { account, networks, status } = filter;
    const rows = account === undefined ? all : owned;
    const where = new Conditions();
    if (networks !== undefined) where.addIn('network', networks);
    if (status !== undefined) where.add('status = ?', status);
    const span = await rows.findSpan(account, 'created_at', filter);
    const { items, searchedTo } = await rows.search(account, span, where, filter);
    return { items: items.map(toItem), searchedTo };
  }
}

/** The searches in the rows of one account, and of all. */
interface OwnedOrAll {
  readonly owned: IdSearch;
  readonly all: IdSearch;
}

function createSearches(database: Queries, table: Table<never>, searchLimit?: number): OwnedOrAll {
  const rows = { table, id: 'id', indexed: ['network', 'status'] };
  return {
    owned: new IdSearch(database, { ...rows, owner: 'account' }, searchLimit),
    all: new IdSearch(database, rows, searchLimit),
  };
}

function merge<Item extends DepositRecord | WithdrawalRecord>(
  page: Page<Item>,
  others: readonly Item[],
  filter: CustodyFilter,
): Page<Item> {
  const { account, networks, status } = filter;
  const found = others.filter(
    (each) =>
      (account === undefined || each.account === account) &&
      (networks === undefined || networks.includes(each.network)) &&
      (status === undefined || each.status === status) &&
      allows(filter, each.id, each.createdAt),
  );
  return mergePage(page, found, ({ id }) => id, filter);
}

function isInRange(change: CustodyChange, { after, upTo }: ChangeFilter): boolean {
  return byPlace(change, after) > 0 && change.changedIn <= upTo;
}

function byPlace(a: ChangeFilter['after'], b: ChangeFilter['after']): number {
  return a.changedIn - b.changedIn || a.changeIndex - b.changeIndex;
}

interface ChangeRows {
  readonly table: Table<never>;
  readonly read: (row: Row) => CustodyChange;
}

const DEPOSIT_CHANGES: ChangeRows = { table: depositChangesTable, read: readDepositChange };
const WITHDRAWAL_CHANGES: ChangeRows = {
  table: withdrawalChangesTable,
  read: readWithdrawalChange,
};
