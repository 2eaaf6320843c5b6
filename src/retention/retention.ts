import type { ArchiveConfig } from '../config/archive.ts';
import type { Batch } from '../log/log.ts';
import * as logger from '../monitoring/logger.ts';
import { OperatorError } from '../monitoring/operator-error.ts';
import type { Storage } from '../storage/storage.ts';
import { ArchivedLog } from './archived-log.ts';
import { Archiver } from './archiver.ts';
import type { LogArchive } from './log-archive.ts';
import { Manifest } from './manifest.ts';
import { openLogArchive } from './open-log-archive.ts';

/** Pause while nothing is due. */
const CHECK_EVERY_MS = 5_000;
/** Pause after a failure; it doubles with each further one. */
const RETRY_MS = 5_000;
const MAX_RETRY_MS = 60_000;
/** Interval between two warnings about the same failure. */
const WARN_EVERY_MS = 3_600_000;

/** The archive of a log as its operator sees it. */
export interface RetentionStatus {
  /** URL of the archive. */
  readonly url: string;
  /** Sequence and time of the newest archived batch; 0 before the first move. */
  readonly archivedTo: number;
  readonly archivedToTime: number;
  /** Archived segments, their size, and the size of their objects. */
  readonly segments: number;
  readonly bytes: number;
  readonly storedBytes: number;
  /** Size of the segments that are to be moved now. */
  readonly waitingBytes: number;
  /** The last failure; undefined if the last attempt succeeded. */
  readonly error: string | undefined;
  /** Time since the first of the failed attempts, milliseconds; 0 after a success. */
  readonly failingMs: number;
}

export interface RetentionOptions {
  readonly storage: Storage;
  /** Directory of the log. */
  readonly directory: string;
  /** Undefined if the log is not archived; segments that were moved before can then not be read. */
  readonly config: ArchiveConfig | undefined;
  /** Returns the commands that a batch skips, as `sequence index`. */
  readonly skipsIn: (batch: Batch) => readonly string[];
  /** A monotonic clock, milliseconds. */
  readonly elapsedMs: () => number;
}

/**
 * Opens the log in a directory and its archive for reading. A node may append to the log and move segments at the same
 * time.
 * @param config Undefined if no archive is configured: segments that were moved cannot be read then.
 */
export function openArchivedLog(
  storage: Storage,
  directory: string,
  config: ArchiveConfig | undefined,
): ArchivedLog {
  const archive = config && openLogArchive(config.location, storage);
  const entries = () => Manifest.open(storage, directory).entries;
  return new ArchivedLog(storage, directory, entries, archive);
}

/** The parts of the log that a running exchange needs on its disk. */
export type Needs = Pick<ConstructorParameters<typeof Archiver>[0], 'neededFrom' | 'logTime'>;

/** Moves old segments of the log of a running node to its archive in the background, and reads the log over both. */
export class Retention {
  readonly log: ArchivedLog;
  private readonly manifest: Manifest;
  private readonly archive: LogArchive | undefined;
  private archiver: Archiver | undefined;
  private moving: Promise<void> | undefined;
  /** Whether the archive has answered: a wrong setting is reported before the first segment is due. */
  private isReached = false;
  private nextAt = 0;
  private failures = 0;
  private failingSince = 0;
  private warnedAt = Number.NEGATIVE_INFINITY;
  private error: string | undefined;

  /** @throws ManifestDamagedError */
  constructor(private readonly options: RetentionOptions) {
    const { storage, directory, config } = options;
    this.manifest = Manifest.open(storage, directory);
    this.archive = config && openLogArchive(config.location, storage);
    this.log = new ArchivedLog(storage, directory, () => this.manifest.entries, this.archive);
  }

  /** Prepares to move segments, and completes a manifest that lacks entries. Moves begin with `work`. */
  async start(needs: Needs): Promise<void> {
    const { options, archive, manifest } = this;
    if (archive === undefined) return;
    const { storage, directory, config, skipsIn } = options;
    const pause = () => new Promise<void>((resolve) => setImmediate(resolve));
    const { kept } = config!;
    const archiver = { storage, directory, archive, manifest, kept, skipsIn, pause, ...needs };
    this.archiver = new Archiver(archiver);
    try {
      await this.archiver.recoverManifest();
    } catch (error) {
      if (!(error instanceof OperatorError)) throw error;
      this.note(error);
    }
  }

  /** Begins to move the segments that are due, unless that is under way. A process may end during a move. */
  work(): void {
    const { archiver, options } = this;
    if (archiver === undefined || this.moving !== undefined) return;
    if (options.elapsedMs() < this.nextAt) return;
    this.moving = this.move(archiver).finally(() => {
      this.moving = undefined;
    });
  }

  get status(): RetentionStatus | undefined {
    const { archiver, manifest, archive, error } = this;
    if (archiver === undefined) return undefined;
    const { entries } = manifest;
    const newest = entries.at(-1);
    const sum = (field: 'bytes' | 'storedBytes') =>
      entries.reduce((total, entry) => total + entry[field], 0);
    return {
      url: archive!.url,
      archivedTo: newest?.last ?? 0,
      archivedToTime: newest?.lastTime ?? 0,
      segments: entries.length,
      bytes: sum('bytes'),
      storedBytes: sum('storedBytes'),
      waitingBytes: archiver.waiting().bytes,
      error,
      failingMs: error === undefined ? 0 : this.options.elapsedMs() - this.failingSince,
    };
  }

  private async move(archiver: Archiver): Promise<void> {
    try {
      if (!this.isReached) await this.archive!.store.list();
      this.isReached = true;
      await archiver.recoverManifest();
      while ((await archiver.moveNext()) !== undefined) this.noteSuccess();
      this.noteSuccess();
      this.nextAt = this.options.elapsedMs() + CHECK_EVERY_MS;
    } catch (error) {
      this.note(error as Error);
    }
  }

  private noteSuccess(): void {
    if (this.error !== undefined) logger.info(`The archive ${this.archive!.url} works again.`);
    this.error = undefined;
    this.failures = 0;
  }

  /** Trading continues without the archive; the log grows on the local disk until it works again. */
  private note(error: Error): void {
    const now = this.options.elapsedMs();
    if (this.error === undefined) this.failingSince = now;
    const isKnown = error.message === this.error && now - this.warnedAt < WARN_EVERY_MS;
    this.error = error.message;
    this.nextAt = now + Math.min(MAX_RETRY_MS, RETRY_MS * 2 ** this.failures++);
    if (isKnown) return;
    this.warnedAt = now;
    logger.warn(
      `Old segments of the log cannot be moved to the archive: ${error.message} Trading continues, and the log grows on the local disk until they can.`,
    );
  }
}
