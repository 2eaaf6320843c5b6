import { signal } from '@preact/signals';
import { api } from '../api.ts';
import { dateTime } from '../format.ts';
import { Notice } from './notice.tsx';
import { useResource } from './resource.ts';

const REFRESH_MS = 10_000;

type Restrictions = Pick<Awaited<ReturnType<typeof api.getStatus>>, 'trading' | 'maintenance'>;

/** The restrictions of all markets as a stream of the page reports them; the banner shows them at once. */
export const streamedStatus = signal<Restrictions | undefined>(undefined);

/** Fetches the restrictions, which replace those of the stream unless it has sent newer ones in the meantime. */
async function fetchStatus(): Promise<Restrictions> {
  const before = streamedStatus.value;
  const status = await api.getStatus();
  if (streamedStatus.value === before) streamedStatus.value = undefined;
  return status;
}

/** A banner while trading is restricted in all markets, and before an announced maintenance. */
export function ExchangeNotice() {
  const { data } = useResource(fetchStatus, REFRESH_MS);
  const status = streamedStatus.value ?? data.value;
  if (status === undefined) return null;
  const { trading, maintenance } = status;
  const active = maintenance.find((each) => each.active);
  const [next] = maintenance.filter((each) => !each.active);
  if (trading.status === 'trading' && next === undefined) return null;
  const what = trading.status === 'halted' ? 'Trading is halted' : 'Cancel-only mode';
  return (
    <div class="exchange-notice" role="status">
      {trading.status === 'trading' ? null : (
        <Notice kind="warning">
          <b>{what} in all markets.</b> You can cancel orders, but not place or amend them.{' '}
          {active === undefined
            ? `Reason: ${trading.reason}`
            : `Maintenance until ${dateTime(active.to)}: ${active.message}`}
        </Notice>
      )}
      {next === undefined ? null : (
        <Notice kind="info">
          <b>
            Maintenance from {dateTime(next.from)} to {dateTime(next.to)}.
          </b>{' '}
          {next.mode === 'halted' ? 'Trading is halted' : 'Orders can only be canceled'} during that
          time: {next.message}
        </Notice>
      )}
    </div>
  );
}
