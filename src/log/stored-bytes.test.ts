import { expect, test } from 'bun:test';
import { readAll } from '../storage/storage.ts';
import { SimulatedStorage } from '../testing/simulated-storage.ts';
import { AcknowledgedMarker } from './acknowledged.ts';
import { FrameWriter, readFrame } from './frame.ts';
import { encodeHeader } from './segment.ts';

// The bytes around the commands of existing logs: they must stay readable, and new logs must be written alike.

const hash = new Uint8Array(32).fill(9);
const hashHex = (hex: string) => Bun.SHA256.hash(Uint8Array.fromHex(hex), 'hex');

test('a frame', () => {
  const content = [
    'f54257fe',
    '01000000',
    '63000000',
    '07000000',
    '0500000001000000',
    '0600000002000000',
    hash.toHex(),
    '010203',
  ].join('');
  const frame = Uint8Array.fromHex(content + hashHex(content));
  const payload = Uint8Array.of(1, 2, 3);
  const batch = { sequence: 2 ** 32 + 5, time: 2 ** 33 + 6, count: 7, payload };
  const { sequence, time, count } = batch;
  expect(new FrameWriter().write(sequence, time, count, payload, hash)).toEqual(frame);
  expect(readFrame(frame, new DataView(frame.buffer), 0)).toMatchObject(batch);
});

test("a segment's header", () => {
  const content = ['f55753fe', '01000000', '0600000000000000', hash.toHex()].join('');
  expect(encodeHeader({ sequence: 5, hash }).toHex()).toBe(content + hashHex(content));
});

test('the acknowledged marker', async () => {
  const storage = new SimulatedStorage();
  await storage.makeDirectory('log');
  AcknowledgedMarker.open(storage, 'log').write({ sequence: 6, hash });
  const content = ['f55741fe', '01000000', '0600000000000000', hash.toHex()].join('');
  expect(readAll(storage, 'log/acknowledged').toHex()).toBe(content + hashHex(content));
});
