import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { timeOfDay } from '../format.ts';
import { t } from '../i18n/index.ts';
import { isStale, staleSince } from '../live.ts';

/** Marks a panel whose data is out of date, which styles dim. The banner says why, once. */
export function StaleNote() {
  return isStale.value ? <span class="stale-note" hidden /> : null;
}

/** The time since which the data of the page is out of date. Empty while it is live, so that a change is announced. */
export function StaleBanner() {
  const since = staleSince.value;
  return (
    <p class={`stale-banner ${since === undefined ? '' : 'shown'}`} role="status">
      {since === undefined ? null : (
        <>
          {t('Reconnecting… Data from {time}', {
            time: timeOfDay(new Date(since).toISOString()),
          })}
          <Age since={since} />
        </>
      )}
    </p>
  );
}

/** The age of the data; hidden from screen readers, which would announce every second. */
function Age({ since }: { since: number }) {
  const now = useSignal(Date.now());
  useEffect(() => {
    const timer = setInterval(() => {
      now.value = Date.now();
    }, 1000);
    return () => clearInterval(timer);
  }, [now]);
  const seconds = Math.max(0, Math.round((now.value - since) / 1000));
  return (
    <span class="stale-age" aria-hidden="true">
      {seconds < 60
        ? t('{seconds} s ago', { seconds })
        : t('{minutes} min ago', { minutes: Math.floor(seconds / 60) })}
    </span>
  );
}
