import { expect, test } from 'bun:test';
import { crashRounds } from './crash.ts';

test('three kills under load lose nothing acknowledged and repeat nothing', async () => {
  const report = await crashRounds(3, 20261121, 16);
  expect(report.acknowledgedOrders).toBeGreaterThan(0);
  expect(report.acknowledgedCancels).toBeGreaterThan(0);
}, 60_000);
