import { useSignal } from '@preact/signals';
import { Dialog } from '../components/dialog.tsx';
import { Icon } from '../components/icon.tsx';
import { t } from '../i18n/index.ts';
import { PriceAlerts } from './price-alerts.tsx';

interface AlertButtonProps {
  readonly symbol: string;
  /** Returns the last price of the market; undefined before the first trade. */
  readonly readLast: () => string | undefined;
}

/** Opens the price alerts of a market. */
export function AlertButton({ symbol, readLast }: AlertButtonProps) {
  const isOpen = useSignal(false);
  return (
    <>
      <button
        type="button"
        class="button small alert-button"
        aria-haspopup="dialog"
        onClick={() => (isOpen.value = true)}
      >
        <Icon name="alert" />
        <span>{t('Price alert')}</span>
      </button>
      <Dialog
        title={t('{symbol} price alerts', { symbol })}
        open={isOpen.value}
        onClose={() => (isOpen.value = false)}
      >
        <PriceAlerts key={symbol} symbols={[symbol]} symbol={symbol} readLast={readLast} />
      </Dialog>
    </>
  );
}
