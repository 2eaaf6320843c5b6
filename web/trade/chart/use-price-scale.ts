import { computed, effect, signal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useEffect } from 'preact/hooks';
import type { PriceChart } from './price-chart.ts';
import { fitRequests, priceScale } from './settings.ts';

/** The charts whose price axis the user has dragged, so that it no longer follows the visible prices. */
const dragged = signal<ReadonlySet<PriceChart>>(new Set());
/** Whether the price axes of all charts scale automatically. */
export const isAutoScaled = computed(() => dragged.value.size === 0);

/** Applies the chosen price scale to a chart, and tracks whether its axis scales automatically. */
export function usePriceScale(chart: RefObject<PriceChart | undefined>): void {
  useEffect(() => {
    const current = chart.current!;
    const update = () => mark(current, !current.chart.priceScale('right').options().autoScale);
    const stops = [
      effect(() => {
        current.useScale(priceScale.value);
        update();
      }),
      effect(() => {
        if (fitRequests.value > 0) current.fitPrices();
        update();
      }),
    ];
    // The library has no event for it; a drag may end anywhere, and a double click scales automatically again.
    addEventListener('mouseup', update);
    addEventListener('touchend', update);
    return () => {
      for (const stop of stops) stop();
      removeEventListener('mouseup', update);
      removeEventListener('touchend', update);
      mark(current, false);
    };
  }, []);
}

function mark(chart: PriceChart, isDragged: boolean): void {
  const charts = dragged.peek();
  if (charts.has(chart) === isDragged) return;
  const others = [...charts].filter((each) => each !== chart);
  dragged.value = new Set(isDragged ? [...others, chart] : others);
}
