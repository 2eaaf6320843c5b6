import type { Place } from './alert.ts';

const PAGE_BITS = 8;
const PAGE_SIZE = 1 << PAGE_BITS;
const PAGE_MASK = PAGE_SIZE - 1;
const FIRST_ROWS = 256;
/** Empty pages are kept for the next window up to this many, some 4 MB. */
const MAX_KEPT_PAGES = 4096;

/** Columns in which each row has the commands that it cites, before a detector's own. */
const CITED_COLUMNS = 6;

/**
 * Numbers per market and owner, for one window. A row is found by two array reads, so that an event costs nanoseconds
 * and leaves no object behind.
 */
export class Activities {
  /** The rows one after the other; a row's columns start at the offset that `find` returns. */
  values: Float64Array;
  private readonly width: number;
  private markets = new Int32Array(FIRST_ROWS);
  private owners = new Int32Array(FIRST_ROWS);
  private count = 0;
  private pageCount = 0;
  /** One more than a row's number, by market and by page of owners; 0 for none. */
  private pages: (Int32Array | undefined)[][] = [];

  /** @param columns Number of columns of a row, all 0 at first. */
  constructor(columns: number) {
    this.width = CITED_COLUMNS + columns;
    this.values = new Float64Array(FIRST_ROWS * this.width);
  }

  /** Returns the offset in `values` of the row's first column; adds the row if there is none. */
  find(market: number, owner: number): number {
    const page = this.pages[market]?.[owner >>> PAGE_BITS] ?? this.addPage(market, owner);
    const found = page[owner & PAGE_MASK]!;
    const row = found === 0 ? this.addRow(page, market, owner) : found - 1;
    return row * this.width + CITED_COLUMNS;
  }

  /** Adds a command to those that the row cites. */
  cite(at: number, { sequence, index, time }: Place): void {
    const { values } = this;
    if (values[at - 6] === 0) {
      values[at - 6] = sequence;
      values[at - 5] = index;
      values[at - 4] = time;
    }
    values[at - 3] = sequence;
    values[at - 2] = index;
    values[at - 1] = time;
  }

  /** Returns the commands that the row cites. */
  cited(at: number): { readonly from: Place; readonly to: Place } {
    return { from: this.place(at - 6), to: this.place(at - 3) };
  }

  /** Visits all rows in the order in which they were added. */
  forEach(visit: (at: number, market: number, owner: number) => void): void {
    for (let row = 0; row < this.count; row++) {
      visit(row * this.width + CITED_COLUMNS, this.markets[row]!, this.owners[row]!);
    }
  }

  /** Removes all rows. */
  clear(): void {
    if (this.pageCount > MAX_KEPT_PAGES) {
      this.pages = [];
      this.pageCount = 0;
    } else {
      this.forEach((_, market, owner) => {
        this.pages[market]![owner >>> PAGE_BITS]![owner & PAGE_MASK] = 0;
      });
    }
    this.values.fill(0, 0, this.count * this.width);
    this.count = 0;
  }

  /** Returns all rows: market, owner, and the numbers. */
  save(): number[][] {
    const { width } = this;
    return Array.from({ length: this.count }, (_, row) => [
      this.markets[row]!,
      this.owners[row]!,
      ...this.values.subarray(row * width, (row + 1) * width),
    ]);
  }

  /** Adds rows that were saved; there must be none. */
  restore(rows: readonly (readonly number[])[]): void {
    for (const [market, owner, ...numbers] of rows) {
      this.values.set(numbers, this.find(market!, owner!) - CITED_COLUMNS);
    }
  }

  private place(at: number): Place {
    const { values } = this;
    return { sequence: values[at]!, index: values[at + 1]!, time: values[at + 2]! };
  }

  private addPage(market: number, owner: number): Int32Array {
    this.pages[market] ??= [];
    const page = new Int32Array(PAGE_SIZE);
    this.pages[market]![owner >>> PAGE_BITS] = page;
    this.pageCount++;
    return page;
  }

  private addRow(page: Int32Array, market: number, owner: number): number {
    const row = this.count++;
    if (row === this.markets.length) this.grow();
    this.markets[row] = market;
    this.owners[row] = owner;
    page[owner & PAGE_MASK] = row + 1;
    return row;
  }

  private grow(): void {
    const { values, markets, owners } = this;
    this.values = new Float64Array(values.length * 2);
    this.values.set(values);
    this.markets = new Int32Array(markets.length * 2);
    this.markets.set(markets);
    this.owners = new Int32Array(owners.length * 2);
    this.owners.set(owners);
  }
}
