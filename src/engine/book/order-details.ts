import { mix, mixExact, mixNumber, mixText } from '../digest.ts';
import { grown, grownList } from '../numbers/arrays.ts';
import type { ByteReader, ByteWriter } from '../numbers/bytes.ts';
import type { Exact } from '../numbers/exact.ts';
import { OrderType } from '../terms.ts';

/**
 * Places in an order's record of 64 bytes, a cache line: six numbers, at these places of eight, then
 * four words, at these of sixteen. The last two words follow from the rest of the state; all that is
 * before them is state.
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
  /** Where the words end that are state. */
  stateEnd = accountPlace,
}

/**
 * Terms share a word. A type has the lowest three bits, a reason four from its place up, a market the
 * upper half, the others two.
 */
enum Term {
  timeInForce = 3,
  selfTradePrevention = 6,
  reason = 9,
  market = 16,
  /** It waits for its trigger price. */
  awaitsTrigger = 1 << 5,
  /** The price has reached its trigger, and it is to run. */
  isTriggered = 1 << 8,
  postOnly = 1 << 13,
  hasFills = 1 << 14,
  hasClientOrderId = 1 << 15,
}

enum Bits {
  type = 7,
  reason = 15,
  other = 3,
}

const INITIAL_CAPACITY = 1024;
const NO_FILLS: Fills = { cost: 0, fees: 0 };

export interface Fills {
  /** Quote paid or received so far, in the quote's minor units. */
  readonly cost: Exact;
  /** Fees paid so far, in minor units of the asset the order receives. */
  readonly fees: Exact;
}

/** What is known of an order when it comes to rest. */
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

/** What the engine keeps of open orders beside what their books need, by the slots of OrderStore. */
export class OrderDetails {
  private capacity = 0;
  private numbers = new Float64Array(0);
  private words = new Int32Array(0);
  /** Few orders rest partly filled: at most the first of a level, and what is left of takers. */
  private readonly fills = new Map<number, Fills>();
  private clientOrderIds: (string | null)[] = [];
  /** Of the types that have one. */
  private readonly triggerPrices = new Map<number, number>();

  constructor() {
    this.reserve(INITIAL_CAPACITY);
  }

  /** Describes an order that has just come to rest, at `time`, not filled so far. */
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

  /** Forgets what does not lie in the record; the order's slot is about to be released. */
  clear(slot: number): void {
    const terms = this.terms(slot);
    if ((terms & Term.hasFills) !== 0) this.fills.delete(slot);
    if ((terms & Term.hasClientOrderId) !== 0) this.clientOrderIds[slot] = null;
    if (hasTrigger(terms)) this.triggerPrices.delete(slot);
  }

  id(slot: number): number {
    return this.numbers[(slot << 3) + At.id]!;
  }

  /** Original quantity, in the market's amount units. */
  amount(slot: number): number {
    return this.numbers[(slot << 3) + At.amount]!;
  }

  createdAt(slot: number): number {
    return this.numbers[(slot << 3) + At.createdAt]!;
  }

  updatedAt(slot: number): number {
    return this.numbers[(slot << 3) + At.updatedAt]!;
  }

  /** 0 before the first fill. */
  lastFillAt(slot: number): number {
    return this.numbers[(slot << 3) + At.lastFillAt]!;
  }

  /** Milliseconds since 1970; 0 for an order that does not expire. */
  expiresAt(slot: number): number {
    return this.numbers[(slot << 3) + At.expiresAt]!;
  }

  /** Index of the API key that placed the order, NONE for none. */
  key(slot: number): number {
    return this.words[(slot << 4) + At.key]!;
  }

  market(slot: number): number {
    return this.terms(slot) >>> Term.market;
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

  /** In price units, 0 for an order of a type without one. */
  triggerPrice(slot: number): number {
    return hasTrigger(this.terms(slot)) ? this.triggerPrices.get(slot)! : 0;
  }

  setTriggerPrice(slot: number, price: number): void {
    this.triggerPrices.set(slot, price);
  }

  awaitsTrigger(slot: number): boolean {
    return (this.terms(slot) & Term.awaitsTrigger) !== 0;
  }

  isTriggered(slot: number): boolean {
    return (this.terms(slot) & Term.isTriggered) !== 0;
  }

  /** Whether the order is in no book: it waits for its trigger price, or has met it and is to run. */
  isPending(slot: number): boolean {
    return (this.terms(slot) & (Term.awaitsTrigger | Term.isTriggered)) !== 0;
  }

  setAwaitingTrigger(slot: number): void {
    this.words[(slot << 4) + At.terms]! |= Term.awaitsTrigger;
  }

  switchTriggered(slot: number): void {
    this.words[(slot << 4) + At.terms]! ^= Term.awaitsTrigger | Term.isTriggered;
  }

  /** OrderReason of the last change that was not a fill. */
  reason(slot: number): number {
    return (this.terms(slot) >> Term.reason) & Bits.reason;
  }

  clientOrderId(slot: number): string | null {
    return (this.terms(slot) & Term.hasClientOrderId) === 0 ? null : this.clientOrderIds[slot]!;
  }

  filled(slot: number): Fills {
    return (this.terms(slot) & Term.hasFills) === 0 ? NO_FILLS : this.fills.get(slot)!;
  }

  /** Place in its account's list of open orders. */
  accountPlace(slot: number): number {
    return this.words[(slot << 4) + At.accountPlace]!;
  }

  setAccountPlace(slot: number, place: number): void {
    this.words[(slot << 4) + At.accountPlace] = place;
  }

  /** Place in the queue of expiries; of no meaning for an order that does not expire. */
  expiryPlace(slot: number): number {
    return this.words[(slot << 4) + At.expiryPlace]!;
  }

  setExpiryPlace(slot: number, place: number): void {
    this.words[(slot << 4) + At.expiryPlace] = place;
  }

  /** Notes that the order was filled up to `filled` in all. */
  setFilled(slot: number, filled: Fills): void {
    this.fills.set(slot, filled);
    this.words[(slot << 4) + At.terms]! |= Term.hasFills;
  }

  /** Of an order that was there before it came to rest here: when it was placed and filled. */
  setTimes(slot: number, createdAt: number, lastFillAt: number): void {
    this.numbers[(slot << 3) + At.createdAt] = createdAt;
    this.numbers[(slot << 3) + At.lastFillAt] = lastFillAt;
  }

  noteFillTime(slot: number, time: number): void {
    this.numbers[(slot << 3) + At.updatedAt] = time;
    this.numbers[(slot << 3) + At.lastFillAt] = time;
  }

  /** Notes a change that is not a fill. */
  change(slot: number, reason: number, time: number): void {
    const kept = this.terms(slot) & ~(Bits.reason << Term.reason);
    this.words[(slot << 4) + At.terms] = kept | (reason << Term.reason);
    this.numbers[(slot << 3) + At.updatedAt] = time;
  }

  /** Notes a change of an order of which nothing is filled. */
  amend(slot: number, amount: number, reason: number, time: number): void {
    this.numbers[(slot << 3) + At.amount] = amount;
    this.change(slot, reason, time);
  }

  reduceAmount(slot: number, quantity: number): void {
    this.numbers[(slot << 3) + At.amount]! -= quantity;
  }

  /** Mixes in every bit of what is known of the order. */
  mix(start: number, slot: number): number {
    const words = this.words;
    const end = (slot << 4) + At.stateEnd;
    let hash = start;
    for (let at = slot << 4; at < end; at++) hash = mix(hash, words[at]!);
    const terms = words[(slot << 4) + At.terms]!;
    if ((terms & Term.hasFills) !== 0) {
      const { cost, fees } = this.fills.get(slot)!;
      hash = mixExact(mixExact(hash, cost), fees);
    }
    if (hasTrigger(terms)) hash = mixNumber(hash, this.triggerPrices.get(slot)!);
    return (terms & Term.hasClientOrderId) === 0 ? hash : mixText(hash, this.clientOrderIds[slot]!);
  }

  write(writer: ByteWriter, slot: number): void {
    const end = (slot << 4) + At.stateEnd;
    for (let at = slot << 4; at < end; at++) writer.int32(this.words[at]!);
    const terms = this.terms(slot);
    if ((terms & Term.hasFills) !== 0) {
      const { cost, fees } = this.fills.get(slot)!;
      writer.exact(cost);
      writer.exact(fees);
    }
    if (hasTrigger(terms)) writer.number(this.triggerPrices.get(slot)!);
    if ((terms & Term.hasClientOrderId) !== 0) writer.text(this.clientOrderIds[slot]!);
  }

  read(reader: ByteReader, slot: number): void {
    if (slot >= this.capacity) this.reserve(slot * 2);
    const end = (slot << 4) + At.stateEnd;
    for (let at = slot << 4; at < end; at++) this.words[at] = reader.int32();
    const terms = this.terms(slot);
    if ((terms & Term.hasFills) !== 0) {
      this.fills.set(slot, { cost: reader.exact(), fees: reader.exact() });
    }
    if (hasTrigger(terms)) this.triggerPrices.set(slot, reader.number());
    if ((terms & Term.hasClientOrderId) !== 0) this.clientOrderIds[slot] = reader.text();
  }

  /** Makes room for slots below `capacity`. */
  reserve(capacity: number): void {
    if (capacity <= this.capacity) return;
    this.capacity = capacity;
    this.numbers = grown(this.numbers, capacity * 8);
    this.words = new Int32Array(this.numbers.buffer);
    this.clientOrderIds = grownList(this.clientOrderIds, capacity, null);
  }

  private terms(slot: number): number {
    return this.words[(slot << 4) + At.terms]!;
  }
}

/** Whether the terms' type is one that waits for a trigger price. */
function hasTrigger(terms: number): boolean {
  return (terms & Bits.type) >= OrderType.stop;
}
