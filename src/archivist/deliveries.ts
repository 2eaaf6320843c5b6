import type { Delivered } from './messages.ts';

/** What was delivered to the archivist and is not applied yet, oldest first. */
export class Deliveries {
  readonly waiting: Delivered[] = [];
  private passedOver = 0;

  /**
   * @param isKept False as long as the archive reads the log by itself: it may wait for its store before that, nobody
   * knows for how long.
   */
  constructor(private isKept: boolean) {}

  add(some: readonly Delivered[]): void {
    if (this.isKept) this.waiting.push(...some);
    else for (const one of some) this.passedOver = sequenceOf(one);
  }

  /** From now on everything waits here. @returns The last that was passed over before, 0 where none was. */
  keep(): number {
    this.isKept = true;
    return this.passedOver;
  }
}

function sequenceOf(delivered: Delivered): number {
  return 'message' in delivered ? delivered.message.sequence : delivered.sequence;
}
