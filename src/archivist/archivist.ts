import type { Batch } from '../log/log.ts';
import type { Archive, ArchiveQuery } from './archive.ts';

export {
  HistoryBacklogError,
  HistoryDamagedError,
  HistoryRebuildingError,
  HistoryUnavailableError,
} from '../history/errors.ts';

/** How far an archivist is. */
export interface ArchivistProgress {
  /** Sequence of the last batch that it has applied. */
  readonly position: number;
  /** Sequence of the last batch that is written to history, as far as it knows. */
  readonly historyPosition: number;
  /** Whether it is the one that writes history. */
  readonly isWriter: boolean;
  /** Sequence of the last batch in a history that is being rebuilt; undefined where none is. */
  readonly rebuiltTo: number | undefined;
  /** How often this process found damage to history. */
  readonly damageFound: number;
}

/** The serving thread's end of the archivist, wherever that one runs. */
export interface Archivist {
  /** Hands over a durable batch, with the serving replica's digest before it. */
  deliver(batch: Batch, digestBefore: number, now: number): void;
  /** The serving replica's digest after batch `position`: compared where the archivist is there. */
  checkpoint(position: number, digest: number): void;
  /** Whether this node and others hold different states: meanwhile it keeps no snapshot. */
  noteDispute(isDisputed: boolean): void;
  /** How long the oldest batch that the archivist has not applied has waited. */
  lagMs(now: number): number;
  /**
   * Answers as of batch `position` or later.
   * @throws HistoryUnavailableError where the answer needs a store that does not answer now.
   */
  ask(query: ArchiveQuery, position: number): Promise<unknown>;
  /** Waits until everything delivered is in history, takes a snapshot and ends. */
  close(): Promise<void>;
}

/** An archivist in the serving thread, for tests and for tools that replay. */
export class LocalArchivist implements Archivist {
  private work: Promise<void> = Promise.resolve();

  constructor(private readonly archive: Archive) {}

  deliver(batch: Batch, digestBefore: number): void {
    const copy = { ...batch, payload: batch.payload.slice() };
    this.work = this.work.then(() => this.archive.apply(copy, digestBefore));
  }

  checkpoint(position: number, digest: number): void {
    this.work = this.work.then(() => this.archive.compare(position, digest));
  }

  noteDispute(): void {}

  lagMs(): number {
    return 0;
  }

  async ask(query: ArchiveQuery): Promise<unknown> {
    const answer = this.work.then(() => this.archive.answer(query));
    // Who asked is told of a failure.
    this.work = answer.then(
      () => {},
      () => {},
    );
    return answer;
  }

  async close(): Promise<void> {
    await this.work;
    await this.archive.end();
  }
}
