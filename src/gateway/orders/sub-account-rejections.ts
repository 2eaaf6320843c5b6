import {
  MAX_CLOSED_SUB_ACCOUNTS,
  MAX_INTERNAL_TRANSFERS,
  MAX_SUB_ACCOUNTS,
} from '../../engine/limits.ts';
import { formatUnits } from '../../engine/numbers/units.ts';
import { type Rejection, RejectionCode } from '../../engine/rejection.ts';
import type { State } from '../../engine/state.ts';
import { ApiError } from '../http/response/errors.ts';

/** Messages for the limits of accounts and transfers, by the rule of `limitReached`. */
export const SUB_ACCOUNT_LIMITS: Readonly<Record<string, string>> = {
  subAccounts: `An account may have ${MAX_SUB_ACCOUNTS} open sub-accounts. Close one that you no longer use.`,
  closedSubAccounts: `An account may have ${MAX_CLOSED_SUB_ACCOUNTS} closed sub-accounts. Reopen one instead of opening another.`,
  internalTransfers: `An account and its sub-accounts may make ${MAX_INTERNAL_TRANSFERS.perGroup} transfers in 25 hours. Try again later.`,
};

/** The errors of the rejections about sub-accounts and transfers between accounts. */
export const subAccountErrors = {
  [RejectionCode.mainAccountOnly]: () =>
    new ApiError(
      'INVALID_REQUEST',
      'A sub-account cannot do this. Use the main account; to withdraw, transfer to it first.',
      { rule: 'mainAccount' },
    ),
  [RejectionCode.unknownSubAccount]: () =>
    new ApiError('NOT_FOUND', 'No such sub-account of this account.', { field: 'account' }),
  [RejectionCode.sameAccount]: () =>
    new ApiError('INVALID_REQUEST', 'An account cannot transfer to itself. Choose another one.', {
      field: 'to',
      rule: 'otherAccount',
    }),
  // The text does not say why: the account may be that of another user.
  [RejectionCode.destinationUnavailable]: () =>
    unavailable('The account in to cannot receive transfers now.'),
  [RejectionCode.accountClosed]: () =>
    new ApiError('INVALID_REQUEST', 'The sub-account is closed. Reopen it first.', {
      field: 'account',
      rule: 'closed',
    }),
  [RejectionCode.subAccountInUse]: (rejection: Rejection, state: State) =>
    new ApiError('INVALID_REQUEST', inUseMessage(rejection, state), {
      field: 'closed',
      rule: rejection.rule,
    }),
} as const;

/** Returns the error for a transfer to an account of the sender's group that is frozen or closed. */
export function ownAccountUnavailable(): ApiError {
  return unavailable('The account in to is frozen or closed and cannot receive transfers.');
}

function unavailable(message: string): ApiError {
  return new ApiError('INVALID_REQUEST', message, { field: 'to', rule: 'receives' });
}

/** Returns why a sub-account cannot be closed, and what its owner can do. */
function inUseMessage({ rule, available, asset }: Rejection, { assets }: State): string {
  if (rule === 'openOrders') return 'Sub-account still has open orders. Cancel them first.';
  if (rule === 'deposits') {
    return 'Sub-account still has a deposit in progress. Wait until it is credited, then transfer it.';
  }
  const held = assets[asset!]!;
  const amount = formatUnits(available!, held.decimals);
  return `Sub-account still holds ${amount} ${held.asset}. Transfer its balances first.`;
}
