/** A column of a report: a name, and its value in a row. Null is an empty cell, or null in JSON. */
export interface ReportColumn<Row> {
  readonly name: string;
  /** Numbers are written as they are, exact decimals; texts are quoted where they need to be. */
  readonly type: 'number' | 'text';
  readonly value: (row: Row) => string | null;
}

/**
 * Beginnings of cells that spreadsheets read as formulas, also in their full-width forms (OWASP, "CSV Injection").
 */
const FORMULA = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;
const NEEDS_QUOTES = /[",\r\n]/;

/** Returns a text as a cell of CSV (RFC 4180), which no spreadsheet runs as a formula. */
export function csvText(text: string): string {
  if (FORMULA.test(text)) return `"'${text.replaceAll('"', '""')}"`;
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Returns the line of the names of columns. */
export function csvHeader<Row>(columns: readonly ReportColumn<Row>[]): string {
  return `${columns.map(({ name }) => name).join(',')}\r\n`;
}

export function csvRow<Row>(columns: readonly ReportColumn<Row>[], row: Row): string {
  let line = '';
  for (let i = 0; i < columns.length; i++) {
    const { type, value } = columns[i]!;
    const cell = value(row);
    if (i > 0) line += ',';
    if (cell !== null) line += type === 'number' ? cell : csvText(cell);
  }
  return `${line}\r\n`;
}

/** Returns a row as a JSON object; numbers are exact decimals. */
export function jsonRow<Row>(columns: readonly ReportColumn<Row>[], row: Row): string {
  let text = '{';
  for (let i = 0; i < columns.length; i++) {
    const { name, type, value } = columns[i]!;
    const cell = value(row);
    const written = cell === null ? 'null' : type === 'number' ? cell : JSON.stringify(cell);
    text += `${i > 0 ? ',' : ''}"${name}":${written}`;
  }
  return `${text}}`;
}
