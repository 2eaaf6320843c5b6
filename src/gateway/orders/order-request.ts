import {
  CommandKind,
  type PlaceBracket,
  type PlaceOrder,
  type PlaceStopOrder,
} from '../../engine/command.ts';
import type { Exchange } from '../../engine/exchange.ts';
import type { Account } from '../../engine/ledger/accounts.ts';
import { requiredFor } from '../../engine/ledger/holds.ts';
import { MAX_UNITS } from '../../engine/limits.ts';
import type { Market } from '../../engine/markets/markets.ts';
import type { Exact } from '../../engine/numbers/exact.ts';
import { formatUnits } from '../../engine/numbers/units.ts';
import { hasLimit, isStop } from '../../engine/orders/order-terms.ts';
import {
  OrderType,
  orderTypes,
  SelfTradePrevention,
  Side,
  selfTradePreventions,
  sides,
  TimeInForce,
  timesInForce,
} from '../../engine/terms.ts';
import { ApiError, quoteSender } from '../http/errors.ts';
import { JsonNumber, type JsonObject, type JsonValue } from '../http/json.ts';
import { CLIENT_ORDER_ID, invalid, invalidClientOrderId, timeOf } from '../http/query.ts';
import { ORDER_FIELDS } from '../openapi/order-schema.ts';
import { readBracketFields, readBracketLegs } from './bracket-request.ts';
import { OffGrid, readAmount, readCost, readPrice } from './order-number.ts';
import { rejectionError } from './rejections.ts';
import { readStop } from './stop-request.ts';

const FIELDS = new Set(Object.keys(ORDER_FIELDS));

/** Who places the order: an account and the key it uses. */
export interface Placer {
  readonly account: Account;
  readonly key: number;
}

/** A placer, and where numbers off the grid are noted. */
export interface OrderReader extends Placer {
  readonly offGrid: OffGrid;
}

/** A request to place orders, as it was read. */
export interface Placing<Command> {
  readonly command: Command;
  /** Why it is refused, unless it was placed before. */
  readonly refusal: ApiError | undefined;
}

/**
 * Reads a request to place orders. Numbers that are off the grid now are no error yet; if there is another
 * fault after them, they are the first one.
 * @throws ApiError
 */
export function readPlacing<Command>(
  read: (body: JsonObject, placer: OrderReader, exchange: Exchange) => Command,
  body: JsonObject,
  placer: Placer,
  exchange: Exchange,
): Placing<Command> {
  const offGrid = new OffGrid();
  try {
    const command = read(body, { ...placer, offGrid }, exchange);
    return { command, refusal: offGrid.first };
  } catch (error) {
    throw offGrid.first ?? error;
  }
}

/**
 * The command that a POST /api/orders body asks for. Faults are reported in the order of API
 * section 1: form, symbol, side, type (and what does not go with it), amount and price, then, for
 * numbers no command can carry, funds and bounds; what the engine knows better it checks itself.
 * @throws ApiError
 */
export function readOrder(
  body: JsonObject,
  placer: OrderReader,
  exchange: Exchange,
): PlaceOrder | PlaceStopOrder | PlaceBracket {
  for (const field in body) {
    if (!FIELDS.has(field))
      throw invalid(field, 'unknownField', `There is no field ${quoteSender(field)}.`);
  }
  const postOnly = readFlag(body, 'postOnly');
  const clientOrderId = readClientOrderId(body);
  const givenTimeInForce = readWord(body, 'timeInForce', timesInForce);
  const selfTradePrevention =
    readWord(body, 'selfTradePrevention', selfTradePreventions) ?? SelfTradePrevention.expireMaker;
  const expiresAt = readExpiry(body.expiresAt ?? null);
  const form = isPresent(body.attached) ? readBracketFields(body.attached) : undefined;

  const market = readMarket(body.symbol, exchange);
  const side = readSide(body);
  const type = orderTypes.indexOf(body.type as 'limit');
  if (type < 0) {
    throw new ApiError('INVALID_TYPE', undefined, { field: 'type', rule: orderTypes.join(' or ') });
  }
  const timeInForce = resolveTimeInForce(
    type,
    givenTimeInForce,
    expiresAt,
    postOnly,
    isPresent(body.cost),
  );
  const terms = {
    account: placer.account.index,
    key: placer.key,
    market: market.index,
    side,
    type,
    timeInForce,
    postOnly,
    selfTradePrevention,
    expiresAt,
    clientOrderId,
  };
  if (isStop(type)) {
    if (form !== undefined) {
      const message = 'Attach orders to a limit or market order: other types take none.';
      throw invalid('attached', 'limitOrMarket', message);
    }
    const numbers = readStop(body, type, side, market, placer, exchange);
    return { kind: CommandKind.placeStopOrder, ...terms, ...numbers };
  }
  if (isPresent(body.triggerPrice)) {
    throw new ApiError('INVALID_PRICE', 'Only stop and take-profit orders take triggerPrice.', {
      field: 'triggerPrice',
      rule: 'stopOrdersOnly',
    });
  }
  const numbers =
    type === OrderType.limit
      ? readLimit(body, side, market, placer, exchange)
      : readMarketOrder(body, side, market, placer, exchange);
  const order = { kind: CommandKind.placeOrder, ...terms, ...numbers } as const;
  if (form === undefined) return order;
  const attached = readBracketLegs(form, order, market, placer, exchange);
  return { kind: CommandKind.placeBracket, order, attached };
}

interface OrderNumbers {
  readonly price: number;
  readonly amount: number;
  readonly cost: Exact;
}

function readLimit(
  body: JsonObject,
  side: Side,
  market: Market,
  placer: OrderReader,
  exchange: Exchange,
): OrderNumbers {
  if (isPresent(body.cost)) {
    throw amountError('cost', 'A limit order takes amount and price, not cost.', 'marketBuysOnly');
  }
  const amount = readAmount(body.amount, market, placer.offGrid);
  const price = readPrice(body.price, market, 'price', placer.offGrid);
  if (typeof amount === 'number' && typeof price === 'number') return { price, amount, cost: 0 };
  const required = requiredFor(market, side, { price, triggerPrice: 0, amount });
  throw tooLarge(
    required,
    side,
    market,
    placer,
    exchange,
    typeof amount === 'number' ? 'price' : 'amount',
  );
}

function readMarketOrder(
  body: JsonObject,
  side: Side,
  market: Market,
  placer: OrderReader,
  exchange: Exchange,
): OrderNumbers {
  if (isPresent(body.price)) {
    throw new ApiError(
      'INVALID_PRICE',
      'A market order takes no price. Leave it out, or send type limit.',
      {
        field: 'price',
        rule: 'limitOrdersOnly',
      },
    );
  }
  if (!isPresent(body.cost)) {
    const amount = readAmount(body.amount, market, placer.offGrid);
    if (typeof amount === 'number') return { price: 0, amount, cost: 0 };
    // A buy has no price to tell its need by: it needs what the whole book asks, and that is less.
    const required =
      side === Side.sell
        ? requiredFor(market, side, { price: 0, triggerPrice: 0, amount })
        : exchange.costToBuy(placer.account.index, market, MAX_UNITS);
    throw tooLarge(required, side, market, placer, exchange, 'amount');
  }
  if (isPresent(body.amount)) {
    throw amountError('cost', 'Send either amount or cost, not both.', 'amountOrCost');
  }
  if (side === Side.sell) {
    throw amountError(
      'cost',
      'Only a market buy takes cost. Send amount to sell.',
      'marketBuysOnly',
    );
  }
  return { price: 0, amount: 0, cost: readCost(body.cost, market) };
}

/**
 * Why an order of numbers that no command can carry is refused: funds come before bounds (API
 * section 1), with `required` exact at any size.
 */
export function tooLarge(
  required: Exact,
  side: Side,
  market: Market,
  placer: Placer,
  exchange: Exchange,
  field: string,
): ApiError {
  const asset = side === Side.buy ? market.quote : market.base;
  const short = exchange.insufficientFunds(placer.account.index, asset.index, required);
  if (short !== undefined) return rejectionError(short, exchange.state);
  const { rules } = market;
  return field !== 'amount'
    ? new ApiError('INVALID_PRICE', `The ${field} is above the largest that this market takes.`, {
        field,
        rule: 'maxPrice',
        nearest: new JsonNumber(formatUnits(rules.maxPrice, rules.priceDecimals)),
      })
    : new ApiError('INVALID_AMOUNT', 'The amount is above the largest that this market takes.', {
        field: 'amount',
        rule: 'maxAmount',
        nearest: new JsonNumber(formatUnits(rules.maxAmount, rules.amountDecimals)),
      });
}

export function readMarket(symbol: JsonValue | undefined, exchange: Exchange): Market {
  const market =
    typeof symbol === 'string' ? exchange.state.marketsBySymbol.get(symbol) : undefined;
  if (market !== undefined) return market;
  throw new ApiError('INVALID_SYMBOL', undefined, {
    field: 'symbol',
    rule: isPresent(symbol) ? 'a symbol of GET /api/markets, such as "BTC/USDT"' : 'required',
  });
}

function resolveTimeInForce(
  type: number,
  given: number | undefined,
  expiresAt: number,
  postOnly: boolean,
  hasCost: boolean,
): number {
  const timeInForce = given ?? (type === OrderType.market ? TimeInForce.ioc : TimeInForce.gtc);
  const rests = timeInForce === TimeInForce.gtc || timeInForce === TimeInForce.gtd;
  if (isStop(type) && !hasLimit(type) && (!rests || postOnly)) {
    throw invalid(
      rests ? 'postOnly' : 'timeInForce',
      'stopOrder',
      'A stop or take_profit waits GTC or GTD, then trades at once: leave out postOnly, IOC, FOK.',
    );
  }
  if (type === OrderType.market && rests) {
    throw invalid(
      'timeInForce',
      'marketOrder',
      'A market order does not rest: leave timeInForce out, or send IOC or FOK.',
    );
  }
  if (hasCost && timeInForce === TimeInForce.fok) {
    throw invalid(
      'timeInForce',
      'cost',
      'An order by cost takes what it pays for: leave timeInForce out, or send IOC.',
    );
  }
  if (postOnly && !rests) {
    throw invalid(
      'postOnly',
      'restingOrder',
      'A postOnly order must be able to rest: send type limit with GTC or GTD.',
    );
  }
  if (timeInForce === TimeInForce.gtd && expiresAt === 0) {
    throw invalid('expiresAt', 'required', 'A GTD order needs expiresAt.');
  }
  if (timeInForce !== TimeInForce.gtd && expiresAt !== 0) {
    throw invalid('expiresAt', 'goodTillDate', 'expiresAt goes with timeInForce GTD only.');
  }
  return timeInForce;
}

function readFlag(body: JsonObject, field: string): boolean {
  const value = body[field] ?? false;
  if (typeof value === 'boolean') return value;
  throw invalid(field, 'boolean', `${field} is true or false.`);
}

/** @throws ApiError INVALID_SIDE */
export function readSide(body: JsonObject): Side {
  const side = sides.indexOf(body.side as 'buy');
  if (side >= 0) return side as Side;
  throw new ApiError('INVALID_SIDE', undefined, { field: 'side', rule: sides.join(' or ') });
}

export function readWord(
  body: JsonObject,
  field: string,
  words: readonly string[],
): number | undefined {
  const value = body[field] ?? null;
  if (value === null) return undefined;
  const index = words.indexOf(value as string);
  if (index >= 0) return index;
  throw invalid(field, words.join(', '), `${field} is one of ${words.join(', ')}.`);
}

export function readClientOrderId(body: JsonObject): string | null {
  const value = body.clientOrderId ?? null;
  if (value === null) return null;
  if (typeof value === 'string' && CLIENT_ORDER_ID.test(value)) return value;
  throw invalidClientOrderId();
}

export function readExpiry(value: JsonValue): number {
  if (value === null) return 0;
  const time = timeOf(value);
  if (time !== undefined && time > 0) return time;
  throw invalid('expiresAt', 'time', 'expiresAt is an ISO 8601 time or milliseconds since 1970.');
}

/** `null` in an optional field means absent. */
export function isPresent(value: JsonValue | undefined): value is Exclude<JsonValue, null> {
  return value !== undefined && value !== null;
}

function amountError(field: string, message: string, rule: string): ApiError {
  return new ApiError('INVALID_AMOUNT', message, { field, rule });
}
