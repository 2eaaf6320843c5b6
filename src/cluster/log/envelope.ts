import { readInteger, writeInteger } from '../../log/frame.ts';
import { equalHashes, GENESIS_HASH, HASH_BYTES, hashInto } from '../../log/hash.ts';

// The format of a message in the clustered log; integers are little-endian:
//
//    0  magic             4 bytes
//    4  format version    u32
//    8  kind              u32
//   12  count             u32, commands in the payload
//   16  incarnation       u64, of the node
//   24  counter           u64, of the incarnation's batches: 1 for its first
//   32  deadline          u64, servers' time in milliseconds after which the batch is not applied
//   40  clock             u64, the node's own, milliseconds since 1970
//   48  applied sequence  u64, the last batch that the node had applied
//   56  applied hash      32 bytes, of that batch
//   88  applied digest    i32, of the state after it
//   92  name bytes        u32
//   96  node              its name, ASCII
//       payload
//  end  check             SHA-256 of all of the above

const MAGIC_NUMBER = 0xfd5742f5;
export const ENVELOPE_VERSION = 1;
const NAME_OFFSET = 96;
/** Maximum bytes of an envelope without its payload. */
export const ENVELOPE_OVERHEAD_BYTES = NAME_OFFSET + 64 + HASH_BYTES;

export const EnvelopeKind = {
  /** Commands, or none: a heartbeat. */
  batch: 1,
  /** The start of a node's new incarnation; batches of older ones no longer count. The payload is its token. */
  join: 2,
} as const;

/** The last batch that a node had applied when it sent a message. It must be equal on all nodes; otherwise one of them is damaged. */
export interface Applied {
  readonly sequence: number;
  readonly hash: Uint8Array;
  readonly digest: number;
}

/** Sent by a node that has just started or applies nothing. */
export const NOTHING_APPLIED: Applied = { sequence: 0, hash: GENESIS_HASH, digest: 0 };

export interface Envelope {
  readonly kind: number;
  readonly node: string;
  readonly incarnation: number;
  readonly counter: number;
  readonly deadline: number;
  readonly clock: number;
  readonly applied: Applied;
  readonly count: number;
  readonly payload: Uint8Array;
}

/** A message that this release cannot read. */
export class EnvelopeError extends Error {
  override readonly name = 'EnvelopeError';
}

export function encodeEnvelope(envelope: Envelope): Uint8Array {
  const name = Buffer.from(envelope.node, 'ascii');
  const payloadOffset = NAME_OFFSET + name.length;
  const checkOffset = payloadOffset + envelope.payload.length;
  const bytes = new Uint8Array(checkOffset + HASH_BYTES);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, MAGIC_NUMBER, true);
  view.setUint32(4, ENVELOPE_VERSION, true);
  view.setUint32(8, envelope.kind, true);
  view.setUint32(12, envelope.count, true);
  writeInteger(view, 16, envelope.incarnation);
  writeInteger(view, 24, envelope.counter);
  writeInteger(view, 32, envelope.deadline);
  writeInteger(view, 40, envelope.clock);
  writeInteger(view, 48, envelope.applied.sequence);
  bytes.set(envelope.applied.hash, 56);
  view.setInt32(88, envelope.applied.digest, true);
  view.setUint32(92, name.length, true);
  bytes.set(name, NAME_OFFSET);
  bytes.set(envelope.payload, payloadOffset);
  hashInto(bytes.subarray(checkOffset), bytes.subarray(0, checkOffset));
  return bytes;
}

/**
 * Reads a message; its payload is a view of `bytes`.
 * @throws EnvelopeError if it is damaged, foreign, or of a later release
 */
export function decodeEnvelope(bytes: Uint8Array): Envelope {
  if (bytes.length < NAME_OFFSET + HASH_BYTES) throw new EnvelopeError('it is too short');
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  if (view.getUint32(0, true) !== MAGIC_NUMBER) {
    throw new EnvelopeError('it was not written by Buttonwood');
  }
  const version = view.getUint32(4, true);
  if (version !== ENVELOPE_VERSION) {
    throw new EnvelopeError(
      `it has format ${version}, and this release reads format ${ENVELOPE_VERSION}. Start the release that wrote it, or a later one`,
    );
  }
  const checkOffset = bytes.length - HASH_BYTES;
  const check = new Uint8Array(HASH_BYTES);
  hashInto(check, bytes.subarray(0, checkOffset));
  const payloadOffset = NAME_OFFSET + view.getUint32(92, true);
  if (!equalHashes(check, bytes.subarray(checkOffset)) || payloadOffset > checkOffset) {
    throw new EnvelopeError('it is damaged');
  }
  return {
    kind: view.getUint32(8, true),
    count: view.getUint32(12, true),
    incarnation: readInteger(view, 16),
    counter: readInteger(view, 24),
    deadline: readInteger(view, 32),
    clock: readInteger(view, 40),
    applied: {
      sequence: readInteger(view, 48),
      hash: bytes.subarray(56, 56 + HASH_BYTES),
      digest: view.getInt32(88, true),
    },
    node: Buffer.from(
      bytes.buffer,
      bytes.byteOffset + NAME_OFFSET,
      payloadOffset - NAME_OFFSET,
    ).toString('ascii'),
    payload: bytes.subarray(payloadOffset, checkOffset),
  };
}
