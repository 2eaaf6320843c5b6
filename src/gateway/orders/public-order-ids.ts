import { type Cipheriv, createCipheriv } from 'node:crypto';

const BLOCK_BYTES = 16;

/**
 * The public ids of orders: the order id as one block of AES-128 under a secret that all nodes share. An order
 * keeps its id for life, two orders never have the same one, and without the secret an id cannot be linked
 * to another one, to the private id or to an account.
 */
export class PublicOrderIds {
  private readonly cipher: Cipheriv;
  private block = Buffer.alloc(BLOCK_BYTES);

  /** @param secret At least 16 random bytes. */
  constructor(secret: Uint8Array) {
    // Every block is a different number, so none repeats: ECB is the plain permutation that this needs.
    this.cipher = createCipheriv('aes-128-ecb', secret.subarray(0, 16), null);
    this.cipher.setAutoPadding(false);
  }

  /** Returns the public ids of orders, 22 characters each. One call for many orders is faster than many calls. */
  texts(orderIds: readonly number[]): string[] {
    const size = orderIds.length * BLOCK_BYTES;
    if (this.block.length < size) this.block = Buffer.alloc(size);
    const block = this.block.subarray(0, size);
    for (const [index, id] of orderIds.entries()) block.writeDoubleBE(id, index * BLOCK_BYTES);
    const encrypted = this.cipher.update(block);
    return orderIds.map((_, index) =>
      encrypted.toString('base64url', index * BLOCK_BYTES, (index + 1) * BLOCK_BYTES),
    );
  }
}
