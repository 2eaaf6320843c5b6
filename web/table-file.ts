/** Files with rows of a table, which operators download. */

/** Returns rows as CSV (RFC 4180). */
export function toCsv(rows: readonly (readonly string[])[]): string {
  return rows.map((row) => `${row.map(csvCell).join(',')}\r\n`).join('');
}

/** Beginnings of cells that spreadsheets read as formulas, also in their full-width forms (OWASP, "CSV Injection"). */
const FORMULA = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;

/** Numbers stay numbers; other text that a spreadsheet would run as a formula begins with an apostrophe. */
function csvCell(text: string): string {
  const isFormula = FORMULA.test(text) && !/^[+-]?\d+(\.\d+)?$/.test(text);
  const safe = isFormula ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
