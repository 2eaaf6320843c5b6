import type { AssetLiabilities, IncludedBalance, LiabilityProof } from '../api/records.ts';
import { ProofError, type Sha256, toHex } from './sum-tree.ts';

// Everything in a file is checked before it is hashed: a text with a line break or a blank could make one statement look
// like another.

const HASH = /^[0-9a-f]{64}$/;
const COUNT = /^(0|[1-9]\d{0,77})$/;
const SIGNED = /^(0|-?[1-9]\d{0,77})$/;
const ASSET = /^[A-Z0-9]{1,12}$/;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const ACCOUNT = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/;
/** Levels of a tree with more leaves than there can be accounts. */
const MAX_DEPTH = 40;
const MAX_DECIMALS = 22;

type Fields = Readonly<Record<string, unknown>>;

/** Returns a published proof whose root and totals were checked. @throws ProofError */
export async function readProof(value: unknown, sha256: Sha256): Promise<LiabilityProof> {
  const { id, position, timestamp, logHash, root, assets } = readFields(value, 'The proof');
  const proof: LiabilityProof = {
    position: readInteger(position, 'position', Number.MAX_SAFE_INTEGER),
    id: readText(id, 'id', COUNT),
    timestamp: readText(timestamp, 'timestamp', TIME),
    logHash: readText(logHash, 'logHash', HASH),
    root: readText(root, 'root', HASH),
    assets: readList(assets, 'assets').map(readAsset),
  };
  if (proof.id !== String(proof.position)) throw new ProofError('id is not that of position.');
  const names = new Set(proof.assets.map(({ asset }) => asset));
  if (names.size < proof.assets.length) throw new ProofError('An asset is in the proof twice.');
  for (const { asset, total, fees, external } of proof.assets) {
    if (BigInt(total) + BigInt(fees) + BigInt(external) === 0n) continue;
    throw new ProofError(`The total, fees and external funds of ${asset} do not add up to zero.`);
  }
  const found = toHex(await sha256(new TextEncoder().encode(statement(proof))));
  if (found !== proof.root) {
    throw new ProofError(`The root does not fit what is stated: it should be ${found}.`);
  }
  return proof;
}

/** Returns the text to which the root commits. */
function statement({ position, timestamp, logHash, assets }: LiabilityProof): string {
  const lines = assets.map((each) => {
    const { asset, decimals, treeDepth, tree, total, fees, external } = each;
    return `asset ${asset} decimals ${decimals} depth ${treeDepth} tree ${tree} total ${total} fees ${fees} external ${external}`;
  });
  const head = ['Buttonwood proof of liabilities 1', `position ${position}`, `time ${timestamp}`];
  return [...head, `log ${logHash}`, ...lines, ''].join('\n');
}

function readAsset(value: unknown): AssetLiabilities {
  const { asset, decimals, treeDepth, tree, total, fees, external } = readFields(
    value,
    'Each asset',
  );
  return {
    asset: readText(asset, 'asset', ASSET),
    decimals: readInteger(decimals, 'decimals', MAX_DECIMALS),
    treeDepth: readInteger(treeDepth, 'treeDepth', MAX_DEPTH),
    tree: readText(tree, 'tree', HASH),
    total: readText(total, 'total', COUNT),
    fees: readText(fees, 'fees', SIGNED),
    external: readText(external, 'external', SIGNED),
  };
}

/** Reads a balance, without checking its path. @throws ProofError */
export function readBalance(value: unknown): IncludedBalance {
  const { asset, amount, nonce, index, path } = readFields(value, 'Each balance');
  return {
    asset: readText(asset, 'asset', ASSET),
    amount: readText(amount, 'amount', COUNT),
    nonce: readText(nonce, 'nonce', HASH),
    index: readInteger(index, 'index', Number.MAX_SAFE_INTEGER),
    path: readList(path, 'path').map((node) => {
      const { hash, sum } = readFields(node, 'Each node of a path');
      return { hash: readText(hash, 'hash', HASH), sum: readText(sum, 'sum', COUNT) };
    }),
  };
}

/** @throws ProofError */
export function readAccount(value: unknown): string {
  return readText(value, 'account', ACCOUNT);
}

/** Returns the fields of an object. @throws ProofError */
export function readFields(value: unknown, name: string): Fields {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Fields;
  throw new ProofError(`${name} must be an object.`);
}

/** @throws ProofError */
export function readList(value: unknown, name: string): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw new ProofError(`${name} must be a list.`);
}

function readText(value: unknown, name: string, pattern: RegExp): string {
  if (typeof value === 'string' && pattern.test(value)) return value;
  throw new ProofError(`${name} is missing or malformed.`);
}

function readInteger(value: unknown, name: string, max: number): number {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 && value <= max) {
    return value;
  }
  throw new ProofError(`${name} must be a whole number from 0 to ${max}.`);
}
