import {
  CommandKind,
  type PlaceBracket,
  type PlaceOrder,
  type PlaceStopOrder,
} from '../../engine/command.ts';
import type { Exchange } from '../../engine/exchange.ts';
import { requiredFor } from '../../engine/ledger/holds.ts';
import { MAX_UNITS } from '../../engine/limits.ts';
import type { Market } from '../../engine/markets/markets.ts';
import type { Exact } from '../../engine/numbers/exact.ts';
import { isStop } from '../../engine/orders/order-terms.ts';
import {
  OrderType,
  orderTypes,
  orderTypesOfVersion1,
  SelfTradePrevention,
  Side,
  selfTradePreventions,
  timesInForce,
} from '../../engine/terms.ts';
import type { JsonObject } from '../http/json.ts';
import { invalid } from '../http/request/query.ts';
import { ApiError } from '../http/response/errors.ts';
import { orderBody } from '../openapi/order-schema.ts';
import { type BracketFields, readBracketFields, readBracketLegs } from './bracket-request.ts';
import { readDisplay, refuseDisplay } from './display-request.ts';
import {
  checkFields,
  isPresent,
  readClientOrderId,
  readExpiry,
  readFlag,
  readMarket,
  readName,
  readSide,
} from './order-fields.ts';
import { readAmount, readCost, readPrice } from './order-number.ts';
import { type OrderReader, tooLarge } from './order-reader.ts';
import { readStop } from './stop-request.ts';
import { resolveTimeInForce } from './time-in-force.ts';
import { refuseTrailing, TRAILING_FIELDS } from './trailing-request.ts';

export { type OrderReader, type Placing, readPlacing } from './order-reader.ts';

const FIELDS: ReadonlySet<string> = new Set(Object.keys(orderBody.shape));
/** The fields that nodes of an older release know; until the log is upgraded, they must read every command. */
const FIELDS_OF_VERSION_1 = FIELDS.difference(new Set([...TRAILING_FIELDS, 'displayAmount']));

/**
 * Returns the command of a POST /api/orders body. Faults are reported in this order: form, symbol, side, type
 * (and fields that the type does not take), amount and price, then, only for numbers too large for a command,
 * funds and bounds. The engine checks everything else.
 * @throws ApiError
 */
export function readOrder(
  body: JsonObject,
  reader: OrderReader,
  exchange: Exchange,
): PlaceOrder | PlaceStopOrder | PlaceBracket {
  checkFields(body, exchange.state.version < 2 ? FIELDS_OF_VERSION_1 : FIELDS);
  const postOnly = readFlag(body, 'postOnly');
  readFlag(body, 'returnFills');
  readFlag(body, 'returnReceipt');
  const clientOrderId = readClientOrderId(body);
  const givenTimeInForce = readName(body, 'timeInForce', timesInForce);
  const selfTradePrevention =
    readName(body, 'selfTradePrevention', selfTradePreventions) ?? SelfTradePrevention.expireMaker;
  const expiresAt = readExpiry(body.expiresAt ?? null);
  const bracket = isPresent(body.attached)
    ? readBracketFields(body.attached, exchange.state.version)
    : undefined;

  const market = readMarket(body.symbol, exchange);
  const side = readSide(body);
  const type = readType(body, exchange.state.version < 2 ? orderTypesOfVersion1 : orderTypes);
  const hasCost = isPresent(body.cost);
  const terms = {
    account: reader.account.index,
    key: reader.key,
    market: market.index,
    side,
    type,
    timeInForce: resolveTimeInForce(type, givenTimeInForce, expiresAt, postOnly, hasCost),
    postOnly,
    selfTradePrevention,
    expiresAt,
    clientOrderId,
  };
  if (isStop(type)) {
    if (bracket !== undefined) throw bracketOnStop();
    const numbers = readStop(body, type, side, market, reader, exchange);
    return { kind: CommandKind.placeStopOrder, ...terms, ...numbers };
  }
  refuseTrailing(body);
  if (type !== OrderType.limit) refuseDisplay(body);
  const numbers = readNumbers(body, type, side, market, reader, exchange);
  const displayAmount = readDisplay(body, terms.timeInForce, market, reader.offGrid);
  const placed: PlaceOrder = { kind: CommandKind.placeOrder, ...terms, ...numbers };
  const order = displayAmount === undefined ? placed : { ...placed, displayAmount };
  return bracket === undefined ? order : withBracket(order, bracket, market, reader, exchange);
}

function withBracket(
  order: PlaceOrder,
  bracket: BracketFields,
  market: Market,
  reader: OrderReader,
  exchange: Exchange,
): PlaceBracket {
  const attached = readBracketLegs(bracket, order, market, reader, exchange);
  return { kind: CommandKind.placeBracket, order, attached };
}

function bracketOnStop(): ApiError {
  const message = 'Only limit and market orders take attached orders. Remove attached.';
  return invalid('attached', 'limitOrMarket', message);
}

/** @throws ApiError INVALID_TYPE */
function readType(body: JsonObject, types: readonly string[]): number {
  const type = types.indexOf(body.type as string);
  if (type >= 0) return type;
  throw new ApiError('INVALID_TYPE', undefined, { field: 'type', rule: types.join(' or ') });
}

interface OrderNumbers {
  readonly price: number;
  readonly amount: number;
  readonly cost: Exact;
}

/** Reads the numbers of a limit or market order. */
function readNumbers(
  body: JsonObject,
  type: number,
  side: Side,
  market: Market,
  reader: OrderReader,
  exchange: Exchange,
): OrderNumbers {
  if (isPresent(body.triggerPrice)) {
    const message = 'Only stop and take-profit orders take a triggerPrice. Remove it.';
    throw new ApiError('INVALID_PRICE', message, { field: 'triggerPrice', rule: 'stopOrdersOnly' });
  }
  return type === OrderType.limit
    ? readLimit(body, side, market, reader, exchange)
    : readMarketOrder(body, side, market, reader, exchange);
}

function readLimit(
  body: JsonObject,
  side: Side,
  market: Market,
  reader: OrderReader,
  exchange: Exchange,
): OrderNumbers {
  if (isPresent(body.cost)) {
    throw invalidCost('A limit order takes amount and price, not cost.', 'marketOrdersOnly');
  }
  const amount = readAmount(body.amount, market, reader.offGrid);
  const price = readPrice(body.price, market, 'price', reader.offGrid);
  if (typeof amount === 'number' && typeof price === 'number') return { price, amount, cost: 0 };
  const required = requiredFor(market, side, { price, triggerPrice: 0, amount });
  const field = typeof amount === 'number' ? 'price' : 'amount';
  throw tooLarge(required, side, market, reader, exchange, field);
}

function readMarketOrder(
  body: JsonObject,
  side: Side,
  market: Market,
  reader: OrderReader,
  exchange: Exchange,
): OrderNumbers {
  if (isPresent(body.price)) {
    const message = 'A market order takes no price. Remove it, or send type limit.';
    throw new ApiError('INVALID_PRICE', message, { field: 'price', rule: 'limitOrdersOnly' });
  }
  if (!isPresent(body.cost)) {
    const amount = readAmount(body.amount, market, reader.offGrid);
    if (typeof amount === 'number') return { price: 0, amount, cost: 0 };
    // A buy has no price to compute funds from, but no buy can cost more than the whole book.
    const required =
      side === Side.sell
        ? requiredFor(market, side, { price: 0, triggerPrice: 0, amount })
        : exchange.costToBuy(reader.account.index, market, MAX_UNITS);
    throw tooLarge(required, side, market, reader, exchange, 'amount');
  }
  if (isPresent(body.amount)) {
    throw invalidCost('Send either amount or cost, not both.', 'amountOrCost');
  }
  // Nodes of an older release cannot execute it.
  if (side === Side.sell && exchange.state.version < 2) {
    throw invalidCost('Only a market buy takes cost. Send amount to sell.', 'marketBuysOnly');
  }
  return { price: 0, amount: 0, cost: readCost(body.cost, market) };
}

function invalidCost(message: string, rule: string): ApiError {
  return new ApiError('INVALID_AMOUNT', message, { field: 'cost', rule });
}
