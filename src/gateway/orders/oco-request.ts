import { CommandKind, type PlaceOco } from '../../engine/command.ts';
import type { Exchange } from '../../engine/exchange.ts';
import { requiredFor } from '../../engine/ledger/holds.ts';
import type { Exact } from '../../engine/numbers/exact.ts';
import { SelfTradePrevention, selfTradePreventions } from '../../engine/terms.ts';
import type { JsonObject } from '../http/json.ts';
import { ocoBody } from '../openapi/order-schema.ts';
import { fitsBook, readLeg, readLegPrices } from './leg-request.ts';
import {
  checkFields,
  readClientOrderId,
  readExpiry,
  readMarket,
  readName,
  readSide,
} from './order-fields.ts';
import { readAmount } from './order-number.ts';
import { type OrderReader, tooLarge } from './order-reader.ts';

const FIELDS: ReadonlySet<string> = new Set(Object.keys(ocoBody.shape));

/**
 * Returns the command of a POST /api/orders/oco body. Faults are reported in the same order as by `readOrder`.
 * @throws ApiError
 */
export function readOco(body: JsonObject, reader: OrderReader, exchange: Exchange): PlaceOco {
  checkFields(body, FIELDS);
  const takeProfitFields = readLeg(body.takeProfit, 'takeProfit');
  const stopLossFields = readLeg(body.stopLoss, 'stopLoss');
  const clientOrderId = readClientOrderId(body);
  const selfTradePrevention =
    readName(body, 'selfTradePrevention', selfTradePreventions) ?? SelfTradePrevention.expireMaker;
  const expiresAt = readExpiry(body.expiresAt ?? null);
  const market = readMarket(body.symbol, exchange);
  const side = readSide(body);
  const { offGrid } = reader;
  const amount = readAmount(body.amount, market, offGrid);
  const takeProfit = readLegPrices(takeProfitFields, 'takeProfit', 'takeProfit', market, offGrid);
  const stopLoss = readLegPrices(stopLossFields, 'stopLoss', 'stopLoss', market, offGrid);
  if (typeof amount !== 'number' || !fitsBook(takeProfit) || !fitsBook(stopLoss)) {
    const [required] = [takeProfit, stopLoss]
      .map((leg) => requiredFor(market, side, { ...leg, amount }))
      .sort((a, b) => (a > b ? -1 : 1)) as [Exact, Exact];
    const field = typeof amount === 'number' ? 'price' : 'amount';
    throw tooLarge(required, side, market, reader, exchange, field);
  }
  return {
    kind: CommandKind.placeOco,
    account: reader.account.index,
    key: reader.key,
    market: market.index,
    side,
    amount,
    selfTradePrevention,
    expiresAt,
    clientOrderId,
    takeProfit,
    stopLoss,
  };
}
