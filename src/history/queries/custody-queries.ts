import type { DepositRecord, WithdrawalRecord } from '../../engine/event.ts';
import { select } from '../database/checksum.ts';
import type { Queries } from '../database/database.ts';
import { depositsTable, readDeposit, readWithdrawal, withdrawalsTable } from '../tables/custody.ts';
import type { Pending } from '../writer/pending.ts';
import { allows, Conditions, IdSearch, mergePage, type Page, type PageTerms } from './id-search.ts';

/** A query for deposits or withdrawals of one account. */
export interface CustodyFilter extends PageTerms {
  readonly account: number;
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
    private readonly pending: Pick<Pending, 'deposits' | 'withdrawals'>,
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

const DEPOSITS_BY_ACCOUNT = { table: depositsTable, owner: 'account', id: 'id' } as const;
const WITHDRAWALS_BY_ACCOUNT = { table: withdrawalsTable, owner: 'account', id: 'id' } as const;
