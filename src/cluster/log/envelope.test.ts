import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { hashInto } from '../../log/hash.ts';
import {
  decodeEnvelope,
  ENVELOPE_OVERHEAD_BYTES,
  type Envelope,
  EnvelopeError,
  EnvelopeKind,
  encodeEnvelope,
} from './envelope.ts';

const number = fc.maxSafeNat();
const anyEnvelope: fc.Arbitrary<Envelope> = fc.record({
  kind: fc.nat(),
  node: fc.stringMatching(/^[\w-]{1,64}$/),
  incarnation: number,
  counter: number,
  deadline: number,
  clock: number,
  count: fc.nat(),
  applied: fc.record({
    sequence: number,
    hash: fc.uint8Array({ minLength: 32, maxLength: 32 }),
    digest: fc.integer(),
  }),
  payload: fc.uint8Array({ maxLength: 50 }),
});

const example: Envelope = {
  kind: EnvelopeKind.batch,
  node: 'ab',
  incarnation: 2,
  counter: 3,
  deadline: 4,
  clock: 5,
  applied: { sequence: 6, hash: new Uint8Array(32).fill(7), digest: -8 },
  count: 9,
  payload: Uint8Array.of(10, 11),
};

test('an envelope is decoded at any offset in memory', () => {
  fc.assert(
    fc.property(anyEnvelope, fc.nat(9), (envelope, before) => {
      const bytes = encodeEnvelope(envelope);
      const among = new Uint8Array(before + bytes.length + 5);
      among.set(bytes, before);
      const read = decodeEnvelope(among.subarray(before, before + bytes.length));
      expect(read).toEqual(envelope);
    }),
  );
});

test('format 1 has exactly these bytes', () => {
  expect(EnvelopeKind).toEqual({ batch: 1, join: 2 });
  const parts = [
    'f54257fd01000000',
    '0100000009000000',
    '0200000000000000',
    '0300000000000000',
    '0400000000000000',
    '0500000000000000',
    '0600000000000000',
    '07'.repeat(32),
    'f8ffffff',
    '02000000',
    '6162',
    '0a0b',
  ];
  const content = Buffer.from(parts.join(''), 'hex');
  const check = new Uint8Array(32);
  hashInto(check, content);
  expect(Buffer.from(encodeEnvelope(example)).toString('hex')).toBe(
    Buffer.concat([content, check]).toString('hex'),
  );
});

test('a heartbeat of a node with the longest name fits into the declared overhead', () => {
  const bytes = encodeEnvelope({ ...example, node: 'n'.repeat(64), payload: new Uint8Array(0) });
  expect(bytes.length).toBe(ENVELOPE_OVERHEAD_BYTES);
  expect(decodeEnvelope(bytes).payload.length).toBe(0);
});

test('a name longer than the message is rejected, even with a correct check', () => {
  const bytes = encodeEnvelope(example);
  new DataView(bytes.buffer).setUint32(92, 5, true);
  hashInto(bytes.subarray(-32), bytes.subarray(0, -32));
  expect(() => decodeEnvelope(bytes)).toThrow('it is damaged');
});

test('a truncated or damaged envelope is rejected', () => {
  const bytes = encodeEnvelope(example);
  for (let at = 0; at < bytes.length; at++) {
    const damaged = bytes.with(at, bytes[at]! ^ 1);
    for (const each of [bytes.slice(0, at), damaged, damaged.subarray(0, at)]) {
      expect(() => decodeEnvelope(each)).toThrow(EnvelopeError);
    }
  }
});
