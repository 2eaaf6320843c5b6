import { useEffect } from 'preact/hooks';
import type { Deposit, Withdrawal } from '../../src/client/index.ts';
import { StreamClosedError } from '../../src/client/index.ts';
import { api } from '../api.ts';
import { type Page, type Pages, usePages } from '../components/pages.ts';
import { announceError } from '../components/toast.tsx';
import { openStreams } from '../live.ts';

const PAGE_SIZE = 10;

type Streams = ReturnType<typeof openStreams>['streams'];
type OnChange<Item> = (op: 'snapshot' | 'update', changed: readonly Item[]) => void;

export function useDeposits(): Pages<Deposit<string>> {
  return usePayments(
    async (cursor) => {
      const { deposits, nextCursor } = await api.listDeposits({ limit: PAGE_SIZE, cursor });
      return { rows: deposits, nextCursor };
    },
    (streams, onChange) =>
      streams.subscribe({ channel: 'deposits' }, ({ op, data }) => onChange(op, data.deposits)),
  );
}

export function useWithdrawals(): Pages<Withdrawal<string>> {
  return usePayments(
    async (cursor) => {
      const { withdrawals, nextCursor } = await api.listWithdrawals({ limit: PAGE_SIZE, cursor });
      return { rows: withdrawals, nextCursor };
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

/** Deposits or withdrawals, newest first, which change as the exchange reports them. */
function usePayments<Item extends Payment>(
  fetchPage: (cursor: string | undefined) => Promise<Page<Item>>,
  subscribe: (streams: Streams, onChange: OnChange<Item>) => Promise<unknown>,
): Pages<Item> {
  const pages = usePages(fetchPage, readId, LIVE);
  useEffect(() => {
    const { streams, close } = openStreams(true, announceError);
    // A snapshot lacks those that have ended, so that the first page is loaded again.
    subscribe(streams, (op, changed) => {
      if (op === 'snapshot' || pages.rows.value === undefined) void pages.refresh();
      else pages.change(changed);
    }).catch(reportFailure);
    return close;
  }, []);
  return pages;
}

function readId({ id }: Payment): string {
  return id;
}

const LIVE = {
  isNewer: (payment: Payment, known: Payment) => payment.updatedAt >= known.updatedAt,
  order: (a: Payment, b: Payment) => Number(b.id) - Number(a.id),
};

function reportFailure(error: unknown): void {
  if (!(error instanceof StreamClosedError)) announceError(error);
}
