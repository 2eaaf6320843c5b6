import type { OrderRecord } from '../src/engine/event.ts';
import { Side } from '../src/engine/terms.ts';
import { check } from './failure.ts';

/** The best price that each open trailing stop has seen, and the trigger price that follows from it. */
export class AuditedTrails {
  /** By order id; orders that wait for their activation are absent. */
  private readonly best = new Map<number, bigint>();

  /** Follows a trade. @returns Whether its price triggers the order. */
  follow(order: OrderRecord, price: number): boolean {
    const { id, side } = order;
    const best = this.best.get(id);
    const last = BigInt(price);
    if (best === undefined) {
      this.activate(order, price);
      return false;
    }
    if (side === Side.sell ? last > best : last < best) {
      this.best.set(id, last);
      return false;
    }
    return side === Side.sell ? last <= this.trigger(order) : last >= this.trigger(order);
  }

  /** Notes a reported open order, and checks its trigger price. */
  keep(order: OrderRecord, price: number): void {
    if (!this.best.has(order.id)) this.activate(order, price);
    const expected = this.trigger(order);
    check(
      BigInt(order.triggerPrice) === expected,
      `trailing stop ${order.id} has the trigger price ${order.triggerPrice}, expected ${expected}`,
    );
  }

  end({ id }: OrderRecord): void {
    this.best.delete(id);
  }

  private activate({ id, side, trailing }: OrderRecord, price: number): void {
    const { activationPrice } = trailing!;
    const isActive =
      activationPrice === 0 ||
      (side === Side.sell ? price >= activationPrice : price <= activationPrice);
    if (isActive) this.best.set(id, BigInt(price));
  }

  /** Returns the trigger price, 0 before the activation: the first price that is as far away as the terms say. */
  private trigger({ id, side, trailing }: OrderRecord): bigint {
    const best = this.best.get(id);
    if (best === undefined) return 0n;
    const { amount, basisPoints } = trailing!;
    const distance = amount === 0 ? best * BigInt(basisPoints) : BigInt(amount) * 10_000n;
    const whole = distance % 10_000n === 0n ? distance / 10_000n : distance / 10_000n + 1n;
    return side === Side.sell ? best - whole : best + whole;
  }
}
