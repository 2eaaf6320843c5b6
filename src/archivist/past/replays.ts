import { Exchange } from '../../engine/exchange.ts';
import { readSnapshot } from '../../engine/snapshot/snapshot.ts';
import type { Batch, Position } from '../../log/log.ts';
import type { ArchivedLog } from '../../retention/archived-log.ts';
import type { ArchiveEntry } from '../../retention/entry.ts';
import { applyBatch, GENESIS, noteSkip, type Recovered, type Visit } from '../recovery.ts';
import { SnapshotDamagedError, type SnapshotStore } from '../snapshots/snapshots.ts';
import { KeptStates, toKept, writeBounded } from './kept-states.ts';
import type { Moment, PastFailure } from './moment.ts';

/** Commands replayed for one answer: some seconds while nothing is traded. */
const MAX_COMMANDS = 1_000_000;
/** A state is kept after this many replayed commands, about a tenth of a second of work. */
const KEEP_EVERY_COMMANDS = 50_000;
const STEP_MS = 5;

/** The log and the snapshots from which past states are replayed. */
export interface PastSource {
  /** Returns the batches after a position, up to the durable batch `through`. */
  read(
    after: { readonly sequence: number; readonly hash?: Uint8Array | undefined },
    through: number,
  ): Iterable<Batch>;
  readonly snapshots: Pick<SnapshotStore, 'sequences' | 'read'>;
  /** The archived part of the log; absent if it has none. `read` throws `SegmentNotLoadedError` there. */
  readonly archived?: Pick<ArchivedLog, 'skips' | 'archivedTo' | 'firstTime' | 'load'> | undefined;
  /** A monotonic clock, milliseconds. */
  readonly elapsedMs: () => number;
  /** Overrides the maximum number of commands replayed for one answer. */
  readonly maxCommands?: number | undefined;
  /** Overrides the number of replayed commands between two kept states. */
  readonly keepEvery?: number | undefined;
}

/** Why a replay ended: at its moment, because its visitor had seen enough, or at the maximum of commands. */
type End = 'reached' | 'unfinished';

/**
 * Replays the log to past moments with one engine, in steps of some milliseconds, because the archivist applies batches
 * between two of them. Continues from where the last replay ended, or from the nearest state before the moment: kept in memory,
 * a stored snapshot, or the beginning of the log. Replays must not overlap.
 */
export class Replays {
  private readonly kept = new KeptStates();
  private current: { exchange: Exchange; position: Position } | undefined;
  /** Commands that an operator has skipped, in the whole log; read once, because skips are appended to a stopped exchange. */
  private skips: Set<string> | undefined;
  /** Sequences of the stored snapshots that were read. */
  private readonly adopted = new Set<number>();
  private readonly maxCommands: number;
  private readonly keepEvery: number;

  constructor(private readonly source: PastSource) {
    this.maxCommands = source.maxCommands ?? MAX_COMMANDS;
    this.keepEvery = source.keepEvery ?? KEEP_EVERY_COMMANDS;
  }

  /**
   * Replays to a moment.
   * @param through The last batch that may be read.
   * @returns An empty exchange if the log begins later; the failure if the work has reached its maximum.
   */
  *to(moment: Moment, through: number): Generator<void, Recovered | PastFailure> {
    yield* this.readSkips(through);
    this.adoptSnapshots();
    const replay = this.start(moment);
    const end = yield* this.advance(replay, moment, through);
    return end === 'unfinished' ? { kind: 'unfinished' } : replay;
  }

  /** Loads an archived segment of the log, in steps of some milliseconds. @returns the error if it cannot be read */
  async *load(entry: ArchiveEntry): AsyncGenerator<void, Error | undefined> {
    let isLoaded = false;
    let failure: Error | undefined;
    const loading = this.source.archived!.load(entry).then(
      () => {
        isLoaded = true;
      },
      (error: Error) => {
        failure = error;
      },
    );
    while (!isLoaded && failure === undefined) {
      await Promise.race([loading, Bun.sleep(STEP_MS)]);
      yield;
    }
    return failure;
  }

  /** Returns the time of the first batch, milliseconds since 1970; 0 if there is none. */
  firstTime(through: number): number {
    const archivedTime = this.source.archived?.firstTime;
    if (archivedTime !== undefined) return archivedTime;
    for (const { time } of this.source.read(GENESIS, Math.min(through, 1))) return time;
    return 0;
  }

  /**
   * Continues the replay that `to` has returned to a moment, or until the maximum of commands.
   * @param through The last batch that may be read. @param visit Called with every command's outcome.
   * @param isDone Whether it has seen enough, asked after each batch.
   */
  *observe(
    moment: Moment,
    through: number,
    visit: Visit,
    isDone: () => boolean,
  ): Generator<void, void> {
    yield* this.advance(this.current!, moment, through, visit, isDone);
  }

  private *advance(
    replay: { exchange: Exchange; position: Position },
    moment: Moment,
    through: number,
    visit?: Visit,
    isDone?: () => boolean,
  ): Generator<void, End> {
    const { source } = this;
    let replayed = 0;
    let sinceKept = 0;
    let until = source.elapsedMs() + STEP_MS;
    const last = 'time' in moment ? through : Math.min(moment.position, through);
    if (replay.position.sequence >= last) return 'reached';
    for (const batch of source.read(replay.position, last)) {
      if ('time' in moment && batch.time > moment.time) break;
      if (replayed >= this.maxCommands) return 'unfinished';
      // The engine is lost if a command breaks an invariant.
      this.current = undefined;
      applyBatch(replay.exchange, batch, this.skips!, visit);
      this.current = replay;
      replay.position = { sequence: batch.sequence, hash: batch.hash };
      replayed += batch.count;
      sinceKept += batch.count;
      if (sinceKept >= this.keepEvery) {
        this.keep(replay);
        sinceKept = 0;
      }
      if (isDone?.() === true) return 'reached';
      if (source.elapsedMs() < until) continue;
      yield;
      until = source.elapsedMs() + STEP_MS;
    }
    return 'reached';
  }

  /** Keeps a state as a start of later replays, unless it is too large. */
  private keep({ exchange, position }: Recovered): void {
    const written = writeBounded(exchange, position);
    if (written !== undefined) this.kept.keep(written);
  }

  /** Returns the replica nearest to a moment and not after it. */
  private start(moment: Moment): { exchange: Exchange; position: Position } {
    const kept = this.kept.before(moment);
    const { current } = this;
    const isUsable =
      current !== undefined &&
      current.position.sequence >= (kept?.position.sequence ?? 0) &&
      ('time' in moment
        ? current.exchange.state.time <= moment.time
        : current.position.sequence <= moment.position);
    if (isUsable) return current;
    const exchange = kept === undefined ? new Exchange() : readSnapshot(kept.bytes);
    this.current = { exchange, position: kept?.position ?? GENESIS };
    return this.current;
  }

  private *readSkips(through: number): Generator<void> {
    if (this.skips !== undefined) return;
    const { elapsedMs, archived } = this.source;
    const skips = new Set<string>(archived?.skips);
    let until = elapsedMs() + STEP_MS;
    const after = { sequence: archived?.archivedTo ?? 0 };
    for (const batch of this.source.read(after, through)) {
      noteSkip(batch, skips);
      if (elapsedMs() < until) continue;
      yield;
      until = elapsedMs() + STEP_MS;
    }
    this.skips = skips;
  }

  /** Keeps the stored snapshots, which are soon replaced by newer ones. */
  private adoptSnapshots(): void {
    const { snapshots } = this.source;
    for (const sequence of snapshots.sequences()) {
      if (this.adopted.has(sequence)) continue;
      this.adopted.add(sequence);
      try {
        const { position, state } = snapshots.read(sequence);
        const kept = toKept(position, state.slice());
        if (kept !== undefined) this.kept.keep(kept);
      } catch (error) {
        // The log has everything.
        if (!(error instanceof SnapshotDamagedError)) throw error;
      }
    }
  }
}
