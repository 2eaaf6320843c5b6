import { fromUnits } from '../decimal.ts';
import { amountText, fixed, grouped, rounded } from '../format.ts';
import { t } from '../i18n/index.ts';
import type { BookRow, BookScale } from './book-view.ts';
import { type ColumnChars, LiveRows, textCell } from './live-rows.ts';

export interface Shown {
  readonly decimals: BookScale;
  readonly amountDecimals: number;
  readonly group: bigint;
  /** Whether bids and asks are next to each other, both with the best price at the top. */
  readonly isSideBySide: boolean;
  /** Remaining amounts of the user's open orders on this side, by the price of their row. */
  readonly own: ReadonlyMap<bigint, bigint>;
}

/** Duration of the feedback to a picked price. */
const PICKED_MS = 350;
/** Maximum length of an amount; longer ones are shortened. */
const MAX_CHARS = 9;
const MOVES: Readonly<Record<string, number>> = { ArrowUp: -1, ArrowDown: 1 };

/** One side of the order book table. One price is in the tab order; arrow keys move to the others. */
export class BookSide {
  private readonly live: LiveRows;
  private readonly buttons: HTMLButtonElement[] = [];
  /** The exact price in each row; empty for an empty row. */
  private readonly prices: string[] = [];
  private readonly widths: number[] = [];
  private readonly own: string[] = [];
  /** Whether the best price is in the last row. */
  private isReversed = false;
  /** All digits of the amount and the total in each row, for tooltips. */
  private readonly exact: (readonly [amount: string, total: string] | undefined)[] = [];

  constructor(
    body: HTMLTableSectionElement,
    private readonly side: 'bid' | 'ask',
    private readonly pick: (price: string) => void,
    chars: ColumnChars,
  ) {
    this.live = new LiveRows(body, (index) => this.makeRow(index), chars);
    body.addEventListener('keydown', (event) => this.move(event));
  }

  /**
   * @param rows Best first; asks are shown with the best at the bottom, unless they are next to the bids.
   * @param maxTotal The total that fills the whole depth bar.
   */
  paint(rows: readonly BookRow[], count: number, maxTotal: bigint, shown: Shown): void {
    const isReversed = this.side === 'ask' && !shown.isSideBySide;
    if (this.live.rows.length !== count || isReversed !== this.isReversed)
      this.resize(count, isReversed);
    const priceDecimals = Math.max(0, shown.decimals.price - countZeros(shown.group));
    for (let rank = 0; rank < count; rank++) {
      const index = isReversed ? count - 1 - rank : rank;
      const row = rows[rank];
      this.fill(index, row, maxTotal, shown, priceDecimals);
    }
  }

  private fill(
    index: number,
    row: BookRow | undefined,
    maxTotal: bigint,
    { decimals, amountDecimals, own }: Shown,
    priceDecimals: number,
  ): void {
    const button = this.buttons[index]!;
    const width = row === undefined || maxTotal === 0n ? 0 : Number((row.total * 100n) / maxTotal);
    if (this.widths[index] !== width) {
      this.widths[index] = width;
      // A background needs no layout; an element for the bar would.
      this.live.rows[index]!.style.backgroundSize = `${width}% 100%`;
    }
    const exact = (units: bigint) => fromUnits(units, decimals.amount);
    const amount = (units: bigint) => amountText(exact(units), amountDecimals, MAX_CHARS);
    const ownUnits = row === undefined ? undefined : own.get(row.price);
    this.markOwn(index, ownUnits === undefined ? '' : rounded(exact(ownUnits), amountDecimals));
    if (row === undefined) {
      this.prices[index] = '';
      this.exact[index] = undefined;
      button.disabled = true;
      this.live.set(index, ['', '', '']);
      return;
    }
    const price = fromUnits(row.price, decimals.price);
    this.prices[index] = price.toFixed();
    this.exact[index] = [grouped(exact(row.amount)), grouped(exact(row.total))];
    button.disabled = false;
    this.live.set(index, [fixed(price, priceDecimals), amount(row.amount), amount(row.total)]);
  }

  /** Marks a row that has orders of the user. @param amount Empty for none. */
  private markOwn(index: number, amount: string): void {
    if ((this.own[index] ?? '') === amount) return;
    this.own[index] = amount;
    this.live.rows[index]!.classList.toggle('own', amount !== '');
    const title = amount === '' ? '' : t('Your open orders: {amount}', { amount });
    this.buttons[index]!.title = title;
    // The dot is in the cell, next to the button.
    this.live.rows[index]!.cells[0]!.title = title;
  }

  private resize(count: number, isReversed: boolean): void {
    this.isReversed = isReversed;
    this.live.resize(count);
    for (const list of [this.buttons, this.prices, this.widths, this.own, this.exact])
      list.length = count;
    const best = isReversed ? count - 1 : 0;
    this.buttons.forEach((button, index) => {
      button.tabIndex = index === best ? 0 : -1;
    });
  }

  private makeRow(index: number) {
    const row = document.createElement('tr');
    const button = document.createElement('button');
    button.type = 'button';
    button.tabIndex = -1;
    button.className = this.side === 'ask' ? 'sell' : 'buy';
    const [price, priceText] = textCell('price', button);
    const [amount, amountText] = textCell('amount');
    const [total, totalText] = textCell('total');
    row.append(price, amount, total);
    row.addEventListener('click', () => {
      const picked = this.prices[this.live.rows.indexOf(row)];
      if (!picked) return;
      this.pick(picked);
      // Feedback for a tap: the price goes into a form that a phone does not show yet.
      row.animate({ opacity: [0.3, 1] }, PICKED_MS);
    });
    row.addEventListener('pointerenter', () => {
      const texts = this.exact[this.live.rows.indexOf(row)];
      [amount.title, total.title] = texts ?? ['', ''];
    });
    this.buttons[index] = button;
    return { row, texts: [priceText, amountText, totalText] };
  }

  private move(event: KeyboardEvent): void {
    const step = MOVES[event.key];
    const at = this.buttons.indexOf(event.target as HTMLButtonElement);
    if (step === undefined || at < 0) return;
    event.preventDefault();
    const next = this.buttons[at + step];
    if (next === undefined || next.disabled) return;
    this.buttons[at]!.tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
  }
}

function countZeros(group: bigint): number {
  return `${group}`.length - 1;
}
