import { CommandKind, type PlaceOco } from '../../engine/command.ts';
import type { Exchange } from '../../engine/exchange.ts';
import { requiredFor } from '../../engine/ledger/holds.ts';
import type { Exact } from '../../engine/numbers/exact.ts';
import { SelfTradePrevention, selfTradePreventions } from '../../engine/terms.ts';
import type { JsonObject } from '../http/json.ts';
import { checkFields, fitsBook, readLeg, readLegPrices } from './leg-request.ts';
import { readAmount } from './order-number.ts';
import {
  type OrderReader,
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
export function readOco(body: JsonObject, placer: OrderReader, exchange: Exchange): PlaceOco {
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
    const [required] = [takeProfit, stopLoss]
      .map((leg) => requiredFor(market, side, { ...leg, amount }))
      .sort((a, b) => (a > b ? -1 : 1)) as [Exact, Exact];
    const field = typeof amount === 'number' ? 'price' : 'amount';
    throw tooLarge(required, side, market, placer, exchange, field);
  }
  return {
    kind: CommandKind.placeOco,
    account: placer.account.index,
    key: placer.key,
    market: market.index,
    ...{ side, amount, selfTradePrevention, expiresAt, clientOrderId },
    ...{ takeProfit, stopLoss },
  };
}
