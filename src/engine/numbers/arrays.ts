type NumberArray = Float64Array | Int32Array | Uint16Array | Uint8Array;

/**
 * A copy of `old` with room for `length` numbers, the new ones 0. Slabs double when they are full:
 * memory that was never written costs address space only, so the spare half is free.
 */
export function grown<T extends NumberArray>(old: T, length: number): T {
  const array = new (old.constructor as new (length: number) => T)(length);
  array.set(old);
  return array;
}

/** A copy of `old` with `length` entries, the new ones `empty`. Pushing or joining them costs five times the time. */
export function grownList<T>(old: readonly T[], length: number, empty: T): T[] {
  const list = new Array<T>(length).fill(empty);
  for (let i = 0; i < old.length; i++) list[i] = old[i]!;
  return list;
}
