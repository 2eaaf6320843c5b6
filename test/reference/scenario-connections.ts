import fc from 'fast-check';
import {
  type Command,
  CommandKind,
  type ExecuteBy,
  type PlacingCommand,
} from '../../src/engine/command.ts';
import type { NaiveState } from './naive-state.ts';
import { actor, toActor, weighted } from './scenario-parts.ts';

/** Moves of connections whose orders are canceled when they end, and of the nodes that have them. */
export const connect = fc.record({
  kind: fc.constant('connect' as const),
  what: weighted<'open' | 'close' | 'renew' | 'closeNode'>(
    [12, 'open'],
    [4, 'close'],
    [6, 'renew'],
    [1, 'closeNode'],
  ),
  actor,
  account: fc.nat(49),
  which: fc.nat(9),
  node: fc.constantFrom('one', 'one', 'two'),
});
type Connect = typeof connect extends fc.Arbitrary<infer T> ? T : never;

export function toConnection(
  { what, actor, account, which, node }: Connect,
  state: NaiveState,
): Command {
  switch (what) {
    case 'open': {
      const owner = 1 + (account % (state.accounts.length - 1));
      return { kind: CommandKind.openConnection, ...toActor(actor, owner), node };
    }
    case 'close': {
      const { connections, nextConnectionId } = state;
      const connection = connections[which % (connections.length + 1)]?.id ?? nextConnectionId;
      return { kind: CommandKind.closeConnection, connection };
    }
    case 'renew':
      return { kind: CommandKind.renewNodeConnections, node };
    case 'closeNode':
      return { kind: CommandKind.closeNodeConnections, node };
  }
}

/** Gives a sixth of the orders, amendments and cancellations a deadline: just passed, now, or soon. @param time The time of the command */
export function withDeadline(
  command: Command,
  time: number,
  { version, nextOrderId }: NaiveState,
): Command {
  const choice = (nextOrderId + time) % 18;
  if (version < 2 || choice > 2 || command.kind === CommandKind.executeBy) return command;
  return {
    kind: CommandKind.executeBy,
    deadline: time + [-1, 0, 5000][choice]!,
    command: command as ExecuteBy['command'],
  };
}

/** Places an order on a connection of its account, rarely on another one; without any, on none. */
export function onConnection(
  command: PlacingCommand,
  back: number | null,
  { connections, nextOrderId }: NaiveState,
): Command {
  if (back === null || connections.length === 0) return command;
  const { account } = command.kind === CommandKind.placeBracket ? command.order : command;
  const isWrong = nextOrderId % 20 === 0;
  const own = isWrong ? connections : connections.filter((each) => each.account === account);
  const connection = own.at(-1 - back)?.id;
  if (connection === undefined) return command;
  return { kind: CommandKind.placeOnConnection, connection, command };
}
