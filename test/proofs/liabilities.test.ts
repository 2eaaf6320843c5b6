import { expect, test } from 'bun:test';
import { createHash } from 'node:crypto';
import { dumpLines } from '../../src/archivist/proofs/dump.ts';
import {
  type LiabilityTrees,
  proveLiabilities,
  rootHash,
} from '../../src/archivist/proofs/liabilities.ts';
import { buildTree } from '../../src/archivist/proofs/liability-tree.ts';
import { MAX_PROOFS, ProofStore } from '../../src/archivist/proofs/proof-store.ts';
import type { Recovered } from '../../src/archivist/recovery.ts';
import { verifyDump } from '../../src/client/proofs/leaf-dump.ts';
import { verifyInclusion, verifyProofs } from '../../src/client/proofs/liabilities.ts';
import { ProofError } from '../../src/client/proofs/sum-tree.ts';
import { type Command, CommandKind, SYSTEM_ACTOR } from '../../src/engine/command.ts';
import { ENGINE_VERSION, Exchange } from '../../src/engine/exchange.ts';
import { below, type Random, seededRandom } from '../../src/storage/seeded-random.ts';
import { readAll } from '../../src/storage/storage.ts';
import { SimulatedStorage } from '../../src/testing/simulated-storage.ts';
import { applyAll, command, GENESIS_COMMANDS } from '../../src/testing/test-exchange.ts';

const SEED = Number(process.env.PROOFS_SEED ?? 1);
const SECRET = new Uint8Array(32).fill(7);
const LOG_HASH = new Uint8Array(32).fill(9);
const sha256 = (bytes: Uint8Array): Uint8Array =>
  Uint8Array.from(createHash('sha256').update(bytes).digest());

/** Returns a state with random accounts, assets and amounts of up to 200 bits. */
function randomState(random: Random, maxAccounts: number, minAccounts = 0): Recovered {
  const exchange = new Exchange();
  const assets = below(4, random) + Math.sign(minAccounts);
  const accounts = minAccounts + below(maxAccounts + 1 - minAccounts, random);
  const commands: Command[] = [{ kind: CommandKind.open, version: ENGINE_VERSION, sandbox: true }];
  for (let asset = 0; asset < assets; asset++) {
    const name = `A${asset}`;
    commands.push({
      kind: CommandKind.createAsset,
      ...SYSTEM_ACTOR,
      asset: name,
      name,
      decimals: asset,
    });
  }
  for (let account = 0; account < accounts; account++) {
    const accountId = `user-${account}`;
    commands.push({ kind: CommandKind.createAccount, ...SYSTEM_ACTOR, accountId, limitClass: 1 });
    for (let asset = 0; asset < assets; asset++) {
      if (random() < 0.4) continue;
      const amount =
        random() < 0.5 ? 1 + below(1000, random) : (1n << BigInt(60 + below(140, random))) + 5n;
      const reference = `${account}-${asset}`;
      const terms = { owner: account, asset, amount, reference, reason: '' };
      commands.push({ kind: CommandKind.transfer, ...SYSTEM_ACTOR, ...terms });
    }
  }
  applyAll(exchange, 1000, commands);
  return { exchange, position: { sequence: 1 + below(1000, random), hash: LOG_HASH } };
}

/** A state with held funds and fees, after orders. */
function tradedState(): Recovered {
  const exchange = new Exchange();
  applyAll(exchange, 1000, [...GENESIS_COMMANDS]);
  for (let n = 0; n < 60; n++) applyAll(exchange, 1001 + n, [command(n)]);
  return { exchange, position: { sequence: 61, hash: LOG_HASH } };
}

function finish<T>(steps: Generator<void, T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

function prove(state: Recovered, secret: Uint8Array = SECRET): LiabilityTrees {
  return finish(proveLiabilities(state, secret));
}

async function openStore(): Promise<{ storage: SimulatedStorage; store: ProofStore }> {
  const storage = new SimulatedStorage();
  await storage.makeDirectory('/proofs');
  return { storage, store: new ProofStore(storage, '/proofs', () => {}) };
}

async function keep(store: ProofStore, state: Recovered) {
  const trees = prove(state, await store.secret());
  for await (const _ of store.write(trees));
  return trees;
}

function findInclusion(store: ProofStore, position: number, account: string) {
  const file = store.find(position)!;
  const balances = store.inclusion(file, account);
  return balances === undefined ? undefined : { proof: file.proof, account, balances };
}

/** The plain definition of a tree's root: leaves sorted, padded to a power of two, and hashed pair by pair. */
function naiveRoot(leaves: readonly { nonce: Uint8Array; bytes: Uint8Array; sum: bigint }[]) {
  const sorted = [...leaves].sort((one, other) => Buffer.compare(one.nonce, other.nonce));
  let level = sorted.map(({ bytes, sum }) => ({ hash: sha256(bytes), sum }));
  let size = 1;
  while (size < level.length) size *= 2;
  while (level.length < size) level.push({ hash: sha256(Uint8Array.of(2)), sum: 0n });
  while (level.length > 1) {
    level = Array.from({ length: level.length / 2 }, (_, index) => {
      const pair = [level[2 * index]!, level[2 * index + 1]!];
      const parts = pair.flatMap(({ hash, sum }) => [hash, bytes32(sum)]);
      const hash = sha256(Buffer.concat([Uint8Array.of(1), ...parts]));
      return { hash, sum: pair[0]!.sum + pair[1]!.sum };
    });
  }
  return level[0]!;
}

function bytes32(sum: bigint): Uint8Array {
  return Buffer.from(sum.toString(16).padStart(64, '0'), 'hex');
}

test('random states: totals are the ledger’s, trees the naive model’s, and every account verifies its exact balances', async () => {
  const random = seededRandom(SEED);
  for (let run = 0; run < 40; run++) {
    const state = randomState(random, 40);
    const { accounts, assets, ledger } = state.exchange.state;
    const { store } = await openStore();
    const { proof, holdings, trees } = await keep(store, state);
    const context = `PROOFS_SEED=${SEED}, run ${run}`;
    for (const [place, { asset, index }] of assets.entries()) {
      const { available, held, fees, external } = ledger.totals(accounts, index);
      const stated = proof.assets[place]!;
      expect(BigInt(stated.total), context).toBe(BigInt(available) + BigInt(held));
      expect([stated.fees, stated.external], context).toEqual([String(fees), String(external)]);
      const { order, nonces } = trees[place]!;
      const leaves = order.map((from, at) => {
        const nonce = nonces.subarray(32 * at, 32 * at + 32);
        const account = Buffer.from(holdings[place]!.accounts[from]!);
        const sum = BigInt(holdings[place]!.amounts[from]!);
        const names = [
          Uint8Array.of(0, asset.length),
          Buffer.from(asset),
          Uint8Array.of(account.length),
          account,
        ];
        return { nonce, sum, bytes: Buffer.concat([...names, nonce, bytes32(sum)]) };
      });
      const root = naiveRoot(leaves);
      expect(stated.tree, context).toBe(root.hash.toHex());
      expect(BigInt(stated.total), context).toBe(root.sum);
    }
    for (const { id, balances } of accounts) {
      const found = findInclusion(store, proof.position, id)!;
      const verified = await verifyInclusion(JSON.parse(JSON.stringify(found)));
      const amounts = verified.balances.map(({ asset, amount }) => [asset, BigInt(amount)]);
      const expected = balances.flatMap((balance) => {
        if (balance === undefined) return [];
        const amount = BigInt(balance.available) + BigInt(balance.held);
        return amount === 0n ? [] : [[assets[balance.asset]!.asset, amount]];
      });
      expect(amounts as unknown[], context).toEqual(expected);
    }
    const dump = [...dumpLines({ proof, holdings, trees })];
    const count = trees.reduce((sum, { order }) => sum + order.length, 0);
    expect((await verifyDump(dump, sha256)).leaves, context).toBe(count);
  }
});

test('held funds and fees are in the totals', () => {
  const { proof } = prove(tradedState());
  const { ledger, accounts } = tradedState().exchange.state;
  const usdt = ledger.totals(accounts, 0);
  expect(usdt.held).not.toBe(0);
  expect(usdt.fees).not.toBe(0);
  expect(proof.assets[0]!.total).toBe(String(BigInt(usdt.available) + BigInt(usdt.held)));
  expect(proof.assets[0]!.fees).toBe(String(usdt.fees));
});

test('a proof of the same state is the same, and nonces change with position, account, asset and secret', () => {
  const state = tradedState();
  const nonces = (trees: LiabilityTrees) => trees.trees.map((tree) => tree.nonces.toHex());
  const first = prove(state);
  expect(prove(state).proof).toEqual(first.proof);
  const later = prove({ ...state, position: { sequence: 62, hash: new Uint8Array(32).fill(1) } });
  const other = prove(state, new Uint8Array(32).fill(8));
  const all = [first, later, other]
    .flatMap((trees) => nonces(trees).map((each) => each.match(/.{64}/g)!))
    .flat();
  expect(new Set(all).size).toBe(all.length);
});

/** Returns copies of a JSON value, each with one text or number changed in one place. */
function* mutations(value: unknown): Generator<unknown> {
  if (typeof value === 'number') yield* [value + 1, value - 1, -1, 0.5, String(value)];
  else if (typeof value === 'string') {
    for (let at = 0; at < value.length; at++) {
      const digit = value[at] === '1' ? '2' : '1';
      yield value.slice(0, at) + digit + value.slice(at + 1);
    }
    yield* [`-${value}`, `${value} `, `0${value}`, value.slice(1), Number(value), null];
  } else if (Array.isArray(value)) {
    for (const [at, item] of value.entries()) {
      for (const changed of mutations(item)) yield value.with(at, changed);
      yield value.toSpliced(at, 1);
      yield value.toSpliced(at, 0, item);
    }
    yield null;
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, field] of Object.entries(value)) {
      for (const changed of mutations(field)) yield { ...value, [name]: changed };
    }
  }
}

async function isRejected(work: Promise<unknown>): Promise<boolean> {
  try {
    await work;
    return false;
  } catch (error) {
    if (error instanceof ProofError) return true;
    throw error;
  }
}

test('every changed digit, sum, index, node and asset of a file is found', async () => {
  const { store } = await openStore();
  await keep(store, tradedState());
  const found = findInclusion(store, 61, 'alice')!;
  expect(found.balances.length).toBe(2);
  await verifyInclusion(found);
  let checked = 0;
  for (const changed of mutations(found)) {
    checked++;
    const { balances } = changed as typeof found;
    // A balance that is left out is not claimed: the account misses it.
    const isShorter = Array.isArray(balances) && balances.length < found.balances.length;
    if (isShorter || (await isRejected(verifyInclusion(changed)))) continue;
    throw new Error(`accepted: ${JSON.stringify(changed)}`);
  }
  expect(checked).toBeGreaterThan(800);
  expect(await isRejected(verifyInclusion([]))).toBe(true);
  expect(await isRejected(verifyInclusion(null))).toBe(true);
});

test('a published statement with another total or root is found, and one with its own root but wrong totals', async () => {
  const { proof } = prove(tradedState());
  expect(await verifyProofs({ success: true, data: { proofs: [proof] } })).toEqual([proof]);
  for (const changed of mutations(proof))
    expect(await isRejected(verifyProofs(changed))).toBe(true);
  const [usdt, btc] = proof.assets;
  const less = { ...proof, assets: [{ ...usdt!, total: '1' }, btc!] };
  expect(await isRejected(verifyProofs({ ...less, root: rootHash(less) }))).toBe(true);
});

test('a sum that leads to another total than the stated one is found', async () => {
  const { store } = await openStore();
  const { proof } = await keep(store, tradedState());
  const found = findInclusion(store, 61, 'alice')!;
  const assets = proof.assets.map((each) => ({
    ...each,
    total: String(BigInt(each.total) - 1n),
    external: String(BigInt(each.external) + 1n),
  }));
  const less = { ...proof, assets };
  const published = { ...less, root: rootHash(less) };
  // The statement alone is consistent; only the sums of a path show that it is wrong.
  await verifyProofs(published);
  expect(await isRejected(verifyInclusion({ ...found, proof: published }))).toBe(true);
});

test('negative sums are impossible: neither the builder nor the verifier takes them', async () => {
  const holdings = { asset: 'BTC', accounts: ['alice', 'bob'], amounts: [5, -3] };
  expect(() => finish(buildTree(holdings, SECRET, LOG_HASH))).toThrow(RangeError);
  const tooMuch = { ...holdings, amounts: [(1n << 256n) - 1n, 1] };
  expect(() => finish(buildTree(tooMuch, SECRET, LOG_HASH))).toThrow(RangeError);
  // A sibling that owes less than nothing, written as what its two's complement would be.
  const { store } = await openStore();
  await keep(store, tradedState());
  const found = findInclusion(store, 61, 'alice')!;
  for (const sum of ['-3', String((1n << 256n) - 3n), String(1n << 256n)]) {
    const balances = found.balances.map((balance) => {
      const path = balance.path.map((node) => ({ ...node, sum }));
      return { ...balance, path };
    });
    expect(await isRejected(verifyInclusion({ ...found, balances }))).toBe(true);
  }
});

test('an inner node is not taken for a leaf, and no path of another length', async () => {
  const state = randomState(seededRandom(3), 40, 30);
  const { store } = await openStore();
  const { proof } = await keep(store, state);
  const { id } = state.exchange.state.accounts.find(({ balances }) => balances.length > 0)!;
  const found = findInclusion(store, proof.position, id)!;
  const [first] = found.balances;
  expect(first!.path.length).toBeGreaterThan(2);
  for (const path of [first!.path.slice(1), [...first!.path, first!.path[0]!]]) {
    const balances = [{ ...first!, path, index: Math.floor(first!.index / 2) }];
    expect(await isRejected(verifyInclusion({ ...found, balances }))).toBe(true);
  }
});

test('a list of leaves that is cut, longer, in another order, or has an account twice is found', async () => {
  const state = randomState(seededRandom(3), 20, 10);
  const lines = [...dumpLines(prove(state))];
  const isBad = (changed: string[]) => isRejected(verifyDump(changed, sha256));
  expect(await isBad(lines)).toBe(false);
  for (let end = 0; end < lines.length; end++) expect(await isBad(lines.slice(0, end))).toBe(true);
  for (let at = 1; at < lines.length; at++) {
    expect(await isBad(lines.toSpliced(at, 1))).toBe(true);
    expect(await isBad(lines.toSpliced(at, 0, lines[at]!))).toBe(true);
    expect(await isBad(lines.with(at, lines[at]!.slice(0, -3)))).toBe(true);
    if (at + 1 < lines.length) {
      expect(await isBad(lines.with(at, lines[at + 1]!).with(at + 1, lines[at]!))).toBe(true);
    }
    const leaf = JSON.parse(lines[at]!);
    for (const amount of [String(BigInt(leaf.amount) + 1n), '-1', 1]) {
      expect(await isBad(lines.with(at, JSON.stringify({ ...leaf, amount })))).toBe(true);
    }
    expect(await isBad(lines.with(at, JSON.stringify({ ...leaf, account: 'user-0x' })))).toBe(true);
  }
  // The same account in two leaves, in a tree that is consistent otherwise.
  const twice = { asset: 'A0', accounts: ['alice', 'alice'], amounts: [1, 2] };
  const tree = finish(buildTree(twice, SECRET, LOG_HASH));
  const [asset] = [
    { asset: 'A0', decimals: 0, treeDepth: 1, tree: tree.levels[1]!.subarray(0, 32).toHex() },
  ];
  const stated = { ...asset!, total: '3', fees: '0', external: '-3' };
  const statement = {
    id: '1',
    position: 1,
    timestamp: '2026-01-05T12:00:00.000Z',
    logHash: '0'.repeat(64),
    assets: [stated],
  };
  const proof = { ...statement, root: rootHash(statement) };
  expect(await isBad([...dumpLines({ proof, holdings: [twice], trees: [tree] })])).toBe(true);
});

test('a damaged file gives no other balance: it is named as damaged, or the damage is outside of what was read', async () => {
  const { storage, store } = await openStore();
  const { proof } = await keep(store, tradedState());
  const path = `/proofs/${String(61).padStart(20, '0')}.proof`;
  const sound = findInclusion(store, 61, 'alice');
  const bytes = readAll(storage, path).slice();
  const file = storage.open(path);
  let damaged = 0;
  for (let at = 0; at < bytes.length; at++) {
    file.write(Uint8Array.of(bytes[at]! ^ 0x10), at);
    const opened = new ProofStore(storage, '/proofs', () => {});
    const found = opened.find(61) === undefined ? undefined : findInclusion(opened, 61, 'alice');
    file.write(bytes.subarray(at, at + 1), at);
    if (found === undefined) damaged++;
    else expect(found).toEqual(sound!);
  }
  expect(damaged).toBeGreaterThan(bytes.length / 2);
  for (const size of [0, 10, bytes.length - 1, bytes.length - 64]) {
    file.write(bytes, 0);
    file.truncate(size);
    const opened = new ProofStore(storage, '/proofs', () => {});
    const found = opened.find(61) === undefined ? undefined : findInclusion(opened, 61, 'alice');
    expect(found === undefined || JSON.stringify(found) === JSON.stringify(sound)).toBe(true);
  }
  expect(proof.position).toBe(61);
});

test('the newest proofs are kept, with one secret', async () => {
  const { storage, store } = await openStore();
  const state = tradedState();
  for (let sequence = 1; sequence <= MAX_PROOFS + 3; sequence++) {
    await keep(store, { ...state, position: { sequence, hash: LOG_HASH } });
  }
  expect(store.list().map(({ position }) => position)).toEqual(
    Array.from({ length: MAX_PROOFS }, (_, index) => MAX_PROOFS + 3 - index),
  );
  const again = new ProofStore(storage, '/proofs');
  expect(await again.secret()).toEqual(await store.secret());
  expect(again.list()).toEqual(store.list());
});

test('a proof of a position before all others is kept until the next one is made', async () => {
  const { store } = await openStore();
  const state = tradedState();
  for (let sequence = 101; sequence <= 100 + MAX_PROOFS; sequence++) {
    await keep(store, { ...state, position: { sequence, hash: LOG_HASH } });
  }
  const positions = () => store.list().map(({ position }) => position);
  await keep(store, { ...state, position: { sequence: 7, hash: LOG_HASH } });
  expect([positions().length, positions().at(-1), positions().at(-2)]).toEqual([
    MAX_PROOFS,
    7,
    102,
  ]);
  await keep(store, { ...state, position: { sequence: 200, hash: LOG_HASH } });
  expect([positions().length, positions()[0], positions().at(-1)]).toEqual([MAX_PROOFS, 200, 102]);
});

test('a disk that is full leaves no part of a proof, and the proofs before it', async () => {
  const { storage, store } = await openStore();
  await keep(store, tradedState());
  const names = storage.list('/proofs');
  storage.capacityBytes = 0;
  const next = { ...tradedState(), position: { sequence: 62, hash: LOG_HASH } };
  await expect(keep(store, next)).rejects.toThrow();
  expect(storage.list('/proofs')).toEqual(names);
  expect(store.list().map(({ position }) => position)).toEqual([61]);
});
