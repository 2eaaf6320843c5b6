import {
  AreaSeries,
  BarSeries,
  CandlestickSeries,
  type IChartApi,
  type ISeriesApi,
  LineSeries,
  type SeriesType,
} from 'lightweight-charts';
import { faded } from '../../components/theme.tsx';
import { LABEL_PX, legendHeight } from './own-label.ts';
import type { ChartType } from './settings.ts';

/** Minimum and maximum shares of the pane that are free above the prices, and the share below them, for volumes. */
const MIN_TOP = 0.12;
const MAX_TOP = 0.3;
const BOTTOM = 0.24;

/** Returns the margins of the price axis: the legend, and a label or the count of a mark below it, hide no candle. */
export function priceMargins({
  width,
  height,
}: {
  readonly width: number;
  readonly height: number;
}) {
  const top = (legendHeight(width) + LABEL_PX) / Math.max(height, 1);
  return { top: Math.min(MAX_TOP, Math.max(MIN_TOP, top)), bottom: BOTTOM };
}

/** Adds the series that draws prices in the way of a chart type. */
export function addPriceSeries(chart: IChartApi, type: ChartType): ISeriesApi<SeriesType> {
  switch (type) {
    case 'bars':
      return chart.addSeries(BarSeries, { thinBars: false });
    case 'line':
      return chart.addSeries(LineSeries, { lineWidth: 2 });
    case 'area':
      return chart.addSeries(AreaSeries, { lineWidth: 2 });
    default:
      return chart.addSeries(CandlestickSeries, { borderVisible: type === 'hollow' });
  }
}

/** Returns the options of a price series for the colors of the theme. */
export function colorOptions(
  type: ChartType,
  { buy, sell, accent }: Readonly<Record<'buy' | 'sell' | 'accent', string>>,
) {
  if (type === 'line') return { color: accent };
  if (type === 'area')
    return { lineColor: accent, topColor: faded(accent, 0.28), bottomColor: faded(accent, 0) };
  return {
    upColor: type === 'hollow' ? faded(buy, 0.15) : buy,
    downColor: sell,
    borderUpColor: buy,
    borderDownColor: sell,
    wickUpColor: buy,
    wickDownColor: sell,
  };
}
