import { decodeEnvelope, type Envelope, EnvelopeKind } from '../../src/cluster/log/envelope.ts';
import type { StoredMessage } from '../../src/cluster/log/message-stream.ts';
import { type Command, CommandKind } from '../../src/engine/command.ts';
import { ByteReader } from '../../src/engine/numbers/bytes.ts';
import { decodeCommand } from '../../src/log/codec.ts';

/** The meaning of a message of the stream, by a naive implementation of the rules of the clustered log. */
export interface OrderedMessage {
  readonly sequence: number;
  readonly envelope: Envelope;
  readonly kind: 'join' | 'batch' | 'late' | 'repeated' | 'fenced' | 'rejected join';
  /** Log time after the message. */
  readonly time: number;
  /** All its commands, whether they are to be applied or not. */
  readonly commands: readonly Command[];
}

interface Owner {
  readonly incarnation: number;
  /** Counters of the batches received. */
  readonly counters: Set<number>;
}

/** Reads a stream from its first message, independently of the nodes' code. */
export class OrderedLog {
  private readonly owners = new Map<string, Owner>();
  private newestStoredAt = 0;
  private time = 0;

  read({ sequence, storedAt, bytes }: StoredMessage): OrderedMessage {
    const envelope = decodeEnvelope(bytes);
    this.newestStoredAt = Math.max(this.newestStoredAt, storedAt);
    const kind = this.classify(envelope);
    if (kind === 'join' || kind === 'batch') {
      const latest = Math.min(this.newestStoredAt, envelope.clock + 1000);
      this.time = Math.max(this.time, latest);
    }
    const reader = new ByteReader(envelope.payload);
    const count = envelope.kind === EnvelopeKind.batch ? envelope.count : 0;
    const commands = Array.from({ length: count }, () => decodeCommand(reader));
    return { sequence, envelope, kind, time: this.time, commands };
  }

  private classify({
    kind,
    node,
    incarnation,
    counter,
    deadline,
  }: Envelope): OrderedMessage['kind'] {
    const owner = this.owners.get(node);
    const isLate = this.newestStoredAt > deadline;
    if (kind === EnvelopeKind.join) {
      if (owner !== undefined && incarnation <= owner.incarnation) return 'rejected join';
      this.owners.set(node, { incarnation, counters: new Set([0]) });
      return isLate ? 'late' : 'join';
    }
    if (incarnation !== owner?.incarnation) return 'fenced';
    // Counters are consecutive: an earlier one is a repetition.
    if (owner.counters.has(counter) || !owner.counters.has(counter - 1)) return 'repeated';
    owner.counters.add(counter);
    return isLate ? 'late' : 'batch';
  }
}

/** Whether the commands set up an exchange. */
export function isSetup(commands: readonly Command[]): boolean {
  return commands.length > 1 && commands[0]!.kind === CommandKind.open;
}
