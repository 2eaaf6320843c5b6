import { CommandKind, type PairLeg, type PlacePair } from '../engine/command.ts';
import { type Exact, exact } from '../engine/exact.ts';
import type { Exchange } from '../engine/exchange.ts';
import type { Market } from '../engine/markets.ts';
import { SelfTradePrevention, Side, selfTradePreventions } from '../engine/terms.ts';
import { quoteSender } from './errors.ts';
import { JsonNumber, type JsonObject, type JsonValue } from './json.ts';
import { readAmount, readPrice } from './order-number.ts';
import {
  isPresent,
  type Placer,
  readClientOrderId,
  readExpiry,
  readMarket,
  readSide,
  readWord,
  tooLarge,
} from './order-request.ts';
import { invalid } from './query.ts';

const FIELDS: readonly string[] = [
  ...['symbol', 'side', 'amount', 'takeProfit', 'stopLoss'],
  ...['expiresAt', 'clientOrderId', 'selfTradePrevention'],
];
const LEG_FIELDS: readonly string[] = ['price', 'triggerPrice'];

/** The command that a POST /api/orders/oco body asks for. @throws ApiError as readOrder does */
export function readPair(body: JsonObject, placer: Placer, exchange: Exchange): PlacePair {
  checkFields(body, FIELDS, '');
  const legs = (['takeProfit', 'stopLoss'] as const).map((field) => readLeg(body, field));
  const [takeProfit, stopLoss] = legs as [JsonObject, JsonObject];
  const clientOrderId = readClientOrderId(body);
  const selfTradePrevention =
    readWord(body, 'selfTradePrevention', selfTradePreventions) ?? SelfTradePrevention.expireMaker;
  const expiresAt = readExpiry(body.expiresAt ?? null);
  const market = readMarket(body.symbol, exchange);
  const side = readSide(body);
  const amount = readAmount(body.amount, market);
  const needsPrice = !isPresent(takeProfit.triggerPrice);
  const prices = {
    takeProfit: {
      price: priceOf(takeProfit, 'takeProfit', 'price', needsPrice, market),
      triggerPrice: priceOf(takeProfit, 'takeProfit', 'triggerPrice', false, market),
    },
    stopLoss: {
      price: priceOf(stopLoss, 'stopLoss', 'price', false, market),
      triggerPrice: priceOf(stopLoss, 'stopLoss', 'triggerPrice', true, market),
    },
  };
  if (typeof amount !== 'number' || !isLeg(prices.takeProfit) || !isLeg(prices.stopLoss)) {
    const worst = [prices.takeProfit, prices.stopLoss]
      .map((leg) => worstOf(leg, market))
      .reduce((a, b) => (a > b ? a : b));
    const required =
      side === Side.buy
        ? worst * BigInt(amount) * BigInt(market.quoteUnit)
        : BigInt(amount) * BigInt(market.baseUnit);
    const field = typeof amount === 'number' ? 'price' : 'amount';
    throw tooLarge(exact(required), side, market, placer, exchange, field);
  }
  return {
    kind: CommandKind.placePair,
    account: placer.account.index,
    key: placer.key,
    market: market.index,
    ...{ side, amount, selfTradePrevention, expiresAt, clientOrderId },
    takeProfit: prices.takeProfit,
    stopLoss: prices.stopLoss,
  };
}

function checkFields(object: JsonObject, known: readonly string[], prefix: string): void {
  for (const field in object) {
    if (known.includes(field)) continue;
    const name = `${prefix}${field}`;
    throw invalid(name, 'unknownField', `There is no field ${quoteSender(name)} here.`);
  }
}

function readLeg(body: JsonObject, field: string): JsonObject {
  const value: JsonValue | undefined = body[field];
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  if (!isObject || value instanceof JsonNumber) {
    throw invalid(field, 'object', `Send ${field}: an object with price, triggerPrice or both.`);
  }
  checkFields(value, LEG_FIELDS, `${field}.`);
  return value;
}

function priceOf(
  leg: JsonObject,
  name: string,
  field: 'price' | 'triggerPrice',
  isNeeded: boolean,
  market: Market,
): Exact {
  if (!isNeeded && !isPresent(leg[field])) return 0;
  return readPrice(leg[field], market, `${name}.${field}`);
}

type Leg = { readonly [Field in keyof PairLeg]: Exact };

function isLeg(leg: Leg): leg is PairLeg {
  return typeof leg.price === 'number' && typeof leg.triggerPrice === 'number';
}

/** The price that a buy's need is reckoned by. */
function worstOf({ price, triggerPrice }: Leg, { rules }: Market): bigint {
  if (price !== 0) return BigInt(price);
  return BigInt(triggerPrice) + (BigInt(triggerPrice) * BigInt(rules.collar)) / 1_000_000n;
}
