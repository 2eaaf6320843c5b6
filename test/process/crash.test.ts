import { expect, test } from 'bun:test';
import { crashRounds } from './crash.ts';

const SEED = 20261121;

test(`three kills under load lose nothing acknowledged and repeat nothing (seed ${SEED})`, async () => {
  const report = await crashRounds(3, SEED, 16);
  expect(report.rounds).toBe(3);
  expect(report.acknowledgedOrders).toBeGreaterThan(0);
  expect(report.acknowledgedCancels).toBeGreaterThan(0);
  expect(report.acknowledgedAmends).toBeGreaterThan(0);
}, 60_000);

test('an exchange that acknowledges before it writes is caught', async () => {
  const flags = ['--preload', './test/process/lose-writes.ts'];
  // If history was written just before the kill, the restart detects the loss itself.
  await expect(crashRounds(3, SEED, 16, undefined, flags)).rejects.toThrow(
    /is lost|acknowledged was|cancel acknowledged|the log has lost batches/,
  );
}, 60_000);
