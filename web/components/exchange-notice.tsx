import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { api } from '../api.ts';
import { dateTime } from '../format.ts';
import { T, t } from '../i18n/index.ts';
import { connection } from '../live.ts';
import { AnnouncementBanner } from './announcements.tsx';
import { Notice } from './notice.tsx';
import { useResource } from './resource.ts';

const REFRESH_MS = 10_000;

type ExchangeStatus = Pick<
  Awaited<ReturnType<typeof api.getStatus>>,
  'trading' | 'maintenance' | 'announcements'
>;

/** The status of the exchange as a stream of the page reports it; the banner shows it at once. */
export const streamedStatus = signal<ExchangeStatus | undefined>(undefined);

/** Fetches the status unless a stream reports it, which may also send a newer one in the meantime. */
async function fetchStatus(): Promise<ExchangeStatus> {
  const before = streamedStatus.value;
  if (before !== undefined && connection.value === 'live') return before;
  const status = await api.getStatus();
  if (streamedStatus.value === before) streamedStatus.value = undefined;
  return status;
}

/** A banner while trading is restricted in all markets, before an announced maintenance, and for announcements. */
export function ExchangeNotice() {
  const { data } = useResource(fetchStatus, REFRESH_MS);
  const status = streamedStatus.value ?? data.value;
  if (status === undefined) return null;
  const { trading, maintenance, announcements } = status;
  const active = maintenance.find((each) => each.active);
  const [next] = maintenance.filter((each) => !each.active);
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
      <AnnouncementBanner announcements={announcements} />
    </div>
  );
}
