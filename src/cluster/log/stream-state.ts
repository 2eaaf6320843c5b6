import { FrameWriter, frameHash, readInteger, writeInteger } from '../../log/frame.ts';
import { equalHashes, GENESIS_HASH, HASH_BYTES } from '../../log/hash.ts';
import type { Batch } from '../../log/log.ts';
import { decodeEnvelope, type Envelope, EnvelopeKind } from './envelope.ts';
import { ClusteredLogError, LogTrimmedError } from './errors.ts';
import type { StoredMessage } from './message-stream.ts';

/** One clock that is ahead can move time by no more than this. */
const MAX_CLOCK_LEAD_MS = 1000;
export const TOKEN_BYTES = 16;
const NOTHING = new Uint8Array(0);

/** The newest incarnation of a node, and its last batch that counted. */
interface Publisher {
  readonly incarnation: number;
  readonly token: Uint8Array;
  counter: number;
}

/** A message of the log, and what it comes to: the same on every node. */
export interface Interpreted {
  readonly envelope: Envelope;
  /** Without commands where the message does nothing. */
  readonly batch: Batch;
  /** It came after its deadline: it counts, and does nothing. */
  readonly isLate: boolean;
  /** False for what was sent twice, or by an incarnation that is not its node's newest: it does nothing. */
  readonly counts: boolean;
}

/**
 * What a log of many publishers has come to: where it ends, what its time is, and which messages of
 * which node still count. It follows from the messages alone, so that all nodes agree on it, and is
 * part of every snapshot. The rules are those of DESIGN, section 5:
 *
 * - Sequences have no gap: a lower one means that the servers lost what they had acknowledged.
 * - Of a node only its newest incarnation counts, and of that only the batch after the last one: what is
 *   sent twice is applied once.
 * - A batch that the servers stored after its deadline does nothing.
 * - Time never goes back, and goes no further than a second beyond the clock of whoever sent the batch.
 */
export class StreamState {
  sequence = 0;
  /** Of the last batch, milliseconds since 1970. */
  time = 0;
  hash: Uint8Array = GENESIS_HASH;
  /** The servers' time of the last message, as far as it never went back. */
  storedAt = 0;
  private readonly publishers = new Map<string, Publisher>();
  private readonly frames = new FrameWriter();

  /**
   * Takes the next message.
   * @throws ClusteredLogError where it cannot be the next one, or cannot be read
   */
  take({ sequence, storedAt, bytes }: StoredMessage): Interpreted {
    const next = this.sequence + 1;
    if (sequence < next) throw rewound(sequence, this.sequence);
    if (sequence > next) throw purged(sequence, this.sequence);
    const envelope = decode(sequence, bytes);
    this.storedAt = Math.max(this.storedAt, storedAt);
    const counts = this.count(envelope);
    const isLate = counts && this.storedAt > envelope.deadline;
    if (counts && !isLate) {
      this.time = Math.max(this.time, Math.min(this.storedAt, envelope.clock + MAX_CLOCK_LEAD_MS));
    }
    const does = counts && !isLate && envelope.kind === EnvelopeKind.batch;
    const count = does ? envelope.count : 0;
    const payload = does ? envelope.payload : NOTHING;
    this.hash = frameHash(this.frames.write(sequence, this.time, count, payload, this.hash));
    this.sequence = sequence;
    return {
      envelope,
      batch: { sequence, time: this.time, count, payload, hash: this.hash },
      isLate,
      counts,
    };
  }

  /** The newest incarnation of a node; 0 where it has never joined. */
  incarnationOf(node: string): number {
    return this.publishers.get(node)?.incarnation ?? 0;
  }

  /** Whether that incarnation of a node is its newest one, begun with that token. */
  isOf(node: string, incarnation: number, token: Uint8Array): boolean {
    const publisher = this.publishers.get(node);
    return publisher?.incarnation === incarnation && equalHashes(publisher.token, token);
  }

  private count({ kind, node, incarnation, counter, payload }: Envelope): boolean {
    const publisher = this.publishers.get(node);
    if (kind === EnvelopeKind.join) {
      if (incarnation <= (publisher?.incarnation ?? 0)) return false;
      this.publishers.set(node, { incarnation, token: payload.slice(), counter: 0 });
      return true;
    }
    if (publisher?.incarnation !== incarnation || counter !== publisher.counter + 1) return false;
    publisher.counter = counter;
    return true;
  }

  /** For a snapshot: `decode` gives the same again. */
  encode(): Uint8Array {
    const names = [...this.publishers.keys()].sort();
    const sizes = names.map((name) => 4 + name.length + 16 + 4 + TOKEN_BYTES);
    const bytes = new Uint8Array(HEADER_BYTES + sizes.reduce((sum, size) => sum + size, 0));
    const view = new DataView(bytes.buffer);
    writeInteger(view, 0, this.sequence);
    writeInteger(view, 8, this.time);
    writeInteger(view, 16, this.storedAt);
    bytes.set(this.hash, 24);
    view.setUint32(56, names.length, true);
    let offset = HEADER_BYTES;
    for (const name of names) {
      const { incarnation, counter, token } = this.publishers.get(name)!;
      view.setUint32(offset, name.length, true);
      bytes.set(Buffer.from(name, 'ascii'), offset + 4);
      offset += 4 + name.length;
      writeInteger(view, offset, incarnation);
      writeInteger(view, offset + 8, counter);
      view.setUint32(offset + 16, token.length, true);
      bytes.set(token, offset + 20);
      offset += 20 + TOKEN_BYTES;
    }
    return bytes;
  }

  static decode(bytes: Uint8Array): StreamState {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    const state = new StreamState();
    state.sequence = readInteger(view, 0);
    state.time = readInteger(view, 8);
    state.storedAt = readInteger(view, 16);
    state.hash = bytes.slice(24, 24 + HASH_BYTES);
    let offset = HEADER_BYTES;
    for (let left = view.getUint32(56, true); left > 0; left--) {
      const nameBytes = view.getUint32(offset, true);
      const name = Buffer.from(bytes.subarray(offset + 4, offset + 4 + nameBytes)).toString(
        'ascii',
      );
      offset += 4 + nameBytes;
      const tokenBytes = view.getUint32(offset + 16, true);
      state.publishers.set(name, {
        incarnation: readInteger(view, offset),
        counter: readInteger(view, offset + 8),
        token: bytes.slice(offset + 20, offset + 20 + tokenBytes),
      });
      offset += 20 + TOKEN_BYTES;
    }
    return state;
  }
}

const HEADER_BYTES = 60;

/** What should follow on a message is not there. */
export function purged(first: number, seen: number): LogTrimmedError {
  return new LogTrimmedError(
    `message ${first} came after ${seen}: what was between them is lost or was purged. ` +
      'Start this node again, so that it begins from a newer snapshot. If that fails too, restore the log.',
  );
}

/** The last message that a node read was purged before the node could compare it with what the servers hold. */
export function incomparable(sequence: number): LogTrimmedError {
  return new LogTrimmedError(
    `message ${sequence}, the last one that this node read, was purged while the node was disconnected, so the node ` +
      'cannot check that the log is still the same. Start this node again, so that it begins from a newer snapshot.',
  );
}

/** The servers number a message anew that they had acknowledged before: something acknowledged is lost. */
export function rewound(sequence: number, seen: number): ClusteredLogError {
  return new ClusteredLogError(
    `the log stands at message ${sequence}, but message ${seen} was seen before: its servers have lost what they ` +
      'acknowledged. Stop all nodes. Restore the log from a copy that holds it, or restore log and database together.',
  );
}

function decode(sequence: number, bytes: Uint8Array): Envelope {
  try {
    const envelope = decodeEnvelope(bytes);
    const isJoin = envelope.kind === EnvelopeKind.join;
    if (isJoin ? envelope.payload.length === TOKEN_BYTES : envelope.kind === EnvelopeKind.batch) {
      return envelope;
    }
    throw new Error('it is of a kind that this release does not know: start a later one');
  } catch (error) {
    throw new ClusteredLogError(`message ${sequence} cannot be read: ${(error as Error).message}.`);
  }
}
