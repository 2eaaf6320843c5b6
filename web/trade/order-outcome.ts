import Big from 'big.js';
import { grouped, sentenceCase } from '../format.ts';
import type { ExactOrder } from './records.ts';

/** The message shown after an order was accepted. */
export interface Outcome {
  readonly text: string;
  readonly tone: 'info' | 'success' | 'error';
}

const REASONS: Readonly<Partial<Record<NonNullable<ExactOrder['reason']>, string>>> = {
  time_in_force: 'not enough liquidity at its limit price',
  collar: 'the next price was outside the market-order price band',
  self_trade: 'it would have matched your own order',
  no_liquidity: 'the order book was empty',
  expired: 'its expiry time was reached',
};

/** Describes an accepted order, which may already have expired without a fill. */
export function describeOutcome(order: ExactOrder): Outcome {
  const { status, side, type, filled, amount, symbol, average, reason } = order;
  const [base = '', quote = ''] = symbol.split('/');
  const name = `${sentenceCase(type)} ${side} order`;
  const isUnfilledFok = reason === 'time_in_force' && order.timeInForce === 'FOK';
  const because = isUnfilledFok
    ? 'it could not be filled completely at once'
    : reason && REASONS[reason];
  const why = reason === null ? '' : `: ${because ?? sentenceCase(reason).toLowerCase()}`;
  const hasTraded = !new Big(filled).eq(0);
  const at = average === null ? '' : ` at ${grouped(average)} ${quote}`;
  const traded = `${grouped(filled)} of ${grouped(amount)} ${base}${at}`;
  if (status === 'rejected') return { text: `${name} rejected${why}.`, tone: 'error' };
  if (status === 'filled') {
    return { text: `${name} filled: ${grouped(filled)} ${base}${at}.`, tone: 'success' };
  }
  if (status === 'open') {
    const text = hasTraded
      ? `${name} partially filled: ${traded}. The remainder is open.`
      : `${name} placed.`;
    return { text, tone: 'success' };
  }
  if (hasTraded) {
    const verb = status === 'canceled' ? 'was canceled' : status;
    return {
      text: `${name} partially filled: ${traded}. The remainder ${verb}${why}.`,
      tone: 'info',
    };
  }
  return { text: `${name} ${status} without a fill${why}.`, tone: 'error' };
}

/** Describes a new OCO order, of which one leg may already have filled or expired. */
export function describeOcoOutcome(orders: readonly ExactOrder[]): Outcome {
  const notOpen = orders.find(({ status, reason }) => status !== 'open' && reason !== 'linked');
  return notOpen === undefined
    ? { text: 'OCO order placed.', tone: 'success' }
    : describeOutcome(notOpen);
}
