import { useSignal } from '@preact/signals';
import type { Notice } from '../../src/client/index.ts';
import { api } from '../api.ts';
import { useAction } from '../components/action.ts';
import { Form, Submit } from '../components/form.tsx';
import { Loaded } from '../components/loaded.tsx';
import { Panel } from '../components/panel.tsx';
import { useResource } from '../components/resource.ts';
import { type Column, Table } from '../components/table.tsx';
import { announce } from '../components/toast.tsx';
import { dateTime } from '../format.ts';
import { msg, T, t } from '../i18n/index.ts';
import { EventChoice } from './event-choice.tsx';
import { EVENTS } from './events.ts';
import { noticeText } from './notices.ts';
import { PriceAlerts } from './price-alerts.tsx';
import { ThisBrowser } from './this-browser.tsx';

const PAGE_SIZE = 100;
/** Price alerts are always shown. */
const OPTIONAL = EVENTS.map(([name]) => name).filter((name) => name !== 'price.alert');
const ChannelsLead = () => (
  <T
    text="Price alerts are always shown on the pages. Your own server is notified by <a>webhooks</a>."
    a={(children) => <a href="#webhooks">{children}</a>}
  />
);
const COLUMNS: readonly Column<Notice>[] = [
  { key: 'time', title: msg('Time'), cell: ({ timestamp }) => dateTime(timestamp) },
  {
    key: 'text',
    title: msg('Notification'),
    cell: (notice) => <span class="long">{noticeText(notice)}</span>,
  },
];

/** Price alerts, the channels of notifications, and the notices of the account. */
export function NotificationSection() {
  const markets = useResource(() => api.getMarkets());
  const settings = useResource(() => api.getNotificationSettings());
  const notices = useResource(() => api.listNotices({ limit: PAGE_SIZE }));
  return (
    <>
      <Panel
        title={t('Price alerts')}
        lead={t('Each alert triggers once, by the first trade at its price.')}
      >
        <Loaded resource={markets}>
          {(data) => <PriceAlerts symbols={data.markets.map(({ symbol }) => symbol)} />}
        </Loaded>
      </Panel>
      <Panel title={t('Channels')} lead={<ChannelsLead />}>
        <Loaded resource={settings}>
          {({ notifications: { page, mail } }) => <Channels page={page} mail={mail} />}
        </Loaded>
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
              empty={t('No notifications yet')}
            />
          )}
        </Loaded>
      </Panel>
    </>
  );
}

interface ChannelsProps {
  readonly page: readonly string[];
  readonly mail: readonly string[];
}

function Channels(known: ChannelsProps) {
  const action = useAction();
  const page = useSignal(known.page);
  const mail = useSignal(known.mail);
  const stored = useSignal(known);
  const submit = async () => {
    // A list that is sent begins again, so that only one that changed is sent.
    const isSame = (a: readonly string[], b: readonly string[]) => a.join() === b.join();
    const change = {
      ...(isSame(page.value, stored.value.page) ? {} : { page: page.value }),
      ...(isSame(mail.value, stored.value.mail) ? {} : { mail: mail.value }),
    };
    stored.value = (await api.changeNotificationSettings(change)).notifications;
    announce(t('Notification channels updated'), 'success');
  };
  return (
    <Form action={action} onSubmit={submit} fields={[]}>
      <div class="channel-choices">
        <EventChoice
          legend={t('On the pages')}
          chosen={page.value}
          names={OPTIONAL}
          onChange={(chosen) => (page.value = chosen)}
        />
        <EventChoice
          legend={t('By mail')}
          chosen={mail.value}
          onChange={(chosen) => (mail.value = chosen)}
        />
      </div>
      <div class="buttons">
        <Submit action={action} label={t('Apply')} />
      </div>
    </Form>
  );
}
