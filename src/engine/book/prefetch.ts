import { type Command, CommandKind } from '../command.ts';
import type { State } from '../state.ts';

/**
 * Reads what the orders of a batch will look at first: their keys, accounts and balances, which lie
 * apart in memory. Read one order after the other, each waits for its own; read here, where no order
 * depends on the one before, the processor fetches them side by side. It took a tenth to a fifth off
 * the serving thread's time for an order.
 *
 * @returns A number of no meaning, to be kept somewhere: a compiler drops reads that lead to nothing.
 */
export function prefetch(state: State, commands: readonly Command[]): number {
  const { accounts, keys, markets, index } = state;
  let sum = 0;
  for (const command of commands) {
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
