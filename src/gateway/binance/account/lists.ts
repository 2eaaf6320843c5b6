import type { OrderRecord } from '../../../engine/event.ts';
import type { Market } from '../../../engine/markets/markets.ts';
import type { Exact } from '../../../engine/numbers/exact.ts';
import { OrderStatus, Side } from '../../../engine/terms.ts';
import type { Fill, OrderPage, Page, PageTerms } from '../../../history/history.ts';
import { showFills, showOrders } from '../../faults/reports.ts';
import type { BinanceCall } from '../call.ts';
import { decimalText } from '../decimals.ts';
import { type BinanceEndpoint, READ } from '../endpoint.ts';
import { listText, queryHistory, readHistoryPage } from '../history-page.ts';
import { findAllById, resolveNames } from '../orders/find-order.ts';
import { orderText } from '../orders/order-text.ts';
import { listOpenOrders, PENDING_NEW } from '../orders/pending-orders.ts';
import { toSymbol } from '../symbols.ts';

/** The open orders of all markets. */
const OPEN = {
  ...{ statuses: [OrderStatus.open, PENDING_NEW], market: undefined },
  ...{ side: undefined, clientOrderId: undefined },
};

/** GET /api/v3/openOrders. */
async function getOpenOrders(call: BinanceCall): Promise<string> {
  const { given, symbols, exchange, account } = call;
  const market = symbols.readOptional(given);
  given.checkAllRead();
  const { state } = exchange;
  const shown = market === undefined ? new Set(symbols.all) : new Set([market]);
  const marketAt = (order: OrderRecord) => state.markets[order.market]!;
  const open = await showOrders(call, listOpenOrders(state, account), OPEN);
  const orders = open.filter((order) => shown.has(marketAt(order)));
  const names = await resolveNames(call, orders);
  const texts = orders.map((order) => orderText(order, marketAt(order), names(order)));
  return `[${texts.join(',')}]`;
}

/** GET /api/v3/allOrders. */
async function getAllOrders(call: BinanceCall): Promise<string> {
  const market = call.symbols.read(call.given);
  const page = readHistoryPage(call.given, 'orderId');
  call.given.checkAllRead();
  const filter = { ...page.terms, account: call.account.index, market: market.index };
  const found = await queryHistory<OrderPage>(call, { kind: 'orders', filter });
  const all = addPending(call, market, page.terms, found.orders);
  const orders = await showOrders(call, all);
  const names = await resolveNames(call, orders);
  return listText(orders, page, (order) => orderText(order, market, names(order)));
}

/** Adds the orders of a page that wait in a list, which history does not know yet. */
function addPending(
  { exchange: { state }, account }: BinanceCall,
  market: Market,
  { since = 0, until = Number.POSITIVE_INFINITY, afterId = 0, descending, limit }: PageTerms,
  orders: readonly OrderRecord[],
): readonly OrderRecord[] {
  if (state.attachments.size === 0) return orders;
  const known = new Set(orders.map(({ id }) => id));
  const pending = listOpenOrders(state, account).filter(
    ({ id, status, createdAt, market: index }) =>
      status === PENDING_NEW &&
      index === market.index &&
      id > afterId &&
      createdAt >= since &&
      createdAt <= until &&
      !known.has(id),
  );
  const sign = descending ? -1 : 1;
  return [...orders, ...pending].sort((a, b) => sign * (a.id - b.id)).slice(0, limit);
}

/** GET /api/v3/myTrades. */
async function getMyTrades(call: BinanceCall): Promise<string> {
  const { given } = call;
  const market = call.symbols.read(given);
  const orderId = given.integer('orderId');
  const page = readHistoryPage(given, 'fromId');
  given.checkAllRead();
  const filter = { ...page.terms, account: call.account.index, market: market.index, orderId };
  const { items } = await queryHistory<Page<Fill>>(call, { kind: 'fills', filter });
  const orders = await findAllById(call, new Set(items.map((fill) => fill.orderId)));
  const names = await resolveNames(call, [...orders.values()]);
  return listText(showFills(call, items), page, (fill) => {
    const order = orders.get(fill.orderId);
    return fillText(fill, market, order === undefined ? -1 : names(order).orderListId);
  });
}

function fillText(fill: Fill, market: Market, orderListId: number): string {
  const { quote, rules } = market;
  const isBuyer = fill.side === Side.buy;
  const feeAsset = market.feeAsset(fill.side, fill.fee);
  const text = (units: Exact, decimals: number) => decimalText(units, decimals);
  const cost = text(market.notional(fill.price, fill.amount), quote.decimals);
  return (
    `{"symbol":"${toSymbol(market)}","id":${fill.tradeId},"orderId":${fill.orderId},` +
    `"orderListId":${orderListId},"price":"${text(fill.price, rules.priceDecimals)}",` +
    `"qty":"${text(fill.amount, rules.amountDecimals)}","quoteQty":"${cost}",` +
    `"commission":"${text(fill.fee, feeAsset.decimals)}","commissionAsset":"${feeAsset.asset}",` +
    `"time":${fill.time},"isBuyer":${isBuyer},"isMaker":${fill.isMaker},"isBestMatch":true}`
  );
}

export const LIST_ENDPOINTS: readonly BinanceEndpoint[] = [
  {
    ...READ,
    path: '/api/v3/openOrders',
    operation: 'openOrders.status',
    weight: (given) => (given.has('symbol') ? 6 : 80),
    handle: getOpenOrders,
  },
  { ...READ, path: '/api/v3/allOrders', operation: 'allOrders', weight: 20, handle: getAllOrders },
  {
    ...READ,
    path: '/api/v3/myTrades',
    operation: 'myTrades',
    weight: (given) => (given.has('orderId') ? 5 : 20),
    handle: getMyTrades,
  },
];
