import { type Command, CommandKind } from '../command.ts';
import type { State } from '../state.ts';

/**
 * Reads the keys, accounts and balances that the orders of a batch will need first, which are
 * scattered over memory. When orders are applied one by one, each waits for its own cache misses;
 * here no read depends on another one, so the processor fetches them in parallel. This reduced the
 * time per order on the serving thread by 10 to 20 %.
 *
 * @returns A meaningless number that the caller must keep, so that the compiler does not remove the
 * reads.
 */
export function prefetch(state: State, commands: readonly Command[]): number {
  const { accounts, keys, markets, index } = state;
  let sum = 0;
  for (const outer of commands) {
    const command = outer.kind === CommandKind.placeOnConnection ? outer.command : outer;
    if (command.kind === CommandKind.cancelOrder) sum += index.find(command.orderId);
    if (command.kind !== CommandKind.placeOrder) continue;
    const account = accounts[command.account];
    const key = keys[command.key];
    const market = markets[command.market];
    if (account === undefined || key === undefined || market === undefined) continue;
    const { balances, openSlots, recentIds } = account;
    sum += key.revokedAt + openSlots.length;
    if (command.clientOrderId !== null && recentIds !== undefined) sum += recentIds.count;
    if (balances[market.base.index]?.isStale) sum++;
    if (balances[market.quote.index]?.isStale) sum++;
  }
  return sum;
}
