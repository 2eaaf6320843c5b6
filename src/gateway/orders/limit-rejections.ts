import { formatUnits } from '../../engine/numbers/units.ts';
import { type Rejection, RejectionCode } from '../../engine/rejection.ts';
import type { State } from '../../engine/state.ts';
import { JsonNumber } from '../http/json.ts';
import { ApiError } from '../http/response/errors.ts';

/** The errors of orders and amendments that exceed a limit of their account. */
export const limitErrors = {
  [RejectionCode.openNotionalLimit]: (
    { asset: index, required, limit }: Rejection,
    state: State,
  ) => {
    const { asset, decimals } = state.assets[index!]!;
    const [total, maximum] = [required!, limit!].map((each) => formatUnits(each, decimals));
    const message =
      `The account's open orders would be worth ${total} ${asset}, above its limit of ${maximum} ${asset}. ` +
      'Cancel orders, or place a smaller one.';
    return new ApiError('ACCOUNT_LIMIT', message, {
      rule: 'openNotional',
      limit: new JsonNumber(maximum!),
      required: new JsonNumber(total!),
      asset,
    });
  },
  [RejectionCode.orderRateLimit]: ({ limit, retryAt }: Rejection) =>
    new ApiError(
      'ACCOUNT_LIMIT',
      `The account may place or amend ${limit} orders per 10 seconds. Try again at ${toTime(retryAt!)}. Cancels are always accepted.`,
      { rule: 'orderRate', limit: Number(limit), retryAt: toTime(retryAt!) },
    ),
  [RejectionCode.ordersPerTradeLimit]: ({ limit, retryAt }: Rejection) =>
    new ApiError(
      'ACCOUNT_LIMIT',
      `The account's trades of this hour allow ${limit} orders and amendments. Try again after a trade, or at ${toTime(retryAt!)}. Cancels are always accepted.`,
      { rule: 'ordersPerTrade', limit: Number(limit), retryAt: toTime(retryAt!) },
    ),
};

function toTime(time: number): string {
  return new Date(time).toISOString();
}
