import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test';
import { appendFileSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client, verifyInclusion } from '../../src/client/index.ts';
import { runForTest } from '../../src/testing/test-cli.ts';
import { temporaryDirectory } from '../process/exchange-process.ts';
import { MainProcess } from '../process/main-process.ts';

/** Proofs of liabilities of a running exchange, checked by the client and the command line. */

setDefaultTimeout(120_000);

const parent = temporaryDirectory();
const data = join(parent.path, 'data');
const file = (name: string) => join(parent.path, name);
let node: MainProcess;
let alice: Client;
let operator: Client;
let visitor: Client;

async function start(): Promise<void> {
  const env = { BUTTONWOOD_DATA: data, BUTTONWOOD_MAKERS: 'off', BUTTONWOOD_RATE_LIMITS: 'off' };
  node = MainProcess.start(['start'], env);
  const baseUrl = await node.serving();
  const { accounts } = JSON.parse(readFileSync(join(data, 'sandbox.json'), 'utf8'));
  const client = (name: string) => {
    const { apiKey, apiSecret } = accounts.find((each: { name: string }) => each.name === name);
    return new Client({ baseUrl, apiKey, apiSecret });
  };
  [alice, operator] = [client('alice'), client('operator')];
  visitor = new Client({ baseUrl });
}

async function kill(): Promise<void> {
  node.signal('SIGKILL');
  await node.ended();
}

beforeAll(start);
afterAll(async () => {
  await kill();
  parent.remove();
});

test('a proof of the present has the ledger’s totals and every account’s balances; it outlives a crash', async () => {
  await alice.placeOrder({
    symbol: 'BTC/USDT',
    side: 'buy',
    type: 'limit',
    amount: 0.1,
    price: 30000,
  });
  const proof = await operator.makeProof();
  const state = await operator.getState();
  expect(proof.position).toBe(state.logPosition);
  for (const { asset, available, held } of state.assets) {
    const stated = proof.assets.find((each) => each.asset === asset)!;
    expect(Number(stated.total)).toBeCloseTo((available + held) * 10 ** stated.decimals, -3);
  }
  expect((await visitor.listProofs()).proofs).toEqual([proof]);
  expect((await operator.makeProof()).root).toBe(proof.root);
  const inclusion = await alice.getInclusion({ id: proof.id });
  const { account, balances } = await verifyInclusion(inclusion);
  expect(account).toBe('alice');
  const own = (await alice.getBalances()).balances.filter(({ total }) => total > 0);
  expect(balances.length).toBe(own.length);
  for (const { asset, total } of own) {
    const { decimals } = proof.assets.find((each) => each.asset === asset)!;
    const { amount } = balances.find((each) => each.asset === asset)!;
    expect(Number(amount)).toBeCloseTo(total * 10 ** decimals, -3);
  }
  await kill();
  await start();
  expect((await visitor.listProofs()).proofs).toEqual([proof]);
  expect(await alice.getInclusion({ id: proof.id })).toEqual(inclusion);
});

test('a past position is proved as it was, once, and only those that exist', async () => {
  const [first] = (await visitor.listProofs()).proofs;
  await alice.placeOrder({
    symbol: 'BTC/USDT',
    side: 'buy',
    type: 'limit',
    amount: 0.1,
    price: 30001,
  });
  const past = await operator.makeProof({ at: String(first!.position) });
  expect(past).toEqual(first!);
  const begin = await operator.makeProof({ at: '1' });
  expect(begin.position).toBe(1);
  const bad = [{ at: '0' }, { at: '999999999' }, { at: 'soon' }, { at: '2099-01-01T00:00:00Z' }];
  for (const parameters of bad) {
    await expect(operator.makeProof(parameters)).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
  }
  await expect(alice.makeProof()).rejects.toMatchObject({ code: 'INSUFFICIENT_PERMISSIONS' });
  await expect(visitor.getInclusion({ id: begin.id })).rejects.toMatchObject({ status: 401 });
  for (const id of ['2', '0', 'x', '99999999999999999999', '-1']) {
    await expect(alice.getInclusion({ id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  }
  expect(statSync(join(data, 'proofs', 'secret')).mode & 0o077).toBe(0);
});

test('the command line checks files without the exchange, and finds what was changed', async () => {
  const proof = await operator.makeProof();
  const inclusion = await alice.getInclusion({ id: proof.id });
  writeFileSync(file('alice.json'), JSON.stringify(inclusion, null, 2));
  writeFileSync(file('published.json'), JSON.stringify(await visitor.listProofs()));
  const listed = await runForTest(['liabilities', '--data', data, '--at', proof.id]);
  expect(listed.exitCode).toBe(0);
  writeFileSync(file('leaves.jsonl'), `${listed.out}\n`);
  await kill();
  const files = ['alice.json', 'published.json', 'leaves.jsonl'].map(file);
  const all = await runForTest(['verify-liabilities', ...files, '--json']);
  expect(all).toMatchObject({ exitCode: 0, error: '' });
  const own = await runForTest(['verify-liabilities', files[0]!, files[2]!, '--root', proof.root]);
  expect(own.exitCode).toBe(0);
  expect(own.out).toContain('balances of alice');
  const fails = async (...args: string[]) => {
    const { exitCode, error } = await runForTest(['verify-liabilities', ...args]);
    expect(exitCode).toBe(1);
    return error;
  };
  expect(await fails(files[0]!, '--root', '0'.repeat(64))).toContain('not the published one');
  const [balance] = inclusion.balances;
  const more = { ...balance!, amount: String(BigInt(balance!.amount) + 1n) };
  const changed = { ...inclusion, balances: [more, ...inclusion.balances.slice(1)] };
  writeFileSync(file('changed.json'), JSON.stringify(changed));
  expect(await fails(file('changed.json'))).toContain('its path leads elsewhere');
  writeFileSync(file('cut.jsonl'), listed.out.slice(0, -10));
  expect(await fails(file('cut.jsonl'))).toContain('no JSON');
  writeFileSync(file('short.jsonl'), listed.out.split('\n').slice(0, -1).join('\n'));
  expect(await fails(file('short.jsonl'))).toContain('ends early');
  appendFileSync(file('leaves.jsonl'), listed.out.split('\n').at(-1)!);
  expect(await fails(file('leaves.jsonl'))).toContain('more leaves than stated');
  writeFileSync(file('other.json'), 'hello');
  expect(await fails(file('other.json'))).toContain('no JSON');
  expect(await fails(file('missing.json'))).toContain('Cannot read');
  await start();
});

test('a damaged proof is not shown, and can be made again with the same root', async () => {
  const proof = await operator.makeProof();
  await kill();
  const path = join(data, 'proofs', `${proof.id.padStart(20, '0')}.proof`);
  const bytes = readFileSync(path);
  bytes[20]! ^= 1;
  writeFileSync(path, bytes);
  await start();
  const listed = (await visitor.listProofs()).proofs.map(({ id }) => id);
  expect(listed).not.toContain(proof.id);
  expect(await operator.makeProof({ at: proof.id })).toEqual(proof);
  expect(existsSync(path)).toBe(true);
  expect((await visitor.listProofs()).proofs.map(({ id }) => id)).toContain(proof.id);
});
