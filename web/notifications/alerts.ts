import { signal } from '@preact/signals';
import Big from 'big.js';
import type { PriceAlert } from '../../src/client/index.ts';
import { api } from '../api.ts';
import { ResponseOrder } from '../components/response-order.ts';
import { announce, announceError } from '../components/toast.tsx';
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

/** Shows the alerts after a change, which has succeeded even if they cannot be loaded. */
function showChange(): Promise<void> {
  return loadAlerts().catch(announceError);
}

/** Creates a price alert, and announces it. */
export async function setAlert(wanted: NewAlert): Promise<void> {
  const { alert } = await api.createPriceAlert(wanted);
  announceAlert(alert);
  await showChange();
}

function announceAlert({ symbol, direction, price }: ExactAlert): void {
  announce(
    t('Alert set: {symbol} {direction, select, above {rises to} other {falls to}} {price}', {
      symbol,
      direction,
      price: grouped(price),
    }),
    'success',
  );
}

export async function deleteAlerts(deleted: readonly ExactAlert[]): Promise<void> {
  for (const { id } of deleted) await api.deletePriceAlert({ id });
  announce(t('Price alert deleted'), 'success');
  await showChange();
}

/**
 * Replaces alerts of a market by ones at another price, which are shown there at once. Each old alert is deleted only after
 * the new one exists.
 * @param last Last price of the market, from which the direction follows
 */
export async function moveAlerts(
  moved: readonly ExactAlert[],
  price: string,
  last: string | undefined,
): Promise<void> {
  const ids = new Set(moved.map(({ id }) => id));
  alerts.value = alerts.peek()?.map((each) => (ids.has(each.id) ? { ...each, price } : each));
  const direction = directionTo(new Big(price), last);
  try {
    for (const [place, { id, symbol, note, direction: known }] of moved.entries()) {
      const wanted = { symbol, direction: direction ?? known, price, note };
      const { alert } = await api.createPriceAlert(wanted);
      await api.deletePriceAlert({ id });
      if (place === moved.length - 1) announceAlert(alert);
    }
  } finally {
    await showChange();
  }
}
