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
import type { ChartType } from './settings.ts';

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
