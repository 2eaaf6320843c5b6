export const HASH_BYTES = 32;

/** The previous hash of the first batch of every log. */
export const GENESIS_HASH: Uint8Array = new Uint8Array(HASH_BYTES);

/** Writes the SHA-256 of `bytes` into the 32 bytes of `target`. */
export function hashInto(target: Uint8Array, bytes: Uint8Array): void {
  Bun.SHA256.hash(bytes, target);
}

export function equalHashes(one: Uint8Array, other: Uint8Array): boolean {
  return Buffer.compare(one, other) === 0;
}
