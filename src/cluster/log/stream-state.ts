import { FrameWriter, frameHash, readInteger, writeInteger } from '../../log/frame.ts';
import { equalHashes, GENESIS_HASH, HASH_BYTES } from '../../log/hash.ts';
import type { Batch } from '../../log/log.ts';
import { decodeEnvelope, type Envelope, EnvelopeKind } from './envelope.ts';
import { ClusteredLogError, LogTrimmedError } from './errors.ts';
import type { StoredMessage } from './message-stream.ts';

/** Maximum lead of the log's time over the sender's clock, milliseconds. */
const MAX_CLOCK_LEAD_MS = 1000;
export const TOKEN_BYTES = 16;
const NOTHING = new Uint8Array(0);

/** A node's newest incarnation and the counter of its last batch that counted. */
interface Publisher {
  readonly incarnation: number;
  readonly token: Uint8Array;
  counter: number;
}

/** A message of the log and its effect, the same on every node. */
export interface Interpreted {
  readonly envelope: Envelope;
  /** Has no commands if the message has no effect. */
  readonly batch: Batch;
  /** It was stored after its deadline: it counts, but is not applied. */
  readonly isLate: boolean;
  /** False for a repeat and for a message of an older incarnation, which have no effect. */
  readonly counts: boolean;
}

/**
 * The state of a clustered log: its end, its time, and which messages of each node still count. It depends on the
 * messages alone, so all nodes agree on it, and it is part of every snapshot. docs/cluster-protocol.md explains the rules:
 *
 * - Sequences have no gap. A lower one means that the servers lost acknowledged messages.
 * - Only a node's newest incarnation counts, and only the batch with its next counter: a repeat is applied once.
 * - A batch stored after its deadline is not applied.
 * - Time never goes back, and never exceeds the sender's clock by more than a second.
 */
export class StreamState {
  sequence = 0;
  /** Time of the last batch, milliseconds since 1970. */
  time = 0;
  hash: Uint8Array = GENESIS_HASH;
  /** The highest storage time of any message so far, by the servers' clock. */
  storedAt = 0;
  private readonly publishers = new Map<string, Publisher>();
  private readonly frames = new FrameWriter();

  /**
   * Interprets the next message and advances.
   * @throws ClusteredLogError if it is not the next one or cannot be read
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
    const isApplied = counts && !isLate && envelope.kind === EnvelopeKind.batch;
    const count = isApplied ? envelope.count : 0;
    const payload = isApplied ? envelope.payload : NOTHING;
    this.hash = frameHash(this.frames.write(sequence, this.time, count, payload, this.hash));
    this.sequence = sequence;
    return {
      envelope,
      batch: { sequence, time: this.time, count, payload, hash: this.hash },
      isLate,
      counts,
    };
  }

  /** Returns a node's newest incarnation; 0 if it has never joined. */
  incarnation(node: string): number {
    return this.publishers.get(node)?.incarnation ?? 0;
  }

  /** Returns whether this is the node's newest incarnation and was started with this token. */
  isNewestIncarnation(node: string, incarnation: number, token: Uint8Array): boolean {
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

  /** Returns the state for a snapshot, the inverse of `decode`. */
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

/** Messages between the last one and this one are missing. */
export function purged(first: number, seen: number): LogTrimmedError {
  return new LogTrimmedError(
    `message ${first} came after ${seen}, so the messages between them were purged or lost. ` +
      'Start this node again, so that it starts from a newer snapshot. If that fails too, restore the log.',
  );
}

/** The last message that a node read was purged before the node could compare it with the stored one. */
export function incomparable(sequence: number): LogTrimmedError {
  return new LogTrimmedError(
    `message ${sequence}, the last one that this node read, was purged while the node was disconnected, so the node ` +
      'cannot check that the log is still the same. Start this node again, so that it starts from a newer snapshot.',
  );
}

/** The servers assigned a sequence a second time: acknowledged messages are lost. */
export function rewound(sequence: number, seen: number): ClusteredLogError {
  return new ClusteredLogError(
    `the log is at message ${sequence}, but message ${seen} was received before: its servers have lost messages that they ` +
      'acknowledged. Stop all nodes. Restore the log from a copy that has them, or restore log and database together.',
  );
}

function decode(sequence: number, bytes: Uint8Array): Envelope {
  try {
    const envelope = decodeEnvelope(bytes);
    const isJoin = envelope.kind === EnvelopeKind.join;
    if (isJoin ? envelope.payload.length === TOKEN_BYTES : envelope.kind === EnvelopeKind.batch) {
      return envelope;
    }
    throw new Error('this release does not know its kind. Start a later release');
  } catch (error) {
    throw new ClusteredLogError(`message ${sequence} cannot be read: ${(error as Error).message}.`);
  }
}
