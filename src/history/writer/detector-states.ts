import { DETECTORS_VERSION, type DetectorRecord } from '../../surveillance/alert.ts';
import { select } from '../database/checksum.ts';
import type { Queries } from '../database/database.ts';
import { detectorsTable, readDetector } from '../tables/surveillance.ts';

/** States may be large, so that they are not stored with every commit. Time of the log, milliseconds. */
const SAVE_EVERY_MS = 30_000;

/** The states of detectors that a store holds, and when they are due to be stored again. */
export class DetectorStates {
  private save: (() => DetectorRecord[]) | undefined;
  private savedAt = 0;

  private constructor(
    /** The states at the start; empty if none was stored, or in another format. */
    readonly records: readonly DetectorRecord[],
    private stored: number,
  ) {}

  /** @param position The last batch in the store. */
  static async read(database: Queries, position: number): Promise<DetectorStates> {
    const rows = await select(database, detectorsTable, 'SELECT * FROM detectors');
    const records = rows.map(readDetector).filter(({ version }) => version === DETECTORS_VERSION);
    return new DetectorStates(records, records[0]?.readTo ?? position);
  }

  /** The last batch whose effects on the detectors are stored: batches after it have to be read again. */
  get resumesFrom(): number {
    return this.stored;
  }

  /** @param save Returns the states after the last batch that was applied. */
  watch(save: () => DetectorRecord[]): void {
    this.save = save;
  }

  /**
   * Returns the states if they are due to be stored.
   * @param time The log's time, milliseconds. @param isForced Whether they are due at any time.
   */
  take(time: number, isForced = false): readonly DetectorRecord[] {
    if (this.save === undefined) return [];
    if (!isForced && time - this.savedAt < SAVE_EVERY_MS) return [];
    this.savedAt = time;
    return this.save();
  }

  /** Notes states that were stored. */
  note(records: readonly DetectorRecord[]): void {
    if (records.length > 0) this.stored = records[0]!.readTo;
  }
}
