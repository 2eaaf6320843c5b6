type NumberArray = Float64Array | Int32Array | Uint16Array | Uint8Array;

/**
 * Returns a copy of `old` with `length` numbers, the new ones 0. Arrays double when they are full:
 * memory that was never written only costs address space, so the unused half is free.
 */
export function grown<T extends NumberArray>(old: T, length: number): T {
  const array = new (old.constructor as new (length: number) => T)(length);
  array.set(old);
  return array;
}

/**
 * Returns a copy of `old` with `length` entries, the new ones `empty`. Pushing or concatenating
 * takes five times as long.
 */
export function grownList<T>(old: readonly T[], length: number, empty: T): T[] {
  const list = new Array<T>(length).fill(empty);
  for (let i = 0; i < old.length; i++) list[i] = old[i]!;
  return list;
}
