import { useEffect, useRef } from 'preact/hooks';
import { api } from '../../api.ts';
import { Loaded } from '../../components/loaded.tsx';
import { useResource } from '../../components/resource.ts';
import { capitalize, dateTime, grouped } from '../../format.ts';
import { msg, T, t } from '../../i18n/index.ts';
import { STATUS_NAMES } from '../market-status.ts';
import { priceText } from '../markets.ts';
import { describeReason } from '../order-reasons.ts';
import type { ExactOrder } from '../records.ts';
import { QueueChart } from './queue-chart.tsx';

export type Timeline = Awaited<ReturnType<typeof api.getOrderTimeline>>;
type TimelineEvent = Timeline['events'][number];
type TimelineOrder = Timeline['order'];

/** The life of an order in a sandbox: its events, its place in the queue, and why it has not filled. */
export function OrderTimeline({ order }: { order: ExactOrder }) {
  const resource = useResource<Timeline>(() => api.getOrderTimeline({ id: order.orderId }));
  const shown = useRef(order.updatedAt);
  useEffect(() => {
    if (shown.current === order.updatedAt) return;
    shown.current = order.updatedAt;
    void resource.load();
  }, [order.updatedAt]);
  return <Loaded resource={resource}>{(timeline) => <Life timeline={timeline} />}</Loaded>;
}

function Life({ timeline }: { timeline: Timeline }) {
  const { order, events, points, whyNotFilled, complete, timestamp } = timeline;
  const [base = ''] = order.symbol.split('/');
  return (
    <>
      {whyNotFilled === null ? null : (
        <div class="why">
          <h3>{t('Why it has not filled')}</h3>
          <p>{whyNotFilled.text}</p>
        </div>
      )}
      {points.length > 0 ? <QueueChart points={points} until={timestamp} base={base} /> : null}
      <h3>{t('Timeline')}</h3>
      <ol class="timeline">
        {events.map((event, index) => (
          <EventItem key={index} event={event} order={order} />
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

function EventItem({ event, order }: { event: TimelineEvent; order: TimelineOrder }) {
  const { kind, timestamp, position } = event;
  return (
    <li class={`event-${kind}`}>
      <b>{t(titles[kind])}</b>
      <span>{describeEvent(event, order)}</span>
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
  placed: msg('Placed'),
  activated: msg('Trailing started'),
  triggered: msg('Triggered'),
  amended: msg('Amended'),
  fill: msg('Fill||execution'),
  rested: msg('Entered the order book'),
  replenished: msg('Visible amount replenished'),
  market_status: msg('Market status changed'),
  filled: msg('Filled'),
  canceled: msg('Canceled'),
  expired: msg('Expired'),
  rejected: msg('Rejected'),
};

function describeEvent(event: TimelineEvent, { symbol, timeInForce }: TimelineOrder): string {
  const [base = ''] = symbol.split('/');
  switch (event.kind) {
    case 'fill':
      return t(
        '{what} as {liquidity, select, maker {maker} other {taker}}, against a {side, select, buy {buy} other {sell}}. {filled} filled.',
        {
          what: amountAtPrice(event, symbol),
          liquidity: event.liquidity ?? '',
          side: event.counterpartySide ?? '',
          filled: grouped(event.filled),
        },
      );
    case 'rested':
    case 'replenished':
      return describeAhead(event, base);
    case 'market_status':
      return event.marketStatus === null ? '' : t(STATUS_NAMES[event.marketStatus]);
    case 'placed':
    case 'amended': {
      const trigger =
        event.triggerPrice === null
          ? []
          : [t('trigger {price}', { price: priceText(event.triggerPrice, symbol) })];
      const reason = event.reason === 'self_trade' ? [t('self-trade prevention')] : [];
      return [amountAtPrice(event, symbol), ...trigger, ...reason].join(', ');
    }
    default:
      return capitalize(describeReason({ reason: event.reason, timeInForce }) ?? '');
  }
}

/** Returns `0.5 BTC at 45,000.00`, or the amount alone. */
function amountAtPrice(event: { amount: string; price: string | null }, symbol: string): string {
  const [base = ''] = symbol.split('/');
  const amount = `${grouped(event.amount)} ${base}`;
  if (event.price === null) return amount;
  return t('{amount} at {price}', { amount, price: priceText(event.price, symbol) });
}

function describeAhead({ levelsAhead, amountAhead }: TimelineEvent, base: string): string {
  if (amountAhead === null || amountAhead === '0') return t('First in the queue');
  const amount = `${grouped(amountAhead)} ${base}`;
  if (levelsAhead === null || levelsAhead === 0) return t('{amount} ahead', { amount });
  return t('{levels, plural, one {# price level} other {# price levels}}, {amount} ahead', {
    levels: levelsAhead,
    amount,
  });
}
