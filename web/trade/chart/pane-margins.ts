import type { AutoscaleInfo, IChartApi } from 'lightweight-charts';
import { isLow, LABEL_PX, legendHeight, type Size } from './own-label.ts';

/** Minimum and maximum shares of the pane that are free above the prices. */
const MIN_TOP = 0.12;
const MAX_TOP = 0.3;
/** Shares of the pane for volumes and the space above them; low panes leave more to the prices. */
const VOLUMES = 0.18;
const LOW_VOLUMES = 0.12;
const ABOVE_VOLUMES = 0.05;

/** Returns the margins of prices and volumes: the legend, and a label below it, hide no candle. */
export function paneMargins(pane: Size) {
  const top = (legendHeight(pane) + LABEL_PX) / Math.max(pane.height, 1);
  const volumes = isLow(pane) ? LOW_VOLUMES : VOLUMES;
  return {
    prices: { top: Math.min(MAX_TOP, Math.max(MIN_TOP, top)), bottom: volumes + ABOVE_VOLUMES },
    volumes: { top: 1 - volumes, bottom: 0 },
  };
}

/** Returns the size of the pane of prices. */
export function paneSize(chart: IChartApi): Size {
  return { width: chart.timeScale().width(), height: chart.panes()[0]!.getHeight() };
}

/**
 * Returns the automatic scale, with a higher top if the legend would cover a line that the pane shows. Candles keep most
 * of the pane: lines that need more space stay on the legend.
 */
export function keepLinesOffLegend(
  scale: AutoscaleInfo | null,
  lines: readonly number[],
  pane: Size,
): AutoscaleInfo | null {
  const legend = legendHeight(pane);
  const range = scale?.priceRange;
  if (legend === 0 || !range || range.minValue >= range.maxValue) return scale;
  const { top, bottom } = paneMargins(pane).prices;
  const above = top * pane.height + (scale.margins?.above ?? 0);
  const inner = pane.height * (1 - bottom) - above - (scale.margins?.below ?? 0);
  if (inner <= 0) return scale;
  const { minValue, maxValue: highest } = range;
  // A line that the legend does not cover may be above the highest price of the scale by this share of it.
  const share = (above - legend - LABEL_PX / 2) / inner;
  let maxValue = highest;
  // In ascending order, because a higher top shows more lines.
  for (const price of lines.toSorted((a, b) => a - b)) {
    const needed = (price + share * minValue) / (1 + share);
    if (needed <= maxValue) continue;
    const isShown = above - ((price - maxValue) / (maxValue - minValue)) * inner >= 0;
    const candlesTop = above + ((needed - highest) / (needed - minValue)) * inner;
    if (!isShown || candlesTop > MAX_TOP * pane.height) break;
    maxValue = needed;
  }
  return { ...scale, priceRange: { minValue, maxValue } };
}
