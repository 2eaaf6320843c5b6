import { afterAll, afterEach, beforeEach, expect, spyOn, test } from 'bun:test';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Exchange } from '../../engine/exchange.ts';
import { RejectionCode, rejected } from '../../engine/rejection.ts';
import { runForTest } from '../../testing/test-cli.ts';
import { POISON, TestDirectory } from '../../testing/test-directory.ts';
import { command, GENESIS_COMMANDS } from '../../testing/test-exchange.ts';

let source: TestDirectory;
const parent = mkdtempSync(join(tmpdir(), 'buttonwood-capsules-'));
const file = join(parent, 'a.capsule');
beforeEach(async () => {
  source = await TestDirectory.create();
});
afterEach(() => {
  source.remove();
  rmSync(file, { force: true });
});
afterAll(() => rmSync(parent, { recursive: true }));

/** Writes a capsule, which must not change the source. */
async function write(...options: string[]) {
  const before = source.contents();
  const result = await runForTest(['capsule', file, '--data', source.path, ...options]);
  expect(source.contents()).toEqual(before);
  return result;
}

async function run(path = file) {
  const plain = await runForTest(['capsule', 'run', path]);
  const json = await runForTest(['capsule', 'run', path, '--json']);
  expect(json.exitCode).toBe(plain.exitCode);
  return { ...plain, data: JSON.parse(json.out || json.error) };
}

test('a capsule of a data directory is equal', async () => {
  const { exitCode, out } = await write('--title', 'A test', '--seed', '7');
  expect(exitCode).toBe(0);
  expect(out).toContain(`Wrote ${file}.`);
  const { exitCode: equal, out: text, data } = await run();
  expect(equal).toBe(0);
  expect(text).toStartWith(`equal: ${file} replays to the same state.`);
  const verified = await runForTest(['verify', '--data', source.path, '--json']);
  const { stateHash } = JSON.parse(verified.out);
  expect(data).toMatchObject({ equal: true, title: 'A test', stateHash, batches: 11 });
});

test('it may end at a moment', async () => {
  await write('--at', '4');
  expect((await run()).data.batches).toBe(4);
  const { error } = await runForTest(['capsule', `${file}2`, '--data', source.path, '--at', '12']);
  expect(error).toContain('There is no batch 12');
  expect(existsSync(`${file}2`)).toBe(false);
});

test('a difference names the batch, the command and the outcomes', async () => {
  await write();
  const original = Exchange.prototype.apply;
  let count = 0;
  const spy = spyOn(Exchange.prototype, 'apply').mockImplementation(function (
    this: Exchange,
    ...args
  ) {
    const outcome = original.apply(this, args);
    const isPlanted = count++ % (GENESIS_COMMANDS.length + 9) === GENESIS_COMMANDS.length + 8;
    return isPlanted ? rejected(RejectionCode.marketUnavailable) : outcome;
  });
  const plain = await runForTest(['capsule', 'run', file]);
  count = 0;
  const json = JSON.parse((await runForTest(['capsule', 'run', file, '--json'])).out);
  spy.mockRestore();
  expect(plain.exitCode).toBe(1);
  expect(plain.out).toStartWith(
    `different: command 2 of batch 4 of ${file} is the first that differs.`,
  );
  expect(plain.out).toMatch(/Actual +rejected: marketUnavailable, digest [0-9a-f]{8}/);
  expect(plain.out).toMatch(/Difference +the outcome/);
  expect(plain.out).toContain(
    '"kind":"placeOrder","account":"alice","key":null,"market":"BTC/USDT"',
  );
  expect(json).toMatchObject({
    equal: false,
    stateHash: null,
    difference: {
      sequence: 4,
      index: 2,
      time: '1970-01-01T00:00:02.002Z',
      command: { kind: 'placeOrder', account: 'alice', price: 1004 },
      expected: { outcome: 'done' },
      actual: { outcome: 'rejected: marketUnavailable' },
    },
  });
});

test('a command that breaks an invariant can be reported with a capsule', async () => {
  await source.append(3000, [command(30), POISON]);
  const { exitCode, out } = await write();
  expect(exitCode).toBe(0);
  const failure = 'command 1 of batch 12: the log opens the exchange twice';
  expect(out).toContain(failure);
  const { exitCode: equal, out: text, data } = await run();
  expect(equal).toBe(0);
  expect(text).toContain(failure);
  expect(data.failure).toEqual({
    sequence: 12,
    index: 1,
    message: 'the log opens the exchange twice',
  });
  const shown = (await runForTest(['capsule', 'show', file])).out.split('\n');
  expect(JSON.parse(shown.at(-1)!)).toMatchObject({ sequence: 12, index: 1, kind: 'open' });
});

test('show prints the header and every command as a line of JSON', async () => {
  await write('--at', '3');
  const plain = await runForTest(['capsule', 'show', file]);
  const json = await runForTest(['capsule', 'show', file, '--json']);
  expect(json.out).toBe(plain.out);
  const [header, ...commands] = plain.out.split('\n').map((line) => JSON.parse(line));
  expect(header).toMatchObject({ engineVersion: 2, batches: 3, failure: null });
  expect(commands).toHaveLength(GENESIS_COMMANDS.length + 6);
  expect(commands[1]).toMatchObject({ sequence: 1, index: 1, kind: 'createAsset', asset: 'USDT' });
  expect(commands.at(-1)).toMatchObject({
    sequence: 3,
    index: 2,
    time: '1970-01-01T00:00:02.001Z',
  });
});

test('an existing file and a missing directory are refused', async () => {
  writeFileSync(file, 'x');
  expect((await write()).error).toContain(`${file} exists. Name another file, or remove it first.`);
  expect(readFileSync(file, 'utf8')).toBe('x');
  const path = join(parent, 'missing', 'a.capsule');
  const { error } = await runForTest(['capsule', path, '--data', source.path]);
  expect(error).toContain(`There is no directory ${join(parent, 'missing')}.`);
});

test('a file that is no capsule is refused', async () => {
  expect((await run()).error).toContain(`There is no file ${file}.`);
  expect((await run(parent)).error).toContain(`${parent} is not a file.`);
  writeFileSync(file, '{"seed":1}');
  const { exitCode, error } = await run();
  expect(exitCode).toBe(1);
  expect(error).toContain(`${file} is not a capsule.`);
  expect((await runForTest(['capsule', 'show', file])).error).toContain('is not a capsule');
});

test('the file is only for its owner, and what an interrupted write left is replaced', async () => {
  mkdirSync(join(parent, 'sub'));
  const path = join(parent, 'sub', 'a.capsule');
  symlinkSync(source.segment, `${path}.part`);
  const before = source.contents();
  await runForTest(['capsule', path, '--data', source.path]);
  expect(source.contents()).toEqual(before);
  expect(readdirSync(join(parent, 'sub'))).toEqual(['a.capsule']);
  expect((await Bun.file(path).stat()).mode & 0o777).toBe(0o600);
});
