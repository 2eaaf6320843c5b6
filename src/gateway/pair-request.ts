import { CommandKind, type PlacePair } from '../engine/command.ts';
import { exact } from '../engine/exact.ts';
import type { Exchange } from '../engine/exchange.ts';
import type { Market } from '../engine/markets.ts';
import { SelfTradePrevention, Side, selfTradePreventions } from '../engine/terms.ts';
import type { JsonObject } from './json.ts';
import { checkFields, fitsBook, type LegPrices, readLeg, readLegPrices } from './leg-request.ts';
import { readAmount } from './order-number.ts';
import {
  type Reading,
  readClientOrderId,
  readExpiry,
  readMarket,
  readSide,
  readWord,
  tooLarge,
} from './order-request.ts';

const FIELDS: readonly string[] = [
  ...['symbol', 'side', 'amount', 'takeProfit', 'stopLoss'],
  ...['expiresAt', 'clientOrderId', 'selfTradePrevention'],
];

/** The command that a POST /api/orders/oco body asks for. @throws ApiError as readOrder does */
export function readPair(body: JsonObject, placer: Reading, exchange: Exchange): PlacePair {
  checkFields(body, FIELDS, '');
  const takeProfitForm = readLeg(body.takeProfit, 'takeProfit');
  const stopLossForm = readLeg(body.stopLoss, 'stopLoss');
  const clientOrderId = readClientOrderId(body);
  const selfTradePrevention =
    readWord(body, 'selfTradePrevention', selfTradePreventions) ?? SelfTradePrevention.expireMaker;
  const expiresAt = readExpiry(body.expiresAt ?? null);
  const market = readMarket(body.symbol, exchange);
  const side = readSide(body);
  const { offGrid } = placer;
  const amount = readAmount(body.amount, market, offGrid);
  const takeProfit = readLegPrices(takeProfitForm, 'takeProfit', 'takeProfit', market, offGrid);
  const stopLoss = readLegPrices(stopLossForm, 'stopLoss', 'stopLoss', market, offGrid);
  if (typeof amount !== 'number' || !fitsBook(takeProfit) || !fitsBook(stopLoss)) {
    const worst = [takeProfit, stopLoss]
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
    ...{ takeProfit, stopLoss },
  };
}

/** The price that a buy's need is reckoned by. */
function worstOf({ price, triggerPrice }: LegPrices, { rules }: Market): bigint {
  if (price !== 0) return BigInt(price);
  return BigInt(triggerPrice) + (BigInt(triggerPrice) * BigInt(rules.collar)) / 1_000_000n;
}
