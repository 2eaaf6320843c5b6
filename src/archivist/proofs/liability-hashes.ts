import type { Exact } from '../../engine/numbers/exact.ts';
import { HASH_BYTES, hashInto } from '../../log/hash.ts';

// The hashes of a proof of liabilities (docs/trading/proofs.md). The first byte of what is hashed separates leaves,
// inner nodes and padding, so that none can be presented as another.

/** A node of a tree: its hash, and its sum as an unsigned big-endian integer. */
export const NODE_BYTES = 64;
export const SUM_BYTES = 32;
export const NONCE_BYTES = 32;
const SUM_LIMIT = 1n << 256n;
const LEAF = 0;
const INNER = 1;
const PADDING = 2;

const NONCE_PURPOSE = new TextEncoder().encode('Buttonwood proof of liabilities 1');

/** Writes a sum as 32 bytes, the most significant first. @throws RangeError below 0 and from 2^256 on */
export function writeSum(target: Uint8Array, offset: number, sum: Exact): void {
  if (sum < 0 || sum >= SUM_LIMIT)
    throw new RangeError(`a sum of ${sum} is not in the range of 256 bits`);
  target.fill(0, offset, offset + SUM_BYTES);
  const view = new DataView(target.buffer, target.byteOffset + offset, SUM_BYTES);
  if (typeof sum === 'number') {
    view.setUint32(24, Math.floor(sum / 2 ** 32));
    view.setUint32(28, sum % 2 ** 32);
    return;
  }
  for (let at = 24, rest = sum; at >= 0; at -= 8, rest >>= 64n)
    view.setBigUint64(at, rest & MAX_64);
}

const MAX_64 = (1n << 64n) - 1n;

/** Reads a sum of 32 bytes. */
export function readSum(bytes: Uint8Array, offset: number): bigint {
  const view = new DataView(bytes.buffer, bytes.byteOffset + offset, SUM_BYTES);
  let sum = 0n;
  for (let at = 0; at < SUM_BYTES; at += 8) sum = (sum << 64n) | view.getBigUint64(at);
  return sum;
}

const scratch = new Uint8Array(512);
const encoder = new TextEncoder();

/** Writes a text of at most 255 bytes behind its length. @returns the offset after it */
function writeText(text: string, offset: number): number {
  const { written } = encoder.encodeInto(text, scratch.subarray(offset + 1, offset + 256));
  scratch[offset] = written;
  return offset + 1 + written;
}

/** Writes the node of one account's balance of an asset. The sum must be in the node already. */
export function writeLeaf(
  node: Uint8Array,
  asset: string,
  account: string,
  nonce: Uint8Array,
): void {
  scratch[0] = LEAF;
  const at = writeText(account, writeText(asset, 1));
  scratch.set(nonce, at);
  scratch.set(node.subarray(HASH_BYTES, NODE_BYTES), at + NONCE_BYTES);
  hashInto(node.subarray(0, HASH_BYTES), scratch.subarray(0, at + NONCE_BYTES + SUM_BYTES));
}

/** Writes the hash of an inner node, which commits to the hash and to the sum of either child. */
export function writeInnerHash(target: Uint8Array, left: Uint8Array, right: Uint8Array): void {
  scratch[0] = INNER;
  scratch.set(left, 1);
  scratch.set(right, 1 + NODE_BYTES);
  hashInto(target, scratch.subarray(0, 1 + 2 * NODE_BYTES));
}

/** Returns the node that fills a tree up where it has no leaf, at each height from 0 to `depth`. Its sum is zero. */
export function paddingNodes(depth: number): Uint8Array[] {
  const lowest = new Uint8Array(NODE_BYTES);
  hashInto(lowest.subarray(0, HASH_BYTES), Uint8Array.of(PADDING));
  const nodes = [lowest];
  for (let height = 1; height <= depth; height++) {
    const node = new Uint8Array(NODE_BYTES);
    writeInnerHash(node.subarray(0, HASH_BYTES), nodes[height - 1]!, nodes[height - 1]!);
    nodes.push(node);
  }
  return nodes;
}

/**
 * Returns the nonce that hides an account's balance of an asset from everyone who does not know it.
 * @param logHash The log's hash at the position of the proof: the same account has another nonce in another proof.
 */
export function deriveNonce(
  secret: Uint8Array,
  logHash: Uint8Array,
  asset: string,
  account: string,
): Uint8Array {
  const nonce = new Uint8Array(NONCE_BYTES);
  new NonceWriter(secret, logHash).write(nonce, asset, account);
  return nonce;
}

/** Derives the nonces of many accounts with the same secret, in the same proof. */
export class NonceWriter {
  /** The purpose, the log's hash, and space for asset and account. */
  private readonly text = new Uint8Array(1024);
  private readonly start: number;

  constructor(
    private readonly secret: Uint8Array,
    logHash: Uint8Array,
  ) {
    this.text.set(NONCE_PURPOSE);
    this.text.set(logHash, NONCE_PURPOSE.length);
    this.start = NONCE_PURPOSE.length + logHash.length;
  }

  /** Writes the nonce of an account's balance of an asset. */
  write(target: Uint8Array, asset: string, account: string): void {
    const { text, start } = this;
    const end = writeText(account, writeText(asset, 0));
    text.set(scratch.subarray(0, end), start);
    const hmac = new Bun.CryptoHasher('sha256', this.secret);
    target.set(hmac.update(text.subarray(0, start + end)).digest());
  }
}
