/** Returns cryptographically random bytes, or in a sandbox with a virtual clock ones that its seed determines. */
export type RandomBytes = (size: number) => Uint8Array;

/**
 * Returns a generator of bytes that depend only on a seed, on the position in the log, and on how many were taken there: the
 * same calls create the same keys, also after a restart. Anyone who knows the seed knows the keys.
 * @param position The sequence of the last batch of the log.
 */
export function seededBytes(seed: number, position: () => number): RandomBytes {
  let lastPosition = -1;
  let taken = 0;
  return (size) => {
    const at = position();
    if (at !== lastPosition) taken = 0;
    lastPosition = at;
    const blocks: Uint8Array[] = [];
    for (let bytes = 0; bytes < size; bytes += 32) {
      blocks.push(
        new Bun.SHA256().update(`buttonwood ${seed} ${at} ${taken++}`).digest() as Uint8Array,
      );
    }
    return new Uint8Array(Buffer.concat(blocks).subarray(0, size));
  };
}
