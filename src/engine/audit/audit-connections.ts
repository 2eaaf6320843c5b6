import {
  hashConnection,
  hashConnectionOrder,
  hashLease,
} from '../orders/connections/connection-store.ts';
import { invariant } from '../rejection.ts';
import type { State } from '../state.ts';

/**
 * Checks that connections are found by their lease and counted by their account, and that the orders of a
 * connection are open orders of its account.
 */
export function auditConnections(state: State): void {
  const { connections, accounts, orders, details, index } = state;
  const counts = new Map<number, number>();
  for (const connection of connections.all()) {
    const { id, account, lease } = connection;
    counts.set(account, (counts.get(account) ?? 0) + 1);
    const isFit = id < connections.nextId && accounts[account] !== undefined;
    invariant(isFit, `connection ${id} has no account or no valid id`);
    const isListed = lease.connections.has(connection) && connections.allLeases().includes(lease);
    invariant(isListed, `connection ${id} is not under its lease`);
  }
  for (const { index } of accounts) {
    const isCounted = connections.count(index) === (counts.get(index) ?? 0);
    invariant(isCounted, `the connections of account ${index} are not counted`);
  }
  let leased = 0;
  for (const lease of connections.allLeases()) {
    invariant(lease.connections.size > 0, `the lease of ${lease.node} has no connections`);
    leased += lease.connections.size;
  }
  invariant(leased === connections.size, 'a lease has connections that are not open');
  connections.forEachOrder((slot, id) => {
    const orderId = details.id(slot);
    const isOpen = index.find(orderId) === slot;
    const isOwn = isOpen && connections.get(id)?.account === orders.account(slot);
    invariant(isOwn, `order ${orderId} belongs to connection ${id}, which is not its account's`);
  });
  invariant(connections.current === 0, 'a command has left its connection behind');
}

/** Returns the sum of the hashes of all leases, connections and their orders. */
export function sumConnectionHashes({ connections, details }: State): number {
  let hashes = 0;
  const include = (hash: number) => {
    hashes = (hashes + hash) | 0;
  };
  for (const lease of connections.allLeases()) include(hashLease(lease));
  for (const connection of connections.all()) include(hashConnection(connection));
  connections.forEachOrder((slot, id) => include(hashConnectionOrder(details.id(slot), id)));
  return hashes;
}
