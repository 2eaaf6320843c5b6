import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { api } from '../api.ts';
import { dateTime } from '../format.ts';
import { T, t } from '../i18n/index.ts';
import { connection } from '../live.ts';
import { Notice } from './notice.tsx';
import { useResource } from './resource.ts';

const REFRESH_MS = 10_000;

type Restrictions = Pick<Awaited<ReturnType<typeof api.getStatus>>, 'trading' | 'maintenance'>;

/** The restrictions of all markets as a stream of the page reports them; the banner shows them at once. */
export const streamedStatus = signal<Restrictions | undefined>(undefined);

/** Fetches the restrictions unless a stream reports them, which may also send newer ones in the meantime. */
async function fetchStatus(): Promise<Restrictions> {
  const before = streamedStatus.value;
  if (before !== undefined && connection.value === 'live') return before;
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
  const bold = (children: ComponentChildren) => <b>{children}</b>;
  return (
    <div class="exchange-notice" role="status">
      {trading.status === 'trading' ? null : (
        <Notice kind="warning">
          {trading.status === 'halted' ? (
            <T
              text="<b>Trading is halted in all markets.</b> You can cancel orders, but not place or amend them."
              b={bold}
            />
          ) : (
            <T
              text="<b>Cancel-only mode in all markets.</b> You can cancel orders, but not place or amend them."
              b={bold}
            />
          )}{' '}
          {active === undefined
            ? t('Reason: {reason}', { reason: trading.reason ?? '' })
            : t('Maintenance until {end}: {message}', {
                end: dateTime(active.to),
                message: active.message,
              })}
        </Notice>
      )}
      {next === undefined ? null : (
        <Notice kind="info">
          <T
            text="<b>Maintenance from {start} to {end}.</b>"
            start={dateTime(next.from)}
            end={dateTime(next.to)}
            b={bold}
          />{' '}
          {next.mode === 'halted'
            ? t('Trading is halted during that time: {message}', { message: next.message })
            : t('Orders can only be canceled during that time: {message}', {
                message: next.message,
              })}
        </Notice>
      )}
    </div>
  );
}
