import { type Signal, useSignal } from '@preact/signals';
import Big from 'big.js';
import type { ComponentChildren, RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { announceError } from '../../components/toast.tsx';
import { grouped } from '../../format.ts';
import { t } from '../../i18n/index.ts';
import { setAlert } from '../../notifications/alerts.ts';
import { lastPrice, symbol } from '../markets.ts';
import { edit, requestForm } from '../order-draft.ts';
import { ChartPointer, mayTrade, type Target } from './chart-pointer.ts';
import type { Series } from './past-candles.ts';
import type { PriceChart } from './price-chart.ts';
import { useDrawings } from './use-drawings.tsx';

/** Lets users draw, drag orders and trade on a chart. Returns the controls that lie over it. */
export function useChartTools(
  box: RefObject<HTMLDivElement | null>,
  chart: RefObject<PriceChart | undefined>,
  shown: Signal<Series>,
): ComponentChildren {
  const pointer = useRef<ChartPointer>(undefined);
  const [layer, bar] = useDrawings(box, chart, shown, (loaded) => pointer.current?.replay(loaded));
  const target = useSignal<Target | undefined>(undefined);
  useEffect(() => {
    const created = new ChartPointer(
      box.current!,
      chart.current!,
      () => layer.current,
      shown,
      target,
    );
    pointer.current = created;
    return () => created.remove();
  }, []);
  const isCurrent = shown.value.symbol === symbol.value;
  return (
    <>
      {target.value !== undefined && isCurrent && mayTrade() ? (
        <TradeAtPrice target={target} axisWidth={chart.current!.axisWidth} />
      ) : null}
      {bar}
    </>
  );
}

/** A button at the price axis that puts the price at the pointer into the order form, or sets an alert at it. */
function TradeAtPrice({
  target,
  axisWidth,
}: {
  target: Signal<Target | undefined>;
  axisWidth: number;
}) {
  const { y, price, isOpen } = target.value!;
  const trade = (side: 'buy' | 'sell') => {
    edit({ side, type: 'limit', price });
    target.value = undefined;
    requestForm();
  };
  const alert = () => {
    target.value = undefined;
    const direction = new Big(price).lt(lastPrice.peek() ?? '0') ? 'below' : 'above';
    setAlert({ symbol: symbol.peek(), direction, price }).catch(announceError);
  };
  return (
    <div
      class="trade-at"
      style={{ top: `${y}px`, right: `${axisWidth}px` }}
      onPointerLeave={() => (target.value = undefined)}
    >
      {isOpen ? (
        <>
          <button type="button" class="button small buy-fill" onClick={() => trade('buy')}>
            {t('Buy limit {price}', { price: grouped(price) })}
          </button>
          <button type="button" class="button small sell-fill" onClick={() => trade('sell')}>
            {t('Sell limit {price}', { price: grouped(price) })}
          </button>
          <button type="button" class="button small" onClick={alert}>
            {t('Price alert')}
          </button>
        </>
      ) : (
        <button
          type="button"
          class="trade-at-button"
          aria-label={t('Trade at {price}', { price: grouped(price) })}
          onClick={() => {
            target.value = { y, price, isOpen: true };
          }}
        >
          +
        </button>
      )}
    </div>
  );
}
