/** Rows of a table whose texts change many times a second: only what differs is written. */
export class LiveRows {
  private readonly texts: Text[][] = [];
  readonly rows: HTMLTableRowElement[] = [];

  /** @param make One row, with as many cells as it will be given texts. */
  constructor(
    private readonly body: HTMLTableSectionElement,
    private readonly make: (index: number) => { row: HTMLTableRowElement; texts: Text[] },
  ) {}

  /** Makes or removes rows until there are as many. */
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
 * A cell that holds nothing but a text, in a box of fixed size: what is written there moves nothing else, so
 * that the browser lays out that box alone.
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
