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

// A log of real commands in several segments, with two snapshots, damaged in every way at every byte:
// an exchange that starts has the state of all batches, or of all but one that was never acknowledged.
// Here at every eleventh byte; `npm run test:damage` takes every byte, and each of its bits.
const STRIDE_BYTES = Number(process.env.DAMAGE_STRIDE_BYTES ?? 11);
const FLIPPED_BITS = STRIDE_BYTES === 1 ? [0, 1, 2, 3, 4, 5, 6, 7] : [3];

const LOG = '/data/log';
const SNAPSHOTS = '/data/snapshots';
const BATCHES = 10;
const SNAPSHOTS_AT = [3, 7];
const SEGMENT_BYTES = 1100;

setDefaultTimeout(3_600_000);

let original: SimulatedStorage;
/** Hash of the state after each batch, 0 for the empty exchange. */
const states: string[] = [];
/** In order of time. */
let segments: string[];
let snapshotNames: string[];
let markerBehind: Uint8Array;

const hashOf = (exchange: Exchange) =>
  new Bun.SHA256().update(writeSnapshot(exchange)).digest('hex');
const openLog = (storage: SimulatedStorage) =>
  FileLog.open({ storage, directory: LOG, segmentBytes: SEGMENT_BYTES });

async function build(seed: number) {
  const storage = new SimulatedStorage();
  await storage.makeDirectory(SNAPSHOTS);
  const log = await openLog(storage);
  const snapshots = new SnapshotStore(storage, SNAPSHOTS);
  const exchange = new Exchange();
  const hashes = [hashOf(exchange)];
  for (let number = 1; number <= BATCHES; number++) {
    const commands = [0, 1, 2].map((index) => command(seed + number * 3 + index));
    const marker = readAll(storage, `${LOG}/acknowledged`);
    if (number === BATCHES) markerBehind = marker;
    const first = number === 1 ? GENESIS_COMMANDS : commands;
    const batch = await appendBatch(log, 2000 + number, first);
    applyBatch(exchange, batch, new Set());
    hashes.push(hashOf(exchange));
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

/** What a node does to come back. */
async function start(storage: SimulatedStorage): Promise<Start> {
  const log = await openLog(storage);
  const warnings: string[] = [];
  const snapshots = new SnapshotStore(storage, SNAPSHOTS);
  const recovered: Recovered = loadNewest(snapshots, undefined, (text) => warnings.push(text));
  replay(log, recovered);
  return { state: hashOf(recovered.exchange), warnings };
}

type Damage = (bytes: Uint8Array, offset: number) => Uint8Array;
const damages: [string, Damage][] = [
  ['cut', (bytes, offset) => bytes.subarray(0, offset)],
  ['zeroed in one byte', (bytes, offset) => bytes.with(offset, 0)],
  ['zeroed for a sector', (bytes, offset) => bytes.fill(0, offset, offset + 512)],
  ['zeroed to the end', (bytes, offset) => bytes.fill(0, offset)],
  ['flipped in all bits', (bytes, offset) => bytes.with(offset, bytes[offset]! ^ 0xff)],
  ...FLIPPED_BITS.map((bit): [string, Damage] => [
    `flipped in bit ${bit}`,
    (bytes, offset) => bytes.with(offset, bytes[offset]! ^ (1 << bit)),
  ]),
];

describe.each(damages)('a segment %s, anywhere', (_, damage) => {
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
  const refused = async (name: string, storage: SimulatedStorage, offset: number) => {
    const found = await start(storage).catch((error: Error) => error);
    expect(found).toBeInstanceOf(LogDamagedError);
    const error = found as LogDamagedError;
    expect(error.message).toContain(`byte ${error.offset} of ${error.segment}`);
    // Named is the frame that the damage is in, or where the log ends for want of it.
    if (error.segment === name) expect(error.offset).toBeLessThanOrEqual(offset);
  };

  test('with the log alone it is refused', async () => {
    const withoutSnapshots = (storage: SimulatedStorage) => {
      for (const name of snapshotNames) storage.remove(`${SNAPSHOTS}/${name}`);
    };
    await everywhere(withoutSnapshots, refused);
  });

  test('with an unacknowledged last batch it is refused, or that batch alone is dropped', async () => {
    const outcomes = { dropped: 0, refused: 0 };
    const unacknowledged = (storage: SimulatedStorage) => {
      storage.corrupt(`${LOG}/acknowledged`, () => markerBehind);
      for (const name of snapshotNames) storage.remove(`${SNAPSHOTS}/${name}`);
    };
    await everywhere(unacknowledged, async (name, storage, offset) => {
      const copy = storage.copy();
      const found = await start(storage).catch((error: Error) => error);
      if (found instanceof Error) {
        outcomes.refused++;
        return refused(name, copy, offset);
      }
      outcomes.dropped++;
      expect(name).toBe(segments.at(-1)!);
      expect(found.state).toBe(states[BATCHES - 1]!);
    });
    expect(Math.min(outcomes.dropped, outcomes.refused)).toBeGreaterThan(5);
  });

  // What a snapshot holds is not read again by a start; `verify` reads it.
  test('behind snapshots it is refused, or the state is whole', async () => {
    const outcomes = { whole: 0, refused: 0 };
    await everywhere(
      () => {},
      async (name, storage, offset) => {
        const copy = storage.copy();
        const found = await start(storage).catch((error: Error) => error);
        if (found instanceof Error) {
          outcomes.refused++;
          return refused(name, copy, offset);
        }
        outcomes.whole++;
        expect(name).not.toBe(segments.at(-1)!);
        expect(found).toEqual({ state: states[BATCHES]!, warnings: [] });
      },
    );
    expect(Math.min(outcomes.whole, outcomes.refused)).toBeGreaterThan(5);
  });
});

describe.each(damages)('a snapshot %s, anywhere', (_, damage) => {
  test('is passed over and said so: the older one or the log is used', async () => {
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

describe('snapshots that are whole but out of place', () => {
  const [older, newer] = SNAPSHOTS_AT.map(
    (at) => `${SNAPSHOTS}/${`${at}`.padStart(16, '0')}.snapshot`,
  );

  test('both damaged: the log is used', async () => {
    const storage = original.copy();
    for (const path of [older!, newer!]) storage.corrupt(path, (bytes) => bytes.subarray(1));
    const { state, warnings } = await start(storage);
    expect(state).toBe(states[BATCHES]!);
    expect(warnings).toHaveLength(2);
  });

  test('under each other’s names: passed over', async () => {
    const storage = original.copy();
    storage.corrupt(older!, () => readAll(original, newer!));
    storage.corrupt(newer!, () => readAll(original, older!));
    const { state, warnings } = await start(storage);
    expect(state).toBe(states[BATCHES]!);
    expect(warnings).toHaveLength(2);
  });

  test('of another exchange: refused, saying what to do', async () => {
    const storage = original.copy();
    storage.corrupt(newer!, () => readAll(other, newer!));
    await expect(start(storage)).rejects.toThrow(/after batch 7: .*another hash.*[Mm]ove/);
  });

  test('beyond the end of the log: refused, saying what to do', async () => {
    const storage = original.copy();
    const exchange = new Exchange();
    const position = { sequence: BATCHES + 1, hash: new Uint8Array(32) };
    await new SnapshotStore(storage, SNAPSHOTS).write(position, writeSnapshot(exchange));
    await expect(start(storage)).rejects.toThrow(
      /after batch 11: the log ends at batch 10.*[Mm]ove/,
    );
  });
});
