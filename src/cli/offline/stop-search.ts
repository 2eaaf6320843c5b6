import { applyBatch, PoisonedCommandError, type Skips } from '../../archivist/recovery.ts';
import type { ObjectSnapshots } from '../../archivist/snapshots/object-snapshots.ts';
import type { Applied } from '../../cluster/log/envelope.ts';
import { StreamState } from '../../cluster/log/stream-state.ts';
import { CommandKind, type Skip } from '../../engine/command.ts';
import { Exchange } from '../../engine/exchange.ts';
import { ByteReader } from '../../engine/numbers/bytes.ts';
import { decodeCommand } from '../../log/codec.ts';
import type { Batch } from '../../log/log.ts';
import { refusal } from './finding.ts';
import type { LogStream } from './log-stream.ts';
import type { Place } from './skipped-command.ts';

/** A batch of the log of many nodes, who sent it, and what that one had applied. */
type Sent = Batch & { readonly node: string; readonly applied: Applied };

/** Looks in the log of many nodes for a command, what stops a replay, and what is said of either behind them. */
export class StopSearch {
  /** What the log has come to where the search is. */
  log = new StreamState();
  /** As it is before the command that stops it. */
  exchange = new Exchange();
  stop: PoisonedCommandError | undefined;
  /** The batch that is looked for. */
  batch: Batch | undefined;
  /** The batch that says that the command is passed over, and why. */
  record: { readonly sequence: number; readonly reason: string } | undefined;
  /** A node that says that it has applied the batch. */
  private applier: string | undefined;
  private readonly skipped: Skips;

  /** @param marked Commands that nodes pass over: the one that is looked for is applied all the same. */
  constructor(
    private readonly place: Place,
    marked: Skips,
  ) {
    const own = `${place.sequence} ${place.index}`;
    this.skipped = new Set([...marked].filter((each) => each !== own));
  }

  /** Searches from the newest snapshot that is whole, all of which are older than the command, to the end of the log. */
  async run(stream: LogStream, snapshots: ObjectSnapshots, end: number): Promise<void> {
    const { log, exchange } = await snapshots.newest(this.place.sequence - 1);
    this.log = log;
    this.exchange = exchange;
    if (stream.first > log.sequence + 1) {
      throw refusal(
        'UNSOUND',
        `The log begins at message ${stream.first}, and no whole snapshot is there to begin from: no node can start. Restore a backup.`,
      );
    }
    for await (const { batch, envelope } of stream.follow(log, end)) {
      const { node, applied } = envelope;
      this.note({ ...batch, node, applied });
      if (this.stop === undefined) this.apply(batch);
    }
  }

  /** Looks at a batch without applying it. */
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

  /** @throws CliError where a node did not stop at the command. */
  refuseIfApplied(): void {
    if (this.applier === undefined) return;
    const { sequence, index } = this.place;
    throw refusal(
      'APPLIED',
      `Command ${index} of batch ${sequence} was applied by node ${this.applier}, which went on behind it, and stops a replay here: ` +
        'that node is damaged (memory?) or of another release. Nothing was changed.',
    );
  }
}
