import { addIntervals, INTERVALS, INTERVALS_MS } from '../../../config/intervals.ts';
import type { Market } from '../../../engine/markets/markets.ts';
import type { Exact } from '../../../engine/numbers/exact.ts';
import { formatUnits } from '../../../engine/numbers/units.ts';
import type { Candle } from '../../../history/history.ts';
import type { Call } from '../../http/request/call.ts';
import { describe } from '../../openapi/description.ts';
import { record } from '../../openapi/json-schema.ts';
import { recordList } from '../../openapi/record-schemas.ts';
import { timeText } from '../records.ts';

const PARAMETERS = ['symbol', 'interval', 'since', 'until', 'limit'] as const;

/** GET /api/candles: `{candles}`, oldest first, without gaps. */
export async function getCandles(call: Call): Promise<string> {
  const query = call.query(PARAMETERS);
  const interval = query.choice('interval', INTERVALS) ?? '1m';
  const since = query.time('since');
  const until = query.time('until');
  const limit = query.count('limit');
  const market = query.requiredMarket(call.exchange);
  const { archivist, now, replica } = call.services;
  const width = INTERVALS_MS[interval];
  const time = Math.max(now(), call.exchange.state.time);
  const filter = { market: market.index, width, since, until, limit, now: time };
  const candles = (await archivist.query(
    { kind: 'candles', filter },
    replica.position,
  )) as Candle[];
  const texts = candles.map((candle) =>
    candleText(candle, market, addIntervals(candle.start, width, 1) <= time),
  );
  return `{"candles":[${texts.join(',')}]}`;
}
getCandles.description = describe({
  operationId: 'getCandles',
  tag: 'Market data',
  summary: "A market's candles, oldest first",
  notes:
    'Starts at `since`, or ends at `until`. Candles start with the first trade and have no gaps: an interval ' +
    'without trades is flat at the previous close. Times are UTC, weeks start on Monday and `1M` is a calendar ' +
    'month. The last candle is still changing; those before it are `closed`. Candles of `1s` are made of trades: a page reads at most 10,000 ' +
    'trades and ends, or starts, where they do.',
  query: PARAMETERS,
  needs: ['symbol'],
  data: record({ candles: recordList('Candle') }),
  errors: ['INVALID_SYMBOL', 'OVERLOADED'],
});

/** @param isClosed Whether its interval has ended. */
export function candleText(candle: Candle, { rules, quote }: Market, isClosed: boolean): string {
  const { open, high, low, close, trades } = candle;
  const base = (units: Exact) => formatUnits(units, rules.amountDecimals);
  const cost = (units: Exact) => formatUnits(units, quote.decimals);
  const id = (tradeId: number) => (tradeId === 0 ? 'null' : `"${tradeId}"`);
  const price = (units: number) => formatUnits(units, rules.priceDecimals);
  return (
    `{"timestamp":${timeText(candle.start)},"open":${price(open)},"high":${price(high)},` +
    `"low":${price(low)},"close":${price(close)},` +
    `"volume":${base(candle.baseVolume)},"quoteVolume":${cost(candle.quoteVolume)},` +
    `"trades":${trades},"takerBuyVolume":${base(candle.takerBuyVolume)},` +
    `"takerBuyQuoteVolume":${cost(candle.takerBuyQuoteVolume)},` +
    `"firstTradeId":${id(candle.firstTradeId)},"lastTradeId":${id(candle.lastTradeId)},` +
    `"closed":${isClosed}}`
  );
}
