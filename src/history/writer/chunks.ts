import type { Command } from '../../engine/command.ts';
import type { Event, Outcome } from '../../engine/event.ts';
import { InvariantError } from '../../engine/rejection.ts';
import { equalHashes } from '../../log/hash.ts';
import type { FoundAlert } from '../../surveillance/alert.ts';
import { HistoryForeignError, HistoryUnavailableError } from '../errors.ts';
import { toAuditRecords } from '../tables/audit.ts';
import { toReview } from '../tables/surveillance.ts';
import type { DetectorStates } from './detector-states.ts';
import { PendingRows, type Remembered } from './pending.ts';
import type { Position } from './writer.ts';

const SECOND_MS = 1000;
/**
 * A chunk also ends at every multiple of this sequence, because the log's time stands still while a clock that was ahead is
 * corrected. Even that many full batches take far less memory than the limit.
 */
const MAX_BATCHES = 128;
/** Maximum rows of a transaction, a second or two of work, unless a single chunk has more. */
const ROWS_PER_COMMIT = 50_000;
export const MAX_PENDING_BYTES = 256 * 1024 * 1024;

/**
 * Consecutive batches of one second of the log's time, up to a maximum number. The ends of chunks depend on the batches
 * alone, so every node forms the same chunks, whenever it started recording.
 */
interface Chunk {
  readonly first: number;
  readonly second: number;
  /** Recorded rows in order; new rows are added to the last part. */
  readonly parts: PendingRows[];
}

interface ClosedChunk extends Chunk {
  readonly end: Position;
}

/** Rows to be committed in one transaction. */
export interface Due {
  readonly from: Position;
  readonly to: Position;
  readonly parts: readonly PendingRows[];
  /** The log's time at `to`, whole seconds in milliseconds since 1970. */
  readonly time: number;
}

/** Recorded rows that are not known to be in the store, in chunks. */
export class Chunks {
  /** Oldest first. Chunks up to `base` are kept only while a query may need them. */
  private closed: ClosedChunk[] = [];
  private open: Chunk | undefined;
  /** The last batch passed to `begin`. */
  private latest: Position;
  /** The store's position, limited to batches that this process has recorded. */
  private base: Position;
  /** The store's last known position. */
  private stored: Position;
  /** Lower bounds of the store's position at the start of each running query. */
  private readonly pins = new Set<{ readonly sequence: number }>();
  private readonly waiting = new Map<() => void, number>();
  private closedBytes = 0;
  private lost: string | undefined;

  constructor(
    stored: Position,
    private lastAuditId: number,
    private readonly maxBytes = MAX_PENDING_BYTES,
    /** The detectors' states, which some chunks take along. */
    private readonly states?: Pick<DetectorStates, 'take'>,
  ) {
    this.latest = stored;
    this.base = stored;
    this.stored = stored;
  }

  /** The store's last known position, which may be ahead of the batches recorded here. */
  get position(): Position {
    return this.stored;
  }

  /** Whether the rows waiting for the store are far from their limit. */
  get hasCapacity(): boolean {
    return this.closedBytes < this.maxBytes / 2;
  }

  /** The reason why this process can no longer store its rows, if there is one. */
  get lossReason(): string | undefined {
    return this.lost;
  }

  /** Starts a batch, whose commands are recorded next. @throws HistoryForeignError */
  begin({ sequence, hash, time }: Position & { readonly time: number }): void {
    if (sequence !== this.latest.sequence + 1) {
      throw new InvariantError(
        `history expects batch ${this.latest.sequence + 1} and was given batch ${sequence}`,
      );
    }
    const second = Math.floor(time / SECOND_MS);
    if (this.open !== undefined && (this.open.second !== second || isLast(this.latest.sequence)))
      this.close(this.open);
    this.latest = { sequence, hash: hash.slice() };
    if (this.lost === undefined && this.bytes() > this.maxBytes) {
      this.lose(`more than ${this.maxBytes / 2 ** 20} MiB waited for it`);
    }
    this.open ??= { first: sequence, second, parts: [new PendingRows()] };
    // They continue once the batch is applied, because nothing waits within one.
    for (const [proceed, upTo] of this.waiting) if (sequence >= upTo) proceed();
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
    const rows = this.open!.parts.at(-1)!;
    const place = { id: this.lastAuditId + 1, sequence, index, time };
    const audited = toAuditRecords(place, command, outcome, events);
    this.lastAuditId += audited.length;
    if (this.lost !== undefined) return;
    rows.addAudit(audited);
    rows.addReview(toReview(place, command, outcome));
    rows.addEvents(sequence, index, events, remembered);
  }

  addAlert(alert: FoundAlert): void {
    if (this.lost === undefined) this.open!.parts.at(-1)!.addAlert(alert);
  }

  /** Records the store's position. @throws HistoryForeignError */
  absorb(stored: Position): void {
    if (stored.sequence < this.base.sequence) {
      this.lose(`it went back from batch ${this.base.sequence} to ${stored.sequence}`);
    }
    this.stored = stored;
    if (this.lost !== undefined) return;
    if (stored.sequence === this.base.sequence) this.check(this.base);
    for (const { first, end } of this.closed) {
      if (end.sequence > this.base.sequence) this.compare(first, end);
    }
    this.forget();
  }

  /** Returns the oldest closed chunks that are not in the store; undefined if there are none. */
  due(): Due | undefined {
    const parts: PendingRows[] = [];
    let to: Position | undefined;
    let time = 0;
    let rows = 0;
    for (const chunk of this.closed) {
      if (chunk.end.sequence <= this.base.sequence) continue;
      rows += chunk.parts.reduce((sum, part) => sum + part.rows, 0);
      if (to !== undefined && rows > ROWS_PER_COMMIT) break;
      parts.push(...chunk.parts);
      to = chunk.end;
      time = chunk.second * SECOND_MS;
    }
    return to === undefined ? undefined : { from: this.base, to, parts, time };
  }

  /** Keeps all rows after the store's current position until the returned function is called. */
  pin(): () => void {
    const pin = { sequence: this.base.sequence };
    this.pins.add(pin);
    return () => {
      this.pins.delete(pin);
      this.forget();
    };
  }

  /** Waits until a batch was recorded, up to a timeout. @throws HistoryUnavailableError */
  async reached(sequence: number, timeoutMs: number): Promise<void> {
    if (sequence <= this.latest.sequence) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, timeoutMs);
    this.waiting.set(resolve, sequence);
    await promise;
    clearTimeout(timer);
    this.waiting.delete(resolve);
    if (sequence > this.latest.sequence) {
      throw new HistoryUnavailableError(
        `this node has not reached its position, batch ${sequence}, yet`,
      );
    }
  }

  /** Returns the rows recorded after a position of the store. They never change. */
  after({ sequence }: Position): PendingRows[] {
    if (this.lost !== undefined) throw new HistoryUnavailableError(this.lost);
    const chunks: Chunk[] = this.closed.filter(({ end }) => end.sequence > sequence);
    if (this.open !== undefined && this.latest.sequence > sequence) chunks.push(this.open);
    const isComplete =
      sequence === this.latest.sequence || (chunks[0] && chunks[0].first === sequence + 1);
    if (!isComplete)
      throw new HistoryUnavailableError(`batch ${sequence} is not the end of a chunk here`);
    const parts = chunks.flatMap((chunk) => chunk.parts).filter(({ rows }) => rows > 0);
    const last = this.open?.parts.at(-1);
    if (last !== undefined && last.rows > 0) this.open!.parts.push(new PendingRows());
    return parts;
  }

  private close(open: Chunk): void {
    const chunk = { ...open, end: this.latest };
    const detectors = this.states?.take(open.second * SECOND_MS) ?? [];
    this.open = undefined;
    if (this.lost !== undefined) return;
    open.parts.at(-1)!.detectors = detectors;
    this.closed.push(chunk);
    this.closedBytes += countBytes(chunk);
    this.compare(chunk.first, chunk.end);
    this.forget();
  }

  /** Checks a chunk against the store's position, and advances `base` if the store has it. */
  private compare(first: number, end: Position): void {
    const { sequence } = this.stored;
    if (sequence === end.sequence) this.check(end);
    if (sequence >= first && sequence < end.sequence) throw differsAt(sequence);
    if (sequence >= end.sequence) this.base = end;
  }

  private check({ sequence, hash }: Position): void {
    if (!equalHashes(hash, this.stored.hash)) throw differsAt(sequence);
  }

  private forget(): void {
    const needed = Math.min(this.base.sequence, ...[...this.pins].map(({ sequence }) => sequence));
    let count = 0;
    while (count < this.closed.length && this.closed[count]!.end.sequence <= needed) {
      this.closedBytes -= countBytes(this.closed[count++]!);
    }
    if (count > 0) this.closed.splice(0, count);
  }

  private lose(reason: string): void {
    this.lost ??= reason;
    this.closed = [];
    this.closedBytes = 0;
    if (this.open !== undefined) this.open = { ...this.open, parts: [new PendingRows()] };
  }

  private bytes(): number {
    return this.closedBytes + (this.open === undefined ? 0 : countBytes(this.open));
  }
}

function isLast(sequence: number): boolean {
  return sequence % MAX_BATCHES === 0;
}

/** Returns the error for a store whose batch differs from this process's own. */
function differsAt(sequence: number): HistoryForeignError {
  return new HistoryForeignError(
    `History and this node differ at batch ${sequence}: history was written from another log, or one of them is damaged.`,
  );
}

function countBytes({ parts }: Chunk): number {
  return parts.reduce((sum, { bytes }) => sum + bytes, 0);
}
