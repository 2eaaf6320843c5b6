import {
  type AssetPerformance,
  costMethods,
  type Flow,
  type Fraction,
  INDEX_UNIT,
  OPENING_BALANCE,
  type PerformancePoint,
  type ProfitAndLoss,
  type YearTotals,
} from '../../archivist/archivist.ts';
import { INTERVALS, INTERVALS_MS } from '../../config/intervals.ts';
import type { Asset } from '../../engine/markets/markets.ts';
import { exact } from '../../engine/numbers/exact.ts';
import { formatUnits } from '../../engine/numbers/units.ts';
import type { State } from '../../engine/state.ts';
import { entryTypes } from '../../engine/terms.ts';
import type { Call } from '../http/request/call.ts';
import { invalid } from '../http/request/query.ts';
import { describe } from '../openapi/description.ts';
import { recordRef } from '../openapi/record-schemas.ts';
import { timeOrNull, timeText } from './records.ts';

const PARAMETERS = ['quote', 'method', 'interval', 'since', 'until', 'limit'] as const;
/** Decimals of prices and average costs, which are rounded down. */
const PRICE_DECIMALS = 12;

/** GET /api/portfolio/profit-and-loss: a ProfitAndLoss with points at the ends of intervals, like those of candles. */
export async function getProfitAndLoss(call: Call): Promise<string> {
  const query = call.query(PARAMETERS);
  const { archivist, now, replica } = call.services;
  const quote = query.asset(call.exchange, 'quote') ?? call.exchange.state.markets[0]?.quote;
  if (quote === undefined)
    throw invalid('quote', 'required', 'quote is required: there is no market.');
  const method = query.choice('method', costMethods) ?? costMethods[0];
  const filter = {
    account: call.account.index,
    quote: quote.index,
    method,
    width: INTERVALS_MS[query.choice('interval', INTERVALS) ?? '1m'],
    since: query.time('since'),
    until: query.time('until'),
    limit: query.count('limit'),
    now: now(),
  };
  const found = await archivist.query({ kind: 'profitAndLoss', filter }, replica.position);
  const answer = found as ProfitAndLoss;
  return profitAndLossText(answer, quote, method, call.exchange.state);
}
getProfitAndLoss.description = describe({
  operationId: 'getProfitAndLoss',
  tag: 'Account',
  summary: "The account's profit and loss: costs, realized and unrealized gains, and return",
  notes:
    'Computed from every entry of the ledger. After every one of them, realized + unrealized + withdrawnGain = value - netDeposits, ' +
    'exactly. Points start at `since`, or end at `until`, and show the end of each interval, at ' +
    'the close of its candle, or for `1s` of the candle of its minute. For an account with very many entries the first answers have `isComplete: false` and no points: ' +
    'send the request again.',
  query: PARAMETERS,
  data: recordRef('ProfitAndLoss'),
  errors: ['OVERLOADED'],
});

function profitAndLossText(
  found: ProfitAndLoss,
  quote: Asset,
  method: string,
  { assets }: State,
): string {
  const { deposits, withdrawals, fees } = found;
  const money = (value: bigint) => decimalText(value, quote.decimals);
  const assetTexts = found.assets.map((each) => assetText(each, assets[each.asset]!, quote));
  const pointTexts = found.points.map((point) => pointText(point, quote));
  const flowTexts = found.flows.map((flow) => flowText(flow, assets[flow.asset]!, quote));
  const yearTexts = found.years.map((year) => yearText(year, quote));
  return (
    `{"quote":${JSON.stringify(quote.asset)},"method":"${method}","isComplete":${found.isComplete},` +
    `"timestamp":${timeText(found.time)},"keptSince":${timeOrNull(found.keptSince)},` +
    `${totalsText(found, quote)},"deposited":${money(deposits)},"withdrawn":${money(withdrawals)},` +
    `"fees":${money(fees)},${indexText(found)},"assets":[${assetTexts.join(',')}],` +
    `"points":[${pointTexts.join(',')}],"flows":[${flowTexts.join(',')}],"years":[${yearTexts.join(',')}]}`
  );
}

type Totals = Omit<PerformancePoint, 'start'>;

function totalsText(
  { value, cost, realized, withdrawnGain, netFlows }: Totals,
  { decimals }: Asset,
): string {
  const money = (amount: bigint) => decimalText(amount, decimals);
  return (
    `"value":${money(value)},"cost":${money(cost)},"realized":${money(realized)},` +
    `"unrealized":${money(value - cost)},"withdrawnGain":${money(withdrawnGain)},` +
    `"netDeposits":${money(netFlows)}`
  );
}

function indexText({ index }: Totals): string {
  const price = { numerator: index, denominator: INDEX_UNIT };
  return `"returnIndex":${fractionText(price, 0, 0)}`;
}

function pointText(point: PerformancePoint, quote: Asset): string {
  return `{"timestamp":${timeText(point.start)},${totalsText(point, quote)},${indexText(point)}}`;
}

function assetText(
  { amount, cost, price, value, realized, withdrawnGain, isKnown }: AssetPerformance,
  { asset, decimals }: Asset,
  quote: Asset,
): string {
  const money = (units: bigint) => decimalText(units, quote.decimals);
  const each = (fraction: Fraction) => fractionText(fraction, decimals, quote.decimals);
  const averageCost = amount > 0n ? each({ numerator: cost, denominator: amount }) : 'null';
  return (
    `{"asset":${JSON.stringify(asset)},"amount":${decimalText(amount, decimals)},` +
    `"averageCost":${averageCost},"cost":${money(cost)},"price":${price ? each(price) : 'null'},` +
    `"value":${value === undefined ? 'null' : money(value)},` +
    `"unrealized":${value === undefined ? 'null' : money(value - cost)},"realized":${money(realized)},` +
    `"withdrawnGain":${money(withdrawnGain)},"hasUnknownCost":${!isKnown}}`
  );
}

function flowText({ time, type, amount, value }: Flow, { asset, decimals }: Asset, quote: Asset) {
  const name = type === OPENING_BALANCE ? 'opening_balance' : entryTypes[type]!;
  return (
    `{"timestamp":${timeText(time)},"asset":${JSON.stringify(asset)},"type":"${name}",` +
    `"amount":${decimalText(amount, decimals)},` +
    `"value":${value === undefined ? 'null' : decimalText(value, quote.decimals)}}`
  );
}

function yearText(totals: YearTotals, { decimals }: Asset): string {
  const { year, disposals, proceeds, cost, gains, losses, income, hasUnknownCost } = totals;
  const money = (amount: bigint) => decimalText(amount, decimals);
  return (
    `{"year":${year},"disposals":${disposals},"proceeds":${money(proceeds)},"cost":${money(cost)},` +
    `"gains":${money(gains)},"losses":${money(losses)},"income":${money(income)},` +
    `"hasUnknownCost":${hasUnknownCost}}`
  );
}

function decimalText(units: bigint, decimals: number): string {
  return formatUnits(exact(units), decimals);
}

/** Returns a fraction of minor units as a price, rounded down. */
function fractionText({ numerator, denominator }: Fraction, base: number, quote: number): string {
  const scaled = numerator * 10n ** BigInt(base + PRICE_DECIMALS);
  return decimalText(scaled / (denominator * 10n ** BigInt(quote)), PRICE_DECIMALS);
}
