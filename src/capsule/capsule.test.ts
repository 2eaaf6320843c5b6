import { afterAll, afterEach, expect, spyOn, test } from 'bun:test';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { zstdCompressSync } from 'node:zlib';
import { Exchange } from '../engine/exchange.ts';
import { ByteWriter } from '../engine/numbers/bytes.ts';
import { InvariantError, RejectionCode, rejected } from '../engine/rejection.ts';
import { GENESIS_HASH } from '../log/hash.ts';
import type { Batch } from '../log/log.ts';
import { DiskStorage } from '../storage/disk-storage.ts';
import { POISON } from '../testing/test-directory.ts';
import { command, encode, GENESIS_COMMANDS } from '../testing/test-exchange.ts';
import { writeBatch } from './batches.ts';
import { Capsule } from './capsule.ts';
import { BlockKind, encodeBlock, encodePreamble } from './format.ts';
import { replayCapsule } from './replay.ts';
import { type About, writeCapsule } from './writer.ts';

const storage = new DiskStorage();
const directory = mkdtempSync(join(tmpdir(), 'buttonwood-capsule-'));
afterAll(() => rmSync(directory, { recursive: true }));
let spies: { mockRestore(): void }[] = [];
afterEach(() => {
  for (const spy of spies) spy.mockRestore();
  spies = [];
});

const ABOUT: About = { title: 'A title', seed: 7, scenario: 'seed: 7\n', failures: ['no fill'] };
const path = join(directory, 'test.capsule');

function toBatches(groups: readonly (readonly Parameters<typeof encode>[0][number][])[]): Batch[] {
  return groups.map((commands, index) => ({
    sequence: index + 1,
    time: 1000 + index,
    count: commands.length,
    payload: encode(commands),
    hash: GENESIS_HASH,
  }));
}

/** Twelve batches of orders, trades and cancels. */
const groups = [
  [...GENESIS_COMMANDS],
  ...Array.from({ length: 11 }, (_, batch) => [0, 1, 2].map((n) => command(batch * 3 + n))),
];
const batches = toBatches(groups);

async function write(source: readonly Batch[], skips: ReadonlySet<string> = new Set()) {
  await writeCapsule(storage, path, { batches: source, skips }, ABOUT);
  return Capsule.open(storage, path);
}

/** Makes the engine do something else with the n-th command from now on, counted from 0. */
function change(
  n: number,
  act: (
    apply: () => ReturnType<Exchange['apply']>,
    exchange: Exchange,
  ) => ReturnType<Exchange['apply']>,
) {
  const original = Exchange.prototype.apply;
  let count = 0;
  const spy = spyOn(Exchange.prototype, 'apply').mockImplementation(function (
    this: Exchange,
    ...args
  ) {
    const apply = () => original.apply(this, args);
    return count++ === n ? act(apply, this) : apply();
  });
  spies.push(spy);
}

test('a capsule has what was written, and replays to the same state', async () => {
  const { header, summary } = await write(batches);
  expect(header).toMatchObject({ ...ABOUT, failures: [...ABOUT.failures], skips: [] });
  expect(summary).toMatchObject({
    batches: 12,
    commands: GENESIS_COMMANDS.length + 33,
    time: 1011,
  });
  expect(summary.failure).toBeNull();
  const opened = Capsule.open(storage, path);
  const read = Array.from(opened.batches(), ({ batch }) => batch);
  expect(read).toEqual(batches);
  expect(replayCapsule(opened)).toMatchObject({
    difference: undefined,
    stateHash: summary.stateHash!,
  });
  expect(readdirSync(directory)).toEqual(['test.capsule']);
});

test('the same log gives the same file', async () => {
  await write(batches);
  const first = readFileSync(path);
  await write(batches);
  expect(readFileSync(path).equals(first)).toBe(true);
});

// Every command, so that none is compared with its neighbor.
test('a difference of the state is found at its command, in every place', async () => {
  const capsule = await write(batches);
  let n = 0;
  for (const [at, commands] of groups.entries()) {
    for (let index = 0; index < commands.length; index++, n++) {
      change(n, (apply, { state }) => {
        const outcome = apply();
        state.nextTradeId++;
        return outcome;
      });
      const { difference, stateHash } = replayCapsule(capsule);
      expect([difference?.batch.sequence, difference?.index]).toEqual([at + 1, index]);
      expect(difference!.command.kind).toBe(commands[index]!.kind);
      expect(difference!.expected.digest).not.toBe(difference!.actual.digest);
      expect(stateHash).toBeNull();
      spies.pop()!.mockRestore();
    }
  }
});

test('a difference of the outcome alone is found, with both outcomes', async () => {
  const capsule = await write(batches);
  change(GENESIS_COMMANDS.length + 4, (apply) => {
    apply();
    return rejected(RejectionCode.insufficientBalance);
  });
  const { difference } = replayCapsule(capsule);
  expect(difference).toMatchObject({
    batch: { sequence: 3 },
    index: 1,
    expected: { rejection: 0 },
    actual: { rejection: RejectionCode.insufficientBalance },
  });
  expect(difference!.expected.digest).toBe(difference!.actual.digest);
  expect(difference!.events!.map(({ kind }) => kind)).toContain('order');
});

test('a command that breaks an invariant is the end of the capsule, and is expected', async () => {
  const poisoned = toBatches([...groups, [command(40), POISON, command(41)], [command(42)]]);
  const capsule = await write(poisoned);
  expect(capsule.summary).toMatchObject({
    batches: 13,
    stateHash: null,
    failure: { sequence: 13, index: 1, message: 'the log opens the exchange twice' },
  });
  expect(replayCapsule(capsule)).toMatchObject({ difference: undefined, stateHash: null });
  // A release that does not break it differs there.
  change(GENESIS_COMMANDS.length + 34, () => ({ kind: 'done' }));
  const { difference } = replayCapsule(capsule);
  expect([difference?.batch.sequence, difference?.index]).toEqual([13, 1]);
  expect(difference?.expected.failure).toBe('the log opens the exchange twice');
  expect(difference?.actual.failure).toBeUndefined();
  spies.pop()!.mockRestore();
  // So does one that breaks another invariant.
  change(GENESIS_COMMANDS.length + 34, () => {
    throw new InvariantError('another defect');
  });
  expect(replayCapsule(capsule).difference).toMatchObject({
    index: 1,
    expected: { digest: 0, failure: 'the log opens the exchange twice' },
    actual: { digest: 0, failure: 'another defect' },
  });
});

test('a release that breaks an invariant earlier differs there', async () => {
  const capsule = await write(batches);
  change(GENESIS_COMMANDS.length + 7, () => {
    throw new InvariantError('a planted defect');
  });
  const { difference } = replayCapsule(capsule);
  expect([difference?.batch.sequence, difference?.index]).toEqual([4, 1]);
  expect(difference?.actual.failure).toBe('a planted defect');
});

test('skipped commands are skipped again', async () => {
  const poisoned = toBatches([...groups, [command(40), POISON], [command(42)]]);
  const capsule = await write(poisoned, new Set(['13 1']));
  expect(capsule.summary).toMatchObject({ batches: 14, failure: null });
  expect(replayCapsule(capsule)).toMatchObject({
    difference: undefined,
    stateHash: capsule.summary.stateHash!,
  });
});

test('large logs are written in blocks', async () => {
  const many = toBatches([
    [...GENESIS_COMMANDS],
    ...Array.from({ length: 400 }, (_, batch) =>
      Array.from({ length: 100 }, (_each, n) => command(batch * 100 + n)),
    ),
  ]);
  const capsule = await write(many);
  let sequence = 0;
  for (const { batch } of capsule.batches()) expect(batch.sequence).toBe(++sequence);
  expect(sequence).toBe(401);
  expect(replayCapsule(capsule).difference).toBeUndefined();
});

/** Returns the error of opening and replaying a file; undefined if it is a capsule that is equal. */
function openError(bytes: Uint8Array): Error | undefined {
  writeFileSync(path, bytes);
  try {
    const { difference } = replayCapsule(Capsule.open(storage, path));
    return difference === undefined ? undefined : new Error('it differs');
  } catch (error) {
    return error as Error;
  }
}

test('a file cut or changed anywhere is rejected with the reason', async () => {
  await write(batches);
  const bytes = readFileSync(path);
  for (let length = 0; length < bytes.length; length++) {
    const error = openError(bytes.subarray(0, length));
    expect(error?.name).toBe('CapsuleError');
    expect(error?.message).toMatch(
      length < 4 ? /is not a capsule/ : /is incomplete: it ends at byte \d+/,
    );
  }
  const reasons = /is not a capsule|which this release does not know|is incomplete|is damaged/;
  for (let at = 0; at < bytes.length; at++) {
    const changed = Uint8Array.from(bytes);
    changed[at]! ^= 1 << (at % 8);
    const error = openError(changed);
    expect([at, error?.name]).toEqual([at, 'CapsuleError']);
    expect(error?.message).toMatch(reasons);
  }
  expect(openError(Buffer.concat([bytes, Buffer.from('x')]))?.message).toContain(
    '1 bytes follow its end',
  );
  expect(openError(Buffer.concat([bytes, bytes]))?.message).toContain('bytes follow its end');
});

/** Returns a file with a right hash. */
function seal(...parts: readonly Uint8Array[]): Uint8Array {
  const content = Buffer.concat([encodePreamble(), ...parts]);
  return Buffer.concat([content, Bun.SHA256.hash(content) as Uint8Array]);
}

function json(kind: BlockKind, value: unknown): Uint8Array {
  return encodeBlock(kind, Buffer.from(JSON.stringify(value)));
}

test('content that no release writes is rejected, even with a right hash', async () => {
  const { header, summary } = await write(batches);
  const [head, tail] = [json(BlockKind.header, header), json(BlockKind.summary, summary)];
  const block = (content: Uint8Array) => encodeBlock(BlockKind.batches, content);
  const bomb = Buffer.from([
    BlockKind.header,
    0,
    0,
    0,
    0,
    ...zstdCompressSync(new Uint8Array(1 << 28)),
  ]);
  bomb.writeUInt32LE(bomb.length - 5, 1);
  const cases: [parts: Uint8Array[], message: RegExp][] = [
    [[tail], /block at byte 8 cannot be read/],
    [[head, head, tail], /block at byte \d+ cannot be read/],
    [[json(BlockKind.header, {}), tail], /header or its summary cannot be read/],
    [[head, json(BlockKind.summary, { ...summary, batches: -1 })], /header or its summary/],
    [[head, encodeBlock(BlockKind.summary, Buffer.from('{'))], /header or its summary/],
    [[head, tail], /has 0 batches, but its summary names 12/],
    [[head, block(new Uint8Array(30)), tail], /cannot be read/],
    [[bomb, tail], /block at byte 13 cannot be read/],
    [
      [head, json(BlockKind.summary, { ...summary, engineVersion: 99 })],
      /needs engine version 99, this release has 2/,
    ],
  ];
  for (const [parts, message] of cases) {
    const error = openError(seal(...parts));
    expect(error?.name).toBe('CapsuleError');
    expect(error?.message).toMatch(message);
  }
  const undecodable = new ByteWriter();
  const payload = Uint8Array.of(250);
  writeBatch(
    undecodable,
    { ...batches[0]!, payload },
    { digests: new Uint32Array(1), rejections: new Uint8Array(1) },
  );
  const one = json(BlockKind.summary, { ...summary, batches: 1 });
  expect(openError(seal(head, block(undecodable.bytes()), one))?.message).toContain(
    'Batch 1 of the capsule cannot be decoded',
  );
});

test('a failed write leaves nothing', async () => {
  rmSync(path);
  function* source(): Generator<Batch> {
    yield* batches;
    throw new Error('the log is damaged');
  }
  const writing = writeCapsule(storage, path, { batches: source(), skips: new Set() }, ABOUT);
  await expect(writing).rejects.toThrow('the log is damaged');
  expect(readdirSync(directory)).toEqual([]);
});
