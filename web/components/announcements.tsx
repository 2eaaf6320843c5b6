import type { api } from '../api.ts';
import { t } from '../i18n/index.ts';
import { storedValue } from '../preferences.ts';
import { Notice } from './notice.tsx';

export type Announcement = Awaited<ReturnType<typeof api.getStatus>>['announcements'][number];

/** The announcements that this browser no longer shows in the banner, by `announcementKey`. */
const dismissed = storedValue<readonly string[]>('dismissed-announcements', parseKeys, []);

interface AnnouncementsProps {
  /** The newest first. */
  readonly announcements: readonly Announcement[];
}

/** The announcement that matters most of those that were not dismissed: one, so that the page keeps its place. */
export function AnnouncementBanner({ announcements }: AnnouncementsProps) {
  const left = announcements.filter((each) => !dismissed.value.includes(announcementKey(each)));
  const shown = left.find(({ severity }) => severity === 'warning') ?? left[0];
  if (shown === undefined) return null;
  const dismiss = () => {
    // Keys of announcements that no longer stand are dropped.
    const known = announcements.map(announcementKey);
    const others = dismissed.value.filter((key) => known.includes(key));
    dismissed.value = [...others, announcementKey(shown)];
  };
  return (
    <Notice kind={shown.severity}>
      <div class="announcement">
        <p>
          <b>{shown.title}</b> {shown.text}{' '}
          {left.length > 1 ? (
            <a href="/status#announcements">
              {t('All announcements ({count})', { count: String(announcements.length) })}
            </a>
          ) : null}
        </p>
        <button type="button" class="button small" onClick={dismiss}>
          {t('Dismiss')}
          <span class="visually-hidden">: {shown.title}</span>
        </button>
      </div>
    </Notice>
  );
}

/** Returns the name under which an announcement is dismissed. A sandbox that starts again gives the same ids. */
function announcementKey({ id, timestamp }: Announcement): string {
  return `${id} ${timestamp}`;
}

function parseKeys(json: unknown): readonly string[] | undefined {
  const isValid = Array.isArray(json) && json.every((key) => typeof key === 'string');
  return isValid ? (json as string[]) : undefined;
}
