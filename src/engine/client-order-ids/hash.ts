/**
 * 75 bits that stand for a client order id: the engine keeps these instead of the text. The chance that a
 * new id has the bits of one of the 12,000 that its account has at most is 3 in 10^19; at 20,000
 * orders/s that is once in five million years. Ids are compared within one account only, so an
 * account that constructs a collision refuses its own order and no other.
 */
export interface IdHash {
  a: number;
  b: number;
  /** Only the upper 11 bits are kept. */
  c: number;
}

/** The lower bits of `c` are not part of the hash. */
export const HIGH_BITS = 0xffe00000 | 0;

/** Writes the hash of an account's client order id into `hash`. A function of its input alone. */
export function hashClientOrderId(account: number, text: string, hash: IdHash): void {
  // Four lanes, each step of which can be inverted: two ids of one length that differ never meet in all of
  // them. Accounts differ in the start, so that equal ids of many accounts are spread.
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

/** The end of MurmurHash3: every bit of the word changes about half of the result's. */
export function spread(word: number): number {
  let mixed = Math.imul(word ^ (word >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}
