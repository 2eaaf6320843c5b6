import type { IncludedBalance, LiabilityProof } from '../api/records.ts';
import { readAccount, readBalance, readFields, readList, readProof } from './read-proof.ts';
import { climb, fromHex, leafNode, ProofError, type Sha256, toHex } from './sum-tree.ts';

/** The verified content of an inclusion proof. */
export interface VerifiedInclusion {
  readonly proof: LiabilityProof;
  readonly account: string;
  /** The balances of the account in the proof. */
  readonly balances: readonly IncludedBalance[];
}

/**
 * Checks that the balances in a response of `GET /api/proofs/{id}/inclusion`, or in a file of it, are in its proof of
 * liabilities. Compare the account and its balances with your own records, and the root with the published one.
 * @param value The parsed JSON, with or without the envelope of the response.
 * @throws ProofError naming what is wrong
 */
export async function verifyInclusion(
  value: unknown,
  sha256: Sha256 = webSha256,
): Promise<VerifiedInclusion> {
  const fields = unwrap(value);
  const proof = await readProof(fields.proof, sha256);
  const account = readAccount(fields.account);
  const balances = readList(fields.balances, 'balances').map(readBalance);
  if (new Set(balances.map(({ asset }) => asset)).size < balances.length) {
    throw new ProofError('An asset is in the balances twice.');
  }
  for (const balance of balances) await verifyBalance(sha256, proof, account, balance);
  return { proof, account, balances };
}

/** Checks that the path of a balance leads to the root of its asset. @throws ProofError */
async function verifyBalance(
  sha256: Sha256,
  { assets }: LiabilityProof,
  account: string,
  { asset, amount, nonce, index, path }: IncludedBalance,
): Promise<void> {
  const stated = assets.find((each) => each.asset === asset);
  if (stated === undefined) throw new ProofError(`The proof does not state the asset ${asset}.`);
  if (path.length !== stated.treeDepth) {
    throw new ProofError(
      `The path of ${asset} has ${path.length} nodes, but the tree ${stated.treeDepth} levels.`,
    );
  }
  if (index >= 2 ** stated.treeDepth)
    throw new ProofError(`The tree of ${asset} has no leaf ${index}.`);
  const leaf = { asset, account, nonce: fromHex(nonce), amount: BigInt(amount) };
  const siblings = path.map(({ hash, sum }) => ({ hash: fromHex(hash), sum: BigInt(sum) }));
  const root = await climb(sha256, await leafNode(sha256, leaf), index, siblings);
  if (toHex(root.hash) !== stated.tree) {
    throw new ProofError(`The balance of ${asset} is not in the tree: its path leads elsewhere.`);
  }
  if (root.sum !== BigInt(stated.total)) {
    throw new ProofError(`The sums of ${asset} lead to ${root.sum}, not to the stated total.`);
  }
}

/** Checks a response of `GET /api/proofs`, or one proof of it: that each root fits what is stated. @throws ProofError */
export async function verifyProofs(
  value: unknown,
  sha256: Sha256 = webSha256,
): Promise<LiabilityProof[]> {
  const fields = unwrap(value);
  const list = 'proofs' in fields ? readList(fields.proofs, 'proofs') : [fields];
  const proofs: LiabilityProof[] = [];
  for (const each of list) proofs.push(await readProof(each, sha256));
  return proofs;
}

/** Returns an amount in the smallest unit as a decimal number. */
export function formatSmallestUnits(amount: string, decimals: number): string {
  const digits = amount.replace('-', '').padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '');
  const sign = amount.startsWith('-') ? '-' : '';
  return `${sign}${whole}${fraction === '' ? '' : `.${fraction}`}`;
}

function unwrap(value: unknown): Readonly<Record<string, unknown>> {
  const fields = readFields(value, 'The file');
  return fields.success === true ? readFields(fields.data, 'data') : fields;
}

/** SHA-256 of the browser, which only pages of a secure origin have. */
async function webSha256(bytes: Uint8Array): Promise<Uint8Array> {
  if (globalThis.crypto?.subtle === undefined) {
    throw new ProofError('This page cannot check proofs: open it over HTTPS, or check the file.');
  }
  return new Uint8Array(await crypto.subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>));
}
