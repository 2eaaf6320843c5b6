import { afterEach, expect, test } from 'bun:test';
import { appendFileSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { lockDirectory } from '../storage/lock.ts';
import { TestDirectory } from '../testing/test-directory.ts';
import { command } from '../testing/test-exchange.ts';
import { openSourceLog } from './source-log.ts';

let directory: TestDirectory;
afterEach(() => directory.remove());

/** Opens the log, which must change nothing. */
async function open() {
  const before = directory.contents();
  const log = await openSourceLog(directory.storage, directory.paths.log);
  const sequences = Array.from(log.read(0), ({ sequence }) => sequence);
  expect(directory.contents()).toEqual(before);
  expect(sequences).toEqual(Array.from({ length: log.lastSequence }, (_, index) => index + 1));
  return log.lastSequence;
}

test('an unused log ends where a start would continue it', async () => {
  directory = await TestDirectory.create();
  expect(await open()).toBe(11);
  const sizeBytes = readFileSync(directory.segment).length;
  const marker = readFileSync(join(directory.paths.log, 'acknowledged'));
  await directory.append(3000, [command(30)]);
  // As after a power loss: the batch is complete, and the marker is that of the batch before.
  writeFileSync(join(directory.paths.log, 'acknowledged'), marker);
  expect(await open()).toBe(12);
  truncateSync(directory.segment, sizeBytes + 20);
  expect(await open()).toBe(11);
});

test('a log in use ends with the batch that was acknowledged last', async () => {
  directory = await TestDirectory.create();
  const marker = readFileSync(join(directory.paths.log, 'acknowledged'));
  await directory.append(3000, [command(30)]);
  writeFileSync(join(directory.paths.log, 'acknowledged'), marker);
  const lock = lockDirectory(directory.path);
  try {
    expect(await open()).toBe(11);
    // A part of the next batch, as while the node writes it.
    appendFileSync(directory.segment, readFileSync(directory.segment).subarray(80, 200));
    expect(await open()).toBe(11);
  } finally {
    lock.release();
  }
});

test('the log is locked only while its end is searched', async () => {
  directory = await TestDirectory.create();
  await openSourceLog(directory.storage, directory.paths.log);
  for (const path of [directory.path, directory.paths.log]) lockDirectory(path).release();
});

test('a marker that a node is writing is read again', async () => {
  directory = await TestDirectory.create();
  const path = join(directory.paths.log, 'acknowledged');
  const marker = readFileSync(path);
  writeFileSync(path, marker.subarray(0, 40));
  const lock = lockDirectory(directory.path);
  try {
    const opening = openSourceLog(directory.storage, directory.paths.log);
    await Bun.sleep(30);
    writeFileSync(path, marker);
    expect((await opening).lastSequence).toBe(11);
    writeFileSync(path, marker.subarray(0, 40));
    await expect(openSourceLog(directory.storage, directory.paths.log)).rejects.toThrow(
      'its file "acknowledged" is damaged',
    );
  } finally {
    lock.release();
  }
});
