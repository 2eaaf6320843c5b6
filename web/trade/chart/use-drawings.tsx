import { type Signal, useSignal, useSignalEffect } from '@preact/signals';
import type { ComponentChildren, RefObject } from 'preact';
import { useRef } from 'preact/hooks';
import { announceError } from '../../components/toast.tsx';
import { priceDecimalsFor } from '../markets.ts';
import { chartNumber } from './chart-number.ts';
import type { DrawingLayer } from './drawings/drawing-layer.ts';
import { drawings } from './drawings/shapes.ts';
import type { Series } from './past-candles.ts';
import type { PriceChart } from './price-chart.ts';
import { keyboardDrawing, tool } from './settings.ts';

/**
 * Loads drawing when the first tool is chosen, or if the market has drawings. Returns the bar of the selected one, too.
 * @param onLoad Called once drawing has been loaded
 */
export function useDrawings(
  box: RefObject<HTMLDivElement | null>,
  chart: RefObject<PriceChart | undefined>,
  shown: Signal<Series>,
  onLoad: (layer: DrawingLayer) => void,
): [layer: RefObject<DrawingLayer | undefined>, bar: ComponentChildren] {
  const layer = useRef<DrawingLayer>(undefined);
  const isLoading = useRef(false);
  const bar = useSignal<ComponentChildren>(null);
  const addInMiddle = () => {
    if (!keyboardDrawing.peek() || tool.peek() === undefined) return;
    layer.current?.addInMiddle();
    // Its keys act while the chart has the focus.
    if (tool.peek() === undefined) box.current?.parentElement?.focus();
  };
  useSignalEffect(() => {
    const count = drawings.value[shown.value.symbol]?.length ?? 0;
    if (isLoading.current || (tool.value === undefined && count === 0)) return;
    isLoading.current = true;
    const load = import('./drawings/drawing-tools.ts');
    const create = ({ DrawingLayer: Layer, DrawingBar }: Awaited<typeof load>) => {
      const current = chart.current;
      if (current === undefined) return;
      const format = (price: number) => chartNumber(price, priceDecimalsFor(shown.peek().symbol));
      layer.current = new Layer(current, () => shown.peek().symbol, format);
      current.addLayer(layer.current);
      bar.value = <DrawingBar layer={layer.current} />;
      if (keyboardDrawing.peek()) addInMiddle();
      else onLoad(layer.current);
    };
    load.then(create, (error) => {
      isLoading.current = false;
      tool.value = undefined;
      announceError(error);
    });
  });
  useSignalEffect(() => {
    void drawings.value;
    void shown.value;
    layer.current?.refresh();
  });
  useSignalEffect(() => {
    if (keyboardDrawing.value && tool.value !== undefined) addInMiddle();
  });
  return [layer, bar.value];
}
