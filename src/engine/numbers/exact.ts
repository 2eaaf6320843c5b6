/**
 * An exact integer of any size: a number if it is a safe integer, otherwise a bigint. Each value
 * has only one form, so that `===` and the digest agree on every replica. Nearly all amounts of
 * money fit in a number, whose arithmetic allocates nothing; a bigint costs some tens of
 * nanoseconds per operation.
 */
export type Exact = number | bigint;

/** Normalizes an integer: a bigint that fits in a number becomes one. */
export function exact(value: Exact): Exact {
  if (typeof value === 'number') return value;
  return value <= LARGEST_SAFE && value >= -LARGEST_SAFE ? Number(value) : value;
}

export function sum(a: Exact, b: Exact): Exact {
  if (typeof a === 'number' && typeof b === 'number') {
    const both = a + b;
    if (both <= LARGEST && both >= -LARGEST) return both;
  }
  return exact(BigInt(a) + BigInt(b));
}

export function difference(a: Exact, b: Exact): Exact {
  if (typeof a === 'number' && typeof b === 'number') {
    const rest = a - b;
    if (rest <= LARGEST && rest >= -LARGEST) return rest;
  }
  return exact(BigInt(a) - BigInt(b));
}

/** Returns a × b × unit. All three must be non-negative integers. */
export function product(a: number, b: number, unit: number): Exact {
  const all = a * b * unit;
  // Every intermediate result of a product below 2^53 was exact.
  return all <= LARGEST ? all : exact(BigInt(a) * BigInt(b) * BigInt(unit));
}

/** Returns `a` times a positive integer. */
export function multiple(a: Exact, factor: number): Exact {
  if (typeof a === 'number') {
    const all = a * factor;
    if (all <= LARGEST && all >= -LARGEST) return all;
  }
  return exact(BigInt(a) * BigInt(factor));
}

/** Returns `a` divided by a positive integer, rounded down. `a` must not be negative. */
export function quotient(a: Exact, divisor: number): Exact {
  if (typeof a === 'number') return (a - (a % divisor)) / divisor;
  return exact(a / BigInt(divisor));
}

const LARGEST = Number.MAX_SAFE_INTEGER;
const LARGEST_SAFE = BigInt(LARGEST);
