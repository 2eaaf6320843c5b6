import {
  type Command,
  CommandKind,
  type ExecuteBy,
  type PlacingCommand,
} from '../../src/engine/command.ts';
import { CLIENT_ORDER_ID_LIFETIME_MS, MAX_REMEMBERED } from '../../src/engine/limits.ts';
import type { NaiveState } from './naive-state.ts';

/**
 * Lowers the limits of what the engine remembers, so that a scenario exceeds them.
 * @returns A function that restores the limits.
 */
export function rememberLittle(): () => void {
  const before = { ...MAX_REMEMBERED };
  Object.assign(MAX_REMEMBERED, {
    clientOrderIds: 2,
    transfers: 12,
    deposits: 3,
    unpaidWithdrawals: 2,
  });
  return () => Object.assign(MAX_REMEMBERED, before);
}

/**
 * Adds the result of a search of history, as the gateway would. `state` contains everything that
 * history would know. A few commands are left without it, which the engine must reject if it cannot
 * know.
 */
export function searched(command: Command, state: NaiveState): Command {
  if (state.version < 2) return command;
  if (command.kind === CommandKind.placeOnConnection) {
    return { ...command, command: searched(command.command, state) as PlacingCommand };
  }
  if (command.kind === CommandKind.executeBy) {
    return { ...command, command: searched(command.command, state) as ExecuteBy['command'] };
  }
  if (command.kind === CommandKind.placeBracket) {
    return { ...command, order: { ...command.order, ...toSearch(command.order, state) } };
  }
  if (command.kind === CommandKind.transfer) {
    const isKnown = state.transfers.some(({ reference }) => reference === command.reference);
    const isSearched = !isKnown && state.nextTransferId % 4 > 0;
    return isSearched ? { ...command, searchedBelow: state.nextTransferId } : command;
  }
  const isPlacing =
    command.kind === CommandKind.placeOrder ||
    command.kind === CommandKind.placeStopOrder ||
    command.kind === CommandKind.placeOco;
  return isPlacing ? { ...command, ...toSearch(command, state) } : command;
}

function toSearch(
  { account, clientOrderId }: { readonly account: number; readonly clientOrderId: string | null },
  state: NaiveState,
): { readonly searchedBelow?: number } {
  if (clientOrderId === null || state.nextOrderId % 4 === 0) return {};
  const isKnown = state.placed.some(
    (each) =>
      each.account === account &&
      each.clientOrderId === clientOrderId &&
      state.time - each.time < CLIENT_ORDER_ID_LIFETIME_MS,
  );
  return isKnown ? {} : { searchedBelow: state.nextOrderId };
}
