import { type Signal, useSignal, useSignalEffect } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import type { Balance, Order } from '../../src/client/index.ts';
import { api } from '../api.ts';
import { type Failure, toFailure } from '../components/action.ts';
import { Select } from '../components/field.tsx';
import { Notice } from '../components/notice.tsx';
import { ResponseOrder } from '../components/response-order.ts';
import { type Column, Table } from '../components/table.tsx';
import { announceError } from '../components/toast.tsx';
import { countDecimals, dateTime, fixed, grouped } from '../format.ts';
import { msg, t } from '../i18n/index.ts';
import { typeName } from '../trade/order-names.ts';
import { markets } from './holdings.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Steps of the buttons next to the slider. */
const STEPS = [
  { label: msg('−1 h'), name: msg('−1 h: one hour earlier'), ms: -HOUR_MS },
  { label: msg('−1 min'), name: msg('−1 min: one minute earlier'), ms: -MINUTE_MS },
  { label: msg('+1 min'), name: msg('+1 min: one minute later'), ms: MINUTE_MS },
  { label: msg('+1 h'), name: msg('+1 h: one hour later'), ms: HOUR_MS },
] as const;
const LEVELS = 8;
const MAX_ORDERS = 100;
/** A slider reports each place that it passes: the exchange is asked for where it stays. */
const SETTLE_MS = 150;
const REFRESH_MS = 15_000;

interface Past {
  readonly at: number;
  readonly balances: readonly Balance<string>[];
  readonly orders: readonly Order<string>[];
  readonly bids: readonly (readonly string[])[];
  readonly asks: readonly (readonly string[])[];
}

/** A slider that shows balances, open orders and a book as they were. Only in a sandbox. */
export function TimeTravel() {
  /** The chosen moment, milliseconds since 1970; undefined for the present. */
  const at = useSignal<number | undefined>(undefined);
  const symbol = useSignal('');
  const past = useSignal<Past | undefined>(undefined);
  const failure = useSignal<Failure | undefined>(undefined);
  const order = useMemo(() => new ResponseOrder(), []);
  useSignalEffect(() => {
    const [time, chosen] = [at.value, symbol.value || markets.value[0]?.symbol];
    const isNewest = order.begin();
    if (time === undefined || chosen === undefined) return undefined;
    const timer = setTimeout(() => {
      loadPast(time, chosen).then(
        (loaded) => {
          if (!isNewest()) return;
          past.value = loaded;
          failure.value = undefined;
        },
        (error) => {
          if (isNewest()) failure.value = toFailure(error);
        },
      );
    }, SETTLE_MS);
    return () => clearTimeout(timer);
  });
  const isPast = at.value !== undefined;
  return (
    <section class={`panel time-travel ${isPast ? 'is-past' : ''}`} aria-labelledby="travel-title">
      <header>
        <h2 id="travel-title">{t('Time travel')}</h2>
        {at.value === undefined ? null : (
          <p class="past-badge" role="status">
            {t('Past: {time}', { time: dateTime(new Date(at.value).toISOString()) })}
          </p>
        )}
      </header>
      <div class="panel-body stack">
        <p class="muted">{t('See your balances, open orders and an order book as they were.')}</p>
        <Slider at={at} />
        {failure.value === undefined || !isPast ? null : (
          <Notice kind="error">{failure.value.message}</Notice>
        )}
        {isPast && past.value !== undefined ? (
          <PastView past={past.value} isCurrent={past.value.at === at.value} symbol={symbol} />
        ) : null}
      </div>
    </section>
  );
}

function Slider({ at }: { at: Signal<number | undefined> }) {
  // The clock of the exchange, which may be frozen. It does not move while the slider is used.
  const clock = useSignal<number | undefined>(undefined);
  const isPast = at.value !== undefined;
  useEffect(() => {
    if (isPast) return undefined;
    const read = () => void readClock().then((time) => (clock.value = time), announceError);
    read();
    const timer = setInterval(read, REFRESH_MS);
    return () => clearInterval(timer);
  }, [isPast, clock]);
  if (clock.value === undefined) return null;
  const now = clock.value;
  const listed = markets.value.map(({ listedAt }) => Date.parse(listedAt));
  const first = Math.min(now - HOUR_MS, ...listed);
  const set = (time: number) => {
    at.value = Math.min(now, Math.max(first, time));
  };
  const value = at.value ?? now;
  return (
    <div class="travel-controls">
      <input
        type="range"
        aria-label={t('Moment')}
        aria-valuetext={dateTime(new Date(value).toISOString())}
        min={first}
        max={now}
        step={1000}
        value={value}
        onInput={(event) => set(event.currentTarget.valueAsNumber)}
      />
      <span class="actions">
        {STEPS.map(({ label, name, ms }) => (
          <button
            key={label}
            type="button"
            class="button small"
            aria-label={t(name)}
            onClick={() => set(value + ms)}
          >
            {t(label)}
          </button>
        ))}
        <button
          type="button"
          class="button small"
          disabled={at.value === undefined}
          onClick={() => {
            at.value = undefined;
          }}
        >
          {t('Back to now')}
        </button>
      </span>
    </div>
  );
}

interface PastViewProps {
  readonly past: Past;
  /** Whether it shows the chosen moment, or still the one before. */
  readonly isCurrent: boolean;
  readonly symbol: Signal<string>;
}

function PastView({ past, isCurrent, symbol }: PastViewProps) {
  const time = dateTime(new Date(past.at).toISOString());
  return (
    <div class="past-view" aria-busy={!isCurrent}>
      <div>
        <h3>{t('Balances at {time}', { time })}</h3>
        <Table
          caption={t('Balances at {time}', { time })}
          columns={BALANCE_COLUMNS}
          rows={past.balances}
          rowKey={({ asset }) => asset}
          empty={t('No assets yet')}
        />
        <h3>{t('Open orders at {time}', { time })}</h3>
        <Table
          caption={t('Open orders at {time}', { time })}
          columns={ORDER_COLUMNS}
          rows={past.orders}
          rowKey={({ orderId }) => orderId}
          empty={t('No open orders')}
        />
      </div>
      <div>
        <h3>{t('Order book at {time}', { time })}</h3>
        <Select
          label={t('Market')}
          value={symbol.value || (markets.value[0]?.symbol ?? '')}
          options={markets.value.map(({ symbol: each }) => [each, each])}
          onChange={(chosen) => {
            symbol.value = chosen;
          }}
        />
        <PastBook past={past} />
      </div>
    </div>
  );
}

/** A book stays a table on a phone. */
function PastBook({ past: { bids, asks } }: { past: Past }) {
  const rows = [
    ...asks.toReversed().map((level) => ({ side: 'sell', level })),
    ...bids.map((level) => ({ side: 'buy', level })),
  ];
  if (rows.length === 0) return <p class="empty">{t('The order book was empty.')}</p>;
  // As many decimals in all rows, so that their points are below each other.
  const decimals = (index: number) =>
    Math.max(...rows.map(({ level }) => countDecimals(level[index]!)));
  const [priceDecimals, amountDecimals] = [decimals(0), decimals(1)];
  return (
    <table class="past-book">
      <caption class="visually-hidden">{t('Order book then')}</caption>
      <thead>
        <tr>
          <th scope="col">{t('Side')}</th>
          <th scope="col">{t('Price')}</th>
          <th scope="col">{t('Amount')}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ side, level }) => (
          <tr key={`${side} ${level[0]}`}>
            <td class={side}>{side === 'buy' ? t('↑ Bid') : t('↓ Ask')}</td>
            <td>{fixed(level[0]!, priceDecimals)}</td>
            <td>{fixed(level[1]!, amountDecimals)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const BALANCE_COLUMNS: readonly Column<Balance<string>>[] = [
  { key: 'asset', title: msg('Asset'), cell: ({ asset }) => <b>{asset}</b> },
  { key: 'total', title: msg('Total'), numeric: true, cell: ({ total }) => grouped(total) },
  {
    key: 'available',
    title: msg('Available'),
    numeric: true,
    cell: (each) => grouped(each.available),
  },
  { key: 'held', title: msg('In orders'), numeric: true, cell: ({ held }) => grouped(held) },
];

const ORDER_COLUMNS: readonly Column<Order<string>>[] = [
  { key: 'market', title: msg('Market'), cell: ({ symbol }) => symbol },
  {
    key: 'side',
    title: msg('Side'),
    cell: ({ side }) => <span class={side}>{side === 'buy' ? t('↑ Buy') : t('↓ Sell')}</span>,
  },
  { key: 'type', title: msg('Type'), cell: ({ type }) => typeName(type) },
  {
    key: 'price',
    title: msg('Price'),
    numeric: true,
    cell: ({ price, triggerPrice }) => grouped(price ?? triggerPrice ?? '0'),
  },
  { key: 'amount', title: msg('Amount'), numeric: true, cell: ({ amount }) => grouped(amount) },
  { key: 'filled', title: msg('Filled'), numeric: true, cell: ({ filled }) => grouped(filled) },
];

/** Returns the time of the exchange, milliseconds since 1970. */
async function readClock(): Promise<number> {
  const { timestamp } = await api.getTime();
  return Date.parse(timestamp);
}

async function loadPast(time: number, symbol: string): Promise<Past> {
  const at = String(time);
  const [{ balances }, { orders }, book] = await Promise.all([
    api.getBalances({ at }),
    api.listOrders({ at, status: 'open', limit: MAX_ORDERS }),
    api.getOrderbook({ at, symbol, depth: LEVELS }),
  ]);
  return { at: time, balances, orders, bids: book.bids, asks: book.asks };
}
