import type { ArchiveQuery } from '../../archivist/archive.ts';
import type { Page } from '../../history/history.ts';
import type { Services } from '../services.ts';

/**
 * How many records all that resume, and those that are told all open orders, may get together. Five
 * hundred take the serving thread about a millisecond: this leaves it nine tenths, whoever begins.
 */
const RECORDS_PER_MS = 50;
/** What a question costs beside its records. */
const RECORDS_OF_QUESTION = 25;

/** Asks history a question about what was missed. */
export type Ask = (query: ArchiveQuery) => Promise<unknown>;

/** Who asked wants no answer any more. */
export class LeftError extends Error {
  override readonly name = 'LeftError';
}

/** A subscription that is told what it missed, or all there is. It waits for one thing at a time. */
export interface ResumingSubscription {
  /** Who shares a turn: all sockets of an account, or of an address. */
  readonly group: string;
  /** It has what it wanted, or was left. */
  isOver: boolean;
  /** Ends its wait. */
  proceed: (() => void) | undefined;
}

export function returning(group: string): ResumingSubscription {
  return { group, isOver: false, proceed: undefined };
}

/** What reads history for those who resume: at no more than a steady pace, each group in turn. */
export class Backfill {
  private readonly waiting = new Map<string, Set<ResumingSubscription>>();
  private freeAtMs = 0;
  private isServing = false;

  constructor(private readonly services: Pick<Services, 'archivist' | 'replica'>) {}

  /**
   * Of many groups that wait each gets one answer before any gets its next.
   * @throws LeftError
   */
  async ask(one: ResumingSubscription, query: ArchiveQuery): Promise<unknown> {
    await this.turn(one);
    if (one.isOver) throw new LeftError();
    const { archivist, replica } = this.services;
    const answer = (await archivist.ask(query, replica.position)) as unknown[] | Page<unknown>;
    this.charge(Array.isArray(answer) ? answer.length : answer.items.length);
    return answer;
  }

  /** Takes the cost of so many records if nobody waits; else the caller waits for its turn. */
  takeAtOnce(records: number): boolean {
    if (this.isServing || this.freeAtMs > performance.now()) return false;
    this.charge(records);
    return true;
  }

  async takeInTurn(one: ResumingSubscription, records: number): Promise<void> {
    await this.turn(one);
    if (!one.isOver) this.charge(records);
  }

  /** It wants nothing more, and gives up its place. */
  end(one: ResumingSubscription): void {
    one.isOver = true;
    const group = this.waiting.get(one.group);
    if (group?.delete(one) && group.size === 0) this.waiting.delete(one.group);
    one.proceed?.();
  }

  private turn(one: ResumingSubscription): Promise<void> {
    return new Promise((resolve) => {
      one.proceed = resolve;
      const group = this.waiting.get(one.group);
      if (group === undefined) this.waiting.set(one.group, new Set([one]));
      else group.add(one);
      if (!this.isServing) this.serve();
    });
  }

  private serve(): void {
    this.isServing = false;
    for (const [name, group] of this.waiting) {
      const waitMs = this.freeAtMs - performance.now();
      // A timer of less takes longer than that.
      if (waitMs > 1) {
        this.isServing = true;
        setTimeout(() => this.serve(), waitMs);
        return;
      }
      this.charge(RECORDS_OF_QUESTION);
      const [first] = group;
      group.delete(first!);
      this.waiting.delete(name);
      if (group.size > 0) this.waiting.set(name, group);
      first!.proceed!();
    }
  }

  private charge(records: number): void {
    this.freeAtMs = Math.max(this.freeAtMs, performance.now()) + records / RECORDS_PER_MS;
  }
}
