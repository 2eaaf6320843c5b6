import type { Exchange } from '../../engine/exchange.ts';
import { SegmentNotLoadedError } from '../../retention/archived-log.ts';
import { type PastSource, Replays } from './replays.ts';

/** Observes the commands of a period. */
export interface PeriodObserver {
  /** Notes a command that was just applied: its events are in the exchange. */
  note(): void;
  /** Notes the end of a batch. All commands of a batch have one time. */
  endBatch(): void;
}

/** A period by the log's time, milliseconds since 1970; `to` is not included. */
export interface Period {
  readonly from: number;
  readonly to: number;
}

/**
 * Replays the commands of a period, in steps of some milliseconds, and loads the archived segments of the log that this needs.
 * @param through The last batch that is read.
 * @param begin Called once with the exchange at the beginning of the period, or of the log if that is later.
 * @throws StoredDataError, ArchiveUnavailableError
 */
export async function* replayPeriod(
  source: PastSource,
  { from, to }: Period,
  through: number,
  begin: (exchange: Exchange, from: number) => PeriodObserver,
): AsyncGenerator<void, void> {
  // States on the way are not needed again.
  const unbounded = { maxCommands: Number.POSITIVE_INFINITY, keepEvery: Number.POSITIVE_INFINITY };
  const replays = new Replays({ ...source, ...unbounded });
  let observer: PeriodObserver | undefined;
  for (;;) {
    try {
      if (observer === undefined) {
        const found = yield* replays.to({ time: from - 1 }, through);
        if ('kind' in found) throw new Error(`the replay ended early: ${found.kind}`);
        const isEmpty = found.position.sequence === 0;
        const start = isEmpty ? Math.max(from, replays.firstTime(through)) : from;
        observer = begin(found.exchange, start);
      }
      const observed = observer;
      yield* replays.observe(
        { time: to - 1 },
        through,
        () => observed.note(),
        () => {
          observed.endBatch();
          return false;
        },
      );
      return;
    } catch (error) {
      if (!(error instanceof SegmentNotLoadedError)) throw error;
      const failure = yield* replays.load(error.entry);
      if (failure !== undefined) throw failure;
    }
  }
}
