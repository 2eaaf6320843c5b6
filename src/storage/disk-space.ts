import { readdirSync, statfsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import * as logger from '../monitoring/logger.ts';
import { isOutOfDescriptors } from './reserved-descriptors.ts';

/** Short enough that only a fast and large disk can receive much in between. */
const CHECK_EVERY_MS = 250;
const WARN_EVERY_MS = 3_600_000;
/** The used part of a disk above which it is nearly full. */
const NEARLY_FULL = 0.8;
/** Maximum bytes written after the last accepted order: batches, SQLite's logs, and cancels. */
const RESERVE_BYTES = 128 * 1024 * 1024;
/** Maximum part of a small disk that is reserved. */
const MAX_RESERVED_PART = 0.1;
/** Factor on the reserve at which orders are accepted again, so that this does not alternate. */
const FREE_AGAIN = 1.1;

export interface DiskUse {
  /** From 0 to 1; space reserved for root counts as used. */
  readonly usedPart: number;
  readonly availableBytes: number;
  readonly totalBytes: number;
}

export interface DiskSpaceOptions {
  /** On one disk or several. */
  readonly directories: readonly string[];
  /** Its largest file determines the space that the next snapshot needs. */
  readonly snapshotDirectory: string;
  readonly onFailure: (error: Error) => void;
  readonly use?: (directory: string) => DiskUse;
}

/**
 * Watches the disks of a data directory. Warns from 80 % use, and stops accepting orders while there is still space for
 * accepted orders, cancels and a snapshot.
 */
export class DiskSpace {
  /** The disk with the highest used part. */
  fullest: DiskUse = { usedPart: 0, availableBytes: 0, totalBytes: 0 };
  /** Whether orders must be rejected. */
  isFull = false;
  /** Size of the largest snapshot. */
  private snapshotBytes = 0;
  private warnedAt = Number.NEGATIVE_INFINITY;
  private readonly timer: Timer;

  constructor(private readonly options: DiskSpaceOptions) {
    this.check();
    this.timer = setInterval(() => {
      try {
        this.check();
      } catch (error) {
        this.stop();
        options.onFailure(error as Error);
      }
    }, CHECK_EVERY_MS);
    this.timer.unref();
  }

  get isNearlyFull(): boolean {
    return this.fullest.usedPart >= NEARLY_FULL;
  }

  stop(): void {
    clearInterval(this.timer);
  }

  /** Checks all disks now. */
  check(): void {
    const { directories, use = readUse } = this.options;
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
        `The disk of the data directory is ${percent} % full, ${this.availableText} are left. Free some space: ` +
          'orders are rejected before it is full.',
      );
    }
  }

  private report(isFull: boolean): void {
    if (isFull) {
      logger.warn(
        `Orders are rejected: the disk of the data directory has only ${this.availableText} left, which batches, snapshots ` +
          'and cancels need. Free some space; orders are then accepted again automatically.',
      );
    } else logger.info('The disk has enough space again; orders are accepted.');
  }

  private get availableText(): string {
    return `${Math.floor(this.fullest.availableBytes / 1024 / 1024)} MiB`;
  }

  private reserveOn(disk: DiskUse): number {
    this.snapshotBytes = largestFile(this.options.snapshotDirectory) ?? this.snapshotBytes;
    return requiredReserve(disk, this.snapshotBytes);
  }
}

/** Returns whether work that can wait may write to the disk without causing orders to be rejected. */
export function hasFreeSpace(directory: string, snapshotDirectory: string): boolean {
  const disk = readUse(directory);
  const snapshotBytes = largestFile(snapshotDirectory);
  return (
    snapshotBytes !== undefined && disk.availableBytes > 2 * requiredReserve(disk, snapshotBytes)
  );
}

function requiredReserve({ totalBytes }: DiskUse, snapshotBytes: number): number {
  const needed = RESERVE_BYTES + 2 * snapshotBytes;
  return Math.min(needed, MAX_RESERVED_PART * totalBytes);
}

/** Returns the size of the largest file in a directory; undefined if no file descriptor is free. */
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

function readUse(directory: string): DiskUse {
  const { bsize, blocks, bfree, bavail } = statfsSync(directory);
  const used = blocks - bfree;
  return {
    usedPart: used + bavail === 0 ? 0 : used / (used + bavail),
    availableBytes: bavail * bsize,
    totalBytes: blocks * bsize,
  };
}
