import type { Exact } from '../../engine/numbers/exact.ts';
import { type Period, replayPeriod } from './period.ts';
import type { PastSource } from './replays.ts';

/** The balance of the fee account at a time, by the asset's index, minor units. */
export interface FeeMark {
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly fees: readonly Exact[];
}

/** Distance between two marks. */
const EVERY_MS = 5 * 60_000;

/**
 * Reads the balances of the fee account in a period, oldest first, from a replay in steps of some milliseconds. The first one is that of
 * the beginning of the period, or of the log if that is later.
 * @param through The last batch that is read.
 * @throws StoredDataError, ArchiveUnavailableError
 */
export async function* readFeeMarks(
  source: PastSource,
  period: Period,
  through: number,
): AsyncGenerator<void, FeeMark[]> {
  const marks: FeeMark[] = [];
  yield* replayPeriod(source, period, through, (exchange, start) => {
    const mark = (time: number) => marks.push({ time, fees: [...exchange.state.ledger.fees] });
    mark(start);
    return {
      note() {},
      endBatch() {
        const { time } = exchange.state;
        if (time >= marks.at(-1)!.time + EVERY_MS) mark(time);
      },
    };
  });
  return marks;
}
