import Big from 'big.js';
import type { ComponentChildren } from 'preact';
import { TimeChart } from '../components/sparkline.tsx';
import { ZERO } from '../decimal.ts';
import { compact, fixed, formatTime, grouped, shortTime } from '../format.ts';
import { msg, t } from '../i18n/index.ts';
import { findQuote, findValue } from './adjustment-size.ts';
import { MILLION, ShortValue } from './amount.tsx';
import type { Dashboard } from './dashboard.tsx';

/** Archivist lag above which new orders are rejected. */
const LAG_LIMIT_MS = 2000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** The figures of the exchange and of this node, with their last minutes, hours or days. */
export function DashboardTiles({ data }: { data: Dashboard }) {
  return (
    <div class="tiles">
      <VolumeTile data={data} />
      <FeesTile data={data} />
      <UsersTile data={data} />
      <OrdersTile data={data} />
      <LatencyTile data={data} />
      <NodeTile data={data} />
    </div>
  );
}

interface TileProps {
  readonly title: string;
  readonly value: ComponentChildren;
  readonly detail: ComponentChildren;
  readonly tone?: 'off' | undefined;
  readonly children?: ComponentChildren;
}

function Tile({ title, value, detail, tone, children }: TileProps) {
  return (
    <section class={`tile ${tone ?? ''}`}>
      <h2>{title}</h2>
      <p class="tile-value">{value}</p>
      <p class="muted">{detail}</p>
      {children}
    </section>
  );
}

interface DataProps {
  readonly data: Dashboard;
}

/** Returns a converter to the quote asset of most markets, at the middle of bid and ask. */
function createConverter({ markets }: Dashboard) {
  const quote = findQuote(markets);
  const prices = markets.flatMap(({ symbol, bid, ask }) =>
    bid === null || ask === null
      ? []
      : [{ symbol, price: new Big(bid).plus(ask).div(2).toFixed() }],
  );
  const convert = (amount: string, asset: string) =>
    findValue(new Big(amount), asset, quote, { markets, prices }) ?? ZERO;
  const hours = (parts: readonly { readonly asset: string; readonly hours: readonly string[] }[]) =>
    Array.from({ length: 24 }, (_, hour) =>
      parts.reduce((sum, each) => sum + Number(convert(each.hours[hour]!, each.asset)), 0),
    );
  return { quote, convert, hours };
}

/** Shows values of the last 24 hours, of an hour each, up to the present. */
function HourChart({ data, values, quote, label }: DataProps & HourChartProps) {
  const now = Date.parse(data.timestamp);
  const hour = (back: number) =>
    formatTime(new Date(now - back * HOUR_MS), {
      ...{ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
    });
  return (
    <TimeChart
      kind="bars"
      values={values}
      label={label}
      format={(value) => `${compact(value.toFixed(2))} ${quote}`}
      formatScale={(value) => compact(value.toFixed(2))}
      formatTime={(place) => hour(values.length - place)}
    />
  );
}

interface HourChartProps {
  readonly values: readonly number[];
  readonly quote: string;
  readonly label: string;
}

/** Shows samples of the last ten minutes. */
function SampleChart({ data, values, format, label }: DataProps & SampleChartProps) {
  const now = Date.parse(data.timestamp);
  const { everyMs } = data.series;
  return (
    <TimeChart
      values={values}
      label={label}
      format={format}
      formatTime={(place) =>
        formatTime(new Date(now - (values.length - 1 - place) * everyMs), {
          ...{ hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' },
        })
      }
    />
  );
}

interface SampleChartProps {
  readonly values: readonly (number | null)[];
  readonly format: (value: number) => string;
  readonly label: string;
}

function VolumeTile({ data }: DataProps) {
  const { quote, convert, hours } = createConverter(data);
  const total = data.volumes.reduce(
    (sum, { asset, volume }) => sum.plus(convert(volume, asset)),
    ZERO,
  );
  const trades = data.markets.reduce((sum, market) => sum + market.trades, 0);
  return (
    <Tile
      title={t('24h volume')}
      value={`${compact(total.toFixed())} ${quote}`}
      detail={t('{count} trades', { count: grouped(`${trades}`) })}
    >
      <HourChart
        data={data}
        quote={quote}
        values={hours(data.volumes)}
        label={t('Volume by hour')}
      />
    </Tile>
  );
}

function FeesTile({ data }: DataProps) {
  const { quote, convert, hours } = createConverter(data);
  const total = data.fees.reduce(
    (sum, { asset, amount }) => sum.plus(convert(amount, asset)),
    ZERO,
  );
  const isDay = Date.parse(data.timestamp) - Date.parse(data.feesSince) >= DAY_MS;
  const parts = data.fees
    .slice(0, 3)
    .map(({ asset, amount }) => `${compact(amount)}\u00a0${asset}`);
  return (
    <Tile
      title={isDay ? t('24h fees') : t('Fees since {time}', { time: shortTime(data.feesSince) })}
      value={<ShortValue value={total} quote={quote} from={MILLION} />}
      detail={parts.length === 0 ? t('No fees yet') : parts.join(' · ')}
    >
      <HourChart data={data} quote={quote} values={hours(data.fees)} label={t('Fees by hour')} />
    </Tile>
  );
}

function UsersTile({ data: { users, timestamp } }: DataProps) {
  const { createdByDay } = users;
  const today = Date.parse(timestamp);
  return (
    <Tile
      title={t('Users')}
      value={grouped(`${users.registered}`)}
      detail={t('{created} new, {active} active in 24 h', {
        created: grouped(`${users.created}`),
        active: grouped(`${users.active}`),
      })}
    >
      <TimeChart
        kind="bars"
        values={createdByDay}
        label={t('New users by day (UTC)')}
        format={(value) => grouped(`${value}`)}
        formatTime={(place) =>
          formatTime(new Date(today - (createdByDay.length - 1 - place) * DAY_MS), {
            ...{ day: '2-digit', month: 'short', timeZone: 'UTC' },
          })
        }
      />
    </Tile>
  );
}

function OrdersTile({ data }: DataProps) {
  const { series, node } = data;
  return (
    <Tile
      title={t('Orders per second')}
      value={fixed(series.ordersPerSecond.at(-1) ?? '0', 1)}
      detail={t('{count} open orders', { count: grouped(`${node.openOrders}`) })}
    >
      <SampleChart
        data={data}
        values={toNumbers(series.ordersPerSecond)}
        label={t('Orders per second in the last ten minutes')}
        format={(value) => fixed(value.toFixed(3), 1)}
      />
    </Tile>
  );
}

const milliseconds = (value: number) => t('{time} ms', { time: fixed(value.toFixed(3), 1) });

function LatencyTile({ data }: DataProps) {
  const { orderMedianMs, orderP99Ms, otherMedianMs, otherP99Ms } = data.series;
  const hasOrders = orderP99Ms.some((value) => value !== null);
  const slowest = toNumbers(hasOrders ? orderP99Ms : otherP99Ms);
  return (
    <Tile
      title={t('Response time, last 5 minutes')}
      value={
        <span class="latencies">
          <Latency name={msg('Orders')} median={orderMedianMs.at(-1)} p99={orderP99Ms.at(-1)} />
          <Latency
            name={msg('Other requests')}
            median={otherMedianMs.at(-1)}
            p99={otherP99Ms.at(-1)}
          />
        </span>
      }
      detail={t('Median / 99th percentile; – below 100 requests')}
    >
      <SampleChart
        data={data}
        values={slowest}
        label={t('99th percentile in the last ten minutes')}
        format={milliseconds}
      />
    </Tile>
  );
}

/** Times from this on have no decimals. */
const MIN_WHOLE_MS = 100;

interface LatencyProps {
  readonly name: string;
  readonly median: string | null | undefined;
  readonly p99: string | null | undefined;
}

/** Both times have one unit, and no decimals from 100 ms on: they fit the tile of a phone in one line. */
function Latency({ name, median, p99 }: LatencyProps) {
  const time = (value: string) => fixed(value, Number(value) < MIN_WHOLE_MS ? 1 : 0);
  return (
    <span>
      <small class="muted">{t(name)}</small> {median == null ? '–' : time(median)}{' '}
      <small class="muted">/ {p99 == null ? '–' : t('{time} ms', { time: time(p99) })}</small>
    </span>
  );
}

function NodeTile({ data }: DataProps) {
  const { node, series } = data;
  const isLate = node.archivistLagMs > LAG_LIMIT_MS;
  const isHealthy = node.node === 'ready' && !isLate;
  return (
    <Tile
      title={t('Node {name}', { name: node.name })}
      value={
        <span class={`badge ${isHealthy ? 'on' : 'off'}`}>
          {isHealthy ? t('Healthy') : isLate ? t('New orders are rejected') : nodeText(node.node)}
        </span>
      }
      detail={
        <span class="node-figures">
          <span>{t('History lag {lag} ms', { lag: grouped(`${node.archivistLagMs}`) })}</span>
          <span>
            {t('{count} waiting commands', { count: grouped(`${node.waitingCommands}`) })}
          </span>
        </span>
      }
      tone={isHealthy ? undefined : 'off'}
    >
      <SampleChart
        data={data}
        values={toNumbers(series.archivistLagMs)}
        label={t('History lag in the last ten minutes')}
        format={milliseconds}
      />
    </Tile>
  );
}

/** Charts need no exact numbers. */
function toNumbers(texts: readonly (string | null)[]): (number | null)[] {
  return texts.map((text) => (text === null ? null : Number(text)));
}

function nodeText(state: string): string {
  if (state === 'unreachable') return t('Log unreachable');
  return state === 'disk_full' ? t('Disk full') : t('Overloaded');
}
