import type { Attached } from './command.ts';
import type { Exact } from './numbers/exact.ts';

/**
 * The reasons for which the engine refuses a command. A rejection leaves the state as it was.
 * The numbers are part of the log's meaning: they never change and are never used again (23 was one).
 */
export const RejectionCode = {
  unauthorized: 1,
  insufficientPermissions: 2,
  accountFrozen: 3,
  unknownMarket: 4,
  unknownAccount: 5,
  unknownAsset: 6,
  unknownKey: 7,
  insufficientBalance: 8,
  amountOutOfBounds: 9,
  priceOutOfBounds: 10,
  minNotional: 11,
  marketUnavailable: 12,
  postOnlyWouldTake: 13,
  noLiquidity: 14,
  tooManyOpenOrders: 15,
  duplicateClientOrderId: 16,
  /** Not open under this account: final, never there, or another's; history knows which. */
  orderNotOpen: 17,
  expiryPassed: 18,
  duplicateReference: 19,
  alreadyExists: 20,
  limitReached: 21,
  invalidRules: 22,
  triggerOutOfBounds: 24,
  /** The last price has reached the trigger already. */
  triggerCrossed: 25,
  /** An order of a pair keeps its amount, one that is to run next is as it is: cancel and place anew. */
  notAmendable: 26,
  /** A take profit on the losing side of its order's price, or a stop on the winning one. */
  bracketOnWrongSide: 27,
  /** An order of a type without a limit takes no price. */
  takesNoPrice: 28,
  /** An order that waits for no trigger, or not any more, takes no new one. */
  noPendingTrigger: 29,
  /** The new amount of an order is less than what has been filled of it. */
  amountBelowFilled: 40,
  /** What the command is known by may be known to history alone: ask it, then send `searchedBelow`. */
  mustAskHistory: 41,
} as const;
export type RejectionCode = (typeof RejectionCode)[keyof typeof RejectionCode];

export interface Rejection {
  readonly kind: 'rejected';
  readonly code: RejectionCode;
  /** Minor units of `asset`; only with insufficientBalance. */
  readonly required?: Exact;
  readonly available?: Exact;
  /** Index of the asset that is short. */
  readonly asset?: number;
  /** Which of the attached orders it is about, where it is about one. */
  readonly attached?: keyof Attached;
  /** What rule was broken, in words, where the code alone does not say. */
  readonly rule?: string;
}

export function rejected(code: RejectionCode, rule?: string): Rejection {
  return rule === undefined ? { kind: 'rejected', code } : { kind: 'rejected', code, rule };
}

/**
 * The state contradicts itself: a defect of the exchange or of its memory, never of a request.
 * The process must stop; it must not answer anything more from this state.
 */
export class InvariantError extends Error {
  override readonly name = 'InvariantError';
}

/** What the log holds is of a later release: this one must not go on with it. */
export class EngineVersionError extends Error {
  override readonly name = 'EngineVersionError';
}

export function invariant(holds: boolean, what: string): asserts holds {
  if (!holds) throw new InvariantError(what);
}
