import { Panel } from '../components/panel.tsx';
import { dateTime } from '../format.ts';
import { t } from '../i18n/index.ts';
import type { StatusHistory } from './health.ts';
import { lasting } from './lasting.ts';

type Incident = StatusHistory['incidents'][number];

/** The periods in which trading was restricted, the newest first. */
export function Incidents({ incidents }: { incidents: readonly Incident[] }) {
  return (
    <Panel title={t('Incidents')} lead={t('From the exchange log.')}>
      {incidents.length === 0 ? (
        <p class="empty">{t('No incidents in the last 90 days')}</p>
      ) : (
        <ul class="status-list">
          {incidents.map((incident) => (
            <li key={`${incident.from} ${incident.symbol}`}>
              <h3>
                {incidentTitle(incident)}{' '}
                {incident.to === null ? <span class="badge sandbox">{t('Ongoing')}</span> : null}
              </h3>
              {incident.reason === null ? null : <p>{incident.reason}</p>}
              <p class="muted">{periodText(incident)}</p>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}

function incidentTitle({ cause, symbol, status }: Incident): string {
  if (symbol !== null) {
    return status === 'halted'
      ? t('{symbol} halted', { symbol })
      : t('{symbol} cancel-only', { symbol });
  }
  if (cause === 'maintenance') return t('Maintenance');
  return status === 'halted' ? t('All markets halted') : t('All markets cancel-only');
}

function periodText({ from, to }: Incident): string {
  if (to === null) return t('Since {start}', { start: dateTime(from) });
  const time = lasting(Date.parse(to) - Date.parse(from));
  return t('{start} to {end} ({time})', { start: dateTime(from), end: dateTime(to), time });
}
