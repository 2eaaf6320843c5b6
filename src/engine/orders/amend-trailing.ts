import type { Trailing } from '../command.ts';
import type { OrderRecord } from '../event.ts';
import { MAX_UNITS } from '../limits.ts';
import type { Market } from '../markets/markets.ts';
import { type Rejection, RejectionCode, rejected } from '../rejection.ts';
import type { State } from '../state.ts';
import { initialBest } from './triggers/initial-trigger.ts';
import { Trail, trailingTrigger } from './triggers/trail.ts';
import { validateTrailing } from './triggers/validate-stop.ts';

/** A trailing stop with amended terms: it keeps its best price, and starts to trail if it may now. */
export interface AmendedTrail {
  readonly terms: Trailing;
  /** 0 if it still waits for its activation. */
  readonly best: number;
  /** The trigger price on which its hold is based. */
  readonly trigger: number;
}

/** Returns what an amendment makes of a trailing stop; undefined if it changes none of its terms. */
export function amendTrailing(
  { details, markets }: State,
  order: OrderRecord,
  slot: number,
  change: Trailing | undefined,
): AmendedTrail | undefined {
  const { trailing, side } = order;
  if (trailing === undefined || change === undefined) return undefined;
  const hasDistance = change.amount !== 0 || change.basisPoints !== 0;
  const terms = {
    amount: hasDistance ? change.amount : trailing.amount,
    basisPoints: hasDistance ? change.basisPoints : trailing.basisPoints,
    activationPrice: change.activationPrice || trailing.activationPrice,
  };
  const isSame =
    terms.amount === trailing.amount &&
    terms.basisPoints === trailing.basisPoints &&
    terms.activationPrice === trailing.activationPrice;
  if (isSame) return undefined;
  const market = markets[order.market]!;
  const best = details.trail(slot).bestPrice || initialBest(side, terms, market);
  const trigger = trailingTrigger(side, best || terms.activationPrice, terms);
  return { terms, best, trigger };
}

/** Returns the trigger price that counts for hold and notional: without a current one, that at the activation price. */
export function holdTrigger({ side, triggerPrice, trailing }: OrderRecord): number {
  if (trailing === undefined || triggerPrice !== 0) return triggerPrice;
  return trailingTrigger(side, trailing.activationPrice, trailing);
}

/** Returns why the order does not take such a change. */
export function rejectSpecialChange(
  { details }: State,
  order: OrderRecord,
  slot: number,
  change: { readonly trailing?: Trailing; readonly triggerPrice: number },
): Rejection | undefined {
  const code = RejectionCode.notAmendable;
  if (order.trailing === undefined) {
    return change.trailing === undefined ? undefined : rejected(code, 'notTrailing');
  }
  if (change.triggerPrice !== 0) return rejected(code, 'trailing');
  const hasStarted = details.trail(slot).bestPrice !== 0;
  const movesActivation =
    (change.trailing?.activationPrice ?? 0) !== 0 &&
    change.trailing?.activationPrice !== order.trailing.activationPrice;
  return hasStarted && movesActivation ? rejected(code, 'activated') : undefined;
}

export function validateAmendedTrail(
  order: OrderRecord,
  { terms, trigger }: AmendedTrail,
  market: Market,
): Rejection | undefined {
  const rejection = validateTrailing(order.side, terms, market);
  if (rejection !== undefined) return rejection;
  const field = terms.amount === 0 ? 'trailingPercent' : 'trailingAmount';
  return trigger >= 1 && trigger < MAX_UNITS
    ? undefined
    : rejected(RejectionCode.trailingOutOfBounds, `${field}.tooFar`);
}

/** Replaces the terms of an order that is not among the triggers at the moment. */
export function setTrailing(
  { details }: State,
  slot: number,
  order: OrderRecord,
  { terms, best }: AmendedTrail,
): void {
  const trail = new Trail(slot, order.id, order.side, terms);
  trail.leave(best);
  details.setTrail(trail);
}
