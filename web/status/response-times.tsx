import { Panel } from '../components/panel.tsx';
import { Sparkline } from '../components/sparkline.tsx';
import { fixed } from '../format.ts';
import { t } from '../i18n/index.ts';
import type { StatusHistory } from './health.ts';

/** The response times of the node that serves this page. */
export function ResponseTimes({ times }: { times: StatusHistory['responseTimes'] }) {
  const median = times.medianMs.map(Number);
  const slowest = times.p99Ms.map(Number);
  return (
    <Panel
      title={t('Response times')}
      lead={t('REST API response times on this node, last 10 minutes.')}
    >
      <div class="status-times">
        <Series label={t('Median')} values={median} />
        <Series label={t('99th percentile')} values={slowest} />
      </div>
    </Panel>
  );
}

function Series({ label, values }: { label: string; values: readonly number[] }) {
  // Samples without requests have no response time.
  const last = values.findLast((value) => value > 0);
  const text = last === undefined ? '–' : t('{time} ms', { time: fixed(String(last), 2) });
  return (
    <div>
      <div class="muted">{label}</div>
      <div class="status-figure">{text}</div>
      <Sparkline
        values={values.map((value) => (value > 0 ? value : null))}
        label={t('{name}: now {value}', { name: label, value: text })}
      />
    </div>
  );
}
