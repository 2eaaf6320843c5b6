import { type ElementHashes, mix, mixNumber } from '../../digest.ts';
import type { ByteReader, ByteWriter } from '../../numbers/bytes.ts';
import { Side } from '../../terms.ts';
import { type Trail, TrailGroup, trailingTrigger } from './trail.ts';
import { NO_KEY, TrailCohort } from './trail-cohort.ts';
import { insert, isBefore, remove } from './trail-heap.ts';

/** The market of a side. */
export interface TrailedMarket {
  readonly index: number;
  /** A MarketStatus. */
  readonly status: number;
}

/**
 * A last price that may have triggered orders that have not run yet. Until they all have, the orders that had joined
 * before it keep the places that they had, and what later prices do to them is recorded in further moves.
 */
export interface TrailMove {
  readonly market: TrailedMarket;
  readonly side: TrailingSide;
  /** Key of the best last price between the move before and this one; NO_KEY if it is no order's best price. */
  readonly high: number;
  /** Key of the last price. A later one may replace it if nothing else was triggered in between. */
  key: number;
  /** The orders that joined after this move and before the next one. */
  readonly next: TrailCohort;
}

/**
 * The trailing stops of one side of a market. Keys are prices for sells and negated prices for buys, so that the best
 * price is always the highest key, and an order is triggered by a key at or below that of its trigger.
 *
 * The time of a price depends neither on the number of orders that it moves nor on how many it triggers: these leave one
 * by one as they run, those of the first move first.
 */
export class TrailingSide {
  readonly sign: 1 | -1;
  /** The orders that joined before the first move. */
  private oldest = new TrailCohort(this, 0);
  /** Moves whose orders have not all run, the oldest first. */
  readonly moves: TrailMove[] = [];
  /** Number of moves whose orders have run, since the process started. */
  private endedMoves = 0;
  /** With moves: no order that joined before the last one has a best price with a lower key. */
  private lowestBest = Number.POSITIVE_INFINITY;
  /** With moves: as `high` of the next one. */
  private high = NO_KEY;
  /** Orders that do not trail yet, in groups of the same activation price: a heap, the first to be activated first. */
  private waiting: TrailGroup | null = null;
  private readonly byActivation = new Map<number, TrailGroup>();
  size = 0;
  /** Number of changes of triggers; not part of the state. */
  changes = 0;

  constructor(
    readonly market: TrailedMarket,
    readonly side: Side,
  ) {
    this.sign = side === Side.sell ? 1 : -1;
  }

  /** Number of different best prices, of each cohort. */
  get groupCount(): number {
    return this.cohorts.reduce((sum, { groups }) => sum + groups.length, 0);
  }

  /** Adds an order that trails from its best price on, or waits for its activation if it has none. */
  add(trail: Trail, hashes: ElementHashes): void {
    this.size++;
    if (trail.bestPrice === 0) this.addWaiting(trail);
    else {
      this.newest.add(trail, hashes);
      this.changes++;
    }
  }

  remove(trail: Trail, hashes: ElementHashes): void {
    this.size--;
    const group = trail.group!;
    if (group.cohort === null) this.removeWaiting(trail, group);
    else group.cohort.remove(trail, group, hashes);
  }

  /**
   * Follows a new last price: moves triggers, and activates orders.
   * @param last The last move, if a further price may replace its own because nothing was triggered after it.
   * @returns A new move if the price may trigger orders, else null.
   */
  followPrice(price: number, last: unknown, hashes: ElementHashes): TrailMove | null {
    const key = price * this.sign;
    if (this.newest.raise(key, hashes)) this.changes++;
    const move = this.findMove(key, last);
    while (this.waiting !== null && this.waiting.key <= key) this.activate(price, hashes);
    return move;
  }

  /** Returns the next order that the first move triggers, null if all have left; there must be a move. */
  get firstTriggered(): Trail | null {
    const { oldest, moves } = this;
    return oldest.nearest >= moves[0]!.key ? oldest.first : null;
  }

  /** Ends the first move, all of whose orders have left. */
  endMove(hashes: ElementHashes): void {
    const { next } = this.moves.shift()!;
    // The others followed the prices since then as they came, but for those from before they joined.
    this.oldest.raise(this.moves[0]?.high ?? this.high, hashes);
    this.oldest = this.oldest.merge(next, hashes);
    this.oldest.number = ++this.endedMoves;
    if (this.moves.length > 0) return;
    this.lowestBest = Number.POSITIVE_INFINITY;
    this.high = NO_KEY;
  }

  /** Restores a move from a snapshot. */
  restoreMove(high: number, key: number): TrailMove {
    return this.addMove(high, key);
  }

  mixInto(digest: number, { high, key, next }: TrailMove): number {
    const hash = mix(mix(mix(digest, this.market.index), this.side), next.members);
    const numbers = [high, key, this.lowestBest, this.high];
    return numbers.reduce(mixNumber, hash);
  }

  /** Writes which moves apply to which orders, and what the next one needs; there must be a move. */
  write(writer: ByteWriter): void {
    writer.number(this.lowestBest);
    writer.number(this.high);
    for (const { next } of this.moves) {
      const ids: number[] = [];
      next.forEach(({ id }) => {
        ids.push(id);
      });
      writer.uint32(next.size);
      for (const id of ids.sort((a, b) => a - b)) writer.number(id);
    }
  }

  /** Reads what `write` wrote. @param find Returns an order that was added before the moves were. */
  read(reader: ByteReader, find: (id: number) => Trail, hashes: ElementHashes): void {
    this.lowestBest = reader.number();
    this.high = reader.number();
    for (const { next } of this.moves) {
      for (let left = reader.uint32(); left > 0; left--) {
        const trail = find(reader.number());
        const best = trail.groupBest;
        this.oldest.remove(trail, trail.group!, hashes);
        trail.leave(best);
        next.add(trail, hashes);
      }
    }
  }

  /** Returns the best price of an order after the moves since it joined, up to the one that triggers it. */
  follow(cohort: TrailCohort, trail: Trail, best: number): number {
    return this.followMoves(cohort, trail, best).best;
  }

  /** Returns the move that triggers an order, null if it is pending. */
  findTriggeringMove(trail: Trail): TrailMove | null {
    const group = trail.group!;
    if (group.cohort === null) return null;
    return this.followMoves(group.cohort, trail, group.best).move;
  }

  /** The order that a delisting ends first when there are no moves: by best price, kind of distance, distance and age. */
  get first(): Trail | null {
    const group = this.oldest.groups[0] ?? this.waiting;
    return group === null ? null : (group.byAmount ?? group.byShare);
  }

  forEach(visit: (trail: Trail) => void): void {
    for (const cohort of this.cohorts) cohort.forEach(visit);
    for (const group of this.byActivation.values()) group.forEach(visit);
  }

  /** Whether an order is where its terms and its best price place it. */
  isInPlace(trail: Trail): boolean {
    const { group, parent } = trail;
    if (group === null) return false;
    const isPlaced =
      parent === null
        ? group.byAmount === trail || group.byShare === trail
        : isBefore(parent, trail);
    if (!isPlaced) return false;
    if (group.cohort === null) return this.byActivation.get(trail.terms.activationPrice) === group;
    const { cohort } = group;
    return this.cohorts.some((each) => each === cohort) && cohort.isInPlace(group);
  }

  /** Returns the sum of the hashes of all groups, computed from their orders. */
  countDigest(): number {
    return this.cohorts.reduce((sum, cohort) => (sum + cohort.countDigest()) | 0, 0);
  }

  /** The orders that no move has been recorded for; their best prices and triggers are always current. */
  private get newest(): TrailCohort {
    return this.moves.at(-1)?.next ?? this.oldest;
  }

  private get cohorts(): TrailCohort[] {
    return [this.oldest, ...this.moves.map(({ next }) => next)];
  }

  /** Records a price that may trigger orders. @returns A new move, null if there is none. */
  private findMove(key: number, last: unknown): TrailMove | null {
    const { newest } = this;
    const previous = this.moves.at(-1);
    const triggersNewest = newest.nearest >= key;
    if (previous !== undefined && key > Math.max(this.lowestBest, this.high)) {
      this.high = key;
      this.changes++;
    }
    const isRaised = this.high !== NO_KEY;
    const mayTriggerOlder = previous !== undefined && key < (isRaised ? this.high : previous.key);
    if (!triggersNewest && !mayTriggerOlder) return null;
    if (previous !== undefined && previous === last && !isRaised && !triggersNewest) {
      previous.key = key;
      return null;
    }
    const { high } = this;
    this.lowestBest = Math.min(Math.max(this.lowestBest, high), newest.lowestBest);
    this.high = NO_KEY;
    return this.addMove(high, key);
  }

  private addMove(high: number, key: number): TrailMove {
    const next = new TrailCohort(this, this.endedMoves + this.moves.length + 1);
    const move = { market: this.market, side: this, high, key, next };
    this.moves.push(move);
    return move;
  }

  private followMoves(
    cohort: { readonly number: number },
    { terms }: Trail,
    best: number,
  ): Followed {
    const { moves, side, sign } = this;
    let key = best * sign;
    const from = cohort.number - this.endedMoves;
    for (let at = from; at < moves.length; at++) {
      const move = moves[at]!;
      // Until the first move after it joined, an order has followed each price as it came.
      if (at > from) key = Math.max(key, move.high);
      const triggerKey = trailingTrigger(side, key * sign, terms) * sign;
      if (triggerKey >= move.key) return { best: key * sign, move };
    }
    if (from < moves.length) key = Math.max(key, this.high);
    return { best: key * sign, move: null };
  }

  private addWaiting(trail: Trail): void {
    const { activationPrice } = trail.terms;
    let group = this.byActivation.get(activationPrice);
    if (group === undefined) {
      group = new TrailGroup(0);
      group.key = activationPrice * this.sign;
      this.byActivation.set(activationPrice, group);
      this.waiting = insert(this.waiting, group);
    }
    group.add(trail);
  }

  private removeWaiting(trail: Trail, group: TrailGroup): void {
    group.take(trail);
    if (group.size === 0) this.dropWaiting(group);
  }

  private dropWaiting(group: TrailGroup): void {
    this.byActivation.delete(group.key * this.sign);
    this.waiting = remove(this.waiting!, group);
  }

  /** Activates the orders with the first activation price. */
  private activate(price: number, hashes: ElementHashes): void {
    const group = this.waiting!;
    this.dropWaiting(group);
    group.best = price;
    this.newest.addGroup(group, hashes);
    this.changes++;
  }
}

interface Followed {
  readonly best: number;
  /** The move that triggers the order, null for none. */
  readonly move: TrailMove | null;
}
