import { JsonNumber, type JsonObject } from '../../http/json.ts';
import type { BinanceCall } from '../call.ts';
import { BinanceError } from '../errors.ts';
import { addSelfTradePrevention, checkStrategy, readSide } from '../orders/order-body.ts';
import { readNewClientOrderId } from '../orders/orders.ts';
import { missing, type Parameters } from '../parameters.ts';
import {
  type ListRequest,
  legParameters,
  readLeg,
  readPair,
  readType,
  STOPS,
  TAKE_PROFITS,
  TIMES_IN_FORCE,
  unneeded,
  unsupported,
} from './oco-request.ts';

const WORKING_TYPES = ['LIMIT', 'LIMIT_MAKER'] as const;
const PENDING_TYPES = ['LIMIT', 'MARKET', ...TAKE_PROFITS, ...STOPS] as const;

/** Reads the parameters of POST /api/v3/orderList/oto: an order that triggers another one. @throws BinanceError */
export function readOtoRequest(call: BinanceCall): ListRequest {
  const { given } = call;
  const attached = readPendingTerms(given);
  const type = readType(given, 'pendingType', PENDING_TYPES);
  if (type === 'LIMIT' || type === 'MARKET') attached.order = readPlainOrder(given, type);
  else {
    const leg = withoutIceberg(readLeg(given, type, legParameters('pending')));
    attached[type.startsWith('STOP') ? 'stopLoss' : 'takeProfit'] = leg;
  }
  return readWorking(call, attached, ['pendingClientOrderId']);
}

/** Reads the parameters of POST /api/v3/orderList/otoco: an order that triggers an OCO order. @throws BinanceError */
export function readOtocoRequest(call: BinanceCall): ListRequest {
  const { given } = call;
  const attached = readPendingTerms(given);
  const side = given.text('pendingSide')!;
  const { legs, parameters } = readPair(given, side, 'pendingAbove', 'pendingBelow');
  attached.takeProfit = withoutIceberg(legs.takeProfit);
  attached.stopLoss = legs.stopLoss;
  return readWorking(
    call,
    attached,
    parameters.map(({ clientOrderId }) => clientOrderId),
  );
}

/** Reads the side and the amount of the pending orders. */
function readPendingTerms(given: Parameters): JsonObject {
  const attached: JsonObject = Object.create(null);
  attached.side = readSide(given, 'pendingSide').toLowerCase();
  given.required('pendingQuantity');
  attached.amount = new JsonNumber(given.decimal('pendingQuantity')!);
  return attached;
}

/** Reads a pending order that is neither a take profit nor a stop. */
function readPlainOrder(given: Parameters, type: 'LIMIT' | 'MARKET'): JsonObject {
  const names = legParameters('pending');
  checkStrategy(given, ...names.strategy);
  for (const name of [names.stopPrice, names.trailingDelta]) {
    if (given.value(name) !== undefined) throw unneeded(name);
  }
  const order: JsonObject = Object.create(null);
  order.type = type.toLowerCase();
  const price = given.decimal(names.price);
  const timeInForce = readTimeInForce(given, names.timeInForce);
  if (type === 'MARKET') {
    if (price !== undefined) throw unneeded(names.price);
    if (timeInForce !== undefined) throw unneeded(names.timeInForce);
  } else {
    if (price === undefined) throw missing(names.price);
    if (timeInForce === undefined) throw missing(names.timeInForce);
    order.price = new JsonNumber(price);
    order.timeInForce = timeInForce;
  }
  const icebergQty = given.decimal(names.icebergQty);
  if (icebergQty !== undefined && Number(icebergQty) > 0) throw iceberg();
  return order;
}

function withoutIceberg(leg: JsonObject): JsonObject {
  if (leg.displayAmount !== undefined) throw iceberg();
  return leg;
}

const iceberg = () => unsupported(' Pending orders cannot be icebergs.');

function readTimeInForce(given: Parameters, name: string) {
  return given.choice(name, TIMES_IN_FORCE, () => new BinanceError(-1115, 'Invalid timeInForce.'));
}

/** Reads the working order, which triggers the pending ones. @param pendingNames Parameters with the names of these. */
function readWorking(
  call: BinanceCall,
  attached: JsonObject,
  pendingNames: readonly string[],
): ListRequest {
  const { given } = call;
  const market = call.symbols.read(given);
  const type = readType(given, 'workingType', WORKING_TYPES);
  const body: JsonObject = Object.create(null);
  body.symbol = market.symbol;
  body.type = 'limit';
  body.side = readSide(given, 'workingSide').toLowerCase();
  for (const [field, name] of [
    ['price', 'workingPrice'],
    ['amount', 'workingQuantity'],
  ] as const) {
    given.required(name);
    body[field] = new JsonNumber(given.decimal(name)!);
  }
  const timeInForce = readTimeInForce(given, 'workingTimeInForce');
  if (type === 'LIMIT_MAKER') {
    if (timeInForce !== undefined && timeInForce !== 'GTC') throw unneeded('workingTimeInForce');
    body.postOnly = true;
  } else if (timeInForce === undefined) throw missing('workingTimeInForce');
  else body.timeInForce = timeInForce;
  const icebergQty = given.decimal('workingIcebergQty');
  if (icebergQty !== undefined && Number(icebergQty) > 0) {
    body.displayAmount = new JsonNumber(icebergQty);
  }
  checkStrategy(given, 'workingStrategyId', 'workingStrategyType');
  addSelfTradePrevention(body, given);
  body.attached = attached;
  const orders = ['workingClientOrderId', ...pendingNames].map(
    (name) => given.clientOrderId(name) ?? '',
  );
  const list = readNewClientOrderId(call, 'listClientOrderId');
  return { market, body, names: { kind: 'OTO', list, orders } };
}
