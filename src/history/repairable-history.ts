import type { Command } from '../engine/command.ts';
import type { Event, Outcome } from '../engine/event.ts';
import { damageOf, type HistoryDamagedError, HistoryRebuildingError } from './errors.ts';
import type { History, Recorder } from './history.ts';
import type { Remembered } from './pending.ts';
import type { HistoryReader } from './reader.ts';
import type { Position } from './writer.ts';

const NOTHING: Position = { sequence: 0, hash: new Uint8Array(32) };

/**
 * History in a file that can be rebuilt from the log. Damage to the file does not stop the process: the question that
 * found it is refused, and `onDamage` is called. While there is no file to use, nothing is recorded and every question
 * is refused; the rebuilt history takes its place later.
 */
export class RepairableHistory implements Recorder {
  readonly isWriter = true;
  readonly isShared = false;
  readonly hasRoom = true;
  /** Rows may be missing: what it does not know may have happened all the same. */
  isDamaged = false;
  private readonly onDamage: (damage: HistoryDamagedError) => void;

  /**
   * @param current Undefined where there is none to use.
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

  /** Whether questions can be answered, in so far as their rows are whole. */
  get isThere(): boolean {
    return this.current !== undefined;
  }

  position(): Position {
    return this.current?.position() ?? NOTHING;
  }

  begin(batch: Position): void {
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

  /** A history that can no longer be written is given up. */
  async settle(): Promise<void> {
    try {
      await this.current?.settle();
    } catch (error) {
      const damage = damageOf(error);
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
      const damage = damageOf(error);
      if (damage === undefined) throw error;
      this.onDamage(damage);
      throw damage;
    }
  }

  /** Closes the file in use, however damaged; there is none to use after it. */
  async release(): Promise<void> {
    const { current } = this;
    this.current = undefined;
    try {
      await current?.close();
    } catch (error) {
      // Closing writes to a file that is about to be replaced.
      if (damageOf(error) === undefined) throw error;
    }
  }

  /** Records into this one and answers from it, from now on. */
  use(history: History): void {
    this.current = history;
    this.isDamaged = false;
  }

  close(): Promise<void> {
    return this.release();
  }
}
