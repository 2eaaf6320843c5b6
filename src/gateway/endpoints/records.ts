import type { Auctions } from '../../engine/auction/auctions.ts';
import type { Attached, MarketRules, OcoLeg, Trailing } from '../../engine/command.ts';
import type { OrderRecord } from '../../engine/event.ts';
import type { Account, Balance } from '../../engine/ledger/accounts.ts';
import { MARKET_RULES } from '../../engine/markets/market-rules.ts';
import type { Asset, Market } from '../../engine/markets/markets.ts';
import { type Exact, exact, sum } from '../../engine/numbers/exact.ts';
import { formatUnits } from '../../engine/numbers/units.ts';
import { hasLimit } from '../../engine/orders/order-terms.ts';
import type { State } from '../../engine/state.ts';
import {
  MarketStatus,
  marketStatuses,
  orderReasons,
  orderStatuses,
  orderTypes,
  orderTypesOfVersion1,
  Side,
  selfTradePreventions,
  sides,
  timesInForce,
} from '../../engine/terms.ts';
import type { DayStatistics } from '../../replica/market-statistics.ts';
import { quote } from '../http/json.ts';
import { returnedRules, ruleDecimals } from '../openapi/market-rules.ts';
import { auctionText } from './market-data/auction-text.ts';

// The API's records are written as JSON text, because JSON.stringify of doubles would not keep exact decimals. Their fields are
// those of openapi/record-schemas.ts: test/http/record-texts.test.ts compares the two.

let lastTime = -1;
let lastTimeText = '';

/** Returns a quoted ISO 8601 UTC time with milliseconds. Caches the last one: adjacent records often share it. */
export function timeText(time: number): string {
  if (time !== lastTime) {
    lastTime = time;
    lastTimeText = `"${new Date(time).toISOString()}"`;
  }
  return lastTimeText;
}

/** Returns the field that marks a busted trade, after the fields of the trade; '' for other trades. */
export function bustedText({ busts }: Pick<Market, 'busts'>, tradeId: number): string {
  const time = busts.size === 0 ? undefined : busts.get(tradeId);
  return time === undefined ? '' : `,"bustedAt":${timeText(time)}`;
}

export function timeOrNull(time: number): string {
  return time === 0 ? 'null' : timeText(time);
}

/** Returns null for '', as the database of users stores absent values. */
export function textOrNull(text: string): string {
  return text === '' ? 'null' : quote(text);
}

/** Constant text between an order's numbers, precomputed: 30 concatenations per order instead of 50. */
const SIDE_TEXTS = sides.map((side) => `","side":"${side}","amount":`);
const STATUS_TEXTS = orderStatuses.map((status) => `,"status":"${status}","timestamp":`);
const TYPE_TEXTS = orderTypes.map((type) =>
  timesInForce.map(
    (timeInForce) => `,"type":"${type}","timeInForce":"${timeInForce}","expiresAt":`,
  ),
);
const REASON_TEXTS = selfTradePreventions.map((mode) =>
  orderReasons.map(
    (reason) =>
      `],"selfTradePrevention":"${mode}","reason":${JSON.stringify(reason)},"lastFillAt":`,
  ),
);

export function orderText(order: OrderRecord, market: Market): string {
  const { rules, base, quote } = market;
  const filled = order.amount - order.remaining;
  const average = filled === 0 ? 'null' : averageText(order, filled, market);
  const price = order.price === 0 ? average : formatUnits(order.price, rules.priceDecimals);
  const amount = formatUnits(order.amount, rules.amountDecimals);
  const remaining = filled === 0 ? amount : formatUnits(order.remaining, rules.amountDecimals);
  const feeAsset = order.side === Side.buy ? base : quote;
  const fees = order.fees === 0 ? '' : amountText(feeAsset, order.fees);
  const clientOrderId = order.clientOrderId === null ? 'null' : `"${order.clientOrderId}"`;
  const triggerPrice =
    order.triggerPrice === 0 ? 'null' : formatUnits(order.triggerPrice, rules.priceDecimals);
  return (
    `{"orderId":"${order.id}","symbol":"${market.symbol}${SIDE_TEXTS[order.side]}${amount}` +
    `,"price":${price}${STATUS_TEXTS[order.status]}${timeText(order.createdAt)}` +
    `${TYPE_TEXTS[order.type]![order.timeInForce]}${timeOrNull(order.expiresAt)}` +
    `${order.postOnly ? ',"postOnly":true,' : ',"postOnly":false,'}"clientOrderId":${clientOrderId}` +
    `,"triggerPrice":${triggerPrice},"cost":${formatUnits(order.filledCost, quote.decimals)}` +
    `,"filled":${order.remaining === 0 ? amount : formatUnits(filled, rules.amountDecimals)}` +
    `,"remaining":${remaining},"average":${average},"fees":[${fees}` +
    `${REASON_TEXTS[order.selfTradePrevention]![order.reason]}${timeOrNull(order.lastFillAt)}` +
    `,"updatedAt":${timeText(order.updatedAt)}${specialText(order, market)}`
  );
}

/** Adds `queueAhead` to an order as JSON. @param ahead In amount units; undefined for an order that does not rest. */
export function withQueueAhead(text: string, ahead: Exact | undefined, { rules }: Market): string {
  const amount = ahead === undefined ? 'null' : formatUnits(ahead, rules.amountDecimals);
  return `${text.slice(0, -1)},"queueAhead":${amount}}`;
}

/** Returns the fields of brackets, trailing stops and icebergs, which end the record. Most orders have none. */
function specialText(order: OrderRecord, market: Market): string {
  const { attached, parentId, trailing, displayAmount, ocoId } = order;
  const isUsual = attached === null && parentId === 0 && ocoId === undefined;
  if (isUsual && trailing === undefined && displayAmount === undefined) return USUAL_END;
  const shown =
    displayAmount === undefined ? 'null' : formatUnits(displayAmount, market.rules.amountDecimals);
  return (
    `,"attached":${attached === null ? 'null' : attachedText(attached, market)},` +
    `"parentOrderId":${parentId === 0 ? 'null' : `"${parentId}"`},` +
    `"ocoOrderId":${ocoId === undefined ? 'null' : `"${ocoId}"`},` +
    `${trailingText(trailing, market)},"displayAmount":${shown}}`
  );
}

const NO_TRAILING = '"trailingAmount":null,"trailingPercent":null,"activationPrice":null';
const USUAL_END = `,"attached":null,"parentOrderId":null,"ocoOrderId":null,${NO_TRAILING},"displayAmount":null}`;

function trailingText(trailing: Trailing | undefined, { rules }: Market): string {
  if (trailing === undefined) return NO_TRAILING;
  const text = (units: number, decimals: number) =>
    units === 0 ? 'null' : formatUnits(units, decimals);
  const { amount, basisPoints, activationPrice } = trailing;
  return (
    `"trailingAmount":${text(amount, rules.priceDecimals)},` +
    `"trailingPercent":${text(basisPoints, 2)},` +
    `"activationPrice":${text(activationPrice, rules.priceDecimals)}`
  );
}

function attachedText(attached: Attached, market: Market): string {
  const { takeProfit, stopLoss, firstOrderId, oto } = attached;
  const { priceDecimals } = market.rules;
  const price = (units: number) => (units === 0 ? 'null' : formatUnits(units, priceDecimals));
  const id = (place: number) => (firstOrderId === undefined ? 'null' : `"${firstOrderId + place}"`);
  const text = (leg: OcoLeg | null, place: number) =>
    leg === null
      ? 'null'
      : `{"orderId":${id(place)},"price":${price(leg.price)},"triggerPrice":${price(leg.triggerPrice)},${trailingText(leg.trailing, market)}}`;
  const order = oto?.order ?? null;
  const orderText =
    order === null
      ? 'null'
      : `{"orderId":${id(0)},"type":"${orderTypes[order.type]}","price":${price(order.price)},"timeInForce":"${timesInForce[order.timeInForce]}"}`;
  const amount = oto === undefined ? 'null' : formatUnits(oto.amount, market.rules.amountDecimals);
  return (
    `{"takeProfit":${text(takeProfit, 0)},"stopLoss":${text(stopLoss, takeProfit === null ? 0 : 1)},` +
    `"order":${orderText},"side":${oto === undefined ? 'null' : `"${sides[oto.side]}"`},"amount":${amount}}`
  );
}

/** Returns an amount of an asset, such as a fee. */
export function amountText(asset: Asset, amount: Exact): string {
  return `{"asset":"${asset.asset}","cost":${formatUnits(amount, asset.decimals)}}`;
}

/** Returns cost ÷ amount, rounded half up to the quote's decimals. */
function averageText(order: OrderRecord, filled: number, market: Market): string {
  const { price, filledCost } = order;
  if (filledCost === market.notional(price, filled)) {
    return formatUnits(price, market.rules.priceDecimals);
  }
  return formatUnits(ratio(filledCost, filled, market.rules.amountDecimals), market.quote.decimals);
}

/** Returns quote ÷ base, rounded half up to the quote's minor units. @param decimals Decimals of the base amount. */
function ratio(quoteUnits: Exact, baseUnits: Exact, decimals: number): Exact {
  if (typeof quoteUnits === 'number' && typeof baseUnits === 'number') {
    const remainder = quoteUnits % baseUnits;
    const whole = ((quoteUnits - remainder) / baseUnits) * 10 ** decimals;
    const fraction = remainder * 10 ** decimals * 2 + baseUnits;
    // Exact if every intermediate result is a safe integer.
    if (whole <= MAX_SAFE / 2 && fraction <= MAX_SAFE) {
      return whole + (fraction - (fraction % (baseUnits * 2))) / (baseUnits * 2);
    }
  }
  const scaled = BigInt(quoteUnits) * 10n ** BigInt(decimals);
  const base = BigInt(baseUnits);
  return exact((scaled * 2n + base) / (base * 2n));
}

const MAX_SAFE = Number.MAX_SAFE_INTEGER;

/** Returns `{balances}` with every asset that has ever been in the account, including zero balances. */
export function balancesText({ balances }: Pick<Account, 'balances'>, state: State): string {
  const texts = balances.flatMap((balance) =>
    balance === undefined ? [] : [balanceText(balance, state.assets[balance.asset]!)],
  );
  return `{"balances":[${texts.join(',')}]}`;
}

export function balanceText(
  { available, held }: Pick<Balance, 'available' | 'held'>,
  { asset, decimals }: Asset,
): string {
  return (
    `{"asset":"${asset}","total":${formatUnits(sum(available, held), decimals)},` +
    `"available":${formatUnits(available, decimals)},"held":${formatUnits(held, decimals)}}`
  );
}

/** Returns the 24 h figures that price and market records share. */
export function dayTexts(market: Market, day: DayStatistics) {
  const { priceDecimals, amountDecimals } = market.rules;
  const price = market.price;
  const open = day.open ?? price;
  const textOr = (value: number | undefined) =>
    value === undefined ? 'null' : formatUnits(value, priceDecimals);
  return {
    price: formatUnits(price, priceDecimals),
    open: textOr(day.open),
    high: textOr(day.high),
    low: textOr(day.low),
    change: formatUnits(price - open, priceDecimals),
    percentage: percentText(price - open, open),
    baseVolume: formatUnits(day.baseVolume, amountDecimals),
    quoteVolume: formatUnits(day.quoteVolume, market.quote.decimals),
    previousClose: textOr(day.previousClose),
  };
}

/** Returns change ÷ open in percent, rounded half away from zero to four decimals. */
function percentText(change: number, open: number): string {
  const scaled = BigInt(Math.abs(change)) * 1_000_000n;
  const rounded = (scaled * 2n + BigInt(open)) / (BigInt(open) * 2n);
  return formatUnits(change < 0 ? -rounded : rounded, 4);
}

/** @param now Milliseconds since 1970. */
export function priceText(
  market: Market,
  day: DayStatistics,
  now: number,
  auctions: Auctions,
): string {
  const { rules, book } = market;
  const texts = dayTexts(market, day);
  const vwap =
    day.baseVolume === 0
      ? 'null'
      : formatUnits(
          ratio(day.quoteVolume, day.baseVolume, rules.amountDecimals),
          market.quote.decimals,
        );
  const best = (side: Side) => {
    const price = book.bestPrice(side);
    if (price === undefined) return { price: 'null', amount: 'null' };
    return {
      price: formatUnits(price, rules.priceDecimals),
      amount: formatUnits(book.bestAmount(side), rules.amountDecimals),
    };
  };
  const bid = best(Side.buy);
  const ask = best(Side.sell);
  const id = (tradeId: number | undefined) => (tradeId === undefined ? 'null' : `"${tradeId}"`);
  const { lastAmount } = day;
  const last = lastAmount === undefined ? 'null' : formatUnits(lastAmount, rules.amountDecimals);
  return (
    `{"symbol":"${market.symbol}","status":"${marketStatuses[market.currentStatus]}",` +
    `"auction":${auctionText(market, auctions)},"price":${texts.price},"bid":${bid.price},` +
    `"bidAmount":${bid.amount},"ask":${ask.price},"askAmount":${ask.amount},` +
    `"open":${texts.open},"high":${texts.high},"low":${texts.low},"change":${texts.change},` +
    `"percentage":${texts.percentage},"vwap":${vwap},"baseVolume":${texts.baseVolume},` +
    `"quoteVolume":${texts.quoteVolume},"trades":${day.trades},` +
    `"firstTradeId":${id(day.firstTradeId)},"lastTradeId":${id(day.lastTradeId)},` +
    `"lastAmount":${last},"previousClose":${texts.previousClose},` +
    `"openTime":${timeText(day.openTime)},"timestamp":${timeText(now)}}`
  );
}

const TIMES_IN_FORCE = JSON.stringify(timesInForce);
/** The times in force that the call phase of an auction accepts. */
const RESTING = JSON.stringify(['GTC', 'GTD'] satisfies (typeof timesInForce)[number][]);

export function marketText(market: Market, day: DayStatistics, state: State): string {
  const { version } = state;
  const texts = dayTexts(market, day);
  const status = market.currentStatus;
  const isLimitOnly = status === MarketStatus.postOnly || status === MarketStatus.limitOnly;
  const known = version < 2 ? orderTypesOfVersion1 : orderTypes;
  const types = isLimitOnly ? known.filter((_, type) => hasLimit(type)) : known;
  const isAuction = status === MarketStatus.auction;
  const accepted = isAuction ? known.filter((type) => type !== 'market') : types;
  const isActive = status <= MarketStatus.limitOnly;
  return (
    `{"symbol":"${market.symbol}","base":"${market.base.asset}","quote":"${market.quote.asset}",` +
    `"status":"${marketStatuses[status]}","active":${isActive},` +
    `${rulesText(market)},` +
    `"auction":${auctionText(market, state.parts.auctions)},` +
    `"orderTypes":${JSON.stringify(accepted)},"timeInForce":${isAuction ? RESTING : TIMES_IN_FORCE},` +
    `"listedAt":${timeText(market.listedAt)},"last":${texts.price},"high":${texts.high},` +
    `"low":${texts.low},"change":${texts.change},"percentage":${texts.percentage},` +
    `"baseVolume":${texts.baseVolume},"quoteVolume":${texts.quoteVolume}}`
  );
}

/** The text of each market's rules, which are a new object after every change. */
const rulesTexts = new WeakMap<MarketRules, string>();

/** Returns the fields of a market's rules. */
function rulesText({ rules, quote }: Market): string {
  const cached = rulesTexts.get(rules);
  if (cached !== undefined) return cached;
  const decimals = ruleDecimals(rules, quote);
  const texts = returnedRules.map(({ rule, field, isNullable }) => {
    const value = rules[rule];
    const isNull = isNullable && value === 0;
    return `"${field}":${isNull ? 'null' : formatUnits(value, decimals[MARKET_RULES[rule]])}`;
  });
  const text = texts.join(',');
  rulesTexts.set(rules, text);
  return text;
}

export function assetText({ asset, name, decimals }: Asset): string {
  return `{"asset":"${asset}","name":${quote(name)},"decimals":${decimals}}`;
}
