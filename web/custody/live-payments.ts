import { type Signal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Deposit, Withdrawal } from '../../src/client/index.ts';
import { StreamClosedError } from '../../src/client/index.ts';
import { api } from '../api.ts';
import { errorMessage } from '../components/action.ts';
import { announceError } from '../components/toast.tsx';
import { openStreams } from '../live.ts';

const PAGE_SIZE = 10;

/** Deposits or withdrawals, newest first, which change as the exchange reports them. Older ones are loaded page by page. */
export interface Payments<Item> {
  /** Undefined until the first page has loaded. */
  readonly rows: Signal<readonly Item[] | undefined>;
  /** Cursor of the next page; null after the last one. */
  readonly cursor: Signal<string | null>;
  /** Why the last request failed. */
  readonly failure: Signal<string | undefined>;
  /** Loads the next page. */
  load(): Promise<void>;
  /** Loads the first page again. */
  refresh(): Promise<void>;
}

type Streams = ReturnType<typeof openStreams>['streams'];
type OnChange<Item> = (op: 'snapshot' | 'update', changed: readonly Item[]) => void;

export function useDeposits(): Payments<Deposit<string>> {
  return usePayments(
    async (cursor) => {
      const { deposits, nextCursor } = await api.listDeposits({ limit: PAGE_SIZE, cursor });
      return { items: deposits, nextCursor };
    },
    (streams, onChange) =>
      streams.subscribe({ channel: 'deposits' }, ({ op, data }) => onChange(op, data.deposits)),
  );
}

export function useWithdrawals(): Payments<Withdrawal<string>> {
  return usePayments(
    async (cursor) => {
      const { withdrawals, nextCursor } = await api.listWithdrawals({ limit: PAGE_SIZE, cursor });
      return { items: withdrawals, nextCursor };
    },
    (streams, onChange) =>
      streams.subscribe({ channel: 'withdrawals' }, ({ op, data }) =>
        onChange(op, data.withdrawals),
      ),
  );
}

interface Payment {
  readonly id: string;
  readonly updatedAt: string;
}

interface Page<Item> {
  readonly items: readonly Item[];
  readonly nextCursor: string | null;
}

function usePayments<Item extends Payment>(
  fetchPage: (cursor: string | undefined) => Promise<Page<Item>>,
  subscribe: (streams: Streams, onChange: OnChange<Item>) => Promise<unknown>,
): Payments<Item> {
  const rows = useSignal<readonly Item[] | undefined>(undefined);
  const cursor = useSignal<string | null>(null);
  const failure = useSignal<string | undefined>(undefined);
  const show = async (from: string | undefined, apply: (page: Page<Item>) => void) => {
    try {
      apply(await fetchPage(from));
      failure.value = undefined;
    } catch (error) {
      failure.value = errorMessage(error);
    }
  };
  const load = () => {
    const from = cursor.value;
    return show(from ?? undefined, ({ items, nextCursor }) => {
      // A refresh has begun again from the first page.
      if (cursor.value !== from) return;
      rows.value = merge(rows.value ?? [], items);
      cursor.value = nextCursor;
    });
  };
  const refresh = () =>
    show(undefined, ({ items, nextCursor }) => {
      const known = new Set(rows.value?.map(({ id }) => id));
      // Without a known row, rows between this page and the others would be missing.
      const isGap = items.every(({ id }) => !known.has(id));
      rows.value = merge(isGap ? [] : (rows.value ?? []), items);
      if (isGap) cursor.value = nextCursor;
    });
  useEffect(() => {
    void load();
    const { streams, close } = openStreams(true, announceError);
    // A snapshot lacks those that have ended, so that the first page is loaded again.
    subscribe(streams, (op, changed) => {
      if (op === 'snapshot' || rows.value === undefined) void refresh();
      else rows.value = merge(rows.value, changed);
    }).catch(reportFailure);
    return close;
  }, []);
  return { rows, cursor, failure, load, refresh };
}

/** Returns all records, newest first, each in its newest version: a page may arrive after later changes. */
function merge<Item extends Payment>(known: readonly Item[], items: readonly Item[]): Item[] {
  const byId = new Map(known.map((each) => [each.id, each]));
  for (const item of items) {
    const before = byId.get(item.id);
    if (before === undefined || before.updatedAt <= item.updatedAt) byId.set(item.id, item);
  }
  return [...byId.values()].sort((a, b) => Number(b.id) - Number(a.id));
}

function reportFailure(error: unknown): void {
  if (!(error instanceof StreamClosedError)) announceError(error);
}
