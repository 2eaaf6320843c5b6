import type { OrderRecord } from '../../engine/event.ts';
import type { Exchange } from '../../engine/exchange.ts';
import { StoredDataError } from '../../monitoring/operator-error.ts';
import { ArchiveUnavailableError } from '../../retention/archive-store.ts';
import { SegmentNotLoadedError } from '../../retention/archived-log.ts';
import type { Recovered } from '../recovery.ts';
import { type FeeMark, readFeeMarks } from './fee-marks.ts';
import { writeBounded } from './kept-states.ts';
import type { Moment, PastFailure, PastState } from './moment.ts';
import { findObstacle } from './obstacle.ts';
import { OrderObserver } from './order-observer.ts';
import type { Period } from './period.ts';
import { type PastSource, Replays } from './replays.ts';
import type { Timeline } from './timeline.ts';

/** A query that is answered by replaying the log. */
export type PastQuery =
  | { readonly kind: 'stateAt'; readonly moment: Moment }
  /** The balances of the fee account in a period; undefined if the log is not in files. */
  | { readonly kind: 'feeMarks'; readonly from: number; readonly to: number }
  | { readonly kind: 'timeline'; readonly account: number; readonly orderId: number }
  /** Makes and keeps the proof of liabilities of a moment, by default of the present. */
  | { readonly kind: 'prove'; readonly moment?: Moment | undefined };

const PAST_KINDS: ReadonlySet<string> = new Set(['stateAt', 'timeline', 'prove', 'feeMarks']);

/** Returns whether a query is answered by replaying the log. */
export function isPastQuery(query: { readonly kind: string }): query is PastQuery {
  return PAST_KINDS.has(query.kind);
}

/** Archived segments of the log that one answer may load. */
const MAX_LOADED_PER_ANSWER = 4;

const NOT_IN_FILES =
  'the log of this exchange is on NATS, and past states are replayed from a log in files';

/** Answers queries about past states, which it replays from the log. */
export class Past {
  private readonly replays: Replays | undefined;

  /** @param source Undefined if the log is not in files. */
  constructor(private readonly source: PastSource | undefined) {
    this.replays = source === undefined ? undefined : new Replays(source);
  }

  /** Replays again and again, and loads the archived segments that this needs, up to a maximum. */
  async *loadSegments(replay: () => AsyncGenerator<void, unknown>): AsyncGenerator<void, unknown> {
    for (let loaded = 0; ; loaded++) {
      try {
        return yield* replay();
      } catch (error) {
        if (!(error instanceof SegmentNotLoadedError)) throw error;
        // The next request continues from there.
        if (loaded >= MAX_LOADED_PER_ANSWER) return { kind: 'unfinished' };
        const failure = yield* this.replays!.load(error.entry);
        if (failure !== undefined) return unreadable(failure);
      }
    }
  }

  /**
   * Returns the balances of the fee account in a period, in steps of some milliseconds; undefined if the log cannot be read.
   * @param through The last batch that is read.
   */
  async *feeMarks(period: Period, through: number): AsyncGenerator<void, FeeMark[] | undefined> {
    if (this.source === undefined) return undefined;
    try {
      return yield* readFeeMarks(this.source, period, through);
    } catch (error) {
      unreadable(error);
      return undefined;
    }
  }

  /** Returns the state at a moment, in steps of some milliseconds. @param present The archive's state. */
  *stateAt(moment: Moment, present: Recovered): Generator<void, PastState> {
    const found = yield* this.at(moment, present);
    return 'kind' in found ? found : toState(found);
  }

  /**
   * Returns the exchange at a moment, in steps of some milliseconds. It is changed by the next query, and if it is the present
   * one, after this step.
   */
  *at(moment: Moment, present: Recovered): Generator<void, Recovered | PastFailure> {
    const { replays } = this;
    if (replays === undefined) return { kind: 'unreadable', reason: NOT_IN_FILES };
    const { sequence } = present.position;
    const isPresent =
      'time' in moment ? moment.time >= present.exchange.state.time : moment.position >= sequence;
    if (isPresent) return present;
    try {
      const found = yield* replays.to(moment, sequence);
      if ('kind' in found || found.position.sequence > 0) return found;
      return { kind: 'beforeFirst', time: replays.firstTime(sequence) };
    } catch (error) {
      return unreadable(error);
    }
  }

  /**
   * Returns the life of an order up to a batch, in steps of some milliseconds: from a state before it was created on, every
   * command is observed.
   * @param order Its record after the batch `through`. @param present The exchange at that batch or later.
   */
  *timeline(order: OrderRecord, through: number, present: Exchange): Generator<void, Timeline> {
    const { replays } = this;
    if (replays === undefined) return { kind: 'unreadable', reason: NOT_IN_FILES };
    try {
      const found = yield* replays.to({ time: order.createdAt - 1 }, through);
      if ('kind' in found) return found;
      const { exchange } = found;
      const observer = new OrderObserver(exchange, order.id);
      yield* replays.observe(
        { position: through },
        through,
        ({ sequence }) => observer.note(sequence),
        () => observer.isDone,
      );
      const isComplete = observer.hasEnded || found.position.sequence === through;
      return {
        kind: 'timeline',
        order,
        events: observer.events,
        points: observer.points,
        isComplete,
        position: found.position.sequence,
        time: exchange.state.time,
        // If the replay did not get to the present, the archive's state shows it.
        obstacle: findObstacle((isComplete ? exchange : present).state, order.id),
      };
    } catch (error) {
      return unreadable(error);
    }
  }
}

function toState({ exchange, position }: Recovered): PastState {
  const written = writeBounded(exchange, position);
  if (written === undefined) return { kind: 'tooLarge' };
  return { kind: 'state', position: position.sequence, state: written.bytes };
}

/** @throws the error if it is not about stored data */
function unreadable(error: unknown): PastFailure {
  const isKnown = error instanceof StoredDataError || error instanceof ArchiveUnavailableError;
  if (!isKnown) throw error;
  return { kind: 'unreadable', reason: error.message };
}
