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
  return value <= MAX_SAFE_BIGINT && value >= -MAX_SAFE_BIGINT ? Number(value) : value;
}

export function sum(a: Exact, b: Exact): Exact {
  if (typeof a === 'number' && typeof b === 'number') {
    const result = a + b;
    if (result <= MAX_SAFE && result >= -MAX_SAFE) return result;
  }
  return exact(BigInt(a) + BigInt(b));
}

export function difference(a: Exact, b: Exact): Exact {
  if (typeof a === 'number' && typeof b === 'number') {
    const result = a - b;
    if (result <= MAX_SAFE && result >= -MAX_SAFE) return result;
  }
  return exact(BigInt(a) - BigInt(b));
}

/** Returns a × b × unit. All three must be non-negative integers. */
export function product(a: number, b: number, unit: number): Exact {
  const result = a * b * unit;
  // Every intermediate result of a product below 2^53 was exact.
  return result <= MAX_SAFE ? result : exact(BigInt(a) * BigInt(b) * BigInt(unit));
}

/** Returns `a` times a positive integer. */
export function multiple(a: Exact, factor: number): Exact {
  if (typeof a === 'number') {
    const result = a * factor;
    if (result <= MAX_SAFE && result >= -MAX_SAFE) return result;
  }
  return exact(BigInt(a) * BigInt(factor));
}

/** Returns `a` divided by a positive integer, rounded down. `a` must not be negative. */
export function quotient(a: Exact, divisor: number): Exact {
  if (typeof a === 'number') return (a - (a % divisor)) / divisor;
  return exact(a / BigInt(divisor));
}

const MAX_SAFE = Number.MAX_SAFE_INTEGER;
const MAX_SAFE_BIGINT = BigInt(MAX_SAFE);
