/** Work of a sandbox that happens at times of its clock, such as the turns of its market makers. */
export interface TimedTask {
  /** When it runs next, milliseconds since 1970; Infinity for never. Must advance with each run. */
  readonly nextAt: number;
  /** Whether it usually changes nothing, like the renewal of connections. */
  readonly isHousekeeping?: true;
  /**
   * Runs it. Commands are submitted before it returns, so that those of one time are one batch.
   * @param time Milliseconds since 1970; not before `nextAt`.
   */
  run(time: number): void;
}

/** The timed tasks of a sandbox, in the order in which they were added. */
export class Timeline {
  private readonly tasks: TimedTask[] = [];

  /** @returns a function that removes the task */
  add(task: TimedTask): () => void {
    this.tasks.push(task);
    return () => {
      const at = this.tasks.indexOf(task);
      if (at >= 0) this.tasks.splice(at, 1);
    };
  }

  /** When the next task runs, milliseconds since 1970; Infinity if none does. */
  get nextAt(): number {
    return findNext(this.tasks);
  }

  /** When the next task runs that is no housekeeping. */
  get nextEventAt(): number {
    return findNext(this.tasks.filter(({ isHousekeeping }) => isHousekeeping !== true));
  }

  /** Runs once each task that is due. */
  run(time: number): void {
    for (const task of [...this.tasks]) if (task.nextAt <= time) task.run(time);
  }

  /** Runs housekeeping at an interval of the sandbox's time. @param now Milliseconds since 1970. @returns a function that ends it */
  every(intervalMs: number, now: number, work: () => void): () => void {
    const task = {
      isHousekeeping: true as const,
      nextAt: now + intervalMs,
      run: (time: number) => {
        task.nextAt = time + intervalMs;
        work();
      },
    };
    return this.add(task);
  }
}

function findNext(tasks: readonly TimedTask[]): number {
  let next = Number.POSITIVE_INFINITY;
  for (const { nextAt } of tasks) if (nextAt < next) next = nextAt;
  return next;
}
