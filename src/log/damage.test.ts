import { beforeAll, describe, expect, test } from 'bun:test';
import { readAll } from '../storage/storage.ts';
import { SimulatedStorage } from '../testing/simulated-storage.ts';
import { contents, DIRECTORY, fill, makePayload, openLog } from '../testing/test-batches.ts';
import { AcknowledgedMarker } from './acknowledged.ts';
import { LogDamagedError, LogFormatError } from './errors.ts';
import { FRAME_OVERHEAD_BYTES, FrameWriter } from './frame.ts';
import type { Batch } from './log.ts';
import { encodeHeader, HEADER_BYTES, segmentName, segmentNames } from './segment.ts';

// Eight batches of equal size, three per segment, damaged in every way.
const COUNT = 8;
const FRAME_BYTES = FRAME_OVERHEAD_BYTES + 20;
const SEGMENT_BYTES = HEADER_BYTES + 3 * FRAME_BYTES;
const NAMES = [segmentName(1), segmentName(4), segmentName(7)];
const LAST_FRAME = { name: NAMES[2]!, offset: HEADER_BYTES + FRAME_BYTES };
const MARKER = `${DIRECTORY}/acknowledged`;

type Damage = (bytes: Uint8Array, offset: number) => Uint8Array;
const FLIPPED_BITS = process.env.DAMAGE_STRIDE_BYTES === '1' ? [0, 1, 2, 3, 4, 5, 6, 7] : [3];

/** The batches that the marker names as acknowledged: all, all but the last, or nothing. */
type MarkerState = 'current' | 'lagging' | 'missing';
const MARKER_STATES: MarkerState[] = ['current', 'lagging', 'missing'];

let original: SimulatedStorage;
let other: SimulatedStorage;
let batches: Batch[];
let laggingMarker: Uint8Array;

beforeAll(async () => {
  [original, other] = [new SimulatedStorage(), new SimulatedStorage()];
  const log = await openLog(original, SEGMENT_BYTES);
  await fill(log, COUNT - 1);
  laggingMarker = readAll(original, MARKER);
  await fill(log, COUNT);
  batches = contents(log);
  await log.close();
  const otherLog = await openLog(other, SEGMENT_BYTES);
  await otherLog.append(1, 1, makePayload(99));
  await fill(otherLog, COUNT);
  await otherLog.close();
});

const path = (name: string) => `${DIRECTORY}/${name}`;

function copyWith(state: MarkerState): SimulatedStorage {
  const storage = original.copy();
  if (state === 'lagging') storage.corrupt(MARKER, () => laggingMarker);
  if (state === 'missing') storage.remove(MARKER);
  return storage;
}

function damaged(state: MarkerState, name: string, damage: (bytes: Uint8Array) => Uint8Array) {
  const storage = copyWith(state);
  storage.corrupt(path(name), damage);
  return storage;
}

/** Opens and reads the whole log. @returns The number of batches, or the damage found. */
async function outcome(storage: SimulatedStorage): Promise<number | LogDamagedError> {
  try {
    const log = await openLog(storage, SEGMENT_BYTES);
    const found = contents(log);
    expect(found).toEqual(batches.slice(0, found.length));
    return found.length;
  } catch (error) {
    if (error instanceof LogDamagedError) return error;
    throw error;
  }
}

async function expectRefused(storage: SimulatedStorage, name?: string, offset?: number) {
  const before = segmentNames(storage, DIRECTORY).map((file) => readAll(storage, path(file)));
  const found = await outcome(storage);
  expect(found).toBeInstanceOf(LogDamagedError);
  const { segment, offset: at, message } = found as LogDamagedError;
  expect(message).toContain(`byte ${at} of ${segment}`);
  if (name !== undefined) expect(segment).toBe(name);
  if (offset !== undefined) expect(at).toBe(offset);
  const after = segmentNames(storage, DIRECTORY).map((file) => readAll(storage, path(file)));
  expect(after).toEqual(before);
}

/** Expects that only the last batch is dropped, its bytes are kept, and the log accepts appends. */
async function expectLastDropped(storage: SimulatedStorage, broken: Uint8Array) {
  expect(await outcome(storage)).toBe(COUNT - 1);
  const kept = storage.list(DIRECTORY).filter((name) => name.endsWith('.broken'));
  expect(kept.map((name) => readAll(storage, path(name)))).toEqual(broken.length ? [broken] : []);
  const log = await openLog(storage, SEGMENT_BYTES);
  await fill(log, COUNT);
  expect(contents(log)).toEqual(batches);
}

/** Returns the offset of the frame that contains a byte, 0 for the header. */
function partStart(offset: number): number {
  if (offset < HEADER_BYTES) return 0;
  return offset - ((offset - HEADER_BYTES) % FRAME_BYTES);
}

const isInLastFrame = (name: string, offset: number) =>
  name === LAST_FRAME.name && offset >= LAST_FRAME.offset;

/** A smaller size leaves bytes after the frame, which no torn write does. */
const isInLastFrameSize = (name: string, offset: number) =>
  isInLastFrame(name, offset) && Math.trunc((offset - LAST_FRAME.offset) / 4) === 2;

async function expectLastDroppedOrRefused(storage: SimulatedStorage) {
  const found = await outcome(storage);
  if (found instanceof LogDamagedError) expect(found.offset).toBe(LAST_FRAME.offset);
  else expect(found).toBe(COUNT - 1);
}

describe.each(MARKER_STATES)('with the marker %s', (state) => {
  const damages: [string, Damage][] = [
    ...FLIPPED_BITS.map((bit): [string, Damage] => [
      `bit ${bit} flipped`,
      (bytes, offset) => bytes.with(offset, bytes[offset]! ^ (1 << bit)),
    ]),
    ['a byte inverted', (bytes, offset) => bytes.with(offset, bytes[offset]! ^ 0xff)],
    ['a byte zeroed', (bytes, offset) => bytes.with(offset, 0)],
    ['twenty bytes zeroed', (bytes, offset) => bytes.fill(0, offset, offset + 20)],
  ];
  test.each(damages)('%s, anywhere: rejected at its place, or a torn end', async (_, damage) => {
    for (const name of NAMES) {
      const bytes = readAll(original, path(name));
      for (let offset = 0; offset < bytes.length; offset++) {
        const after = damage(bytes.slice(), offset);
        if (Buffer.compare(after, bytes) === 0) continue;
        const storage = damaged(state, name, () => after);
        const first = bytes.findIndex((byte, index) => byte !== after[index]);
        if (isInLastFrameSize(name, first) && state !== 'current') {
          await expectLastDroppedOrRefused(storage);
        } else if (isInLastFrame(name, first) && state !== 'current') {
          await expectLastDropped(storage, after.subarray(LAST_FRAME.offset));
        } else {
          await expectRefused(storage, name, partStart(first));
        }
      }
    }
  });

  test('zeros from anywhere to the end of a segment', async () => {
    for (const name of NAMES) {
      const size = readAll(original, path(name)).length;
      for (let offset = 0; offset < size; offset++) {
        const storage = damaged(state, name, (bytes) => bytes.fill(0, offset));
        if (isInLastFrame(name, offset) && state !== 'current') {
          expect(await outcome(storage)).toBe(COUNT - 1);
        } else if (name !== LAST_FRAME.name || state !== 'missing') {
          await expectRefused(storage, name, partStart(offset));
        }
      }
    }
  });
});

describe.each(MARKER_STATES)('with the marker %s', (state) => {
  test('segments truncated anywhere', async () => {
    for (const name of NAMES) {
      const size = readAll(original, path(name)).length;
      for (let cut = 0; cut < size; cut++) {
        const storage = damaged(state, name, (bytes) => bytes.subarray(0, cut));
        if (isInLastFrame(name, cut) && state === 'lagging') {
          const torn = readAll(storage, path(name)).subarray(LAST_FRAME.offset);
          await expectLastDropped(storage, torn);
        } else if (name === LAST_FRAME.name && state === 'missing') {
          // Nothing shows that the cut-off batches existed.
          expect(await outcome(storage)).toBe(cut < LAST_FRAME.offset ? COUNT - 2 : COUNT - 1);
        } else {
          await expectRefused(storage);
        }
      }
    }
  });
});

test.each(MARKER_STATES)('a missing segment, marker %s', async (state) => {
  for (const name of NAMES.slice(0, state === 'missing' ? 2 : 3)) {
    const storage = copyWith(state);
    storage.remove(path(name));
    await expectRefused(storage);
  }
});

test('all segments missing', async () => {
  const storage = copyWith('current');
  for (const name of NAMES) storage.remove(path(name));
  await expectRefused(storage, segmentName(1), 0);
});

describe.each(MARKER_STATES)('frames out of place, marker %s', (state) => {
  const findFrame = (storage: SimulatedStorage, sequence: number) => {
    const start = HEADER_BYTES + ((sequence - 1) % 3) * FRAME_BYTES;
    const name = NAMES[Math.floor((sequence - 1) / 3)]!;
    return { name, start, bytes: readAll(storage, path(name)).slice(start, start + FRAME_BYTES) };
  };
  const put = (storage: SimulatedStorage, at: number, frame: Uint8Array) => {
    const { name, start } = findFrame(original, at);
    storage.corrupt(path(name), (bytes) => {
      bytes.set(frame, start);
      return bytes;
    });
  };

  test('any frame in the place of any other', async () => {
    for (let at = 1; at <= COUNT; at++) {
      for (let from = 1; from <= COUNT; from++) {
        if (from === at) continue;
        const storage = copyWith(state);
        put(storage, at, findFrame(original, from).bytes);
        await expectRefused(storage, findFrame(original, at).name, findFrame(original, at).start);
      }
    }
  });

  test('two frames swapped', async () => {
    for (let one = 1; one <= COUNT; one++) {
      for (let two = one + 1; two <= COUNT; two++) {
        const storage = copyWith(state);
        put(storage, one, findFrame(original, two).bytes);
        put(storage, two, findFrame(original, one).bytes);
        await expectRefused(storage);
      }
    }
  });

  test('the same frame of another log', async () => {
    for (let at = 1; at <= COUNT; at++) {
      const storage = copyWith(state);
      put(storage, at, findFrame(other, at).bytes);
      await expectRefused(storage);
    }
  });

  test('a duplicate frame, at the end and in between', async () => {
    for (let at = 1; at <= COUNT; at++) {
      const { name, start, bytes: frame } = findFrame(original, at);
      const twice = (bytes: Uint8Array) =>
        Uint8Array.from([...bytes.subarray(0, start), ...frame, ...bytes.subarray(start)]);
      await expectRefused(damaged(state, name, twice), name, start + FRAME_BYTES);
    }
  });

  test('a segment of another log, or under another name', async () => {
    for (const name of NAMES) {
      const foreign = readAll(other, path(name));
      if (name !== NAMES[0] || state === 'current') {
        await expectRefused(damaged(state, name, () => foreign));
      }
      const elsewhere = readAll(original, path(NAMES[(NAMES.indexOf(name) + 1) % 3]!));
      const validateBracketPrices = damaged(state, name, () => elsewhere);
      await expectRefused(validateBracketPrices, name, 0);
    }
    const storage = copyWith(state);
    storage.create(path(segmentName(9))).write(readAll(original, path(NAMES[2]!)), 0);
    await expectRefused(storage, segmentName(9), 0);
  });
});

test('another log in place of this one, whichever of the last batches the marker names', async () => {
  for (let sequence = 6; sequence <= COUNT; sequence++) {
    const storage = copyWith('missing');
    const marker = AcknowledgedMarker.open(storage, DIRECTORY);
    marker.write(batches[sequence - 1]!);
    for (const name of NAMES) storage.corrupt(path(name), () => readAll(other, path(name)));
    const offset = sequence === 6 ? 0 : HEADER_BYTES + (sequence - 7) * FRAME_BYTES;
    await expectRefused(storage, NAMES[2]!, offset);
  }
});

test('a damaged marker is ignored', async () => {
  for (let offset = 0; offset < HEADER_BYTES; offset++) {
    const flip = (bytes: Uint8Array) => bytes.with(offset, bytes[offset]! ^ 0x10);
    expect(await outcome(damaged('current', 'acknowledged', flip))).toBe(COUNT);
    const cut = (bytes: Uint8Array) => bytes.subarray(0, offset);
    expect(await outcome(damaged('current', 'acknowledged', cut))).toBe(COUNT);
    const zero = (bytes: Uint8Array) => bytes.fill(0, offset);
    expect(await outcome(damaged('current', 'acknowledged', zero))).toBe(COUNT);
  }
});

describe('a batch that was being written when the machine stopped', () => {
  const next = async (segmentBytes: number) => {
    const storage = original.copy();
    const log = await openLog(storage, segmentBytes);
    await fill(log, COUNT + 2);
    return storage;
  };

  test('is cut off at any length', async () => {
    const whole = readAll(await next(SEGMENT_BYTES), path(LAST_FRAME.name));
    const start = HEADER_BYTES + 2 * FRAME_BYTES;
    for (let end = start; end < whole.length; end++) {
      for (const hole of [0, 10, 50]) {
        const torn = whole.slice(0, end).fill(0, start, Math.min(start + hole, end));
        const storage = damaged('current', LAST_FRAME.name, () => torn);
        expect(await outcome(storage)).toBe(COUNT);
        expect(readAll(storage, path(LAST_FRAME.name)).length).toBe(start);
      }
    }
  });

  test('is cut off with its segment if it was the first batch there', async () => {
    const name = segmentName(COUNT + 2);
    const whole = readAll(await next(SEGMENT_BYTES), path(name));
    for (let end = 0; end < whole.length; end++) {
      const storage = original.copy();
      const log = await openLog(storage, SEGMENT_BYTES);
      await fill(log, COUNT + 1);
      storage.create(path(name)).write(whole.subarray(0, end), 0);
      const reopened = await openLog(storage, SEGMENT_BYTES);
      expect(contents(reopened)).toEqual(contents(log));
      expect(segmentNames(storage, DIRECTORY)).toEqual(NAMES);
      await fill(reopened, COUNT + 2);
      expect(readAll(storage, path(name))).toEqual(whole);
    }
  });

  test('is kept in a separate file each time', async () => {
    const storage = original.copy();
    const grow = (bytes: Uint8Array) => Uint8Array.from([...bytes, 1, 2, 3]);
    const { name, offset } = LAST_FRAME;
    const names = ['', '.2', '.3'].map((copy) => `${name}.${offset + FRAME_BYTES}${copy}.broken`);
    for (let time = 1; time <= 3; time++) {
      storage.corrupt(path(name), grow);
      await openLog(storage, SEGMENT_BYTES);
      const broken = storage.list(DIRECTORY).filter((each) => each.endsWith('.broken'));
      expect(broken.toSorted()).toEqual(names.slice(0, time).toSorted());
    }
  });
});

test('a segment after a gap or after a torn segment is rejected', async () => {
  for (const state of MARKER_STATES) {
    const gap = copyWith(state);
    gap.create(path(segmentName(10))).write(encodeHeader(batches[COUNT - 1]!).subarray(0, 30), 0);
    await expectRefused(gap, segmentName(10), 0);

    const foreign = copyWith(state);
    const position = { sequence: COUNT, hash: batches[0]!.hash };
    foreign.create(path(segmentName(COUNT + 1))).write(encodeHeader(position), 0);
    await expectRefused(foreign, segmentName(COUNT + 1), 0);

    const cut = (bytes: Uint8Array) => bytes.subarray(0, bytes.length - 1);
    const torn = damaged(state, LAST_FRAME.name, cut);
    torn.create(path(segmentName(COUNT + 1))).write(encodeHeader(batches[COUNT - 1]!), 0);
    await expectRefused(torn, LAST_FRAME.name, LAST_FRAME.offset);
  }
});

test('an empty segment followed by another is rejected', async () => {
  const storage = copyWith('current');
  for (const sequence of [COUNT, COUNT + 1]) {
    const header = encodeHeader({ sequence, hash: batches[COUNT - 1]!.hash });
    storage.create(path(segmentName(sequence + 1))).write(header, 0);
  }
  await expectRefused(storage, segmentName(COUNT + 1), HEADER_BYTES);
});

describe('complete data that this log would not write is rejected', () => {
  test('a batch that skips a sequence', async () => {
    const { time, count, payload } = batches[COUNT - 1]!;
    const previousHash = batches[COUNT - 2]!.hash;
    const frame = new FrameWriter().write(COUNT + 1, time, count, payload, previousHash);
    const storage = damaged('missing', LAST_FRAME.name, (bytes) => {
      bytes.set(frame, LAST_FRAME.offset);
      return bytes;
    });
    await expectRefused(storage, LAST_FRAME.name, LAST_FRAME.offset);
  });

  test('a segment that skips a sequence', async () => {
    const storage = copyWith('missing');
    const position = { sequence: COUNT + 1, hash: batches[COUNT - 1]!.hash };
    const { time, count, payload, hash } = { ...batches[0]!, ...position };
    const frame = new FrameWriter().write(COUNT + 2, time, count, payload, hash);
    const bytes = Uint8Array.from([...encodeHeader(position), ...frame]);
    storage.create(path(segmentName(COUNT + 2))).write(bytes, 0);
    await expectRefused(storage, segmentName(COUNT + 2), 0);
  });

  test('a log whose first batch has another previous hash', async () => {
    const storage = damaged('missing', NAMES[0]!, (bytes) => {
      bytes.set(encodeHeader({ sequence: 0, hash: batches[0]!.hash }));
      return bytes;
    });
    await expectRefused(storage, NAMES[0]!, 0);
  });
});

test('a segment of a later format is not changed', async () => {
  const storage = copyWith('missing');
  storage.corrupt(path(NAMES[2]!), (bytes) => {
    new DataView(bytes.buffer).setUint32(4, 2, true);
    Bun.SHA256.hash(bytes.subarray(0, 48), bytes.subarray(48, 80));
    return bytes;
  });
  await expect(openLog(storage)).rejects.toThrow(LogFormatError);
});
