import { zoneText } from '../format.ts';
import { T, t } from '../i18n/index.ts';
import { clock } from '../preferences.ts';
import { zoneName } from './time-text.ts';

/**
 * Names the time zone of all times on the page, which the operator chooses in the settings. Its distance from UTC is
 * only that of now: times on the other side of a change of clocks have another.
 */
export function ZoneNote() {
  const isUtc = clock.value === 'utc';
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  const offset = zoneText(isUtc ? 0 : -new Date().getTimezoneOffset());
  return (
    <a
      class="zone-note"
      href="/settings#display"
      title={t('Now {offset}. Change the time zone in the settings.', { offset })}
    >
      <T
        text="<span>Times: </span>{zone}"
        zone={isUtc ? 'UTC' : zoneName(timeZone)}
        span={(content) => <span class="zone-word">{content}</span>}
      />
    </a>
  );
}
