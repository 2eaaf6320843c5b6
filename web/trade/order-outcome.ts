import Big from 'big.js';
import { divide } from '../decimal.ts';
import { grouped, rounded, sentenceCase } from '../format.ts';
import type { ExactFill, ExactOrder } from './records.ts';

/** The message shown after an order was accepted. */
export interface Outcome {
  readonly text: string;
  readonly tone: 'info' | 'success' | 'error';
}

const REASONS: Readonly<Partial<Record<NonNullable<ExactOrder['reason']>, string>>> = {
  time_in_force: 'not enough liquidity at its limit price',
  collar: 'the next price was outside the market-order price band',
  volatility_halt: 'the next price was outside the price bands, which halted the market',
  self_trade: 'it would have matched your own order',
  no_liquidity: 'the order book was empty',
  expired: 'its expiry time was reached',
};

/** Describes an accepted order, which may already have traded or ended. @param decimals Decimals of prices */
export function describeOutcome(order: ExactOrder, decimals: number): Outcome {
  const { status, side, type, filled, amount, reason } = order;
  const name = `${sentenceCase(type)} ${side} order`;
  const isUnfilledFok = reason === 'time_in_force' && order.timeInForce === 'FOK';
  const because = isUnfilledFok
    ? 'it could not be filled completely at once'
    : reason && REASONS[reason];
  const why = reason === null ? '' : `: ${because ?? sentenceCase(reason).toLowerCase()}`;
  if (status === 'rejected') return { text: `${name} rejected${why}.`, tone: 'error' };
  if (new Big(filled).eq(0)) {
    return status === 'open'
      ? { text: `${name} placed.`, tone: 'success' }
      : { text: `${name} ${status} without a fill${why}.`, tone: 'error' };
  }
  // The amount of an order by cost is what it traded.
  const whole = new Big(filled).eq(amount) ? '' : ` of ${grouped(amount)}`;
  const traded = describeTrade(order, `${grouped(filled)}${whole}`, order.average!, decimals);
  if (status === 'filled') return { text: traded, tone: 'success' };
  if (status === 'open') return { text: `${traded} The remainder is open.`, tone: 'success' };
  const verb = status === 'canceled' ? 'was canceled' : status;
  return { text: `${traded} The remainder ${verb}${why}.`, tone: 'info' };
}

/** Describes a new OCO order, of which one leg may already have traded or ended. */
export function describeOcoOutcome(orders: readonly ExactOrder[], decimals: number): Outcome {
  const changed = orders.find(
    ({ status, reason, filled }) =>
      (status !== 'open' && reason !== 'linked') || !new Big(filled).eq(0),
  );
  return changed === undefined
    ? { text: 'OCO order placed.', tone: 'success' }
    : describeOutcome(changed, decimals);
}

/** Describes fills of one order by their total and average price. @param decimals Decimals of prices */
export function describeFills(fills: readonly ExactFill[], decimals: number): string {
  const [first] = fills as readonly [ExactFill, ...ExactFill[]];
  const sum = (field: 'amount' | 'cost') =>
    fills.reduce((total, fill) => total.plus(fill[field]), new Big(0));
  const amount = sum('amount');
  const average = divide(sum('cost'), amount, decimals, Big.roundHalfUp);
  return describeTrade(first, grouped(amount), average, decimals);
}

/** Returns `Bought 0.01 BTC at 60,000.00 USDT.` */
function describeTrade(
  { side, symbol }: Pick<ExactOrder, 'side' | 'symbol'>,
  amount: string,
  price: string | Big,
  decimals: number,
): string {
  const [base = '', quote = ''] = symbol.split('/');
  const verb = side === 'buy' ? 'Bought' : 'Sold';
  return `${verb} ${amount} ${base} at ${rounded(price, decimals)} ${quote}.`;
}
