import type { Detection, DetectorStatus } from '../../src/client/index.ts';
import { api } from '../api.ts';
import { Loaded } from '../components/loaded.tsx';
import { Notice } from '../components/notice.tsx';
import { Panel } from '../components/panel.tsx';
import { useResource } from '../components/resource.ts';
import { type Column, Table } from '../components/table.tsx';
import { duration } from '../custody/network-text.ts';
import { dateTime, grouped } from '../format.ts';
import { msg, t } from '../i18n/index.ts';
import { DETECTORS, SeverityBadge } from './alert-text.tsx';
import { DetectorParameters } from './detector-parameters.tsx';

const REFRESH_MS = 15_000;

const PATTERNS: Readonly<Record<DetectorStatus['detector'], string>> = {
  wash_trading: msg('Two users trade similar amounts back and forth'),
  spoofing: msg('Orders on one side, canceled after trades on the other side'),
  quote_stuffing: msg('Very many orders, canceled right after they were placed'),
  marking_the_close: msg('Trades that move the price right before the daily close'),
  pump: msg('An account drives the price up and sells into the rise'),
};

const COLUMNS: readonly Column<DetectorStatus>[] = [
  {
    key: 'detector',
    title: msg('Detector'),
    cell: (each) => (
      <div class="account-cell">
        <b>{t(DETECTORS[each.detector])}</b>
        <small class="muted cell-text">{t(PATTERNS[each.detector])}</small>
        <DetectorParameters of={each} />
      </div>
    ),
  },
  { key: 'severity', title: msg('Severity'), cell: (each) => <SeverityBadge of={each} /> },
  {
    key: 'window',
    title: msg('Window'),
    cell: ({ windowMs }) => (windowMs === null ? '–' : duration(windowMs)),
  },
  {
    key: 'evaluated',
    title: msg('Last evaluated'),
    cell: ({ evaluatedTo }) => (evaluatedTo === null ? '–' : dateTime(evaluatedTo)),
  },
  {
    key: 'next',
    title: msg('Next evaluation'),
    cell: ({ nextAt }) => (nextAt === null ? '–' : dateTime(nextAt)),
  },
  {
    key: 'alerts',
    title: msg('Alerts since start'),
    numeric: true,
    cell: ({ alerts }) => grouped(`${alerts}`),
  },
  {
    key: 'status',
    title: msg('Status'),
    cell: ({ isRunning }) => <Running isOn={isRunning} />,
  },
];

function Running({ isOn }: { isOn: boolean }) {
  return <span class={`badge ${isOn ? 'on' : 'off'}`}>{isOn ? t('Running') : t('Off')}</span>;
}

/** A detector on a phone. */
function DetectorCard(each: DetectorStatus) {
  const { detector, isRunning, evaluatedTo, alerts } = each;
  return (
    <div class="detector-card">
      <span class="detector-card-head">
        <b>{t(DETECTORS[detector])}</b>
        <SeverityBadge of={each} />
        <Running isOn={isRunning} />
      </span>
      <small class="muted">{t(PATTERNS[detector])}</small>
      <small class="muted">
        {t('{count, plural, one {# alert} other {# alerts}} since start', { count: alerts })}
        {evaluatedTo === null
          ? null
          : ` · ${t('evaluated to {time}', { time: dateTime(evaluatedTo) })}`}
      </small>
      <DetectorParameters of={each} />
    </div>
  );
}

/** The state of the detectors, with what they have read: an empty list of alerts means little without it. */
export function Detectors() {
  const found = useResource(() => api.listSurveillanceAlerts({ limit: 1 }), REFRESH_MS);
  return (
    <Panel
      class="detectors"
      title={t('Detectors')}
      lead={<Read detection={found.data.value?.detection} />}
      flush
    >
      <Loaded resource={found}>
        {({ detection, failedDetectors }) => (
          <>
            {failedDetectors.map(({ detector, error, logPosition }) => (
              <div key={detector} class="panel-bar">
                <Notice kind="error">
                  {t('{name} failed at log position {position} and is off: {error}', {
                    name: t(DETECTORS[detector]),
                    position: grouped(`${logPosition}`),
                    error,
                  })}
                </Notice>
              </div>
            ))}
            <Table
              caption={t('Detectors')}
              columns={COLUMNS}
              rows={detection.detectors}
              rowKey={({ detector }) => detector}
              empty={t('No detectors.')}
              card={DetectorCard}
            />
          </>
        )}
      </Loaded>
    </Panel>
  );
}

function Read({ detection }: { detection: Detection | undefined }) {
  if (detection === undefined) return null;
  const { from, to, orders, trades, logPosition } = detection;
  if (from === null || to === null) return <>{t('Nothing to read since the node started.')}</>;
  return (
    <>
      {t(
        'Read since the node started: {orders} order changes and {trades} trades of all markets, from {from} to {to}, log position {position}.',
        {
          ...{ orders: grouped(`${orders}`), trades: grouped(`${trades}`) },
          ...{ from: dateTime(from), to: dateTime(to), position: grouped(`${logPosition}`) },
        },
      )}
    </>
  );
}
