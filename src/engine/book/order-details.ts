import { mix, mixExact, mixText } from '../digest.ts';
import { grown, grownList } from '../numbers/arrays.ts';
import type { ByteReader, ByteWriter } from '../numbers/bytes.ts';
import type { Exact } from '../numbers/exact.ts';
import type { Trail } from '../orders/triggers/trail.ts';
import { OrderType, type Side } from '../terms.ts';
import { OrderTriggers } from './order-triggers.ts';
import { SpecialOrders } from './special-orders.ts';

/**
 * Layout of an order's record of 64 bytes, one cache line: six 64-bit numbers (indexes of eight),
 * then four 32-bit words (indexes of sixteen). The last two words are derived from the rest of the
 * state; everything before them is part of the state.
 */
enum At {
  id = 0,
  amount = 1,
  createdAt = 2,
  updatedAt = 3,
  lastFillAt = 4,
  expiresAt = 5,
  key = 12,
  terms = 13,
  accountPlace = 14,
  expiryPlace = 15,
  /** Index after the last word that is part of the state. */
  stateEnd = accountPlace,
}

/**
 * Bits of the word `terms`. The type uses the lowest three bits, the reason four bits, the market
 * the upper half without its highest bit, other enumerations two bits.
 */
enum Term {
  timeInForce = 3,
  selfTradePrevention = 6,
  reason = 9,
  market = 16,
  /** The trigger of the order has not been reached. */
  awaitsTrigger = 1 << 5,
  /** The order was triggered, or needs no trigger, and will run. */
  isTriggered = 1 << 8,
  postOnly = 1 << 13,
  hasFills = 1 << 14,
  hasClientOrderId = 1 << 15,
  /** The book shows only a part of the order. */
  isIceberg = 1 << 31,
}

enum Bits {
  type = 7,
  reason = 15,
  other = 3,
  market = 0x7fff,
}

const INITIAL_CAPACITY = 1024;
const NO_FILLS: Fills = { cost: 0, fees: 0 };

export interface Fills {
  /** Quote paid or received so far, in minor units of the quote asset. */
  readonly cost: Exact;
  /** Fees paid so far, in minor units of the asset received. */
  readonly fees: Exact;
}

/** The terms of an order that starts to rest. */
export interface RestingTerms {
  readonly key: number;
  readonly market: number;
  readonly type: number;
  readonly timeInForce: number;
  readonly postOnly: boolean;
  readonly selfTradePrevention: number;
  readonly expiresAt: number;
  readonly clientOrderId: string | null;
}

/** The data of open orders that the books do not need, by slot of OrderStore. */
export class OrderDetails {
  private capacity = 0;
  private numbers = new Float64Array(0);
  private words = new Int32Array(0);
  /** By slot; few resting orders are partly filled. */
  private fills: (Fills | null)[] = [];
  private clientOrderIds: (string | null)[] = [];
  readonly triggers = new OrderTriggers();
  private readonly special = new SpecialOrders();

  constructor() {
    this.reserve(INITIAL_CAPACITY);
  }

  /** Stores an order that starts to rest at `time`, without fills. */
  set(
    slot: number,
    id: number,
    amount: number,
    time: number,
    reason: number,
    terms: RestingTerms,
  ): void {
    if (slot >= this.capacity) this.reserve(slot * 2);
    const { numbers, words } = this;
    const first = slot << 3;
    numbers[first + At.id] = id;
    numbers[first + At.amount] = amount;
    numbers[first + At.createdAt] = time;
    numbers[first + At.updatedAt] = time;
    numbers[first + At.lastFillAt] = 0;
    numbers[first + At.expiresAt] = terms.expiresAt;
    words[(slot << 4) + At.key] = terms.key;
    words[(slot << 4) + At.terms] =
      terms.type |
      (terms.timeInForce << Term.timeInForce) |
      (terms.selfTradePrevention << Term.selfTradePrevention) |
      (reason << Term.reason) |
      (terms.postOnly ? Term.postOnly : 0) |
      (terms.clientOrderId === null ? 0 : Term.hasClientOrderId) |
      (terms.market << Term.market);
    if (terms.clientOrderId !== null) this.clientOrderIds[slot] = terms.clientOrderId;
  }

  /** Deletes the data outside the record, before the slot is released. */
  clear(slot: number): void {
    const terms = this.terms(slot);
    if ((terms & Term.hasFills) !== 0) this.fills[slot] = null;
    if ((terms & Term.hasClientOrderId) !== 0) this.clientOrderIds[slot] = null;
    if (hasTrigger(terms)) this.triggers.clear(slot);
    if (isSpecial(terms)) this.special.clear(slot);
  }

  id(slot: number): number {
    return this.numbers[(slot << 3) + At.id]!;
  }

  /** Returns the original quantity, in amount units of the market. */
  amount(slot: number): number {
    return this.numbers[(slot << 3) + At.amount]!;
  }

  createdAt(slot: number): number {
    return this.numbers[(slot << 3) + At.createdAt]!;
  }

  updatedAt(slot: number): number {
    return this.numbers[(slot << 3) + At.updatedAt]!;
  }

  /** Returns the time of the last fill, in milliseconds since 1970; 0 before the first. */
  lastFillAt(slot: number): number {
    return this.numbers[(slot << 3) + At.lastFillAt]!;
  }

  /** Returns the expiry, in milliseconds since 1970; 0 for none. */
  expiresAt(slot: number): number {
    return this.numbers[(slot << 3) + At.expiresAt]!;
  }

  /** Returns the index of the API key that placed the order, or NONE. */
  key(slot: number): number {
    return this.words[(slot << 4) + At.key]!;
  }

  market(slot: number): number {
    return (this.terms(slot) >> Term.market) & Bits.market;
  }

  type(slot: number): number {
    return this.terms(slot) & Bits.type;
  }

  timeInForce(slot: number): number {
    return (this.terms(slot) >> Term.timeInForce) & Bits.other;
  }

  selfTradePrevention(slot: number): number {
    return (this.terms(slot) >> Term.selfTradePrevention) & Bits.other;
  }

  postOnly(slot: number): boolean {
    return (this.terms(slot) & Term.postOnly) !== 0;
  }

  /**
   * Returns the current trigger price in price units; 0 for order types without one, and for a trailing stop before
   * its activation.
   */
  triggerPrice(slot: number): number {
    const terms = this.terms(slot);
    if (isTrailing(terms)) return this.special.trail(slot).triggerPrice;
    return hasTrigger(terms) ? this.triggers.price(slot) : 0;
  }

  isTrailing(slot: number): boolean {
    return isTrailing(this.terms(slot));
  }

  /** Returns the state of a trailing stop. */
  trail(slot: number): Trail {
    return this.special.trail(slot);
  }

  setTrail(trail: Trail): void {
    this.special.setTrail(trail);
  }

  isIceberg(slot: number): boolean {
    return (this.terms(slot) & Term.isIceberg) !== 0;
  }

  /** Returns whether the order is a trailing stop or an iceberg. */
  isSpecial(slot: number): boolean {
    return isSpecial(this.terms(slot));
  }

  /** Returns the maximum that the book shows of an iceberg, in amount units. */
  displayAmount(slot: number): number {
    return this.special.iceberg(slot).displayAmount;
  }

  /** Returns the quantity that the book does not show, in amount units; 0 unless the order is an iceberg. */
  hidden(slot: number): number {
    return this.isIceberg(slot) ? this.special.iceberg(slot).hidden : 0;
  }

  setIceberg(slot: number, displayAmount: number, hidden: number): void {
    this.special.setIceberg(slot, { displayAmount, hidden });
    this.words[(slot << 4) + At.terms]! |= Term.isIceberg;
  }

  setTriggerPrice(slot: number, price: number): void {
    this.triggers.setPrice(slot, price);
  }

  awaitsTrigger(slot: number): boolean {
    return (this.terms(slot) & Term.awaitsTrigger) !== 0;
  }

  isTriggered(slot: number): boolean {
    return (this.terms(slot) & Term.isTriggered) !== 0;
  }

  /**
   * Returns whether the order is in no book: it awaits its trigger, or was triggered and will run.
   */
  isPending(slot: number): boolean {
    return (this.terms(slot) & (Term.awaitsTrigger | Term.isTriggered)) !== 0;
  }

  setAwaitingTrigger(slot: number): void {
    this.words[(slot << 4) + At.terms]! |= Term.awaitsTrigger;
  }

  setTriggered(slot: number): void {
    this.words[(slot << 4) + At.terms]! |= Term.isTriggered;
  }

  switchTriggered(slot: number): void {
    this.words[(slot << 4) + At.terms]! ^= Term.awaitsTrigger | Term.isTriggered;
  }

  /** Returns the OrderReason of the last change that was not a fill. */
  reason(slot: number): number {
    return (this.terms(slot) >> Term.reason) & Bits.reason;
  }

  clientOrderId(slot: number): string | null {
    return (this.terms(slot) & Term.hasClientOrderId) === 0 ? null : this.clientOrderIds[slot]!;
  }

  filled(slot: number): Fills {
    return (this.terms(slot) & Term.hasFills) === 0 ? NO_FILLS : this.fills[slot]!;
  }

  /** Returns the place in the list of open orders of its account. */
  accountPlace(slot: number): number {
    return this.words[(slot << 4) + At.accountPlace]!;
  }

  setAccountPlace(slot: number, place: number): void {
    this.words[(slot << 4) + At.accountPlace] = place;
  }

  /** Returns the place in the expiries; meaningless for orders without an expiry. */
  expiryPlace(slot: number): number {
    return this.words[(slot << 4) + At.expiryPlace]!;
  }

  setExpiryPlace(slot: number, place: number): void {
    this.words[(slot << 4) + At.expiryPlace] = place;
  }

  /** Sets the totals of all fills of the order. */
  setFilled(slot: number, filled: Fills): void {
    this.fills[slot] = filled;
    this.words[(slot << 4) + At.terms]! |= Term.hasFills;
  }

  /** Sets when an order that rests again was first placed and last filled. */
  setTimes(slot: number, createdAt: number, lastFillAt: number): void {
    this.numbers[(slot << 3) + At.createdAt] = createdAt;
    this.numbers[(slot << 3) + At.lastFillAt] = lastFillAt;
  }

  noteFillTime(slot: number, time: number): void {
    this.numbers[(slot << 3) + At.updatedAt] = time;
    this.numbers[(slot << 3) + At.lastFillAt] = time;
  }

  /** Records a change that is not a fill. */
  change(slot: number, reason: number, time: number): void {
    const kept = this.terms(slot) & ~(Bits.reason << Term.reason);
    this.words[(slot << 4) + At.terms] = kept | (reason << Term.reason);
    this.numbers[(slot << 3) + At.updatedAt] = time;
  }

  /** Records an amendment of an order without fills. */
  amend(slot: number, amount: number, reason: number, time: number): void {
    this.numbers[(slot << 3) + At.amount] = amount;
    this.change(slot, reason, time);
  }

  reduceAmount(slot: number, quantity: number): void {
    this.numbers[(slot << 3) + At.amount]! -= quantity;
  }

  /** Mixes all data of the order into a hash. */
  mix(start: number, slot: number): number {
    const words = this.words;
    const end = (slot << 4) + At.stateEnd;
    let hash = start;
    for (let at = slot << 4; at < end; at++) hash = mix(hash, words[at]!);
    const terms = words[(slot << 4) + At.terms]!;
    if ((terms & Term.hasFills) !== 0) {
      const { cost, fees } = this.fills[slot]!;
      hash = mixExact(mixExact(hash, cost), fees);
    }
    if (hasTrigger(terms)) hash = this.triggers.mix(hash, slot);
    if (isSpecial(terms)) hash = this.special.mix(hash, slot);
    return (terms & Term.hasClientOrderId) === 0 ? hash : mixText(hash, this.clientOrderIds[slot]!);
  }

  write(writer: ByteWriter, slot: number): void {
    const end = (slot << 4) + At.stateEnd;
    for (let at = slot << 4; at < end; at++) writer.int32(this.words[at]!);
    const terms = this.terms(slot);
    if ((terms & Term.hasFills) !== 0) {
      const { cost, fees } = this.fills[slot]!;
      writer.exact(cost);
      writer.exact(fees);
    }
    if (hasTrigger(terms)) this.triggers.write(writer, slot);
    if (isSpecial(terms)) this.special.write(writer, slot);
    if ((terms & Term.hasClientOrderId) !== 0) writer.text(this.clientOrderIds[slot]!);
  }

  read(reader: ByteReader, slot: number, side: Side): void {
    if (slot >= this.capacity) this.reserve(slot * 2);
    const end = (slot << 4) + At.stateEnd;
    for (let at = slot << 4; at < end; at++) this.words[at] = reader.int32();
    const terms = this.terms(slot);
    if ((terms & Term.hasFills) !== 0) {
      this.fills[slot] = { cost: reader.exact(), fees: reader.exact() };
    }
    if (hasTrigger(terms)) this.triggers.read(reader, slot);
    if (isTrailing(terms)) this.special.readTrail(reader, slot, this.id(slot), side);
    else if (isSpecial(terms)) this.special.readIceberg(reader, slot);
    if ((terms & Term.hasClientOrderId) !== 0) this.clientOrderIds[slot] = reader.text();
  }

  /** Reserves memory for slots below `capacity`. */
  reserve(capacity: number): void {
    if (capacity <= this.capacity) return;
    this.capacity = capacity;
    this.numbers = grown(this.numbers, capacity * 8);
    this.words = new Int32Array(this.numbers.buffer);
    this.fills = grownList(this.fills, capacity, null);
    this.clientOrderIds = grownList(this.clientOrderIds, capacity, null);
  }

  private terms(slot: number): number {
    return this.words[(slot << 4) + At.terms]!;
  }
}

/** Returns whether the order type has a fixed trigger price. */
function hasTrigger(terms: number): boolean {
  const type = terms & Bits.type;
  return type >= OrderType.stop && type !== OrderType.trailingStop;
}

function isTrailing(terms: number): boolean {
  return (terms & Bits.type) === OrderType.trailingStop;
}

/** Returns whether the order is a trailing stop or an iceberg, whose flag is the sign bit. */
function isSpecial(terms: number): boolean {
  return terms < 0 || isTrailing(terms);
}
