import { fromUnits } from '../decimal.ts';
import { fixed, rounded } from '../format.ts';
import type { BookRow, BookScale } from './book-view.ts';
import { LiveRows, textCell } from './live-rows.ts';

export interface Shown {
  readonly decimals: BookScale;
  readonly amountDecimals: number;
  readonly group: bigint;
}

const MOVES: Readonly<Record<string, number>> = { ArrowUp: -1, ArrowDown: 1 };

/** One side of the order book table. One price is in the tab order; arrow keys move to the others. */
export class BookSide {
  private readonly live: LiveRows;
  private readonly buttons: HTMLButtonElement[] = [];
  /** The exact price in each row; empty for an empty row. */
  private readonly prices: string[] = [];
  private readonly widths: number[] = [];

  constructor(
    body: HTMLTableSectionElement,
    private readonly side: 'bid' | 'ask',
    private readonly pick: (price: string) => void,
  ) {
    this.live = new LiveRows(body, (index) => this.makeRow(index));
    body.addEventListener('keydown', (event) => this.move(event));
  }

  /**
   * @param rows Best first; asks are shown with the best at the bottom.
   * @param maxTotal The total that fills the whole depth bar.
   */
  paint(rows: readonly BookRow[], count: number, maxTotal: bigint, shown: Shown): void {
    if (this.live.rows.length !== count) this.resize(count);
    const priceDecimals = Math.max(0, shown.decimals.price - countZeros(shown.group));
    for (let rank = 0; rank < count; rank++) {
      const index = this.side === 'ask' ? count - 1 - rank : rank;
      const row = rows[rank];
      this.fill(index, row, maxTotal, shown, priceDecimals);
    }
  }

  private fill(
    index: number,
    row: BookRow | undefined,
    maxTotal: bigint,
    { decimals, amountDecimals }: Shown,
    priceDecimals: number,
  ): void {
    const button = this.buttons[index]!;
    const width = row === undefined || maxTotal === 0n ? 0 : Number((row.total * 100n) / maxTotal);
    if (this.widths[index] !== width) {
      this.widths[index] = width;
      // A background needs no layout; an element for the bar would.
      this.live.rows[index]!.style.backgroundSize = `${width}% 100%`;
    }
    if (row === undefined) {
      this.prices[index] = '';
      button.disabled = true;
      this.live.set(index, ['', '', '']);
      return;
    }
    const price = fromUnits(row.price, decimals.price);
    this.prices[index] = price.toFixed();
    button.disabled = false;
    const amount = (units: bigint) => rounded(fromUnits(units, decimals.amount), amountDecimals);
    this.live.set(index, [fixed(price, priceDecimals), amount(row.amount), amount(row.total)]);
  }

  private resize(count: number): void {
    this.live.resize(count);
    for (const list of [this.buttons, this.prices, this.widths]) list.length = count;
    const best = this.side === 'ask' ? count - 1 : 0;
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
      if (picked) this.pick(picked);
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
