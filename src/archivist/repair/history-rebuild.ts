import { rmSync } from 'node:fs';
import { HistoryForeignError } from '../../history/errors.ts';
import { History } from '../../history/history.ts';
import { equalHashes } from '../../log/hash.ts';
import type { Batch, Position } from '../../log/log.ts';
import { Archive } from '../archive.ts';
import { loadNewest, noteSkip, type Recovered } from '../recovery.ts';
import type { SnapshotStore } from '../snapshots/snapshots.ts';
import { databaseFiles, openHistoryFile } from './history-files.ts';

/** A commit blocks the thread, so a rebuild makes small ones of some hundredths of a second. */
const ROWS_PER_COMMIT = 4_000;
const TURN_MS = 20;
/** The last batches are applied in one long turn: otherwise the end of a growing log is never reached. */
const LAST_BATCHES = 1_000;
const LAST_TURN_MS = 250;

export interface RebuildOptions {
  /** The log up to `through`, which is durable. */
  readonly log: { read(afterSequence: number, through: number): Iterable<Batch> };
  readonly snapshots: SnapshotStore;
  /** Path of the new file. A rebuild that an earlier process began there is continued. */
  readonly path: string;
  /** Last sequence of the log. */
  readonly logEnd: number;
  readonly elapsedMs: () => number;
}

/**
 * Writes a new history by replaying the log with an engine of its own, in short turns, while another archive applies
 * the batches that arrive.
 */
export class HistoryRebuild {
  private readonly skips = new Set<string>();
  private readonly steps: Iterator<void>;
  private readonly archive: Archive;
  private target = 0;

  private constructor(
    private readonly options: RebuildOptions,
    private readonly history: History,
    recovered: Recovered,
  ) {
    const { snapshots, elapsedMs } = options;
    this.archive = Archive.at({ snapshots, history, elapsedMs }, { recovered, skips: this.skips });
    this.steps = this.work();
  }

  static async begin(options: RebuildOptions): Promise<HistoryRebuild> {
    const history = await openRebuilt(options);
    await history.checkpointOften();
    // Starting from a later state, history would lack the batches in between.
    const recovered = loadNewest(options.snapshots, history.position().sequence);
    return new HistoryRebuild(options, history, recovered);
  }

  /** The last batch that the new history holds. */
  get position(): number {
    return this.history.position().sequence;
  }

  /** The digest of the replayed state. */
  get digest(): number {
    return this.archive.exchange.state.digest;
  }

  /** Replays for one turn. @returns Whether the new history holds everything up to `target`, the last durable batch. */
  async step(target: number): Promise<boolean> {
    this.target = target;
    const { archive } = this;
    const isAlmostDone = target - archive.position <= LAST_BATCHES;
    const until = performance.now() + (isAlmostDone ? LAST_TURN_MS : TURN_MS);
    while (archive.position < target && performance.now() < until) {
      this.steps.next();
      if (this.history.waitingRows >= ROWS_PER_COMMIT) await this.archive.flush();
    }
    if (archive.position < target) return false;
    await this.archive.flush();
    return true;
  }

  /** Keeps the work done so far: a later process continues it. */
  async close(): Promise<void> {
    await this.archive.flush();
    await this.history.close();
  }

  /** One batch per step. Skips come after the commands that they skip, so they are collected first. */
  private *work(): Generator<void> {
    const { log } = this.options;
    const { archive, skips } = this;
    for (const batch of log.read(archive.position, this.target)) {
      noteSkip(batch, skips);
      yield;
    }
    for (;;) {
      for (const batch of log.read(archive.position, this.target)) {
        archive.apply(batch);
        yield;
      }
    }
  }
}

/** Opens the rebuild of an earlier process if it belongs to this log, otherwise an empty history. */
async function openRebuilt(options: RebuildOptions): Promise<History> {
  const { path, logEnd, log } = options;
  const begun = await openHistoryFile(path, () => {});
  if (begun !== undefined) {
    const position = begun.position();
    if (position.sequence <= logEnd && isSameLog(log, position)) return begun;
    await begun.close();
  }
  for (const file of databaseFiles(path)) rmSync(file, { force: true });
  return History.open(`sqlite://${path}`);
}

/** @throws HistoryForeignError if history was written from another log */
export function checkSameLog(log: RebuildOptions['log'], position: Position): void {
  if (isSameLog(log, position)) return;
  throw new HistoryForeignError(
    `History was written from another log: batch ${position.sequence} differs.`,
  );
}

function isSameLog(log: RebuildOptions['log'], { sequence, hash }: Position): boolean {
  if (sequence === 0) return true;
  const [batch] = log.read(sequence - 1, sequence);
  return equalHashes(batch!.hash, hash);
}
