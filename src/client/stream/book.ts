import { OutOfSyncError } from '../errors.ts';
import type { StreamMessage } from './topics.ts';

/** A side of a book begins with its best price: `low` for asks, `high` for bids. */
export type Best = 'low' | 'high';

/** The fields of every book's messages. */
interface BookData {
  readonly complete?: boolean;
  readonly updatedAt: string | null;
}

/** A market's book, kept current by applying every message of its channel. */
export abstract class Book<Data extends BookData> {
  /** -1 before the first message. */
  sequence = -1;
  /** Time of the last change, as ISO 8601; null if none is known. */
  updatedAt: string | null = null;
  /** Whether the whole book has arrived: a long one comes in parts. */
  isComplete = false;

  /**
   * Applies a message.
   * @throws OutOfSyncError if an update does not follow the last message, or the book differs from its checksum.
   *   `Streams` then subscribes again, so let it through.
   */
  apply({ op, prevSequence, sequence, data }: StreamMessage<Data>): void {
    if (op === 'snapshot') this.clear();
    else if (prevSequence !== this.sequence) {
      throw new OutOfSyncError(
        `the update follows ${prevSequence}, but the book is at ${this.sequence}`,
      );
    }
    this.sequence = sequence!;
    this.updatedAt = data.updatedAt;
    this.isComplete = data.complete ?? this.isComplete;
    this.change(data);
  }

  protected abstract clear(): void;
  protected abstract change(data: Data): void;
}

/** Returns the index of a price in a sorted side, or the index to insert it at. */
export function findPrice(
  side: readonly { readonly 0: number | string }[],
  price: number | string,
  best: Best,
): number {
  const sign = best === 'low' ? 1 : -1;
  let low = 0;
  let high = side.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sign * comparePrices(side[middle]![0], price) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Compares prices; texts have no sign, exponent, leading or trailing zeros. */
function comparePrices(a: number | string, b: number | string): number {
  if (typeof a === 'number' || typeof b === 'number') return Number(a) - Number(b);
  const [wholeA, fractionA = ''] = a.split('.') as [string, string?];
  const [wholeB, fractionB = ''] = b.split('.') as [string, string?];
  return wholeA.length - wholeB.length || order(wholeA, wholeB) || order(fractionA, fractionB);
}

function order(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
