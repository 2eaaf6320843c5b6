import { mix, mixNumber } from './digest.ts';

/** Until when a key must be heard of again, or what it has placed is canceled. */
export interface Deadline {
  readonly account: number;
  /** NONE for what the account placed without one. */
  readonly key: number;
  /** NONE for every market. */
  readonly market: number;
  /** Milliseconds since 1970. */
  readonly dueAt: number;
}

/** What keys have armed by cancel-after, the soonest first; at most one a key and market. */
export class Deadlines {
  private readonly queue: Deadline[] = [];
  private readonly byAccount = new Map<number, Deadline[]>();

  /** When the next one is due, Infinity where none is armed. */
  get nextTime(): number {
    return this.queue.length === 0 ? Number.POSITIVE_INFINITY : this.queue[0]!.dueAt;
  }

  /** The one that is due next; only where there is one. */
  get first(): Deadline {
    return this.queue[0]!;
  }

  get size(): number {
    return this.queue.length;
  }

  all(): readonly Deadline[] {
    return this.queue;
  }

  /** Those of an account, the soonest first. */
  of(account: number): readonly Deadline[] {
    return this.byAccount.get(account) ?? [];
  }

  add(deadline: Deadline): void {
    const own = this.byAccount.get(deadline.account) ?? [];
    this.byAccount.set(deadline.account, own);
    own.splice(placeOf(deadline, own), 0, deadline);
    this.queue.splice(placeOf(deadline, this.queue), 0, deadline);
  }

  /** Takes out one that is in. */
  remove(deadline: Deadline): void {
    const own = this.byAccount.get(deadline.account)!;
    own.splice(placeOf(deadline, own), 1);
    if (own.length === 0) this.byAccount.delete(deadline.account);
    this.queue.splice(placeOf(deadline, this.queue), 1);
  }
}

/** Where it stands in a sorted list, or would. */
function placeOf(deadline: Deadline, list: readonly Deadline[]): number {
  let from = 0;
  let to = list.length;
  while (from < to) {
    const middle = (from + to) >> 1;
    if (compare(list[middle]!, deadline) < 0) from = middle + 1;
    else to = middle;
  }
  return from;
}

function compare(a: Deadline, b: Deadline): number {
  return a.dueAt - b.dueAt || a.account - b.account || a.key - b.key || a.market - b.market;
}

export function hashDeadline({ account, key, market, dueAt }: Deadline): number {
  return mixNumber(mix(mix(mix(20, account), key), market), dueAt);
}
