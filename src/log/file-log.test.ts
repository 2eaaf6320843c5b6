import { expect, test } from 'bun:test';
import type { StorageFile } from '../storage/storage.ts';
import { SimulatedStorage } from '../testing/simulated-storage.ts';
import { contents, fill, makePayload, openLog } from '../testing/test-batches.ts';

const LOSES_ALL = () => 0;

test('batches appended together equal batches appended one by one, and are as durable', async () => {
  const single = await openLog(new SimulatedStorage());
  await fill(single, 40, 300);
  const storage = new SimulatedStorage();
  const log = await openLog(storage, 3_000);
  const batches = contents(single).map(({ time, count, payload }) => ({ time, count, payload }));
  for (let from = 0; from < 40; from += 8) await log.appendAll(batches.slice(from, from + 8));
  expect(contents(log)).toEqual(contents(single));
  const after = await openLog(storage.afterPowerLoss(LOSES_ALL), 3_000);
  expect(contents(after)).toEqual(contents(single));
});

test('if the disk fails during appendAll, no batch counts and no further append succeeds', async () => {
  const storage = new SimulatedStorage();
  const log = await openLog(storage);
  await fill(log, 3);
  const batches = [4, 5, 6, 7].map((n) => ({ time: 2_000, count: 1, payload: makePayload(n) }));
  storage.onOperation = ({ kind }) => {
    if (kind === 'sync') throw new Error('no space');
    return undefined;
  };
  await expect(log.appendAll(batches)).rejects.toThrow('no space');
  storage.onOperation = undefined;
  expect(log.lastSequence).toBe(3);
  await expect(log.appendAll(batches)).rejects.toThrow('no space');
});

/** Counts its open files. */
class CountingStorage extends SimulatedStorage {
  opened = 0;

  override create(path: string): StorageFile {
    return this.counted(super.create(path));
  }

  override open(path: string): StorageFile {
    return this.counted(super.open(path));
  }

  private counted(file: StorageFile): StorageFile {
    this.opened++;
    return Object.assign(file, { close: () => this.opened-- });
  }
}

test('a closed log has no open file, an open log has its segment and its marker', async () => {
  const storage = new CountingStorage();
  for (const count of [10, 20]) {
    const log = await openLog(storage, 500);
    await fill(log, count);
    expect([contents(log).length, storage.opened]).toEqual([count, 2]);
    await log.close();
    expect(storage.opened).toBe(0);
  }
});
