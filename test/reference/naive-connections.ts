import type {
  Command,
  CommandKind,
  OpenConnection,
  PlaceOnConnection,
} from '../../src/engine/command.ts';
import { CONNECTION_LEASE_MS, MAX_CONNECTIONS_PER_ACCOUNT } from '../../src/engine/limits.ts';
import { type Rejection, RejectionCode } from '../../src/engine/rejection.ts';
import { reject } from './naive-administration.ts';
import { disconnect, runDates } from './naive-portions.ts';
import type { NaiveConnection, NaiveLease, NaiveOrder, NaiveState } from './naive-state.ts';
import type { NaiveTradeOutcome } from './naive-trading.ts';

export type NaiveConnected =
  | NaiveTradeOutcome
  | { readonly kind: 'connection'; readonly connection: number }
  | { readonly kind: 'done' };

type Closing = Extract<
  Command,
  {
    readonly kind:
      | typeof CommandKind.closeConnection
      | typeof CommandKind.renewNodeConnections
      | typeof CommandKind.closeNodeConnections;
  }
>;

export function openConnection(
  state: NaiveState,
  { account, node }: OpenConnection,
): NaiveConnected {
  const own = state.connections.filter((each) => each.account === account);
  if (state.version < 2 || own.length >= MAX_CONNECTIONS_PER_ACCOUNT) {
    return reject(RejectionCode.limitReached);
  }
  const id = state.nextConnectionId++;
  const lease = activeLease(state, node) ?? {
    id,
    node,
    dueAt: state.time + CONNECTION_LEASE_MS,
  };
  state.connections.push({ id, account, lease });
  return { kind: 'connection', connection: id };
}

export function closeConnection(state: NaiveState, id: number): NaiveConnected {
  const connection = state.connections.find((each) => each.id === id);
  if (connection === undefined) return reject(RejectionCode.connectionClosed);
  return { kind: 'orders', ...disconnect(state, connection) };
}

/** Extends the lease of a node, or ends all its connections. */
export function changeLease(
  state: NaiveState,
  { node }: Extract<Closing, { readonly node: string }>,
  isClosed: boolean,
): NaiveConnected {
  const lease = activeLease(state, node);
  if (lease === undefined) {
    return isClosed ? { kind: 'done' } : reject(RejectionCode.connectionClosed);
  }
  lease.dueAt = isClosed ? state.time : state.time + CONNECTION_LEASE_MS;
  if (isClosed) runDates(state);
  return { kind: 'done' };
}

/** Rejects a placing command of a connection that has ended or belongs to another account. */
export function checkConnection(
  state: NaiveState,
  { connection: id, command }: PlaceOnConnection,
): Rejection | undefined {
  const { account } = 'order' in command ? command.order : command;
  const isOwn = state.connections.some((each) => each.id === id && each.account === account);
  return isOwn ? undefined : reject(RejectionCode.connectionClosed);
}

/** Records the orders that a command placed on a connection. */
export function noteConnection(state: NaiveState, id: number, outcome: NaiveConnected): void {
  const orders: readonly NaiveOrder[] =
    outcome.kind === 'order' ? [outcome.order] : outcome.kind === 'oco' ? outcome.orders : [];
  for (const order of orders) state.orderConnections.set(order.id, id);
}

/** Returns the orders of open connections by id, and all leases. */
export function readConnections(state: NaiveState) {
  const leases = new Map<number, NaiveLease>();
  for (const { lease } of state.connections) leases.set(lease.id, lease);
  const openIds = new Set(state.open.map(({ id }) => id));
  return {
    nextId: state.nextConnectionId,
    leases: [...leases.values()].sort((a, b) => a.id - b.id),
    connections: state.connections.map(({ id, account, lease }) => [id, account, lease.id]),
    orders: [...state.orderConnections]
      .filter(([orderId]) => openIds.has(orderId))
      .sort(([a], [b]) => a - b),
  };
}

/** Returns the connection that ends first, whether it is due or not. */
export function nextConnection({ connections }: NaiveState): NaiveConnection | undefined {
  return connections.toSorted(
    (a, b) => a.lease.dueAt - b.lease.dueAt || a.lease.id - b.lease.id || a.id - b.id,
  )[0];
}

function activeLease({ connections, time }: NaiveState, node: string): NaiveLease | undefined {
  return connections.find(({ lease }) => lease.node === node && lease.dueAt > time)?.lease;
}
