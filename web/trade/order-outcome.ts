import { exact, isZero } from '../decimal.ts';
import { grouped, sentenceCase } from '../format.ts';
import type { ExactOrder } from './records.ts';

/** What is said of an order once the exchange has answered. */
export interface Outcome {
  readonly text: string;
  readonly tone: 'info' | 'success' | 'error';
}

const REASONS: Readonly<Partial<Record<NonNullable<ExactOrder['reason']>, string>>> = {
  time_in_force: 'the book had no more at its price',
  collar: 'the next price was too far from the last one',
  self_trade: 'it met an order of your own',
  no_liquidity: 'the book was empty',
  expired: 'its time had come',
};

/** That it was taken is no success yet: it may have ended at once, with nothing traded. */
export function describeOutcome(order: ExactOrder): Outcome {
  const { status, side, type, filled, amount, symbol, average, reason } = order;
  const [base = '', quote = ''] = symbol.split('/');
  const name = `${sentenceCase(type)} ${side} order`;
  const isWhole = reason === 'time_in_force' && order.timeInForce === 'FOK';
  const because = isWhole ? 'it could not trade whole at once' : reason && REASONS[reason];
  const why = reason === null ? '' : `: ${because ?? sentenceCase(reason).toLowerCase()}`;
  const hasTraded = !isZero(exact(filled));
  const at = average === null ? '' : ` at ${grouped(average)} ${quote}`;
  const traded = `${grouped(filled)} of ${grouped(amount)} ${base}${at}`;
  if (status === 'rejected') return { text: `${name} rejected${why}.`, tone: 'error' };
  if (status === 'filled') {
    return { text: `${name} filled: ${grouped(filled)} ${base}${at}.`, tone: 'success' };
  }
  if (status === 'open') {
    const text = hasTraded
      ? `${name} partly filled: ${traded}. The rest is open.`
      : `${name} placed.`;
    return { text, tone: 'success' };
  }
  if (hasTraded) {
    return { text: `${name} partly filled: ${traded}. The rest ${status}${why}.`, tone: 'info' };
  }
  return { text: `${name} ${status}, nothing filled${why}.`, tone: 'error' };
}

/** The same of a pair, of which one may have traded at once. */
export function describeOcoOutcome(orders: readonly ExactOrder[]): Outcome {
  const notOpen = orders.find(({ status, reason }) => status !== 'open' && reason !== 'linked');
  return notOpen === undefined
    ? { text: 'OCO pair placed.', tone: 'success' }
    : describeOutcome(notOpen);
}
