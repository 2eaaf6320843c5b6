import { MAX_WITHDRAWAL_ADDRESSES_PER_ACCOUNT } from '../../engine/limits.ts';
import { type Rejection, RejectionCode } from '../../engine/rejection.ts';
import { ApiError } from '../http/response/errors.ts';

/** The errors of rejections that only commands about deposits and withdrawals have. */
export const custodyErrors = {
  [RejectionCode.unknownNetwork]: () =>
    new ApiError('NOT_FOUND', 'No such network. Use one from GET /api/networks.', {
      field: 'network',
    }),
  [RejectionCode.networkUnavailable]: () => new ApiError('NETWORK_UNAVAILABLE'),
  [RejectionCode.invalidAddress]: () => new ApiError('INVALID_ADDRESS'),
  [RejectionCode.unknownAddress]: () =>
    new ApiError('NOT_FOUND', 'No such address in the address book.', { field: 'addressId' }),
  [RejectionCode.addressCooling]: () =>
    new ApiError('ADDRESS_COOLING', undefined, { field: 'addressId' }),
  [RejectionCode.withdrawalLimit]: ({ rule }: Rejection) =>
    new ApiError(
      'WITHDRAWAL_LIMIT',
      rule === 'hourly'
        ? 'The account has requested the maximum number of withdrawals in an hour. Try again later.'
        : 'The withdrawal exceeds what the account may withdraw in 24 hours. Withdraw less, or try again later.',
      { rule },
    ),
  [RejectionCode.withdrawalsBlocked]: () => new ApiError('WITHDRAWALS_BLOCKED'),
  [RejectionCode.unknownWithdrawal]: () => new ApiError('NOT_FOUND', 'No such withdrawal.'),
  [RejectionCode.withdrawalNotPending]: ({ rule }: Rejection) =>
    new ApiError(
      'WITHDRAWAL_NOT_PENDING',
      `The withdrawal is ${rule?.replaceAll('_', ' ')}. Check its status.`,
      { status: rule },
    ),
  [RejectionCode.approverNotAllowed]: ({ rule }: Rejection) =>
    new ApiError('APPROVAL_NOT_ALLOWED', undefined, { rule }),
  [RejectionCode.withdrawalEnded]: () =>
    new ApiError('WITHDRAWAL_NOT_PENDING', 'The withdrawal has ended. Check its status.'),
  [RejectionCode.duplicateWithdrawal]: () =>
    new ApiError('DUPLICATE_WITHDRAWAL', undefined, { field: 'clientId' }),
  [RejectionCode.unknownDeposit]: () => new ApiError('NOT_FOUND', 'No such deposit.'),
  [RejectionCode.depositConflict]: () => new ApiError('DEPOSIT_CONFLICT'),
  [RejectionCode.depositNotInReview]: () => new ApiError('DEPOSIT_NOT_IN_REVIEW'),
} as const;

/** Messages for the limits of an account on withdrawals, by the rule of `limitReached`. */
export const CUSTODY_LIMITS: Readonly<Record<string, string>> = {
  'withdrawal addresses': `This account has ${MAX_WITHDRAWAL_ADDRESSES_PER_ACCOUNT} withdrawal addresses. Remove one first.`,
};

/** Returns the error for the amount of a deposit or withdrawal; undefined for another rule. */
export function invalidCustodyAmount(rule: string): ApiError | undefined {
  const details = { field: 'amount', rule };
  if (rule === 'networkDecimals') {
    const message = 'Amount must be positive, with at most the decimals of the network.';
    return new ApiError('INVALID_AMOUNT', message, details);
  }
  if (rule !== 'minWithdrawal') return undefined;
  const message = 'Amount is below the minimum withdrawal of the network (see GET /api/networks).';
  return new ApiError('INVALID_AMOUNT', message, details);
}
