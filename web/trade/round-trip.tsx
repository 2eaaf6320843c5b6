import { t } from '../i18n/index.ts';
import { roundTrip } from './trading.ts';

/** The time that the last order took from the page to the exchange and back. The toast announces the order itself. */
export function RoundTrip() {
  const ms = roundTrip.value;
  return (
    <p class="round-trip" title={t("Time from sending your last order to the exchange's response")}>
      {ms === undefined ? '' : t('Placed in {value} ms', { value: Math.max(1, Math.round(ms)) })}
    </p>
  );
}
