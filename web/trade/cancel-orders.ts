import type { CancelOrdersParameters } from '../../src/client/index.ts';
import { announce } from '../components/toast.tsx';
import { t } from '../i18n/index.ts';
import { orderName } from './order-names.ts';
import { describeFailure } from './order-rejection.ts';
import type { ExactOrder } from './records.ts';
import { trade } from './trading.ts';

/** Maximum number of ids in one request (docs/trading/orders.md). */
const MAX_IDS = 1000;
/** Any number of orders but one, for the words of a failure. */
const MANY = 2;

/** Cancels an open order and announces the result. */
export async function cancelOrder(order: ExactOrder): Promise<void> {
  try {
    await trade((trader) => trader.cancelOrder({ id: order.orderId }));
    announce(t('Canceled: {order}.', { order: orderName(order) }), 'success');
  } catch (error) {
    announce(describeFailure(error, 'canceled'), 'error');
  }
}

/** Cancels the selected open orders and announces how many there were. */
export function cancelOrders(selection: CancelOrdersParameters): Promise<void> {
  return cancelEach([selection]);
}

/** Cancels these orders and announces how many of them were still open. */
export function cancelThese(orders: readonly ExactOrder[]): Promise<void> {
  const ids = orders.map(({ orderId }) => orderId);
  const count = Math.ceil(ids.length / MAX_IDS);
  const parts = Array.from({ length: count }, (_, part) =>
    ids.slice(part * MAX_IDS, (part + 1) * MAX_IDS),
  );
  return cancelEach(parts.map((part) => ({ ids: part.join() })));
}

async function cancelEach(selections: readonly CancelOrdersParameters[]): Promise<void> {
  try {
    let count = 0;
    for (const selection of selections) {
      const { orders } = await trade((trader) => trader.cancelOrders(selection));
      count += orders.length;
    }
    announce(t('{count, plural, one {# order} other {# orders}} canceled.', { count }), 'success');
  } catch (error) {
    announce(describeFailure(error, 'canceled', MANY), 'error');
  }
}
