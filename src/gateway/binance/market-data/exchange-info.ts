import {
  MAX_ICEBERG_PARTS,
  MAX_OPEN_ORDERS_PER_ACCOUNT,
  MAX_TRAILING_BASIS_POINTS,
} from '../../../engine/limits.ts';
import type { Market } from '../../../engine/markets/markets.ts';
import type { Exact } from '../../../engine/numbers/exact.ts';
import { MarketStatus } from '../../../engine/terms.ts';
import type { BinanceCall } from '../call.ts';
import { DECIMALS, decimalText } from '../decimals.ts';
import type { BinanceEndpoint } from '../endpoint.ts';
import { BinanceError } from '../errors.ts';
import { toSymbol, tradingStatus } from '../symbols.ts';
import { readStatus, readSymbols } from './symbol-list.ts';

const LIMIT_TYPES = ['LIMIT', 'LIMIT_MAKER', 'STOP_LOSS_LIMIT', 'TAKE_PROFIT_LIMIT'];
const MARKET_TYPES = ['MARKET', 'STOP_LOSS', 'TAKE_PROFIT'];
const MODES = '["EXPIRE_TAKER","EXPIRE_MAKER","EXPIRE_BOTH","DECREMENT"]';

/** Maximum order value shown, in the quote asset: some clients have 64 bits with 9 decimals for it. */
const MAX_NOTIONAL = 9_000_000_000;

/** GET /api/v3/exchangeInfo. */
function getExchangeInfo(call: BinanceCall): string {
  const { given, services, symbols } = call;
  const markets = readSymbols(call);
  const status = readStatus(given);
  const permissions = given.text('permissions');
  const showsSets = given.boolean('showPermissionSets') ?? true;
  given.checkAllRead();
  if (markets !== undefined && (status !== undefined || permissions !== undefined)) {
    throw new BinanceError(-1128, 'Combination of optional parameters invalid.');
  }
  const isSpot = permissions === undefined || permissions.includes('SPOT');
  const shown = (markets ?? (isSpot ? symbols.all : [])).filter(
    (market) => status === undefined || tradingStatus(market) === status,
  );
  const texts = shown.map((market) => symbolText(market, showsSets));
  return (
    `{"timezone":"UTC","serverTime":${services.now()},"rateLimits":${limitsText(call)},` +
    `"exchangeFilters":[{"filterType":"EXCHANGE_MAX_NUM_ORDERS","maxNumOrders":${MAX_OPEN_ORDERS_PER_ACCOUNT}}],` +
    `"symbols":[${texts.join(',')}]}`
  );
}

/** Returns the limits as an array; `usage` has the counts of a client. */
function limitsText({ limits }: BinanceCall): string {
  const { weight, orders, ordersOfDay } = limits.maxima;
  return (
    `[{"rateLimitType":"REQUEST_WEIGHT","interval":"MINUTE","intervalNum":1,"limit":${weight}},` +
    `{"rateLimitType":"ORDERS","interval":"SECOND","intervalNum":10,"limit":${orders}},` +
    `{"rateLimitType":"ORDERS","interval":"DAY","intervalNum":1,"limit":${ordersOfDay}}]`
  );
}

function symbolText(market: Market, showsSets: boolean): string {
  const { base, quote, currentStatus } = market;
  const takesMarketOrders = currentStatus === MarketStatus.online;
  const types = takesMarketOrders ? [...LIMIT_TYPES, ...MARKET_TYPES] : LIMIT_TYPES;
  return (
    `{"symbol":"${toSymbol(market)}","status":"${tradingStatus(market)}",` +
    `"baseAsset":"${base.asset}","baseAssetPrecision":${DECIMALS},` +
    `"quoteAsset":"${quote.asset}","quotePrecision":${DECIMALS},` +
    `"quoteAssetPrecision":${DECIMALS},"baseCommissionPrecision":${DECIMALS},` +
    `"quoteCommissionPrecision":${DECIMALS},"orderTypes":${JSON.stringify(types)},` +
    '"icebergAllowed":true,"ocoAllowed":true,"otoAllowed":true,"opoAllowed":false,' +
    `"quoteOrderQtyMarketAllowed":true,"allowTrailingStop":true,"cancelReplaceAllowed":true,` +
    '"amendAllowed":true,"pegInstructionsAllowed":false,"isSpotTradingAllowed":true,' +
    `"isMarginTradingAllowed":false,"filters":[${filterTexts(market).join(',')}],` +
    `"permissions":[],"permissionSets":${showsSets ? '[["SPOT"]]' : '[]'},` +
    `"defaultSelfTradePreventionMode":"EXPIRE_MAKER","allowedSelfTradePreventionModes":${MODES}}`
  );
}

/** Some clients read the filters by their position: PRICE_FILTER, LOT_SIZE and NOTIONAL come first. */
function filterTexts(market: Market): string[] {
  const { rules, quote } = market;
  const price = (units: Exact) => decimalText(units, rules.priceDecimals);
  const amount = (units: Exact) => decimalText(units, rules.amountDecimals);
  const inQuote = (units: Exact) => decimalText(units, quote.decimals);
  // There is no limit of an order's value but that of its price and amount, which may be more than clients can hold.
  const highest = market.notional(rules.maxPrice, rules.maxAmount);
  const shown = BigInt(MAX_NOTIONAL) * 10n ** BigInt(quote.decimals);
  const maxNotional = BigInt(highest) < shown ? inQuote(highest) : decimalText(MAX_NOTIONAL, 0);
  const lot =
    `"minQty":"${amount(rules.minAmount)}","maxQty":"${amount(rules.maxAmount)}",` +
    `"stepSize":"${amount(rules.step)}"}`;
  return [
    `{"filterType":"PRICE_FILTER","minPrice":"${price(rules.minPrice)}",` +
      `"maxPrice":"${price(rules.maxPrice)}","tickSize":"${price(rules.tick)}"}`,
    `{"filterType":"LOT_SIZE",${lot}`,
    `{"filterType":"NOTIONAL","minNotional":"${inQuote(rules.minNotional)}",` +
      `"applyMinToMarket":true,"maxNotional":"${maxNotional}","applyMaxToMarket":false,"avgPriceMins":0}`,
    `{"filterType":"MARKET_LOT_SIZE",${lot}`,
    `{"filterType":"ICEBERG_PARTS","limit":${MAX_ICEBERG_PARTS}}`,
    `{"filterType":"MAX_NUM_ORDERS","maxNumOrders":${MAX_OPEN_ORDERS_PER_ACCOUNT}}`,
    `{"filterType":"MAX_NUM_ALGO_ORDERS","maxNumAlgoOrders":${MAX_OPEN_ORDERS_PER_ACCOUNT}}`,
    '{"filterType":"TRAILING_DELTA","minTrailingAboveDelta":1,' +
      `"maxTrailingAboveDelta":${MAX_TRAILING_BASIS_POINTS},"minTrailingBelowDelta":1,` +
      `"maxTrailingBelowDelta":${MAX_TRAILING_BASIS_POINTS}}`,
  ];
}

export const EXCHANGE_INFO_ENDPOINTS: readonly BinanceEndpoint[] = [
  {
    method: 'GET',
    path: '/api/v3/exchangeInfo',
    operation: 'exchangeInfo',
    access: 'public',
    weight: 20,
    handle: getExchangeInfo,
  },
];
