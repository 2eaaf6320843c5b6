import { expect } from 'bun:test';
import { testWithMount } from '../describe-where-possible.ts';
import { fullDiskRounds } from './full-disk-run.ts';
import { onSmallDisk, wayToMount } from './mounts.ts';

const SEED = 20261121;
const name = `a full disk: no acknowledgement after it, and a clean start once space is free (seed ${SEED})`;

/** Unlike failing-disk.test.ts it needs the right to mount. */
testWithMount(
  name,
  wayToMount(onSmallDisk),
  async (way) => {
    const report = await fullDiskRounds(way, 2, SEED, 16);
    expect(report.rounds).toBe(2);
    expect(report.acknowledgedOrders).toBeGreaterThan(0);
  },
  60_000,
);
