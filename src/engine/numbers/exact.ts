/**
 * An integer of any size, exactly: a number while it is a safe integer, a bigint beyond. A value has
 * one form only, so that `===` and a digest see the same in every replica. Nearly all money fits a
 * number, whose arithmetic allocates nothing; the rest costs some tens of nanoseconds an operation.
 */
export type Exact = number | bigint;

/** Of an integer in either form: a bigint that would fit a number becomes one. */
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

/** Two factors and a unit, whole numbers that are not below zero. */
export function product(a: number, b: number, unit: number): Exact {
  const all = a * b * unit;
  // Every step of a product below 2^53 was exact.
  return all <= LARGEST ? all : exact(BigInt(a) * BigInt(b) * BigInt(unit));
}

/** `a` times a whole number above zero. */
export function multiple(a: Exact, factor: number): Exact {
  if (typeof a === 'number') {
    const all = a * factor;
    if (all <= LARGEST && all >= -LARGEST) return all;
  }
  return exact(BigInt(a) * BigInt(factor));
}

/** `a`, not below zero, divided by a whole number above zero, rounded down. */
export function quotient(a: Exact, divisor: number): Exact {
  if (typeof a === 'number') return (a - (a % divisor)) / divisor;
  return exact(a / BigInt(divisor));
}

const LARGEST = Number.MAX_SAFE_INTEGER;
const LARGEST_SAFE = BigInt(LARGEST);
