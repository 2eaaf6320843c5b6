import type { ExactOrder } from './records.ts';

/** Returns the other leg of an OCO order, if it is open. */
export function findOcoPartner(
  { ocoOrderId }: ExactOrder,
  open: readonly ExactOrder[],
): ExactOrder | undefined {
  return open.find(({ orderId }) => orderId === ocoOrderId);
}
