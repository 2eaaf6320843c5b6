import type { Notice } from '../../src/client/index.ts';
import { api } from '../api.ts';
import { Loaded } from '../components/loaded.tsx';
import { Panel } from '../components/panel.tsx';
import { useResource } from '../components/resource.ts';
import { type Column, Table } from '../components/table.tsx';
import { dateTime } from '../format.ts';
import { msg, t } from '../i18n/index.ts';
import { loadChannels } from './channel-editor.ts';
import { ChannelGrid, ChannelsLead } from './channel-grid.tsx';
import { FirstChannels } from './first-channels.tsx';
import { noticeText } from './notices.ts';
import { PriceAlerts } from './price-alerts.tsx';
import { ThisBrowser } from './this-browser.tsx';

const PAGE_SIZE = 100;
/** Time between readings of the last prices. */
const PRICES_MS = 10_000;
const COLUMNS: readonly Column<Notice>[] = [
  { key: 'time', title: msg('Time'), cell: ({ timestamp }) => dateTime(timestamp) },
  {
    key: 'text',
    title: msg('Notification'),
    cell: (notice) => <span class="long">{noticeText(notice)}</span>,
  },
];

/** A notice on a phone: the text in a line of its own. */
const noticeCard = (notice: Notice) => (
  <div class="row-card">
    <span class="row-line">{noticeText(notice)}</span>
    <span class="row-line muted">{dateTime(notice.timestamp)}</span>
  </div>
);

/** Price alerts, the channels of notifications, and the notices of the account. */
export function NotificationSection() {
  const markets = useResource(() => api.getMarkets(), PRICES_MS);
  const channels = useResource(loadChannels);
  const notices = useResource(() => api.listNotices({ limit: PAGE_SIZE }));
  return (
    <>
      {channels.data.value === undefined ? null : <FirstChannels editor={channels.data.value} />}
      <Panel
        title={t('Price alerts')}
        lead={t('Each alert triggers once, by the first trade at or past its price.')}
      >
        <Loaded resource={markets}>
          {({ markets: listed }) => (
            <PriceAlerts
              symbols={listed.map(({ symbol }) => symbol)}
              readLast={(wanted) => listed.find(({ symbol }) => symbol === wanted)?.last}
            />
          )}
        </Loaded>
      </Panel>
      <Panel title={t('Channels')} lead={<ChannelsLead />} flush>
        <Loaded resource={channels}>{(editor) => <ChannelGrid editor={editor} />}</Loaded>
      </Panel>
      <ThisBrowser />
      <Panel title={t('Notifications')} lead={t('The newest first.')} flush>
        <Loaded resource={notices}>
          {(data) => (
            <Table
              caption={t('Notifications')}
              columns={COLUMNS}
              rows={data.notices}
              rowKey={({ id }) => `${id}`}
              card={noticeCard}
              empty={t('No notifications yet')}
            />
          )}
        </Loaded>
      </Panel>
    </>
  );
}
