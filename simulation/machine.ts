import type { Event } from '../src/engine/event.ts';
import { LogDamagedError, LogFailedError } from '../src/log/errors.ts';
import type { Batch } from '../src/log/log.ts';
import type { GuardedClock } from '../src/monitoring/clock.ts';
import { type Operation, SimulatedStorage } from '../src/testing/simulated-storage.ts';
import type { Coverage } from './coverage.ts';
import {
  checkEnd,
  checkMended,
  type Damage,
  damageLog,
  damageSnapshot,
  usedBytes,
} from './damage.ts';
import { check, SimulationFailure } from './failure.ts';
import type { Faults } from './faults.ts';
import { HistoryFiles } from './history-files.ts';
import { Process } from './process.ts';
import { ProcessEndedError } from './process-disk.ts';
import { below, type Random } from './random.ts';
import type { Schedule } from './schedule.ts';
import type { Trace } from './trace.ts';

export interface MachineOptions {
  readonly schedule: Schedule;
  readonly trace: Trace;
  readonly coverage: Coverage;
  readonly random: Random;
  readonly faults: Faults;
  readonly newClock: () => GuardedClock;
  /** Maximum payload bytes of a batch. */
  readonly maxBatchBytes: number;
  /** How many batches are known to be durable. */
  readonly acknowledged: () => number;
  readonly onBatch: (batch: Batch) => void;
  readonly onEvents: (events: readonly Event[]) => void;
  /** A process has recovered and serves. */
  readonly onServing: (process: Process) => void;
  /** What must never happen has. */
  readonly onFailure: (error: Error) => void;
}

/** What the disk says when it fails. */
class DiskError extends Error {
  override readonly name = 'DiskError';
}

/** How a process may end that nobody has told to. */
export type CrashKind = 'kill' | 'powerLoss';

const RESTART_MS = 50;

/** The computer: a disk, and a process that is started again whenever it has ended. */
export class Machine {
  readonly history = new HistoryFiles();
  process: Process | undefined;
  private storage = new SimulatedStorage();
  private readonly segmentBytes: number;
  /** The disk that the process runs on is a damaged copy, and must be refused. */
  private damage: Damage | undefined;

  constructor(private readonly options: MachineOptions) {
    this.segmentBytes = 600 + below(30_000, options.random);
  }

  /** Starts a process on the disk as it is. */
  start(storage = this.storage): void {
    const { options } = this;
    storage.onOperation = (operation) => this.befall(operation);
    storage.capacityBytes = Number.POSITIVE_INFINITY;
    const process: Process = new Process({
      ...options,
      storage,
      history: this.history,
      segmentBytes: this.segmentBytes,
      onBatch: (batch) => {
        if (!process.isAlive) return;
        options.trace.note(`batch ${batch.sequence} ${batch.hash.toHex().slice(0, 16)}`);
        if (process.hadLogError) {
          options.onFailure(new SimulationFailure('a batch is durable after the log had failed'));
        }
        options.onBatch(batch);
      },
      onEvents: (events) => process.isAlive && options.onEvents(events),
      onFailure: (error) => this.noteExit(process, error),
    });
    this.process = process;
    process
      .start()
      .then(() => process.isAlive && this.noteServing(process))
      .catch((error) => this.noteExit(process, error));
  }

  /** The process ends at once, and the power perhaps with it. */
  crash(kind: CrashKind): void {
    const { process, options } = this;
    if (process === undefined) return;
    const when = process.isServing ? 'serving' : 'starting';
    options.coverage.count('crash', `${kind} while ${when}`);
    options.trace.note(`${kind} while ${when}`);
    this.end(kind === 'powerLoss' ? options.faults.random(kind) : undefined);
  }

  /**
   * Ends the process as it is told to stop, and starts another.
   * @returns Whether it came to an orderly end.
   */
  async restart(process: Process): Promise<boolean> {
    await process.stop();
    if (process !== this.process) return false;
    this.options.coverage.count('recovery', 'orderly stop');
    this.end();
    return true;
  }

  /** Gives back what it has of the real disk. */
  async remove(): Promise<void> {
    this.process?.end();
    await this.history.remove();
  }

  private noteServing(process: Process): void {
    const { coverage, onServing } = this.options;
    coverage.count('recovery', 'starts');
    if (this.damage === undefined) {
      checkEnd(this.storage);
      onServing(process);
      return;
    }
    // What it recovered from did not need the damaged place. Whoever reads it is told.
    try {
      for (const _ of process.batches());
      check(
        false,
        `a flipped bit at byte ${this.damage.offset} of ${this.damage.segment} went unseen`,
      );
    } catch (error) {
      this.checkNamed(error as Error, this.damage);
      coverage.count('refusal', 'by whoever reads the damaged place');
      this.endDamaged();
    }
  }

  /** The process has ended itself: it may only where the disk let it down. */
  noteExit(process: Process, error: Error): void {
    if (!process.isAlive || error instanceof ProcessEndedError) return;
    process.hasFailed = true;
    const { coverage, trace, acknowledged, onFailure } = this.options;
    trace.note(`exit: ${error.name}`);
    if (this.damage !== undefined && error instanceof LogDamagedError) {
      try {
        this.checkNamed(error, this.damage);
        checkMended(this.damage, acknowledged());
      } catch (failure) {
        onFailure(failure as Error);
        return;
      }
      coverage.count('refusal', 'of the start');
      this.endDamaged();
    } else if (process.hadDiskError && isOfDisk(error)) {
      coverage.count('recovery', 'exit after a disk error');
      this.end();
    } else onFailure(error);
  }

  private checkNamed(error: Error, { segment, offset }: Damage): void {
    if (!(error instanceof LogDamagedError)) throw error;
    const isNamed = error.segment === segment && error.offset <= offset;
    check(isNamed, `byte ${offset} of ${segment} is damaged, and the start says: ${error.message}`);
  }

  private endDamaged(): void {
    this.damage = undefined;
    this.end();
  }

  /** @param power Given where the power goes with the process. */
  private end(power?: Random): void {
    const { schedule, random, onFailure } = this.options;
    this.process?.end();
    this.process = undefined;
    if (power !== undefined) this.storage = this.storage.afterPowerLoss(power);
    this.storage.onOperation = undefined;
    // What was tried on a damaged disk is over too.
    this.damage = undefined;
    schedule.after(this, below(RESTART_MS, random), 'start', () => {
      this.history
        .crash(power)
        .then(() => this.startAgain())
        .catch(onFailure);
    });
  }

  private startAgain(): void {
    const { faults, coverage, acknowledged } = this.options;
    if (faults.happens('snapshotDamage') && damageSnapshot(this.storage, faults)) {
      coverage.count('fault', 'snapshotDamage');
    }
    const damage = faults.happens('bitFlip')
      ? damageLog(this.storage, acknowledged(), faults)
      : undefined;
    if (damage !== undefined) coverage.count('fault', 'bitFlip');
    this.damage = damage;
    this.start(damage?.storage);
  }

  /** Decides what goes wrong with an operation of the disk. */
  private befall(operation: Operation): number | undefined {
    const { faults, coverage, trace } = this.options;
    trace.note(`${operation.kind} ${operation.path} ${operation.sizeBytes}`);
    // A damaged disk is refused before anything else can be learned from it.
    if (this.damage !== undefined) return undefined;
    for (const kind of ['kill', 'powerLoss'] as const) {
      if (!faults.happens(kind)) continue;
      coverage.count('fault', `${kind} during ${operation.kind}`);
      this.crash(kind);
      throw new ProcessEndedError();
    }
    if (faults.happens('fullDisk')) {
      coverage.count('fault', 'fullDisk');
      this.storage.capacityBytes = usedBytes(this.storage) + faults.pick('fullDisk', 2000);
    }
    const fault = faults.ofOperation(operation);
    if (fault === undefined) return undefined;
    coverage.count('fault', fault);
    trace.note(fault);
    if (fault === 'shortWrite') return 1 + faults.pick(fault, operation.sizeBytes - 1);
    throw new DiskError(fault);
  }
}

/** Whether a process that ends with this error was let down by its disk. */
function isOfDisk(error: Error & { readonly code?: string }): boolean {
  return (
    error instanceof DiskError ||
    error instanceof LogFailedError ||
    error.code === 'ENOSPC' ||
    error.message.startsWith('The disk took none')
  );
}
