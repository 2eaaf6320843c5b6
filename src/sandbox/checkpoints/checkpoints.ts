import * as fs from 'node:fs';
import { basename, join } from 'node:path';
import type { ClockSetting } from '../clock/clock-control.ts';
import type { SavedMakers } from '../makers/market-makers.ts';

/** Maximum checkpoints of a sandbox. */
export const MAX_CHECKPOINTS = 100;
const DESCRIPTION = 'checkpoint.json';
/** Suffix of copies that are being written. */
const PART = '.part';

/** A moment of a sandbox to which it can return. */
export interface Checkpoint {
  readonly name: string;
  /** Sequence of the last batch of the log. */
  readonly position: number;
  /** The sandbox's time, milliseconds since 1970. */
  readonly time: number;
  readonly clock: ClockSetting;
  /** Whether the time was that of the machine's clock, which a return to the checkpoint does not set back. */
  readonly isMachineTime: boolean;
  /** The state from which the market makers continue; absent if there are none. */
  readonly makers?: SavedMakers | undefined;
}

/** The files of a sandbox, all in its data directory. A missing one is not part of a checkpoint. */
export interface CheckpointPaths {
  /** The directory of all checkpoints. */
  readonly checkpoints: string;
  /** The file that names the checkpoint which is being restored. */
  readonly restoring: string;
  /** Files and directories that a checkpoint consists of. */
  readonly content: readonly string[];
}

/**
 * The checkpoints of a sandbox: copies of its files. Nothing may write to the files while one is written or restored. File
 * systems that share blocks of copies, such as btrfs and XFS, need neither time nor space for them.
 */
export class Checkpoints {
  constructor(private readonly paths: CheckpointPaths) {}

  /** Returns the checkpoints in the order of their names. */
  list(): Checkpoint[] {
    const { checkpoints } = this.paths;
    if (!fs.existsSync(checkpoints)) return [];
    const names = fs.readdirSync(checkpoints).filter((name) => !name.endsWith(PART));
    return names.sort().flatMap((name) => this.find(name) ?? []);
  }

  /** Returns a checkpoint; undefined if there is none of this name. */
  find(name: string): Checkpoint | undefined {
    const path = join(this.paths.checkpoints, name, DESCRIPTION);
    return fs.existsSync(path) ? JSON.parse(fs.readFileSync(path, 'utf8')) : undefined;
  }

  /** Writes a checkpoint, in place of one of the same name. */
  write(checkpoint: Checkpoint): void {
    const directory = join(this.paths.checkpoints, checkpoint.name);
    const part = directory + PART;
    fs.rmSync(part, { recursive: true, force: true });
    try {
      fs.mkdirSync(part, { recursive: true, mode: 0o700 });
      for (const path of this.paths.content) copy(path, join(part, basename(path)));
      fs.writeFileSync(join(part, DESCRIPTION), JSON.stringify(checkpoint), { mode: 0o600 });
    } catch (error) {
      // The disk may be full.
      fs.rmSync(part, { recursive: true, force: true });
      throw error;
    }
    fs.rmSync(directory, { recursive: true, force: true });
    fs.renameSync(part, directory);
  }

  /** Removes a checkpoint. @returns whether there was one */
  remove(name: string): boolean {
    const isKnown = this.find(name) !== undefined;
    fs.rmSync(join(this.paths.checkpoints, name), { recursive: true, force: true });
    return isKnown;
  }

  /** Replaces the sandbox's files by those of a checkpoint. If the process ends in between, `finish` completes it. */
  restore(name: string): void {
    const { restoring, content, checkpoints } = this.paths;
    // Copied before anything is replaced, because the disk may be full.
    for (const path of content) {
      fs.rmSync(path + PART, { recursive: true, force: true });
      copy(join(checkpoints, name, basename(path)), path + PART);
    }
    fs.writeFileSync(restoring, name, { mode: 0o600 });
    for (const path of content) {
      fs.rmSync(path, { recursive: true, force: true });
      if (fs.existsSync(path + PART)) fs.renameSync(path + PART, path);
    }
    fs.rmSync(restoring);
  }

  /** Completes a restoration that the end of the process interrupted. Must precede opening any of the files. */
  finish(): void {
    const { restoring } = this.paths;
    if (fs.existsSync(restoring)) this.restore(fs.readFileSync(restoring, 'utf8'));
  }
}

function copy(from: string, to: string): void {
  if (!fs.existsSync(from)) return;
  fs.cpSync(from, to, { recursive: true, mode: fs.constants.COPYFILE_FICLONE });
}
