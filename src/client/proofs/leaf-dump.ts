import type { LiabilityProof } from '../api/records.ts';
import { readAccount, readBalance, readFields, readList, readProof } from './read-proof.ts';
import {
  fromHex,
  innerNode,
  leafNode,
  ProofError,
  paddingNodes,
  type Sha256,
  type SumNode,
  toHex,
} from './sum-tree.ts';

/** The verified content of a complete list of leaves. */
export interface VerifiedDump {
  readonly proof: LiabilityProof;
  /** Number of leaves. */
  readonly leaves: number;
}

/**
 * Checks a complete list of leaves, as `buttonwood liabilities` writes it: its first line has the proof and the number of leaves of
 * each asset, every other line a leaf, in the order of the assets and of their trees. The trees are built again from it.
 * @throws ProofError naming the line
 */
export async function verifyDump(lines: Iterable<string>, sha256: Sha256): Promise<VerifiedDump> {
  const iterator = lines[Symbol.iterator]();
  const next = () => {
    const { done, value } = iterator.next();
    return done ? undefined : value;
  };
  const header = await atLine(1, async () => readFields(parse(next()), 'it'));
  const proof = await readProof(header.proof, sha256);
  const counts = readList(header.leaves, 'leaves');
  if (counts.length !== proof.assets.length) {
    throw new ProofError('leaves must have a number for each asset.');
  }
  let line = 1;
  for (const [place, stated] of proof.assets.entries()) {
    const tree = new LeafTree(sha256, stated.asset);
    for (let rest = readCount(counts[place]); rest > 0; rest--) {
      line++;
      await atLine(line, () => tree.add(parse(next())));
    }
    const root = await tree.root(stated.treeDepth);
    if (toHex(root.hash) !== stated.tree || root.sum !== BigInt(stated.total)) {
      throw new ProofError(
        `The leaves of ${stated.asset} do not make the stated tree: a leaf is missing, added or changed.`,
      );
    }
  }
  if (next() !== undefined)
    throw new ProofError(`Line ${line + 1}: there are more leaves than stated.`);
  return { proof, leaves: line - 1 };
}

/** Builds a tree of leaves that come one after another. */
class LeafTree {
  private readonly accounts = new Set<string>();
  private previousNonce = '';
  private count = 0;
  /** The root of a complete part of the tree at each height, undefined where there is none. */
  private readonly parts: (SumNode | undefined)[] = [];

  constructor(
    private readonly sha256: Sha256,
    private readonly asset: string,
  ) {}

  /** @throws ProofError for a leaf of another asset, of an account that has one, or in the wrong order */
  async add(value: unknown): Promise<void> {
    const fields = readFields(value, 'A leaf');
    const account = readAccount(fields.account);
    const { asset, amount, nonce } = readBalance({ ...fields, index: 0, path: [] });
    if (asset !== this.asset) throw new ProofError(`expected a leaf of ${this.asset}.`);
    if (this.accounts.has(account)) throw new ProofError(`${account} has two leaves of ${asset}.`);
    if (nonce <= this.previousNonce) throw new ProofError('the leaves are not in order.');
    this.accounts.add(account);
    this.previousNonce = nonce;
    this.count++;
    const leaf = { asset, account, nonce: fromHex(nonce), amount: BigInt(amount) };
    let node = await leafNode(this.sha256, leaf);
    let height = 0;
    for (; this.parts[height] !== undefined; height++) {
      node = await innerNode(this.sha256, this.parts[height]!, node);
      this.parts[height] = undefined;
    }
    this.parts[height] = node;
  }

  /** Returns the root, after the last leaf. @throws ProofError if the tree has another depth */
  async root(depth: number): Promise<SumNode> {
    const expected = this.count < 2 ? 0 : Math.ceil(Math.log2(this.count));
    if (depth !== expected) {
      throw new ProofError(`A tree of ${this.count} leaves has ${expected} levels, not ${depth}.`);
    }
    const paddings = await paddingNodes(this.sha256, depth);
    let rest: SumNode | undefined;
    for (let height = 0; height < depth; height++) {
      const part = this.parts[height];
      const padding = paddings[height]!;
      if (part !== undefined) rest = await innerNode(this.sha256, part, rest ?? padding);
      else if (rest !== undefined) rest = await innerNode(this.sha256, rest, padding);
    }
    return rest ?? this.parts[depth] ?? paddings[0]!;
  }
}

function readCount(value: unknown): number {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value;
  throw new ProofError('leaves must have whole numbers.');
}

/** Names the line in the error of some work on it. */
async function atLine<T>(line: number, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ProofError) throw new ProofError(`Line ${line}: ${error.message}`);
    throw error;
  }
}

/** @throws ProofError if there is no such line, or it is no JSON */
function parse(line: string | undefined): unknown {
  if (line === undefined) throw new ProofError('the file ends early.');
  try {
    return JSON.parse(line);
  } catch {
    throw new ProofError('it is no JSON.');
  }
}
