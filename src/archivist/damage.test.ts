import { beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { Exchange } from '../engine/exchange.ts';
import { writeSnapshot } from '../engine/snapshot/snapshot.ts';
import { LogDamagedError } from '../log/errors.ts';
import { FileLog } from '../log/file-log.ts';
import { readAll } from '../storage/storage.ts';
import { SimulatedStorage } from '../testing/simulated-storage.ts';
import { appendBatch, command, GENESIS_COMMANDS } from '../testing/test-exchange.ts';
import { applyBatch, loadNewest, type Recovered, replay } from './recovery.ts';
import { SnapshotStore } from './snapshots/snapshots.ts';

// Damages a log of several segments and its two snapshots in every way at every byte. A start then either is
// rejected, or has the state of all batches, or of all but a last one that was never acknowledged.
// By default at every eleventh byte; `npm run test:damage` damages every byte, and each of its bits.
const STRIDE_BYTES = Number(process.env.DAMAGE_STRIDE_BYTES ?? 11);
const FLIPPED_BITS = STRIDE_BYTES === 1 ? [0, 1, 2, 3, 4, 5, 6, 7] : [3];

const LOG = '/data/log';
const SNAPSHOTS = '/data/snapshots';
const BATCHES = 10;
const SNAPSHOTS_AT = [3, 7];
const SEGMENT_BYTES = 1100;

setDefaultTimeout(3_600_000);

let original: SimulatedStorage;
/** State hashes by the number of batches applied. */
const states: string[] = [];
/** Names, oldest first. */
let segments: string[];
let snapshotNames: string[];
let olderMarker: Uint8Array;

const hashState = (exchange: Exchange) =>
  new Bun.SHA256().update(writeSnapshot(exchange)).digest('hex');
const openLog = (storage: SimulatedStorage) =>
  FileLog.open({ storage, directory: LOG, segmentBytes: SEGMENT_BYTES });

async function build(seed: number) {
  const storage = new SimulatedStorage();
  await storage.makeDirectory(SNAPSHOTS);
  const log = await openLog(storage);
  const snapshots = new SnapshotStore(storage, SNAPSHOTS);
  const exchange = new Exchange();
  const hashes = [hashState(exchange)];
  for (let number = 1; number <= BATCHES; number++) {
    const commands = [0, 1, 2].map((index) => command(seed + number * 3 + index));
    const marker = readAll(storage, `${LOG}/acknowledged`);
    if (number === BATCHES) olderMarker = marker;
    const first = number === 1 ? GENESIS_COMMANDS : commands;
    const batch = await appendBatch(log, 2000 + number, first);
    applyBatch(exchange, batch, new Set());
    hashes.push(hashState(exchange));
    if (SNAPSHOTS_AT.includes(number)) await snapshots.write(batch, writeSnapshot(exchange));
  }
  await log.close();
  return { storage, hashes };
}

let other: SimulatedStorage;
beforeAll(async () => {
  other = (await build(100)).storage;
  const built = await build(0);
  original = built.storage;
  states.push(...built.hashes);
  segments = original.list(LOG).filter((name) => name.endsWith('.log'));
  snapshotNames = original.list(SNAPSHOTS);
  expect(segments.length).toBeGreaterThanOrEqual(3);
  expect(snapshotNames).toHaveLength(2);
});

interface Start {
  readonly state: string;
  readonly warnings: readonly string[];
}

/** Recovers the state as a node does at start-up. */
async function start(storage: SimulatedStorage): Promise<Start> {
  const log = await openLog(storage);
  const warnings: string[] = [];
  const snapshots = new SnapshotStore(storage, SNAPSHOTS);
  const recovered: Recovered = loadNewest(snapshots, undefined, (text) => warnings.push(text));
  replay(log, recovered);
  return { state: hashState(recovered.exchange), warnings };
}

type Damage = (bytes: Uint8Array, offset: number) => Uint8Array;
const damages: [string, Damage][] = [
  ['truncated', (bytes, offset) => bytes.subarray(0, offset)],
  ['one byte zeroed', (bytes, offset) => bytes.with(offset, 0)],
  ['a sector zeroed', (bytes, offset) => bytes.fill(0, offset, offset + 512)],
  ['zeroed to the end', (bytes, offset) => bytes.fill(0, offset)],
  ['all bits of a byte flipped', (bytes, offset) => bytes.with(offset, bytes[offset]! ^ 0xff)],
  ...FLIPPED_BITS.map((bit): [string, Damage] => [
    `bit ${bit} flipped`,
    (bytes, offset) => bytes.with(offset, bytes[offset]! ^ (1 << bit)),
  ]),
];

describe.each(damages)('a segment damaged anywhere: %s', (_, damage) => {
  const everywhere = async (
    prepare: (storage: SimulatedStorage) => void,
    expectStart: (name: string, storage: SimulatedStorage, first: number) => Promise<void>,
  ) => {
    for (const name of segments) {
      const path = `${LOG}/${name}`;
      const bytes = readAll(original, path);
      for (let offset = 0; offset < bytes.length; offset += STRIDE_BYTES) {
        const after = damage(bytes.slice(), offset);
        if (Buffer.compare(after, bytes) === 0) continue;
        const storage = original.copy();
        storage.corrupt(path, () => after);
        prepare(storage);
        await expectStart(name, storage, offset);
      }
    }
  };
  const expectRejected = async (name: string, storage: SimulatedStorage, offset: number) => {
    const found = await start(storage).catch((error: Error) => error);
    expect(found).toBeInstanceOf(LogDamagedError);
    const error = found as LogDamagedError;
    expect(error.message).toContain(`byte ${error.offset} of ${error.segment}`);
    // The error names the damaged frame, or the offset at which the log ends because of it.
    if (error.segment === name) expect(error.offset).toBeLessThanOrEqual(offset);
  };

  test('without snapshots it is rejected', async () => {
    const withoutSnapshots = (storage: SimulatedStorage) => {
      for (const name of snapshotNames) storage.remove(`${SNAPSHOTS}/${name}`);
    };
    await everywhere(withoutSnapshots, expectRejected);
  });

  test('with an unacknowledged last batch it is rejected, or only that batch is dropped', async () => {
    const outcomes = { dropped: 0, rejected: 0 };
    const unacknowledged = (storage: SimulatedStorage) => {
      storage.corrupt(`${LOG}/acknowledged`, () => olderMarker);
      for (const name of snapshotNames) storage.remove(`${SNAPSHOTS}/${name}`);
    };
    await everywhere(unacknowledged, async (name, storage, offset) => {
      const copy = storage.copy();
      const found = await start(storage).catch((error: Error) => error);
      if (found instanceof Error) {
        outcomes.rejected++;
        return expectRejected(name, copy, offset);
      }
      outcomes.dropped++;
      expect(name).toBe(segments.at(-1)!);
      expect(found.state).toBe(states[BATCHES - 1]!);
    });
    expect(Math.min(outcomes.dropped, outcomes.rejected)).toBeGreaterThan(5);
  });

  // A start does not read batches before the snapshot; `verify` does.
  test('with snapshots it is rejected, or the state is complete', async () => {
    const outcomes = { complete: 0, rejected: 0 };
    await everywhere(
      () => {},
      async (name, storage, offset) => {
        const copy = storage.copy();
        const found = await start(storage).catch((error: Error) => error);
        if (found instanceof Error) {
          outcomes.rejected++;
          return expectRejected(name, copy, offset);
        }
        outcomes.complete++;
        expect(name).not.toBe(segments.at(-1)!);
        expect(found).toEqual({ state: states[BATCHES]!, warnings: [] });
      },
    );
    expect(Math.min(outcomes.complete, outcomes.rejected)).toBeGreaterThan(5);
  });
});

describe.each(damages)('a snapshot damaged anywhere: %s', (_, damage) => {
  test('is skipped with a warning: the older one or the log is used', async () => {
    for (const name of snapshotNames) {
      const path = `${SNAPSHOTS}/${name}`;
      const bytes = readAll(original, path);
      for (let offset = 0; offset < bytes.length; offset += STRIDE_BYTES) {
        const after = damage(bytes.slice(), offset);
        if (Buffer.compare(after, bytes) === 0) continue;
        const storage = original.copy();
        storage.corrupt(path, () => after);
        const isNewest = name === snapshotNames.at(-1);
        const { state, warnings } = await start(storage);
        expect(state).toBe(states[BATCHES]!);
        expect(warnings).toHaveLength(isNewest ? 1 : 0);
        if (isNewest) expect(warnings[0]).toContain(`${path} is damaged`);
      }
    }
  });
});

describe('unusable snapshots', () => {
  const [older, newer] = SNAPSHOTS_AT.map(
    (at) => `${SNAPSHOTS}/${`${at}`.padStart(16, '0')}.snapshot`,
  );

  test('if both are damaged, the log is used', async () => {
    const storage = original.copy();
    for (const path of [older!, newer!]) storage.corrupt(path, (bytes) => bytes.subarray(1));
    const { state, warnings } = await start(storage);
    expect(state).toBe(states[BATCHES]!);
    expect(warnings).toHaveLength(2);
  });

  test('under swapped names are skipped', async () => {
    const storage = original.copy();
    storage.corrupt(older!, () => readAll(original, newer!));
    storage.corrupt(newer!, () => readAll(original, older!));
    const { state, warnings } = await start(storage);
    expect(state).toBe(states[BATCHES]!);
    expect(warnings).toHaveLength(2);
  });

  test('of another exchange are rejected, with advice', async () => {
    const storage = original.copy();
    storage.corrupt(newer!, () => readAll(other, newer!));
    await expect(start(storage)).rejects.toThrow(/after batch 7: .*another hash.*[Mm]ove/);
  });

  test('beyond the end of the log are rejected, with advice', async () => {
    const storage = original.copy();
    const exchange = new Exchange();
    const position = { sequence: BATCHES + 1, hash: new Uint8Array(32) };
    await new SnapshotStore(storage, SNAPSHOTS).write(position, writeSnapshot(exchange));
    await expect(start(storage)).rejects.toThrow(
      /after batch 11: the log ends at batch 10.*[Mm]ove/,
    );
  });
});
