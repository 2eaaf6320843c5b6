import { expect, test } from 'bun:test';
import { readAll } from '../storage/storage.ts';
import { SimulatedStorage } from '../testing/simulated-storage.ts';
import { DIRECTORY, fill, openLog } from '../testing/test-batches.ts';
import { HEADER_BYTES, segmentName } from './segment.ts';

const path = (name: string) => `${DIRECTORY}/${name}`;

test('every byte of a torn new segment is kept in a file named after its offset', async () => {
  const written = new SimulatedStorage();
  await fill(await openLog(written), 2);
  const whole = readAll(written, path(segmentName(1)));
  for (let end = 1; end < whole.length; end++) {
    const storage = new SimulatedStorage();
    await storage.makeDirectory(DIRECTORY);
    storage.create(path(segmentName(1))).write(whole.subarray(0, end), 0);
    const log = await openLog(storage);
    const start = end < HEADER_BYTES ? 0 : HEADER_BYTES;
    if (log.lastSequence > 0 || end === HEADER_BYTES) continue;
    const kept = storage.list(DIRECTORY).filter((name) => name.endsWith('.broken'));
    expect(kept).toEqual([`${segmentName(1)}.${start}.broken`]);
    expect(readAll(storage, path(kept[0]!))).toEqual(whole.subarray(start, end));
  }
});

test('the error for a batch out of sequence names it and the expected one', async () => {
  const storage = new SimulatedStorage();
  await fill(await openLog(storage), 3);
  const frameBytes = (readAll(storage, path(segmentName(1))).length - HEADER_BYTES) / 3;
  storage.corrupt(path(segmentName(1)), (bytes) =>
    Buffer.concat([
      bytes.subarray(0, HEADER_BYTES + frameBytes),
      bytes.subarray(HEADER_BYTES + 2 * frameBytes),
    ]),
  );
  await expect(openLog(storage)).rejects.toThrow('found batch 3 instead of batch 2');
});
