/**
 * The longest text of each column so far, in characters, as custom properties such as `--price-chars`. Columns take their
 * width from them: it follows the market, and does not change back and forth with the rows.
 */
export class ColumnChars {
  private chars: number[] = [];

  constructor(
    private readonly table: HTMLElement,
    private readonly names: readonly string[],
  ) {}

  /** Starts over, such as for another market. */
  reset(): void {
    this.chars = [];
  }

  widen(texts: readonly string[]): void {
    for (const [column, name] of this.names.entries()) {
      const { length } = texts[column]!;
      if (length <= (this.chars[column] ?? 0)) continue;
      this.chars[column] = length;
      this.table.style.setProperty(`--${name}-chars`, `${length}`);
    }
  }
}

/** Table rows that change many times per second; only changed text is written to the DOM. */
export class LiveRows {
  private readonly texts: Text[][] = [];
  readonly rows: HTMLTableRowElement[] = [];

  /** @param make Creates a row with one text node per cell. @param chars Widens the columns for their texts */
  constructor(
    private readonly body: HTMLTableSectionElement,
    private readonly make: (index: number) => { row: HTMLTableRowElement; texts: Text[] },
    private readonly chars?: ColumnChars,
  ) {}

  /** Adds or removes rows until there are `count`. */
  resize(count: number): void {
    while (this.rows.length > count) {
      this.rows.pop()!.remove();
      this.texts.pop();
    }
    while (this.rows.length < count) {
      const { row, texts } = this.make(this.rows.length);
      this.rows.push(row);
      this.texts.push(texts);
      this.body.append(row);
    }
  }

  set(index: number, texts: readonly string[]): void {
    const nodes = this.texts[index]!;
    this.chars?.widen(texts);
    for (let column = 0; column < texts.length; column++) {
      const node = nodes[column]!;
      if (node.data !== texts[column]) node.data = texts[column]!;
    }
  }
}

/**
 * Creates a cell whose text sits in a box of fixed size, so that a change of text causes layout of that box
 * only.
 */
export function textCell(
  className: string,
  box: HTMLElement = document.createElement('span'),
): [HTMLTableCellElement, Text] {
  const cell = document.createElement('td');
  cell.className = className;
  const text = document.createTextNode('');
  box.classList.add('cell-text');
  box.append(text);
  cell.append(box);
  return [cell, text];
}
