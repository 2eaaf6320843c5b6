import type { Page } from '../../history/history.ts';
import type { Query } from '../../replica/archive.ts';
import type { Services } from '../services.ts';

/**
 * How many records of history all that resume may read together. A page of 500 takes the serving
 * thread about a millisecond: this leaves it nine tenths, whoever resumes from the beginning.
 */
const RECORDS_PER_MS = 50;
/** What a question costs beside its records. */
const RECORDS_OF_QUESTION = 25;

/** Asks history a question about what was missed. */
export type Ask = (query: Query) => Promise<unknown>;

/** What reads history for those who resume: at no more than a steady pace, each of them in turn. */
export class Past {
  private readonly waiting = new Map<object, (() => void)[]>();
  private freeAtMs = 0;
  private isServing = false;

  constructor(private readonly services: Pick<Services, 'archivist' | 'replica'>) {}

  /** @param reader For whom. Of many who wait each gets one answer before any gets its next. */
  async ask(reader: object, query: Query): Promise<unknown> {
    await this.turn(reader);
    const { archivist, replica } = this.services;
    const answer = (await archivist.ask(query, replica.position)) as unknown[] | Page<unknown>;
    this.charge(Array.isArray(answer) ? answer.length : answer.items.length);
    return answer;
  }

  private turn(reader: object): Promise<void> {
    return new Promise((resolve) => {
      const own = this.waiting.get(reader);
      if (own === undefined) this.waiting.set(reader, [resolve]);
      else own.push(resolve);
      if (!this.isServing) this.serve();
    });
  }

  private serve(): void {
    this.isServing = false;
    for (const [reader, own] of this.waiting) {
      const waitMs = this.freeAtMs - performance.now();
      // A timer of less takes longer than that.
      if (waitMs > 1) {
        this.isServing = true;
        setTimeout(() => this.serve(), waitMs);
        return;
      }
      this.charge(RECORDS_OF_QUESTION);
      own.shift()!();
      this.waiting.delete(reader);
      if (own.length > 0) this.waiting.set(reader, own);
    }
  }

  private charge(records: number): void {
    this.freeAtMs = Math.max(this.freeAtMs, performance.now()) + records / RECORDS_PER_MS;
  }
}
