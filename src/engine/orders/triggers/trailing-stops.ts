import type { ElementHashes } from '../../digest.ts';
import { NONE, Side } from '../../terms.ts';
import type { Trail } from './trail.ts';
import { type TrailedMarket, TrailingSide } from './trailing-side.ts';

/** The pending trailing stops of one market. */
export class TrailingStops {
  readonly buys: TrailingSide;
  readonly sells: TrailingSide;

  constructor(market: TrailedMarket) {
    this.buys = new TrailingSide(market, Side.buy);
    this.sells = new TrailingSide(market, Side.sell);
  }

  get size(): number {
    return this.buys.size + this.sells.size;
  }

  /** Number of changes of triggers; not part of the state. */
  get changes(): number {
    return this.buys.changes + this.sells.changes;
  }

  add(trail: Trail, hashes: ElementHashes): void {
    this.findSide(trail).add(trail, hashes);
  }

  remove(trail: Trail, hashes: ElementHashes): void {
    this.findSide(trail).remove(trail, hashes);
  }

  /** Returns whether a price has triggered an order, so that it will run. */
  isTriggered(trail: Trail): boolean {
    return this.findSide(trail).findTriggeringMove(trail) !== null;
  }

  /** Slot of the order that a delisting ends first if none is triggered, NONE if there is none. */
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
