import { rmSync } from 'node:fs';
import { HistoryForeignError } from '../../history/errors.ts';
import { History } from '../../history/history.ts';
import { equalHashes } from '../../log/hash.ts';
import type { Position } from '../../log/log.ts';
import * as logger from '../../monitoring/logger.ts';
import { retry } from '../../monitoring/retry.ts';
import {
  type ArchivedLog,
  ArchiveMissingError,
  SegmentNotLoadedError,
} from '../../retention/archived-log.ts';
import type { ArchiveEntry } from '../../retention/entry.ts';
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
/** Pause before an archive that is down is asked again. */
const LOAD_EVERY_MS = 10_000;

export interface RebuildOptions {
  /** The log, whose older segments may be in an archive. */
  readonly log: ArchivedLog;
  readonly snapshots: SnapshotStore;
  /** Path of the new file. A rebuild that an earlier process began there is continued. */
  readonly path: string;
  /** The period for which rows are kept, milliseconds; undefined to keep all. */
  readonly keptMs?: number | undefined;
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
  private steps: Iterator<void>;
  /** The archived segment that the replay waits for. */
  private loading: Promise<void> | undefined;
  private readonly archive: Archive;
  private target = 0;

  private constructor(
    private readonly options: RebuildOptions,
    private readonly history: History,
    recovered: Recovered,
  ) {
    const { snapshots, elapsedMs } = options;
    this.archive = Archive.at({ snapshots, history, elapsedMs }, { recovered, skips: this.skips });
    for (const skip of options.log.skips) this.skips.add(skip);
    this.steps = this.work();
  }

  static async begin(options: RebuildOptions): Promise<HistoryRebuild> {
    const history = await openRebuilt(options);
    await history.checkpointOften();
    // Starting from a later state, history would lack the batches in between.
    const recovered = loadNewest(options.snapshots, history.resumesFrom());
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
    if (this.loading !== undefined) {
      await Promise.race([this.loading, Bun.sleep(TURN_MS)]);
      return false;
    }
    const { archive } = this;
    const isAlmostDone = target - archive.position <= LAST_BATCHES;
    const until = performance.now() + (isAlmostDone ? LAST_TURN_MS : TURN_MS);
    while (archive.position < target && performance.now() < until) {
      if (!this.advance()) return false;
      if (this.history.waitingRows >= ROWS_PER_COMMIT) await this.archive.flush();
    }
    if (archive.position < target) return false;
    await this.archive.flush();
    return true;
  }

  /** Keeps the work done so far: a later process continues it. */
  async close(): Promise<void> {
    await this.history.settle(true);
    await this.history.close();
  }

  /** Takes one step. @returns false if it needs an archived segment first */
  private advance(): boolean {
    try {
      this.steps.next();
      return true;
    } catch (error) {
      if (!(error instanceof SegmentNotLoadedError)) throw error;
      this.steps = this.work();
      this.loading = this.load(error.entry).finally(() => {
        this.loading = undefined;
      });
      return false;
    }
  }

  /** Loads an archived segment; waits for an archive that is down. @throws ArchiveMissingError */
  private load(entry: ArchiveEntry): Promise<void> {
    return retry(() => this.options.log.load(entry), {
      every: LOAD_EVERY_MS,
      isTransient: (error) => !(error instanceof ArchiveMissingError),
      onRetry: ({ message }, attempt) => {
        if (attempt === 0) logger.warn(`${message} The rebuild of history waits for it.`);
      },
    });
  }

  /**
   * One batch per step. Skips come after the commands that they skip, so they are collected first; those of archived
   * segments are in the manifest.
   */
  private *work(): Generator<void> {
    const { log } = this.options;
    const { archive, skips } = this;
    const after = { sequence: Math.max(archive.position, log.archivedTo) };
    for (const batch of log.read(after, this.target)) {
      noteSkip(batch, skips);
      yield;
    }
    for (;;) {
      for (const batch of log.read({ sequence: archive.position }, this.target)) {
        archive.apply(batch);
        yield;
      }
    }
  }
}

/** Opens the rebuild of an earlier process if it belongs to this log, otherwise an empty history. */
async function openRebuilt(options: RebuildOptions): Promise<History> {
  const { path, logEnd, log, keptMs } = options;
  const begun = await openHistoryFile(path, keptMs, () => {});
  if (begun !== undefined) {
    const position = begun.position();
    if (position.sequence <= logEnd && (await isSameLog(log, position))) return begun;
    await begun.close();
  }
  for (const file of databaseFiles(path)) rmSync(file, { force: true });
  return History.open(`sqlite://${path}`, keptMs);
}

/** @throws HistoryForeignError if history was written from another log */
export async function checkSameLog(log: ArchivedLog, position: Position): Promise<void> {
  if (await isSameLog(log, position)) return;
  throw new HistoryForeignError(
    `History was written from another log: batch ${position.sequence} differs.`,
  );
}

async function isSameLog(log: ArchivedLog, { sequence, hash }: Position): Promise<boolean> {
  if (sequence === 0) return true;
  const [batch] = await Array.fromAsync(log.readAll({ sequence: sequence - 1 }, sequence));
  return equalHashes(batch!.hash, hash);
}
