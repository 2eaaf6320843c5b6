import Big from 'big.js';
import { divide } from '../decimal.ts';
import { grouped, rounded } from '../format.ts';
import { t } from '../i18n/t.ts';
import { typeAndSide } from './order-names.ts';
import { describeReason } from './order-reasons.ts';
import type { ExactFill, ExactOrder } from './records.ts';

/** The message shown after an order was accepted. */
export interface Outcome {
  readonly text: string;
  readonly tone: 'info' | 'success' | 'error';
}

/** Describes an accepted order, which may already have traded or ended. @param decimals Decimals of prices */
export function describeOutcome(order: ExactOrder, decimals: number): Outcome {
  const { status, side, type, filled, amount } = order;
  const name = typeAndSide(type, side);
  const reason = describeReason(order);
  if (status === 'rejected') {
    const text =
      reason === undefined
        ? t('{order} rejected.', { order: name })
        : t('{order} rejected: {reason}.', { order: name, reason });
    return { text, tone: 'error' };
  }
  if (new Big(filled).eq(0)) {
    if (status === 'open') return { text: t('{order} placed.', { order: name }), tone: 'success' };
    const values = { order: name, status };
    const text =
      reason === undefined
        ? t('{order} {status, select, canceled {canceled} other {expired}} without a fill.', values)
        : t(
            '{order} {status, select, canceled {canceled} other {expired}} without a fill: {reason}.',
            { ...values, reason },
          );
    return { text, tone: 'error' };
  }
  const traded = describeTrade(order, filled, order.average!, decimals, amount);
  if (status === 'filled') return { text: traded, tone: 'success' };
  if (status === 'open')
    return { text: `${traded} ${t('The remainder is open.')}`, tone: 'success' };
  const end =
    reason === undefined
      ? t('The remainder {status, select, canceled {was canceled} other {expired}}.', { status })
      : t('The remainder {status, select, canceled {was canceled} other {expired}}: {reason}.', {
          status,
          reason,
        });
  return { text: `${traded} ${end}`, tone: 'info' };
}

/** Describes a new OCO order, of which one leg may already have traded or ended. */
export function describeOcoOutcome(orders: readonly ExactOrder[], decimals: number): Outcome {
  const changed = orders.find(
    ({ status, reason, filled }) =>
      (status !== 'open' && reason !== 'linked') || !new Big(filled).eq(0),
  );
  return changed === undefined
    ? { text: t('OCO order placed.'), tone: 'success' }
    : describeOutcome(changed, decimals);
}

/** Describes fills of one order by their total and average price. @param decimals Decimals of prices */
export function describeFills(fills: readonly ExactFill[], decimals: number): string {
  const [first] = fills as readonly [ExactFill, ...ExactFill[]];
  const sum = (field: 'amount' | 'cost') =>
    fills.reduce((total, fill) => total.plus(fill[field]), new Big(0));
  const amount = sum('amount');
  const average = divide(sum('cost'), amount, decimals, Big.roundHalfUp);
  return describeTrade(first, amount, average, decimals);
}

/** Returns `Bought 0.01 BTC at 60,000.00 USDT.` @param whole Amount of the order, of which this may be a part */
function describeTrade(
  { side, symbol }: Pick<ExactOrder, 'side' | 'symbol'>,
  amount: string | Big,
  price: string | Big,
  decimals: number,
  whole: string | Big = amount,
): string {
  const [base = '', quote = ''] = symbol.split('/');
  const values = { side, base, quote, amount: grouped(amount), price: rounded(price, decimals) };
  // The amount of an order by cost is what it traded.
  return new Big(amount).eq(whole)
    ? t('{side, select, buy {Bought} other {Sold}} {amount} {base} at {price} {quote}.', values)
    : t(
        '{side, select, buy {Bought} other {Sold}} {amount} of {whole} {base} at {price} {quote}.',
        { ...values, whole: grouped(whole) },
      );
}
