import { effect, signal } from '@preact/signals';
import { canTrade } from '../account.ts';
import { groupPrice, toUnits } from '../book-view.ts';
import { cancelThese } from '../cancel-orders.ts';
import type { Side } from '../draft.ts';
import { book, bookFrame, hasBook, lastSide } from '../feed.ts';
import { amountDecimals, lastPrice, symbol } from '../markets.ts';
import { pickPrice } from '../order-draft.ts';
import { ownAmounts, ownOrdersByRow } from '../own-orders.ts';
import { currentGrouping, type Grouping, storedSteps } from '../price-grouping.tsx';
import {
  centeredTop,
  findRow,
  isInMiddle,
  type LadderRange,
  ladderAmounts,
  scrolledTop,
} from './ladder-rows.ts';
import { LadderTable } from './ladder-table.ts';
import { acceptsClick, tradeAt } from './ladder-trading.ts';

const ROW_PX = 20;
const HEAD_PX = 22;
const MIN_ROWS = 5;
/** Distance that a finger may move in a tap. */
const MAX_TAP_PX = 8;

/** Steps are coarser than those of the book by default: a ladder shows empty prices too, and far fewer of them. */
export const chosenSteps = storedSteps('ladder-groups', 10n);

/** The part of the prices that a ladder shows: it follows the last price, except while the user points at it. */
export class LadderView {
  private readonly table: LadderTable;
  /** Rows that fit into the box; 0 while it is hidden, when nothing is painted. */
  private readonly count = signal(0);
  /** Incremented when the user moves the ladder. */
  private readonly moves = signal(0);
  private range: LadderRange | undefined;
  private rangeKey = '';
  private hasPointer = false;
  private hasFocus = false;
  /** Scrolled distance in rows that is not yet a whole one. */
  private partOfRow = 0;
  private readonly listeners = new AbortController();
  private readonly observer: ResizeObserver;
  private readonly stop: () => void;

  constructor(
    private readonly box: HTMLElement,
    body: HTMLTableSectionElement,
  ) {
    this.table = new LadderTable(body, {
      trade: tradeAt,
      pick: pickPrice,
      cancel: cancelAt,
      scroll: (rows) => this.scroll(rows),
      center: () => this.center(),
    });
    this.observer = new ResizeObserver(([entry]) => {
      const { height } = entry!.contentRect;
      this.count.value =
        height === 0 ? 0 : Math.max(MIN_ROWS, Math.floor((height - HEAD_PX) / ROW_PX));
    });
    this.observer.observe(box);
    this.listen();
    this.stop = effect(() => this.paint());
  }

  remove(): void {
    this.stop();
    this.observer.disconnect();
    this.listeners.abort();
  }

  /** Shows the last price in the middle. */
  center(): void {
    this.range = undefined;
    this.moves.value++;
    this.table.select(Math.floor(this.count.peek() / 2));
  }

  private scroll(rows: number): void {
    if (this.range === undefined || rows === 0) return;
    this.range = { ...this.range, top: scrolledTop(this.range, rows) };
    this.moves.value++;
  }

  private paint(): void {
    void bookFrame.value;
    void this.moves.value;
    const count = this.count.value;
    if (count === 0 || !hasBook.value) return;
    const grouping = currentGrouping(chosenSteps);
    const { step, scale } = grouping;
    const last = lastRowPrice(grouping);
    const range = this.follow(last, step, count);
    this.table.paint({
      range,
      scale,
      amountDecimals: amountDecimals.value,
      bids: ladderAmounts(book.bids, 'bid', range, scale),
      asks: ladderAmounts(book.asks, 'ask', range, scale),
      ownBids: ownAmounts('bid', step, scale),
      ownAsks: ownAmounts('ask', step, scale),
      lastRow: findRow(range, last),
      lastSide: lastSide.value,
    });
  }

  /** Returns the range to show now: centered again if the last price has left the middle half of it. */
  private follow(last: bigint, step: bigint, count: number): LadderRange {
    const key = `${symbol.value} ${step}`;
    const known = key === this.rangeKey ? this.range : undefined;
    this.rangeKey = key;
    const isHeld = this.hasPointer || this.hasFocus;
    const isKept =
      known !== undefined && (isHeld || isInMiddle(findRow({ ...known, count }, last), count));
    const top = isKept ? known.top : centeredTop(last, step, count);
    this.range = { top, step, count };
    return this.range;
  }

  /** Keeps prices in their place while the pointer or the focus is on them, and scrolls with the wheel. */
  private listen(): void {
    const { box } = this;
    const options = { signal: this.listeners.signal };
    const hold = (name: 'hasPointer' | 'hasFocus', isHeld: boolean) => {
      this[name] = isHeld;
      // Centers again if the last price has moved in the meantime.
      if (!isHeld) this.moves.value++;
    };
    box.addEventListener('pointerenter', () => hold('hasPointer', true), options);
    const onLeave = ({ pointerType }: PointerEvent) => {
      // A finger leaves when it is lifted; the prices stay until it touches something else.
      if (pointerType !== 'touch') hold('hasPointer', false);
    };
    box.addEventListener('pointerleave', onLeave, options);
    const onTouchElsewhere = ({ target }: PointerEvent) => {
      if (this.hasPointer && !box.contains(target as Node)) hold('hasPointer', false);
    };
    document.addEventListener('pointerdown', onTouchElsewhere, options);
    this.listenForTouch(options);
    box.addEventListener('focusin', () => hold('hasFocus', true), options);
    const onFocusOut = ({ relatedTarget }: FocusEvent) => {
      if (!box.contains(relatedTarget as Node | null)) hold('hasFocus', false);
    };
    box.addEventListener('focusout', onFocusOut, options);
    const onWheel = (event: WheelEvent) => {
      if (event.ctrlKey) return;
      event.preventDefault();
      const isByPixel = event.deltaMode === WheelEvent.DOM_DELTA_PIXEL;
      this.scrollBy(isByPixel ? event.deltaY / ROW_PX : event.deltaY);
    };
    box.addEventListener('wheel', onWheel, { ...options, passive: false });
  }

  /** Scrolls with a finger. Its end is no click, which could place an order. */
  private listenForTouch(options: { readonly signal: AbortSignal }): void {
    const { box } = this;
    let start = 0;
    let y = 0;
    let moved = 0;
    const onDown = ({ clientY }: PointerEvent) => {
      start = clientY;
      y = clientY;
      moved = 0;
      this.partOfRow = 0;
    };
    const onMove = ({ pointerType, clientY }: PointerEvent) => {
      if (pointerType !== 'touch') return;
      moved = Math.max(moved, Math.abs(clientY - start));
      this.scrollBy((y - clientY) / ROW_PX);
      y = clientY;
    };
    const onClick = (event: MouseEvent) => {
      // A click by keyboard has no position.
      if (event.detail > 0 && moved > MAX_TAP_PX) event.stopPropagation();
    };
    box.addEventListener('pointerdown', onDown, options);
    box.addEventListener('pointermove', onMove, options);
    box.addEventListener('click', onClick, { ...options, capture: true });
  }

  /** Scrolls by a number of rows that need not be whole. */
  private scrollBy(distance: number): void {
    this.partOfRow += distance;
    const rows = Math.trunc(this.partOfRow);
    this.partOfRow -= rows;
    this.scroll(rows);
  }
}

/** Returns the price of the row with the last trade: in that of the asks if the taker bought, else of the bids. */
function lastRowPrice({ step, scale }: Grouping): bigint {
  const side = lastSide.value === 'buy' ? 'ask' : 'bid';
  return groupPrice(toUnits(lastPrice.value ?? '0', scale.price), side, step);
}

/** Cancels the user's orders in the row of a price. */
function cancelAt(side: Side, price: string): void {
  if (!canTrade.value || !acceptsClick(`cancel ${side} ${price}`)) return;
  const { step, scale } = currentGrouping(chosenSteps);
  const rows = ownOrdersByRow(side === 'buy' ? 'bid' : 'ask', step, scale);
  const orders = rows.get(toUnits(price, scale.price)) ?? [];
  if (orders.length > 0) void cancelThese(orders);
}
