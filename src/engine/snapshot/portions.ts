import type { ByteReader, ByteWriter } from '../numbers/bytes.ts';
import { addSweep } from '../orders/sweeps.ts';
import type { Reach } from '../orders/triggered-orders.ts';
import type { State } from '../state.ts';

/** Writes the work that is left for the next portions (engine version 2). */
export function writePortions(
  writer: ByteWriter,
  { sweeps, triggered, markets, details }: State,
): void {
  writer.number(sweeps.nextId);
  writer.int32(sweeps.endsLeft);
  writer.int32(triggered.left);
  writer.uint32(sweeps.queue.length);
  for (const { id, reason, account, key, market, orderIds, below } of sweeps.queue) {
    for (const value of [id, reason, account, key, market, below]) writer.number(value);
    writer.int32(orderIds?.length ?? -1);
    for (const orderId of orderIds ?? []) writer.number(orderId);
  }
  writer.uint32(triggered.size);
  triggered.forEach((entry) => {
    const isOrder = typeof entry === 'number';
    writer.byte(isOrder ? 0 : entry.side.isRising ? 1 : 2);
    if (isOrder) writer.number(details.id(entry));
    else {
      writer.uint32(entry.market.index);
      writer.number(entry.price);
    }
  });
  writer.byte(triggered.isExtensible ? 1 : 0);
  const late = markets.flatMap(({ triggers: { rising, falling } }) =>
    [rising, falling].flatMap((side) => side.lateOrders()),
  );
  writer.uint32(late.length);
  for (const slot of late) writer.number(details.id(slot));
}

/** Reads the work that is left. Must follow the orders, because it sorts the triggered ones. */
export function readPortions(reader: ByteReader, state: State): void {
  const { sweeps, triggered, markets, index } = state;
  sweeps.nextId = reader.number();
  sweeps.endsLeft = reader.int32();
  triggered.left = reader.int32();
  for (let left = reader.uint32(); left > 0; left--) {
    const [id, reason, account, key, market, below] = numbers(reader, 6) as SixNumbers;
    const count = reader.int32();
    const orderIds = count < 0 ? null : numbers(reader, count);
    addSweep(state, { id, reason, account, key, market, orderIds, below });
  }
  const entries: (number | Reach)[] = [];
  for (let left = reader.uint32(); left > 0; left--) {
    const kind = reader.byte();
    if (kind === 0) {
      entries.push(index.find(reader.number()));
      continue;
    }
    const market = markets[reader.uint32()]!;
    const side = kind === 1 ? market.triggers.rising : market.triggers.falling;
    const price = reader.number();
    market.triggers.restoreReach(side, price);
    entries.push({ market, side, price });
  }
  triggered.restore(entries, reader.byte() === 1);
  for (let left = reader.uint32(); left > 0; left--) {
    const slot = index.find(reader.number());
    markets[state.details.market(slot)]!.triggers.setLate(slot);
  }
}

type SixNumbers = [number, number, number, number, number, number];

function numbers(reader: ByteReader, count: number): number[] {
  return Array.from({ length: count }, () => reader.number());
}
