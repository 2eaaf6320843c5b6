import { expect } from 'bun:test';
import { join } from 'node:path';
import { testWithMount } from '../describe-where-possible.ts';
import { temporaryDirectory } from './exchange-process.ts';
import { onSmallDisk, wayToMount } from './mounts.ts';

const name =
  'orders are refused before the disk is full; cancels and reads work, and it ends in order';
/** Needs the right to mount, like full-disk.test.ts; src/storage/disk-space.test.ts does not. */
testWithMount(
  name,
  wayToMount(onSmallDisk),
  async (way) => {
    const directory = temporaryDirectory();
    try {
      const script = [process.execPath, join(import.meta.dir, 'disk-reserve.ts'), directory.path];
      const child = Bun.spawn([...onSmallDisk(way, directory.path), ...script], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const report = JSON.parse(await new Response(child.stdout).text());
      expect(report.nearlyFull.order).toBe(200);
      expect(JSON.parse(report.nearlyFull.ready)).toEqual({
        ready: true,
        reasons: [],
        notes: ['disk nearly full'],
      });
      expect(report.refusal.code).toBe('OVERLOADED');
      expect(report.refusal.message).toContain("The exchange's disk is full");
      expect(JSON.parse(report.ready)).toEqual({
        ready: true,
        reasons: [],
        notes: ['disk nearly full', 'disk full'],
      });
      expect(report.metrics).toMatch(/^buttonwood_disk_used_ratio 0\.9\d+$/m);
      expect(report.metrics).toMatch(/^buttonwood_disk_full 1$/m);
      expect([report.canceled, report.reads]).toEqual([500, 200]);
      expect(report.exitCode).toBe(0);
      expect(report.output).toMatch(/% full, \d+ MiB are left/);
      expect(report.output).toContain(
        'Orders are rejected: the disk of the data directory has only',
      );
    } finally {
      directory.remove();
    }
  },
  120_000,
);
