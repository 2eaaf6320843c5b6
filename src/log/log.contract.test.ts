import { afterAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { DiskStorage } from '../storage/disk-storage.ts';
import { MemoryLog } from '../testing/memory-log.ts';
import { SimulatedStorage } from '../testing/simulated-storage.ts';
import { contents, fill, makePayload, openLog } from '../testing/test-batches.ts';
import { LogPositionError } from './errors.ts';
import { FileLog } from './file-log.ts';
import { GENESIS_HASH } from './hash.ts';
import { type Log, MAX_PAYLOAD_BYTES } from './log.ts';

const parent = mkdtempSync(join(tmpdir(), 'buttonwood-log-'));
afterAll(() => rmSync(parent, { recursive: true }));

let directories = 0;

/** Small, so that a few batches need several segments. */
const SEGMENT_BYTES = 500;

interface Kind {
  readonly name: string;
  /** Creates a log and returns how to open it. */
  readonly begin: () => { open: () => Promise<Log> };
  readonly runs: number;
}

const files: Kind[] = [
  {
    name: 'file log on a simulated disk',
    begin() {
      const storage = new SimulatedStorage();
      return { open: () => openLog(storage, SEGMENT_BYTES) };
    },
    runs: 100,
  },
  {
    name: 'file log on disk',
    begin() {
      const directory = join(parent, String(directories++), 'log');
      const storage = new DiskStorage();
      return { open: () => FileLog.open({ storage, directory, segmentBytes: SEGMENT_BYTES }) };
    },
    runs: 5,
  },
];

const memory: Kind = {
  name: 'memory log',
  begin: () => ({ open: async () => new MemoryLog() }),
  runs: 100,
};

const appends = fc.array(
  fc.record({
    time: fc.integer({ min: 0, max: 2 ** 43 }),
    count: fc.integer({ min: 1, max: 2 ** 32 - 1 }),
    payload: fc.uint8Array({ maxLength: 300 }),
  }),
  { maxLength: 20 },
);

describe.each([memory, ...files])('$name', ({ begin, runs }) => {
  test('is empty at first', async () => {
    const log = await begin().open();
    expect(log.lastSequence).toBe(0);
    expect(log.lastTime).toBe(0);
    expect(log.lastHash).toEqual(GENESIS_HASH);
    expect(contents(log)).toEqual([]);
    expect([...log.read(0, GENESIS_HASH)]).toEqual([]);
    await log.close();
  });

  test('returns what was appended, from any position, with the hash of that position', async () => {
    await fc.assert(
      fc.asyncProperty(appends, fc.nat(), async (inputs, point) => {
        const log = await begin().open();
        const batches = [];
        for (const { time, count, payload } of inputs) {
          batches.push(await log.append(time, count, payload));
          expect(log.lastSequence).toBe(batches.length);
          expect(log.lastHash).toEqual(batches.at(-1)!.hash);
        }
        expect(contents(log)).toEqual(batches);
        expect(batches.map((batch) => batch.sequence)).toEqual(inputs.map((_, index) => index + 1));
        expect(batches.map((batch) => batch.payload)).toEqual(inputs.map((input) => input.payload));
        const after = point % (batches.length + 1);
        const hash = after === 0 ? GENESIS_HASH : batches[after - 1]!.hash;
        expect([...log.read(after, hash)]).toEqual(batches.slice(after));
        await log.close();
      }),
      { numRuns: runs },
    );
  });

  test('time never goes backwards', async () => {
    const log = await begin().open();
    const times = [];
    for (const time of [500, 400, 600, 0]) {
      times.push((await log.append(time, 1, makePayload(1))).time);
    }
    expect(times).toEqual([500, 500, 600, 600]);
    expect(log.lastTime).toBe(600);
    expect(contents(log).map((batch) => batch.time)).toEqual(times);
    await log.close();
  });

  test('equal appends have equal hashes in every log, and any difference changes them', async () => {
    const readHashes = async (log: Log, change: number) => {
      const first = await log.append(7 + (change === 1 ? 1 : 0), 2, makePayload(1));
      const second = await log.append(9, change === 2 ? 3 : 2, makePayload(change === 3 ? 3 : 2));
      await log.close();
      return [first.hash, second.hash];
    };
    const expected = await readHashes(new MemoryLog(), 0);
    expect(await readHashes(await begin().open(), 0)).toEqual(expected);
    for (const change of [1, 2, 3]) {
      expect((await readHashes(await begin().open(), change))[1]).not.toEqual(expected[1]);
    }
  });

  test('rejects reading after a batch that it does not contain', async () => {
    const log = await begin().open();
    await fill(log, 12);
    expect(() => [...log.read(13)]).toThrow(LogPositionError);
    for (const after of [0, 1, 3, 4, 11, 12]) {
      const other = new Uint8Array(32).fill(9);
      expect(() => [...log.read(after, other)]).toThrow(LogPositionError);
    }
    await log.close();
  });

  test('rejects what the format cannot store, and stays usable', async () => {
    const log = await begin().open();
    for (const time of [-1, 1.5, Number.NaN, 2 ** 53]) {
      await expect(log.append(time, 1, makePayload(1))).rejects.toThrow(RangeError);
    }
    for (const count of [0, 1.5, 2 ** 32]) {
      await expect(log.append(1, count, makePayload(1))).rejects.toThrow(RangeError);
    }
    const tooLarge = new Uint8Array(MAX_PAYLOAD_BYTES + 1);
    await expect(log.append(1, 1, tooLarge)).rejects.toThrow(RangeError);
    expect((await log.append(1, 1, makePayload(1))).sequence).toBe(1);
    await log.close();
  });

  test('accepts one append at a time, and none once closed', async () => {
    const log = await begin().open();
    const first = log.append(1, 1, makePayload(1));
    await expect(log.append(1, 1, makePayload(2))).rejects.toThrow('under way');
    expect((await first).sequence).toBe(1);
    const second = log.append(1, 1, makePayload(2));
    await log.close();
    expect((await second).sequence).toBe(2);
    await expect(log.append(1, 1, makePayload(3))).rejects.toThrow('closed');
    await log.close();
  });

  test('later appends do not change what was read', async () => {
    const log = await begin().open();
    const payload = makePayload(1);
    const batch = await log.append(1, 1, payload);
    const before = contents(log);
    payload.fill(0);
    await fill(log, 5);
    expect(contents(log)[0]).toEqual(before[0]!);
    expect(batch.hash).toEqual(before[0]!.hash);
    await log.close();
  });
});

describe.each(files)('$name', ({ begin, runs }) => {
  test('continues where it ended when opened again, closed or not', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(appends, { maxLength: 5 }), fc.boolean(), async (parts, close) => {
        const { open } = begin();
        const batches = [];
        for (const inputs of parts) {
          const log = await open();
          expect(contents(log)).toEqual(batches);
          expect(log.lastTime).toBe(batches.at(-1)?.time ?? 0);
          for (const { time, count, payload } of inputs) {
            batches.push(await log.append(time, count, payload));
          }
          if (close) await log.close();
        }
        expect(contents(await open())).toEqual(batches);
      }),
      { numRuns: runs },
    );
  });

  test('stores the largest payload in a segment above the limit', async () => {
    const { open } = begin();
    const log = await open();
    await fill(log, 2);
    const largest = new Uint8Array(MAX_PAYLOAD_BYTES).fill(3);
    await log.append(5000, 1, largest);
    await fill(log, 4);
    const batches = contents(log);
    expect(batches[2]!.payload).toEqual(largest);
    await log.close();
    expect(contents(await open())).toEqual(batches);
  });
});
