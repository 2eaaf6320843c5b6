import { mixNumber } from '../digest.ts';
import type { ByteReader, ByteWriter } from '../numbers/bytes.ts';
import { Trail } from '../orders/triggers/trail.ts';
import { mixTrailing, readTrailing, writeTrailing } from '../orders/triggers/trailing-terms.ts';
import type { Side } from '../terms.ts';

/** The quantities of an iceberg, in amount units. */
export interface Iceberg {
  /** Maximum that the book shows. */
  readonly displayAmount: number;
  /** The remaining quantity beyond the one that the book shows. */
  readonly hidden: number;
}

/** The data that only trailing stops and icebergs have, by slot of OrderStore. No order is both. */
export class SpecialOrders {
  private readonly trails = new Map<number, Trail>();
  private readonly icebergs = new Map<number, Iceberg>();

  /** Returns the state of a trailing stop. */
  trail(slot: number): Trail {
    return this.trails.get(slot)!;
  }

  setTrail(trail: Trail): void {
    this.trails.set(trail.slot, trail);
  }

  /** Returns the quantities of an iceberg. */
  iceberg(slot: number): Iceberg {
    return this.icebergs.get(slot)!;
  }

  setIceberg(slot: number, iceberg: Iceberg): void {
    this.icebergs.set(slot, iceberg);
  }

  clear(slot: number): void {
    this.trails.delete(slot);
    this.icebergs.delete(slot);
  }

  /** Mixes everything but the best price of a trailing stop, which is part of its group. */
  mix(hash: number, slot: number): number {
    const trail = this.trails.get(slot);
    if (trail !== undefined) return mixTrailing(hash, trail.terms);
    const { displayAmount, hidden } = this.icebergs.get(slot)!;
    return mixNumber(mixNumber(hash, displayAmount), hidden);
  }

  write(writer: ByteWriter, slot: number): void {
    const trail = this.trails.get(slot);
    if (trail !== undefined) {
      writeTrailing(writer, trail.terms);
      writer.number(trail.groupBest);
      return;
    }
    const { displayAmount, hidden } = this.icebergs.get(slot)!;
    writer.number(displayAmount);
    writer.number(hidden);
  }

  readTrail(reader: ByteReader, slot: number, id: number, side: Side): void {
    const trail = new Trail(slot, id, side, readTrailing(reader));
    trail.leave(reader.number());
    this.trails.set(slot, trail);
  }

  readIceberg(reader: ByteReader, slot: number): void {
    this.icebergs.set(slot, { displayAmount: reader.number(), hidden: reader.number() });
  }
}
