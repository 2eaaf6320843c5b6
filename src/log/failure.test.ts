import { expect, test } from 'bun:test';
import { seededRandom } from '../storage/seeded-random.ts';
import { type Operation, SimulatedStorage } from '../testing/simulated-storage.ts';
import { contents, DIRECTORY, fill, makePayload, openLog } from '../testing/test-batches.ts';
import { LogFailedError } from './errors.ts';
import type { Batch } from './log.ts';

const SEGMENT_BYTES = 450;
const COUNT = 8;

/** Appends until one fails. @returns The acknowledged batches. Nothing may follow the failure. */
async function appendUntilFailure(storage: SimulatedStorage): Promise<Batch[]> {
  const log = await openLog(storage, SEGMENT_BYTES);
  const acknowledged = contents(log);
  try {
    while (log.lastSequence < COUNT) {
      const next = log.lastSequence + 1;
      acknowledged.push(await log.append(1000 + next, 1, makePayload(next)));
    }
  } catch (error) {
    expect(error).toBeInstanceOf(LogFailedError);
    for (let attempt = 0; attempt < 3; attempt++) {
      await expect(log.append(2000, 1, makePayload(1))).rejects.toThrow(LogFailedError);
    }
    expect(log.lastSequence).toBe(acknowledged.length);
    expect(contents(log)).toEqual(acknowledged);
  }
  await log.close().catch(() => {});
  return acknowledged;
}

async function expectHolds(storage: SimulatedStorage, acknowledged: Batch[]) {
  const log = await openLog(storage, SEGMENT_BYTES);
  const found = contents(log);
  expect(found.slice(0, acknowledged.length)).toEqual(acknowledged);
  expect(found.length).toBeLessThanOrEqual(acknowledged.length + 1);
  await fill(log, COUNT + 2);
  expect(contents(log).slice(0, found.length)).toEqual(found);
}

/** Faults of the n-th operation. */
const faults: [string, (operation: Operation) => number | undefined][] = [
  [
    'fails',
    ({ kind }) => {
      throw new Error(`A ${kind} failed.`);
    },
  ],
  ['takes one byte, then fails', ({ kind, sizeBytes }) => (kind === 'write' ? 1 : sizeBytes)],
  ['takes half, then fails', ({ kind, sizeBytes }) => (kind === 'write' ? sizeBytes >> 1 : 0)],
];

test.each(faults)(
  'any operation %s: nothing is acknowledged afterwards, and everything before is kept',
  async (_, fault) => {
    const random = seededRandom(1);
    let failing = 0;
    for (let reached = true; reached; failing++) {
      const storage = new SimulatedStorage();
      let count = 0;
      let failed = false;
      await openLog(storage, SEGMENT_BYTES);
      storage.onOperation = (operation) => {
        if (failed) throw new Error('The disk is gone.');
        if (count++ !== failing) return undefined;
        failed = true;
        return fault(operation);
      };
      let acknowledged: Batch[] = [];
      try {
        acknowledged = await appendUntilFailure(storage);
      } catch {
        // Opening failed, so nothing was appended.
      }
      reached = failed;
      storage.onOperation = undefined;
      for (let power = 0; power < 10; power++) {
        await expectHolds(storage.afterPowerLoss(random), acknowledged);
      }
      await expectHolds(storage, acknowledged);
    }
    // Operations of opening, two and the marker per batch, and four per new segment.
    expect(failing).toBeGreaterThan(3 * COUNT);
  },
);

test('short writes are continued', async () => {
  const storage = new SimulatedStorage();
  storage.onOperation = ({ sizeBytes }) => Math.ceil(sizeBytes / 3);
  const log = await openLog(storage, SEGMENT_BYTES);
  const batches = await fill(log, COUNT);
  expect(contents(log)).toEqual(batches);
  await log.close();
  expect(contents(await openLog(storage))).toEqual(batches);
});

// Eight frames of 116 bytes, three headers and the marker of 80 bytes: 1,248 bytes are enough.
test('a full disk of any size keeps everything acknowledged', async () => {
  for (let capacity = 80; capacity < 1248; capacity += 7) {
    const storage = new SimulatedStorage();
    storage.capacityBytes = capacity;
    const acknowledged = await appendUntilFailure(storage);
    expect(acknowledged.length).toBeLessThan(COUNT);
    storage.capacityBytes = Number.POSITIVE_INFINITY;
    await expectHolds(storage, acknowledged);
  }
});

test('a disk that fails while the log is opened loses nothing', async () => {
  for (let failing = 0, reached = true; reached; failing++) {
    const storage = new SimulatedStorage();
    const log = await openLog(storage, SEGMENT_BYTES);
    const batches = await fill(log, COUNT);
    storage.corrupt(`${DIRECTORY}/00000000000000000007.log`, (bytes) =>
      Uint8Array.from([...bytes, ...bytes.subarray(80, 150)]),
    );
    let count = 0;
    storage.onOperation = () => {
      if (count++ === failing) throw new Error('The disk failed.');
      return undefined;
    };
    reached = await openLog(storage, SEGMENT_BYTES).then(
      () => false,
      () => true,
    );
    storage.onOperation = undefined;
    await expectHolds(storage.afterPowerLoss(seededRandom(failing)), batches);
    await expectHolds(storage, batches);
    if (!reached) expect(failing).toBeGreaterThan(5);
  }
});
