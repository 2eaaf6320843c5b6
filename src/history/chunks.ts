import type { Command } from '../engine/command.ts';
import type { Event, Outcome } from '../engine/event.ts';
import { InvariantError } from '../engine/rejection.ts';
import { equalHashes } from '../log/hash.ts';
import { isAudited } from './audit.ts';
import { HistoryForeignError, HistoryUnavailableError } from './errors.ts';
import { PendingRows, type Remembered } from './pending.ts';
import type { Position } from './writer.ts';

const SECOND_MS = 1000;
/**
 * A chunk ends at every one of these too: a clock that was ahead and is put right lets the log's time stand still for
 * as long. What so many batches of the most commands come to is well below what may wait.
 */
const LAST_OF = 128;
/** A transaction holds no more than this, but for a chunk that does: a second or two of work. */
const ROWS_PER_COMMIT = 50_000;
export const MOST_PENDING_BYTES = 256 * 1024 * 1024;

/**
 * Batches that follow each other, of one second of the log's time and not too many. Where it ends is a matter of the batches
 * alone, so every node that records the log makes the same chunks, whenever it began to.
 */
interface Chunk {
  readonly first: number;
  readonly second: number;
  /** What was recorded, in order; more is added to the last part only. */
  readonly parts: PendingRows[];
}

interface ClosedChunk extends Chunk {
  readonly end: Position;
}

/** What is to be committed together. */
export interface Due {
  readonly from: Position;
  readonly to: Position;
  readonly parts: readonly PendingRows[];
}

/** What was recorded and is not known to be in the store, in chunks. */
export class Chunks {
  /** Oldest first. Those up to `base` are kept only while a question may need them. */
  private closed: ClosedChunk[] = [];
  private open: Chunk | undefined;
  /** The last batch that was begun. */
  private latest: Position;
  /** Where the store stands, as far as this process has been. */
  private base: Position;
  /** Where the store was last seen. */
  private stored: Position;
  /** Where the store stood at least when each question under way began. */
  private readonly pins = new Set<{ readonly sequence: number }>();
  private readonly waiting = new Map<() => void, number>();
  private closedBytes = 0;
  private lost: string | undefined;

  constructor(
    stored: Position,
    private lastAuditId: number,
    private readonly mostBytes = MOST_PENDING_BYTES,
  ) {
    this.latest = stored;
    this.base = stored;
    this.stored = stored;
  }

  /** Where the store was last seen; it may be ahead of what was recorded here. */
  get position(): Position {
    return this.stored;
  }

  /** Whether what could be put into the store is far from the bound. */
  get hasRoom(): boolean {
    return this.closedBytes < this.mostBytes / 2;
  }

  /** Why what was recorded cannot be put into the store by this process any more. */
  get lostBecause(): string | undefined {
    return this.lost;
  }

  /** A batch whose commands are recorded next. @throws HistoryForeignError */
  begin({ sequence, hash, time }: Position & { readonly time: number }): void {
    if (sequence !== this.latest.sequence + 1) {
      throw new InvariantError(
        `history holds all before batch ${this.latest.sequence + 1} and was given batch ${sequence}`,
      );
    }
    const second = Math.floor(time / SECOND_MS);
    if (this.open !== undefined && (this.open.second !== second || isLast(this.latest.sequence)))
      this.close(this.open);
    this.latest = { sequence, hash: hash.slice() };
    if (this.lost === undefined && this.bytes() > this.mostBytes) {
      this.lose(`more than ${this.mostBytes / 2 ** 20} MiB waited for it`);
    }
    this.open ??= { first: sequence, second, parts: [new PendingRows()] };
    // They go on once the batch is applied: nothing waits within one.
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
    if (isAudited(command)) {
      this.lastAuditId++;
      if (this.lost !== undefined) return;
      rows.addAudit({ id: this.lastAuditId, sequence, index, time }, command, outcome);
    }
    if (this.lost === undefined) rows.addEvents(sequence, events, remembered);
  }

  /** Takes note of where the store stands. @throws HistoryForeignError */
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

  /** The oldest chunks that are not in the store; undefined where there are none that are closed. */
  due(): Due | undefined {
    const parts: PendingRows[] = [];
    let to: Position | undefined;
    let rows = 0;
    for (const chunk of this.closed) {
      if (chunk.end.sequence <= this.base.sequence) continue;
      rows += chunk.parts.reduce((sum, part) => sum + part.rows, 0);
      if (to !== undefined && rows > ROWS_PER_COMMIT) break;
      parts.push(...chunk.parts);
      to = chunk.end;
    }
    return to === undefined ? undefined : { from: this.base, to, parts };
  }

  /** Keeps what is behind the store's place of now, or any later one, until what this returns is called. */
  pin(): () => void {
    const pin = { sequence: this.base.sequence };
    this.pins.add(pin);
    return () => {
      this.pins.delete(pin);
      this.forget();
    };
  }

  /** Waits until a batch was recorded, at most so long. @throws HistoryUnavailableError */
  async reached(sequence: number, timeoutMs: number): Promise<void> {
    if (sequence <= this.latest.sequence) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, timeoutMs);
    this.waiting.set(resolve, sequence);
    await promise;
    clearTimeout(timer);
    this.waiting.delete(resolve);
    if (sequence > this.latest.sequence) {
      throw new HistoryUnavailableError(`this node has not come as far as it, batch ${sequence}`);
    }
  }

  /** All that was recorded behind a place of the store, as it is now: it does not change any more. */
  behind({ sequence }: Position): PendingRows[] {
    if (this.lost !== undefined) throw new HistoryUnavailableError(this.lost);
    const chunks: Chunk[] = this.closed.filter(({ end }) => end.sequence > sequence);
    if (this.open !== undefined && this.latest.sequence > sequence) chunks.push(this.open);
    const isWhole =
      sequence === this.latest.sequence || (chunks[0] && chunks[0].first === sequence + 1);
    if (!isWhole) throw new HistoryUnavailableError(`batch ${sequence} ends no chunk here`);
    const parts = chunks.flatMap((chunk) => chunk.parts).filter(({ rows }) => rows > 0);
    const last = this.open?.parts.at(-1);
    if (last !== undefined && last.rows > 0) this.open!.parts.push(new PendingRows());
    return parts;
  }

  private close(open: Chunk): void {
    const chunk = { ...open, end: this.latest };
    this.open = undefined;
    if (this.lost !== undefined) return;
    this.closed.push(chunk);
    this.closedBytes += bytesOf(chunk);
    this.compare(chunk.first, chunk.end);
    this.forget();
  }

  /** What the store's place says of a chunk: it is there, or not yet. */
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
      this.closedBytes -= bytesOf(this.closed[count++]!);
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
    return this.closedBytes + (this.open === undefined ? 0 : bytesOf(this.open));
  }
}

function isLast(sequence: number): boolean {
  return sequence % LAST_OF === 0;
}

/** The store holds another batch where this process's log has one of its own. */
function differsAt(sequence: number): HistoryForeignError {
  return new HistoryForeignError(
    `History was written from another log, or this node computed another: at batch ${sequence} the two differ.`,
  );
}

function bytesOf({ parts }: Chunk): number {
  return parts.reduce((sum, { bytes }) => sum + bytes, 0);
}
