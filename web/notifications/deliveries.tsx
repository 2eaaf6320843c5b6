import { useEffect, useRef } from 'preact/hooks';
import type { Delivery, Webhook } from '../../src/client/index.ts';
import { api } from '../api.ts';
import { useAction } from '../components/action.ts';
import { Loaded } from '../components/loaded.tsx';
import { Notice } from '../components/notice.tsx';
import { useResource } from '../components/resource.ts';
import { type Column, Table } from '../components/table.tsx';
import { announce } from '../components/toast.tsx';
import { dateTime } from '../format.ts';
import { msg, t } from '../i18n/index.ts';

const EVERY_MS = 5_000;

const COLUMNS: readonly Column<Delivery>[] = [
  { key: 'time', title: msg('Time'), cell: ({ timestamp }) => dateTime(timestamp) },
  { key: 'event', title: msg('Event'), cell: ({ event }) => <code>{event}</code> },
  { key: 'attempt', title: msg('Attempt'), numeric: true, cell: ({ attempt }) => attempt },
  {
    key: 'result',
    title: msg('Result'),
    cell: ({ accepted, status, error }) => (
      <span>
        <span class={`badge ${accepted ? 'on' : 'off'}`}>
          {accepted ? t('accepted') : t('failed')}
        </span>{' '}
        {error ?? status}
      </span>
    ),
  },
  {
    key: 'duration',
    title: msg('Duration'),
    numeric: true,
    cell: ({ durationMs }) => `${durationMs} ms`,
  },
];

interface DeliveriesProps {
  readonly webhook: Webhook;
  readonly onClose: () => void;
}

/** The last attempts of a webhook, and a button that sends a test event. */
export function Deliveries({ webhook: { id, url }, onClose }: DeliveriesProps) {
  const deliveries = useResource(() => api.listDeliveries({ id }), EVERY_MS);
  const action = useAction();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const test = () =>
    action.run(async () => {
      const { delivery } = await api.testWebhook({ id });
      await deliveries.load();
      if (delivery.accepted) announce(t('Test event accepted'), 'success');
      else
        announce(
          t('Test event failed: {reason}', { reason: `${delivery.error ?? delivery.status}` }),
          'error',
        );
    });
  return (
    <section class="panel" aria-labelledby="deliveries">
      <header>
        <div class="panel-title">
          <h2 id="deliveries" ref={heading} tabIndex={-1}>
            {t('Deliveries')}
          </h2>
          <p class="muted long">{url}</p>
        </div>
        <span>
          <button
            type="button"
            class="button"
            aria-busy={action.busy.value}
            onClick={() => void test()}
          >
            {t('Send test event')}
          </button>{' '}
          <button type="button" class="button" onClick={onClose}>
            {t('Close')}
          </button>
        </span>
      </header>
      {action.failure.value === undefined ? null : (
        <Notice kind="error">{action.failure.value.message}</Notice>
      )}
      <Loaded resource={deliveries}>
        {(data) => (
          <Table
            caption={t('Deliveries')}
            columns={COLUMNS}
            rows={data.deliveries}
            rowKey={({ eventId, attempt, timestamp }) => `${eventId} ${attempt} ${timestamp}`}
            empty={t('Nothing was sent yet. Send a test event to see what your server responds.')}
          />
        )}
      </Loaded>
    </section>
  );
}
