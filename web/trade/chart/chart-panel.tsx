import { useComputed } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { ChartCredit } from '../../components/chart-credit.tsx';
import { Choices } from '../../components/choices.tsx';
import { StaleNote } from '../../components/stale-note.tsx';
import { type Tab, Tabs } from '../../components/tabs.tsx';
import { msg, t } from '../../i18n/index.ts';
import { CLOCKS, clock } from '../../preferences.ts';
import { markets, symbol } from '../markets.ts';
import { ChartRail } from './chart-rail.tsx';
import { ChartView } from './chart-view.tsx';
import { DepthChart } from './depth-chart.tsx';
import {
  COMMON_INTERVALS,
  chartCount,
  chartTab,
  type ExtraChart,
  extraCharts,
  type Interval,
  interval,
  MORE_INTERVALS,
} from './settings.ts';

const TABS: readonly Tab<'price' | 'depth'>[] = [
  { id: 'price', label: msg('Price') },
  { id: 'depth', label: msg('Depth') },
];

/** Price and depth charts, each with a table for screen readers. */
export function ChartPanel() {
  const panel = useRef<HTMLElement>(null);
  return (
    <section class="panel chart" aria-label={t('Chart')} ref={panel}>
      <StaleNote />
      <Tabs
        label={t('Charts')}
        tabs={TABS}
        selected={chartTab.value}
        onSelect={(id) => {
          chartTab.value = id;
        }}
        aside={chartTab.value === 'price' ? <Intervals /> : null}
      >
        {chartTab.value === 'price' ? (
          <div class="chart-body">
            <ChartRail panel={panel} />
            <PriceCharts />
          </div>
        ) : (
          <DepthChart />
        )}
      </Tabs>
    </section>
  );
}

function PriceCharts() {
  const main = useComputed(() => ({ symbol: symbol.value, interval: interval.value }));
  const extra = extraCharts.value.slice(0, Number(chartCount.value) - 1);
  return (
    <div class="charts">
      <div class={`chart-grid charts-${chartCount.value}`}>
        <ChartView series={main.value} />
        {extra.map((each, index) => (
          <ChartView
            key={`${index}`}
            series={{ symbol: each.symbol ?? symbol.value, interval: each.interval }}
            head={<ExtraChartHead chart={each} index={index} />}
          />
        ))}
      </div>
      <div class="chart-foot">
        <ChartCredit />
        <Choices
          legend={t('Time zone')}
          ids={CLOCKS}
          chosen={clock.value}
          onChoose={(id) => {
            clock.value = id;
          }}
          format={(id) => (id === 'utc' ? t('UTC') : t('Local'))}
        />
      </div>
    </div>
  );
}

/** The market and interval of a chart next to the first one. */
function ExtraChartHead({ chart, index }: { chart: ExtraChart; index: number }) {
  const change = (changes: Partial<ExtraChart>) => {
    extraCharts.value = extraCharts.value.with(index, { ...chart, ...changes });
  };
  return (
    <div class="chart-head">
      <select
        aria-label={t('Market of chart {number}', { number: index + 2 })}
        value={chart.symbol ?? ''}
        onChange={({ currentTarget: { value } }) => change({ symbol: value || undefined })}
      >
        <option value="">{t('Selected market')}</option>
        {markets.value.map((each) => (
          <option key={each.symbol} value={each.symbol}>
            {each.symbol}
          </option>
        ))}
      </select>
      <select
        aria-label={t('Interval of chart {number}', { number: index + 2 })}
        value={chart.interval}
        onChange={({ currentTarget: { value } }) => change({ interval: value as Interval })}
      >
        {[...COMMON_INTERVALS, ...MORE_INTERVALS].map((id) => (
          <option key={id} value={id}>
            {id}
          </option>
        ))}
      </select>
    </div>
  );
}

/** The intervals of candles: buttons and a menu of the others, or one menu of all where there is no room. */
function Intervals() {
  const choose = (id: Interval) => {
    interval.value = id;
  };
  const isInMenu = (MORE_INTERVALS as readonly Interval[]).includes(interval.value);
  return (
    <div class="interval-menu">
      <div class="interval-choices">
        <Choices<Interval>
          legend={t('Candle interval')}
          ids={COMMON_INTERVALS}
          chosen={interval.value}
          onChoose={choose}
        />
        <IntervalSelect
          label={t('More candle intervals')}
          ids={MORE_INTERVALS}
          chosen={isInMenu ? interval.value : ''}
          onChoose={choose}
        />
      </div>
      <div class="interval-select">
        <IntervalSelect
          label={t('Candle interval')}
          ids={[...COMMON_INTERVALS, ...MORE_INTERVALS]}
          chosen={interval.value}
          onChoose={choose}
        />
      </div>
    </div>
  );
}

interface IntervalSelectProps {
  readonly label: string;
  readonly ids: readonly Interval[];
  /** Empty if the chosen one is not in the menu. */
  readonly chosen: Interval | '';
  readonly onChoose: (id: Interval) => void;
}

function IntervalSelect({ label, ids, chosen, onChoose }: IntervalSelectProps) {
  return (
    <select
      aria-label={label}
      class={chosen === '' ? '' : 'chosen'}
      value={chosen}
      onChange={({ currentTarget: { value } }) => onChoose(value as Interval)}
    >
      <option value="" disabled hidden>
        {t('More')}
      </option>
      {ids.map((id) => (
        <option key={id} value={id}>
          {id}
        </option>
      ))}
    </select>
  );
}
