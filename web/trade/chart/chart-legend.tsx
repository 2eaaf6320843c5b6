import Big from 'big.js';
import { changeTone, compact, grouped, percent, rounded } from '../../format.ts';
import { t } from '../../i18n/index.ts';
import { priceDecimalsFor, priceText } from '../markets.ts';
import type { ExactCandle } from './bars.ts';
import { chartNumber } from './chart-number.ts';
import type { FillMark } from './fill-marks.ts';
import type { Reading } from './indicators/indicator-layer.ts';

interface ChartLegendProps {
  readonly symbol: string;
  readonly candle: ExactCandle | undefined;
  /** Whether the user points at the candle; else it is the last one, which small charts do not describe. */
  readonly isPointed: boolean;
  readonly readings: readonly Reading[];
  /** The user's fills at the candle under the pointer. */
  readonly fills: readonly FillMark[];
  /** Width of the price axis, which the legend does not cover, in pixels. */
  readonly axisWidth: number;
}

/** The values at the pointer, over the chart: a line per pane, and one for indicators over the prices. */
export function ChartLegend(props: ChartLegendProps) {
  const { symbol, candle, isPointed, readings, fills, axisWidth } = props;
  const panes = Map.groupBy(readings, ({ top }) => top);
  const decimals = priceDecimalsFor(symbol);
  return (
    <div
      class={isPointed ? 'chart-legend pointed' : 'chart-legend'}
      style={{ right: `${axisWidth}px` }}
    >
      {candle === undefined ? null : <CandleLegend candle={candle} symbol={symbol} />}
      <IndicatorLegend readings={panes.get(0) ?? []} />
      <FillLegend fills={fills} decimals={decimals} />
      {[...panes].map(([top, own]) =>
        top === 0 ? null : (
          <div key={top} class="pane-legend" style={{ top: `${top}px` }}>
            <IndicatorLegend readings={own} />
          </div>
        ),
      )}
    </div>
  );
}

function CandleLegend({ candle, symbol }: { candle: ExactCandle; symbol: string }) {
  const { open, high, low, close, volume } = candle;
  const change = new Big(close).div(open).minus(1).times(100).toFixed();
  const tone = ['sell', '', 'buy'][new Big(close).cmp(open) + 1];
  const parts = [
    [t('O'), t('Open||price'), open],
    [t('H'), t('High'), high],
    [t('L'), t('Low'), low],
  ] as const;
  return (
    <p class="legend candle-legend">
      {parts.map(([letter, name, price]) => (
        <span key={name}>
          <abbr title={name}>{letter}</abbr> <b class={tone}>{priceText(price, symbol)}</b>
        </span>
      ))}
      <span>
        <abbr title={t('Close||price')}>{t('C')}</abbr>{' '}
        <b class={tone}>{priceText(close, symbol)}</b>{' '}
        <b class={`legend-change ${changeTone(change)}`} title={t('Change')}>
          {percent(change)}
        </b>
      </span>
      <span>
        <abbr title={t('Volume')}>{t('Vol')}</abbr> <b>{compact(volume)}</b>
      </span>
      <span class="legend-unit">{symbol.split('/')[0]}</span>
    </p>
  );
}

function IndicatorLegend({ readings }: { readings: readonly Reading[] }) {
  if (readings.length === 0) return null;
  return (
    <p class="legend indicator-legend">
      {readings.map(({ id, label, decimals, values }) => (
        <span key={id}>
          <abbr>{label}</abbr>{' '}
          {values.map(({ color, value }, line) => (
            <b key={`${line}`} class={`ink ${color}`}>
              {value === undefined ? '–' : chartNumber(value, decimals)}{' '}
            </b>
          ))}
        </span>
      ))}
    </p>
  );
}

function FillLegend({ fills, decimals }: { fills: readonly FillMark[]; decimals: number }) {
  if (fills.length === 0) return null;
  return (
    <p class="legend fill-legend">
      {fills.map(({ side, count, amount, averagePrice }) => {
        const values = {
          amount: grouped(amount),
          price: rounded(averagePrice, decimals),
          count,
        };
        return (
          <span key={side}>
            <b class={side}>
              {side === 'buy'
                ? t('Bought {amount} at {price}', values)
                : t('Sold {amount} at {price}', values)}
            </b>
            {count === 1
              ? null
              : ` (${t('{count, plural, one {# fill} other {# fills}}', { count })})`}
          </span>
        );
      })}
    </p>
  );
}
