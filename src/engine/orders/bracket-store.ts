import type { Attached, OcoLeg } from '../command.ts';
import { mix, mixNumber } from '../digest.ts';

/** What is attached to open orders, and what open orders were attached to; by slot. */
export class BracketStore {
  private readonly attached = new Map<number, Attached>();
  private readonly parents = new Map<number, number>();

  /**
   * An order that something is attached to may have ended since `activateBrackets` looked last, and
   * among which events that is to be looked for; both within one command.
   */
  mayBeDue = false;
  seenEvents = 0;

  get size(): number {
    return this.attached.size + this.parents.size;
  }

  /** Null where nothing is. */
  of(slot: number): Attached | null {
    return this.attached.get(slot) ?? null;
  }

  /** Id of the order that this one was attached to, 0 where there is none. */
  parentOf(slot: number): number {
    return this.parents.get(slot) ?? 0;
  }

  attach(slot: number, attached: Attached): void {
    this.attached.set(slot, attached);
  }

  setParent(slot: number, parentId: number): void {
    this.parents.set(slot, parentId);
  }

  detach(slot: number): void {
    this.attached.delete(slot);
  }

  forget(slot: number): void {
    this.attached.delete(slot);
    this.parents.delete(slot);
  }

  /** In no order. */
  forEachAttached(visit: (slot: number, attached: Attached) => void): void {
    for (const [slot, attached] of this.attached) visit(slot, attached);
  }

  /** In no order. */
  forEachParent(visit: (slot: number, parentId: number) => void): void {
    for (const [slot, parentId] of this.parents) visit(slot, parentId);
  }
}

export function hashBracketLegs(orderId: number, { takeProfit, stopLoss }: Attached): number {
  return mixLeg(mixLeg(mixNumber(mix(24, 1), orderId), takeProfit), stopLoss);
}

function mixLeg(hash: number, leg: OcoLeg | null): number {
  return leg === null ? mix(hash, 0) : mixNumber(mixNumber(hash, leg.price), leg.triggerPrice);
}

export function hashParent(orderId: number, parentId: number): number {
  return mixNumber(mixNumber(mix(25, 1), orderId), parentId);
}
