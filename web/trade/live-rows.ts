/** Table rows that change many times per second; only changed text is written to the DOM. */
export class LiveRows {
  private readonly texts: Text[][] = [];
  readonly rows: HTMLTableRowElement[] = [];

  /** @param make Creates a row with one text node per cell. */
  constructor(
    private readonly body: HTMLTableSectionElement,
    private readonly make: (index: number) => { row: HTMLTableRowElement; texts: Text[] },
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
