import { wholeTrades } from '../../archivist/archivist.ts';
import type { TradeEvent } from '../../engine/event.ts';
import type { Account } from '../../engine/ledger/accounts.ts';
import type { Market } from '../../engine/markets/markets.ts';
import { formatUnits } from '../../engine/numbers/units.ts';
import { oppositeSide, sides } from '../../engine/terms.ts';
import type { Fill, Page } from '../../history/history.ts';
import { showFills } from '../faults/reports.ts';
import type { Call } from '../http/request/call.ts';
import { nextCursorText } from '../http/request/cursor.ts';
import { PAGE_PARAMETERS, readPageTerms } from '../http/request/paging.ts';
import { describe } from '../openapi/description.ts';
import { record } from '../openapi/json-schema.ts';
import { nextCursor, recordList } from '../openapi/record-schemas.ts';
import { bustedText, timeText } from './records.ts';

export type ShownFill = Pick<
  Fill,
  'tradeId' | 'orderId' | 'market' | 'side' | 'isMaker' | 'price' | 'amount' | 'fee' | 'time'
>;

export const FILL_PARAMETERS = ['symbol', 'orderId', ...PAGE_PARAMETERS] as const;

/** GET /api/fills: `{fills, nextCursor}`, including the fills of every acknowledged order. */
export function getFills(call: Call): Promise<string> {
  return fillPage(call, call.account, (page) => showFills(call, page));
}

/** Returns a page of the fills of an account as JSON. @param show Returns those that the caller sees. */
export async function fillPage(
  call: Call,
  { index: account }: Account,
  show: (page: readonly Fill[]) => readonly Fill[],
): Promise<string> {
  const query = call.query(FILL_PARAMETERS);
  const terms = readPageTerms(query, 'fills', account);
  const orderId = query.orderId();
  const market = query.market(call.exchange)?.index;
  const { archivist, replica } = call.services;
  // More rows than the longest page: they show whether there is a next page.
  const filter = { ...terms, account, market, orderId, limit: terms.limit + 2 };
  const found = (await archivist.query({ kind: 'fills', filter }, replica.position)) as Page<Fill>;
  const page = wholeTrades(found.items, terms.limit);
  const edge = found.items.length > page.length ? page.at(-1)!.tradeId : found.searchedTo;
  const next = nextCursorText(edge, query.scope('fills', account));
  const shown = show(page);
  const texts = shown.map((fill) => fillText(fill, call.exchange.state.markets[fill.market]!));
  return `{"fills":[${texts.join(',')}],"nextCursor":${next}}`;
}
getFills.description = describe({
  operationId: 'getFills',
  tag: 'Account',
  summary: "The account's fills, newest first",
  notes:
    'Includes the fills of every order acknowledged before the request. A page has one fill more than `limit` if it ends ' +
    'with a trade of yours with yourself, which has two.',
  query: FILL_PARAMETERS,
  data: record({ fills: recordList('Fill'), nextCursor }),
  errors: ['INVALID_SYMBOL', 'OVERLOADED'],
});

type BalanceAfter = Extract<keyof TradeEvent, `${string}EntryId` | `${string}After`>;

/** Returns one side of a trade. */
export function toFill(
  trade: Omit<TradeEvent, 'kind' | 'cost' | BalanceAfter>,
  isMaker: boolean,
): ShownFill {
  const { id: tradeId, market, price, amount, takerSide, time } = trade;
  return {
    tradeId,
    orderId: isMaker ? trade.makerOrderId : trade.takerOrderId,
    market,
    side: isMaker ? oppositeSide(takerSide) : takerSide,
    isMaker,
    price,
    amount,
    fee: isMaker ? trade.makerFee : trade.takerFee,
    time,
  };
}

/** Adds fills to the JSON of their order. */
export function withFills(text: string, fills: readonly ShownFill[], market: Market): string {
  return `${text.slice(0, -1)},"fills":[${fills.map((fill) => fillText(fill, market)).join(',')}]}`;
}

/** Returns a fill as JSON, from the view of its account. */
export function fillText(fill: ShownFill, market: Market): string {
  const { symbol, rules, quote } = market;
  const feeAsset = market.feeAsset(fill.side, fill.fee);
  const cost = formatUnits(market.notional(fill.price, fill.amount), quote.decimals);
  const fee = formatUnits(fill.fee, feeAsset.decimals);
  return (
    `{"id":"${fill.tradeId}","orderId":"${fill.orderId}","symbol":"${symbol}",` +
    `"side":"${sides[fill.side]}","price":${formatUnits(fill.price, rules.priceDecimals)},` +
    `"amount":${formatUnits(fill.amount, rules.amountDecimals)},"cost":${cost},` +
    `"fee":{"asset":"${feeAsset.asset}","cost":${fee}},` +
    `"liquidity":"${fill.isMaker ? 'maker' : 'taker'}","timestamp":${timeText(fill.time)}` +
    `${bustedText(market, fill.tradeId)}}`
  );
}
