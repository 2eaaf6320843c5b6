import { decodeEnvelope, type Envelope, EnvelopeKind } from '../../src/cluster/log/envelope.ts';
import type { StoredMessage } from '../../src/cluster/log/message-stream.ts';
import { type Command, CommandKind } from '../../src/engine/command.ts';
import { ByteReader } from '../../src/engine/numbers/bytes.ts';
import { decodeCommand } from '../../src/log/codec.ts';

/** What a message of the stream comes to, by the rules of DESIGN, section 5, as anyone would first write them down. */
export interface Reading {
  readonly sequence: number;
  readonly envelope: Envelope;
  readonly kind: 'join' | 'batch' | 'late' | 'repeated' | 'fenced' | 'join in vain';
  /** Log time after it. */
  readonly time: number;
  /** All that it holds, whether they are to be applied or not. */
  readonly commands: readonly Command[];
}

interface Owner {
  readonly incarnation: number;
  /** Counters of its batches that have come. */
  readonly counters: Set<number>;
}

/** Reads a stream from its first message on, and knows nothing of how the nodes read it. */
export class OrderedLog {
  private readonly owners = new Map<string, Owner>();
  private newestStoredAt = 0;
  private time = 0;

  read({ sequence, storedAt, bytes }: StoredMessage): Reading {
    const envelope = decodeEnvelope(bytes);
    this.newestStoredAt = Math.max(this.newestStoredAt, storedAt);
    const kind = this.kindOf(envelope);
    if (kind === 'join' || kind === 'batch') {
      const latest = Math.min(this.newestStoredAt, envelope.clock + 1000);
      this.time = Math.max(this.time, latest);
    }
    const reader = new ByteReader(envelope.payload);
    const count = envelope.kind === EnvelopeKind.batch ? envelope.count : 0;
    const commands = Array.from({ length: count }, () => decodeCommand(reader));
    return { sequence, envelope, kind, time: this.time, commands };
  }

  private kindOf({ kind, node, incarnation, counter, deadline }: Envelope): Reading['kind'] {
    const owner = this.owners.get(node);
    const isLate = this.newestStoredAt > deadline;
    if (kind === EnvelopeKind.join) {
      if (owner !== undefined && incarnation <= owner.incarnation) return 'join in vain';
      this.owners.set(node, { incarnation, counters: new Set([0]) });
      return isLate ? 'late' : 'join';
    }
    if (incarnation !== owner?.incarnation) return 'fenced';
    // One behind the other: what would come before the last one was never sent, or comes again.
    if (owner.counters.has(counter) || !owner.counters.has(counter - 1)) return 'repeated';
    owner.counters.add(counter);
    return isLate ? 'late' : 'batch';
  }
}

/** Whether it begins an exchange. */
export function isBeginning(commands: readonly Command[]): boolean {
  return commands.length > 1 && commands[0]!.kind === CommandKind.open;
}
