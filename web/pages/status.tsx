import '../styles/base.css';
import '../sign-in/sign-in.css';
import '../styles/status.css';
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { api } from '../api.ts';
import { Icon } from '../components/icon.tsx';
import { Loaded } from '../components/loaded.tsx';
import { Panel } from '../components/panel.tsx';
import { useResource } from '../components/resource.ts';
import { Shell } from '../components/shell.tsx';
import { SiteFooter } from '../components/site-footer.tsx';
import { announceError } from '../components/toast.tsx';
import { dateTime, timeOfDay } from '../format.ts';
import { msg, t } from '../i18n/index.ts';
import { loadSession } from '../session.ts';
import { showPage } from '../show-page.ts';
import { Days } from '../status/days.tsx';
import { describeParts, type ExchangeStatus, type Health, worstHealth } from '../status/health.ts';
import { Incidents } from '../status/incidents.tsx';
import { MarketStatuses } from '../status/market-statuses.tsx';
import { ResponseTimes } from '../status/response-times.tsx';

const REFRESH_MS = 3000;
const SLOW_REFRESH_MS = 15_000;

const HEADLINES: Readonly<Record<Health, string>> = {
  good: msg('All systems operational'),
  warn: msg('Some parts are limited'),
  bad: msg('Trading is disrupted'),
};
const SIGNS: Readonly<Record<Health, ComponentChildren>> = {
  good: <Icon name="done" />,
  warn: '!',
  bad: <Icon name="close" />,
};

function StatusPage() {
  const status = useResource(() => api.getStatus(), REFRESH_MS);
  const history = useResource(() => api.getStatusHistory(), SLOW_REFRESH_MS);
  const funding = useResource(() => api.getNetworks(), SLOW_REFRESH_MS);
  const isKnown = status.data.value !== undefined || status.failure.value !== undefined;
  // The last answer does not say how the exchange does once it answers no more.
  const current = status.failure.value === undefined ? status.data.value : undefined;
  const readable = history.failure.value === undefined ? history.data.value : undefined;
  const isHistoryKnown = readable !== undefined || history.failure.value !== undefined;
  const parts = describeParts(current, readable, funding.data.value?.networks);
  const hasFunding = (funding.data.value?.networks ?? []).length > 0;
  const isReady = isKnown && isHistoryKnown;
  const worst = worstHealth(parts);
  useEffect(() => {
    // The browser looked for what the address names before it was there.
    if (isReady && location.hash !== '')
      document.getElementById(location.hash.slice(1))?.scrollIntoView();
  }, [isReady]);
  return (
    <Shell at="/status" class="status-page">
      <section class={`status-head ${isReady ? worst : ''}`} aria-live="polite">
        <span class="status-sign" aria-hidden="true">
          {isReady ? SIGNS[worst] : '…'}
        </span>
        <div>
          <h1>{isReady ? t(HEADLINES[worst]) : t('Checking the exchange…')}</h1>
          <p class="muted">
            {current === undefined || readable === undefined
              ? ''
              : t('Checked at {time}. Release {version}, running since {since}.', {
                  time: timeOfDay(readable.timestamp),
                  version: current.version,
                  since: dateTime(readable.startedAt),
                })}
          </p>
        </div>
        <a class="button" href="/status/feed.xml">
          {t('Subscribe (Atom feed)')}
        </a>
      </section>
      <ul class="status-parts panel">
        {parts.map(({ name, health, text, values }) => (
          <li key={name} class={isReady ? health : ''}>
            <b>{t(name)}</b>
            <span>
              <span class="status-dot" aria-hidden="true" />
              {isReady ? t(text, values) : '…'}
            </span>
          </li>
        ))}
      </ul>
      <Loaded resource={history}>
        {(data) => (
          <>
            <Panel
              title={t('Last 90 days')}
              lead={t(
                'Days (UTC) on which an operator or maintenance interrupted trading, deposits or withdrawals. Gray: before the exchange started.',
              )}
            >
              <Days history={data} hasFunding={hasFunding} />
            </Panel>
            <ResponseTimes times={data.responseTimes} />
          </>
        )}
      </Loaded>
      <MarketStatuses />
      {current === undefined ? null : <AnnouncementList status={current} />}
      <div id="incidents">
        {readable === undefined ? null : <Incidents incidents={readable.incidents} />}
      </div>
      <SiteFooter />
    </Shell>
  );
}

function AnnouncementList({ status: { announcements, maintenance } }: { status: ExchangeStatus }) {
  const coming = maintenance.filter(({ active }) => !active);
  return (
    <div id="announcements">
      <Panel title={t('Announcements')}>
        {announcements.length + coming.length === 0 ? (
          <p class="empty">{t('No announcements')}</p>
        ) : (
          <ul class="status-list">
            {coming.map(({ from, to, message }) => (
              <li key={from}>
                <h3>
                  {t('Maintenance from {start} to {end}', {
                    start: dateTime(from),
                    end: dateTime(to),
                  })}
                </h3>
                <p>{message}</p>
              </li>
            ))}
            {announcements.map(({ id, title, text, timestamp }) => (
              <li key={id}>
                <h3>{title}</h3>
                {text === '' ? null : <p>{text}</p>}
                <p class="muted">{dateTime(timestamp)}</p>
              </li>
            ))}
          </ul>
        )}
      </Panel>
    </div>
  );
}

loadSession().catch(announceError);
showPage(<StatusPage />);
