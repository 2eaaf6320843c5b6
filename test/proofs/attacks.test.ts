import { afterAll, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { dumpLines } from '../../src/archivist/proofs/dump.ts';
import {
  type LiabilityTrees,
  proveLiabilities,
  rootHash,
} from '../../src/archivist/proofs/liabilities.ts';
import { ProofStore } from '../../src/archivist/proofs/proof-store.ts';
import { verifyLiabilities } from '../../src/cli/offline/liabilities.ts';
import type { IncludedBalance, LiabilityProof } from '../../src/client/index.ts';
import { type Command, CommandKind, SYSTEM_ACTOR } from '../../src/engine/command.ts';
import { ENGINE_VERSION, Exchange } from '../../src/engine/exchange.ts';
import { SimulatedStorage } from '../../src/testing/simulated-storage.ts';
import { applyAll } from '../../src/testing/test-exchange.ts';
import { temporaryDirectory } from '../process/exchange-process.ts';

/** Files that an exchange which cheats could hand out, and the exact error of `verify-liabilities` for each. */

const ACCOUNTS = 11;
const NOT_IN_TREE = 'The balance of USDT is not in the tree: its path leads elsewhere.';

const parent = temporaryDirectory();
afterAll(() => parent.remove());

/** A file of `GET /api/proofs/{id}/inclusion`. */
interface Inclusion {
  readonly proof: LiabilityProof;
  readonly account: string;
  readonly balances: readonly IncludedBalance[];
}

/** Accounts with one asset, `user-0` with one unit, `user-1` with two, and so on. */
function exchangeWithAccounts(): Exchange {
  const exchange = new Exchange();
  const commands: Command[] = [
    { kind: CommandKind.open, version: ENGINE_VERSION, sandbox: true },
    { kind: CommandKind.createAsset, ...SYSTEM_ACTOR, asset: 'USDT', name: 'Tether', decimals: 0 },
  ];
  for (let owner = 0; owner < ACCOUNTS; owner++) {
    const accountId = `user-${owner}`;
    commands.push({ kind: CommandKind.createAccount, ...SYSTEM_ACTOR, accountId, limitClass: 1 });
    const terms = { owner, asset: 0, amount: owner + 1, reference: accountId, reason: '' };
    commands.push({ kind: CommandKind.transfer, ...SYSTEM_ACTOR, ...terms });
  }
  applyAll(exchange, 1000, commands);
  return exchange;
}

async function prove(position: number): Promise<{
  readonly trees: LiabilityTrees;
  readonly files: readonly Inclusion[];
}> {
  const storage = new SimulatedStorage();
  await storage.makeDirectory('/proofs');
  const store = new ProofStore(storage, '/proofs', () => {});
  const hash = new Uint8Array(32).fill(position);
  const recovered = { exchange: exchangeWithAccounts(), position: { sequence: position, hash } };
  const steps = proveLiabilities(recovered, await store.secret());
  let step = steps.next();
  while (!step.done) step = steps.next();
  for await (const _ of store.write(step.value));
  const file = store.find(position)!;
  const files = Array.from({ length: ACCOUNTS }, (_, owner) => {
    const account = `user-${owner}`;
    return { proof: file.proof, account, balances: store.inclusion(file, account)! };
  });
  return { trees: step.value, files };
}

const { trees, files } = await prove(5);
const [own, other] = files as [Inclusion, Inclusion];
const lines = [...dumpLines(trees)];

/** Returns the reason for which files are rejected; undefined if they are valid. */
async function reasonFor(...texts: readonly string[]): Promise<string | undefined> {
  const paths = texts.map((text, at) => {
    const path = join(parent.path, `${at}.json`);
    writeFileSync(path, text);
    return path;
  });
  try {
    await verifyLiabilities(paths, undefined);
    return undefined;
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    expect(code).toBe('INVALID_PROOF');
    return message.replace(/^invalid: .* proves nothing\. /, '');
  }
}

/** Like `reasonFor`, for the part of `user-0` with its balance changed. */
function changed(change: Partial<IncludedBalance>, file: Partial<Inclusion> = {}) {
  const balances = [{ ...own.balances[0]!, ...change }];
  return reasonFor(JSON.stringify({ ...own, balances, ...file }));
}

/** Returns the proof with another statement about its asset, and the root that fits it. */
function restated(change: Partial<LiabilityProof['assets'][number]>): LiabilityProof {
  const proof = { ...own.proof, assets: [{ ...own.proof.assets[0]!, ...change }] };
  return { ...proof, root: rootHash(proof) };
}

test('files of the exchange are valid, alone and together', async () => {
  expect(own.balances[0]!.path).toHaveLength(4);
  expect(await reasonFor(...files.map((each) => JSON.stringify(each)))).toBeUndefined();
  expect(await reasonFor(lines.join('\n'), `${lines.join('\n')}\n`)).toBeUndefined();
});

test('every account, leaf and sibling that is taken from elsewhere leads elsewhere', async () => {
  const account = fc.nat(ACCOUNTS - 1);
  await fc.assert(
    fc.asyncProperty(account, account, fc.nat(3), fc.nat(3), async (mine, theirs, one, two) => {
      const file = files[mine]!;
      const [balance] = file.balances as [IncludedBalance];
      const reason = (change: object) => reasonFor(JSON.stringify({ ...file, ...change }));
      // The same node may be the sibling at two heights only if it is padding of the same height.
      if (one !== two) {
        const { path } = balance;
        const swapped = path.with(one, path[two]!).with(two, path[one]!);
        expect(await reason({ balances: [{ ...balance, path: swapped }] })).toBe(NOT_IN_TREE);
      }
      for (const bit of [1, 2, 4, 8]) {
        const moved = { ...balance, index: balance.index ^ bit };
        expect(await reason({ balances: [moved] })).toBe(NOT_IN_TREE);
      }
      if (mine === theirs) return;
      expect(await reason({ account: `user-${theirs}` })).toBe(NOT_IN_TREE);
      expect(await reason({ balances: files[theirs]!.balances })).toBe(NOT_IN_TREE);
    }),
    { numRuns: 100 },
  );
});

test('sums that are negative, too large or another account’s are rejected', async () => {
  const { path } = own.balances[0]!;
  const withSum = (sum: string) => changed({ path: path.with(0, { ...path[0]!, sum }) });
  const limit = 1n << 256n;
  expect(await withSum('-3')).toBe('sum is missing or malformed.');
  expect(await withSum(String(limit - 1n))).toBe('A sum has more than 256 bits.');
  expect(await withSum(String(limit))).toBe('A sum is not between 0 and 2^256.');
  expect(await withSum(String(BigInt(path[0]!.sum) + 1n))).toBe(NOT_IN_TREE);
  expect(await changed({ amount: '-1' })).toBe('amount is missing or malformed.');
  expect(await changed({ amount: String(limit) })).toBe('A sum is not between 0 and 2^256.');
  expect(await changed({ amount: '2' })).toBe(NOT_IN_TREE);
  const [{ total, external }] = own.proof.assets as [LiabilityProof['assets'][number]];
  const less = { total: String(BigInt(total) - 1n), external: String(BigInt(external) + 1n) };
  expect(await changed({}, { proof: restated(less) })).toBe(
    `The sums of USDT lead to ${total}, not to the stated total.`,
  );
});

test('paths and trees of another depth, and leaves twice or outside of the tree, are rejected', async () => {
  const [balance] = own.balances as [IncludedBalance];
  const { path } = balance;
  expect(await changed({ path: path.slice(1) })).toBe(
    'The path of USDT has 3 nodes, but the tree 4 levels.',
  );
  expect(await changed({}, { proof: restated({ treeDepth: 5 }) })).toBe(
    'The path of USDT has 4 nodes, but the tree 5 levels.',
  );
  const deeper = { proof: restated({ treeDepth: 5 }) };
  expect(await changed({ path: [...path, path[3]!] }, deeper)).toBe(NOT_IN_TREE);
  expect(await changed({ index: 16 })).toBe('The tree of USDT has no leaf 16.');
  expect(await changed({}, { balances: [balance, balance] })).toBe(
    'An asset is in the balances twice.',
  );
  expect(await changed({ asset: 'BTC' })).toBe('The proof does not state the asset BTC.');
});

test('a proof of another position, and two proofs of the same one, are rejected', async () => {
  const later = await prove(6);
  expect(await changed({}, { proof: later.files[0]!.proof })).toBe(NOT_IN_TREE);
  expect(await changed({}, { proof: { ...own.proof, position: 6 } })).toBe(
    'id is not that of position.',
  );
  expect(await changed({}, { proof: { ...own.proof, position: 6, id: '6' } })).toMatch(
    /^The root does not fit what is stated: it should be [0-9a-f]{64}\.$/,
  );
  const two = { ...other, proof: restated({ decimals: 1 }) };
  expect(await reasonFor(JSON.stringify(own), JSON.stringify(two))).toBe(
    'Another file has another root at position 5: the exchange has stated two things.',
  );
});

test('a list of leaves with one that is changed, twice, moved or of another asset names the line', async () => {
  const reason = (edited: readonly string[]) => reasonFor(edited.join('\n'));
  const edit = (at: number, change: object) =>
    lines.with(at, JSON.stringify({ ...JSON.parse(lines[at]!), ...change }));
  const another =
    'The leaves of USDT do not make the stated tree: a leaf is missing, added or changed.';
  for (let at = 1; at < lines.length; at++) {
    const { account, amount } = JSON.parse(lines[at]!);
    const line = `Line ${at + 1}:`;
    const twice = lines.toSpliced(at, 0, lines[at]!);
    const isLast = at === lines.length - 1;
    const finding = isLast
      ? 'there are more leaves than stated'
      : `${account} has two leaves of USDT`;
    expect(await reason(twice)).toBe(`Line ${at + 2}: ${finding}.`);
    expect(await reason(edit(at, { asset: 'BTC' }))).toBe(`${line} expected a leaf of USDT.`);
    expect(await reason(edit(at, { amount: '-1' }))).toBe(
      `${line} amount is missing or malformed.`,
    );
    expect(await reason(edit(at, { amount: String(1n << 256n) }))).toBe(
      `${line} A sum is not between 0 and 2^256.`,
    );
    expect(await reason(edit(at, { amount: String(Number(amount) + 1) }))).toBe(another);
    expect(await reason(edit(at, { account: 'user-x' }))).toBe(another);
    if (at === 1) continue;
    const moved = lines.with(at, lines[at - 1]!).with(at - 1, lines[at]!);
    expect(await reason(moved)).toBe(`${line} the leaves are not in order.`);
  }
  expect(await reason([...lines, lines[1]!])).toBe(
    `Line ${lines.length + 1}: there are more leaves than stated.`,
  );
});

test('a file that is cut at any byte names the line that is missing', async () => {
  const inclusion = JSON.stringify(own);
  for (let end = 0; end < inclusion.length; end++) {
    expect(await reasonFor(inclusion.slice(0, end))).toBe('It is no JSON.');
  }
  const dump = `${lines.join('\n')}\n`;
  for (let end = 0; end < dump.length - 1; end++) {
    const cut = dump.slice(0, end);
    const number = cut.split('\n').length;
    const rest = cut.split('\n').at(-1)!;
    const isWhole = rest === lines[number - 1];
    const isEmpty = rest === '' && number > 1;
    const expected = isWhole
      ? `Line ${number + 1}: the file ends early.`
      : isEmpty
        ? `Line ${number}: the file ends early.`
        : number === 1
          ? 'It is no JSON.'
          : `Line ${number}: it is no JSON.`;
    expect({ end, reason: await reasonFor(cut) }).toEqual({ end, reason: expected });
  }
});
