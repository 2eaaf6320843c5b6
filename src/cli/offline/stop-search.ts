import { applyBatch, PoisonedCommandError, type Skips } from '../../archivist/recovery.ts';
import type { ObjectSnapshots } from '../../archivist/snapshots/object-snapshots.ts';
import type { Applied } from '../../cluster/log/clustered-log.ts';
import { StreamState } from '../../cluster/log/stream-state.ts';
import { CommandKind, type Skip } from '../../engine/command.ts';
import { Exchange } from '../../engine/exchange.ts';
import { ByteReader } from '../../engine/numbers/bytes.ts';
import { decodeCommand } from '../../log/codec.ts';
import type { Batch } from '../../log/log.ts';
import { cliError } from './finding.ts';
import type { LogStream } from './log-stream.ts';
import type { Place } from './skipped-command.ts';

/** A batch of a clustered log, its sender, and what the sender had applied. */
type Sent = Batch & { readonly node: string; readonly applied: Applied };

/** Searches a clustered log for a command, for what stops a replay, and for later records of both. */
export class StopSearch {
  /** State of the log at the present position. */
  log = new StreamState();
  /** State before the command that stops the replay. */
  exchange = new Exchange();
  stop: PoisonedCommandError | undefined;
  /** The batch of the command. */
  batch: Batch | undefined;
  /** The record that the command is skipped. */
  record: { readonly sequence: number; readonly reason: string } | undefined;
  /** A node that reported to have applied the batch. */
  private applier: string | undefined;
  private readonly skipped: Skips;

  /** @param marked Commands that nodes skip; the searched one is applied nevertheless. */
  constructor(
    private readonly place: Place,
    marked: Skips,
  ) {
    const own = `${place.sequence} ${place.index}`;
    this.skipped = new Set([...marked].filter((each) => each !== own));
  }

  /** Searches from the newest complete snapshot before the command to the end of the log. */
  async run(stream: LogStream, snapshots: ObjectSnapshots, end: number): Promise<void> {
    const { log, exchange } = await snapshots.newest(this.place.sequence - 1);
    this.log = log;
    this.exchange = exchange;
    if (stream.first > log.sequence + 1) {
      throw cliError(
        'UNSOUND',
        `The log begins at message ${stream.first}, but there is no complete snapshot to start from. No node can start. Restore a backup.`,
      );
    }
    for await (const { batch, envelope } of stream.follow(log, end)) {
      const { node, applied } = envelope;
      this.note({ ...batch, node, applied });
      if (this.stop === undefined) this.apply(batch);
    }
  }

  /** Reads a batch without applying it. */
  note({ node, applied, ...batch }: Sent): void {
    const { sequence, index } = this.place;
    if (batch.sequence === sequence) this.batch = { ...batch, payload: batch.payload.slice() };
    if (applied.sequence >= sequence) this.applier ??= node;
    if (batch.payload[0] !== CommandKind.skip) return;
    const skip = decodeCommand(new ByteReader(batch.payload)) as Skip;
    if (skip.sequence !== sequence || skip.index !== index) return;
    this.record ??= { sequence: batch.sequence, reason: skip.reason };
  }

  private apply(batch: Batch): void {
    try {
      applyBatch(this.exchange, batch, this.skipped);
    } catch (error) {
      if (!(error instanceof PoisonedCommandError)) throw error;
      this.stop = error;
    }
  }

  /** @throws CliError if a node did not stop at the command */
  refuseIfApplied(): void {
    if (this.applier === undefined) return;
    const { sequence, index } = this.place;
    throw cliError(
      'APPLIED',
      `Command ${index} of batch ${sequence} was applied by node ${this.applier} but stops a replay here. ` +
        'That node has damaged memory or runs another release. Nothing was changed.',
    );
  }
}
