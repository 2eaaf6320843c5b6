import type { ByteReader, ByteWriter } from '../numbers/bytes.ts';
import { invariant } from '../rejection.ts';
import type { State } from '../state.ts';
import { NONE } from '../terms.ts';

/** Writes the connections whose orders are canceled when they end, and those orders. */
export function writeConnections(writer: ByteWriter, { connections, details }: State): void {
  writer.number(connections.nextId);
  const leases = connections.allLeases();
  writer.uint32(leases.length);
  for (const { id, node, dueAt } of leases) {
    writer.number(id);
    writer.text(node);
    writer.number(dueAt);
  }
  writer.uint32(connections.size);
  for (const { id, account, lease } of connections.all()) {
    writer.number(id);
    writer.uint32(account);
    writer.number(lease.id);
  }
  const orders: (readonly [number, number])[] = [];
  connections.forEachOrder((slot, connection) => orders.push([details.id(slot), connection]));
  writer.uint32(orders.length);
  for (const [orderId, connection] of orders.sort(([a], [b]) => a - b)) {
    writer.number(orderId);
    writer.number(connection);
  }
}

/** Reads the connections. Must follow the orders. */
export function readConnections(reader: ByteReader, { connections, index }: State): void {
  connections.nextId = reader.number();
  const leases = new Map(
    Array.from({ length: reader.uint32() }, () => {
      const lease = connections.restoreLease(reader.number(), reader.text(), reader.number());
      return [lease.id, lease];
    }),
  );
  for (let left = reader.uint32(); left > 0; left--) {
    const [id, account] = [reader.number(), reader.uint32()];
    const lease = leases.get(reader.number());
    invariant(lease !== undefined, `connection ${id} has no lease`);
    connections.add({ id, account, lease });
  }
  for (let left = reader.uint32(); left > 0; left--) {
    const slot = index.find(reader.number());
    invariant(slot !== NONE, 'a connection has an order that is not open');
    connections.register(slot, reader.number());
  }
}
