import { MAX_INTERNAL_TRANSFERS, MAX_SUB_ACCOUNTS } from '../../engine/limits.ts';
import { RejectionCode } from '../../engine/rejection.ts';
import { ApiError } from '../http/response/errors.ts';

/** Messages for the limits of accounts and transfers, by the rule of `limitReached`. */
export const SUB_ACCOUNT_LIMITS: Readonly<Record<string, string>> = {
  subAccounts: `An account may have ${MAX_SUB_ACCOUNTS} sub-accounts. Rename one that you no longer use.`,
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
  [RejectionCode.destinationFrozen]: () =>
    new ApiError('INVALID_REQUEST', 'The account in to cannot receive transfers now.', {
      field: 'to',
      rule: 'receives',
    }),
} as const;
