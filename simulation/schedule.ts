import { below, type Random } from './random.ts';
import type { Trace } from './trace.ts';

interface Task {
  readonly owner: object;
  readonly dueMs: number;
  readonly label: string;
  readonly run: () => void;
}

/**
 * All that is to happen, in simulated time. Of what is due the seed picks what comes first, so that
 * everything that may overtake something else does so in some run.
 */
export class Schedule {
  /** Milliseconds since the run began. */
  elapsedMs = 0;
  private readonly tasks: Task[] = [];

  constructor(
    private readonly random: Random,
    private readonly trace: Trace,
  ) {}

  /** Runs `run` once, at least `delayMs` from now, unless `owner` is forgotten before. */
  after(owner: object, delayMs: number, label: string, run: () => void): void {
    this.tasks.push({ owner, dueMs: this.elapsedMs + delayMs, label, run });
  }

  /** Nothing that was put off for this owner happens any more. */
  forget(owner: object): void {
    let kept = 0;
    for (const task of this.tasks) if (task.owner !== owner) this.tasks[kept++] = task;
    this.tasks.length = kept;
  }

  /** Does one thing; time passes where nothing is due. @returns Whether there was anything. */
  step(): boolean {
    const { tasks } = this;
    if (tasks.length === 0) return false;
    let earliest = Number.POSITIVE_INFINITY;
    for (const { dueMs } of tasks) earliest = Math.min(earliest, dueMs);
    this.elapsedMs = Math.max(this.elapsedMs, earliest);
    const due: number[] = [];
    for (let place = 0; place < tasks.length; place++) {
      if (tasks[place]!.dueMs <= this.elapsedMs) due.push(place);
    }
    const [task] = tasks.splice(due[below(due.length, this.random)]!, 1);
    this.trace.note(`${this.elapsedMs} ${task!.label}`);
    task!.run();
    return true;
  }
}
