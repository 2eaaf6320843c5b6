/**
 * The open orders of all markets, one slot an order, one typed array a field.
 *
 * A slot number is a handle with no meaning of its own: it is reused after `release`, differs
 * between replicas, and must never influence what the engine does. Books link slots into queues;
 * nothing here allocates per order.
 */

/** No slot, no level, end of a list. */
export const NONE = -1;

export const Side = { buy: 0, sell: 1 } as const;
export type Side = (typeof Side)[keyof typeof Side];

const INITIAL_CAPACITY = 1024;
/** Beyond this many slots the store grows by a quarter, so that spare capacity stays a small part of it. */
const DOUBLING_LIMIT = 65_536;

export class OrderStore {
  /** Orders in use. */
  size = 0;
  private capacity = 0;
  private firstFree: number = NONE;
  private highWater = 0;

  // What a book reads and writes.
  /** Limit price in the market's price units. */
  hot = new Float64Array(0);
  links = new Int32Array(0);
  price(slot: number): number {
    return this.hot[slot << 2]!;
  }
  remaining(slot: number): number {
    return this.hot[(slot << 2) + 1]!;
  }
  next(slot: number): number {
    return this.links[(slot << 3) + 4]!;
  }
  previous(slot: number): number {
    return this.links[(slot << 3) + 5]!;
  }
  level(slot: number): number {
    return this.links[(slot << 3) + 6]!;
  }
  account(slot: number): number {
    return this.links[(slot << 3) + 7]!;
  }
  setPrice(slot: number, v: number): void {
    this.hot[slot << 2] = v;
  }
  setRemaining(slot: number, v: number): void {
    this.hot[(slot << 2) + 1] = v;
  }
  setNext(slot: number, v: number): void {
    this.links[(slot << 3) + 4] = v;
  }
  setPrevious(slot: number, v: number): void {
    this.links[(slot << 3) + 5] = v;
  }
  setLevel(slot: number, v: number): void {
    this.links[(slot << 3) + 6] = v;
  }
  setAccount(slot: number, v: number): void {
    this.links[(slot << 3) + 7] = v;
  }
  side = new Uint8Array(0);

  // What only the rest of the engine reads and writes.
  id = new Float64Array(0);
  /** Original quantity, in the market's amount units. */
  amount = new Float64Array(0);
  createdAt = new Float64Array(0);
  updatedAt = new Float64Array(0);
  /** 0 before the first fill. */
  lastFillAt = new Float64Array(0);
  /** Milliseconds since 1970; 0 for an order that does not expire. */
  expiresAt = new Float64Array(0);
  /** Index of the API key that placed the order, NONE for none. */
  key = new Int32Array(0);
  /** Place in the queue of expiries, NONE for an order that does not expire. */
  expiryPosition = new Int32Array(0);
  /** Neighbours in the account's list of open orders, oldest first. */
  accountNext = new Int32Array(0);
  accountPrevious = new Int32Array(0);
  market = new Uint16Array(0);
  type = new Uint8Array(0);
  timeInForce = new Uint8Array(0);
  postOnly = new Uint8Array(0);
  selfTradePrevention = new Uint8Array(0);
  reason = new Uint8Array(0);
  /** Quote paid or received so far, in the quote's minor units. */
  filledCost: bigint[] = [];
  /** Fees paid so far, in minor units of the asset the order receives. */
  fees: bigint[] = [];
  clientOrderId: (string | null)[] = [];

  constructor() {
    this.grow(INITIAL_CAPACITY);
  }

  /** A free slot. Its columns hold what the last order left there: the caller sets them all. */
  allocate(): number {
    let slot = this.firstFree;
    if (slot !== NONE) {
      this.firstFree = this.next(slot);
    } else {
      slot = this.highWater;
      if (slot === this.capacity) this.grow(this.nextCapacity());
      this.highWater = slot + 1;
    }
    this.size++;
    return slot;
  }

  /** Gives a slot back; it must not be linked into any queue any more. */
  release(slot: number): void {
    this.clientOrderId[slot] = null;
    this.setNext(slot, this.firstFree);
    this.firstFree = slot;
    this.size--;
  }

  /** Makes room for `count` orders at once, so that loading a snapshot does not grow step by step. */
  reserve(count: number): void {
    if (count > this.capacity) this.grow(count);
  }

  private nextCapacity(): number {
    return this.capacity < DOUBLING_LIMIT
      ? this.capacity * 2
      : this.capacity + Math.ceil(this.capacity / 4);
  }

  private grow(capacity: number): void {
    this.capacity = capacity;
    this.hot = grownFloat(this.hot, capacity * 4);
    this.links = new Int32Array(this.hot.buffer);
    this.side = grownByte(this.side, capacity);
    this.id = grownFloat(this.id, capacity);
    this.amount = grownFloat(this.amount, capacity);
    this.createdAt = grownFloat(this.createdAt, capacity);
    this.updatedAt = grownFloat(this.updatedAt, capacity);
    this.lastFillAt = grownFloat(this.lastFillAt, capacity);
    this.expiresAt = grownFloat(this.expiresAt, capacity);
    this.key = grownInt(this.key, capacity);
    this.expiryPosition = grownInt(this.expiryPosition, capacity);
    this.accountNext = grownInt(this.accountNext, capacity);
    this.accountPrevious = grownInt(this.accountPrevious, capacity);
    const market = new Uint16Array(capacity);
    market.set(this.market);
    this.market = market;
    this.type = grownByte(this.type, capacity);
    this.timeInForce = grownByte(this.timeInForce, capacity);
    this.postOnly = grownByte(this.postOnly, capacity);
    this.selfTradePrevention = grownByte(this.selfTradePrevention, capacity);
    this.reason = grownByte(this.reason, capacity);
    for (let slot = this.filledCost.length; slot < capacity; slot++) {
      this.filledCost.push(0n);
      this.fees.push(0n);
      this.clientOrderId.push(null);
    }
  }
}

function grownFloat(old: Float64Array, capacity: number): Float64Array<ArrayBuffer> {
  const grown = new Float64Array(capacity);
  grown.set(old);
  return grown;
}

function grownInt(old: Int32Array, capacity: number): Int32Array<ArrayBuffer> {
  const grown = new Int32Array(capacity);
  grown.set(old);
  return grown;
}

function grownByte(old: Uint8Array, capacity: number): Uint8Array<ArrayBuffer> {
  const grown = new Uint8Array(capacity);
  grown.set(old);
  return grown;
}
