import { type Signal, useSignal, useSignalEffect } from '@preact/signals';
import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { announceError } from '../../components/toast.tsx';
import type { ExactCandle } from './bars.ts';
import type { IndicatorLayer, Reading } from './indicators/indicator-layer.ts';
import type { PriceChart } from './price-chart.ts';
import { hasPane, indicators } from './settings.ts';

/** Minimum height of a chart for panes of indicators, in pixels; style sheets hide the legends below it. */
const MIN_PANES_PX = 250;

/** Loads the indicators when the first is added, and returns their values at the candle under the pointer. */
export function useIndicators(
  box: RefObject<HTMLDivElement | null>,
  chart: RefObject<PriceChart | undefined>,
  hovered: Signal<number | undefined>,
  latest: Signal<readonly ExactCandle[]>,
): Signal<readonly Reading[]> {
  const layer = useRef<IndicatorLayer>(undefined);
  const isLoading = useRef(false);
  const changes = useSignal(0);
  const hasPanes = useSignal(false);
  const readings = useSignal<readonly Reading[]>([]);
  const show = () => {
    layer.current?.use(indicators.peek().filter((each) => hasPanes.peek() || !hasPane(each)));
    // The library places the panes in the next frame.
    requestAnimationFrame(() => changes.value++);
  };
  useEffect(() => {
    const element = box.current!;
    const observer = new ResizeObserver(() => {
      hasPanes.value = element.clientHeight >= MIN_PANES_PX;
      requestAnimationFrame(() => changes.value++);
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  useSignalEffect(() => {
    const wanted = indicators.value;
    void hasPanes.value;
    const current = chart.current;
    if (current === undefined) return;
    if (layer.current !== undefined) {
      show();
      return;
    }
    if (wanted.length === 0 || isLoading.current) return;
    isLoading.current = true;
    import('./indicators/indicator-layer.ts').then(({ IndicatorLayer: Layer }) => {
      layer.current = new Layer(current);
      current.addLayer(layer.current);
      show();
    }, announceError);
  });
  useSignalEffect(() => {
    void changes.value;
    void latest.value;
    const last = (chart.current?.bars.length ?? 0) - 1;
    readings.value = layer.current?.read(hovered.value ?? last) ?? [];
  });
  return readings;
}
