import { t } from '../i18n/index.ts';
import { clock } from '../preferences.ts';
import { zoneText } from './time-text.ts';

/** Names the time zone of all times on the page, which the operator chooses in the settings. */
export function ZoneNote() {
  const isUtc = clock.value === 'utc';
  const zone = zoneText(isUtc ? 0 : -new Date().getTimezoneOffset());
  const name = isUtc ? 'UTC' : new Intl.DateTimeFormat().resolvedOptions().timeZone;
  return (
    <a
      class="zone-note"
      href="/settings#display"
      title={t('{name}. Change it in the settings.', { name })}
    >
      {t('Times: {zone}', { zone })}
    </a>
  );
}
