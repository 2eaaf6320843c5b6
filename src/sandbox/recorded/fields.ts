import { Side } from '../../engine/terms.ts';
import { RowError } from './decimal.ts';

/** Digits of a time since 1970, today and for some centuries: 10 are seconds, 13 milliseconds, 16 microseconds. */
const DIVISORS: Readonly<Record<number, number>> = { 10: 0.001, 13: 1, 16: 1000 };
const ORDER_ID = /^[A-Za-z0-9_.:-]{1,60}$/;

export type TimeParser = (text: string) => number;

/** Returns a parser of times in the unit of the first one, to whole milliseconds since 1970 (rounded down). */
export function timeParser(): TimeParser {
  let digits = 0;
  return (text) => {
    if (!/^\d+$/.test(text) || DIVISORS[text.length] === undefined) {
      throw new RowError(
        `time ${JSON.stringify(text.slice(0, 40))} is not in seconds, milliseconds or microseconds since 1970 (10, 13 or 16 digits)`,
      );
    }
    if (digits === 0) digits = text.length;
    if (text.length !== digits) {
      throw new RowError(`time ${text} has ${text.length} digits, the rows before have ${digits}`);
    }
    return Math.floor(Number(text) / DIVISORS[digits]!);
  };
}

/** Parses `buy` or `sell`. @throws RowError */
export function parseSide(text: string): Side {
  if (text === 'buy') return Side.buy;
  if (text === 'sell') return Side.sell;
  throw new RowError(`side ${JSON.stringify(text.slice(0, 40))} is not buy or sell`);
}

/** Parses the id of an order: 1 to 60 of the characters that client order ids have. @throws RowError */
export function parseOrderId(text: string): string {
  if (ORDER_ID.test(text)) return text;
  throw new RowError(
    `id ${JSON.stringify(text.slice(0, 80))} is not 1 to 60 of the characters A-Z a-z 0-9 _ . : -`,
  );
}

/** Parses a whole number that is not used, such as an id. @throws RowError */
export function checkWhole(text: string, name: string): void {
  if (!/^\d+$/.test(text)) {
    throw new RowError(`${name} ${JSON.stringify(text.slice(0, 40))} is not a whole number`);
  }
}

/** Parses `true`, `True`, `false` or `False`. @throws RowError */
export function parseFlag(text: string, name: string): boolean {
  if (text === 'true' || text === 'True') return true;
  if (text === 'false' || text === 'False') return false;
  throw new RowError(`${name} ${JSON.stringify(text.slice(0, 40))} is not true or false`);
}

/** Splits a line of CSV. Quotes are not supported, because no column needs them. @throws RowError */
export function splitColumns(line: string, ...counts: readonly number[]): string[] {
  const columns = line.split(',');
  if (counts.includes(columns.length)) return columns;
  throw new RowError(`${columns.length} columns instead of ${counts.join(' or ')}`);
}
