import { useRef } from 'preact/hooks';
import { Choices } from '../../components/choices.tsx';
import { Later } from '../../components/later.tsx';
import { StaleNote } from '../../components/stale-note.tsx';
import { type Tab, Tabs } from '../../components/tabs.tsx';
import { msg, t } from '../../i18n/index.ts';
import { ChartRail } from './chart-rail.tsx';
import { DepthChart } from './depth-chart.tsx';
import { COMMON_INTERVALS, chartTab, type Interval, interval, MORE_INTERVALS } from './settings.ts';

const TABS: readonly Tab<'price' | 'depth'>[] = [
  { id: 'price', label: msg('Price') },
  { id: 'depth', label: msg('Depth') },
];

/** The library of charts is as large as the rest of the page, whose prices must not wait for it. */
const loadPriceCharts = () => import('./price-charts.tsx').then(({ PriceCharts }) => PriceCharts);

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
            <Later load={loadPriceCharts} />
          </div>
        ) : (
          <DepthChart />
        )}
      </Tabs>
    </section>
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
