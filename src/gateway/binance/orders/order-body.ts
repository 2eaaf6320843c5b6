import type { Market } from '../../../engine/markets/markets.ts';
import { JsonNumber, type JsonObject } from '../../http/json.ts';
import { BinanceError } from '../errors.ts';
import { illegalData, missing, type Parameters } from '../parameters.ts';
import { SIDES } from './order-text.ts';

const TYPES = {
  LIMIT: 'limit',
  LIMIT_MAKER: 'limit',
  MARKET: 'market',
  STOP_LOSS: 'stop',
  STOP_LOSS_LIMIT: 'stop_limit',
  TAKE_PROFIT: 'take_profit',
  TAKE_PROFIT_LIMIT: 'take_profit_limit',
} as const;
export type BinanceType = keyof typeof TYPES;
const TYPE_NAMES = Object.keys(TYPES) as readonly BinanceType[];
const TIMES_IN_FORCE = ['GTC', 'IOC', 'FOK'] as const;
/** Binance's modes of self-trade prevention, and those of this exchange. */
const SELF_TRADE_PREVENTIONS = {
  EXPIRE_MAKER: 'expire_maker',
  EXPIRE_TAKER: 'expire_taker',
  EXPIRE_BOTH: 'expire_both',
  DECREMENT: 'decrement',
} as const;
const MODES = Object.keys(
  SELF_TRADE_PREVENTIONS,
) as readonly (keyof typeof SELF_TRADE_PREVENTIONS)[];

/** The numbers that each type of order needs, and whether it takes a time in force (rest-api.md, "New order"). */
const NEEDS: Readonly<Record<BinanceType, readonly string[]>> = {
  LIMIT: ['timeInForce', 'quantity', 'price'],
  LIMIT_MAKER: ['quantity', 'price'],
  MARKET: [],
  STOP_LOSS: ['quantity'],
  STOP_LOSS_LIMIT: ['timeInForce', 'quantity', 'price'],
  TAKE_PROFIT: ['quantity'],
  TAKE_PROFIT_LIMIT: ['timeInForce', 'quantity', 'price'],
};

export interface OrderRequest {
  readonly type: BinanceType;
  /** The body of POST /api/orders for the same order. */
  readonly body: JsonObject;
}

/** Returns the mandatory side of an order. @throws BinanceError -1102, -1117 */
export function readSide(given: Parameters, name = 'side'): (typeof SIDES)[number] {
  given.required(name);
  return given.choice(name, SIDES, () => new BinanceError(-1117, 'Invalid side.'))!;
}

/** Adds the mode of self-trade prevention to a body, if there is one. @throws BinanceError -1128 */
export function addSelfTradePrevention(body: JsonObject, given: Parameters): void {
  const mode = given.choice('selfTradePreventionMode', MODES);
  if (mode !== undefined) body.selfTradePrevention = SELF_TRADE_PREVENTIONS[mode];
}

/** Translates the parameters of an order into the body of POST /api/orders. @throws BinanceError */
export function readOrderRequest(
  given: Parameters,
  market: Market,
  clientOrderId: string | undefined,
): OrderRequest {
  const side = readSide(given);
  given.required('type');
  const invalidType = () => new BinanceError(-1116, 'Invalid orderType.');
  const type = given.choice('type', TYPE_NAMES, invalidType)!;
  for (const name of NEEDS[type]) if (!given.has(name)) throw missing(name);
  const body: JsonObject = Object.create(null);
  body.symbol = market.symbol;
  body.side = side.toLowerCase();
  body.type = TYPES[type];
  if (clientOrderId !== undefined) body.clientOrderId = clientOrderId;
  addTimeInForce(body, type, given);
  addNumbers(body, type, given);
  addTrigger(body, type, given);
  addSelfTradePrevention(body, given);
  checkStrategy(given, 'strategyId', 'strategyType');
  return { type, body };
}

function addTimeInForce(body: JsonObject, type: BinanceType, given: Parameters): void {
  const invalid = () => new BinanceError(-1115, 'Invalid timeInForce.');
  const timeInForce = given.choice('timeInForce', TIMES_IN_FORCE, invalid);
  if (type === 'LIMIT_MAKER') body.postOnly = true;
  if (timeInForce === undefined) return;
  if (!NEEDS[type].includes('timeInForce')) throw notRequired('timeInForce');
  body.timeInForce = timeInForce;
}

function addNumbers(body: JsonObject, type: BinanceType, given: Parameters): void {
  const quantity = given.decimal('quantity');
  const quoteOrderQty = given.decimal('quoteOrderQty');
  const price = given.decimal('price');
  const icebergQty = given.decimal('icebergQty');
  if (type === 'MARKET') {
    if (quantity === undefined && quoteOrderQty === undefined) {
      throw new BinanceError(
        -1102,
        "Param 'quantity' or 'quoteOrderQty' must be sent, but both were empty/null!",
      );
    }
    if (quantity !== undefined && quoteOrderQty !== undefined) throw notRequired('quoteOrderQty');
  } else if (quoteOrderQty !== undefined) throw notRequired('quoteOrderQty');
  if (price !== undefined && !NEEDS[type].includes('price')) throw notRequired('price');
  if (quantity !== undefined) body.amount = new JsonNumber(quantity);
  if (quoteOrderQty !== undefined) body.cost = new JsonNumber(quoteOrderQty);
  if (price !== undefined) body.price = new JsonNumber(price);
  if (icebergQty !== undefined && Number(icebergQty) > 0) {
    body.displayAmount = new JsonNumber(icebergQty);
  }
}

function addTrigger(body: JsonObject, type: BinanceType, given: Parameters): void {
  const stopPrice = given.decimal('stopPrice');
  const trailingDelta = given.integer('trailingDelta');
  if (!type.startsWith('STOP') && !type.startsWith('TAKE')) {
    if (stopPrice !== undefined) throw notRequired('stopPrice');
    if (trailingDelta !== undefined) throw notRequired('trailingDelta');
    return;
  }
  if (trailingDelta !== undefined) {
    // The exchange has trailing stops that trade at the market; the other kinds are not part of it.
    if (type !== 'STOP_LOSS') throw new BinanceError(-1014, 'Unsupported order combination.');
    if (trailingDelta === 0) throw illegalData('trailingDelta');
    body.type = 'trailing_stop';
    body.trailingPercent = new JsonNumber((trailingDelta / 100).toFixed(2));
    if (stopPrice !== undefined) body.activationPrice = new JsonNumber(stopPrice);
  } else if (stopPrice === undefined) {
    throw new BinanceError(
      -1102,
      "Param 'stopPrice' or 'trailingDelta' must be sent, but both were empty/null!",
    );
  } else body.triggerPrice = new JsonNumber(stopPrice);
}

function notRequired(name: string): BinanceError {
  return new BinanceError(-1106, `Parameter '${name}' sent when not required.`);
}

/** Lower types are reserved (rest-api.md, "New order"). */
const MIN_STRATEGY_TYPE = 1_000_000;

/** Checks the strategy of an order, which is not stored. @throws BinanceError -1100, -1108, -1134 */
export function checkStrategy(given: Parameters, idName: string, typeName: string): void {
  given.integer(idName);
  const type = given.integer(typeName);
  if (type === undefined || type >= MIN_STRATEGY_TYPE) return;
  throw new BinanceError(-1134, `\`${typeName}\` was less than ${MIN_STRATEGY_TYPE}.`);
}
