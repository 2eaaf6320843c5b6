import type { Message } from './control.ts';

interface Content {
  readonly subject: string;
  readonly text: string;
}

/** Returns the mail about an event. */
export function mailText({ name, data }: Pick<Message, 'name' | 'data'>): Content {
  // Numbers are shown as they are written in the record, so they stay exact.
  const record = JSON.parse(data, (_, value, context?: { source?: string }) =>
    typeof value === 'number' ? (context?.source ?? String(value)) : value,
  ) as Record<string, string | undefined>;
  if (name.startsWith('deposit.') || name.startsWith('withdrawal.'))
    return paymentText(name, record);
  const { symbol = '', price, amount, side, orderId, filled, note, direction, last } = record;
  switch (name) {
    case 'price.alert':
      return {
        subject: `${symbol} is ${direction} ${price}`,
        text: `The last price of ${symbol} is ${last}. Your alert was for ${direction} ${price}.${note ? `\n\n${note}` : ''}`,
      };
    case 'fill.created':
      return {
        subject: `${side === 'buy' ? 'Bought' : 'Sold'} ${amount} ${baseName(symbol)} at ${price}`,
        text: `Your order ${orderId} in ${symbol} was filled: ${amount} at ${price}.`,
      };
    case 'trade.busted':
      return {
        subject: `Trade in ${symbol} reversed`,
        text: `The exchange has reversed (busted) a trade of your order ${orderId} in ${symbol}: ${amount} at ${price}. Your account was credited with the amount that you paid and with the fee, and debited with the amount that you received.`,
      };
    default:
      return {
        subject: `Order ${name.slice('order.'.length)}: ${side} ${amount} ${symbol}`,
        text: `Your order ${orderId} in ${symbol} has ended: ${name.slice('order.'.length)}, with ${filled} of ${amount} filled.`,
      };
  }
}

/** Returns the mail about a change of a deposit or withdrawal. */
function paymentText(name: string, record: Record<string, string | undefined>): Content {
  const { amount, asset, network, id, address, transaction, reason } = record;
  const [kind, status] = name.split('.') as [string, string];
  const label = kind === 'deposit' ? 'Deposit' : 'Withdrawal';
  const why = reason ? ` Reason: ${reason}` : '';
  const place = kind === 'deposit' ? '' : ` to ${address}`;
  const proof = transaction ? `, transaction ${transaction}` : '';
  const state = status.replaceAll('_', ' ');
  return {
    subject: `${label} of ${amount} ${asset}: ${state}`,
    text: `${label} ${id} of ${amount} ${asset} on ${network}${place}${proof} is now: ${state}.${why}`,
  };
}

function baseName(symbol: string): string {
  return symbol.split('/')[0]!;
}
