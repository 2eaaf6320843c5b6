import { mix, mixNumber } from '../../digest.ts';

/** The link from one leg of an OCO order to the other. */
export interface OcoLink {
  /** Slot of the other leg. */
  readonly other: number;
  /** Whether this leg has the shared hold, the larger of what the two legs need. */
  readonly holds: boolean;
}

/** Links between the legs of open OCO orders, by slot. */
export class OcoLinks {
  private readonly links = new Map<number, OcoLink>();

  /** Number of linked orders, two per OCO order. */
  get size(): number {
    return this.links.size;
  }

  get(slot: number): OcoLink | undefined {
    return this.links.get(slot);
  }

  link(holding: number, other: number): void {
    this.links.set(holding, { other, holds: true });
    this.links.set(other, { other: holding, holds: false });
  }

  unlink(slot: number): void {
    this.links.delete(this.links.get(slot)!.other);
    this.links.delete(slot);
  }

  /** Visits every OCO order once, in no particular order. */
  forEachOco(visit: (holding: number, other: number) => void): void {
    for (const [slot, { other, holds }] of this.links) if (holds) visit(slot, other);
  }
}

export function hashOco(holdingId: number, otherId: number): number {
  return mixNumber(mixNumber(mix(15, 1), holdingId), otherId);
}
