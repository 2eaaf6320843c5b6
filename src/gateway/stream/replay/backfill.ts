import type { ArchiveQuery } from '../../../archivist/archivist.ts';
import type { Page } from '../../../history/history.ts';
import type { Services } from '../../services.ts';

/**
 * Maximum rate of records for backfills and large snapshots, over all sockets. The serving thread needs
 * about a millisecond for 500 of them, so this takes at most a tenth of its time.
 */
const RECORDS_PER_MS = 50;
/** The fixed cost of a query, in records. */
const RECORDS_PER_QUERY = 25;
/** Maximum subscriptions of a group that wait. */
export const MAX_WAITING = 4096;

export type QueryHistory = (query: ArchiveQuery) => Promise<unknown>;

/** The subscription was ended while it waited for history. */
export class UnsubscribedError extends Error {
  override readonly name = 'UnsubscribedError';
}

/** A subscription that waits for a backfill or a large snapshot, one query at a time. */
export interface ResumingSubscription {
  /** Subscriptions of one group share a turn: all sockets of an account, or of an address. */
  readonly group: string;
  /** Set when the subscription needs no more records. */
  isDone: boolean;
  /** Whether it is the group's turn. */
  hasTurn: boolean;
  /** Ends its current wait. */
  proceed: (() => void) | undefined;
}

export function resumingSubscription(group: string): ResumingSubscription {
  return { group, isDone: false, hasTurn: false, proceed: undefined };
}

/** Reads history for resuming subscriptions at a limited rate: groups take turns, each with one query at a time. */
export class Backfill {
  private readonly waiting = new Map<string, Set<ResumingSubscription>>();
  /** Groups whose turn has not ended. */
  private readonly busy = new Set<string>();
  private freeAtMs = 0;
  private isServing = false;

  constructor(private readonly services: Pick<Services, 'archivist' | 'replica'>) {}

  /**
   * Queries history when it is the group's turn.
   * @throws UnsubscribedError, and the archivist's errors
   */
  query(subscription: ResumingSubscription, query: ArchiveQuery): Promise<unknown> {
    const { archivist, replica } = this.services;
    return this.inTurn(
      subscription,
      async () => (await archivist.query(query, replica.position)) as unknown[] | Page<unknown>,
      (found) => (Array.isArray(found) ? found.length : found.items.length),
    );
  }

  /**
   * Runs a query when it is the group's turn, which lasts until the query is answered.
   * @param countRecords Returns the number of records to charge for.
   * @throws UnsubscribedError, and the errors of the query
   */
  async inTurn<Result>(
    subscription: ResumingSubscription,
    query: () => Promise<Result>,
    countRecords: (result: Result) => number,
  ): Promise<Result> {
    await this.waitForTurn(subscription);
    try {
      if (subscription.isDone) throw new UnsubscribedError();
      const result = await query();
      this.charge(countRecords(result));
      return result;
    } finally {
      this.endTurn(subscription);
    }
  }

  /** Returns whether so many more subscriptions of a group may wait. */
  hasCapacity(group: string, subscriptions: number): boolean {
    return (this.waiting.get(group)?.size ?? 0) + subscriptions <= MAX_WAITING;
  }

  /** Charges for records if no one waits. Returns false otherwise: then call `chargeInTurn`. */
  tryCharge(records: number): boolean {
    if (this.isServing || this.freeAtMs > performance.now()) return false;
    this.charge(records);
    return true;
  }

  /** Waits for the group's turn and charges for records. Check `isDone` afterwards. */
  async chargeInTurn(subscription: ResumingSubscription, records: number): Promise<void> {
    await this.waitForTurn(subscription);
    if (!subscription.isDone) this.charge(records);
    this.endTurn(subscription);
  }

  /** Marks a subscription as done and ends its wait. */
  end(subscription: ResumingSubscription): void {
    subscription.isDone = true;
    const group = this.waiting.get(subscription.group);
    if (group?.delete(subscription) && group.size === 0) this.waiting.delete(subscription.group);
    subscription.proceed?.();
  }

  private waitForTurn(subscription: ResumingSubscription): Promise<void> {
    if (subscription.isDone) return Promise.resolve();
    return new Promise((resolve) => {
      subscription.proceed = resolve;
      const group = this.waiting.get(subscription.group);
      if (group === undefined) this.waiting.set(subscription.group, new Set([subscription]));
      else group.add(subscription);
      if (!this.isServing) this.serve();
    });
  }

  private endTurn(subscription: ResumingSubscription): void {
    if (!subscription.hasTurn) return;
    subscription.hasTurn = false;
    this.busy.delete(subscription.group);
    if (!this.isServing) this.serve();
  }

  private serve(): void {
    this.isServing = false;
    for (const [name, group] of this.waiting) {
      if (this.busy.has(name)) continue;
      const waitMs = this.freeAtMs - performance.now();
      // Timers do not resolve shorter waits.
      if (waitMs > 1) {
        this.isServing = true;
        setTimeout(() => this.serve(), waitMs);
        return;
      }
      this.charge(RECORDS_PER_QUERY);
      const [first] = group;
      group.delete(first!);
      // Moves the group to the end.
      this.waiting.delete(name);
      if (group.size > 0) this.waiting.set(name, group);
      this.busy.add(name);
      first!.hasTurn = true;
      first!.proceed!();
    }
  }

  private charge(records: number): void {
    this.freeAtMs = Math.max(this.freeAtMs, performance.now()) + records / RECORDS_PER_MS;
  }
}
