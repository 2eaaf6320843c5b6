import { SlotHeap } from '../book/slot-heap.ts';
import { mix, mixNumber } from '../digest.ts';

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

/**
 * What keys have armed by cancel-after, at most one a key and market. A heap: moving one of 100,000
 * deadlines, which every heartbeat of a key does, costs a logarithm.
 */
export class Deadlines extends SlotHeap {
  /** By slot; undefined in slots that are free. */
  private readonly armed: (Deadline | undefined)[] = [];
  private readonly places: number[] = [];
  private readonly freeSlots: number[] = [];
  private readonly slots = new Map<Deadline, number>();
  private readonly byAccount = new Map<number, Deadline[]>();

  /** When the next one is due, Infinity where none is armed. */
  get nextTime(): number {
    return this.size === 0 ? Number.POSITIVE_INFINITY : this.soonest.dueAt;
  }

  /** The one that is due next; only where there is one. */
  get soonest(): Deadline {
    return this.armed[this.first]!;
  }

  /** All of them, the soonest first. */
  all(): Deadline[] {
    return [...this.slots.keys()].sort(compare);
  }

  /** Those of an account, the soonest first. */
  of(account: number): readonly Deadline[] {
    return this.byAccount.get(account) ?? [];
  }

  arm(deadline: Deadline): void {
    const own = this.byAccount.get(deadline.account) ?? [];
    this.byAccount.set(deadline.account, own);
    own.splice(placeOf(deadline, own), 0, deadline);
    const slot = this.freeSlots.pop() ?? this.armed.length;
    this.armed[slot] = deadline;
    this.slots.set(deadline, slot);
    this.add(slot);
  }

  /** Takes out one that is armed. */
  disarm(deadline: Deadline): void {
    const own = this.byAccount.get(deadline.account)!;
    own.splice(placeOf(deadline, own), 1);
    if (own.length === 0) this.byAccount.delete(deadline.account);
    const slot = this.slots.get(deadline)!;
    this.remove(slot);
    this.slots.delete(deadline);
    this.armed[slot] = undefined;
    this.freeSlots.push(slot);
  }

  /** Whether an armed deadline stands in the heap, and not before one that is due earlier. */
  isQueued(deadline: Deadline): boolean {
    const slot = this.slots.get(deadline);
    return slot !== undefined && this.armed[slot] === deadline && this.isInPlace(slot);
  }

  protected placeOf(slot: number): number {
    return this.places[slot]!;
  }

  protected setPlace(slot: number, place: number): void {
    this.places[slot] = place;
  }

  protected isBefore(a: number, b: number): boolean {
    return compare(this.armed[a]!, this.armed[b]!) < 0;
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
