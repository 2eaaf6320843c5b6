import Big from 'big.js';
import { fromUnits } from '../../decimal.ts';
import { fixed, grouped, rounded } from '../../format.ts';
import { t } from '../../i18n/index.ts';
import type { BookScale } from '../book-view.ts';
import type { Side } from '../draft.ts';
import { LiveRows, textCell } from '../live-rows.ts';
import { type LadderRange, rowPrice } from './ladder-rows.ts';

/** The contents of a ladder. Amounts are those of its rows. */
export interface LadderContents {
  readonly range: LadderRange;
  readonly scale: BookScale;
  readonly amountDecimals: number;
  readonly bids: readonly bigint[];
  readonly asks: readonly bigint[];
  /** Remaining amounts of the user's orders by the price of their row. */
  readonly ownBids: ReadonlyMap<bigint, bigint>;
  readonly ownAsks: ReadonlyMap<bigint, bigint>;
  /** Row of the last price; it may be outside the range. */
  readonly lastRow: number;
  /** Taker side of the last trade; undefined before the first one. */
  readonly lastSide: Side | undefined;
}

/** The reactions to clicks and keys. Prices are exact. */
export interface LadderActions {
  readonly trade: (side: Side, price: string) => void;
  readonly pick: (price: string) => void;
  readonly cancel: (side: Side, price: string) => void;
  /** Moves to lower prices if positive. */
  readonly scroll: (rows: number) => void;
  readonly center: () => void;
}

/** The columns in their order. */
const COLUMNS = ['own-bid', 'bid', 'price', 'ask', 'own-ask'] as const;
type Column = (typeof COLUMNS)[number];
const PRICE = COLUMNS.indexOf('price');

/** A row's buttons, in the order of the columns, and what it shows. */
interface Row {
  readonly element: HTMLTableRowElement;
  readonly buttons: readonly HTMLButtonElement[];
  /** The exact price; empty in rows without one. */
  price: string;
  /** Amounts shown, in the order of the columns. */
  readonly shown: (bigint | undefined)[];
  readonly texts: string[];
  /** Lengths of the depth bars in percent, in the order of the columns. */
  readonly bars: number[];
}

const PAGES: Readonly<Record<string, number>> = { PageUp: -1, PageDown: 1 };
const SIDE_KEYS: Readonly<Record<string, Column>> = { b: 'bid', s: 'ask' };
/** Duration of the feedback to a click. */
const CLICKED_MS = 350;

/** The rows of the ladder. One price is in the tab order; arrow keys move to the other rows and columns. */
export class LadderTable {
  private readonly live: LiveRows;
  private readonly rows: Row[] = [];
  private current = 0;
  private pricesKey = '';
  private scaleKey = '';
  private lastRow: Row | undefined;
  /** The row under the pointer when it was pressed, with its price then. */
  private pressed: { readonly row: Row; readonly price: string } | undefined;

  constructor(
    body: HTMLTableSectionElement,
    private readonly actions: LadderActions,
  ) {
    this.live = new LiveRows(body, () => this.makeRow());
    body.addEventListener('pointerdown', (event) => this.press(event));
    body.addEventListener('click', (event) => this.click(event));
    body.addEventListener('keydown', (event) => this.key(event));
  }

  paint(contents: LadderContents): void {
    const { range, scale, amountDecimals } = contents;
    if (this.rows.length !== range.count) this.resize(range.count);
    const scaleKey = `${scale.amount} ${amountDecimals}`;
    if (scaleKey !== this.scaleKey) for (const row of this.rows) row.shown.length = 0;
    this.scaleKey = scaleKey;
    this.paintPrices(range, scale);
    const max = [...contents.bids, ...contents.asks].reduce((a, b) => (a > b ? a : b), 1n);
    for (let index = 0; index < range.count; index++) this.paintAmounts(index, contents, max);
    this.markLast(this.rows[contents.lastRow], contents.lastSide);
  }

  /** Makes a row the one in the tab order, and focuses its price if the ladder has the focus. */
  select(index: number): void {
    const row = this.rows[index];
    if (row === undefined) return;
    const hasFocus = this.rows.some(({ element }) => element.contains(document.activeElement));
    this.moveTo(row.buttons[PRICE]!, index, hasFocus);
  }

  /** Writes the prices, which change only when the range does, as do the names of the buttons. */
  private paintPrices(range: LadderRange, scale: BookScale): void {
    const key = `${range.top} ${range.step} ${range.count} ${scale.price}`;
    if (key === this.pricesKey) return;
    this.pricesKey = key;
    const decimals = Math.max(0, scale.price - countZeros(range.step));
    this.rows.forEach((row, index) => {
      const units = rowPrice(range, index);
      const exact = units === undefined ? undefined : fromUnits(units, scale.price);
      const price = exact === undefined ? '' : fixed(exact, decimals);
      row.price = exact?.toFixed() ?? '';
      row.texts[PRICE] = price;
      const names = [
        t('Cancel buy orders at {price}', { price }),
        t('Buy at {price}', { price }),
        undefined,
        t('Sell at {price}', { price }),
        t('Cancel sell orders at {price}', { price }),
      ];
      row.buttons.forEach((button, column) => {
        button.disabled = exact === undefined;
        if (names[column] !== undefined) button.ariaLabel = names[column];
      });
    });
  }

  private paintAmounts(index: number, contents: LadderContents, max: bigint): void {
    const row = this.rows[index]!;
    const { range, scale, amountDecimals } = contents;
    const price = rowPrice(range, index);
    const own = (amounts: ReadonlyMap<bigint, bigint>) =>
      (price === undefined ? undefined : amounts.get(price)) ?? 0n;
    const bid = contents.bids[index]!;
    const ask = contents.asks[index]!;
    const amounts = [own(contents.ownBids), bid, undefined, ask, own(contents.ownAsks)];
    amounts.forEach((amount, column) => {
      if (amount === undefined) return;
      if (!isOwnColumn(column)) setBar(row, column, amount, max);
      if (row.shown[column] === amount) return;
      row.shown[column] = amount;
      const isOwn = isOwnColumn(column);
      const exact = fromUnits(amount, scale.amount);
      row.texts[column] = amount === 0n ? '' : amountText(exact, amountDecimals, isOwn);
      if (isOwn) this.offerCancel(index, column, amount > 0n);
    });
    this.live.set(index, row.texts);
  }

  private offerCancel(index: number, column: number, isOffered: boolean): void {
    const row = this.rows[index]!;
    const button = row.buttons[column]!;
    // A hidden button would lose the focus to the page.
    if (!isOffered && button === document.activeElement)
      this.moveTo(row.buttons[PRICE]!, index, true);
    button.hidden = !isOffered;
  }

  private markLast(row: Row | undefined, side: Side | undefined): void {
    if (this.lastRow !== row) delete this.lastRow?.element.dataset.last;
    this.lastRow = row;
    const mark = side ?? 'none';
    if (row !== undefined && row.element.dataset.last !== mark) row.element.dataset.last = mark;
  }

  private resize(count: number): void {
    this.pricesKey = '';
    this.live.resize(count);
    this.rows.length = count;
    this.current = Math.floor(count / 2);
    this.rows.forEach(({ buttons }, index) => {
      for (const button of buttons) button.tabIndex = -1;
      if (index === this.current) buttons[PRICE]!.tabIndex = 0;
    });
  }

  private makeRow() {
    const element = document.createElement('tr');
    const buttons: HTMLButtonElement[] = [];
    const texts = COLUMNS.map((column) => {
      const button = document.createElement('button');
      button.type = 'button';
      button.tabIndex = -1;
      button.dataset.column = column;
      const [cell, text] = column === 'price' ? textCell(column, button) : textCell(column);
      if (column !== 'price') cell.append(button);
      if (column.startsWith('own-')) button.textContent = '×';
      buttons.push(button);
      element.append(cell);
      return text;
    });
    this.rows.push({
      element,
      buttons,
      price: '',
      shown: [],
      texts: COLUMNS.map(() => ''),
      bars: [],
    });
    return { row: element, texts };
  }

  private press({ target }: PointerEvent): void {
    const row = this.rows.find(({ element }) => element.contains(target as Node));
    this.pressed = row && { row, price: row.price };
  }

  private click({ target, detail }: MouseEvent): void {
    const button = (target as Element).closest('button');
    const row = this.rows.find(({ buttons }) => button !== null && buttons.includes(button));
    // The ladder may have moved while the finger was down. A click by keyboard has no detail.
    const hasMoved = this.pressed?.row !== row || this.pressed?.price !== row?.price;
    if (row === undefined || (detail !== 0 && hasMoved)) return;
    this.act(row, button!.dataset.column as Column);
  }

  private act(row: Row, column: Column): void {
    const { price, element } = row;
    if (price === '') return;
    if (column === 'own-bid') this.actions.cancel('buy', price);
    else if (column === 'own-ask') this.actions.cancel('sell', price);
    else if (column === 'price') this.actions.pick(price);
    else this.actions.trade(column === 'bid' ? 'buy' : 'sell', price);
    element.cells[COLUMNS.indexOf(column)]!.animate({ opacity: [0.3, 1] }, CLICKED_MS);
  }

  private key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const index = this.rows.findIndex(({ element }) => element.contains(event.target as Node));
    const row = this.rows[index];
    if (row === undefined || !this.run(event, row, index)) return;
    event.preventDefault();
    // The page has shortcuts with the same keys.
    event.stopPropagation();
  }

  /** Returns whether a key does something in the ladder. Held keys repeat moves, but no orders. */
  private run({ key, target, repeat }: KeyboardEvent, row: Row, index: number): boolean {
    const column = row.buttons.indexOf(target as HTMLButtonElement);
    const page = PAGES[key];
    const side = SIDE_KEYS[key.toLowerCase()];
    if (key === 'ArrowUp') this.moveBy(-1, index, column);
    else if (key === 'ArrowDown') this.moveBy(1, index, column);
    else if (key === 'ArrowLeft') this.moveAcross(row, index, column - 1);
    else if (key === 'ArrowRight') this.moveAcross(row, index, column + 1);
    else if (page !== undefined) this.actions.scroll(page * Math.ceil(this.rows.length / 2));
    else if (key.toLowerCase() === 'c') this.actions.center();
    else if (side === undefined) return key === 'Enter' && repeat;
    else if (!repeat) this.act(row, side);
    return true;
  }

  private moveBy(rows: number, index: number, column: number): void {
    const next = this.rows[index + rows];
    if (next === undefined) {
      this.actions.scroll(rows);
      return;
    }
    const button = next.buttons[column]!;
    this.moveTo(isReachable(button) ? button : next.buttons[PRICE]!, index + rows, true);
  }

  private moveAcross(row: Row, index: number, column: number): void {
    const next = row.buttons[column];
    if (next !== undefined && isReachable(next)) this.moveTo(next, index, true);
  }

  private moveTo(button: HTMLButtonElement, index: number, isFocused: boolean): void {
    if (!isReachable(button)) return;
    for (const each of this.rows[this.current]?.buttons ?? []) each.tabIndex = -1;
    this.current = index;
    button.tabIndex = 0;
    if (isFocused) button.focus({ preventScroll: true });
  }
}

function isOwnColumn(column: number): boolean {
  return COLUMNS[column]!.startsWith('own-');
}

/** Formats an amount. Own amounts share their cell with a button: they have no zeros at the end. */
function amountText(amount: Big, decimals: number, isOwn: boolean): string {
  return isOwn ? grouped(amount.round(decimals, Big.roundHalfUp)) : rounded(amount, decimals);
}

function isReachable(button: HTMLButtonElement): boolean {
  return !button.disabled && !button.hidden;
}

/** Sets the length of a depth bar. A background needs no layout; an element for the bar would. */
function setBar(row: Row, column: number, amount: bigint, max: bigint): void {
  const width = Number((amount * 100n) / max);
  if (row.bars[column] === width) return;
  row.bars[column] = width;
  row.element.cells[column]!.style.backgroundSize = `${width}% 100%`;
}

function countZeros(step: bigint): number {
  return `${step}`.length - 1;
}
