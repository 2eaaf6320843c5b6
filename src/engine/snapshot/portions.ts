import type { Market } from '../markets/markets.ts';
import type { ByteReader, ByteWriter } from '../numbers/bytes.ts';
import { addSweep } from '../orders/endings/sweeps.ts';
import type { TrailingSide, TrailMove } from '../orders/triggers/trailing-side.ts';
import type { Reach } from '../orders/triggers/trigger-side.ts';
import type { TriggeredEntry } from '../orders/triggers/triggered-orders.ts';
import type { State } from '../state.ts';
import { Side } from '../terms.ts';

/** Kinds of entries of the triggered orders: 0 is a single one, 1 to 4 are reaches, further ones moves, plus the side. */
const FIRST_KIND_OF_MOVES = 5;

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
    if (typeof entry === 'number') {
      writer.byte(0);
      writer.number(details.id(entry));
    } else if ('side' in entry) writeMove(writer, entry);
    else writeReach(writer, entry);
  });
  writer.byte(triggered.extensible === undefined ? 0 : 1);
  const late = markets.flatMap(({ triggers: { rising, falling } }) =>
    [rising, falling].flatMap((side) => side.lateOrders()),
  );
  writer.uint32(late.length);
  for (const slot of late) writer.number(details.id(slot));
  for (const side of movedSides(markets)) side.write(writer);
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
  const entries: TriggeredEntry[] = [];
  for (let left = reader.uint32(); left > 0; left--) {
    const kind = reader.byte();
    if (kind === 0) {
      entries.push(index.find(reader.number()));
      continue;
    }
    const isMove = kind >= FIRST_KIND_OF_MOVES;
    entries.push(isMove ? readMove(reader, kind, state) : readReach(reader, kind, state));
  }
  triggered.restore(entries, reader.byte() === 1);
  for (const { triggers } of markets) triggers.update();
  for (let left = reader.uint32(); left > 0; left--) {
    const slot = index.find(reader.number());
    markets[state.details.market(slot)]!.triggers.postpone(slot);
  }
  const find = (id: number) => state.details.trail(index.find(id));
  for (const side of movedSides(markets)) side.read(reader, find, state);
}

/** Returns the sides with trailing stops that prices may have triggered. */
function movedSides(markets: readonly Market[]): TrailingSide[] {
  const sides = markets.flatMap(({ trailing: { buys, sells } }) => [buys, sells]);
  return sides.filter(({ moves }) => moves.length > 0);
}

function writeMove(writer: ByteWriter, { side, high, key }: TrailMove): void {
  writer.byte(FIRST_KIND_OF_MOVES + side.side);
  writer.uint32(side.market.index);
  writer.number(high);
  writer.number(key);
}

function readMove(reader: ByteReader, kind: number, { markets }: State): TrailMove {
  const { buys, sells } = markets[reader.uint32()]!.trailing;
  const side = kind === FIRST_KIND_OF_MOVES + Side.buy ? buys : sells;
  return side.restoreMove(reader.number(), reader.number());
}

/** A preceding byte marks reaches of a later generation, which alone have its index. */
function writeReach(writer: ByteWriter, { market, generation, price }: Reach): void {
  const { index, side } = generation;
  writer.byte((side.isRising ? 1 : 2) + (index === 0 ? 0 : 2));
  writer.uint32(market.index);
  if (index > 0) writer.uint32(index);
  writer.number(price);
}

function readReach(reader: ByteReader, kind: number, { markets }: State): Reach {
  const market = markets[reader.uint32()]!;
  const { rising, falling } = market.triggers;
  const side = kind % 2 === 1 ? rising : falling;
  const generation = side.restoreGeneration(kind > 2 ? reader.uint32() : 0);
  return { market, generation, price: reader.number() };
}

type SixNumbers = [number, number, number, number, number, number];

function numbers(reader: ByteReader, count: number): number[] {
  return Array.from({ length: count }, () => reader.number());
}
