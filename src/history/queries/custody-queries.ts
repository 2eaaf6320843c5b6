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

/** A query for deposits or withdrawals of one account. */
export interface CustodyFilter extends PageTerms {
  readonly account: number;
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
  private readonly depositRows: IdSearch;
  private readonly withdrawalRows: IdSearch;

  constructor(
    private readonly database: Queries,
    private readonly pending: Pick<Pending, 'deposits' | 'withdrawals' | 'custodyChanges'>,
  ) {
    this.depositRows = new IdSearch(database, DEPOSITS_BY_ACCOUNT);
    this.withdrawalRows = new IdSearch(database, WITHDRAWALS_BY_ACCOUNT);
  }

  /** @param known The account's deposits that the engine knows, of which those that match are on the page too. */
  async deposits(
    filter: CustodyFilter,
    known: readonly DepositRecord[],
  ): Promise<Page<DepositRecord>> {
    const others = [...this.pending.deposits(), ...known];
    const items = (await this.read(this.depositRows, filter)).map(readDeposit);
    return merge(items, others, filter);
  }

  /** @param known The account's withdrawals that the engine knows, of which those that match are on the page too. */
  async withdrawals(
    filter: CustodyFilter,
    known: readonly WithdrawalRecord[],
  ): Promise<Page<WithdrawalRecord>> {
    const others = [...this.pending.withdrawals(), ...known];
    const items = (await this.read(this.withdrawalRows, filter)).map(readWithdrawal);
    return merge(items, others, filter);
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

  private async read(rows: IdSearch, filter: CustodyFilter) {
    const span = await rows.findSpan(filter.account, 'created_at', filter);
    return rows.read(filter.account, span, new Conditions(), filter);
  }
}

function merge<Item extends DepositRecord | WithdrawalRecord>(
  items: Item[],
  others: readonly Item[],
  filter: CustodyFilter,
): Page<Item> {
  const own = others.filter(
    (each) => each.account === filter.account && allows(filter, each.id, each.createdAt),
  );
  return mergePage({ items, searchedTo: undefined }, own, ({ id }) => id, filter);
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
const DEPOSITS_BY_ACCOUNT = { table: depositsTable, owner: 'account', id: 'id' } as const;
const WITHDRAWALS_BY_ACCOUNT = { table: withdrawalsTable, owner: 'account', id: 'id' } as const;
