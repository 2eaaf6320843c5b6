import { HASH_BYTES } from '../../log/hash.ts';
import { type Storage, type StorageFile, writeAll } from '../../storage/storage.ts';
import { type LiabilityProof, type LiabilityTrees, rootHash } from './liabilities.ts';
import {
  NODE_BYTES,
  NONCE_BYTES,
  paddingNodes,
  readSum,
  writeInnerHash,
} from './liability-hashes.ts';

// A proof in a file:
//
//   the proof, and the number of leaves and a checksum of the nonces of each tree, as one line of JSON
//   for each tree: the nonces of its leaves, ascending, 32 bytes each; then its nodes, height by height, 64 bytes each
//
// The root of the proof covers the first line. Nodes need no checksum: a path that is read is checked against the root.

const FORMAT = 1;
const LINE_FEED = 10;
/** Maximum size of the first line: some hundred bytes for each asset. */
const MAX_HEADER_BYTES = 4 * 1024 * 1024;
/** Bytes written in one step. */
const CHUNK_BYTES = 1024 * 1024;

interface Header {
  readonly format: number;
  readonly proof: LiabilityProof;
  /** In the order of the assets. */
  readonly trees: readonly StoredLeaves[];
}

interface StoredLeaves {
  /** Number of leaves. */
  readonly leaves: number;
  /** SHA-256 of their nonces. */
  readonly nonces: string;
}

/** An account's balance of an asset in a proof, with what is needed to check it. */
export interface IncludedBalance {
  readonly asset: string;
  /** In the asset's smallest unit, as text. */
  readonly amount: string;
  readonly nonce: string;
  /** Place of the leaf, from 0. */
  readonly index: number;
  /** The sibling of each node on the way to the root, the lowest first. */
  readonly path: readonly { readonly hash: string; readonly sum: string }[];
}

/** Writes a proof, in steps of a megabyte. Resolves once it is durable. */
export async function* writeProof(
  file: StorageFile,
  { proof, trees }: LiabilityTrees,
): AsyncGenerator<void> {
  const stored: StoredLeaves[] = [];
  for (const { order, nonces } of trees) {
    stored.push({ leaves: order.length, nonces: sha256(nonces) });
    yield;
  }
  const header: Header = { format: FORMAT, proof, trees: stored };
  let offset = 0;
  const parts = trees.flatMap(({ nonces, levels }) => [nonces, ...levels]);
  for (const part of [Buffer.from(`${JSON.stringify(header)}\n`), ...parts]) {
    for (let from = 0; from < part.length; from += CHUNK_BYTES) {
      const chunk = part.subarray(from, from + CHUNK_BYTES);
      writeAll(file, chunk, offset);
      offset += chunk.length;
      yield;
    }
  }
  await file.sync();
}

/** A proof in a file, of which only what is asked for is read. */
export class ProofFile {
  /** Indexes of trees whose nonces were compared with their checksum. */
  private readonly checked = new Set<number>();

  private constructor(
    private readonly storage: Storage,
    private readonly path: string,
    readonly proof: LiabilityProof,
    private readonly trees: readonly StoredLeaves[],
    /** Offset of the first tree. */
    private readonly start: number,
  ) {}

  /** Opens a proof. @returns Undefined if its first line is damaged or of another format */
  static open(storage: Storage, path: string): ProofFile | undefined {
    const line = readLine(storage, path);
    if (line === undefined) return undefined;
    try {
      const { format, proof, trees } = JSON.parse(line.toString()) as Header;
      const isSound =
        rootHash(proof) === proof.root &&
        proof.id === String(proof.position) &&
        trees.length === proof.assets.length;
      if (format !== FORMAT || !isSound) return undefined;
      return new ProofFile(storage, path, proof, trees, line.length + 1);
    } catch {
      return undefined;
    }
  }

  /**
   * Returns an account's balances in the proof, whose paths were checked.
   * @param toNonce Returns the account's nonce of an asset. @returns Undefined if the file is damaged
   */
  inclusion(toNonce: (asset: string) => Uint8Array): IncludedBalance[] | undefined {
    const file = this.storage.openForReading(this.path);
    try {
      const found: IncludedBalance[] = [];
      let offset = this.start;
      for (const [place, { asset, treeDepth }] of this.proof.assets.entries()) {
        const stored = this.trees[place]!;
        const tree = new StoredTree(file, offset, stored.leaves, treeDepth);
        // Otherwise a balance could be missing without notice.
        if (!this.checked.has(place) && tree.hashNonces() !== stored.nonces) return undefined;
        this.checked.add(place);
        const nonce = toNonce(asset);
        const index = tree.find(nonce);
        if (index !== undefined) {
          const balance = { asset, nonce: nonce.toHex(), ...tree.read(index) };
          if (!this.isSound(place, balance, tree.node(0, index))) return undefined;
          found.push(balance);
        }
        offset = tree.end;
      }
      return found;
    } catch (error) {
      if (error instanceof RangeError) return undefined;
      throw error;
    } finally {
      file.close();
    }
  }

  /** Whether the path of a balance leads to the tree's root and to its total. */
  private isSound(place: number, { index, path }: IncludedBalance, leaf: Uint8Array): boolean {
    const { tree, total } = this.proof.assets[place]!;
    let node = leaf;
    let rest = index;
    let sum = readSum(leaf, HASH_BYTES);
    for (const { hash, sum: siblingSum } of path) {
      const sibling = toNode(hash, BigInt(siblingSum));
      const parent = new Uint8Array(NODE_BYTES);
      const [left, right] = rest % 2 === 0 ? [node, sibling] : [sibling, node];
      writeInnerHash(parent.subarray(0, HASH_BYTES), left, right);
      sum += BigInt(siblingSum);
      node = toNode(parent.subarray(0, HASH_BYTES).toHex(), sum);
      rest = Math.floor(rest / 2);
    }
    return node.subarray(0, HASH_BYTES).toHex() === tree && String(sum) === total;
  }
}

function toNode(hash: string, sum: bigint): Uint8Array {
  return Uint8Array.fromHex(hash + sum.toString(16).padStart(2 * HASH_BYTES, '0'));
}

/** A tree in a file. Every read throws a RangeError if the file ends before. */
class StoredTree {
  private readonly paddings: readonly Uint8Array[];
  /** Number of stored nodes of each height. */
  private readonly counts: readonly number[];
  /** The offset after the tree. */
  readonly end: number;

  constructor(
    private readonly file: StorageFile,
    private readonly offset: number,
    private readonly leaves: number,
    private readonly depth: number,
  ) {
    this.paddings = paddingNodes(depth);
    this.counts = Array.from({ length: depth + 1 }, (_, height) => Math.ceil(leaves / 2 ** height));
    const nodes = this.counts.reduce((total, count) => total + count, 0);
    this.end = offset + leaves * NONCE_BYTES + nodes * NODE_BYTES;
  }

  /** Returns the SHA-256 of all nonces. */
  hashNonces(): string {
    const hasher = new Bun.SHA256();
    const end = this.offset + this.leaves * NONCE_BYTES;
    for (let from = this.offset; from < end; from += CHUNK_BYTES) {
      hasher.update(this.bytes(from, Math.min(CHUNK_BYTES, end - from)));
    }
    return hasher.digest('hex');
  }

  /** Returns the index of the leaf with a nonce. */
  find(nonce: Uint8Array): number | undefined {
    let [low, high] = [0, this.leaves];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      const order = Buffer.compare(
        this.bytes(this.offset + middle * NONCE_BYTES, NONCE_BYTES),
        nonce,
      );
      if (order === 0) return middle;
      if (order < 0) low = middle + 1;
      else high = middle;
    }
    return undefined;
  }

  read(index: number): Pick<IncludedBalance, 'amount' | 'index' | 'path'> {
    const path = Array.from({ length: this.depth }, (_, height) => {
      const place = Math.floor(index / 2 ** height);
      const sibling = this.node(height, place % 2 === 0 ? place + 1 : place - 1);
      return {
        hash: sibling.subarray(0, HASH_BYTES).toHex(),
        sum: String(readSum(sibling, HASH_BYTES)),
      };
    });
    return { amount: String(readSum(this.node(0, index), HASH_BYTES)), index, path };
  }

  node(height: number, place: number): Uint8Array {
    if (place >= this.counts[height]!) return this.paddings[height]!;
    const below = this.counts.slice(0, height).reduce((total, count) => total + count, 0);
    const start = this.offset + this.leaves * NONCE_BYTES;
    return this.bytes(start + (below + place) * NODE_BYTES, NODE_BYTES);
  }

  private bytes(offset: number, size: number): Uint8Array {
    const bytes = new Uint8Array(size);
    for (let filled = 0; filled < size; ) {
      const more = this.file.read(bytes.subarray(filled), offset + filled);
      if (more === 0) throw new RangeError('the file ends early');
      filled += more;
    }
    return bytes;
  }
}

function sha256(bytes: Uint8Array): string {
  return new Bun.SHA256().update(bytes).digest('hex');
}

/** Reads the first line of a file, without its end. */
function readLine(storage: Storage, path: string): Buffer | undefined {
  const file = storage.openForReading(path);
  try {
    const bytes = Buffer.alloc(Math.min(file.size(), MAX_HEADER_BYTES));
    const read = file.read(bytes, 0);
    const end = bytes.subarray(0, read).indexOf(LINE_FEED);
    return end < 0 ? undefined : bytes.subarray(0, end);
  } finally {
    file.close();
  }
}
