import { useSignal, useSignalEffect } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { ChartCredit } from '../components/chart-credit.tsx';
import { Choices } from '../components/choices.tsx';
import { theme } from '../components/theme.tsx';
import { dateAndMinute, dateTime, rounded, signed } from '../format.ts';
import { msg, t } from '../i18n/index.ts';
import { clock, marketColors, preference } from '../preferences.ts';
import { chartPoints, gains, RANGE_IDS, RANGES, range } from './gains.ts';
import { amounts, hideable } from './hidden-amounts.tsx';
import { shownQuote, valueDecimals } from './holdings.ts';
import { type ChartPoint, hasFlow } from './performance.ts';
import { CHART_KINDS, PerformanceChart } from './performance-chart.ts';

const TABLE_ROWS = 12;
const KIND_LABELS = { value: msg('Value'), gains: msg('Profit and loss') } as const;

const kind = preference('portfolio-chart', CHART_KINDS, 'value');

/** Value or gains of the portfolio over time, with a table for screen readers. */
export function ValueChart() {
  const box = useRef<HTMLDivElement>(null);
  const chart = useRef<PerformanceChart>(undefined);
  const hovered = useSignal<number | undefined>(undefined);
  useEffect(() => {
    chart.current = new PerformanceChart(box.current!, (index) => {
      hovered.value = index;
    });
    return () => chart.current!.remove();
  }, []);
  useSignalEffect(() => {
    void [theme.value, clock.value, marketColors.value];
    chart.current!.useTheme();
    chart.current!.showAxis(amounts.value === 'shown');
    chart.current!.show(chartPoints.value ?? [], kind.value);
  });
  const points = chartPoints.value;
  return (
    <section class="panel value-chart" aria-labelledby="value-title">
      <header>
        <h2 id="value-title" class="visually-hidden">
          {t('Performance')}
        </h2>
        <Choices
          legend={t('Chart')}
          ids={CHART_KINDS}
          chosen={kind.value}
          onChoose={(chosen) => {
            kind.value = chosen;
          }}
          format={(id) => t(KIND_LABELS[id])}
        />
        <Choices
          legend={t('Time range')}
          ids={RANGE_IDS}
          chosen={range.value}
          onChoose={(id) => {
            range.value = id;
          }}
          format={(id) => (id === 'all' ? t('All||range') : id)}
        />
      </header>
      <Legend
        point={points?.[hovered.value ?? points.length - 1]}
        isHovered={hovered.value !== undefined}
        points={points ?? []}
      />
      <div class="value-box">
        <div class="value-canvas" ref={box} aria-hidden="true" />
        {points?.length === 0 ? (
          <p class="value-note">
            {t('No history yet. Your portfolio value appears here after your first deposit.')}
          </p>
        ) : null}
        {gains.value?.isComplete === false ? (
          <p class="value-note" role="status">
            {t('Reading your ledger…')}
          </p>
        ) : null}
      </div>
      <ChartCredit />
      <PointTable points={points ?? []} />
    </section>
  );
}

interface LegendProps {
  readonly point: ChartPoint | undefined;
  readonly isHovered: boolean;
  readonly points: readonly ChartPoint[];
}

/** The figures of the point under the pointer, or of the last one, and what the arrows of the chart mean. */
function Legend({ point, isHovered, points }: LegendProps) {
  if (point === undefined) return <p class="value-legend">–</p>;
  const { time, value, gain, realized, deposited, withdrawn } = point;
  const money = (amount: typeof gain) => hideable(signed(amount, valueDecimals.value));
  const ofPoint = isHovered ? '' : 'legend-now';
  return (
    <p class="value-legend">
      <span class={`muted ${ofPoint}`}>{dateAndMinute(new Date(time).toISOString())}</span>
      {kind.value === 'value' ? (
        <span>
          {t('Value')} <b>{hideable(rounded(value, valueDecimals.value))}</b>
        </span>
      ) : (
        <>
          <span class={ofPoint}>
            {t('P&L')} <b>{money(gain)}</b>
          </span>
          <span>
            <i class="legend-line" aria-hidden="true" /> {t('Realized')} <b>{money(realized)}</b>
          </span>
        </>
      )}
      {deposited === undefined ? null : (
        <span class={`flow ${ofPoint}`}>
          {t('↑ Deposited')} <b>{money(deposited)}</b>
        </span>
      )}
      {withdrawn === undefined ? null : (
        <span class={`flow ${ofPoint}`}>
          {t('↓ Withdrawn')} <b>{money(withdrawn)}</b>
        </span>
      )}
      <FlowKey points={points} />
    </p>
  );
}

/** The meaning of the arrows that the chart has. */
function FlowKey({ points }: Pick<LegendProps, 'points'>) {
  const keys = [
    ['↑', t('Deposit||event'), points.some(({ deposited }) => deposited !== undefined)],
    ['↓', t('Withdrawal'), points.some(({ withdrawn }) => withdrawn !== undefined)],
  ] as const;
  const shown = keys.filter(([, , isShown]) => isShown);
  if (shown.length === 0) return null;
  return (
    <span class="flow-key">
      {shown.map(([arrow, name]) => (
        <span key={arrow}>
          <i aria-hidden="true">{arrow}</i> {name}
        </span>
      ))}
    </span>
  );
}

function PointTable({ points }: { points: readonly ChartPoint[] }) {
  const money = (amount: ChartPoint['gain']) => hideable(signed(amount, valueDecimals.value));
  return (
    // A hidden table alone would still be as wide as its cells.
    <div class="visually-hidden">
      <table>
        <caption>
          {t('Value and gains in {currency}, {range}', {
            currency: shownQuote.value,
            range: t(RANGES[range.value].title),
          })}
        </caption>
        <thead>
          <tr>
            <th scope="col">{t('Time')}</th>
            <th scope="col">{t('Value')}</th>
            <th scope="col">{t('P&L')}</th>
            <th scope="col">{t('Realized')}</th>
            <th scope="col">{t('Deposits')}</th>
            <th scope="col">{t('Withdrawals')}</th>
          </tr>
        </thead>
        <tbody>
          {sample(points).map(({ time, value, gain, realized, deposited, withdrawn }) => (
            <tr key={time}>
              <td>{dateTime(new Date(time).toISOString())}</td>
              <td>{hideable(rounded(value, valueDecimals.value))}</td>
              <td>{money(gain)}</td>
              <td>{money(realized)}</td>
              <td>{deposited === undefined ? '–' : money(deposited)}</td>
              <td>{withdrawn === undefined ? '–' : money(withdrawn)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Returns about TABLE_ROWS points, the last one included, and those with deposits or withdrawals. */
function sample(points: readonly ChartPoint[]): ChartPoint[] {
  const every = Math.max(1, Math.ceil(points.length / TABLE_ROWS));
  return points.filter(
    (point, index) => hasFlow(point) || (points.length - 1 - index) % every === 0,
  );
}
