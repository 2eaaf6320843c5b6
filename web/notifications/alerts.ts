import { signal } from '@preact/signals';
import Big from 'big.js';
import type { PriceAlert } from '../../src/client/index.ts';
import { api } from '../api.ts';
import { ResponseOrder } from '../components/response-order.ts';
import { announce } from '../components/toast.tsx';
import { grouped } from '../format.ts';
import { t } from '../i18n/index.ts';
import { directionTo } from './alert-direction.ts';

export type ExactAlert = PriceAlert<string>;
type NewAlert = Parameters<typeof api.createPriceAlert>[0];

/** The price alerts of the account, newest first; undefined until a part of the page has loaded them. */
export const alerts = signal<readonly ExactAlert[] | undefined>(undefined);
const order = new ResponseOrder();

export async function loadAlerts(): Promise<void> {
  const isNewest = order.begin();
  const found = await api.listPriceAlerts();
  if (isNewest()) alerts.value = found.alerts;
}

/** Creates a price alert, and announces it. */
export async function setAlert(wanted: NewAlert): Promise<void> {
  await createAlert(wanted);
  await loadAlerts();
}

async function createAlert(wanted: NewAlert): Promise<void> {
  const { alert } = await api.createPriceAlert(wanted);
  announce(
    t('Alert set: {symbol} {direction, select, above {rises to} other {falls to}} {price}', {
      symbol: alert.symbol,
      direction: alert.direction,
      price: grouped(alert.price),
    }),
    'success',
  );
}

export async function deleteAlert({ id }: ExactAlert): Promise<void> {
  await api.deletePriceAlert({ id });
  announce(t('Price alert deleted'), 'success');
  await loadAlerts();
}

/**
 * Replaces an alert by one at another price, which is shown there at once. The old alert is deleted only after the new one
 * exists.
 * @param last Last price of the market, from which the direction follows
 */
export async function moveAlert(
  alert: ExactAlert,
  price: string,
  last: string | undefined,
): Promise<void> {
  const { id, symbol, note } = alert;
  alerts.value = alerts.peek()?.map((each) => (each.id === id ? { ...each, price } : each));
  const direction = directionTo(new Big(price), last) ?? alert.direction;
  try {
    await createAlert({ symbol, direction, price, note });
    await api.deletePriceAlert({ id });
  } finally {
    await loadAlerts();
  }
}
