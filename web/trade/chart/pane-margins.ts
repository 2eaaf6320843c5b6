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
