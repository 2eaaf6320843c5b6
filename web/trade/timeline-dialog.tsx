import { api } from '../api.ts';
import { Dialog } from '../components/dialog.tsx';
import { Loaded } from '../components/loaded.tsx';
import { useResource } from '../components/resource.ts';
import { dateTime, grouped, sentenceCase } from '../format.ts';
import { T, t } from '../i18n/index.ts';
import { priceText } from './markets.ts';
import { QueueChart } from './queue-chart.tsx';
import type { ExactOrder } from './records.ts';

export type Timeline = Awaited<ReturnType<typeof api.getOrderTimeline>>;
type TimelineEvent = Timeline['events'][number];

interface TimelineProps {
  /** Undefined while the drawer is closed. */
  readonly order: ExactOrder | undefined;
  readonly onClose: () => void;
}

/** A drawer with the life of an order: its events, its place in the queue, and why it has not filled. */
export function TimelineDialog({ order, onClose }: TimelineProps) {
  return (
    <Dialog title={t('Order timeline')} open={order !== undefined} onClose={onClose} isDrawer>
      {order === undefined ? null : <TimelineOf key={order.orderId} order={order} />}
    </Dialog>
  );
}

function TimelineOf({ order }: { order: ExactOrder }) {
  const resource = useResource<Timeline>(() => api.getOrderTimeline({ id: order.orderId }));
  return <Loaded resource={resource}>{(timeline) => <Life timeline={timeline} />}</Loaded>;
}

function Life({ timeline }: { timeline: Timeline }) {
  const { order, events, points, whyNotFilled, complete, timestamp } = timeline;
  const { side, amount, symbol, type, filled } = order;
  const [base = ''] = symbol.split('/');
  return (
    <>
      <p class="muted">
        {t(
          '{side, select, buy {↑ Buy} other {↓ Sell}} {amount} {symbol}, {type}, {filled} filled. Order {orderId}.',
          {
            side,
            amount: grouped(amount),
            symbol,
            type: sentenceCase(type).toLowerCase(),
            filled: grouped(filled),
            orderId: order.orderId,
          },
        )}
      </p>
      {whyNotFilled === null ? null : (
        <div class="why">
          <h3>{t('Why it has not filled')}</h3>
          <p>{whyNotFilled.text}</p>
        </div>
      )}
      {points.length > 0 ? <QueueChart points={points} until={timestamp} base={base} /> : null}
      <h3>{t('Events')}</h3>
      <ol class="timeline">
        {events.map((event, index) => (
          <EventItem key={index} event={event} symbol={symbol} />
        ))}
      </ol>
      {complete ? null : (
        <p class="muted">
          <T
            text="The timeline is too long to show all of it. It ends at {timestamp}."
            timestamp={dateTime(timestamp)}
          />
        </p>
      )}
    </>
  );
}

function EventItem({ event, symbol }: { event: TimelineEvent; symbol: string }) {
  const { kind, timestamp, position } = event;
  return (
    <li class={`event-${kind}`}>
      <b>{titles[kind]}</b>
      <span>{describeEvent(event, symbol)}</span>
      <small class="muted">
        <T
          text="<time>{timestamp}</time> · log position {position}"
          timestamp={dateTime(timestamp)}
          position={position}
          time={(children) => <time dateTime={timestamp}>{children}</time>}
        />
      </small>
    </li>
  );
}

const titles: Readonly<Record<TimelineEvent['kind'], string>> = {
  placed: 'Placed',
  activated: 'Trailing started',
  triggered: 'Triggered',
  amended: 'Amended',
  fill: 'Fill',
  rested: 'Entered the order book',
  replenished: 'Visible amount replenished',
  market_status: 'Market status changed',
  filled: 'Filled',
  canceled: 'Canceled',
  expired: 'Expired',
  rejected: 'Rejected',
};

function describeEvent(event: TimelineEvent, symbol: string): string {
  const [base = ''] = symbol.split('/');
  const at = event.price === null ? '' : ` at ${priceText(event.price, symbol)}`;
  switch (event.kind) {
    case 'fill':
      return (
        `${grouped(event.amount)} ${base}${at} as ${event.liquidity}, ` +
        `against a ${event.counterpartySide}. ${grouped(event.filled)} filled.`
      );
    case 'rested':
    case 'replenished':
      return describeAhead(event, base);
    case 'market_status':
      return sentenceCase(event.marketStatus);
    case 'placed':
    case 'amended': {
      const trigger =
        event.triggerPrice === null ? '' : `, trigger ${priceText(event.triggerPrice, symbol)}`;
      const reason = event.reason === 'self_trade' ? ' (self-trade prevention)' : '';
      return `${grouped(event.amount)} ${base}${at}${trigger}${reason}`;
    }
    default:
      return event.reason === null ? '' : sentenceCase(event.reason);
  }
}

function describeAhead({ levelsAhead, amountAhead }: TimelineEvent, base: string): string {
  if (amountAhead === null || amountAhead === '0') return 'First in the queue';
  const levels =
    levelsAhead === 0 ? '' : `${levelsAhead} price ${levelsAhead === 1 ? 'level' : 'levels'}, `;
  return `${levels}${grouped(amountAhead)} ${base} ahead`;
}
