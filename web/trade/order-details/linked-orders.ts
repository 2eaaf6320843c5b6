import { msg } from '../../i18n/t.ts';
import type { ExactOrder } from '../records.ts';

export interface LinkedOrder {
  /** Marked with `msg`. */
  readonly label: string;
  readonly orderId: string;
}

type Linked = Pick<ExactOrder, 'status' | 'parentOrderId' | 'ocoOrderId' | 'attached'>;

/** Returns the orders that belong to an order. Attached orders exist once the order has ended. */
export function listLinked(order: Linked): readonly LinkedOrder[] {
  const { status, parentOrderId, ocoOrderId, attached } = order;
  const links: readonly (readonly [label: string, orderId: string | null | undefined])[] = [
    [msg('Parent order'), parentOrderId],
    [msg('Other OCO order'), ocoOrderId],
    ...(status !== 'open'
      ? ([
          [msg('Take profit'), attached?.takeProfit?.orderId],
          [msg('Stop loss'), attached?.stopLoss?.orderId],
          [msg('Attached order'), attached?.order?.orderId],
        ] as const)
      : []),
  ];
  return links.flatMap(([label, orderId]) => (orderId ? [{ label, orderId }] : []));
}
