import type { ElementHashes } from '../../digest.ts';
import { NONE, Side } from '../../terms.ts';
import type { Trail } from './trail.ts';
import { TrailingSide } from './trailing-side.ts';

/** The pending trailing stops of one market. */
export class TrailingStops {
  readonly buys: TrailingSide;
  readonly sells: TrailingSide;

  constructor(market: number) {
    this.buys = new TrailingSide(market, Side.buy);
    this.sells = new TrailingSide(market, Side.sell);
  }

  get size(): number {
    return this.buys.size + this.sells.size;
  }

  /** Number of changes of triggers; not part of the state. */
  get moves(): number {
    return this.buys.moves + this.sells.moves;
  }

  add(trail: Trail, hashes: ElementHashes): void {
    this.findSide(trail).add(trail, hashes);
  }

  remove(trail: Trail, hashes: ElementHashes): void {
    this.findSide(trail).remove(trail, hashes);
  }

  /** Follows a new last price. @returns The orders that it triggers, in the order in which they run. */
  follow(price: number, hashes: ElementHashes): Trail[] {
    const { buys, sells } = this;
    const triggered = buys.size === 0 ? [] : buys.follow(price, hashes);
    return sells.size === 0 ? triggered : [...triggered, ...sells.follow(price, hashes)];
  }

  /** Slot of the order that a delisting ends first, NONE if there is none. */
  get first(): number {
    const trail = this.buys.size > 0 ? this.buys.first : this.sells.first;
    return trail === null ? NONE : trail.slot;
  }

  /** Visits the slots of all orders, the oldest first. */
  forEachOrder(visit: (slot: number) => void): void {
    for (const slot of this.inOrder()) visit(slot);
  }

  inOrder(): number[] {
    const trails: Trail[] = [];
    for (const side of [this.buys, this.sells]) {
      side.forEach((trail) => {
        trails.push(trail);
      });
    }
    return trails.sort((a, b) => a.id - b.id).map(({ slot }) => slot);
  }

  isInPlace(trail: Trail): boolean {
    return this.findSide(trail).isInPlace(trail);
  }

  countDigest(): number {
    return (this.buys.countDigest() + this.sells.countDigest()) | 0;
  }

  private findSide({ side }: Trail): TrailingSide {
    return side === Side.buy ? this.buys : this.sells;
  }
}
