import { type CancelOrder, type Command, CommandKind, type PlaceOrder } from '../command.ts';
import type { State } from '../state.ts';
import { NONE, Side } from '../terms.ts';

/**
 * Reads the keys, accounts, balances and orders that the commands of a batch will need first, which
 * are scattered over memory. When commands are applied one by one, each waits for its own cache
 * misses; here reads of different commands do not depend on each other, so the processor fetches
 * them in parallel. This reduced the time per order on the serving thread by 10 to 20 %.
 *
 * Reading the makers of crossing orders and the price levels of resting ones as well did not pay:
 * finding them takes longer than their cache misses.
 *
 * @returns A meaningless number that the caller must keep, so that the compiler does not remove the
 * reads.
 */
export function prefetch(state: State, commands: readonly Command[]): number {
  let sum = 0;
  for (let i = 0; i < commands.length; i++) {
    const outer = commands[i]!;
    const command = outer.kind === CommandKind.placeOnConnection ? outer.command : outer;
    if (command.kind === CommandKind.placeOrder) sum += prefetchPlacement(state, command);
    else if (command.kind === CommandKind.cancelOrder) sum += prefetchCancel(state, command);
  }
  return sum;
}

function prefetchPlacement(state: State, command: PlaceOrder): number {
  const account = state.accounts[command.account];
  const key = state.keys[command.key];
  const market = state.markets[command.market];
  if (account === undefined || key === undefined || market === undefined) return 0;
  const { balances, openSlots, recentIds } = account;
  let sum = key.revokedAt + openSlots.length;
  if (command.clientOrderId !== null && recentIds !== undefined) sum += recentIds.prefetch();
  if (balances[market.base.index]?.isStale) sum++;
  if (balances[market.quote.index]?.isStale) sum++;
  return sum;
}

function prefetchCancel(state: State, command: CancelOrder): number {
  const slot = state.index.find(command.orderId);
  const account = state.accounts[command.account];
  const key = state.keys[command.key];
  if (slot === NONE || account === undefined || key === undefined) return 0;
  const { orders } = state;
  const market = state.markets[state.details.market(slot)]!;
  const asset = orders.side[slot] === Side.buy ? market.quote : market.base;
  const { balances, openSlots } = account;
  // The order that takes its place in the account's list, and its neighbors in the price level.
  const last = openSlots[openSlots.length - 1];
  let sum = key.revokedAt + orders.next(orders.previous(slot)) + orders.previous(orders.next(slot));
  if (last !== undefined) sum += state.details.accountPlace(last);
  const clientOrderId = state.details.clientOrderId(slot);
  if (clientOrderId !== null) sum += clientOrderId.charCodeAt(0);
  if (balances[asset.index]?.isStale) sum++;
  return sum;
}
