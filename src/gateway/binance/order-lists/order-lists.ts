import type { OrderRecord } from '../../../engine/event.ts';
import type { Market } from '../../../engine/markets/markets.ts';
import { parseUnits } from '../../../engine/numbers/units.ts';
import { OrderStatus } from '../../../engine/terms.ts';
import type { OrderPage } from '../../../history/history.ts';
import { executeOco } from '../../endpoints/orders/oco.ts';
import { executeCancel } from '../../endpoints/orders/orders.ts';
import type { JsonNumber, JsonObject } from '../../http/json.ts';
import { ApiError } from '../../http/response/errors.ts';
import { readOco } from '../../orders/oco-request.ts';
import type { BinanceCall } from '../call.ts';
import { type BinanceEndpoint, READ } from '../endpoint.ts';
import { BinanceError, NEW_ORDER_REJECTED, noSuchOrder, unknownOrder } from '../errors.ts';
import { queryHistory, readHistoryPage } from '../history-page.ts';
import { findById, findExact } from '../orders/find-order.ts';
import { joinNames, orderNames, readListNames } from '../orders/order-names.ts';
import {
  canceledText,
  placedText,
  RESPONSE_TYPES,
  readNewClientOrderId,
} from '../orders/orders.ts';
import { isOpen, listName, listText, type OrderList } from './list-text.ts';
import {
  type OcoRequest,
  readOcoRequest,
  readOlderOcoRequest,
  unsupported,
} from './oco-request.ts';

/** Maximum orders of history that a query for lists examines. */
const MAX_EXAMINED = 10_000;

async function placeOco(call: BinanceCall, { market, body, names }: OcoRequest): Promise<string> {
  const type = call.given.choice('newOrderRespType', RESPONSE_TYPES) ?? 'RESULT';
  call.given.checkAllRead();
  const clientOrderId = joinNames(names);
  const open = await openLists(call);
  const isRepeated = open.some(([first]) => first.clientOrderId === clientOrderId);
  if (!isRepeated) {
    const isUsed = open.some((list) => listName(list) === names.list);
    if (isUsed) throw new BinanceError(NEW_ORDER_REJECTED, 'Duplicate order sent.');
    checkLimit(body, market);
  }
  const [first, second] = await executeOco(call, body, (...terms) => ({
    ...readOco(...terms),
    clientOrderId,
  }));
  const list: OrderList = [first!, second!];
  const reports = list.map((order) =>
    placedText(order, market, type, [], orderNames(order, first)),
  );
  return listText(list, market, reports);
}

/** A limit order of a list must be on the winning side of the last price; triggers are checked by the exchange. */
function checkLimit({ side, takeProfit }: JsonObject, market: Market): void {
  const { price, triggerPrice } = takeProfit as JsonObject;
  if (triggerPrice !== undefined) return;
  const units = parseUnits((price as JsonNumber).text, market.rules.priceDecimals);
  if (typeof units === 'string') return;
  if (side === 'sell' ? units > market.price : units < market.price) return;
  const message = 'The relationship of the prices for the orders is not correct.';
  throw new BinanceError(NEW_ORDER_REJECTED, message);
}

/** GET /api/v3/orderList. */
async function queryList(call: BinanceCall): Promise<string> {
  const list = await readList(call, 'origClientOrderId')();
  if (list === undefined) throw noSuchOrder();
  return listText(list, marketAt(call, list));
}

/** DELETE /api/v3/orderList: cancels both orders. */
async function cancelList(call: BinanceCall): Promise<string> {
  const market = call.symbols.read(call.given);
  const newId = readNewClientOrderId(call);
  const find = readList(call, 'listClientOrderId');
  const list = await find();
  if (list === undefined || list[0].market !== market.index) throw unknownOrder();
  const canceled = await cancelOpen(call, list);
  const [first] = canceled;
  const reports = canceled.map((order) =>
    canceledText(order, market, newId, orderNames(order, first)),
  );
  return listText(canceled, market, reports);
}

/** Cancels an open order of a list, which ends both if both are open. @throws BinanceError -2011 */
async function cancelOpen(call: BinanceCall, list: OrderList): Promise<OrderList> {
  const open = list.find(({ status }) => status === OrderStatus.open);
  if (open === undefined) throw unknownOrder();
  try {
    await executeCancel(call, open.id);
  } catch (error) {
    const isGone = error instanceof ApiError && error.code.startsWith('ORDER_NOT');
    throw isGone ? unknownOrder() : error;
  }
  const [first, second] = await Promise.all(list.map(({ id }) => findById(call, id)));
  return [first!, second!];
}

/** Reads which list a request means. @returns Finds it. @throws BinanceError -1102 */
function readList(call: BinanceCall, nameParameter: string): () => Promise<OrderList | undefined> {
  const { given } = call;
  const id = given.integer('orderListId');
  const name = given.clientOrderId(nameParameter);
  given.checkAllRead();
  if (id === undefined && name === undefined) {
    throw new BinanceError(
      -1102,
      `Param '${nameParameter}' or 'orderListId' must be sent, but both were empty/null!`,
    );
  }
  return async () => {
    const list = id === undefined ? await findByName(call, name!) : await findList(call, id);
    return list === undefined || name === undefined || listName(list) === name ? list : undefined;
  };
}

/** Returns the open list of that name, or the last one that names no orders of its own. */
async function findByName(call: BinanceCall, name: string): Promise<OrderList | undefined> {
  const open = (await openLists(call)).find((list) => listName(list) === name);
  if (open !== undefined) return open;
  const first = await findExact(call, joinNames({ list: name, first: '', second: '' }));
  return first === undefined ? undefined : findList(call, first.id);
}

/** Returns the list whose first order has this id. */
async function findList(call: BinanceCall, id: number): Promise<OrderList | undefined> {
  const [first, second] = await Promise.all([findById(call, id), findById(call, id + 1)]);
  const isList = first !== undefined && readListNames(first.clientOrderId) !== undefined;
  return isList && second !== undefined ? [first, second] : undefined;
}

/** Returns the account's lists with an open order, the oldest first. */
async function openLists(call: BinanceCall): Promise<OrderList[]> {
  const orders = call.exchange.state.accountOpenOrders(call.account);
  const ids = new Set<number>();
  for (const { id, clientOrderId } of orders) {
    if (readListNames(clientOrderId) !== undefined) ids.add(id);
    else if (clientOrderId === null && !ids.has(id - 1)) ids.add(id - 1);
  }
  const found = await Promise.all([...ids].map((id) => findList(call, id)));
  return found.filter((list) => list !== undefined).filter(isOpen);
}

/** GET /api/v3/openOrderList. */
async function queryOpenLists(call: BinanceCall): Promise<string> {
  call.given.checkAllRead();
  return toTexts(call, await openLists(call));
}

/** GET /api/v3/allOrderList. */
async function queryAllLists(call: BinanceCall): Promise<string> {
  const { terms, isReversed } = readHistoryPage(call.given, 'fromId');
  call.given.checkAllRead();
  const { limit } = terms;
  const firsts: OrderRecord[] = [];
  let edge: number | undefined;
  for (let examined = 0; examined < MAX_EXAMINED && firsts.length < limit; ) {
    const from = edge === undefined ? {} : isReversed ? { beforeId: edge } : { afterId: edge };
    const filter = { ...terms, ...from, limit: 1000, account: call.account.index };
    const page = await queryHistory<OrderPage>(call, { kind: 'orders', filter });
    firsts.push(...page.orders.filter((order) => readListNames(order.clientOrderId)));
    edge = page.orders.length < 1000 ? page.searchedTo : page.orders.at(-1)!.id;
    if (edge === undefined) break;
    examined += 1000;
  }
  const shown = firsts.slice(0, limit);
  const lists = await Promise.all(shown.map(({ id }) => findList(call, id)));
  const found = lists.filter((list) => list !== undefined);
  return toTexts(call, isReversed ? found.reverse() : found);
}

function toTexts(call: BinanceCall, lists: readonly OrderList[]): string {
  return `[${lists.map((list) => listText(list, marketAt(call, list))).join(',')}]`;
}

function marketAt({ exchange }: BinanceCall, [first]: OrderList): Market {
  return exchange.state.markets[first.market]!;
}

/**
 * POST /api/v3/orderList/oto and /api/v3/orderList/otoco. Binance names the ids of the pending orders at once; here the
 * orders attached to another one get theirs when it ends (docs/decisions/0035-brackets-activate-when-the-order-ends.md).
 */
function rejectPending(): never {
  throw unsupported();
}

const place = {
  method: 'POST',
  access: 'place',
  weight: 1,
  takesOrders: true,
} as const;
export const ORDER_LIST_ENDPOINTS: readonly BinanceEndpoint[] = [
  {
    ...place,
    path: '/api/v3/orderList/oco',
    operation: 'orderList.place.oco',
    orders: 2,
    handle: (call) => placeOco(call, readOcoRequest(call)),
  },
  {
    ...place,
    path: '/api/v3/order/oco',
    operation: 'orderList.place',
    orders: 2,
    handle: (call) => placeOco(call, readOlderOcoRequest(call)),
  },
  {
    ...place,
    path: '/api/v3/orderList/oto',
    operation: 'orderList.place.oto',
    handle: rejectPending,
  },
  {
    ...place,
    path: '/api/v3/orderList/otoco',
    operation: 'orderList.place.otoco',
    handle: rejectPending,
  },
  {
    method: 'DELETE',
    access: 'trade',
    weight: 1,
    path: '/api/v3/orderList',
    operation: 'orderList.cancel',
    handle: cancelList,
  },
  {
    ...READ,
    weight: 4,
    path: '/api/v3/orderList',
    operation: 'orderList.status',
    handle: queryList,
  },
  {
    ...READ,
    weight: 20,
    path: '/api/v3/allOrderList',
    operation: 'allOrderLists',
    handle: queryAllLists,
  },
  {
    ...READ,
    weight: 6,
    path: '/api/v3/openOrderList',
    operation: 'openOrderLists.status',
    handle: queryOpenLists,
  },
];
