import type { Event } from '../src/engine/event.ts';
import { LogDamagedError, LogFailedError } from '../src/log/errors.ts';
import type { Batch } from '../src/log/log.ts';
import type { GuardedClock } from '../src/monitoring/clock.ts';
import { type Operation, SimulatedStorage } from '../src/testing/simulated-storage.ts';
import type { Coverage } from './coverage.ts';
import {
  checkEnd,
  checkRestored,
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
  /** Returns the number of batches known to be durable. */
  readonly acknowledged: () => number;
  readonly onBatch: (batch: Batch) => void;
  readonly onEvents: (events: readonly Event[]) => void;
  /** Called when a process has recovered and serves. */
  readonly onServing: (process: Process) => void;
  /** Called when an invariant is violated. */
  readonly onFailure: (error: Error) => void;
}

/** An operation that the simulated disk failed. */
class DiskError extends Error {
  override readonly name = 'DiskError';
}

/** Ways in which a process ends without being asked to. */
export type CrashKind = 'kill' | 'powerLoss';

const RESTART_MS = 50;

/** The simulated computer: a disk, and a process that is restarted whenever it ends. */
export class Machine {
  readonly history = new HistoryFiles();
  process: Process | undefined;
  private storage = new SimulatedStorage();
  private readonly segmentBytes: number;
  /** Set if the process runs on a damaged copy of the disk, which it must refuse. */
  private damage: Damage | undefined;

  constructor(private readonly options: MachineOptions) {
    this.segmentBytes = 600 + below(8_000, options.random);
  }

  /** Starts a process on the current disk. */
  start(storage = this.storage): void {
    const { options } = this;
    storage.onOperation = (operation) => this.injectFault(operation);
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

  /** Ends the process immediately, with or without a power loss. */
  crash(kind: CrashKind): void {
    const { process, options } = this;
    if (process === undefined) return;
    const when = process.isServing ? 'serving' : 'starting';
    options.coverage.count('crash', `${kind} while ${when}`);
    options.trace.note(`${kind} while ${when}`);
    this.end(kind === 'powerLoss' ? options.faults.random(kind) : undefined);
  }

  /**
   * Stops the process in order and starts another.
   * @returns False if it crashed before it had stopped.
   */
  async restart(process: Process): Promise<boolean> {
    await process.stop();
    if (process !== this.process) return false;
    this.options.coverage.count('recovery', 'orderly stop');
    this.end();
    return true;
  }

  /** Removes its files from the real disk. */
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
    // The recovery did not need the damaged bytes. A reader of them must get an error.
    try {
      for (const _ of process.batches());
      check(
        false,
        `a flipped bit at byte ${this.damage.offset} of ${this.damage.segment} went unnoticed`,
      );
    } catch (error) {
      this.checkNamed(error as Error, this.damage);
      coverage.count('refusal', 'by a reader of the damaged bytes');
      this.endDamaged();
    }
  }

  /** Checks that a process which exited by itself did so because of a disk error. */
  noteExit(process: Process, error: Error): void {
    if (!process.isAlive || error instanceof ProcessEndedError) return;
    process.hasFailed = true;
    const { coverage, trace, acknowledged, onFailure } = this.options;
    trace.note(`exit: ${error.name}`);
    if (this.damage !== undefined && error instanceof LogDamagedError) {
      try {
        this.checkNamed(error, this.damage);
        checkRestored(this.damage, acknowledged());
      } catch (failure) {
        onFailure(failure as Error);
        return;
      }
      coverage.count('refusal', 'of the start');
      this.endDamaged();
    } else if (process.hadDiskError && isDiskError(error)) {
      coverage.count('recovery', 'exit after a disk error');
      this.end();
    } else onFailure(error);
  }

  private checkNamed(error: Error, { segment, offset }: Damage): void {
    if (!(error instanceof LogDamagedError)) throw error;
    const isNamed = error.segment === segment && error.offset <= offset;
    check(
      isNamed,
      `byte ${offset} of ${segment} is damaged, and the start reports: ${error.message}`,
    );
  }

  private endDamaged(): void {
    this.damage = undefined;
    this.end();
  }

  /** @param power The randomness of a power loss; undefined if only the process ends. */
  private end(power?: Random): void {
    const { schedule, random, onFailure } = this.options;
    this.process?.end();
    this.process = undefined;
    if (power !== undefined) this.storage = this.storage.afterPowerLoss(power);
    this.storage.onOperation = undefined;
    // A damaged disk is a copy that no later process uses.
    this.damage = undefined;
    schedule.after(this, below(RESTART_MS, random), 'start', () => {
      this.history
        .crash(power)
        .then(() => this.restartProcess())
        .catch(onFailure);
    });
  }

  private restartProcess(): void {
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

  /** Decides the fault of a disk operation. @returns The bytes of a short write. @throws DiskError or ProcessEndedError. */
  private injectFault(operation: Operation): number | undefined {
    const { faults, coverage, trace } = this.options;
    trace.note(`${operation.kind} ${operation.path} ${operation.sizeBytes}`);
    // A damaged disk gets no further faults: they would hide whether the damage is found.
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
    const fault = faults.forOperation(operation);
    if (fault === undefined) return undefined;
    coverage.count('fault', fault);
    trace.note(fault);
    if (fault === 'shortWrite') return 1 + faults.pick(fault, operation.sizeBytes - 1);
    throw new DiskError(fault);
  }
}

/** Whether the disk caused this error. */
function isDiskError(error: Error & { readonly code?: string }): boolean {
  return (
    error instanceof DiskError ||
    error instanceof LogFailedError ||
    error.code === 'ENOSPC' ||
    error.message.startsWith('The disk took none')
  );
}
