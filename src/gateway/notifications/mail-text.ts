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
        text: `The exchange has busted a trade of your order ${orderId} in ${symbol}: ${amount} at ${price}. What you gave and the fee were returned, and what you received was taken back.`,
      };
    default:
      return {
        subject: `Order ${name.slice('order.'.length)}: ${side} ${amount} ${symbol}`,
        text: `Your order ${orderId} in ${symbol} has ended: ${name.slice('order.'.length)}, with ${filled} of ${amount} filled.`,
      };
  }
}

function baseName(symbol: string): string {
  return symbol.split('/')[0]!;
}
