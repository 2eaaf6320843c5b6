import { type IdHash, spread } from '../engine/client-order-ids/hash.ts';

/**
 * Bytes of one generation. With 20 million ids in it, 1 in 280 new ids looks used; with 45 million (an account of the
 * highest limit class for 25 hours) 1 in 16.
 */
const BYTES = 32 << 20;
/** The bits of an id lie in one block, which is one cache line. */
const BLOCK_BITS = 512;
const BIT_MASK = BLOCK_BITS - 1;
const BLOCK_WORDS = BLOCK_BITS / 32;
const BITS_PER_ID = 5;

export interface FilterOptions {
  /** The time for which an id must be kept, milliseconds. */
  readonly lifetimeMs: number;
  /** Bytes of one generation, a multiple of 64. */
  readonly bytes?: number;
}

/**
 * Blocked Bloom filter of client order ids: it finds every id that was added within the lifetime, and a few
 * others. Ids are added to the current of two generations. After one lifetime the current one becomes the
 * previous one, whose ids have all expired. Memory is bounded by two generations, allocated when first used.
 */
export class DroppedIdFilter {
  private readonly blocks: number;
  private readonly lifetimeMs: number;
  /** Random, so that clients cannot choose ids that share a block with another account's. */
  private readonly salts = crypto.getRandomValues(new Int32Array(2));
  private current: Uint32Array | undefined;
  private previous: Uint32Array | undefined;
  private currentSince = 0;
  /** The first word of the block, and the bits in it, of the id that was located last. */
  private block = 0;
  private readonly bits = new Int32Array(BITS_PER_ID);

  constructor({ lifetimeMs, bytes = BYTES }: FilterOptions) {
    this.blocks = Math.max(1, Math.floor((bytes * 8) / BLOCK_BITS));
    this.lifetimeMs = lifetimeMs;
  }

  /** Adds an id. @param now Never decreases, milliseconds. */
  add(hash: Readonly<IdHash>, now: number): void {
    if (this.current === undefined) {
      this.current = this.allocate();
      this.currentSince = now;
    } else if (now - this.currentSince >= this.lifetimeMs) this.rotate(now);
    const { current } = this;
    this.locate(hash);
    for (const bit of this.bits) current![this.block + (bit >>> 5)]! |= 1 << (bit & 31);
  }

  /** Whether an id may have been added within the lifetime. False is certain. */
  mayHave(hash: Readonly<IdHash>): boolean {
    this.locate(hash);
    return this.isIn(this.current) || this.isIn(this.previous);
  }

  private isIn(generation: Uint32Array | undefined): boolean {
    if (generation === undefined) return false;
    for (const bit of this.bits) {
      if ((generation[this.block + (bit >>> 5)]! & (1 << (bit & 31))) === 0) return false;
    }
    return true;
  }

  /** Sets `block` and `bits` to where the bits of an id are. */
  private locate({ a, b }: Readonly<IdHash>): void {
    const { bits, salts } = this;
    const first = spread(a ^ salts[0]!);
    const second = spread(b ^ salts[1]!);
    const third = spread(first ^ second);
    this.block = ((first >>> 0) % this.blocks) * BLOCK_WORDS;
    bits[0] = second & BIT_MASK;
    bits[1] = (second >>> 9) & BIT_MASK;
    bits[2] = (second >>> 18) & BIT_MASK;
    bits[3] = third & BIT_MASK;
    bits[4] = (third >>> 9) & BIT_MASK;
  }

  private allocate(): Uint32Array {
    return new Uint32Array(this.blocks * BLOCK_WORDS);
  }

  private rotate(now: number): void {
    const { current, previous } = this;
    this.current = previous?.fill(0) ?? this.allocate();
    this.previous = current;
    this.currentSince = now;
  }
}
