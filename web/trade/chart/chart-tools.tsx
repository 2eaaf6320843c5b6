import { type Signal, useSignal, useSignalEffect } from '@preact/signals';
import type { ComponentChildren, RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { announce } from '../../components/toast.tsx';
import { grouped } from '../../format.ts';
import { t } from '../../i18n/index.ts';
import { isStale } from '../../live.ts';
import { canTrade, openOrders } from '../account.ts';
import { amendPrice } from '../amend-request.ts';
import { nearestTick, priceDecimalsFor, symbol } from '../markets.ts';
import { edit, requestForm } from '../order-draft.ts';
import type { DrawingLayer } from './drawings/drawing-layer.ts';
import { drawings, type Position } from './drawings/shapes.ts';
import type { OrderLine } from './order-lines.ts';
import type { Series } from './past-candles.ts';
import type { PriceChart } from './price-chart.ts';
import { clearRequested, keyboardDrawing, tool } from './settings.ts';

/** A price at the pointer, at which users can trade with a click. */
interface Target {
  readonly y: number;
  readonly price: string;
  readonly isOpen: boolean;
}

/** Lets users draw, drag orders and trade on a chart. Returns the controls that lie over it. */
export function useChartTools(
  box: RefObject<HTMLDivElement | null>,
  chart: RefObject<PriceChart | undefined>,
  shown: Signal<Series>,
): ComponentChildren {
  const layer = useDrawings(chart, shown);
  const target = useSignal<Target | undefined>(undefined);
  useEffect(() => {
    const pointer = new Pointer(box.current!, chart.current!, () => layer.current, shown, target);
    return () => pointer.remove();
  }, []);
  const isCurrent = shown.value.symbol === symbol.value;
  return target.value !== undefined && isCurrent && mayTrade() ? (
    <TradeAtPrice target={target} />
  ) : null;
}

/** Loads the drawings when the first tool is chosen, or if the market has some. */
function useDrawings(
  chart: RefObject<PriceChart | undefined>,
  shown: Signal<Series>,
): RefObject<DrawingLayer | undefined> {
  const layer = useRef<DrawingLayer>(undefined);
  const isLoading = useRef(false);
  useSignalEffect(() => {
    const count = drawings.value[shown.value.symbol]?.length ?? 0;
    if (isLoading.current || (tool.value === undefined && count === 0)) return;
    isLoading.current = true;
    void import('./drawings/drawing-layer.ts').then(({ DrawingLayer: Layer }) => {
      const current = chart.current;
      if (current === undefined) return;
      const format = (price: number) =>
        grouped(price.toFixed(priceDecimalsFor(shown.peek().symbol)));
      layer.current = new Layer(current, () => shown.peek().symbol, format);
      current.addLayer(layer.current);
      if (keyboardDrawing.peek()) layer.current.addInMiddle();
    });
  });
  useSignalEffect(() => {
    if (clearRequested.value > 0) layer.current?.clear();
  });
  useSignalEffect(() => {
    if (keyboardDrawing.value && tool.value !== undefined) layer.current?.addInMiddle();
  });
  return layer;
}

/** Handles the pointer over a chart before the chart does. */
class Pointer {
  private dragged: { readonly line: OrderLine; price: string | undefined } | undefined;
  private readonly listeners = new AbortController();

  constructor(
    private readonly box: HTMLElement,
    private readonly chart: PriceChart,
    private readonly drawings: () => DrawingLayer | undefined,
    private readonly shown: Signal<Series>,
    private readonly target: Signal<Target | undefined>,
  ) {
    const options = { capture: true, signal: this.listeners.signal };
    box.addEventListener('pointerdown', (event) => this.press(event), options);
    box.addEventListener('pointermove', (event) => this.move(event), options);
    box.addEventListener('pointerup', (event) => this.release(event), options);
    box.addEventListener('pointercancel', () => this.end(), options);
    box.addEventListener('pointerleave', () => this.hideTarget(), options);
    document.addEventListener('keydown', (event) => this.key(event), options);
  }

  remove(): void {
    this.listeners.abort();
  }

  private press(event: PointerEvent): void {
    const at = this.position(event);
    if (event.button !== 0 || !this.isInPane(at)) return;
    const line = this.chart.orders.find(at.y);
    if (tool.peek() === undefined && line !== undefined && mayTrade()) {
      this.dragged = { line, price: undefined };
    } else if (!this.drawings()?.press(at)) return;
    this.hold(event);
  }

  private move(event: PointerEvent): void {
    const at = this.position(event);
    if (this.dragged !== undefined) {
      const { line } = this.dragged;
      const price = this.priceAt(at.y);
      this.dragged.price = price;
      this.chart.orders.drag(line, Number(price));
      return;
    }
    const isOverDrawing = this.drawings()?.follow(at) ?? false;
    const isOverOrder = this.chart.orders.find(at.y) !== undefined && mayTrade();
    this.box.style.cursor =
      tool.peek() !== undefined
        ? 'crosshair'
        : isOverOrder
          ? 'ns-resize'
          : isOverDrawing
            ? 'pointer'
            : '';
    const isFree =
      this.isInPane(at) && tool.peek() === undefined && !isOverOrder && event.buttons === 0;
    if (this.target.peek()?.isOpen) return;
    this.target.value = isFree ? { y: at.y, price: this.priceAt(at.y), isOpen: false } : undefined;
  }

  private release(event: PointerEvent): void {
    this.drawings()?.release(this.position(event));
    const { dragged } = this;
    this.end();
    if (dragged?.price === undefined) return;
    const [first, ...others] = dragged.line.orders;
    if (others.length > 0) {
      announce(t('Several orders share this price. Amend them under Open orders.'));
      return;
    }
    const order = openOrders.peek().find(({ orderId }) => orderId === first?.orderId);
    if (order !== undefined && Number(first!.price) !== Number(dragged.price))
      amendPrice(order, dragged.price);
  }

  private key(event: KeyboardEvent): void {
    const isTyping =
      (event.target as HTMLElement).closest('input, select, textarea, dialog') !== null;
    if (isTyping) return;
    if (event.key === 'Escape' && this.dragged !== undefined) {
      this.end();
      event.stopPropagation();
      return;
    }
    if (!this.drawings()?.key(event.key)) return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** Keeps the chart from scrolling until the pointer is released. */
  private hold(event: PointerEvent): void {
    this.target.value = undefined;
    this.chart.chart.applyOptions({ handleScroll: false, handleScale: false });
    this.box.setPointerCapture(event.pointerId);
  }

  private end(): void {
    if (this.dragged !== undefined) this.chart.orders.drag(this.dragged.line, undefined);
    this.dragged = undefined;
    this.chart.chart.applyOptions({ handleScroll: true, handleScale: true });
  }

  private hideTarget(): void {
    // The button lies over the chart: it hides itself when the pointer leaves it.
    setTimeout(() => {
      const { activeElement } = document;
      const isUsed =
        document.querySelector('.trade-at:hover') !== null || activeElement?.closest('.trade-at');
      if (!isUsed) this.target.value = undefined;
    });
  }

  private priceAt(y: number): string {
    const price = this.chart.series.coordinateToPrice(y) ?? 0;
    return nearestTick(Math.max(price, 0), this.shown.peek().symbol);
  }

  private position({ clientX, clientY }: PointerEvent): Position {
    const { left, top } = this.box.getBoundingClientRect();
    return { x: clientX - left, y: clientY - top };
  }

  /** Returns whether a position is in the pane of prices, and not on an axis. */
  private isInPane({ x, y }: Position): boolean {
    const width = this.box.clientWidth - this.chart.chart.priceScale('right').width();
    return x < width && y < this.chart.series.getPane().getHeight();
  }
}

/** A button at the price axis that puts the price at the pointer into the order form. */
function TradeAtPrice({ target }: { target: Signal<Target | undefined> }) {
  const { y, price, isOpen } = target.value!;
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // A style attribute in HTML would violate the content security policy; a property of the element does not.
    box.current!.style.top = `${y}px`;
  }, [y]);
  const trade = (side: 'buy' | 'sell') => {
    edit({ side, type: 'limit', price });
    target.value = undefined;
    requestForm();
  };
  return (
    <div class="trade-at" ref={box} onPointerLeave={() => (target.value = undefined)}>
      {isOpen ? (
        <>
          <button type="button" class="button small buy-fill" onClick={() => trade('buy')}>
            {t('Buy limit {price}', { price: grouped(price) })}
          </button>
          <button type="button" class="button small sell-fill" onClick={() => trade('sell')}>
            {t('Sell limit {price}', { price: grouped(price) })}
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

/** Returns whether the user may trade, at prices that are up to date. */
function mayTrade(): boolean {
  return canTrade.value && !isStale.value;
}
