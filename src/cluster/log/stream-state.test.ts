import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { makePayload } from '../../testing/test-batches.ts';
import { type Envelope, EnvelopeKind, encodeEnvelope, NOTHING_APPLIED } from './envelope.ts';
import { ClusteredLogError } from './errors.ts';
import { StreamState, TOKEN_BYTES } from './stream-state.ts';

const LATER = Number.MAX_SAFE_INTEGER;

function message(fields: Partial<Envelope>): Uint8Array {
  return encodeEnvelope({
    kind: EnvelopeKind.batch,
    node: 'a',
    incarnation: 1,
    counter: 1,
    deadline: LATER,
    clock: 1000,
    applied: NOTHING_APPLIED,
    count: 1,
    payload: makePayload(1),
    ...fields,
  });
}

function join(node: string, incarnation: number, token = 1): Uint8Array {
  const payload = new Uint8Array(TOKEN_BYTES).fill(token);
  return message({ kind: EnvelopeKind.join, node, incarnation, counter: 0, count: 0, payload });
}

const stored = (sequence: number, storedAt: number, bytes: Uint8Array) => ({
  sequence,
  storedAt,
  bytes,
});

/** A state after these messages, all stored at time 1000. */
function after(...messages: Uint8Array[]): StreamState {
  const state = new StreamState();
  for (const [index, bytes] of messages.entries()) state.take(stored(index + 1, 1000, bytes));
  return state;
}

test('a batch of a node that has joined counts once', () => {
  const state = after(join('a', 1));
  expect(state.take(stored(2, 1000, message({}))).batch.count).toBe(1);
  expect(state.take(stored(3, 1000, message({}))).batch).toMatchObject({ count: 0, sequence: 3 });
  expect(state.take(stored(4, 1000, message({ counter: 2 }))).batch.payload).toEqual(
    makePayload(1),
  );
});

test('a batch that skips a counter, or whose node never joined or was fenced, has no effect', () => {
  const state = after(join('a', 1), join('b', 1), join('a', 2));
  const nothing = [
    message({ incarnation: 1 }),
    message({ incarnation: 2, counter: 2 }),
    message({ incarnation: 3 }),
    message({ node: 'c' }),
  ];
  for (const bytes of nothing) {
    const taken = state.take(stored(state.sequence + 1, 1000, bytes));
    expect(taken).toMatchObject({ counts: false, isLate: false, batch: { count: 0 } });
    expect(taken.batch.payload.length).toBe(0);
  }
  expect(
    state.take(stored(state.sequence + 1, 1000, message({ incarnation: 2 }))).batch.count,
  ).toBe(1);
  expect(state.take(stored(state.sequence + 1, 1000, message({ node: 'b' }))).batch.count).toBe(1);
});

test('a late join of an older incarnation fences no process, and a token distinguishes two of one number', () => {
  const state = after(join('a', 2, 7), join('a', 1), join('a', 2, 8));
  expect(state.incarnation('a')).toBe(2);
  expect(state.isNewestIncarnation('a', 2, new Uint8Array(TOKEN_BYTES).fill(7))).toBe(true);
  expect(state.isNewestIncarnation('a', 2, new Uint8Array(TOKEN_BYTES).fill(8))).toBe(false);
});

test('a batch past its deadline is not applied and counts', () => {
  const state = after(join('a', 1));
  const late = state.take(stored(2, 2001, message({ deadline: 2000 })));
  expect(late).toMatchObject({ isLate: true, counts: true, batch: { count: 0 } });
  // A server with an earlier clock does not revive it.
  expect(state.take(stored(3, 1500, message({ deadline: 2000, counter: 2 }))).isLate).toBe(true);
  expect(state.take(stored(4, 2001, message({ deadline: 2001, counter: 3 }))).batch.count).toBe(1);
});

test('time never goes back, and one clock advances it by at most a second', () => {
  const hour = 3_600_000;
  const state = after(join('a', 1));
  const interpretTime = (counter: number, storedAt: number, clock: number) =>
    state.take(stored(state.sequence + 1, storedAt, message({ counter, clock }))).batch.time;
  expect(interpretTime(1, 5000, 5000 + hour)).toBe(5000);
  expect(interpretTime(2, 5000 + hour, 6000)).toBe(7000);
  expect(interpretTime(3, 5000 + hour, 100)).toBe(7000);
  expect(interpretTime(4, 1, 9000)).toBe(10_000);
});

test('a lower sequence is a loss, a higher one a gap', () => {
  const state = after(join('a', 1), message({}));
  expect(() => state.take(stored(2, 1000, message({})))).toThrow(
    'have lost messages that they acknowledged',
  );
  expect(() => state.take(stored(4, 1000, message({})))).toThrow(
    'the messages between them were purged or lost',
  );
});

test('a message that this release cannot read is rejected with its sequence', () => {
  const state = new StreamState();
  const newer = message({});
  new DataView(newer.buffer).setUint32(4, 9, true);
  expect(() => state.take(stored(1, 1, newer))).toThrow(
    'message 1 cannot be read: it has format 9',
  );
  expect(() => state.take(stored(1, 1, Buffer.from('hello')))).toThrow(ClusteredLogError);
  expect(() => state.take(stored(1, 1, message({ kind: 3 })))).toThrow('Start a later release');
  const whole = message({});
  for (let at = 0; at < whole.length; at++) {
    const damaged = whole.slice();
    damaged[at] = damaged[at]! ^ 1;
    expect(() => state.take(stored(1, 1, damaged))).toThrow(ClusteredLogError);
    expect(() => state.take(stored(1, 1, whole.slice(0, at)))).toThrow(ClusteredLogError);
  }
});

test('the state in a snapshot has exactly these bytes', () => {
  const state = after(
    join('node-2', 3, 4),
    message({ node: 'node-2', incarnation: 3 }),
    join('a', 5),
  );
  const hash = Buffer.from(state.hash).toString('hex');
  const parts = [
    '0300000000000000',
    'e803000000000000',
    'e803000000000000',
    hash,
    '02000000',
    '01000000',
    '61',
    '0500000000000000',
    '0000000000000000',
    '10000000',
    '01'.repeat(16),
    '06000000',
    '6e6f64652d32',
    '0300000000000000',
    '0100000000000000',
    '10000000',
    '04'.repeat(16),
  ];
  const bytes = Buffer.from(parts.join(''), 'hex');
  expect(Buffer.from(state.encode()).toString('hex')).toBe(bytes.toString('hex'));
  const again = StreamState.decode(Uint8Array.from([0, ...bytes]).subarray(1));
  expect(Buffer.from(again.encode()).toString('hex')).toBe(bytes.toString('hex'));
  expect(again.isNewestIncarnation('node-2', 3, new Uint8Array(TOKEN_BYTES).fill(4))).toBe(true);
});

const anyMessage = fc
  .record({
    kind: fc.constantFrom(EnvelopeKind.batch, EnvelopeKind.join),
    node: fc.constantFrom('a', 'b', 'node-3'),
    incarnation: fc.integer({ min: 1, max: 3 }),
    counter: fc.integer({ min: 0, max: 4 }),
    deadline: fc.integer({ min: 0, max: 100 }),
    clock: fc.integer({ min: 0, max: 3000 }),
    byte: fc.nat(255),
  })
  .map(({ byte, ...fields }) => ({ ...fields, payload: new Uint8Array(TOKEN_BYTES).fill(byte) }));

test('a snapshot and the messages after it give the same state as all messages', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(anyMessage, fc.nat(100))), fc.nat(), (messages, point) => {
      const whole = new StreamState();
      let other = new StreamState();
      for (const [index, [fields, storedAt]] of messages.entries()) {
        if (index === point % messages.length) other = StreamState.decode(whole.encode());
        const bytes = message(fields);
        const taken = whole.take(stored(index + 1, storedAt, bytes));
        if (index >= point % messages.length) {
          expect(other.take(stored(index + 1, storedAt, bytes))).toEqual(taken);
        }
      }
      if (messages.length > 0) expect(other.encode()).toEqual(whole.encode());
    }),
  );
});
