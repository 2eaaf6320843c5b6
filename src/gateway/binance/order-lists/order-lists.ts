import type { OrderRecord } from '../../../engine/event.ts';
import type { Market } from '../../../engine/markets/markets.ts';
import type { OrderPage } from '../../../history/history.ts';
import { ApiError } from '../../http/response/errors.ts';
import type { BinanceCall } from '../call.ts';
import { type BinanceEndpoint, READ } from '../endpoint.ts';
import { BinanceError, noSuchOrder, unknownOrder } from '../errors.ts';
import { queryHistory, readHistoryPage } from '../history-page.ts';
import { orderNames, readListNames } from '../orders/order-names.ts';
import { canceledText, executeCancelInList, readNewClientOrderId } from '../orders/orders.ts';
import { findList, findListByName, findLists, listOpenLists } from './find-list.ts';
import { isOpenOrPending, listName, listText, type OrderList } from './list-text.ts';
import { readOcoRequest, readOlderOcoRequest } from './oco-request.ts';
import { readOtocoRequest, readOtoRequest } from './oto-request.ts';
import { placeOco, placeOto } from './placing.ts';

/** Maximum orders of history that a query for lists examines. */
const MAX_EXAMINED = 10_000;

/** GET /api/v3/orderList. */
async function queryList(call: BinanceCall): Promise<string> {
  const list = await readList(call, 'origClientOrderId')();
  if (list === undefined) throw noSuchOrder();
  return listText(list, marketAt(call, list));
}

/** DELETE /api/v3/orderList: cancels all its orders. */
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

/** Cancels the first open order of a list, which ends all of them. @throws BinanceError -2011 */
async function cancelOpen(call: BinanceCall, list: OrderList): Promise<OrderList> {
  const open = list.find(isOpenOrPending);
  if (open === undefined) throw unknownOrder();
  try {
    await executeCancelInList(call, open);
  } catch (error) {
    const isGone = error instanceof ApiError && error.code.startsWith('ORDER_NOT');
    throw isGone ? unknownOrder() : error;
  }
  return (await findList(call, list[0].id))!;
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
    const list = id === undefined ? await findListByName(call, name!) : await findList(call, id);
    return list === undefined || name === undefined || listName(list) === name ? list : undefined;
  };
}

/** GET /api/v3/openOrderList. */
async function queryOpenLists(call: BinanceCall): Promise<string> {
  call.given.checkAllRead();
  return toTexts(call, await listOpenLists(call));
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
    firsts.push(...page.orders.filter((order) => readListNames(order) !== undefined));
    edge = page.orders.length < 1000 ? page.searchedTo : page.orders.at(-1)!.id;
    if (edge === undefined) break;
    examined += 1000;
  }
  const shown = firsts.slice(0, limit);
  const found = await findLists(
    call,
    shown.map(({ id }) => id),
  );
  return toTexts(call, isReversed ? found.reverse() : found);
}

function toTexts(call: BinanceCall, lists: readonly OrderList[]): string {
  return `[${lists.map((list) => listText(list, marketAt(call, list))).join(',')}]`;
}

function marketAt({ exchange }: BinanceCall, [first]: OrderList): Market {
  return exchange.state.markets[first.market]!;
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
    orders: 2,
    handle: (call) => placeOto(call, readOtoRequest(call)),
  },
  {
    ...place,
    path: '/api/v3/orderList/otoco',
    operation: 'orderList.place.otoco',
    orders: 3,
    handle: (call) => placeOto(call, readOtocoRequest(call)),
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
