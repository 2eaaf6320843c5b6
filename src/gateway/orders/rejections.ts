import {
  MAX_CONNECTIONS_PER_ACCOUNT,
  MAX_DEADLINES_PER_ACCOUNT,
  MAX_KEYS_PER_ACCOUNT,
  MAX_OPEN_ORDERS_PER_ACCOUNT,
} from '../../engine/limits.ts';
import { formatUnits } from '../../engine/numbers/units.ts';
import { type Rejection, RejectionCode, TOO_MANY_SWEEPS } from '../../engine/rejection.ts';
import type { State } from '../../engine/state.ts';
import { marketStatuses } from '../../engine/terms.ts';
import { staleTimestamp, usedSignature } from '../auth/signatures.ts';
import { JsonNumber } from '../http/json.ts';
import { ApiError } from '../http/response/errors.ts';
import { CUSTODY_LIMITS, custodyErrors } from './custody-rejections.ts';
import { limitErrors } from './limit-rejections.ts';
import { belowNotional, outOfBounds, type RejectedOrder } from './out-of-bounds.ts';
import {
  displayOutOfBounds,
  specialAmendmentError,
  trailingOutOfBounds,
} from './special-rejections.ts';
import { SUB_ACCOUNT_LIMITS, subAccountErrors } from './sub-account-rejections.ts';

export type { RejectedOrder } from './out-of-bounds.ts';

const BUSY_CANCELING =
  'Too many of your cancellations are still in progress. Wait for their responses, then try again.';
/** Messages for the limits of an account that it frees itself, by the rule of `limitReached`. */
const ACCOUNT_LIMITS: Readonly<Record<string, string>> = {
  connections:
    `An account may have ${MAX_CONNECTIONS_PER_ACCOUNT} connections with cancelOnDisconnect, and none until all nodes ` +
    'of a cluster are upgraded. Close one, or authenticate without it.',
  deadlines: `This account has ${MAX_DEADLINES_PER_ACCOUNT} deadlines. Disarm one first.`,
  ...CUSTODY_LIMITS,
  ...SUB_ACCOUNT_LIMITS,
  keys: `This account has ${MAX_KEYS_PER_ACCOUNT} API keys. Revoke one first.`,
};

/** Returns the API error for a command that the engine rejected. */
export function rejectionError(
  rejection: Rejection,
  state: State,
  order?: RejectedOrder,
): ApiError {
  const error = toError[rejection.code](rejection, state, order);
  const { code, message, details } = error;
  const { field } = details;
  if (rejection.attached === undefined) return error;
  const path =
    field === 'amount' ? (order?.amountField ?? field) : `attached.${rejection.attached}.${field}`;
  return new ApiError(code, message, { ...details, field: path });
}

type ToError = (rejection: Rejection, state: State, order: RejectedOrder | undefined) => ApiError;

const toError: Readonly<Record<RejectionCode, ToError>> = {
  [RejectionCode.unauthorized]: () => new ApiError('UNAUTHORIZED'),
  [RejectionCode.insufficientPermissions]: () => new ApiError('INSUFFICIENT_PERMISSIONS'),
  [RejectionCode.accountFrozen]: () => new ApiError('ACCOUNT_FROZEN'),
  [RejectionCode.insufficientBalance]: insufficientBalance,
  [RejectionCode.unknownMarket]: () =>
    new ApiError('INVALID_SYMBOL', undefined, { field: 'symbol', rule: 'known' }),
  [RejectionCode.unknownAccount]: () =>
    new ApiError('NOT_FOUND', 'No such account.', { field: 'account' }),
  [RejectionCode.unknownKey]: () =>
    new ApiError('NOT_FOUND', 'No such API key.', { field: 'apiKey' }),
  [RejectionCode.unknownAsset]: () =>
    new ApiError('NOT_FOUND', 'No such asset.', { field: 'asset' }),
  [RejectionCode.amountOutOfBounds]: outOfBounds,
  [RejectionCode.priceOutOfBounds]: outOfBounds,
  [RejectionCode.triggerOutOfBounds]: outOfBounds,
  [RejectionCode.minNotional]: belowNotional,
  [RejectionCode.trailingOutOfBounds]: trailingOutOfBounds,
  [RejectionCode.displayOutOfBounds]: displayOutOfBounds,
  [RejectionCode.amountBelowFilled]: () =>
    new ApiError(
      'INVALID_AMOUNT',
      'The new amount is less than the amount already filled. Send a larger one, or cancel the order.',
      { field: 'amount', rule: 'filled' },
    ),
  [RejectionCode.amountNotReduced]: ({ rule = '' }) =>
    new ApiError('INVALID_AMOUNT', 'The new amount must be less than the current one.', {
      field: 'amount',
      rule,
    }),
  [RejectionCode.cancelRestricted]: () =>
    new ApiError('ORDER_NOT_OPEN', 'The order does not have the fills that it must have.', {
      rule: 'onlyIf',
    }),
  [RejectionCode.cancellationInProgress]: () =>
    new ApiError(
      'INVALID_REQUEST',
      'Orders are still being canceled. Wait until none is open, then resume trading.',
      { field: 'status', rule: 'canceled' },
    ),
  [RejectionCode.unknownMaintenance]: () =>
    new ApiError('NOT_FOUND', 'No maintenance starts at that time. See GET /api/status.', {
      field: 'from',
    }),
  [RejectionCode.unknownAnnouncement]: () =>
    new ApiError('NOT_FOUND', 'No such announcement. See GET /api/status.', { field: 'id' }),
  [RejectionCode.unknownTrade]: () =>
    new ApiError('NOT_FOUND', 'No such trade.', { field: 'tradeId' }),
  [RejectionCode.alreadyBusted]: () =>
    new ApiError('INVALID_REQUEST', 'The trade has been busted. Nothing more is moved.', {
      field: 'tradeId',
      rule: 'notBusted',
    }),
  [RejectionCode.marketUnavailable]: marketUnavailable,
  [RejectionCode.triggerCrossed]: () =>
    new ApiError(
      'INVALID_PRICE',
      'The last price has already reached triggerPrice. Choose a price that it has not reached.',
      { field: 'triggerPrice', rule: 'notCrossed' },
    ),
  [RejectionCode.bracketOnWrongSide]: (_rejection, _state, order) =>
    new ApiError(
      'INVALID_PRICE',
      "The take profit must be on the profitable side of the order's price, the stop loss on the losing side.",
      { field: order?.triggerPrice === 0 ? 'price' : 'triggerPrice', rule: 'beyondPrice' },
    ),
  [RejectionCode.notAmendable]: notAmendable,
  [RejectionCode.takesNoPrice]: () =>
    new ApiError(
      'INVALID_PRICE',
      'This order type takes no price: it trades as a market order once triggered. Remove price.',
      {
        field: 'price',
        rule: 'limitOrdersOnly',
      },
    ),
  [RejectionCode.noPendingTrigger]: () =>
    new ApiError('INVALID_PRICE', 'This order is not pending a trigger. Remove triggerPrice.', {
      field: 'triggerPrice',
      rule: 'waitingOrdersOnly',
    }),
  [RejectionCode.postOnlyWouldTake]: () =>
    new ApiError('POST_ONLY_WOULD_TAKE', undefined, { field: 'price', rule: 'postOnly' }),
  [RejectionCode.noLiquidity]: () => new ApiError('NO_LIQUIDITY', undefined, { rule: 'emptyBook' }),
  [RejectionCode.tooManyOpenOrders]: () =>
    new ApiError('TOO_MANY_OPEN_ORDERS', undefined, {
      rule: 'maxOpenOrders',
      maximum: MAX_OPEN_ORDERS_PER_ACCOUNT,
    }),
  [RejectionCode.duplicateClientOrderId]: () =>
    new ApiError('DUPLICATE_CLIENT_ORDER_ID', undefined, { field: 'clientOrderId' }),
  [RejectionCode.duplicateReference]: ({ rule: field = 'reference' }) =>
    new ApiError('DUPLICATE_REFERENCE', undefined, { field }),
  // History was searched, and each time the account placed so many orders in the meantime that the result was outdated.
  [RejectionCode.needsHistory]: () => new ApiError('OVERLOADED'),
  [RejectionCode.connectionClosed]: () =>
    new ApiError(
      'INVALID_REQUEST',
      'The exchange has ended this connection and canceled its orders. Connect again.',
      { rule: 'connected' },
    ),
  [RejectionCode.orderNotOpen]: () => new ApiError('ORDER_NOT_FOUND'),
  [RejectionCode.expiryPassed]: () =>
    new ApiError('INVALID_REQUEST', 'expiresAt must be in the future.', {
      field: 'expiresAt',
      rule: 'future',
    }),
  [RejectionCode.signatureUsed]: () => usedSignature(),
  [RejectionCode.signatureExpired]: (_rejection, { time }) => staleTimestamp(time),
  // Where a request cannot wait for an approval.
  [RejectionCode.needsApproval]: () =>
    new ApiError(
      'INSUFFICIENT_PERMISSIONS',
      'The approval policy requires a second operator for this, and it cannot be requested here.',
      { rule: 'approval' },
    ),
  [RejectionCode.unknownApproval]: () =>
    new ApiError('NOT_FOUND', 'No request for approval with this id is pending.', { field: 'id' }),
  [RejectionCode.ownApproval]: () =>
    new ApiError(
      'INSUFFICIENT_PERMISSIONS',
      'Your own account has made this request. An operator of another account must approve it.',
      { rule: 'ownApproval' },
    ),
  [RejectionCode.requesterUnauthorized]: () =>
    new ApiError(
      'INSUFFICIENT_PERMISSIONS',
      'The operator who made this request no longer has the permission for it. Reject it.',
      { rule: 'requester' },
    ),
  [RejectionCode.unknownNote]: () =>
    new ApiError('NOT_FOUND', 'There is no such note.', { field: 'id' }),
  [RejectionCode.alreadyReferred]: () =>
    new ApiError(
      'INVALID_REQUEST',
      'Another account has referred this account. That cannot be changed.',
      {
        field: 'referrer',
        rule: 'once',
      },
    ),
  [RejectionCode.referrerNotAllowed]: () =>
    new ApiError(
      'INVALID_REQUEST',
      'The referrer must be an account of another owner, created before the account that it referred.',
      { field: 'referrer', rule: 'older' },
    ),
  [RejectionCode.limitReached]: limitReached,
  [RejectionCode.alreadyExists]: brokenRule,
  [RejectionCode.invalidRules]: brokenRule,
  ...custodyErrors,
  ...limitErrors,
  ...subAccountErrors,
};

function insufficientBalance(rejection: Rejection, state: State): ApiError {
  const { asset, decimals } = state.assets[rejection.asset!]!;
  const required = formatUnits(rejection.required!, decimals);
  const available = formatUnits(rejection.available!, decimals);
  const { rule } = rejection;
  const owner = rule === undefined ? '' : ` of the ${rule}`;
  const message = `Insufficient ${asset} balance${owner}: ${required} required, ${available} available.`;
  return new ApiError('INSUFFICIENT_BALANCE', message, {
    required: new JsonNumber(required),
    available: new JsonNumber(available),
    asset,
    ...(rule === undefined ? {} : { rule }),
  });
}

function marketUnavailable(
  _rejection: Rejection,
  state: State,
  order: RejectedOrder | undefined,
): ApiError {
  const market = state.markets[order?.market ?? 0];
  const status = marketStatuses[market?.currentStatus ?? 0] ?? 'halted';
  const reason = market?.currentStatus === market?.status ? undefined : restrictionReason(state);
  const message =
    reason === undefined
      ? `The market is ${status} and does not accept this order now.`
      : `All markets are ${status}: ${reason}`;
  return new ApiError('MARKET_UNAVAILABLE', message, { status });
}

/** Returns what the operator announced about the restriction of all markets. */
function restrictionReason({ parts: { tradingStatus } }: State): string {
  const { killSwitch, maintenance } = tradingStatus;
  if (killSwitch.status === tradingStatus.status) return killSwitch.reason;
  return maintenance.find(({ isActive }) => isActive)?.message ?? killSwitch.reason;
}

function notAmendable({ rule = '' }: Rejection): ApiError {
  if (rule === 'pair') {
    const message =
      'The amount of an OCO order cannot be changed. Cancel the pair and place a new one.';
    return new ApiError('INVALID_REQUEST', message, { field: 'amount', rule });
  }
  const special = specialAmendmentError(rule);
  if (special !== undefined) return special;
  const message =
    'The order has been triggered and is about to trade, so it cannot be changed. Check its status.';
  return new ApiError('INVALID_REQUEST', message, { rule });
}

function limitReached(
  { rule = '' }: Rejection,
  _state: State,
  order: RejectedOrder | undefined,
): ApiError {
  if (rule === TOO_MANY_SWEEPS) return new ApiError('OVERLOADED', BUSY_CANCELING, { rule });
  const message = ACCOUNT_LIMITS[rule];
  if (message !== undefined) return new ApiError('INVALID_REQUEST', message, { rule });
  // A limit that traders use up is freed by itself; one that the operator uses up is not.
  return order === undefined
    ? new ApiError('INVALID_REQUEST', `The exchange has reached its maximum number of ${rule}.`, {
        rule,
      })
    : new ApiError('OVERLOADED', undefined, { rule });
}

function brokenRule({ rule = '' }: Rejection): ApiError {
  return new ApiError('INVALID_REQUEST', `Rejected: ${rule || 'it already exists'}.`, { rule });
}
