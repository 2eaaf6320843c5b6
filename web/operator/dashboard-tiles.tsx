import Big from 'big.js';
import type { ComponentChildren } from 'preact';
import { Sparkline } from '../components/sparkline.tsx';
import { ZERO } from '../decimal.ts';
import { compact, fixed, grouped, rounded, shortTime } from '../format.ts';
import { t } from '../i18n/index.ts';
import { findQuote, findValue } from './adjustment-size.ts';
import type { Dashboard } from './dashboard.tsx';

/** Archivist lag above which new orders are rejected. */
const LAG_LIMIT_MS = 2000;

/** The figures of the exchange and of this node, with their last minutes or hours. */
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
  return { quote, convert };
}

function VolumeTile({ data }: DataProps) {
  const { quote, convert } = createConverter(data);
  const total = data.volumes.reduce(
    (sum, { asset, volume }) => sum.plus(convert(volume, asset)),
    ZERO,
  );
  const hours = Array.from({ length: 24 }, (_, hour) =>
    data.volumes.reduce((sum, each) => sum + Number(convert(each.hours[hour]!, each.asset)), 0),
  );
  const trades = data.markets.reduce((sum, market) => sum + market.trades, 0);
  return (
    <Tile
      title={t('24h volume')}
      value={`${compact(total.toFixed())} ${quote}`}
      detail={t('{count} trades', { count: grouped(`${trades}`) })}
    >
      <Sparkline kind="bars" values={hours} label={t('Volume by hour')} />
    </Tile>
  );
}

function FeesTile({ data }: DataProps) {
  const { quote, convert } = createConverter(data);
  const total = data.fees.reduce(
    (sum, { asset, amount }) => sum.plus(convert(amount, asset)),
    ZERO,
  );
  const isDay = Date.parse(data.timestamp) - Date.parse(data.feesSince) >= 24 * 3_600_000 - 120_000;
  const parts = data.fees.slice(0, 3).map(({ asset, amount }) => `${compact(amount)} ${asset}`);
  return (
    <Tile
      title={isDay ? t('24h fees') : t('Fees since {time}', { time: shortTime(data.feesSince) })}
      value={`${rounded(total, 2)} ${quote}`}
      detail={parts.length === 0 ? t('No fees yet') : parts.join(' · ')}
    />
  );
}

function UsersTile({ data: { users } }: DataProps) {
  return (
    <Tile
      title={t('Users')}
      value={grouped(`${users.registered}`)}
      detail={t('{created} new, {active} active in 24 h', {
        created: grouped(`${users.created}`),
        active: grouped(`${users.active}`),
      })}
    />
  );
}

function OrdersTile({ data: { series, node } }: DataProps) {
  const values = series.ordersPerSecond.map(Number);
  return (
    <Tile
      title={t('Orders per second')}
      value={fixed(series.ordersPerSecond.at(-1) ?? '0', 1)}
      detail={t('{count} open orders', { count: grouped(`${node.openOrders}`) })}
    >
      <Sparkline values={values} label={t('Orders per second in the last ten minutes')} />
    </Tile>
  );
}

function LatencyTile({ data: { series } }: DataProps) {
  return (
    <Tile
      title={t('Response time')}
      value={t('{median} ms', { median: fixed(series.medianMs.at(-1) ?? '0', 1) })}
      detail={t('99th percentile {p99} ms', { p99: fixed(series.p99Ms.at(-1) ?? '0', 1) })}
    >
      <Sparkline
        values={series.p99Ms.map(Number)}
        label={t('99th percentile in the last ten minutes')}
      />
    </Tile>
  );
}

function NodeTile({ data: { node, series } }: DataProps) {
  const isLate = node.archivistLagMs > LAG_LIMIT_MS;
  const isHealthy = node.node === 'ready' && !isLate;
  return (
    <Tile
      title={t('This node')}
      value={
        <span class={`badge ${isHealthy ? 'on' : 'off'}`}>
          {isHealthy ? t('Healthy') : isLate ? t('New orders are rejected') : nodeText(node.node)}
        </span>
      }
      detail={t('History lag {lag} ms, {count} waiting commands, position {position}', {
        lag: grouped(`${node.archivistLagMs}`),
        count: grouped(`${node.waitingCommands}`),
        position: grouped(`${node.logPosition}`),
      })}
      tone={isHealthy ? undefined : 'off'}
    >
      <Sparkline
        values={series.archivistLagMs.map(Number)}
        label={t('History lag in the last ten minutes')}
      />
    </Tile>
  );
}

function nodeText(state: string): string {
  if (state === 'unreachable') return t('Log unreachable');
  return state === 'disk_full' ? t('Disk full') : t('Overloaded');
}
