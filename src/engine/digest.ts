import type { Exact } from './numbers/exact.ts';

/**
 * A running digest of state: the sum, modulo 2^32, of one hash per element. An element that changes
 * takes its old hash out and puts its new one in, so two replicas compare their whole state in one
 * number at any time, whatever the order of their changes. It finds accidents (a flipped bit, a
 * step that was not deterministic), not forgeries: against those stands the log's SHA-256 chain.
 */

/** The part of the state that sums the hashes of its elements. */
export interface ElementHashes {
  /** Adds an element's hash. */
  include(hash: number): void;
  /** Removes an element's hash. */
  exclude(hash: number): void;
}

const bits = new BigInt64Array(1);
const double = new Float64Array(bits.buffer);
const words = new Int32Array(bits.buffer);
const LARGEST_64 = (1n << 63n) - 1n;

export function mix(hash: number, word: number): number {
  const product = Math.imul(hash ^ word, 0x9e3779b1);
  return product ^ (product >>> 15);
}

/** Mixes in every bit of a number, so that no damage to it goes unseen. */
export function mixNumber(hash: number, value: number): number {
  double[0] = value;
  return mix(mix(hash, words[0]!), words[1]!);
}

function mixBigint(hash: number, value: bigint): number {
  bits[0] = value;
  const mixed = mix(mix(hash, words[0]!), words[1]!);
  return value > LARGEST_64 || value < -LARGEST_64 ? mixBigint(mixed, value >> 64n) : mixed;
}

/** Of money: the one form that a value has makes the hash the same everywhere. */
export function mixExact(hash: number, value: Exact): number {
  return typeof value === 'number' ? mixNumber(hash, value) : mixBigint(hash, value);
}

export function mixText(hash: number, text: string): number {
  let mixed = mix(hash, text.length);
  for (let i = 0; i < text.length; i++) mixed = mix(mixed, text.charCodeAt(i));
  return mixed;
}
