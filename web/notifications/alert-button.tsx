import { useSignal } from '@preact/signals';
import { Dialog } from '../components/dialog.tsx';
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
        <svg viewBox="0 0 20 20" aria-hidden="true">
          <path d="M10 4a4 4 0 0 0-4 4c0 3.5-1.4 4.4-1.4 5.3h10.8c0-.9-1.4-1.8-1.4-5.3a4 4 0 0 0-4-4ZM8.5 15.5a1.6 1.6 0 0 0 3 0M15 2v4M13 4h4" />
        </svg>
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
