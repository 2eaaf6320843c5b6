import type { FeeMark } from '../../../archivist/archivist.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../config/durations.ts';
import { DepositStatus, WithdrawalStatus } from '../../../engine/custody/statuses.ts';
import type { Market } from '../../../engine/markets/markets.ts';
import { difference, type Exact, sum } from '../../../engine/numbers/exact.ts';
import { formatUnits } from '../../../engine/numbers/units.ts';
import { MarketStatus, marketStatuses } from '../../../engine/terms.ts';
import type { AlertWithCase } from '../../../history/history.ts';
import { type ActivitySample, SAMPLE_MS } from '../../activity/activity.ts';
import { measureBook } from '../../activity/depth.ts';
import type { FeeChanges } from '../../activity/fee-marks.ts';
import { Kept } from '../../activity/kept.ts';
import type { Call } from '../../http/request/call.ts';
import { DASHBOARD_TIMES } from '../../openapi/dashboard-schemas.ts';
import { describe } from '../../openapi/description.ts';
import { record } from '../../openapi/json-schema.ts';
import { recordList, recordRef } from '../../openapi/record-schemas.ts';
import type { Services } from '../../services.ts';
import { dayTexts, timeText } from '../records.ts';

/** Distance from the middle of bid and ask within which depth is measured, hundredths of a percent. */
const DEPTH_BASIS_POINTS = 50;
const HOURS = 24;
const MAX_ALERTS = 100;
/** Days whose new users are counted. */
const CREATED_DAYS = 30;
/** Ages after which parts of the answer are read again: they cost queries, or a walk through all candles. */
const COUNTS_MS = 10_000;

/** Parts of the answer that are shared by all operators for some seconds. */
const counts = new Kept<Services, string>(COUNTS_MS);
const volumes = new Kept<Services, string>(MINUTE_MS);

/** GET /api/admin/dashboard: the figures of the first page of operators, of this node and of all markets. */
export async function getDashboard(call: Call): Promise<string> {
  call.query([]);
  const { services } = call;
  const now = services.now();
  const { activity } = services;
  // The first request starts a replay in the archivist, and does not wait for it.
  void activity?.fees.complete((from, to) => readFees(services, from, to));
  const fees = activity?.feeChanges() ?? { since: now, hours: [] };
  return (
    `{"timestamp":${timeText(now)},"startedAt":${timeText(activity?.startedAt ?? now)},` +
    `"node":${nodeText(call)},"series":${seriesText(activity?.samples ?? [])},` +
    `"markets":[${listed(call)
      .map((market) => marketText(market, call, now))
      .join(',')}],` +
    `"volumes":${await volumes.get(services, async () => volumesText(call, now))},` +
    `"feesSince":${timeText(fees.since)},"fees":[${feesText(call, fees.hours)}],` +
    `${await counts.get(services, () => countsText(services, now))}}`
  );
}
getDashboard.description = describe({
  operationId: 'getDashboard',
  tag: 'Operator',
  summary: 'Figures of the exchange at a glance',
  notes:
    'Series are samples of this node in the last ten minutes, oldest first, in memory. Numbers of users and of waiting items are at ' +
    'most 10 seconds old, volumes a minute.',
  data: record({
    ...DASHBOARD_TIMES,
    node: recordRef('DashboardNode'),
    series: recordRef('DashboardSeries'),
    markets: recordList('DashboardMarket'),
    volumes: recordList('DashboardVolume'),
    fees: recordList('DashboardFees'),
    users: recordRef('DashboardUsers'),
    queues: recordRef('DashboardQueues'),
  }),
  errors: ['OVERLOADED'],
});

function listed({ exchange }: Call): Market[] {
  return exchange.state.markets.filter(
    ({ currentStatus }) => currentStatus !== MarketStatus.delisted,
  );
}

function nodeText(call: Call): string {
  const { replica, archivist, disk } = call.services;
  const isTrading = listed(call).some(
    ({ currentStatus }) => currentStatus <= MarketStatus.limitOnly,
  );
  const node = replica.isUnreachable
    ? 'unreachable'
    : disk?.isFull === true
      ? 'disk_full'
      : replica.isOverloaded
        ? 'overloaded'
        : 'ready';
  return (
    `{"name":"${call.services.nodeName ?? 'node'}","node":"${node}","logPosition":${replica.position},"waitingCommands":${replica.waitingCount},` +
    `"archivistLagMs":${Math.round(archivist.lagMs())},` +
    `"openOrders":${call.exchange.state.orders.size},"isTrading":${isTrading}}`
  );
}

function seriesText(samples: readonly ActivitySample[]): string {
  const list = (read: (sample: ActivitySample) => number | undefined) =>
    `[${samples.map((sample) => decimalOrNull(read(sample))).join(',')}]`;
  return (
    `{"everyMs":${SAMPLE_MS},"ordersPerSecond":${list((each) => each.ordersPerSecond)},` +
    `"orderMedianMs":${list(({ orders }) => orders.median)},"orderP99Ms":${list(({ orders }) => orders.p99)},` +
    `"otherMedianMs":${list(({ others }) => others.median)},"otherP99Ms":${list(({ others }) => others.p99)},` +
    `"archivistLagMs":${list((each) => each.archivistLagMs)}}`
  );
}

function marketText(market: Market, { services }: Call, now: number): string {
  const { symbol, base, quote, rules, currentStatus, index } = market;
  const book = measureBook(market, DEPTH_BASIS_POINTS);
  const figures = services.statistics.get(index).at(now);
  const { price: last, percentage } = dayTexts(market, figures);
  const share = services.activity?.twoSidedShare(index);
  const price = (units: number | undefined) =>
    units === undefined ? 'null' : formatUnits(units, rules.priceDecimals);
  const amount = (units: Exact | undefined) =>
    units === undefined ? 'null' : formatUnits(units, rules.amountDecimals);
  return (
    `{"symbol":"${symbol}","status":"${marketStatuses[currentStatus]}","base":"${base.asset}",` +
    `"quote":"${quote.asset}","last":${last},"percentage":${percentage},"bid":${price(book?.bid)},"ask":${price(book?.ask)},` +
    `"spreadBasisPoints":${book === undefined ? 'null' : decimalText(book.spreadBasisPoints)},` +
    `"bidDepth":${amount(book?.bidDepth)},"askDepth":${amount(book?.askDepth)},` +
    `"twoSidedPercent":${share === undefined ? 'null' : decimalText(100 * share)},` +
    `"volume":${formatUnits(figures.quoteVolume, quote.decimals)},"trades":${figures.trades}}`
  );
}

/** Returns the volumes of each of the last hours, by quote asset. */
function volumesText(call: Call, now: number): string {
  const end = Math.floor(now / MINUTE_MS) * MINUTE_MS;
  const byAsset = new Map<Market['quote'], Exact[]>();
  for (const { index, quote } of listed(call)) {
    const statistics = call.services.statistics.get(index);
    // Volumes since the beginning of each hour; the figures go back one minute less than a day.
    const since = Array.from({ length: HOURS }, (_, hour) => {
      const from = end - (HOURS - hour) * HOUR_MS + MINUTE_MS;
      return statistics.since(from, now).quoteVolume;
    });
    const hours = byAsset.get(quote) ?? new Array<Exact>(HOURS).fill(0);
    byAsset.set(
      quote,
      hours.map((own, hour) => sum(own, difference(since[hour]!, since[hour + 1] ?? 0))),
    );
  }
  const texts = [...byAsset].map(([{ asset, decimals }, hours]) => {
    const volume = hours.reduce((all, each) => sum(all, each), 0);
    const list = hours.map((units) => formatUnits(units, decimals)).join(',');
    return `{"asset":"${asset}","volume":${formatUnits(volume, decimals)},"hours":[${list}]}`;
  });
  return `[${texts.join(',')}]`;
}

async function readFees({ archivist, replica }: Services, from: number, to: number) {
  const query = { kind: 'feeMarks', from, to } as const;
  return (await archivist.query(query, replica.position)) as readonly FeeMark[] | undefined;
}

function feesText({ exchange }: Call, hours: FeeChanges['hours']): string {
  return exchange.state.assets
    .flatMap(({ asset, decimals, index }) => {
      const changes = hours.map((amounts) => amounts[index] ?? 0);
      const amount = changes.reduce(sum, 0);
      if (changes.every((change) => change === 0)) return [];
      const list = changes.map((change) => formatUnits(change, decimals)).join(',');
      return [`{"asset":"${asset}","amount":${formatUnits(amount, decimals)},"hours":[${list}]}`];
    })
    .join(',');
}

async function countsText({ users, replica, archivist }: Services, now: number): Promise<string> {
  const { state } = replica.exchange;
  const { store } = state.parts.custody;
  const filter = { status: 'open', limit: MAX_ALERTS } as const;
  const today = Math.floor(now / DAY_MS);
  const firstDay = today - CREATED_DAYS + 1;
  const [accounts, byDay, alerts] = await Promise.all([
    users.store.count(now - DAY_MS),
    users.store.countByDay(firstDay),
    archivist.query({ kind: 'alerts', filter }, replica.position) as Promise<AlertWithCase[]>,
  ]);
  const deposits = [...store.openDeposits.values()].filter(
    ({ status }) => status === DepositStatus.review || status === DepositStatus.frozen,
  );
  const withdrawals = [...store.withdrawals.values()].filter(
    ({ status }) => status === WithdrawalStatus.awaitingApproval,
  );
  const createdByDay = Array.from(
    { length: CREATED_DAYS },
    (_, place) => byDay.get(firstDay + place) ?? 0,
  );
  return (
    `"users":${JSON.stringify({ ...accounts, createdByDay })},"queues":{"depositsToReview":${deposits.length},` +
    `"withdrawalsToApprove":${withdrawals.length},"instructions":${store.outbox.size},` +
    `"approvals":${state.parts.approvals.pendingCount},"alerts":${alerts.length}}`
  );
}

function decimalOrNull(value: number | undefined): string {
  return value === undefined ? 'null' : decimalText(value);
}

/** Returns a measured number with three decimals. */
function decimalText(value: number): string {
  return String(Math.round(value * 1000) / 1000);
}
