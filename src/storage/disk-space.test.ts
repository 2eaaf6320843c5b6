import { afterAll, afterEach, beforeEach, expect, spyOn, test } from 'bun:test';
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as logger from '../monitoring/logger.ts';
import { DiskSpace, type DiskUse } from './disk-space.ts';

const MIB = 1024 * 1024;
const GIB = 1024 * MIB;
const snapshotDirectory = mkdtempSync(join(tmpdir(), 'buttonwood-space-'));
afterAll(() => rmSync(snapshotDirectory, { recursive: true }));

let disks: Record<string, DiskUse>;
let space: DiskSpace;
let warned: ReturnType<typeof spyOn<typeof logger, 'warn'>>;
beforeEach(() => {
  warned = spyOn(logger, 'warn').mockImplementation(() => {});
  spyOn(logger, 'info').mockImplementation(() => {});
});
afterEach(() => {
  space.stop();
  warned.mockRestore();
});

const disk = (totalBytes: number, availableBytes: number): DiskUse => ({
  usedPart: 1 - availableBytes / totalBytes,
  totalBytes,
  availableBytes,
});

function watch(found: Record<string, DiskUse>): void {
  disks = found;
  space = new DiskSpace({
    directories: Object.keys(disks),
    snapshotDirectory,
    onFailure: () => {},
    use: (directory) => disks[directory]!,
  });
}

function update(directory: string, use: DiskUse): void {
  disks[directory] = use;
  space.check();
}

const warnings = () => warned.mock.calls.map(([text]) => text);

test('it warns once at 80 % use until there is enough space again', () => {
  watch({ log: disk(100 * GIB, 21 * GIB) });
  expect([space.isNearlyFull, space.isFull, warnings()]).toEqual([false, false, []]);
  update('log', disk(100 * GIB, 20 * GIB));
  update('log', disk(100 * GIB, 19 * GIB));
  expect([space.isNearlyFull, space.isFull]).toEqual([true, false]);
  expect(warnings()).toEqual([expect.stringContaining('80 % full, 20480 MiB are left')]);
  update('log', disk(100 * GIB, 30 * GIB));
  expect(space.isNearlyFull).toBe(false);
  update('log', disk(100 * GIB, 10 * GIB));
  expect(warnings()).toHaveLength(2);
});

test('orders are rejected while the reserve is not free, without alternating at its limit', () => {
  watch({ log: disk(100 * GIB, 129 * MIB) });
  expect(space.isFull).toBe(false);
  update('log', disk(100 * GIB, 127 * MIB));
  expect(space.isFull).toBe(true);
  update('log', disk(100 * GIB, 130 * MIB));
  expect(space.isFull).toBe(true);
  update('log', disk(100 * GIB, 150 * MIB));
  expect(space.isFull).toBe(false);
  expect(warnings().filter((text) => text.startsWith('Orders are rejected'))).toHaveLength(1);
});

test('the reserve holds two snapshots, and is at most a tenth of a small disk', () => {
  const snapshot = join(snapshotDirectory, '1.snapshot');
  writeFileSync(snapshot, '');
  truncateSync(snapshot, 100 * MIB);
  watch({ log: disk(100 * GIB, 330 * MIB) });
  expect(space.isFull).toBe(false);
  update('log', disk(100 * GIB, 327 * MIB));
  expect(space.isFull).toBe(true);
  update('log', disk(32 * MIB, 4 * MIB));
  expect(space.isFull).toBe(false);
  update('log', disk(32 * MIB, 3 * MIB));
  expect(space.isFull).toBe(true);
});

test('every one of several disks counts', () => {
  watch({ log: disk(100 * GIB, 90 * GIB), data: disk(10 * GIB, 50 * MIB) });
  expect([space.isNearlyFull, space.isFull]).toEqual([true, true]);
  expect(space.fullest.availableBytes).toBe(50 * MIB);
});

test('a real directory is on a disk', () => {
  space = new DiskSpace({
    directories: [snapshotDirectory],
    snapshotDirectory,
    onFailure: () => {},
  });
  const { usedPart, availableBytes, totalBytes } = space.fullest;
  expect(usedPart).toBeGreaterThan(0);
  expect(usedPart).toBeLessThanOrEqual(1);
  expect(availableBytes).toBeLessThan(totalBytes);
});
