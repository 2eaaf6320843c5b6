import { signal } from '@preact/signals';
import Big from 'big.js';
import { localNumber } from '../components/typed-number.ts';
import { priceDecimalsFor } from './markets.ts';
import type { ExactOrder } from './records.ts';

/** The order that the amend dialog shows, with new values that the user has chosen elsewhere, such as on the chart. */
export interface AmendRequest {
  readonly order: ExactOrder;
  readonly values: Readonly<Partial<Record<'price' | 'triggerPrice' | 'activationPrice', string>>>;
}

export const amendRequest = signal<AmendRequest | undefined>(undefined);

export function amendOrder(order: ExactOrder): void {
  amendRequest.value = { order, values: {} };
}

/** Opens the amend dialog with a new value of the price that the chart shows for the order. */
export function amendPrice(order: ExactOrder, price: string): void {
  const field =
    order.price !== null
      ? 'price'
      : order.triggerPrice !== null
        ? 'triggerPrice'
        : 'activationPrice';
  amendRequest.value = {
    order,
    values: { [field]: localNumber(new Big(price).toFixed(priceDecimalsFor(order.symbol))) },
  };
}
