import { type ExactNumber, isExactNumber, numberText } from '../client/exact-number.ts';

/** Control characters, line ends and bidirectional control characters. */
const UNPRINTABLE = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu;

/** Escapes characters that could move the cursor of a terminal or hide text. */
export function printable(text: string): string {
  return text.replace(
    UNPRINTABLE,
    (character) => `\\u{${character.codePointAt(0)!.toString(16).padStart(4, '0')}}`,
  );
}

export type Cell = string | number | ExactNumber | null | undefined;

/** Returns a table; numbers are aligned at their decimal points. */
export function table(headings: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const columns = headings.map((heading, index) => {
    const cells = rows.map((row) => row[index]);
    const texts = cells.every((cell) => cell == null || isNumber(cell))
      ? alignPoints(cells.map(cellText))
      : cells.map(cellText);
    const isRight = cells.some(isNumber);
    const width = Math.max(...[heading, ...texts].map(textWidth));
    return [heading, ...texts].map((text) => pad(text, width, isRight));
  });
  const lines = [0, ...rows.keys().map((row) => row + 1)];
  return lines
    .map((line) => columns.map((column) => column[line]).join('  '))
    .map(trimEnd)
    .join('\n');
}

/** Returns one line per label and value. */
export function fields(pairs: readonly (readonly [string, Cell])[]): string {
  const width = Math.max(...pairs.map(([label]) => label.length));
  return pairs.map(([label, value]) => `${label.padEnd(width)}  ${cellText(value)}`).join('\n');
}

/** Returns the status of an account; one that is frozen may be closed, too. */
export function accountStatus(account: { frozen: boolean; closed: boolean }): string {
  if (account.frozen) return 'frozen';
  return account.closed ? 'closed' : 'active';
}

function cellText(cell: Cell): string {
  if (cell == null || cell === '') return '-';
  if (typeof cell === 'number') return `${cell}`;
  return isExactNumber(cell) ? numberText(cell) : printable(cell);
}

function isNumber(cell: Cell): boolean {
  return typeof cell === 'number' || isExactNumber(cell);
}

/** Pads fractions to equal length. */
function alignPoints(texts: readonly string[]): string[] {
  const fractionWidth = (text: string) =>
    text.includes('.') ? text.length - text.indexOf('.') : 0;
  const widest = Math.max(...texts.map(fractionWidth), 0);
  return texts.map((text) => text + ' '.repeat(widest - fractionWidth(text)));
}

function pad(text: string, width: number, isRight: boolean): string {
  const space = ' '.repeat(width - textWidth(text));
  return isRight ? space + text : text + space;
}

function textWidth(text: string): number {
  return Bun.stringWidth(text);
}

function trimEnd(line: string): string {
  return line.trimEnd();
}
