import type { OrderRecord } from '../../engine/event.ts';
import type { Account, Balance } from '../../engine/ledger/accounts.ts';
import type { Market } from '../../engine/markets/markets.ts';
import { difference, type Exact, sum } from '../../engine/numbers/exact.ts';
import { OrderReason, OrderStatus, Side } from '../../engine/terms.ts';
import type { OrderFilter } from '../../history/history.ts';
import type { HiddenFill } from '../../sandbox/faults/slow-fills.ts';
import type { Call } from '../http/request/call.ts';

// While the reports of some fills are late, an account sees its orders as if those fills had not happened yet. Requests that
// change orders still meet the truth: to cancel an order that is filled fails, as on any venue.

type Fills = readonly HiddenFill[];
const NONE: Fills = [];

/** Returns the fills that the caller does not see yet; usually none. */
function listHidden({ services, account }: Call): Fills {
  return services.faults === undefined ? NONE : services.faults.listHidden(account.index);
}

/** Returns an order as its account sees it. */
export function showOrder(call: Call, order: OrderRecord): OrderRecord {
  const hidden = listHidden(call);
  if (hidden.length === 0) return order;
  const fills = hidden.filter(({ orderId }) => orderId === order.id);
  return fills.length === 0 ? order : withoutFills(order, fills);
}

/** Returns fills without those that their account does not see yet. */
export function showFills<Fill extends { readonly tradeId: number }>(
  call: Call,
  fills: readonly Fill[],
): readonly Fill[] {
  const hidden = listHidden(call);
  if (hidden.length === 0) return fills;
  const tradeIds = new Set(hidden.map(({ trade }) => trade.id));
  return fills.filter(({ tradeId }) => !tradeIds.has(tradeId));
}

/** Returns ledger entries without those from the first fill on that their account does not see yet. */
export function showEntries<Entry extends { readonly id: number }>(
  call: Call,
  entries: readonly Entry[],
): readonly Entry[] {
  const [first] = listHidden(call);
  if (first === undefined) return entries;
  const firstId = first.isMaker ? first.trade.makerEntryId : first.trade.takerEntryId;
  return entries.filter(({ id }) => id < firstId);
}

/**
 * Returns a page of orders as their account sees them: those that are open only for lack of a report come first in a list of open
 * orders, and are in no list of final ones.
 */
export async function showOrders(
  call: Call,
  orders: readonly OrderRecord[],
  filter: Pick<OrderFilter, 'statuses' | 'market' | 'side' | 'clientOrderId'> = {
    ...{ statuses: undefined, market: undefined, side: undefined, clientOrderId: undefined },
  },
): Promise<readonly OrderRecord[]> {
  const fills = listHidden(call);
  if (fills.length === 0) return orders;
  const { statuses, market, side, clientOrderId } = filter;
  const known = new Set(orders.map(({ id }) => id));
  const orderIds = [...new Set(fills.map(({ orderId }) => orderId))].filter((id) => !known.has(id));
  const { archivist, replica } = call.services;
  const query = { kind: 'ordersById', account: call.account.index, orderIds } as const;
  const found = (await archivist.query(query, replica.position)) as OrderRecord[];
  const missing = found.filter(
    (order) =>
      statuses?.includes(OrderStatus.open) &&
      (market === undefined || order.market === market) &&
      (side === undefined || order.side === side) &&
      (clientOrderId === undefined || order.clientOrderId === clientOrderId),
  );
  return [...missing, ...orders]
    .map((order) => showOrder(call, order))
    .filter(({ status }) => statuses === undefined || statuses.includes(status));
}

/** Returns the balances of the caller's account as it sees them, by the asset's index. */
export function showBalances(call: Call): Account['balances'] {
  const hidden = listHidden(call);
  if (hidden.length === 0) return call.account.balances;
  const { state } = call.exchange;
  const balances: (Balance | undefined)[] = [...call.account.balances];
  for (const fill of hidden) {
    const market = state.markets[fill.trade.market]!;
    const [given, received] = isBuy(fill)
      ? [market.quote.index, market.base.index]
      : [market.base.index, market.quote.index];
    const gave = withoutReceived(balances[given]!, findRebate(fill));
    balances[given] = withHold(gave, amountGiven(fill, market));
    balances[received] = withoutReceived(balances[received]!, amountReceived(fill, market));
  }
  return balances;
}

function withoutFills(order: OrderRecord, fills: Fills): OrderRecord {
  const add = (start: Exact, values: readonly Exact[]) => values.reduce(sum, start);
  const amount = fills.reduce((total, { trade }) => total + trade.amount, 0);
  const cost = add(
    0,
    fills.map(({ trade }) => trade.cost),
  );
  const fees = add(0, fills.map(findCharge));
  const remaining = order.remaining + amount;
  const isUnfilled = remaining === order.amount;
  const lastChangeAt = isUnfilled ? order.createdAt : fills[0]!.trade.time;
  return {
    ...order,
    remaining,
    filledCost: difference(order.filledCost, cost),
    fees: difference(order.fees, fees),
    status: OrderStatus.open,
    reason: OrderReason.none,
    lastFillAt: isUnfilled ? 0 : lastChangeAt,
    updatedAt: lastChangeAt,
  };
}

/** Returns a balance with what an order gave, which is held until the report arrives. */
function withHold(balance: Balance, given: Exact): Balance {
  return { ...balance, held: sum(balance.held, given) };
}

/** Returns a balance without what an order received; nothing is less than zero, whatever was done with it since. */
function withoutReceived(balance: Balance, received: Exact): Balance {
  const available = difference(balance.available, received);
  return { ...balance, available: available < 0 ? 0 : available };
}

function isBuy({ trade, isMaker }: HiddenFill): boolean {
  return (trade.takerSide === Side.buy) !== isMaker;
}

function findFee({ trade, isMaker }: HiddenFill): Exact {
  return isMaker ? trade.makerFee : trade.takerFee;
}

/** Returns the fee in the asset received: none for a rebate. */
function findCharge(fill: HiddenFill): Exact {
  const fee = findFee(fill);
  return fee < 0 ? 0 : fee;
}

/** Returns the rebate, which is in the asset given. */
function findRebate(fill: HiddenFill): Exact {
  return difference(findCharge(fill), findFee(fill));
}

function amountGiven(fill: HiddenFill, market: Market): Exact {
  return isBuy(fill) ? fill.trade.cost : market.baseAmount(fill.trade.amount);
}

function amountReceived(fill: HiddenFill, market: Market): Exact {
  const gross = isBuy(fill) ? market.baseAmount(fill.trade.amount) : fill.trade.cost;
  return difference(gross, findCharge(fill));
}
