// The hashes of a proof of liabilities (docs/trading/proofs.md), written for checking them, without anything of the exchange.

/** Returns the SHA-256 of bytes. */
export type Sha256 = (bytes: Uint8Array) => Uint8Array | Promise<Uint8Array>;

/** A file does not prove what it claims. */
export class ProofError extends Error {
  override readonly name = 'ProofError';
}

/** A node of a tree: its hash, and the sum of the leaves below it. */
export interface SumNode {
  readonly hash: Uint8Array;
  readonly sum: bigint;
}

/** A leaf: an account's balance of an asset in its smallest unit. */
export interface Leaf {
  readonly asset: string;
  readonly account: string;
  readonly nonce: Uint8Array;
  readonly amount: bigint;
}

const HASH_BYTES = 32;
const SUM_LIMIT = 1n << 256n;
const LEAF = Uint8Array.of(0);
const INNER = Uint8Array.of(1);
const PADDING = Uint8Array.of(2);

export async function leafNode(sha256: Sha256, leaf: Leaf): Promise<SumNode> {
  const { asset, account, nonce, amount } = leaf;
  const parts = [LEAF, withLength(asset), withLength(account), nonce, sumBytes(amount)];
  return { hash: await sha256(join(parts)), sum: amount };
}

/** Returns the parent of two nodes. @throws ProofError if the sum has more than 256 bits */
export async function innerNode(sha256: Sha256, left: SumNode, right: SumNode): Promise<SumNode> {
  const parts = [INNER, left.hash, sumBytes(left.sum), right.hash, sumBytes(right.sum)];
  const sum = left.sum + right.sum;
  if (sum >= SUM_LIMIT) throw new ProofError('A sum has more than 256 bits.');
  return { hash: await sha256(join(parts)), sum };
}

/** Returns the node without leaves of each height, from 0 to `depth`. */
export async function paddingNodes(sha256: Sha256, depth: number): Promise<SumNode[]> {
  const nodes: SumNode[] = [{ hash: await sha256(PADDING), sum: 0n }];
  for (let height = 1; height <= depth; height++) {
    const below = nodes[height - 1]!;
    nodes.push(await innerNode(sha256, below, below));
  }
  return nodes;
}

/** Returns the root to which a path leads from a leaf at a place. */
export async function climb(
  sha256: Sha256,
  leaf: SumNode,
  index: number,
  path: readonly SumNode[],
): Promise<SumNode> {
  let node = leaf;
  let place = index;
  for (const sibling of path) {
    node = await (place % 2 === 0
      ? innerNode(sha256, node, sibling)
      : innerNode(sha256, sibling, node));
    place = Math.floor(place / 2);
  }
  return node;
}

export function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Reads 64 hexadecimal digits. */
export function fromHex(text: string): Uint8Array {
  const bytes = new Uint8Array(HASH_BYTES);
  for (let at = 0; at < HASH_BYTES; at++) {
    bytes[at] = Number.parseInt(text.slice(2 * at, 2 * at + 2), 16);
  }
  return bytes;
}

function sumBytes(sum: bigint): Uint8Array {
  if (sum < 0n || sum >= SUM_LIMIT) throw new ProofError('A sum is not between 0 and 2^256.');
  return fromHex(sum.toString(16).padStart(2 * HASH_BYTES, '0'));
}

function withLength(text: string): Uint8Array {
  const bytes = new TextEncoder().encode(text);
  if (bytes.length > 255) throw new ProofError('A name has more than 255 bytes.');
  return join([Uint8Array.of(bytes.length), bytes]);
}

function join(parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((total, part) => total + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    bytes.set(part, offset);
    offset += part.length;
  }
  return bytes;
}
