import type { DepositAddress } from '../engine/custody/custody-records.ts';
import type { OrderRecord } from '../engine/event.ts';
import type { State } from '../engine/state.ts';
import {
  type Fill,
  type FoundRecords,
  type HistoryReader,
  type RecordSearchFilter,
  toRecordId,
} from '../history/history.ts';

/** Records of all accounts that an operator looks for, in the state and in history. */
export interface FoundEverywhere extends FoundRecords {
  /** The takers' fills of trades. */
  readonly trades: readonly Fill[];
  readonly addresses: readonly DepositAddress[];
}

/** Finds records of all accounts in the state and in history, each once. The state is read before the first await. */
export async function searchState(
  state: State,
  reader: HistoryReader,
  filter: RecordSearchFilter,
): Promise<FoundEverywhere> {
  const { text, limit } = filter;
  const id = toRecordId(text);
  const { store } = state.parts.custody;
  const has = (each: { readonly id: number; readonly transaction: string }) =>
    each.id === id || each.transaction === text;
  const orders = listOpenOrders(state, text, id);
  const transfers = [...state.transfers.values()].filter(
    (each) => each.id === id || each.reference === text || isPart(each.reference, text),
  );
  const addresses = [...store.addresses.values()].filter(
    ({ address, memo }) => address === text || (memo !== '' && memo === text),
  );
  const deposits = [...store.openDeposits.values(), ...store.endedDeposits.values()].filter(has);
  const withdrawals = [...store.withdrawals.values()].filter(has);
  const markets = state.markets.map(({ index }) => index);
  const ended = await reader.searchRecords(filter, state.accounts.length);
  return {
    trades: await findTrades(reader, markets, id, limit),
    addresses: addresses.slice(0, limit),
    orders: merge(orders, ended.orders, limit),
    transfers: merge(transfers, ended.transfers, limit),
    deposits: merge(deposits, ended.deposits, limit),
    withdrawals: merge(withdrawals, ended.withdrawals, limit),
  };
}

/** Minimum characters of a part of a reference. */
const MIN_PART = 4;

function isPart(reference: string, text: string): boolean {
  return text.length >= MIN_PART && reference.toLowerCase().includes(text.toLowerCase());
}

/** Finds the takers' fills of the trades with an id, one market after another. */
async function findTrades(
  reader: HistoryReader,
  markets: readonly number[],
  id: number | undefined,
  limit: number,
): Promise<Fill[]> {
  const found: Fill[] = [];
  if (id === undefined) return found;
  for (const market of markets) {
    if (found.length === limit) break;
    const [fill] = await reader.trades({ market, fromId: id, descending: false, limit: 1 });
    if (fill?.tradeId === id) found.push(fill);
  }
  return found;
}

function listOpenOrders(state: State, text: string, id: number | undefined): OrderRecord[] {
  const own = id === undefined ? undefined : state.openOrder(id);
  const found = own === undefined ? [] : [own];
  for (const account of state.accounts) {
    if (account.openOrders === 0) continue;
    const placed = state.clientOrderIds.find(account, text);
    const order = placed === undefined ? undefined : state.openOrder(placed.orderId);
    if (order?.account === account.index && order.clientOrderId === text) found.push(order);
  }
  return found;
}

/** Returns records once each, the newest first. */
function merge<Item extends { readonly id: number }>(
  current: readonly Item[],
  ended: readonly Item[],
  limit: number,
): Item[] {
  const byId = new Map([...ended, ...current].map((item) => [item.id, item]));
  return [...byId.values()].sort((a, b) => b.id - a.id).slice(0, limit);
}
