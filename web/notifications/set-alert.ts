import { api } from '../api.ts';
import { announce } from '../components/toast.tsx';
import { grouped } from '../format.ts';
import { t } from '../i18n/index.ts';

/** Creates a price alert, and announces it. */
export async function setAlert(wanted: Parameters<typeof api.createPriceAlert>[0]): Promise<void> {
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
