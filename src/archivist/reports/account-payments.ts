import type { DepositRecord, WithdrawalRecord } from '../../engine/event.ts';
import type { State } from '../../engine/state.ts';
import { NONE } from '../../engine/terms.ts';
import type { CustodyFilter, HistoryReader, Page } from '../../history/history.ts';
import type { ReportTerms } from './report.ts';
import type { ReportSource } from './report-source.ts';

const PAGE_ROWS = 500;

/** The deposits or the withdrawals that the engine knows, and those that only history knows. */
export interface PaymentSource<Item> {
  known(state: State, account: number): Iterable<Item>;
  read(reader: HistoryReader, filter: CustodyFilter): Promise<Page<Item>>;
}

export const DEPOSITS: PaymentSource<DepositRecord> = {
  known: ({ parts }, account) => parts.custody.store.accountDepositRecords(account),
  read: (reader, filter) => reader.deposits(filter, []),
};

export const WITHDRAWALS: PaymentSource<WithdrawalRecord> = {
  known: ({ parts }, account) => parts.custody.store.accountWithdrawalRecords(account),
  read: (reader, filter) => reader.withdrawals(filter, []),
};

/** The deposits or withdrawals of an account that began in a period, as they were at the present position of the log. */
export class AccountPayments<Item extends DepositRecord | WithdrawalRecord> {
  private readonly known: readonly Item[];
  private readonly knownIds: ReadonlySet<number>;
  private readonly beforeId: number;

  /** Takes the present position of the source: records are replaced by their changes, and never changed themselves. */
  constructor(
    private readonly source: ReportSource,
    private readonly terms: ReportTerms,
    private readonly kind: PaymentSource<Item>,
  ) {
    const { state } = source;
    const { account, from, to } = terms;
    const known = [...kind.known(state, account)];
    this.known = known
      .filter(({ createdAt }) => createdAt >= from && createdAt < to)
      .sort((a, b) => a.id - b.id);
    // An operator may credit the deposits of no account to this one later.
    const others = [...known, ...kind.known(state, NONE)];
    this.knownIds = new Set(others.map(({ id }) => id));
    this.beforeId = state.parts.custody.store.head.nextId;
  }

  /** Yields the records in order of ids, a page at a time. */
  async *pages(): AsyncGenerator<Item[]> {
    const { source, kind, known, knownIds, beforeId } = this;
    const { account, from, to } = this.terms;
    const { pageRows: limit = PAGE_ROWS } = source;
    let next = 0;
    let afterId: number | undefined;
    for (;;) {
      const start = afterId === undefined ? { since: from } : { afterId };
      const filter = { account, beforeId, ...start, descending: false, limit };
      const { items } = await source.read((reader) => kind.read(reader, filter));
      afterId = items.at(-1)?.id;
      const isLast = items.length < limit || items.at(-1)!.createdAt >= to;
      const page: Item[] = [];
      for (const item of items) {
        // Those that the engine knew may have been dropped since, and changed before.
        if (knownIds.has(item.id) || item.createdAt >= to) continue;
        while (next < known.length && known[next]!.id < item.id) page.push(known[next++]!);
        page.push(item);
      }
      if (isLast) page.push(...known.slice(next));
      if (page.length > 0) yield page;
      if (isLast) return;
    }
  }
}
