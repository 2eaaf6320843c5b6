import { signal } from '@preact/signals';
import { openOrders, pastOrders } from '../account.ts';
import type { ExactOrder } from '../records.ts';

/** Id of the order that the dialog shows; undefined while it is closed. */
export const shownOrder = signal<string | undefined>(undefined);

/** Shows the details of an order. */
export function showOrder({ orderId }: { readonly orderId: string }): void {
  shownOrder.value = orderId;
}

/** Returns an order as the stream has reported it last; undefined if it has not. */
export function findKnownOrder(orderId: string): ExactOrder | undefined {
  const isSame = (order: ExactOrder) => order.orderId === orderId;
  return openOrders.value.find(isSame) ?? pastOrders.value?.find(isSame);
}
