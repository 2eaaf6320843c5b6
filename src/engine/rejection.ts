import type { Exact } from './numbers/exact.ts';

/**
 * The reasons for which the engine rejects a command. A rejection leaves the state unchanged.
 * The numbers are stored in logs: they never change and are never reused (23 is retired).
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
  /**
   * Not an open order of this account: it may have ended, belong to another account or never have
   * existed. Only history knows which.
   */
  orderNotOpen: 17,
  expiryPassed: 18,
  duplicateReference: 19,
  alreadyExists: 20,
  limitReached: 21,
  invalidRules: 22,
  triggerOutOfBounds: 24,
  /** The last price has already reached the trigger. */
  triggerCrossed: 25,
  /**
   * The amount of an OCO order cannot be changed, and a triggered order cannot be amended: cancel
   * the order and place a new one.
   */
  notAmendable: 26,
  /**
   * A bracket order's take profit is on the losing side of its price, or its stop loss on the
   * winning side.
   */
  bracketOnWrongSide: 27,
  /** The order type has no limit price. */
  takesNoPrice: 28,
  /** The order has no trigger, or was already triggered. */
  noPendingTrigger: 29,
  /** The distance or activation price of a trailing stop. */
  trailingOutOfBounds: 30,
  /** The visible amount of an iceberg. */
  displayOutOfBounds: 31,
  /** The order was filled in part, or was not, and the cancellation is only for the other case. */
  cancelRestricted: 32,
  /** The amendment may only reduce the amount; the rule is `increase` or `same`. */
  amountNotReduced: 33,
  /** The new amount is less than the filled quantity. */
  amountBelowFilled: 40,
  /**
   * The client order id or transfer reference may be known only to history: search there, then send
   * the command with `searchedBelow`.
   */
  needsHistory: 41,
  /** The signed request was used before. */
  signatureUsed: 46,
  /** The receive window of the request is over, or that of a signed request ends too far in the future. */
  signatureExpired: 47,
  /** The connection has ended, and its open orders were canceled: place nothing more on it. */
  connectionClosed: 50,
  /** The approval policy requires a second operator for the command: request an approval. */
  needsApproval: 60,
  /** No pending request for approval has this id. */
  unknownApproval: 61,
  /** Another account than that of the requester must approve. */
  ownApproval: 62,
  /** The key or user of the request no longer has the permission for its command. */
  requesterUnauthorized: 63,
  unknownNote: 64,
  unknownNetwork: 70,
  /** Deposits or withdrawals of the network are off. */
  networkUnavailable: 71,
  /** An address, memo or transaction id that the network cannot have. */
  invalidAddress: 72,
  /** Not an entry of the account's address book. */
  unknownAddress: 73,
  /** The entry of the address book is too new. */
  addressCooling: 74,
  /** The rule is `daily` or `hourly`. */
  withdrawalLimit: 75,
  /** A reorganized deposit took more from the account than it had. */
  withdrawalsBlocked: 76,
  unknownWithdrawal: 77,
  /** The withdrawal is in another state, which is the rule. */
  withdrawalNotPending: 78,
  /** The rule is `requester`, `repeated` or `process`. */
  approverNotAllowed: 79,
  /** The withdrawal has ended otherwise, or so long ago that only history knows how. */
  withdrawalEnded: 80,
  /** The client id was used for another withdrawal. */
  duplicateWithdrawal: 81,
  unknownDeposit: 82,
  /** The report differs from earlier ones in the address, the memo or the amount. */
  depositConflict: 83,
  /** The deposit does not wait for this decision. */
  depositNotInReview: 84,
  /** A sub-account cannot do this: only the main account of the group can. */
  mainAccountOnly: 90,
  /** Not a sub-account of the account. */
  unknownSubAccount: 91,
  /** A transfer from an account to itself. */
  sameAccount: 92,
  /** The account that would receive the transfer is frozen or closed. */
  destinationUnavailable: 93,
  /** The sub-account is closed: its owner can reopen it. */
  accountClosed: 94,
  /** The sub-account cannot be closed yet; the rule is `openOrders`, `deposits` or `balance`. */
  subAccountInUse: 95,
  /** The kill switch cannot be released while it cancels orders. */
  cancellationInProgress: 110,
  unknownMaintenance: 111,
  /** The account's open orders would be worth more than its limit. */
  openNotionalLimit: 112,
  /** The account has placed as many orders as it may in this window. */
  orderRateLimit: 113,
  /** The account has placed as many orders as its trades allow in this window. */
  ordersPerTradeLimit: 114,
  /** No trade with this id and these terms. */
  unknownTrade: 115,
  /** The trade was busted before. */
  alreadyBusted: 116,
  unknownAnnouncement: 117,
  /** Another account referred it before, which never changes. */
  alreadyReferred: 120,
  /** The referrer must be an older account than the one that it refers, and of another owner. */
  referrerNotAllowed: 121,
} as const;
export type RejectionCode = (typeof RejectionCode)[keyof typeof RejectionCode];

/** The rule of `limitReached` if an account has too many bulk cancels in progress. */
export const TOO_MANY_SWEEPS = 'cancellations under way';

export interface Rejection {
  readonly kind: 'rejected';
  readonly code: RejectionCode;
  /** In minor units of `asset`; only with insufficientBalance and openNotionalLimit. */
  readonly required?: Exact;
  /** In minor units of `asset`; only with insufficientBalance, openNotionalLimit and subAccountInUse. */
  readonly available?: Exact;
  /** The limit of the account that the command exceeds: in minor units of `asset`, or a number of orders. */
  readonly limit?: Exact;
  /** When the limit starts to count again, milliseconds since 1970. */
  readonly retryAt?: number;
  /** Index of the asset of these amounts. */
  readonly asset?: number;
  /** The leg of the bracket order that is rejected, if one is. */
  readonly attached?: 'takeProfit' | 'stopLoss' | 'order';
  /** The broken rule, if the code alone does not identify it. */
  readonly rule?: string;
}

export function rejected(code: RejectionCode, rule?: string): Rejection {
  return rule === undefined ? { kind: 'rejected', code } : { kind: 'rejected', code, rule };
}

/**
 * The state contradicts itself: a defect of the exchange or of the memory, never of a request. The
 * process must stop and must not answer anything from this state.
 */
export class InvariantError extends Error {
  override readonly name = 'InvariantError';
}

/** The log was written by a newer release, which must be started instead. */
export class EngineVersionError extends Error {
  override readonly name = 'EngineVersionError';
}

export function invariant(holds: boolean, what: string): asserts holds {
  if (!holds) throw new InvariantError(what);
}
