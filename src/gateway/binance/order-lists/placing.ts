import type { PlaceBracket } from '../../../engine/command.ts';
import type { OrderRecord } from '../../../engine/event.ts';
import type { Market } from '../../../engine/markets/markets.ts';
import { parseUnits } from '../../../engine/numbers/units.ts';
import { executeOco } from '../../endpoints/orders/oco.ts';
import { prepareOrder, submitOrder } from '../../endpoints/orders/orders.ts';
import type { JsonNumber, JsonObject } from '../../http/json.ts';
import { readOco } from '../../orders/oco-request.ts';
import { readOrder } from '../../orders/order-request.ts';
import type { BinanceCall } from '../call.ts';
import { BinanceError, badListPrices, NEW_ORDER_REJECTED } from '../errors.ts';
import { joinNames, type ListNames, orderNames } from '../orders/order-names.ts';
import { placedText, RESPONSE_TYPES } from '../orders/orders.ts';
import { listPending } from '../orders/pending-orders.ts';
import { findList, listOpenLists } from './find-list.ts';
import { listName, listText, type OrderList } from './list-text.ts';
import type { ListRequest } from './oco-request.ts';

/** Places an OCO order. */
export async function placeOco(
  call: BinanceCall,
  { market, body, names }: ListRequest,
): Promise<string> {
  const type = readResponseType(call);
  const { clientOrderId, isRepeated } = await claimNames(call, names);
  if (!isRepeated) checkLimit(body, market);
  const [first, second] = await executeOco(call, body, (...terms) => ({
    ...readOco(...terms),
    clientOrderId,
  }));
  return placedList(market, [first!, second!], type);
}

/** Places an order that triggers one order, or an OCO order, once it is filled completely. */
export async function placeOto(
  call: BinanceCall,
  { market, body, names }: ListRequest,
): Promise<string> {
  const type = readResponseType(call);
  const { clientOrderId } = await claimNames(call, names);
  const prepared = await prepareOrder(call, body, (...terms) => {
    const command = readOrder(...terms) as PlaceBracket;
    return { ...command, order: { ...command.order, clientOrderId } };
  });
  return submitOrder(
    call,
    prepared,
    // Pending orders are shown as such, whatever has become of them at once (rest-api.md, "New Order list - OTO").
    (working) => placedList(market, [working, ...listPending(working)], type),
    async ({ id }) => placedList(market, (await findList(call, id))!, type),
  );
}

function readResponseType(call: BinanceCall) {
  const type = call.given.choice('newOrderRespType', RESPONSE_TYPES) ?? 'RESULT';
  call.given.checkAllRead();
  return type;
}

/** Returns the client order id of a list. @throws BinanceError -2010 if another open list has its name */
async function claimNames(
  call: BinanceCall,
  names: ListNames,
): Promise<{ clientOrderId: string; isRepeated: boolean }> {
  const clientOrderId = joinNames(names);
  const open = await listOpenLists(call);
  const isRepeated = open.some(([first]) => first.clientOrderId === clientOrderId);
  if (!isRepeated && open.some((list) => listName(list) === names.list)) {
    throw new BinanceError(NEW_ORDER_REJECTED, 'Duplicate order sent.');
  }
  return { clientOrderId, isRepeated };
}

function placedList(
  market: Market,
  list: OrderList,
  type: (typeof RESPONSE_TYPES)[number],
): string {
  const [first] = list;
  const report = (order: OrderRecord) =>
    placedText(order, market, type, [], orderNames(order, first));
  return listText(list, market, list.map(report));
}

/** A limit order of a list must be on the winning side of the last price; triggers are checked by the exchange. */
function checkLimit({ side, takeProfit }: JsonObject, market: Market): void {
  const { price, triggerPrice } = takeProfit as JsonObject;
  if (triggerPrice !== undefined) return;
  const units = parseUnits((price as JsonNumber).text, market.rules.priceDecimals);
  if (typeof units === 'string') return;
  if (side === 'sell' ? units > market.price : units < market.price) return;
  throw badListPrices();
}
