import { CommandKind } from '../engine/command.ts';
import type { Outcome } from '../engine/event.ts';
import { Counter, DURATION_BOUNDS_SECONDS, Histogram, labels } from '../monitoring/metrics.ts';

/** Room for kinds to come. */
const KINDS = 256;
const ACCEPTED = 0;
const REJECTED = 1;

/** What a replica does, counted. There is one batch of its own on its way to the log at a time. */
export class ReplicaMetrics {
  private readonly commands: Counter;
  private readonly batches = new Histogram(
    'buttonwood_batch_commands',
    'Commands of each batch that this node sent to the log.',
    [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 4096],
  );
  private readonly appends = new Histogram(
    'buttonwood_append_duration_seconds',
    'From sending a batch to the log until it is durable and has come back.',
    DURATION_BOUNDS_SECONDS,
  );
  private readonly applies = new Histogram(
    'buttonwood_apply_duration_seconds',
    'Applying a batch of the log, and answering those who wait for it.',
    DURATION_BOUNDS_SECONDS,
  );
  private sentAt = 0;
  private applyingSince = 0;

  constructor() {
    const names: string[] = [];
    for (const [name, kind] of Object.entries(CommandKind)) names[kind] = name;
    this.commands = new Counter(
      'buttonwood_commands_total',
      'Commands that came in at this node and were applied, by kind and outcome.',
      Array.from({ length: KINDS }, (_, kind) =>
        ['accepted', 'rejected'].map((outcome) =>
          labels({ kind: names[kind] ?? `${kind}`, outcome }),
        ),
      ).flat(),
    );
  }

  get all() {
    return [this.commands, this.batches, this.appends, this.applies];
  }

  sending(commands: number): void {
    this.batches.note(commands);
    this.sentAt = performance.now();
  }

  durable(): void {
    this.appends.note((performance.now() - this.sentAt) / 1000);
  }

  applying(): void {
    this.applyingSince = performance.now();
  }

  command(kind: number, { kind: outcome }: Outcome): void {
    this.commands.add(2 * kind + (outcome === 'rejected' ? REJECTED : ACCEPTED));
  }

  applied(): void {
    this.applies.note((performance.now() - this.applyingSince) / 1000);
  }
}
