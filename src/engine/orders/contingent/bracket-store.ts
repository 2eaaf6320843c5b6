import type { OrderDetails } from '../../book/order-details.ts';
import type { Attached, OcoLeg } from '../../command.ts';
import { mix, mixNumber } from '../../digest.ts';
import { mixOto } from '../order-terms.ts';
import { mixTrailing } from '../triggers/trailing-terms.ts';

/**
 * The legs of open bracket orders, the bracket orders that open orders are legs of, and the other legs of their OCO orders;
 * by slot.
 */
export class BracketStore {
  private readonly attached = new Map<number, Attached>();
  private readonly parents = new Map<number, number>();
  private readonly otherLegs = new Map<number, number>();

  /**
   * Whether a bracket order may have ended since `activateBrackets` last ran, and the number of
   * events that it has examined; both within one command.
   */
  mayBeDue = false;
  seenEvents = 0;
  /**
   * Ids of bracket orders whose legs a bulk cancel drops in the present command; their legs end with them instead of
   * being activated.
   */
  readonly dropped = new Set<number>();

  get size(): number {
    return this.attached.size + this.parents.size + this.otherLegs.size;
  }

  /** Returns the legs attached to an order, or null. */
  get(slot: number): Attached | null {
    return this.attached.get(slot) ?? null;
  }

  /** Returns the id of the bracket order that this order is a leg of, or 0. */
  parent(slot: number): number {
    return this.parents.get(slot) ?? 0;
  }

  /** Returns the id of the other leg of the order's OCO order, open or not (engine version 2), or 0. */
  otherLeg(slot: number): number {
    return this.otherLegs.get(slot) ?? 0;
  }

  attach(slot: number, attached: Attached): void {
    this.attached.set(slot, attached);
  }

  setParent(slot: number, parentId: number): void {
    this.parents.set(slot, parentId);
  }

  setOtherLeg(slot: number, otherId: number): void {
    this.otherLegs.set(slot, otherId);
  }

  /** Returns the sum of the hashes of an order's parent and other leg. */
  hashLinks(slot: number, orderId: number): number {
    const [parentId, otherId] = [this.parent(slot), this.otherLeg(slot)];
    const hash = parentId === 0 ? 0 : hashParent(orderId, parentId);
    return otherId === 0 ? hash : (hash + hashOtherLeg(orderId, otherId)) | 0;
  }

  detach(slot: number): void {
    this.attached.delete(slot);
  }

  forget(slot: number): void {
    this.attached.delete(slot);
    this.parents.delete(slot);
    this.otherLegs.delete(slot);
  }

  /** Visits in no particular order. */
  forEachAttached(visit: (slot: number, attached: Attached) => void): void {
    for (const [slot, attached] of this.attached) visit(slot, attached);
  }

  /** Visits in no particular order. */
  forEachParent(visit: (slot: number, parentId: number) => void): void {
    for (const [slot, parentId] of this.parents) visit(slot, parentId);
  }

  /** Visits in no particular order. */
  forEachOtherLeg(visit: (slot: number, otherId: number) => void): void {
    for (const [slot, otherId] of this.otherLegs) visit(slot, otherId);
  }
}

export function hashBracketLegs(orderId: number, attached: Attached): number {
  const { takeProfit, stopLoss, firstOrderId, oto } = attached;
  let hash = mixLeg(mixLeg(mixNumber(mix(24, 1), orderId), takeProfit), stopLoss);
  if (firstOrderId !== undefined) hash = mixNumber(hash, firstOrderId);
  return oto === undefined ? hash : mixOto(hash, oto);
}

function mixLeg(hash: number, leg: OcoLeg | null): number {
  if (leg === null) return mix(hash, 0);
  const mixed = mixNumber(mixNumber(hash, leg.price), leg.triggerPrice);
  return leg.trailing === undefined ? mixed : mixTrailing(mixed, leg.trailing);
}

export function hashParent(orderId: number, parentId: number): number {
  return mixNumber(mixNumber(mix(25, 1), orderId), parentId);
}

/** The parts of the state in which orders are linked. */
export interface LinkedOrders {
  readonly attachments: BracketStore;
  readonly details: OrderDetails;
  include(hash: number): void;
}

/** Records the other leg of an open order's OCO order. */
export function setOtherLeg(state: LinkedOrders, slot: number, otherId: number): void {
  state.attachments.setOtherLeg(slot, otherId);
  state.include(hashOtherLeg(state.details.id(slot), otherId));
}

export function hashOtherLeg(orderId: number, otherId: number): number {
  return mixNumber(mixNumber(mix(38, 1), orderId), otherId);
}
