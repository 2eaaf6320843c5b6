import { readdirSync, statfsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import * as logger from '../monitoring/logger.ts';
import { isOutOfDescriptors } from './spare-descriptors.ts';

/** Much can be written between two looks only where the disk is fast and large. */
const LOOK_EVERY_MS = 250;
const WARN_EVERY_MS = 3_600_000;
/** The used part of a disk above which it is nearly full. */
const NEARLY_FULL = 0.8;
/** The most that is written after the last order was taken: batches, SQLite's logs, and cancels. */
const RESERVE_BYTES = 128 * 1024 * 1024;
/** Of a small disk so much of it. */
const MAX_RESERVED_PART = 0.1;
/** Beyond the reserve, so that orders are not taken and refused in turns. */
const FREE_AGAIN = 1.1;

export interface DiskUse {
  /** From 0 to 1; what only root may use counts as used. */
  readonly usedPart: number;
  readonly availableBytes: number;
  readonly totalBytes: number;
}

export interface DiskSpaceOptions {
  /** On one disk or several. */
  readonly directories: readonly string[];
  /** The next snapshot is written while the others are there. */
  readonly snapshotDirectory: string;
  /** In place of what is computed, for tests of a disk that is full before it is looked at. */
  readonly reserveBytes?: number | undefined;
  readonly onFailure: (error: Error) => void;
  readonly use?: (directory: string) => DiskUse;
}

/**
 * Watches the disks of a data directory: warns from 80 % on, and tells from when on no orders are to be taken, so that
 * what was accepted, cancels and a snapshot still find room.
 */
export class DiskSpace {
  /** Of the disk with the smallest available part. */
  fullest: DiskUse = { usedPart: 0, availableBytes: 0, totalBytes: 0 };
  /** Whether orders are to be refused. */
  isFull = false;
  /** Size of the largest snapshot. */
  private snapshotBytes = 0;
  private warnedAt = Number.NEGATIVE_INFINITY;
  private readonly timer: Timer;

  constructor(private readonly options: DiskSpaceOptions) {
    this.look();
    this.timer = setInterval(() => {
      try {
        this.look();
      } catch (error) {
        this.stop();
        options.onFailure(error as Error);
      }
    }, LOOK_EVERY_MS);
    this.timer.unref();
  }

  get isNearlyFull(): boolean {
    return this.fullest.usedPart >= NEARLY_FULL;
  }

  stop(): void {
    clearInterval(this.timer);
  }

  /** Looks at all disks now. */
  look(): void {
    const { directories, use = useOf } = this.options;
    const disks = directories.map(use);
    this.fullest = disks.reduce((a, b) => (a.usedPart >= b.usedPart ? a : b));
    const factor = this.isFull ? FREE_AGAIN : 1;
    const isFull = disks.some((disk) => disk.availableBytes < factor * this.reserveOn(disk));
    if (isFull !== this.isFull) this.report(isFull);
    this.isFull = isFull;
    const now = performance.now();
    if (!this.isNearlyFull) this.warnedAt = Number.NEGATIVE_INFINITY;
    else if (now - this.warnedAt >= WARN_EVERY_MS) {
      this.warnedAt = now;
      const percent = Math.floor(this.fullest.usedPart * 100);
      logger.warn(
        `The disk of the data directory is ${percent} % full, ${this.availableText} are left. Make room: ` +
          'orders are refused before it is full.',
      );
    }
  }

  private report(isFull: boolean): void {
    if (isFull) {
      logger.warn(
        `Orders are refused: the disk of the data directory has ${this.availableText} left, which batches, snapshots ` +
          'and cancels need. Make room; orders are taken again by themselves.',
      );
    } else logger.info('The disk has room again: orders are taken.');
  }

  private get availableText(): string {
    return `${Math.floor(this.fullest.availableBytes / 1024 / 1024)} MiB`;
  }

  private reserveOn(disk: DiskUse): number {
    const { reserveBytes, snapshotDirectory } = this.options;
    this.snapshotBytes = largestFile(snapshotDirectory) ?? this.snapshotBytes;
    return reserveBytes ?? reserveOf(disk, this.snapshotBytes);
  }
}

/** Whether what can wait may write to the disk of a directory: it must not make the exchange refuse orders. */
export function hasSpareRoom(directory: string, snapshotDirectory: string): boolean {
  const disk = useOf(directory);
  const snapshotBytes = largestFile(snapshotDirectory);
  return snapshotBytes !== undefined && disk.availableBytes > 2 * reserveOf(disk, snapshotBytes);
}

function reserveOf({ totalBytes }: DiskUse, snapshotBytes: number): number {
  const needed = RESERVE_BYTES + 2 * snapshotBytes;
  return Math.min(needed, MAX_RESERVED_PART * totalBytes);
}

/** Size of the largest file in a directory; undefined while connections leave no descriptor to look. */
function largestFile(directory: string): number | undefined {
  try {
    const sizes = readdirSync(directory).map(
      (name) => statSync(join(directory, name), { throwIfNoEntry: false })?.size ?? 0,
    );
    return Math.max(0, ...sizes);
  } catch (error) {
    if (!isOutOfDescriptors(error)) throw error;
    return undefined;
  }
}

function useOf(directory: string): DiskUse {
  const { bsize, blocks, bfree, bavail } = statfsSync(directory);
  const used = blocks - bfree;
  return {
    usedPart: used + bavail === 0 ? 0 : used / (used + bavail),
    availableBytes: bavail * bsize,
    totalBytes: blocks * bsize,
  };
}
