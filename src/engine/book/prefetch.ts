import { type CancelOrder, type Command, CommandKind, type PlaceOrder } from '../command.ts';
import type { State } from '../state.ts';
import { NONE, Side } from '../terms.ts';

/**
 * Reads the keys, accounts, balances and orders that the commands of a batch will need first, which
 * are scattered over memory. When commands are applied one by one, each waits for its own cache
 * misses; here reads of different commands do not depend on each other, so the processor fetches
 * them in parallel. Where an address is itself read from memory, the batch takes one step for all
 * commands before the next one.
 *
 * Reading the makers of crossing orders and the price levels of resting ones as well did not pay:
 * finding them takes longer than their cache misses.
 */
export class Prefetch {
  /** Slots of the orders that the batch cancels. */
  private readonly canceled: number[] = [];

  constructor(private readonly state: State) {}

  /**
   * Loads the data of a batch of commands into the CPU cache; does not change the state.
   * @returns A meaningless number that the caller must keep, so that the compiler does not remove
   * the reads.
   */
  run(commands: readonly Command[]): number {
    let sum = 0;
    for (let i = 0; i < commands.length; i++) {
      let command = commands[i]!;
      if (command.kind === CommandKind.executeBy) command = command.command;
      if (command.kind === CommandKind.placeOnConnection) command = command.command;
      if (command.kind === CommandKind.placeOrder) sum += this.readPlacement(command);
      else if (command.kind === CommandKind.cancelOrder) sum += this.readCancel(command);
    }
    return sum + this.readCanceledOrders();
  }

  private readPlacement(command: PlaceOrder): number {
    const { state } = this;
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

  private readCancel(command: CancelOrder): number {
    const { state } = this;
    const slot = state.index.guess(command.orderId);
    const account = state.accounts[command.account];
    const key = state.keys[command.key];
    if (slot === NONE || account === undefined || key === undefined) return 0;
    this.canceled.push(slot);
    return key.revokedAt + account.openSlots.length;
  }

  private readCanceledOrders(): number {
    const { canceled } = this;
    const { orders, details, accounts, markets } = this.state;
    let sum = 0;
    for (const slot of canceled) sum += orders.account(slot) + details.id(slot) + orders.hash(slot);
    for (const slot of canceled) {
      // The neighbors in the price level, and the order that takes its place in the account's list.
      sum += orders.next(orders.previous(slot)) + orders.previous(orders.next(slot));
      const { balances, openSlots } = accounts[orders.account(slot)]!;
      const last = openSlots[openSlots.length - 1];
      if (details.clientOrderId(slot) !== null) sum++;
      if (last !== undefined) sum += details.accountPlace(last);
      const market = markets[details.market(slot)]!;
      const asset = orders.side[slot] === Side.buy ? market.quote : market.base;
      if (balances[asset.index]?.isStale) sum++;
    }
    canceled.length = 0;
    return sum;
  }
}
