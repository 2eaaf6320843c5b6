import { readFileSync } from 'node:fs';
import { dumpLines } from '../../archivist/proofs/dump.ts';
import { proveLiabilities } from '../../archivist/proofs/liabilities.ts';
import { readSecret } from '../../archivist/proofs/proof-store.ts';
import { applyBatch, GENESIS } from '../../archivist/recovery.ts';
import {
  formatSmallestUnits,
  type LiabilityProof,
  ProofError,
  verifyInclusion,
  verifyProofs,
} from '../../client/index.ts';
import { verifyDump } from '../../client/proofs/leaf-dump.ts';
import { Exchange } from '../../engine/exchange.ts';
import type { Position } from '../../log/log.ts';
import type { Progress } from '../../monitoring/progress.ts';
import type { Result } from '../command.ts';
import { fields, table } from '../text.ts';
import { cliError } from './finding.ts';
import { type Moment, type SourcePlace, withSource } from './source.ts';

/**
 * Lists all leaves of the proof of liabilities of a moment, replayed from the log. The node may run.
 * @throws CliError
 */
export function listLiabilities(
  place: SourcePlace,
  at: Moment | undefined,
  progress: Progress,
): Promise<Result> {
  return withSource(place, at, progress, async (source) => {
    const secret = readSecret(source.storage, source.paths.proofs);
    if (secret === undefined) {
      const message = `No proof of liabilities was made in ${place.path} yet: there is no secret for its nonces.`;
      throw cliError('NO_PROOF', message);
    }
    const exchange = new Exchange();
    let position: Position = GENESIS;
    for await (const batch of source.read('replaying the log')) {
      applyBatch(exchange, batch, source.skips);
      position = { sequence: batch.sequence, hash: batch.hash };
    }
    const steps = proveLiabilities({ exchange, position }, secret);
    let step = steps.next();
    while (!step.done) step = steps.next();
    const lines = dumpLines(step.value);
    const first = lines.next().value!;
    return { data: JSON.parse(first), text: first, lines };
  });
}

/** The verified content of a file. */
interface Finding {
  readonly file: string;
  readonly kind: 'inclusion' | 'leaves' | 'proofs';
  readonly account: string | null;
  readonly proofs: readonly LiabilityProof[];
  readonly text: string;
}

/**
 * Checks files of inclusion proofs, of published proofs, and complete lists of leaves. Needs no exchange.
 * @param root The root that the exchange has published; every proof must have it.
 * @throws CliError naming the file and what is wrong with it
 */
export async function verifyLiabilities(
  files: readonly string[],
  root: string | undefined,
): Promise<Result> {
  const findings: Finding[] = [];
  for (const file of files) findings.push(await verifyFile(file));
  const roots = new Map<number, string>();
  for (const { file, proofs } of findings) {
    for (const proof of proofs) {
      if (root !== undefined && proof.root !== root) {
        throw unproven(file, `It has the root ${proof.root}, not the published one.`);
      }
      const known = roots.get(proof.position) ?? proof.root;
      roots.set(proof.position, known);
      if (known === proof.root) continue;
      const message = `Another file has another root at position ${proof.position}: the exchange has stated two things.`;
      throw unproven(file, message);
    }
  }
  const data = {
    valid: true,
    files: findings.map(({ text: _, ...finding }) => finding),
  };
  const advice =
    root === undefined
      ? 'Compare the root with the one that the exchange has published where everyone sees the same, or give it as --root.'
      : 'Every file has the published root.';
  return { data, text: [...findings.map(({ text }) => text), advice].join('\n\n') };
}

async function verifyFile(file: string): Promise<Finding> {
  const text = read(file);
  try {
    const [firstLine] = text.split('\n', 1);
    const first = parse(firstLine!) ?? parse(text);
    if (first === undefined) throw new ProofError('It is no JSON.');
    if (has(first, 'leaves')) return await verifyLeaves(file, text);
    return has(first, 'balances')
      ? await verifyOwn(file, first)
      : await verifyPublished(file, first);
  } catch (error) {
    if (error instanceof ProofError) throw unproven(file, error.message);
    throw error;
  }
}

async function verifyOwn(file: string, value: unknown): Promise<Finding> {
  const { proof, account, balances } = await verifyInclusion(value);
  const decimals = new Map(proof.assets.map((each) => [each.asset, each.decimals]));
  const rows = balances.map(({ asset, amount }) => [
    asset,
    formatSmallestUnits(amount, decimals.get(asset)!),
  ]);
  const text =
    `valid: ${file} shows that these balances of ${account} are in the proof.\n\n` +
    `${describeProof(proof)}\n\n${rows.length === 0 ? 'No balances.' : table(['ASSET', 'AMOUNT'], rows)}`;
  return { file, kind: 'inclusion', account, proofs: [proof], text };
}

async function verifyLeaves(file: string, text: string): Promise<Finding> {
  const lines = text.endsWith('\n') ? text.slice(0, -1).split('\n') : text.split('\n');
  const sha256 = (bytes: Uint8Array): Uint8Array =>
    Bun.SHA256.hash(bytes, new Uint8Array(32)) as Uint8Array;
  const { proof, leaves } = await verifyDump(lines, sha256);
  const summary =
    `valid: ${file} has all ${leaves} leaves of the proof: they make its trees, and add up to its totals.\n\n` +
    `${describeProof(proof)}\n\n${totalsTable(proof)}`;
  return { file, kind: 'leaves', account: null, proofs: [proof], text: summary };
}

async function verifyPublished(file: string, value: unknown): Promise<Finding> {
  const proofs = await verifyProofs(value);
  const text = proofs.map((proof) => `${describeProof(proof)}\n\n${totalsTable(proof)}`);
  const heading = `valid: ${file} has ${proofs.length} published proofs, whose roots fit what they state.`;
  return { file, kind: 'proofs', account: null, proofs, text: [heading, ...text].join('\n\n') };
}

function describeProof({ position, timestamp, logHash, root }: LiabilityProof): string {
  return fields([
    ['Log position', position],
    ['Time', timestamp],
    ['Log hash', logHash],
    ['Root', root],
  ]);
}

function totalsTable({ assets }: LiabilityProof): string {
  const rows = assets.map(({ asset, decimals, total, fees, external }) => [
    asset,
    ...[total, fees, external].map((amount) => formatSmallestUnits(amount, decimals)),
  ]);
  return table(['ASSET', 'OWED TO ACCOUNTS', 'FEES', 'EXTERNAL'], rows);
}

function has(value: unknown, field: string): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { success, data } = value as Record<string, unknown>;
  return field in value || (success === true && has(data, field));
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw cliError('NO_FILE', `Cannot read ${file}: ${(error as Error).message}`);
  }
}

function unproven(file: string, reason: string) {
  return cliError('INVALID_PROOF', `invalid: ${file} proves nothing. ${reason}`);
}
