import { INTERVALS, INTERVALS_MS } from '../../config/intervals.ts';
import { formatUnits } from '../../engine/numbers/units.ts';
import type { State } from '../../engine/state.ts';
import type { TotalsPoint } from '../../history/history.ts';
import type { Call } from '../http/request/call.ts';
import { describe } from '../openapi/description.ts';
import { record } from '../openapi/json-schema.ts';
import { recordList } from '../openapi/record-schemas.ts';
import { timeText } from './records.ts';

const PARAMETERS = ['interval', 'since', 'until', 'limit'] as const;

/** GET /api/portfolio/history: `{points}`, oldest first, with the same intervals as candles. */
export async function getPortfolioHistory(call: Call): Promise<string> {
  const query = call.query(PARAMETERS);
  const interval = query.choice('interval', INTERVALS) ?? '1m';
  const { archivist, now, replica } = call.services;
  const filter = {
    account: call.account.index,
    width: INTERVALS_MS[interval],
    since: query.time('since'),
    until: query.time('until'),
    limit: query.count('limit'),
    now: now(),
  };
  const found = await archivist.query({ kind: 'totals', filter }, replica.position);
  const points = found as TotalsPoint[];
  return `{"points":[${points.map((point) => pointText(point, call.exchange.state)).join(',')}]}`;
}
getPortfolioHistory.description = describe({
  operationId: 'getPortfolioHistory',
  tag: 'Account',
  summary: "The account's balances at the end of each interval, oldest first",
  notes:
    'Starts at `since`, or ends at `until`. Intervals are those of candles: a total times the close of the candle ' +
    'with the same `timestamp` is its value. The last interval has not ended and has the current balances. For ' +
    'an account with very many ledger entries in this range the earliest points are omitted.',
  query: PARAMETERS,
  data: record({ points: recordList('PortfolioPoint') }),
  errors: ['OVERLOADED'],
});

function pointText({ start, totals }: TotalsPoint, { assets }: State): string {
  const texts = totals.flatMap((total, index) => {
    if (total === undefined) return [];
    const { asset, decimals } = assets[index]!;
    return [`{"asset":"${asset}","total":${formatUnits(total, decimals)}}`];
  });
  return `{"timestamp":${timeText(start)},"balances":[${texts.join(',')}]}`;
}
