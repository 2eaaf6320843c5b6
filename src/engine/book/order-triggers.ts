import { mixNumber } from '../digest.ts';
import type { ByteReader, ByteWriter } from '../numbers/bytes.ts';

/** The triggers of orders with a fixed trigger price, by slot of OrderStore. */
export class OrderTriggers {
  private readonly prices = new Map<number, number>();
  /** The times of orders that rest after they were triggered, in milliseconds since 1970 (engine version 2). */
  private readonly times = new Map<number, number>();

  price(slot: number): number {
    return this.prices.get(slot)!;
  }

  /** Returns when an order was triggered, 0 before, and for orders without a trigger. */
  time(slot: number): number {
    return this.times.size === 0 ? 0 : (this.times.get(slot) ?? 0);
  }

  setPrice(slot: number, price: number): void {
    this.prices.set(slot, price);
  }

  setTime(slot: number, time: number): void {
    this.times.set(slot, time);
  }

  clear(slot: number): void {
    this.prices.delete(slot);
    this.times.delete(slot);
  }

  mix(start: number, slot: number): number {
    const hash = mixNumber(start, this.price(slot));
    const time = this.times.get(slot);
    return time === undefined ? hash : mixNumber(hash, time);
  }

  /** Writes the price, negative if the time follows, so that orders without a time keep the layout of engine version 1. */
  write(writer: ByteWriter, slot: number): void {
    const price = this.price(slot);
    const time = this.times.get(slot);
    writer.number(time === undefined ? price : -price);
    if (time !== undefined) writer.number(time);
  }

  read(reader: ByteReader, slot: number): void {
    const price = reader.number();
    this.prices.set(slot, Math.abs(price));
    if (price < 0) this.times.set(slot, reader.number());
  }
}
