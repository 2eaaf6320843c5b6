import { computed } from '@preact/signals';
import { t } from '../i18n/index.ts';
import { type LowLimit, lowLimit } from '../rate-limits.ts';
import { draft } from './order-draft.ts';

const PLACE = 'POST /api/orders';
const PLACE_OCO = 'POST /api/orders/oco';

/** The orders like the draft that are left this minute, once they are few. */
export const ordersLeft = computed<LowLimit | undefined>(() =>
  lowLimit(draft.value.type === 'oco' ? PLACE_OCO : PLACE),
);
/** Whether the exchange would reject any order of this type until the window ends. */
export const isLimitReached = computed(() => ordersLeft.value?.remaining === 0);

/** Shows how many more orders the exchange accepts this minute, before it rejects one. */
export function OrdersLeft() {
  const low = ordersLeft.value;
  if (low === undefined) return null;
  const { remaining, seconds } = low;
  return (
    <p class={remaining === 0 ? 'orders-left none' : 'orders-left'}>
      {remaining === 0 ? (
        <>
          {/* The seconds are not announced, or screen readers would read them out all the time. */}
          <span role="status">{t('Order limit reached.')}</span>{' '}
          {t('Next order in {seconds} s', { seconds })}
        </>
      ) : (
        t('{remaining, plural, one {# order} other {# orders}} left this minute', { remaining })
      )}
    </p>
  );
}
