import { below, type Random } from './random.ts';
import type { Trace } from './trace.ts';

interface Task {
  readonly owner: object;
  readonly dueMs: number;
  readonly label: string;
  readonly run: () => void;
}

/**
 * Scheduled work, in simulated time. The seed picks the order of work that is due, so that every possible
 * reordering happens in some run.
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

  /** Cancels all work of an owner. */
  forget(owner: object): void {
    let kept = 0;
    for (const task of this.tasks) if (task.owner !== owner) this.tasks[kept++] = task;
    this.tasks.length = kept;
  }

  /** Runs one task, advancing the time if none is due. @returns False if there was none. */
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
