import { CommandKind } from '../engine/command.ts';
import type { Outcome } from '../engine/event.ts';
import { Counter, DURATION_BOUNDS_SECONDS, Histogram, labels } from '../monitoring/metrics.ts';

/** Leaves space for future kinds. */
const KINDS = 256;
const ACCEPTED = 0;
const REJECTED = 1;

/** Metrics of a replica, which has one batch of its own in flight at a time. */
export class ReplicaMetrics {
  private readonly commands: Counter;
  private readonly batches = new Histogram(
    'buttonwood_batch_commands',
    'Commands of each batch that this node sent to the log.',
    [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 4096],
  );
  private readonly appends = new Histogram(
    'buttonwood_append_duration_seconds',
    'Time from sending a batch to the log until it is durable and received.',
    DURATION_BOUNDS_SECONDS,
  );
  private readonly applies = new Histogram(
    'buttonwood_apply_duration_seconds',
    'Time for applying a batch and replying to its callers.',
    DURATION_BOUNDS_SECONDS,
  );
  private sentAt = 0;
  private applyingSince = 0;

  constructor() {
    const names: string[] = [];
    for (const [name, kind] of Object.entries(CommandKind)) names[kind] = name;
    this.commands = new Counter(
      'buttonwood_commands_total',
      'Commands submitted to this node and applied, by kind and outcome.',
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
