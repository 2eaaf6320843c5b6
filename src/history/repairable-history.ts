import type { Command } from '../engine/command.ts';
import type { Event, Outcome } from '../engine/event.ts';
import type { DetectorRecord, FoundAlert } from '../surveillance/alert.ts';
import { type HistoryDamagedError, HistoryRebuildingError, toDamage } from './errors.ts';
import type { History, Recorder } from './history.ts';
import type { HistoryReader } from './queries/reader.ts';
import type { Remembered } from './writer/pending.ts';
import type { Position } from './writer/writer.ts';

const NOTHING: Position = { sequence: 0, hash: new Uint8Array(32) };

/**
 * History in a file that can be rebuilt from the log. Damage to the file does not stop the process: the query that found
 * it is rejected, and `onDamage` is called. While there is no usable file, nothing is recorded and every query is rejected,
 * until the rebuilt history replaces it.
 */
export class RepairableHistory implements Recorder {
  readonly isWriter = true;
  readonly isShared = false;
  readonly hasCapacity = true;
  /** Whether rows may be missing, so that the absence of a row proves nothing. */
  isDamaged = false;
  private save: (() => DetectorRecord[]) | undefined;
  private readonly onDamage: (damage: HistoryDamagedError) => void;

  /**
   * @param current Undefined if no file is usable.
   * @param onDamage Called with each finding.
   */
  constructor(
    private current: History | undefined,
    onDamage: (damage: HistoryDamagedError) => void,
  ) {
    this.onDamage = (damage) => {
      this.isDamaged = true;
      onDamage(damage);
    };
  }

  /** Whether there is a usable file; single rows may still be damaged. */
  get isAvailable(): boolean {
    return this.current !== undefined;
  }

  position(): Position {
    return this.current?.position() ?? NOTHING;
  }

  begin(batch: Position & { readonly time: number }): void {
    this.current?.begin(batch);
  }

  record(
    sequence: number,
    index: number,
    time: number,
    command: Command,
    outcome: Outcome,
    events: readonly Event[],
    remembered?: Remembered,
  ): void {
    this.current?.record(sequence, index, time, command, outcome, events, remembered);
  }

  addAlert(alert: FoundAlert): void {
    this.current?.addAlert(alert);
  }

  detectors(): readonly DetectorRecord[] {
    return this.current?.detectors() ?? [];
  }

  resumesFrom(): number {
    return this.current?.resumesFrom() ?? 0;
  }

  watch(save: () => DetectorRecord[]): void {
    this.save = save;
    this.current?.watch(save);
  }

  /** Gives up a history that can no longer be written. */
  async settle(isForced?: boolean): Promise<void> {
    try {
      await this.current?.settle(isForced);
    } catch (error) {
      const damage = toDamage(error);
      if (damage === undefined) throw error;
      this.onDamage(damage);
      await this.release();
    }
  }

  /** @throws HistoryDamagedError, HistoryRebuildingError */
  async read<Answer>(work: (reader: HistoryReader) => Promise<Answer>): Promise<Answer> {
    if (this.current === undefined) throw new HistoryRebuildingError();
    try {
      return await this.current.read(work);
    } catch (error) {
      const damage = toDamage(error);
      if (damage === undefined) throw error;
      this.onDamage(damage);
      throw damage;
    }
  }

  /** Closes the current file, even if it is damaged. After this there is no usable file. */
  async release(): Promise<void> {
    const { current } = this;
    this.current = undefined;
    try {
      await current?.close();
    } catch (error) {
      // Closing writes to a file that is about to be replaced.
      if (toDamage(error) === undefined) throw error;
    }
  }

  /** Replaces the current file. */
  use(history: History): void {
    this.current = history;
    if (this.save !== undefined) history.watch(this.save);
    this.isDamaged = false;
  }

  close(): Promise<void> {
    return this.release();
  }
}
