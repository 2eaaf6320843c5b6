import { type Exact, sum } from '../../engine/numbers/exact.ts';
import { HASH_BYTES } from '../../log/hash.ts';
import {
  NODE_BYTES,
  NONCE_BYTES,
  NonceWriter,
  paddingNodes,
  writeInnerHash,
  writeLeaf,
  writeSum,
} from './liability-hashes.ts';

/** The balances of one asset: accounts, and the amount of each, above zero. */
export interface Holdings {
  readonly asset: string;
  readonly accounts: readonly string[];
  readonly amounts: readonly Exact[];
}

/** A Merkle sum tree over the balances of one asset. */
export interface LiabilityTree {
  /** Number of levels above the leaves. */
  readonly depth: number;
  /** The nonces of the leaves, 32 bytes each, ascending. */
  readonly nonces: Uint8Array;
  /** The nodes of each height, leaves first, 64 bytes each. Padding to the right of them is left out. */
  readonly levels: readonly Uint8Array[];
  /** The index in the holdings of each leaf. */
  readonly order: readonly number[];
  readonly total: Exact;
}

/** Leaves and nodes made in one step, a millisecond or two of work. */
const STEP = 1000;
/** Leading bytes of a nonce that are compared as a number: as many as a number holds exactly. */
const PREFIX_BYTES = 6;

/**
 * Builds the tree, in steps of some milliseconds. Leaves are in the order of their nonces, which is another one in every
 * proof, so that neighbors say nothing about who they are.
 * @throws RangeError for a negative amount, and if the total has more than 256 bits
 */
export function* buildTree(
  { asset, accounts, amounts }: Holdings,
  secret: Uint8Array,
  logHash: Uint8Array,
): Generator<void, LiabilityTree> {
  const count = accounts.length;
  const unsorted = new Uint8Array(count * NONCE_BYTES);
  const writer = new NonceWriter(secret, logHash);
  for (let index = 0; index < count; index++) {
    writer.write(at(unsorted, index, NONCE_BYTES), asset, accounts[index]!);
    if (index % STEP === STEP - 1) yield;
  }
  const order = yield* sortByNonce(unsorted, count);
  const nonces = new Uint8Array(unsorted.length);
  const leaves = new Uint8Array(count * NODE_BYTES);
  const sums: Exact[] = [];
  for (let place = 0; place < count; place++) {
    const index = order[place]!;
    const nonce = at(unsorted, index, NONCE_BYTES);
    nonces.set(nonce, place * NONCE_BYTES);
    const node = at(leaves, place, NODE_BYTES);
    writeSum(node, HASH_BYTES, amounts[index]!);
    writeLeaf(node, asset, accounts[index]!, nonce);
    sums.push(amounts[index]!);
    if (place % STEP === STEP - 1) yield;
  }
  const depth = count < 2 ? 0 : Math.ceil(Math.log2(count));
  const { levels, total } = yield* addLevels(leaves, sums, depth);
  return { depth, nonces, levels, order, total };
}

/** Adds the levels above the leaves. */
function* addLevels(leaves: Uint8Array, leafSums: Exact[], depth: number) {
  const paddings = paddingNodes(depth);
  const levels = [leaves];
  let sums = leafSums;
  for (let height = 1; height <= depth; height++) {
    const below = levels[height - 1]!;
    const count = Math.ceil(sums.length / 2);
    const level = new Uint8Array(count * NODE_BYTES);
    const levelSums: Exact[] = [];
    for (let index = 0; index < count; index++) {
      const hasRight = 2 * index + 1 < sums.length;
      const right = hasRight ? at(below, 2 * index + 1, NODE_BYTES) : paddings[height - 1]!;
      const node = at(level, index, NODE_BYTES);
      const total = sum(sums[2 * index]!, sums[2 * index + 1] ?? 0);
      writeInnerHash(node.subarray(0, HASH_BYTES), at(below, 2 * index, NODE_BYTES), right);
      writeSum(node, HASH_BYTES, total);
      levelSums.push(total);
      if (index % STEP === STEP - 1) yield;
    }
    levels.push(level);
    sums = levelSums;
  }
  return { levels, total: sums[0] ?? 0 };
}

/** Returns the indexes of nonces in ascending order of these. */
function* sortByNonce(nonces: Uint8Array, count: number): Generator<void, number[]> {
  // One bucket for each first byte: sorting all at once would take a second for a million accounts.
  const buckets: number[][] = Array.from({ length: 256 }, () => []);
  // Nearly all nonces differ in their first six bytes, and numbers leave no garbage behind.
  const prefixes = new Float64Array(count);
  const bytes = Buffer.from(nonces.buffer, nonces.byteOffset, nonces.length);
  for (let index = 0; index < count; index++) {
    buckets[nonces[index * NONCE_BYTES]!]!.push(index);
    prefixes[index] = bytes.readUIntBE(index * NONCE_BYTES, PREFIX_BYTES);
    if (index % STEP === 0) yield;
  }
  const order: number[] = [];
  const compare = (one: number, other: number) =>
    prefixes[one]! - prefixes[other]! ||
    Buffer.compare(at(nonces, one, NONCE_BYTES), at(nonces, other, NONCE_BYTES));
  for (const bucket of buckets) {
    for (const index of bucket.sort(compare)) order.push(index);
    if (bucket.length > STEP / 10) yield;
  }
  return order;
}

function at(bytes: Uint8Array, index: number, size: number): Uint8Array {
  return bytes.subarray(index * size, (index + 1) * size);
}
