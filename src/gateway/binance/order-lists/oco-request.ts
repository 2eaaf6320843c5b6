import type { Market } from '../../../engine/markets/markets.ts';
import { JsonNumber, type JsonObject } from '../../http/json.ts';
import type { BinanceCall } from '../call.ts';
import { BinanceError } from '../errors.ts';
import { addSelfTradePrevention, checkStrategy, readSide } from '../orders/order-body.ts';
import type { ListNames } from '../orders/order-names.ts';
import { readNewClientOrderId } from '../orders/orders.ts';
import { illegalData, missing, type Parameters } from '../parameters.ts';

/** An order list that a request asks for. */
export interface ListRequest {
  readonly market: Market;
  /** The body of POST /api/orders/oco or POST /api/orders, without a client order id. */
  readonly body: JsonObject;
  readonly names: ListNames;
}

export const TAKE_PROFITS = ['LIMIT_MAKER', 'TAKE_PROFIT', 'TAKE_PROFIT_LIMIT'] as const;
export const STOPS = ['STOP_LOSS', 'STOP_LOSS_LIMIT'] as const;
export const TIMES_IN_FORCE = ['GTC', 'IOC', 'FOK'] as const;

/** The parameters of one order of a list, by what they mean. */
export interface LegParameters {
  readonly price: string;
  readonly stopPrice: string;
  readonly trailingDelta: string;
  readonly timeInForce: string;
  readonly icebergQty: string;
  readonly clientOrderId: string;
  /** Without effect. */
  readonly strategy: readonly [id: string, type: string];
}

export const legParameters = (prefix: string): LegParameters => ({
  price: `${prefix}Price`,
  stopPrice: `${prefix}StopPrice`,
  trailingDelta: `${prefix}TrailingDelta`,
  timeInForce: `${prefix}TimeInForce`,
  icebergQty: `${prefix}IcebergQty`,
  clientOrderId: `${prefix}ClientOrderId`,
  strategy: [`${prefix}StrategyId`, `${prefix}StrategyType`],
});

/** Combinations that the exchange does not have. @param possible Says what is possible. */
export const unsupported = (possible = ''): BinanceError =>
  new BinanceError(-1014, `Unsupported order combination.${possible}`);

/** Reads the parameters of POST /api/v3/orderList/oco. @throws BinanceError */
export function readOcoRequest(call: BinanceCall): ListRequest {
  const { given } = call;
  const market = call.symbols.read(given);
  const { side, body } = readShared(given, market);
  const { legs, parameters } = readPair(given, side, 'above', 'below');
  return { market, body: { ...body, ...legs }, names: readNames(call, parameters) };
}

/** Reads the take profit and the stop of a pair, of which one has its prices above the other one. */
export function readPair(given: Parameters, side: string, above: string, below: string) {
  const [gain, loss] = side === 'SELL' ? [above, below] : [below, above];
  const takeProfitType = readType(given, `${gain}Type`, TAKE_PROFITS);
  const stopLossType = readType(given, `${loss}Type`, STOPS);
  const parameters = [legParameters(gain), legParameters(loss)] as const;
  const takeProfit = readLeg(given, takeProfitType, parameters[0]);
  const stopLoss = readLeg(given, stopLossType, parameters[1]);
  return { legs: { takeProfit, stopLoss }, parameters };
}

/** The take profit and the stop of the older request. */
const OLDER_TAKE_PROFIT: LegParameters = {
  price: 'price',
  stopPrice: '',
  trailingDelta: '',
  timeInForce: '',
  icebergQty: 'limitIcebergQty',
  clientOrderId: 'limitClientOrderId',
  strategy: ['limitStrategyId', 'limitStrategyType'],
};
const OLDER_STOP: LegParameters = {
  price: 'stopLimitPrice',
  stopPrice: 'stopPrice',
  trailingDelta: 'trailingDelta',
  timeInForce: 'stopLimitTimeInForce',
  icebergQty: 'stopIcebergQty',
  clientOrderId: 'stopClientOrderId',
  strategy: ['stopStrategyId', 'stopStrategyType'],
};

/** Reads the parameters of POST /api/v3/order/oco. @throws BinanceError */
export function readOlderOcoRequest(call: BinanceCall): ListRequest {
  const { given } = call;
  const market = call.symbols.read(given);
  const { body } = readShared(given, market);
  body.takeProfit = readLeg(given, 'LIMIT_MAKER', OLDER_TAKE_PROFIT);
  const type = given.has('stopLimitPrice') ? 'STOP_LOSS_LIMIT' : 'STOP_LOSS';
  body.stopLoss = readLeg(given, type, OLDER_STOP);
  return { market, body, names: readNames(call, [OLDER_TAKE_PROFIT, OLDER_STOP]) };
}

function readShared(given: Parameters, market: Market) {
  const side = readSide(given);
  given.required('quantity');
  const body: JsonObject = Object.create(null);
  body.symbol = market.symbol;
  body.side = side.toLowerCase();
  body.amount = new JsonNumber(given.decimal('quantity')!);
  addSelfTradePrevention(body, given);
  return { side, body };
}

export function readType<Type extends string>(
  given: Parameters,
  name: string,
  types: readonly Type[],
): Type {
  given.required(name);
  return given.choice(name, types, () => unsupported())!;
}

/** Reads one order. All prices that its type needs must be given, and no others. */
export function readLeg(
  given: Parameters,
  type: (typeof TAKE_PROFITS)[number] | (typeof STOPS)[number],
  names: LegParameters,
): JsonObject {
  const leg: JsonObject = Object.create(null);
  checkStrategy(given, ...names.strategy);
  const price = given.decimal(names.price);
  const stopPrice = given.decimal(names.stopPrice);
  const trailingDelta = given.integer(names.trailingDelta);
  const timeInForce = given.choice(names.timeInForce, TIMES_IN_FORCE);
  const hasPrice = type.startsWith('LIMIT') || type.endsWith('LIMIT');
  if (hasPrice !== (price !== undefined))
    throw hasPrice ? missing(names.price) : unneeded(names.price);
  if (price !== undefined) leg.price = new JsonNumber(price);
  if (timeInForce !== undefined && timeInForce !== 'GTC') {
    throw unsupported(' Orders with a trigger in a list are GTC.');
  }
  if (type === 'LIMIT_MAKER') {
    if (stopPrice !== undefined) throw unneeded(names.stopPrice);
    if (trailingDelta !== undefined) throw unneeded(names.trailingDelta);
  } else if (trailingDelta !== undefined) {
    if (type !== 'STOP_LOSS') throw unsupported(' trailingDelta is for STOP_LOSS only.');
    if (trailingDelta === 0) throw illegalData(names.trailingDelta);
    leg.trailingPercent = new JsonNumber((trailingDelta / 100).toFixed(2));
    if (stopPrice !== undefined) leg.activationPrice = new JsonNumber(stopPrice);
  } else {
    if (stopPrice === undefined) throw missing(names.stopPrice);
    leg.triggerPrice = new JsonNumber(stopPrice);
  }
  const icebergQty = given.decimal(names.icebergQty);
  if (icebergQty !== undefined && Number(icebergQty) > 0) {
    if (type !== 'LIMIT_MAKER') throw unsupported(' Only LIMIT_MAKER can be an iceberg.');
    leg.displayAmount = new JsonNumber(icebergQty);
  }
  return leg;
}

export function unneeded(name: string): BinanceError {
  return new BinanceError(-1106, `Parameter '${name}' sent when not required.`);
}

function readNames(call: BinanceCall, legs: readonly LegParameters[]): ListNames {
  const orders = legs.map(({ clientOrderId }) => call.given.clientOrderId(clientOrderId) ?? '');
  return { kind: 'OCO', list: readNewClientOrderId(call, 'listClientOrderId'), orders };
}
