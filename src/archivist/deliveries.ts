import type { Delivered } from './messages.ts';

/** Batches that were delivered to the archivist and are not applied yet, oldest first. */
export class Deliveries {
  readonly waiting: Delivered[] = [];
  private lastDropped = 0;

  /**
   * @param isKept False while the archive may wait for its store, for any length of time: it then reads the log
   * itself, and deliveries are dropped.
   */
  constructor(private isKept: boolean) {}

  add(some: readonly Delivered[]): void {
    if (this.isKept) this.waiting.push(...some);
    else for (const delivered of some) this.lastDropped = readSequence(delivered);
  }

  /** Begins to keep deliveries. @returns The last sequence that was dropped before, 0 if none was. */
  keep(): number {
    this.isKept = true;
    return this.lastDropped;
  }
}

function readSequence(delivered: Delivered): number {
  return 'message' in delivered ? delivered.message.sequence : delivered.sequence;
}
