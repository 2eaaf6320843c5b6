import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { api } from '../api.ts';
import { Loaded } from '../components/loaded.tsx';
import { Notice } from '../components/notice.tsx';
import { useResource } from '../components/resource.ts';
import { type Column, Table } from '../components/table.tsx';
import { dateTime, grouped } from '../format.ts';
import { msg, t } from '../i18n/index.ts';
import { isSandbox } from '../sandbox.ts';
import { STATUS_NAMES } from '../trade/market-status.ts';
import { FILL_COLUMNS } from './account-fills.tsx';
import { orderStatus } from './account-orders.tsx';
import { accountPath } from './account-path.ts';
import { ORDER_REASONS, ROLES, sideAndType } from './record-names.ts';

/** Maximum number of fills shown; the tab has all. */
const MAX_FILLS = 20;

interface AccountOrderProps {
  readonly accountId: string;
  readonly orderId: string;
}

/** One order of an account with its fills and, in a sandbox, its timeline. The focus moves to it. */
export function AccountOrder({ accountId, orderId }: AccountOrderProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const found = useResource(() => api.getAccountOrder({ id: accountId, orderId }));
  useEffect(() => {
    heading.current?.focus();
    heading.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  return (
    <section class="panel current-record">
      <header>
        <div class="panel-title">
          <h2 ref={heading} tabIndex={-1}>
            {t('Order {orderId}', { orderId })}
          </h2>
        </div>
        <a class="button" href={accountPath(accountId, 'orders')}>
          {t('Close')}
        </a>
      </header>
      <Loaded resource={found}>
        {(order) => {
          const { symbol, side, type, price, triggerPrice, amount, filled, average } = order;
          const facts: readonly (readonly [string, ComponentChildren])[] = [
            [t('Status'), orderStatus(order)],
            [t('Market'), symbol],
            [t('Side'), <span class={side}>{sideAndType({ side, type })}</span>],
            [t('Price'), price === null ? '–' : grouped(price)],
            [t('Trigger'), triggerPrice === null ? '–' : grouped(triggerPrice)],
            [t('Amount'), grouped(amount)],
            [t('Filled'), grouped(filled)],
            [t('Average price'), average === null ? '–' : grouped(average)],
            [t('Time in force'), order.timeInForce],
            [t('Client order ID'), order.clientOrderId ?? '–'],
            [t('Placed'), dateTime(order.timestamp)],
            [t('Last change'), dateTime(order.updatedAt)],
          ];
          return (
            <dl class="figures">
              {facts.map(([name, value]) => (
                <div key={name}>
                  <dt>{name}</dt>
                  <dd>{value}</dd>
                </div>
              ))}
            </dl>
          );
        }}
      </Loaded>
      <Fills accountId={accountId} orderId={orderId} />
      {isSandbox ? <Timeline accountId={accountId} orderId={orderId} /> : null}
    </section>
  );
}

function Fills({ accountId, orderId }: AccountOrderProps) {
  const found = useResource(() =>
    api.getAccountFills({ id: accountId, orderId, limit: MAX_FILLS }),
  );
  return (
    <>
      <h3 class="panel-heading">{t('Fills')}</h3>
      <Loaded resource={found}>
        {({ fills }) => (
          <Table
            caption={t('Fills of order {orderId}', { orderId })}
            columns={FILL_COLUMNS}
            rows={fills}
            rowKey={({ id, liquidity }) => `${id} ${liquidity}`}
            empty={t('No fills yet.')}
          />
        )}
      </Loaded>
    </>
  );
}

type Events = Awaited<ReturnType<typeof api.getAccountOrderTimeline>>['events'];
/** An event, and its place among the events of the order. */
type OrderEvent = Events[number] & { readonly place: number };

const EVENT_NAMES: Readonly<Record<OrderEvent['kind'], string>> = {
  placed: msg('Placed'),
  activated: msg('Trailing started'),
  triggered: msg('Triggered'),
  amended: msg('Amended'),
  fill: msg('Fill'),
  rested: msg('Entered the order book'),
  replenished: msg('Visible amount replenished'),
  market_status: msg('Market status changed'),
  filled: msg('Filled'),
  canceled: msg('Canceled'),
  expired: msg('Expired'),
  rejected: msg('Rejected'),
};

const EVENT_COLUMNS: readonly Column<OrderEvent>[] = [
  {
    key: 'time',
    title: msg('Time'),
    cell: ({ timestamp }) => <time dateTime={timestamp}>{dateTime(timestamp)}</time>,
  },
  { key: 'event', title: msg('Event'), cell: ({ kind }) => <b>{t(EVENT_NAMES[kind])}</b> },
  {
    key: 'price',
    title: msg('Price'),
    numeric: true,
    cell: ({ price }) => (price === null ? '–' : grouped(price)),
  },
  { key: 'amount', title: msg('Amount'), numeric: true, cell: ({ amount }) => grouped(amount) },
  { key: 'filled', title: msg('Filled'), numeric: true, cell: ({ filled }) => grouped(filled) },
  {
    key: 'reason',
    title: msg('Details'),
    cell: ({ reason, liquidity, marketStatus }) => {
      if (reason !== null) return t(ORDER_REASONS[reason]);
      if (liquidity !== null) return t(ROLES[liquidity]);
      return marketStatus === null ? '–' : t(STATUS_NAMES[marketStatus]);
    },
  },
  {
    key: 'position',
    title: msg('Log position'),
    numeric: true,
    cell: ({ position }) => grouped(`${position}`),
  },
];

/** The events of an order, replayed from the log. */
function Timeline({ accountId, orderId }: AccountOrderProps) {
  const found = useResource(() => api.getAccountOrderTimeline({ id: accountId, orderId }));
  return (
    <>
      <h3 class="panel-heading">{t('Timeline')}</h3>
      <Loaded resource={found}>
        {({ events, whyNotFilled }) => (
          <>
            {whyNotFilled === null ? null : (
              <div class="panel-bar">
                <Notice kind="info">
                  <b>{t('Why it has not filled')}:</b> {whyNotFilled.text}
                </Notice>
              </div>
            )}
            <Table
              caption={t('Timeline of order {orderId}', { orderId })}
              columns={EVENT_COLUMNS}
              rows={events.map((event, place) => ({ ...event, place }))}
              rowKey={({ place }) => `${place}`}
              empty={t('No events.')}
            />
          </>
        )}
      </Loaded>
    </>
  );
}
