import { type ElementHashes, mix, mixNumber } from '../../digest.ts';
import { Side } from '../../terms.ts';
import { type Trail, TrailGroup, trailingTrigger } from './trail.ts';
import { forEachTrail, insert, meld, remove } from './trail-heap.ts';

const NO_KEY = Number.NEGATIVE_INFINITY;

/**
 * The trailing stops of one side of a market. Keys are prices for sells and negated prices for buys, so that the best
 * price is always the highest key, and an order is triggered by a key at or below that of its trigger.
 *
 * Orders with the same best price form a group. A new best price replaces that of all groups below it, which become
 * one group, so a trade moves any number of triggers in the time of a few; what it merges was placed at different
 * prices before, so all merges together cost no more than the placements. In a group the order with the shortest
 * distance is triggered first, whatever the best price is.
 */
export class TrailingSide {
  private readonly sign: 1 | -1;
  /** By best price, the best first. None is empty. */
  private readonly groups: TrailGroup[] = [];
  /** Orders that do not trail yet: the first to be activated comes first. */
  private waiting: Trail | null = null;
  private waitingCount = 0;
  private trailing = 0;
  /** Number of changes of triggers; not part of the state. */
  moves = 0;

  constructor(
    private readonly market: number,
    readonly side: Side,
  ) {
    this.sign = side === Side.sell ? 1 : -1;
  }

  get size(): number {
    return this.trailing + this.waitingCount;
  }

  /** Number of different best prices. */
  get groupCount(): number {
    return this.groups.length;
  }

  /** Adds an order that trails from its best price on, or waits for its activation if it has none. */
  add(trail: Trail, hashes: ElementHashes): void {
    const best = trail.bestPrice;
    if (best !== 0) {
      this.join(trail, best, hashes);
      return;
    }
    trail.key = trail.terms.activationPrice * this.sign;
    this.waiting = insert(this.waiting, trail);
    this.waitingCount++;
  }

  remove(trail: Trail, hashes: ElementHashes): void {
    const { group } = trail;
    if (group === null) {
      this.waiting = remove(this.waiting!, trail);
      this.waitingCount--;
      return;
    }
    const place = this.findPlace(group.best * this.sign);
    hashes.exclude(this.hash(group));
    this.take(trail, group);
    if (group.size === 0) this.groups.splice(place, 1);
    else hashes.include(this.hash(group));
    this.update(place);
  }

  /**
   * Follows a new last price: moves triggers, and activates orders.
   * @returns The orders that the price triggers, which leave; the nearest trigger first, then the oldest.
   */
  follow(price: number, hashes: ElementHashes): Trail[] {
    const key = price * this.sign;
    if (this.lowestBest < key) this.raise(key, price, hashes);
    const triggered = this.nearest >= key ? this.takeTriggered(key, hashes) : [];
    while (this.waiting !== null && this.waiting.key <= key) {
      const trail = this.waiting;
      this.waiting = remove(trail, trail);
      this.waitingCount--;
      this.join(trail, price, hashes);
    }
    return triggered;
  }

  /** The order that a delisting ends first: by best price, kind of distance, distance and age. */
  get first(): Trail | null {
    const [group] = this.groups;
    return group === undefined ? this.waiting : (group.byAmount ?? group.byShare);
  }

  forEach(visit: (trail: Trail) => void): void {
    for (const { byAmount, byShare } of this.groups) {
      forEachTrail(byAmount, visit);
      forEachTrail(byShare, visit);
    }
    forEachTrail(this.waiting, visit);
  }

  /** Whether an order is where its terms and its best price place it. */
  isInPlace(trail: Trail): boolean {
    const { group, parent } = trail;
    const isAfterParent =
      parent === null ||
      parent.key < trail.key ||
      (parent.key === trail.key && parent.id < trail.id);
    if (!isAfterParent) return false;
    if (group === null) return parent !== null || this.waiting === trail;
    const isListed = this.groups[this.findPlace(group.best * this.sign)] === group;
    return isListed && (parent !== null || group.byAmount === trail || group.byShare === trail);
  }

  /** Returns the sum of the hashes of all groups, computed from their orders. */
  countDigest(): number {
    let sum = 0;
    for (const group of this.groups) {
      let members = 0;
      const count = (trail: Trail) => {
        members = (members + hashMember(trail)) | 0;
      };
      forEachTrail(group.byAmount, count);
      forEachTrail(group.byShare, count);
      sum = (sum + this.hash({ best: group.best, members })) | 0;
    }
    return sum;
  }

  /** Key of the worst best price of all; the first that a new last price replaces. */
  private get lowestBest(): number {
    const { length } = this.groups;
    return length === 0 ? Number.POSITIVE_INFINITY : this.groups[length - 1]!.best * this.sign;
  }

  /** Key of the nearest trigger. */
  private get nearest(): number {
    const { length } = this.groups;
    return length === 0 ? NO_KEY : this.groups[length - 1]!.ahead;
  }

  /** Merges all groups with a worse best price than the new one. */
  private raise(key: number, price: number, hashes: ElementHashes): void {
    const { groups } = this;
    let merged = groups.pop()!;
    hashes.exclude(this.hash(merged));
    while (groups.length > 0 && this.lowestBest <= key) {
      const other = groups.pop()!;
      hashes.exclude(this.hash(other));
      merged = merge(merged, other);
    }
    merged.best = price;
    hashes.include(this.hash(merged));
    groups.push(merged);
    this.update(groups.length - 1);
    this.moves++;
  }

  private takeTriggered(key: number, hashes: ElementHashes): Trail[] {
    const { groups } = this;
    const triggered: Trail[] = [];
    let place = groups.length - 1;
    for (; place >= 0 && groups[place]!.ahead >= key; place--) {
      const group = groups[place]!;
      if (this.nearestIn(group) < key) continue;
      hashes.exclude(this.hash(group));
      for (const isShare of [false, true]) {
        for (;;) {
          const trail = isShare ? group.byShare : group.byAmount;
          const triggerKey = trail === null ? NO_KEY : this.triggerKey(trail, group);
          if (trail === null || triggerKey < key) break;
          this.take(trail, group);
          trail.key = triggerKey;
          triggered.push(trail);
        }
      }
      if (group.size === 0) groups.splice(place, 1);
      else hashes.include(this.hash(group));
    }
    this.update(place + 1);
    return triggered.sort((a, b) => b.key - a.key || a.id - b.id);
  }

  private join(trail: Trail, best: number, hashes: ElementHashes): void {
    const { groups } = this;
    const place = this.findPlace(best * this.sign);
    let group = groups[place];
    if (group?.best === best) hashes.exclude(this.hash(group));
    else {
      group = new TrailGroup(best);
      groups.splice(place, 0, group);
    }
    trail.join(group);
    trail.key = trail.terms.amount || trail.terms.basisPoints;
    if (trail.terms.amount !== 0) group.byAmount = insert(group.byAmount, trail);
    else group.byShare = insert(group.byShare, trail);
    group.size++;
    group.members = (group.members + hashMember(trail)) | 0;
    hashes.include(this.hash(group));
    this.trailing++;
    this.moves++;
    this.update(place);
  }

  /** Removes an order from its group. */
  private take(trail: Trail, group: TrailGroup): void {
    if (trail.terms.amount !== 0) group.byAmount = remove(group.byAmount!, trail);
    else group.byShare = remove(group.byShare!, trail);
    group.size--;
    group.members = (group.members - hashMember(trail)) | 0;
    this.trailing--;
    trail.leave(group.best);
  }

  /** Computes the nearest triggers again from a group on, while they change. */
  private update(from: number): void {
    const { groups } = this;
    let ahead = from === 0 ? NO_KEY : groups[from - 1]!.ahead;
    for (let place = from; place < groups.length; place++) {
      const group = groups[place]!;
      ahead = Math.max(ahead, this.nearestIn(group));
      if (group.ahead === ahead && place > from) return;
      group.ahead = ahead;
    }
  }

  private nearestIn(group: TrailGroup): number {
    const { byAmount, byShare } = group;
    const amountKey = byAmount === null ? NO_KEY : this.triggerKey(byAmount, group);
    return byShare === null ? amountKey : Math.max(amountKey, this.triggerKey(byShare, group));
  }

  private triggerKey(trail: Trail, { best }: TrailGroup): number {
    return trailingTrigger(this.side, best, trail.terms) * this.sign;
  }

  /** Returns the index of the group with this best price, or the index to insert it at. */
  private findPlace(key: number): number {
    const { groups } = this;
    let low = 0;
    let high = groups.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (groups[middle]!.best * this.sign > key) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  private hash({ best, members }: Pick<TrailGroup, 'best' | 'members'>): number {
    return mix(mixNumber(mix(mix(34, this.market), this.side), best), members);
  }
}

/** Merges the smaller of two groups into the other one, so that no order is far from its group. */
function merge(a: TrailGroup, b: TrailGroup): TrailGroup {
  const [kept, other] = a.size < b.size ? [b, a] : [a, b];
  kept.byAmount = meld(kept.byAmount, other.byAmount);
  kept.byShare = meld(kept.byShare, other.byShare);
  kept.size += other.size;
  kept.members = (kept.members + other.members) | 0;
  other.mergedInto = kept;
  return kept;
}

function hashMember(trail: Trail): number {
  return mixNumber(33, trail.id);
}
