import { dirname } from 'node:path';
import { InvariantError } from '../../engine/rejection.ts';
import type { HistoryDamagedError } from '../../history/errors.ts';
import { History } from '../../history/history.ts';
import { RepairableHistory } from '../../history/repairable-history.ts';
import * as logger from '../../monitoring/logger.ts';
import { hasSpareSpace } from '../../storage/disk-space.ts';
import { canOpen } from '../../storage/spare-descriptors.ts';
import type { Archive } from '../archive.ts';
import { isFilled, openHistoryFile, replaceDatabase } from './history-files.ts';
import { checkOfLog, HistoryRebuild, type RebuildOptions } from './history-rebuild.ts';

/** More than a crash leaves a history behind: one that is further behind is rebuilt in the background. */
const SHORT_BATCHES = 20_000;
/** A start waits so long for a rebuild: of a short log questions need not be refused. */
const START_WAIT_MS = 1_000;
/** More than opening and replacing a database takes. */
const DESCRIPTORS = 12;
const LOOK_EVERY_MS = 1_000;

export interface RepairOptions extends Omit<RebuildOptions, 'path'> {
  /** The file of history, and that of the one which replaces it. */
  readonly path: string;
  readonly rebuiltPath: string;
  readonly snapshotDirectory: string;
  /** The first start of an exchange: its history is new, and questions wait for it. */
  readonly isFirstStart: boolean;
}

/**
 * Keeps a history in a file usable: rebuilds it from the log in the background where it is missing, too far behind, of
 * an earlier release or damaged. A damaged one answers what it can until then. The file of the new one shows that the
 * old one is to be replaced; it outlives the process.
 */
export class HistoryRepair {
  readonly history: RepairableHistory;
  /** How often damage was found. */
  findings = 0;
  private rebuild: HistoryRebuild | undefined;
  private lookedAt = Number.NEGATIVE_INFINITY;
  private isRoomLeft = true;

  private constructor(
    private readonly options: RepairOptions,
    current: History | undefined,
    private isDue: boolean,
  ) {
    this.history = new RepairableHistory(current, (damage) => this.note(damage));
  }

  /** @throws HistoryForeignError, HistoryUnreadableError, HistoryVersionError */
  static async open(options: RepairOptions): Promise<HistoryRepair> {
    const { path, rebuiltPath, isFirstStart, log } = options;
    let isDue = isFilled(rebuiltPath);
    const isNew = !isDue && !isFilled(path);
    if (isNew && isFirstStart) {
      return new HistoryRepair(options, await History.open(`sqlite://${path}`), false);
    }
    const findings: HistoryDamagedError[] = [];
    let current = await openHistoryFile(path, (damage) => findings.push(damage));
    const position = current?.position();
    if (current !== undefined && !isFirstStart && isFarBehind(options, position!.sequence)) {
      checkOfLog(log, position!);
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

  get isUnderWay(): boolean {
    return this.isDue;
  }

  /** The last batch that the new history holds; undefined where none is made. */
  get rebuiltTo(): number | undefined {
    return this.isDue ? (this.rebuild?.position ?? 0) : undefined;
  }

  /** Works on a rebuild that is due for as long as a start may wait for it. */
  async start(archive: Archive): Promise<void> {
    const until = performance.now() + START_WAIT_MS;
    while (this.isDue && performance.now() < until) if (!(await this.turn(archive))) return;
  }

  /**
   * Works for a moment on the new history; once it has come as far as the archive it takes the old one's place.
   * @returns Whether the next turn can go on at once: it cannot while disk space or descriptors are short.
   */
  async turn(archive: Archive): Promise<boolean> {
    if (!canOpen(DESCRIPTORS) || !this.hasRoom()) return false;
    const { options, history } = this;
    if (this.rebuild === undefined) {
      this.rebuild = await HistoryRebuild.begin({ ...options, path: options.rebuiltPath });
    }
    if (!(await this.rebuild.turn(archive.position))) return true;
    if (this.rebuild.digest !== archive.exchange.state.digest) {
      throw new InvariantError(
        `a replay from the beginning of the log comes to another state at batch ${archive.position}`,
      );
    }
    await this.rebuild.close();
    await history.release();
    await replaceDatabase(options.rebuiltPath, options.path);
    history.use(await History.open(`sqlite://${options.path}`));
    this.rebuild = undefined;
    this.isDue = false;
    logger.info(`History was rebuilt from the log, up to batch ${archive.position}.`);
    return true;
  }

  /** Whether the disk has room for more of the new history; looked at once a second. */
  private hasRoom(): boolean {
    const now = performance.now();
    if (now - this.lookedAt < LOOK_EVERY_MS) return this.isRoomLeft;
    this.lookedAt = now;
    const { path, snapshotDirectory } = this.options;
    const had = this.isRoomLeft;
    this.isRoomLeft = hasSpareSpace(dirname(path), snapshotDirectory);
    if (had && !this.isRoomLeft) {
      logger.warn('The rebuild of history waits: the disk has too little room for it. Make room.');
    }
    return this.isRoomLeft;
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
      `The history database is damaged: ${damage.finding}. Trading goes on, and history is rebuilt from the log in ` +
        'the background. Check the disk and the memory of this machine.',
    );
  }
}

/** Whether no snapshot is near history's position, or much of the log is behind it. */
function isFarBehind({ snapshots, logEnd }: RepairOptions, position: number): boolean {
  const [newest = 0] = snapshots.sequences();
  return position < Math.min(newest, logEnd) || logEnd - position > SHORT_BATCHES;
}
