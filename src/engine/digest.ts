import type { Exact } from './numbers/exact.ts';

/**
 * A running digest of the state: the sum, modulo 2^32, of one hash per element. A changed element
 * subtracts its old hash and adds its new one, so replicas can compare their whole state in one
 * number at any time, independent of the order of changes. Elements that change often store the hash
 * that the digest includes.
 * The digest detects accidents (a flipped bit, a step that was not deterministic), not forgeries:
 * the SHA-256 chain of the log detects those.
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

/** Mixes in all 64 bits of a number, so that damage to any of them changes the hash. */
export function mixNumber(hash: number, value: number): number {
  double[0] = value;
  return mix(mix(hash, words[0]!), words[1]!);
}

function mixBigint(hash: number, value: bigint): number {
  bits[0] = value;
  const mixed = mix(mix(hash, words[0]!), words[1]!);
  return value > LARGEST_64 || value < -LARGEST_64 ? mixBigint(mixed, value >> 64n) : mixed;
}

/**
 * Mixes in an amount of money. `Exact` has one form per value, so the hash is the same everywhere.
 */
export function mixExact(hash: number, value: Exact): number {
  return typeof value === 'number' ? mixNumber(hash, value) : mixBigint(hash, value);
}

export function mixText(hash: number, text: string): number {
  let mixed = mix(hash, text.length);
  for (let i = 0; i < text.length; i++) mixed = mix(mixed, text.charCodeAt(i));
  return mixed;
}
