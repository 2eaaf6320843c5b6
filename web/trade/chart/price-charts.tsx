import { useComputed, useSignalEffect } from '@preact/signals';
import { ChartCredit } from '../../components/chart-credit.tsx';
import { Choices } from '../../components/choices.tsx';
import { announceError } from '../../components/toast.tsx';
import { t } from '../../i18n/index.ts';
import { loadAlerts } from '../../notifications/alerts.ts';
import { CLOCKS, clock } from '../../preferences.ts';
import { isSignedIn } from '../account.ts';
import { markets, symbol } from '../markets.ts';
import { ChartView } from './chart-view.tsx';
import {
  COMMON_INTERVALS,
  chartCount,
  type ExtraChart,
  extraCharts,
  fitRequests,
  type Interval,
  interval,
  MORE_INTERVALS,
  type PriceScale,
  priceScale,
} from './settings.ts';
import { isAutoScaled } from './use-price-scale.ts';

/** One to four price charts, the choice of their time zone, and the credit of their library. */
export function PriceCharts() {
  const main = useComputed(() => ({ symbol: symbol.value, interval: interval.value }));
  const extra = extraCharts.value.slice(0, Number(chartCount.value) - 1);
  useSignalEffect(() => {
    if (isSignedIn.value) loadAlerts().catch(announceError);
  });
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
        <ScaleChoices />
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

/** The division of the price axes. */
function ScaleChoices() {
  const choose = (id: PriceScale) => {
    priceScale.value = priceScale.value === id ? 'linear' : id;
  };
  return (
    <fieldset class="intervals scale-choices">
      <legend class="visually-hidden">{t('Price scale')}</legend>
      <button
        type="button"
        aria-label={t('Percent scale')}
        title={t('Percent scale')}
        aria-pressed={priceScale.value === 'percent'}
        onClick={() => choose('percent')}
      >
        %
      </button>
      <button
        type="button"
        title={t('Logarithmic scale')}
        aria-pressed={priceScale.value === 'log'}
        onClick={() => choose('log')}
      >
        {t('Log')}
      </button>
      <button
        type="button"
        title={t('Fit prices into the chart again')}
        aria-pressed={isAutoScaled.value}
        onClick={() => {
          fitRequests.value++;
        }}
      >
        {t('Auto')}
      </button>
    </fieldset>
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
