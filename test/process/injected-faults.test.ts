import { expect, test } from 'bun:test';
import { FAULTS, faultRounds } from './injected-faults.ts';
import { describeWithStrace } from './strace.ts';

const SEED = 20261121;
const pick = (call: string, file: string, error: string) =>
  FAULTS.filter((each) => each.call === call && each.file === file && each.error === error);

describeWithStrace('a system call that fails under load', () => {
  test(`no acknowledgement after it, and nothing lost (seed ${SEED})`, async () => {
    const faults = [...pick('fdatasync', 'log', 'EIO'), ...pick('pwrite64', 'log', 'ENOSPC')];
    const report = await faultRounds(faults, SEED, 16);
    expect(report.rounds).toBe(2);
    expect(report.acknowledgedOrders).toBeGreaterThan(0);
  }, 60_000);
});
