import { computed, type Signal } from '@preact/signals';
import { announce, announceError } from '../../components/toast.tsx';
import { t } from '../../i18n/index.ts';
import { isStale } from '../../live.ts';
import { alerts, deleteAlerts, moveAlerts } from '../../notifications/alerts.ts';
import { canTrade, openOrders } from '../account.ts';
import { amendPrice } from '../amend-request.ts';
import { cancelOrder, cancelThese } from '../cancel-orders.ts';
import { nearestTick, prices } from '../markets.ts';
import type { DrawingLayer } from './drawings/drawing-layer.ts';
import type { Position } from './drawings/shapes.ts';
import type { ChartItem, OwnLine } from './own-items.ts';
import type { Series } from './past-candles.ts';
import type { PriceChart } from './price-chart.ts';
import { tool } from './settings.ts';

/** A price at the pointer, at which users can trade with a click. */
export interface Target {
  readonly y: number;
  readonly price: string;
  readonly isOpen: boolean;
}

/** Elements that use the keys themselves. */
const FIELDS = 'input, select, textarea, dialog, [contenteditable]';

/** Handles the pointer over a chart, and its keys, before the chart does. */
export class ChartPointer {
  private dragged: { readonly line: OwnLine; price: string | undefined } | undefined;
  /** The line on whose × the pointer was pressed. */
  private pressedCross: OwnLine | undefined;
  /** The steps of drawings that users took while drawing was still loading. */
  private early: ((layer: DrawingLayer) => void)[] = [];
  private readonly listeners = new AbortController();
  private readonly unsubscribe: readonly (() => void)[];
  /** The element that has the focus while the user works on the chart. */
  private readonly area: HTMLElement;

  constructor(
    private readonly box: HTMLElement,
    private readonly chart: PriceChart,
    private readonly drawings: () => DrawingLayer | undefined,
    private readonly shown: Signal<Series>,
    private readonly target: Signal<Target | undefined>,
  ) {
    this.area = box.parentElement!;
    // Steps of a tool that was left, or of another market, have no meaning for the next.
    const forget = () => {
      this.early = [];
    };
    const symbol = computed(() => shown.value.symbol);
    this.unsubscribe = [tool.subscribe(forget), symbol.subscribe(forget)];
    const options = { capture: true, signal: this.listeners.signal };
    box.addEventListener('pointerdown', (event) => this.press(event), options);
    box.addEventListener('pointermove', (event) => this.move(event), options);
    box.addEventListener('pointerup', (event) => this.release(event), options);
    box.addEventListener('pointercancel', () => this.end(), options);
    box.addEventListener('pointerleave', () => this.hideTarget(), options);
    document.addEventListener('keydown', (event) => this.key(event), options);
    for (const left of ['pointerdown', 'focusin'] as const)
      document.addEventListener(left, (event) => this.leave(event), options);
  }

  remove(): void {
    this.listeners.abort();
    for (const end of this.unsubscribe) end();
  }

  private press(event: PointerEvent): void {
    const at = this.position(event);
    if (event.button !== 0 || !this.isInPane(at)) return;
    this.pressedCross = tool.peek() === undefined ? this.chart.own.findCross(at) : undefined;
    const line = tool.peek() === undefined ? this.chart.own.find(at) : undefined;
    if (this.pressedCross === undefined) this.chart.own.expand(line);
    if (this.pressedCross !== undefined) this.drawings()?.deselect();
    else if (line !== undefined && mayTrade()) this.dragged = { line, price: undefined };
    else if (!this.draw((layer) => layer.press(at))) return;
    this.area.focus({ preventScroll: true });
    this.hold(event);
  }

  private move(event: PointerEvent): void {
    const at = this.position(event);
    if (this.dragged !== undefined) {
      const { line } = this.dragged;
      const price = this.priceAt(at.y);
      this.dragged.price = price;
      this.chart.own.drag(line, Number(price));
      return;
    }
    const cross = tool.peek() === undefined ? this.chart.own.findCross(at) : undefined;
    this.chart.own.hover(cross);
    const isOverDrawing = this.draw((layer) => layer.follow(at));
    const line = tool.peek() === undefined ? this.chart.own.find(at) : undefined;
    // A finger moves only after it has pressed.
    if (event.pointerType === 'mouse') this.chart.own.expand(line);
    const isOverItem = line !== undefined && mayTrade();
    this.box.style.cursor =
      tool.peek() !== undefined
        ? 'crosshair'
        : cross !== undefined
          ? 'pointer'
          : isOverItem
            ? 'ns-resize'
            : isOverDrawing
              ? 'pointer'
              : '';
    const isOverLine = isOverItem || cross !== undefined;
    const isFree =
      this.isInPane(at) && tool.peek() === undefined && !isOverLine && event.buttons === 0;
    if (this.target.peek()?.isOpen) return;
    this.target.value = isFree ? { y: at.y, price: this.priceAt(at.y), isOpen: false } : undefined;
  }

  private release(event: PointerEvent): void {
    this.draw((layer) => layer.release(this.position(event)));
    const { dragged, pressedCross } = this;
    this.end();
    if (pressedCross !== undefined) {
      if (hasSameItems(pressedCross, this.chart.own.findCross(this.position(event))))
        removeLine(pressedCross);
      return;
    }
    if (dragged?.price !== undefined) moveLine(dragged.line, dragged.price);
  }

  /** Makes the drawings that the user began before drawing was loaded. */
  replay(layer: DrawingLayer): void {
    if (tool.peek() !== undefined) for (const step of this.early) step(layer);
    this.early = [];
  }

  /** Passes a step to the drawings, or keeps it until they are loaded. Returns whether it had a meaning. */
  private draw(step: (layer: DrawingLayer) => unknown): boolean {
    const layer = this.drawings();
    if (layer !== undefined) return step(layer) === true;
    if (tool.peek() === undefined) return false;
    this.early.push(step);
    return true;
  }

  private key(event: KeyboardEvent): void {
    const target = event.target as HTMLElement;
    if (target.closest(FIELDS) !== null || !this.handles(event, target)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  }

  /** Handles a key. Returns whether it had a meaning. */
  private handles(event: KeyboardEvent, target: HTMLElement): boolean {
    const { key, ctrlKey, metaKey, shiftKey, altKey } = event;
    // Keys change drawings only while the focus is on the chart, because they have meanings elsewhere.
    const isFocused = this.area.contains(target);
    if ((ctrlKey || metaKey) && !shiftKey && !altKey && key.toLowerCase() === 'z')
      return this.drawings()?.undo(isFocused) ?? false;
    if (ctrlKey || metaKey || altKey) return false;
    if (key === 'Escape' && this.dragged !== undefined) {
      this.end();
      return true;
    }
    if (isFocused && this.drawings() !== undefined) return this.drawings()!.key(key);
    const isInMenu = target.closest('.menu:has([aria-expanded="true"])') !== null;
    return key === 'Escape' && !isInMenu && this.cancelDraft();
  }

  /** Ends the drawing that is being made, or was to be made. Returns whether there was one. */
  private cancelDraft(): boolean {
    const layer = this.drawings();
    if (layer !== undefined) return layer.cancelDraft();
    const had = tool.peek() !== undefined;
    tool.value = undefined;
    return had;
  }

  /** Deselects the drawing when the user turns to another part of the page. */
  private leave({ target }: Event): void {
    if (this.area.contains(target as Node)) return;
    this.chart.own.expand(undefined);
    this.drawings()?.deselect();
  }

  /** Keeps the chart from scrolling until the pointer is released. */
  private hold(event: PointerEvent): void {
    this.target.value = undefined;
    this.chart.chart.applyOptions({ handleScroll: false, handleScale: false });
    this.box.setPointerCapture(event.pointerId);
  }

  private end(): void {
    if (this.dragged !== undefined) this.chart.own.drag(this.dragged.line, undefined);
    this.dragged = undefined;
    this.pressedCross = undefined;
    this.chart.chart.applyOptions({ handleScroll: true, handleScale: true });
  }

  private hideTarget(): void {
    this.chart.own.hover(undefined);
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
    const width = this.box.clientWidth - this.chart.axisWidth;
    return x < width && y < this.chart.series.getPane().getHeight();
  }
}

/** Returns whether the user may trade, at prices that are up to date. */
export function mayTrade(): boolean {
  return canTrade.value && !isStale.value;
}

/** Returns whether two lines have the same items, which events may have replaced. */
function hasSameItems(line: OwnLine, other: OwnLine | undefined): boolean {
  const ids = other?.items.map(({ id }) => id);
  return line.items.every(({ id }) => ids?.includes(id));
}

/** Moves an alert to a price, or asks whether to amend an order to it. */
function moveLine({ kind, items }: OwnLine, price: string): void {
  const [first, ...others] = items as [ChartItem, ...ChartItem[]];
  if (Number(first.price) === Number(price)) return;
  if (kind === 'alert') {
    const moved = findAlerts(items);
    const last = prices.peek().get(moved[0]?.symbol ?? '')?.price;
    moveAlerts(moved, price, last ?? undefined).catch(announceError);
    return;
  }
  if (others.length > 0) {
    announce(t('Several orders share this price. Amend them under Open orders.'));
    return;
  }
  const order = openOrders.peek().find(({ orderId }) => orderId === first.id);
  if (order === undefined) announce(t('This order is no longer open.'));
  else amendPrice(order, price);
}

function findAlerts(items: readonly ChartItem[]) {
  const ids = new Set(items.map(({ id }) => id));
  return (alerts.peek() ?? []).filter(({ id }) => ids.has(id));
}

function removeLine({ kind, items }: OwnLine): void {
  if (kind === 'alert') {
    deleteAlerts(findAlerts(items)).catch(announceError);
    return;
  }
  const ids = new Set(items.map(({ id }) => id));
  const open = openOrders.peek().filter(({ orderId }) => ids.has(orderId));
  const [first] = open;
  if (first === undefined) announce(t('This order is no longer open.'));
  else void (open.length === 1 ? cancelOrder(first) : cancelThese(open));
}
