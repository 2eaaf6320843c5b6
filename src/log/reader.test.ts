import { expect, test } from 'bun:test';
import { SimulatedStorage } from '../testing/simulated-storage.ts';
import { contents, DIRECTORY, fill, openLog } from '../testing/test-batches.ts';
import { readAcknowledged } from './acknowledged.ts';
import { LogDamagedError, LogPositionError } from './errors.ts';
import { readBatches } from './reader.ts';
import { segmentName } from './segment.ts';

const SEGMENT_BYTES = 450;

test('another thread reads acknowledged batches while the next one is written', async () => {
  const storage = new SimulatedStorage();
  const log = await openLog(storage, SEGMENT_BYTES);
  const readings: number[] = [];
  storage.onOperation = ({ path, sizeBytes }) => {
    const acknowledged = readAcknowledged(storage, DIRECTORY)!;
    expect(acknowledged.sequence).toBe(log.lastSequence);
    const found = [...readBatches(storage, DIRECTORY, { sequence: 0 }, acknowledged.sequence)];
    expect(found.map((batch) => batch.sequence)).toEqual(found.map((_, index) => index + 1));
    readings.push(found.length);
    expect([...readBatches(storage, DIRECTORY, acknowledged, acknowledged.sequence)]).toEqual([]);
    return path.endsWith('.log') ? Math.ceil(sizeBytes / 2) : undefined;
  };
  await fill(log, 8);
  expect(new Set(readings)).toEqual(new Set([0, 1, 2, 3, 4, 5, 6, 7]));
});

test('reads any range', async () => {
  const storage = new SimulatedStorage();
  const log = await openLog(storage, SEGMENT_BYTES);
  await fill(log, 8);
  const batches = contents(log);
  for (let after = 0; after <= 8; after++) {
    for (let through = after; through <= 8; through++) {
      const found = [...readBatches(storage, DIRECTORY, { sequence: after }, through)];
      expect(found).toEqual(batches.slice(after, through));
    }
    const before = () => [...readBatches(storage, DIRECTORY, { sequence: after }, after - 1)];
    expect(before).toThrow(LogPositionError);
  }
  expect(() => [...readBatches(storage, DIRECTORY, { sequence: 2 }, 9)]).toThrow(LogDamagedError);
});

test('segments before the position may be missing', async () => {
  const storage = new SimulatedStorage();
  const log = await openLog(storage, SEGMENT_BYTES);
  await fill(log, 8);
  const batches = contents(log);
  storage.remove(`${DIRECTORY}/${segmentName(1)}`);
  expect(contents(log, 4)).toEqual(batches.slice(4));
  for (const after of [0, 1, 3]) expect(() => contents(log, after)).toThrow(LogDamagedError);
});
