import {
  HistogramSeries,
  type ISeriesApi,
  LineSeries,
  LineStyle,
  type SeriesType,
} from 'lightweight-charts';
import { faded, themeColor } from '../../../components/theme.tsx';
import type { ChartLayer } from '../chart-layer.ts';
import { chartNumber } from '../chart-number.ts';
import type { PriceChart } from '../price-chart.ts';
import { hasPane, type Indicator, type IndicatorKind, indicatorLabel } from '../settings.ts';
import {
  AverageTrueRange,
  BollingerBands,
  ExponentialAverage,
  type Formula,
  Macd,
  MovingAverage,
  OnBalanceVolume,
  RelativeStrength,
  Stochastic,
  type Values,
  VolumeWeightedPrice,
} from './formulas.ts';
import { ProfilePrimitive } from './profile-primitive.ts';

/** A line of an indicator. Colors are tokens of the theme. */
interface Line {
  readonly color: string;
  readonly style?: 'dashed' | 'histogram';
}

interface Drawing {
  readonly indicator: Indicator;
  /** Absent for the volume profile, which is drawn by its own primitive. */
  readonly formula: Formula | undefined;
  /** The state before the last bar. */
  before: Formula | undefined;
  readonly series: readonly ISeriesApi<SeriesType>[];
  readonly lines: readonly Line[];
  values: Values[];
  readonly profile: ProfilePrimitive | undefined;
}

/** Colors of the lines over the price, used in turn. */
const OVER_PRICE = ['tone-1', 'tone-2', 'tone-3', 'tone-4', 'tone-5', 'tone-0'];
const PANE_SHARE = 0.28;
/** The values from which a market counts as oversold and as overbought. */
const GUIDES: Readonly<Partial<Record<IndicatorKind, readonly number[]>>> = {
  rsi: [30, 70],
  stochastic: [20, 80],
};

/** The values of an indicator at a bar, for the legend. */
export interface Reading {
  readonly id: number;
  readonly label: string;
  readonly decimals: number;
  /** Top of its pane in the chart, in pixels; 0 for the pane of prices. */
  readonly top: number;
  readonly values: readonly { readonly color: string; readonly value: number | undefined }[];
}

/** The indicators of a chart: lines over the price, and panes below it for those with other units. */
export class IndicatorLayer implements ChartLayer {
  private drawings: Drawing[] = [];

  constructor(private readonly chart: PriceChart) {}

  /** Shows these indicators and removes all others. */
  use(wanted: readonly Indicator[]): void {
    this.clear();
    for (const [index, indicator] of wanted.entries()) {
      const lines = linesFor(indicator, index);
      this.drawings.push({
        indicator,
        lines,
        formula: createFormula(indicator),
        before: undefined,
        series: lines.map((line) => this.addSeries(indicator, line, lines)),
        values: [],
        profile: indicator.kind === 'profile' ? this.attachProfile(indicator) : undefined,
      });
    }
    const panes = this.chart.chart.panes();
    for (const [index, pane] of panes.entries())
      pane.setStretchFactor(index === 0 ? 1 : PANE_SHARE);
    this.useTheme();
    this.onBars();
  }

  useTheme(): void {
    for (const { series, lines, profile } of this.drawings) {
      for (const [index, each] of series.entries())
        each.applyOptions({ color: themeColor(lines[index]!.color) });
      profile?.useColors(faded(themeColor('buy'), 0.25), faded(themeColor('sell'), 0.25));
    }
  }

  /** Calculates everything again, after any change but that of the last bar. */
  onBars(): void {
    const { bars } = this.chart;
    for (const drawing of this.drawings) {
      if (drawing.formula === undefined) continue;
      let formula = createFormula(drawing.indicator)!;
      drawing.before = formula.copy();
      drawing.values = bars.map((bar, index) => {
        if (index === bars.length - 1) drawing.before = formula.copy();
        return formula.next(bar);
      });
      formula = drawing.before;
      for (const [line, each] of drawing.series.entries()) {
        each.setData(bars.map((_, index) => this.point(drawing, line, index)));
      }
    }
    for (const { profile } of this.drawings) profile?.refresh();
  }

  /** Calculates the last bar. @param isNew Whether it follows the bar that was the last one before. */
  onBar(isNew: boolean): void {
    const { bars } = this.chart;
    const last = bars.length - 1;
    for (const drawing of this.drawings) {
      if (drawing.before === undefined) continue;
      if (isNew && last > 0) drawing.before.next(bars[last - 1]!);
      drawing.values[last] = drawing.before.copy().next(bars[last]!);
      for (const [line, each] of drawing.series.entries())
        each.update(this.point(drawing, line, last));
    }
    for (const { profile } of this.drawings) profile?.refresh();
  }

  /** Attaches the volume profile to the series that replaced the price series. */
  onSeriesReplaced(): void {
    for (const { profile } of this.drawings)
      if (profile !== undefined) this.chart.series.attachPrimitive(profile);
  }

  /** Returns the values at a bar. */
  read(index: number): readonly Reading[] {
    const { top } = this.chart.chart.chartElement().getBoundingClientRect();
    return this.drawings.map(({ indicator, lines, series, values }) => ({
      id: indicator.id,
      label: indicatorLabel(indicator),
      decimals: this.countDecimals(indicator),
      top: hasPane(indicator) ? paneTop(series[0]!) - top : 0,
      values: lines.map(({ color }, line) => ({ color, value: values[index]?.[line] })),
    }));
  }

  clear(): void {
    for (const { series, profile } of this.drawings) {
      for (const each of series) this.chart.chart.removeSeries(each);
      if (profile !== undefined) this.chart.series.detachPrimitive(profile);
    }
    this.drawings = [];
  }

  private addSeries(indicator: Indicator, line: Line, lines: readonly Line[]) {
    const options = {
      priceLineVisible: false,
      lastValueVisible: false,
      priceFormat: {
        type: 'custom',
        formatter: (value: number) => chartNumber(value, this.countDecimals(indicator)),
        minMove: 1e-8,
      },
    } as const;
    const panes = this.chart.chart.panes().length;
    const isFirst = line === lines[0];
    // The lines of one indicator share the last pane.
    const pane = hasPane(indicator) ? (isFirst ? panes : panes - 1) : 0;
    if (line.style === 'histogram')
      return this.chart.chart.addSeries(HistogramSeries, options, pane);
    const series = this.chart.chart.addSeries(
      LineSeries,
      {
        ...options,
        lineWidth: 1,
        crosshairMarkerVisible: false,
        lineStyle: line.style === 'dashed' ? LineStyle.Dashed : LineStyle.Solid,
      },
      pane,
    );
    if (isFirst) {
      for (const price of GUIDES[indicator.kind] ?? [])
        series.createPriceLine({
          price,
          color: themeColor('line-strong'),
          lineWidth: 1,
          lineStyle: LineStyle.Dotted,
          axisLabelVisible: false,
        });
    }
    return series as ISeriesApi<SeriesType>;
  }

  /** Decimals of its values, most of which are prices. */
  private countDecimals({ kind }: Indicator): number {
    return kind === 'rsi' || kind === 'stochastic' || kind === 'obv' ? 2 : this.chart.decimals;
  }

  private attachProfile({ parameters }: Indicator): ProfilePrimitive {
    const profile = new ProfilePrimitive(this.chart, parameters[0]!);
    this.chart.series.attachPrimitive(profile);
    return profile;
  }

  private point({ values }: Drawing, line: number, index: number) {
    const time = this.chart.time.toAxis(this.chart.bars[index]!.time);
    const value = values[index]?.[line];
    return value === undefined ? { time } : { time, value };
  }
}

function paneTop(series: ISeriesApi<SeriesType>): number {
  return series.getPane().getHTMLElement()?.getBoundingClientRect().top ?? 0;
}

function linesFor({ kind }: Indicator, index: number): readonly Line[] {
  const color = OVER_PRICE[index % OVER_PRICE.length]!;
  switch (kind) {
    case 'bollinger':
      return [{ color, style: 'dashed' }, { color }, { color }];
    case 'macd':
      return [
        { color: 'tone-0' },
        { color: 'tone-2' },
        { color: 'line-strong', style: 'histogram' },
      ];
    case 'stochastic':
      return [{ color: 'tone-0' }, { color: 'tone-2' }];
    case 'profile':
      return [];
    default:
      return [{ color }];
  }
}

function createFormula({ kind, parameters }: Indicator): Formula | undefined {
  const [first = 1, second = 1, third = 1] = parameters;
  switch (kind) {
    case 'ma':
      return new MovingAverage(first);
    case 'ema':
      return new ExponentialAverage(first);
    case 'bollinger':
      return new BollingerBands(first, second);
    case 'vwap':
      return new VolumeWeightedPrice();
    case 'rsi':
      return new RelativeStrength(first);
    case 'macd':
      return Macd.create(first, second, third);
    case 'stochastic':
      return new Stochastic([first, second, third]);
    case 'atr':
      return AverageTrueRange.create(first);
    case 'obv':
      return new OnBalanceVolume();
    case 'profile':
      return undefined;
  }
}
