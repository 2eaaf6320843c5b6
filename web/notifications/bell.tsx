import { useEffect } from 'preact/hooks';
import { Icon } from '../components/icon.tsx';
import { Menu } from '../components/menu.tsx';
import { announceError } from '../components/toast.tsx';
import { shortTime } from '../format.ts';
import { t } from '../i18n/index.ts';
import { followNotices, markRead, notices, noticeText, unread } from './notices.ts';

const SHOWN = 6;
const MAX_COUNT = 99;

/** The bell in the header: the number of unread notices, and a list of the newest. */
export function Bell() {
  useEffect(followNotices, []);
  const count = unread.value;
  const label = count === 0 ? t('Notifications') : t('Notifications, {count} unread', { count });
  return (
    <Menu
      id="notices"
      label={label}
      buttonClass="icon-button bell"
      listClass="notice-list"
      onOpen={() => markRead().catch(announceError)}
      button={
        <>
          <Icon name="bell" />
          {count === 0 ? null : (
            <span class="bell-count">{count > MAX_COUNT ? `${MAX_COUNT}+` : count}</span>
          )}
        </>
      }
    >
      <NewestNotices />
      <a href="/settings#notifications">
        {notices.value?.length === 0 ? t('Choose notifications') : t('All notifications')}
      </a>
    </Menu>
  );
}

function NewestNotices() {
  const found = notices.value;
  if (found === undefined || found.length === 0) {
    return <p>{found === undefined ? t('Loading…') : t('No notifications yet')}</p>;
  }
  return (
    <ul>
      {found.slice(0, SHOWN).map((notice) => (
        <li key={notice.id}>
          {noticeText(notice)}
          <time class="muted" dateTime={notice.timestamp}>
            {shortTime(notice.timestamp)}
          </time>
        </li>
      ))}
    </ul>
  );
}
