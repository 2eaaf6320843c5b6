import { dirname } from 'node:path';
import { InvariantError } from '../../engine/rejection.ts';
import type { HistoryDamagedError } from '../../history/errors.ts';
import { History } from '../../history/history.ts';
import { RepairableHistory } from '../../history/repairable-history.ts';
import * as logger from '../../monitoring/logger.ts';
import { hasFreeSpace } from '../../storage/disk-space.ts';
import { canOpen } from '../../storage/reserved-descriptors.ts';
import type { Archive } from '../archive.ts';
import { databaseExists, openHistoryFile, replaceDatabase } from './history-files.ts';
import { checkSameLog, HistoryRebuild, type RebuildOptions } from './history-rebuild.ts';

/** Maximum batches that history may lack after a crash. If it lacks more, it is rebuilt in the background. */
const SHORT_BATCHES = 20_000;
/** A start waits this long for a rebuild, so that queries are not rejected while a short log is replayed. */
const START_WAIT_MS = 1_000;
/** File descriptors: more than opening and replacing a database takes. */
const DESCRIPTORS = 12;
const CHECK_EVERY_MS = 1_000;

export interface RepairOptions extends Omit<RebuildOptions, 'path'> {
  /** Paths of the history file and of the file that replaces it. */
  readonly path: string;
  readonly rebuiltPath: string;
  readonly snapshotDirectory: string;
  /** Whether the exchange starts for the first time: its history is new, and queries wait for it. */
  readonly isFirstStart: boolean;
}

/**
 * Keeps a history in a file usable: rebuilds it from the log in the background if it is missing, too old, written by
 * an earlier release or damaged. Until then a damaged history answers as far as it can. The file of the new history
 * marks the rebuild as due, even after a restart.
 */
export class HistoryRepair {
  readonly history: RepairableHistory;
  /** Number of times that damage was found. */
  findings = 0;
  private rebuild: HistoryRebuild | undefined;
  private checkedAt = Number.NEGATIVE_INFINITY;
  private isSpaceLeft = true;

  private constructor(
    private readonly options: RepairOptions,
    current: History | undefined,
    private isDue: boolean,
  ) {
    this.history = new RepairableHistory(current, (damage) => this.note(damage));
  }

  /** @throws HistoryForeignError, HistoryUnreadableError, HistoryVersionError */
  static async open(options: RepairOptions): Promise<HistoryRepair> {
    const { path, rebuiltPath, isFirstStart, log, keptMs } = options;
    let isDue = databaseExists(rebuiltPath);
    const isNew = !isDue && !databaseExists(path);
    if (isNew && isFirstStart) {
      return new HistoryRepair(options, await History.open(`sqlite://${path}`, keptMs), false);
    }
    const findings: HistoryDamagedError[] = [];
    let current = await openHistoryFile(path, keptMs, (damage) => findings.push(damage));
    const position = current?.position();
    if (current !== undefined && !isFirstStart && isFarBehind(options, position!.sequence)) {
      await checkSameLog(log, position!);
      await current.close();
      current = undefined;
      if (!isDue) await replaceDatabase(path, rebuiltPath);
      isDue = true;
    }
    const repair = new HistoryRepair(options, current, isDue || current === undefined);
    if (isNew) logger.warn('History is missing: it is rebuilt from the log in the background.');
    for (const damage of findings) repair.note(damage);
    return repair;
  }

  get isRunning(): boolean {
    return this.isDue;
  }

  /** The last batch that the new history holds; undefined if no rebuild is due. */
  get rebuiltTo(): number | undefined {
    return this.isDue ? (this.rebuild?.position ?? 0) : undefined;
  }

  /** Works on a rebuild that is due, for as long as a start may wait for it. */
  async start(archive: Archive): Promise<void> {
    const until = performance.now() + START_WAIT_MS;
    while (this.isDue && performance.now() < until) if (!(await this.step(archive))) return;
  }

  /**
   * Works on the new history for one turn. Once it has reached the archive's position, it replaces the old one.
   * @returns Whether the next turn can follow at once: false while disk space or file descriptors are short.
   */
  async step(archive: Archive): Promise<boolean> {
    if (!canOpen(DESCRIPTORS) || !this.hasSpace()) return false;
    const { options, history } = this;
    if (this.rebuild === undefined) {
      this.rebuild = await HistoryRebuild.begin({ ...options, path: options.rebuiltPath });
    }
    if (!(await this.rebuild.step(archive.position))) return true;
    if (this.rebuild.digest !== archive.exchange.state.digest) {
      throw new InvariantError(
        `a replay from the beginning of the log leads to a different state at batch ${archive.position}`,
      );
    }
    await this.rebuild.close();
    await history.release();
    await replaceDatabase(options.rebuiltPath, options.path);
    const rebuilt = await History.open(`sqlite://${options.path}`, options.keptMs);
    archive.watch.restore(rebuilt.detectors());
    history.use(rebuilt);
    this.rebuild = undefined;
    this.isDue = false;
    logger.info(`History was rebuilt from the log, up to batch ${archive.position}.`);
    return true;
  }

  /** Whether the disk has space for more of the new history; checked once a second. */
  private hasSpace(): boolean {
    const now = performance.now();
    if (now - this.checkedAt < CHECK_EVERY_MS) return this.isSpaceLeft;
    this.checkedAt = now;
    const { path, snapshotDirectory } = this.options;
    const had = this.isSpaceLeft;
    this.isSpaceLeft = hasFreeSpace(dirname(path), snapshotDirectory);
    if (had && !this.isSpaceLeft) {
      logger.warn('The rebuild of history is paused: too little disk space. Free some space.');
    }
    return this.isSpaceLeft;
  }

  async close(): Promise<void> {
    await this.rebuild?.close();
    await this.history.close();
  }

  private note(damage: HistoryDamagedError): void {
    this.findings++;
    if (this.isDue && this.findings > 1) return;
    this.isDue = true;
    logger.warn(
      `The history database is damaged: ${damage.finding}. Trading continues, and history is rebuilt from the log in ` +
        'the background. Check the disk and the memory of this machine.',
    );
  }
}

/** Returns whether history is older than the newest snapshot, or lacks many batches of the log. */
function isFarBehind({ snapshots, logEnd }: RepairOptions, position: number): boolean {
  const [newest = 0] = snapshots.sequences();
  return position < Math.min(newest, logEnd) || logEnd - position > SHORT_BATCHES;
}
