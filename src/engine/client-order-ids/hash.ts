/**
 * 75 bits that identify a client order id: the engine stores them instead of the text. The chance
 * that a new id collides with one of the at most 12,000 of its account is 3 in 10^19; at 20,000
 * orders/s that is once in five million years. Ids are only compared within an account, so an
 * account that constructs a collision only affects its own orders.
 */
export interface IdHash {
  a: number;
  b: number;
  /** Only the upper 11 bits are stored. */
  c: number;
}

/** Mask of the bits of `c` that are part of the hash. */
export const HIGH_BITS = 0xffe00000 | 0;

/**
 * Writes the hash of an account's client order id into `hash`. It depends on nothing but the
 * arguments.
 */
export function hashClientOrderId(account: number, text: string, hash: IdHash): void {
  // Four lanes, each step of which is invertible: two different ids of the same length never
  // collide in all of them. The account is part of the seed, so that equal ids of many accounts are
  // spread.
  let a = Math.imul(account + 1, 0x9e3779b1) ^ text.length;
  let b = 0x3c6ef372;
  let c = 0x5f356495;
  let d = 0x32b2ae5d;
  for (let i = 0; i < text.length; i += 2) {
    const word = text.charCodeAt(i) | ((i + 1 < text.length ? text.charCodeAt(i + 1) : 0) << 16);
    a = b ^ Math.imul(rotate(a) ^ word, 0x239b961b);
    b = c ^ Math.imul(rotate(b) ^ word, 0xab0e9789);
    c = d ^ Math.imul(rotate(c) ^ word, 0x38b34ae5);
    d = a ^ Math.imul(rotate(d) ^ word, 0xa1e38b93);
  }
  a += b + c + d;
  b += a;
  c += a;
  d += a;
  hash.a = spread(a) + spread(d);
  hash.a |= 0;
  hash.b = (spread(b) + hash.a) | 0;
  hash.c = (spread(c) + hash.b) & HIGH_BITS;
}

function rotate(word: number): number {
  return (word << 13) | (word >>> 19);
}

/** The finalizer of MurmurHash3: each bit of the input changes about half of the bits of the result. */
export function spread(word: number): number {
  let mixed = Math.imul(word ^ (word >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}
