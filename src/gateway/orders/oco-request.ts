import { CommandKind, type PlaceOco } from '../../engine/command.ts';
import type { Exchange } from '../../engine/exchange.ts';
import { requiredFor } from '../../engine/ledger/holds.ts';
import type { Market } from '../../engine/markets/markets.ts';
import type { Exact } from '../../engine/numbers/exact.ts';
import { initialTrigger } from '../../engine/orders/triggers/initial-trigger.ts';
import {
  SelfTradePrevention,
  type Side,
  selfTradePreventions,
  TimeInForce,
} from '../../engine/terms.ts';
import type { JsonObject } from '../http/json.ts';
import { ocoBody } from '../openapi/order-schema.ts';
import { readDisplay, refuseDisplay } from './display-request.ts';
import { fitsBook, LEG_FIELDS, type LegPrices, readLeg, readLegPrices } from './leg-request.ts';
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
import { type GridError, readAmount } from './order-number.ts';
import { type OrderReader, tooLarge } from './order-reader.ts';

const FIELDS: ReadonlySet<string> = new Set(Object.keys(ocoBody.shape));
const TAKE_PROFIT_FIELDS = LEG_FIELDS.takeProfit.union(new Set(['displayAmount']));

/**
 * Returns the command of a POST /api/orders/oco body. Faults are reported in the same order as by `readOrder`.
 * @throws ApiError
 */
export function readOco(body: JsonObject, reader: OrderReader, exchange: Exchange): PlaceOco {
  checkFields(body, FIELDS);
  readFlag(body, 'returnFills');
  readFlag(body, 'returnReceipt');
  const { version } = exchange.state;
  const takeProfitFields = readLeg(body.takeProfit, 'takeProfit', TAKE_PROFIT_FIELDS, version);
  const stopLossFields = readLeg(body.stopLoss, 'stopLoss', LEG_FIELDS.stopLoss, version);
  const clientOrderId = readClientOrderId(body);
  const selfTradePrevention =
    readName(body, 'selfTradePrevention', selfTradePreventions) ?? SelfTradePrevention.expireMaker;
  const expiresAt = readExpiry(body.expiresAt ?? null);
  const market = readMarket(body.symbol, exchange);
  const side = readSide(body);
  const { offGrid } = reader;
  const amount = readAmount(body.amount, market, offGrid);
  const takeProfit = readLegPrices(takeProfitFields, 'takeProfit', 'takeProfit', market, offGrid);
  const displayAmount = readTakeProfitDisplay(takeProfitFields, market, offGrid);
  const stopLoss = readLegPrices(stopLossFields, 'stopLoss', 'stopLoss', market, offGrid);
  if (typeof amount !== 'number' || !fitsBook(takeProfit) || !fitsBook(stopLoss)) {
    const [required] = [takeProfit, stopLoss]
      .map((leg) => requiredFor(market, side, { ...withTrigger(leg, side, market), amount }))
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
    takeProfit: displayAmount === undefined ? takeProfit : { ...takeProfit, displayAmount },
    stopLoss,
  };
}

/** Reads the visible amount of a take-profit leg that rests in the book. */
function readTakeProfitDisplay(leg: JsonObject, market: Market, offGrid: GridError) {
  if (isPresent(leg.triggerPrice)) refuseDisplay(leg, 'takeProfit.');
  return readDisplay(leg, TimeInForce.gtc, market, offGrid, 'takeProfit.displayAmount');
}

/** Returns a leg with the trigger price on which its hold is based. */
function withTrigger({ trailing, ...prices }: LegPrices, side: Side, market: Market) {
  if (trailing === undefined) return prices;
  return { ...prices, triggerPrice: initialTrigger({ side, triggerPrice: 0, trailing }, market) };
}
