import { timeOfDay } from '../format.ts';
import { t } from '../i18n/index.ts';
import { staleSince } from '../live.ts';

/**
 * A note over a panel whose data is out of date; styles dim the rest of the panel. The connection badge announces the
 * state, so that screen readers do not hear it from each panel.
 */
export function StaleNote({ of = 'prices' }: { of?: 'prices' | 'orders' }) {
  const since = staleSince.value;
  if (since === undefined) return null;
  const time = timeOfDay(new Date(since).toISOString());
  return (
    <p class="stale-note">
      {of === 'prices'
        ? t('Reconnecting… Prices are from {time}', { time })
        : t('Reconnecting… Orders are from {time}', { time })}
    </p>
  );
}
