import type { OrderDetails } from '../../book/order-details.ts';
import { type ElementHashes, mix, mixNumber, mixText } from '../../digest.ts';
import { CONNECTION_LEASE_MS } from '../../limits.ts';

/** A client's connection whose orders are canceled when it ends. */
export interface Connection {
  readonly id: number;
  readonly account: number;
  readonly lease: Lease;
}

/** The time until which a node must renew its connections, or they end. */
export interface Lease {
  /** Id of its first connection. */
  readonly id: number;
  readonly node: string;
  /** Milliseconds since 1970; a lease that is due is never renewed. */
  dueAt: number;
  /** In ascending order of their ids; never empty. */
  readonly connections: Set<Connection>;
}

/** The parts of the state that connections need. */
export interface ConnectionState extends ElementHashes {
  readonly details: OrderDetails;
  readonly time: number;
}

/** The connections whose orders are canceled when they end, and their open orders. */
export class ConnectionStore {
  nextId = 1;
  /** In ascending order of their ids. */
  private readonly connections = new Map<number, Connection>();
  /** Number of connections by account. */
  private readonly counts = new Map<number, number>();
  /** Few: one per node, and those that are due. In ascending order of their ids. */
  private readonly leases: Lease[] = [];
  /** Connection id by slot of an open order. */
  private readonly orders = new Map<number, number>();
  /** Id of the connection that the orders being opened belong to; 0 for none. Only within a command. */
  current = 0;
  /** Connection id by order id of the bracket orders that the present command has ended. */
  private readonly brackets = new Map<number, number>();

  constructor(private readonly state: ConnectionState) {}

  get size(): number {
    return this.connections.size;
  }

  /** Number of open orders that belong to a connection. */
  get orderCount(): number {
    return this.orders.size;
  }

  /** When the next lease is due, in milliseconds since 1970; Infinity if there is none. */
  get nextTime(): number {
    let next = Number.POSITIVE_INFINITY;
    for (const { dueAt } of this.leases) if (dueAt < next) next = dueAt;
    return next;
  }

  /** The first connection of the lease that is due first; there must be one. */
  get soonest(): Connection {
    let soonest = this.leases[0]!;
    for (const lease of this.leases) if (lease.dueAt < soonest.dueAt) soonest = lease;
    const [connection] = soonest.connections;
    return connection!;
  }

  get(id: number): Connection | undefined {
    return this.connections.get(id);
  }

  /** Returns the number of connections of an account. */
  count(account: number): number {
    return this.counts.get(account) ?? 0;
  }

  /** Returns all connections, in ascending order of their ids. */
  all(): Iterable<Connection> {
    return this.connections.values();
  }

  /** Returns all leases, in ascending order of their ids. */
  allLeases(): readonly Lease[] {
    return this.leases;
  }

  /** Opens a connection under the lease of its node. */
  open(account: number, node: string): Connection {
    const lease = this.findLease(node) ?? this.addLease(node);
    return this.add({ id: this.nextId++, account, lease });
  }

  /** Restores a lease from a snapshot; its connections must follow. */
  restoreLease(id: number, node: string, dueAt: number): Lease {
    const lease = { id, node, dueAt, connections: new Set<Connection>() };
    this.leases.push(lease);
    this.state.include(hashLease(lease));
    return lease;
  }

  /** Adds a connection with the highest id so far. */
  add(connection: Connection): Connection {
    const { id, account, lease } = connection;
    this.connections.set(id, connection);
    this.counts.set(account, this.count(account) + 1);
    lease.connections.add(connection);
    this.state.include(hashConnection(connection));
    return connection;
  }

  /**
   * Removes a connection. @param slots The open orders of its account.
   * @returns The ids of those that belong to it, the oldest first.
   */
  remove(connection: Connection, slots: readonly number[]): number[] {
    const { id, account, lease } = connection;
    const { details } = this.state;
    const own = this.orders.size === 0 ? [] : slots.filter((slot) => this.orders.get(slot) === id);
    const orderIds = own.map((slot) => details.id(slot)).sort((a, b) => a - b);
    for (const slot of own) this.forget(slot);
    this.connections.delete(id);
    const count = this.count(account) - 1;
    if (count === 0) this.counts.delete(account);
    else this.counts.set(account, count);
    this.state.exclude(hashConnection(connection));
    lease.connections.delete(connection);
    if (lease.connections.size === 0) {
      this.leases.splice(this.leases.indexOf(lease), 1);
      this.state.exclude(hashLease(lease));
    }
    return orderIds;
  }

  /** Moves the time at which the lease of a node is due. @returns False if the node has none. */
  renew(node: string, dueAt: number): boolean {
    const lease = this.findLease(node);
    if (lease === undefined) return false;
    this.state.exclude(hashLease(lease));
    lease.dueAt = dueAt;
    this.state.include(hashLease(lease));
    return true;
  }

  /** Records that an open order belongs to a connection. */
  register(slot: number, connection: number): void {
    this.orders.set(slot, connection);
    this.state.include(hashConnectionOrder(this.state.details.id(slot), connection));
  }

  /** Returns the connection of an open order, or 0. */
  find(slot: number): number {
    return this.orders.get(slot) ?? 0;
  }

  /** Removes an order that ends, or whose connection does. */
  forget(slot: number): void {
    const connection = this.orders.get(slot);
    if (connection === undefined) return;
    this.orders.delete(slot);
    this.state.exclude(hashConnectionOrder(this.state.details.id(slot), connection));
  }

  /** Visits the open orders that belong to a connection, in no particular order. */
  forEachOrder(visit: (slot: number, connection: number) => void): void {
    for (const [slot, connection] of this.orders) visit(slot, connection);
  }

  /** Records that a bracket order of a connection has ended, so that its legs will belong to it too. */
  noteBracket(orderId: number, connection: number): void {
    if (connection !== 0) this.brackets.set(orderId, connection);
  }

  /** Returns the connection of a bracket order that has ended, or 0. */
  findBracket(orderId: number): number {
    return this.brackets.get(orderId) ?? 0;
  }

  /** Called when the legs of all ended bracket orders are activated. */
  clearBrackets(): void {
    if (this.brackets.size > 0) this.brackets.clear();
  }

  /** Returns the lease of a node that is not due. */
  private findLease(node: string): Lease | undefined {
    const { time } = this.state;
    return this.leases.find((lease) => lease.node === node && lease.dueAt > time);
  }

  private addLease(node: string): Lease {
    return this.restoreLease(this.nextId, node, this.state.time + CONNECTION_LEASE_MS);
  }
}

export function hashLease({ id, node, dueAt }: Lease): number {
  return mixText(mixNumber(mixNumber(mix(31, 1), id), dueAt), node);
}

export function hashConnection({ id, account, lease }: Connection): number {
  return mixNumber(mixNumber(mix(mix(32, 1), account), id), lease.id);
}

export function hashConnectionOrder(orderId: number, connection: number): number {
  return mixNumber(mixNumber(mix(33, 1), orderId), connection);
}
