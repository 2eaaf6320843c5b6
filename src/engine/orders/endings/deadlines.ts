import { SlotHeap } from '../../book/slot-heap.ts';
import { mix, mixNumber } from '../../digest.ts';

/** The time by which a key must send a heartbeat, or its open orders are canceled. */
export interface Deadline {
  readonly account: number;
  /** NONE for orders that the account placed without a key. */
  readonly key: number;
  /** NONE for every market. */
  readonly market: number;
  /** Milliseconds since 1970. */
  readonly dueAt: number;
}

/**
 * The deadlines armed by cancel-after, at most one per key and market. In a heap, because every
 * heartbeat moves a deadline and there may be 100,000.
 */
export class Deadlines extends SlotHeap {
  /** By slot; undefined if the slot is free. */
  private readonly armed: (Deadline | undefined)[] = [];
  private readonly places: number[] = [];
  private readonly freeSlots: number[] = [];
  private readonly slots = new Map<Deadline, number>();
  private readonly byAccount = new Map<number, Deadline[]>();

  /** Time of the earliest deadline, in milliseconds since 1970; Infinity if none is armed. */
  get nextTime(): number {
    return this.size === 0 ? Number.POSITIVE_INFINITY : this.soonest.dueAt;
  }

  /** The earliest deadline; there must be one. */
  get soonest(): Deadline {
    return this.armed[this.first]!;
  }

  /** Returns all deadlines, the earliest first. */
  all(): Deadline[] {
    return [...this.slots.keys()].sort(compare);
  }

  /** Returns the deadlines of an account, the earliest first. */
  get(account: number): readonly Deadline[] {
    return this.byAccount.get(account) ?? [];
  }

  arm(deadline: Deadline): void {
    const own = this.byAccount.get(deadline.account) ?? [];
    this.byAccount.set(deadline.account, own);
    own.splice(findPlace(deadline, own), 0, deadline);
    const slot = this.freeSlots.pop() ?? this.armed.length;
    this.armed[slot] = deadline;
    this.slots.set(deadline, slot);
    this.add(slot);
  }

  /** Removes an armed deadline. */
  disarm(deadline: Deadline): void {
    const own = this.byAccount.get(deadline.account)!;
    own.splice(findPlace(deadline, own), 1);
    if (own.length === 0) this.byAccount.delete(deadline.account);
    const slot = this.slots.get(deadline)!;
    this.remove(slot);
    this.slots.delete(deadline);
    this.armed[slot] = undefined;
    this.freeSlots.push(slot);
  }

  /** Returns whether a deadline is in the heap and not before an earlier one. */
  isQueued(deadline: Deadline): boolean {
    const slot = this.slots.get(deadline);
    return slot !== undefined && this.armed[slot] === deadline && this.isInPlace(slot);
  }

  protected getPlace(slot: number): number {
    return this.places[slot]!;
  }

  protected setPlace(slot: number, place: number): void {
    this.places[slot] = place;
  }

  protected isBefore(a: number, b: number): boolean {
    return compare(this.armed[a]!, this.armed[b]!) < 0;
  }
}

/** Returns the index of a deadline in a sorted list, or the index to insert it at. */
function findPlace(deadline: Deadline, list: readonly Deadline[]): number {
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
