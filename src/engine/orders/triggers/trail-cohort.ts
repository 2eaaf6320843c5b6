import { type ElementHashes, mix, mixNumber } from '../../digest.ts';
import type { Side } from '../../terms.ts';
import { hashMember, mergeGroups, type Trail, TrailGroup } from './trail.ts';
import { insert, isBefore, remove } from './trail-heap.ts';

/** Lower than every key, and the key of no price. */
export const NO_KEY = Number.NEGATIVE_INFINITY;

/** The side of a market that a cohort belongs to. */
interface CohortSide {
  readonly market: { readonly index: number };
  readonly side: Side;
  /** Turns prices into keys, see TrailingSide. */
  readonly sign: 1 | -1;
  follow(cohort: TrailCohort, trail: Trail, best: number): number;
}

/**
 * Trailing stops of one side to which the same moves of the last price apply, in groups with the same best price. A new
 * best price replaces that of all groups below it, which become one group, so a trade moves any number of triggers in
 * the time of a few; what it merges was placed at different prices before, so all merges together cost no more than the
 * placements. In a group the order with the shortest distance is triggered first, whatever the best price is.
 */
export class TrailCohort {
  /** By best price, the best first. None is empty. */
  readonly groups: TrailGroup[] = [];
  /**
   * A heap of the same groups, by the order of each that is triggered first: the nearest trigger, then distances in
   * price units, then the smallest percentage, then the oldest order.
   */
  private byTrigger: TrailGroup | null = null;
  size = 0;
  /** Sum of the hashes of the orders. */
  members = 0;

  constructor(
    private readonly owner: CohortSide,
    /** Number of moves of its side before its orders joined, since the process started. */
    public number: number,
  ) {}

  /** Key of the nearest trigger. */
  get nearest(): number {
    return this.byTrigger === null ? NO_KEY : -this.byTrigger.key;
  }

  /** The order that is triggered first; null if there is none. */
  get first(): Trail | null {
    return this.byTrigger === null ? null : this.byTrigger.first;
  }

  /** Key of the worst best price of all; the first that a new last price replaces. */
  get lowestBest(): number {
    const last = this.groups.at(-1);
    return last === undefined ? Number.POSITIVE_INFINITY : last.best * this.owner.sign;
  }

  follow(trail: Trail, best: number): number {
    return this.owner.follow(this, trail, best);
  }

  add(trail: Trail, hashes: ElementHashes): void {
    const best = trail.bestPrice;
    const place = this.findPlace(best * this.owner.sign);
    const found = this.groups[place];
    const isNew = found?.best !== best;
    const group = isNew ? new TrailGroup(best) : found;
    if (isNew) this.groups.splice(place, 0, group);
    else this.leave(group, hashes);
    group.add(trail);
    this.enter(group, hashes);
    this.count(1, hashMember(trail));
  }

  remove(trail: Trail, group: TrailGroup, hashes: ElementHashes): void {
    this.leave(group, hashes);
    group.take(trail);
    this.count(-1, -hashMember(trail));
    if (group.size > 0) this.enter(group, hashes);
    else this.groups.splice(this.findPlace(group.best * this.owner.sign), 1);
  }

  /** Adds a group, which becomes one with the group of its best price, if any. */
  addGroup(group: TrailGroup, hashes: ElementHashes): void {
    const { size, members } = group;
    const place = this.findPlace(group.best * this.owner.sign);
    const found = this.groups[place];
    if (found?.best === group.best) {
      this.leave(found, hashes);
      const merged = mergeGroups(found, group);
      this.groups[place] = merged;
      this.enter(merged, hashes);
    } else {
      this.groups.splice(place, 0, group);
      this.enter(group, hashes);
    }
    this.count(size, members);
  }

  /** Merges all groups with a worse best price than the new one. @returns Whether there are any. */
  raise(key: number, hashes: ElementHashes): boolean {
    const { groups } = this;
    if (this.lowestBest >= key) return false;
    let merged = groups.pop()!;
    this.leave(merged, hashes);
    while (this.lowestBest <= key) {
      const other = groups.pop()!;
      this.leave(other, hashes);
      merged = mergeGroups(merged, other);
    }
    merged.best = key * this.owner.sign;
    groups.push(merged);
    this.enter(merged, hashes);
    return true;
  }

  /** Moves all orders of the smaller of two cohorts to the other one, which it returns. */
  merge(other: TrailCohort, hashes: ElementHashes): TrailCohort {
    const [kept, moved] = this.groups.length < other.groups.length ? [other, this] : [this, other];
    for (const group of moved.groups) {
      moved.leave(group, hashes);
      kept.addGroup(group, hashes);
    }
    return kept;
  }

  forEach(visit: (trail: Trail) => void): void {
    for (const group of this.groups) group.forEach(visit);
  }

  /** Whether a group is where its best price and its orders place it. */
  isInPlace(group: TrailGroup): boolean {
    const { key, id, parent } = group;
    const isListed = this.groups[this.findPlace(group.best * this.owner.sign)] === group;
    const isAfterParent = parent === null ? this.byTrigger === group : isBefore(parent, group);
    const { first } = group;
    const isByFirst = id === first.id && key === -this.triggerKey(group, first);
    return isListed && isAfterParent && isByFirst;
  }

  /** Returns the sum of the hashes of all groups, computed from their orders. */
  countDigest(): number {
    let sum = 0;
    for (const group of this.groups) {
      let members = 0;
      group.forEach((trail) => {
        members = (members + hashMember(trail)) | 0;
      });
      sum = (sum + this.hash({ best: group.best, members })) | 0;
    }
    return sum;
  }

  private enter(group: TrailGroup, hashes: ElementHashes): void {
    const { first } = group;
    group.cohort = this;
    group.tie = first.terms.basisPoints;
    group.id = first.id;
    group.key = -this.triggerKey(group, first);
    this.byTrigger = insert(this.byTrigger, group);
    hashes.include(this.hash(group));
  }

  private leave(group: TrailGroup, hashes: ElementHashes): void {
    this.byTrigger = remove(this.byTrigger!, group);
    hashes.exclude(this.hash(group));
  }

  private count(size: number, members: number): void {
    this.size += size;
    this.members = (this.members + members) | 0;
  }

  private triggerKey(group: TrailGroup, trail: Trail): number {
    return group.triggerPrice(trail) * this.owner.sign;
  }

  /** Returns the index of the group with this best price, or the index to insert it at. */
  private findPlace(key: number): number {
    const { groups } = this;
    let low = 0;
    let high = groups.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (groups[middle]!.best * this.owner.sign > key) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  private hash({ best, members }: Pick<TrailGroup, 'best' | 'members'>): number {
    const { market, side } = this.owner;
    return mix(mixNumber(mix(mix(34, market.index), side), best), members);
  }
}
