import { expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  FRAME_OVERHEAD_BYTES,
  FrameWriter,
  findLaterFrame,
  frameHash,
  readFrame,
} from './frame.ts';

const toView = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.length);

const hash = fc.uint8Array({ minLength: 32, maxLength: 32 });

const input = fc.record({
  sequence: fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
  time: fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER }),
  count: fc.integer({ min: 1, max: 2 ** 32 - 1 }),
  payload: fc.uint8Array({ maxLength: 200 }),
  previousHash: hash,
});

test('a frame can be read at any offset', () => {
  const writer = new FrameWriter();
  fc.assert(
    fc.property(input, fc.nat({ max: 50 }), ({ previousHash, ...batch }, offset) => {
      const { sequence, time, count, payload } = batch;
      const frame = writer.write(sequence, time, count, payload, previousHash);
      const bytes = new Uint8Array(offset + frame.length + 5);
      bytes.set(frame, offset);
      const sizeBytes = FRAME_OVERHEAD_BYTES + payload.length;
      const expected = { ...batch, hash: frameHash(frame), previousHash, sizeBytes };
      expect(readFrame(bytes, toView(bytes), offset)).toEqual(expected);
      expect(findLaterFrame(bytes, 0, sequence - 1)).toBe(offset);
      expect(findLaterFrame(bytes, 0, sequence)).toBeUndefined();
    }),
  );
});

test('truncated and changed frames are rejected', () => {
  const frame = new FrameWriter().write(5, 6, 7, new Uint8Array(20), new Uint8Array(32)).slice();
  for (let size = 0; size < frame.length; size++) {
    const part = frame.slice(0, size);
    expect(readFrame(part, toView(part), 0)).toBeUndefined();
  }
  for (let bit = 0; bit < frame.length * 8; bit++) {
    const changed = frame.with(bit >> 3, frame[bit >> 3]! ^ (1 << (bit & 7)));
    expect(readFrame(changed, toView(changed), 0)).toBeUndefined();
  }
});

test('the writer grows for a large payload and then writes small ones', () => {
  const writer = new FrameWriter();
  for (const size of [10, 100_000, 10, 3_000_000]) {
    const payload = new Uint8Array(size).fill(size & 0xff);
    const frame = writer.write(1, 2, 3, payload, new Uint8Array(32));
    expect(readFrame(frame, toView(frame), 0)?.payload).toEqual(payload);
  }
});
