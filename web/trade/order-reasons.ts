import { sentenceCase } from '../format.ts';
import { msg, t } from '../i18n/t.ts';
import { STATUS_NAMES } from './order-names.ts';
import type { ExactOrder } from './records.ts';

type Reason = NonNullable<ExactOrder['reason']>;
type Ended = Pick<ExactOrder, 'reason' | 'timeInForce'>;

/** Reasons in a cell of a table, after the status: `Canceled (by you)`. */
const SHORT_REASONS: Readonly<Record<Exclude<Reason, 'time_in_force' | 'expired'>, string>> = {
  requested: msg('by you'),
  self_trade: msg('self-trade prevention'),
  amended: msg('by an amendment'),
  cancel_after: msg('no heartbeat'),
  operator: msg('by the exchange'),
  delisted: msg('market delisted'),
  collar: msg('outside the price band'),
  no_liquidity: msg('empty order book'),
  market_unavailable: msg('market closed'),
  post_only_would_take: msg('post-only would match'),
  linked: msg('other OCO order done'),
  insufficient_balance: msg('insufficient balance'),
  too_small: msg('below minimum value'),
  disconnected: msg('connection lost'),
  volatility_halt: msg('volatility halt'),
};

/** Reasons as parts of sentences. */
const REASONS: Readonly<Record<Reason, string>> = {
  requested: msg('it was canceled on request'),
  time_in_force: msg('not enough liquidity at its limit price'),
  expired: msg('its expiry time was reached'),
  self_trade: msg('it would have matched your own order'),
  amended: msg('it was amended'),
  cancel_after: msg('no heartbeat arrived in time'),
  operator: msg('an operator canceled it'),
  delisted: msg('the market was delisted'),
  collar: msg('the next price was outside the market-order price band'),
  no_liquidity: msg('the order book was empty'),
  market_unavailable: msg('the market was not open'),
  post_only_would_take: msg('as a post-only order it would have matched immediately'),
  linked: msg('the other order of its OCO order was filled or canceled'),
  insufficient_balance: msg('insufficient balance'),
  too_small: msg('it was below the minimum order value'),
  disconnected: msg('the connection was lost'),
  volatility_halt: msg('the next price was outside the price bands, which halted the market'),
};

/** Returns why an order ended, as a part of a sentence; undefined if there is no reason. */
export function describeReason({ reason, timeInForce }: Ended): string | undefined {
  if (reason === null) return undefined;
  if (reason === 'time_in_force' && timeInForce === 'FOK') {
    return t('it could not be filled completely at once');
  }
  return t(REASONS[reason] ?? unknownReason(reason));
}

/** Returns the status with its reason in a few words, such as `Expired (IOC)`. */
export function describeStatus({
  status,
  reason,
  timeInForce,
}: Ended & Pick<ExactOrder, 'status'>) {
  const name = t(STATUS_NAMES[status]);
  if (reason === null || status === 'filled') return name;
  const why =
    reason === 'time_in_force' || reason === 'expired'
      ? timeInForce
      : t(SHORT_REASONS[reason] ?? unknownReason(reason));
  return `${name} (${why})`;
}

/** A newer exchange may have reasons that the page does not know. */
function unknownReason(reason: string): string {
  return sentenceCase(reason).toLowerCase();
}
