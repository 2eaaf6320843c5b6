import { HistoryDamagedError } from '../errors.ts';
import type { Queries, Row, StoredColumn, Table, Value } from './database.ts';

/** The last column of every table. */
export const CHECKSUM = 'checksum';
/** The checksum of rows that an earlier release wrote without one; see `Queries.hasUncheckedRows`. */
const UNCHECKED = 0;

/**
 * Returns the checksum of a row's values, 1 to 2^53 - 1. Each step is a bijection of the first lane for a given word, so
 * a change within any 32 bits of a row is always detected, and any other change is missed with a probability of 2^-53.
 */
export function checksumRow(values: readonly Value[], from: number, count: number): number {
  let first = 0x2545_f491;
  let second = 0x9e37_79b9;
  for (let i = from; i < from + count; i++) {
    const value = values[i]!;
    if (typeof value === 'number') {
      const low = value | 0;
      const high = Math.floor(value / 0x1_0000_0000) | 0;
      first = mixFirst(mixFirst(first, low), high);
      second = mixSecond(mixSecond(second, low), high);
    } else {
      first = mixFirst(first, ~value.length);
      second = mixSecond(second, ~value.length);
      for (let at = 0; at < value.length; at++) {
        const code = value.charCodeAt(at);
        first = mixFirst(first, code);
        second = mixSecond(second, code);
      }
    }
  }
  return (first >>> 0) * 0x20_0000 + (second >>> 11) || 1;
}

function mixFirst(lane: number, word: number): number {
  return Math.imul(((lane << 13) | (lane >>> 19)) ^ word, 0x85eb_ca6b);
}

function mixSecond(lane: number, word: number): number {
  return Math.imul(((lane << 17) | (lane >>> 15)) ^ word, 0xc2b2_ae35);
}

/** Writes an item's values and their checksum into `values` from `offset` on, in the order of `storedColumns`. */
export function writeRow<Item>(
  table: Table<Item>,
  item: Item,
  values: Value[],
  offset: number,
): void {
  const { length } = table.columns;
  table.write(item, values, offset);
  values[offset + length] = checksumRow(values, offset, length);
}

/** Returns all columns of a table, in the order of `writeRow`. */
export function storedColumns({ columns }: Pick<Table<never>, 'columns'>): string[] {
  return [...columns.map(({ name }) => name), CHECKSUM];
}

/**
 * Reads complete rows of a table and verifies their checksums.
 * @param text A query that selects all columns of the table.
 * @throws HistoryDamagedError
 */
export async function select(
  database: Queries,
  table: Table<never>,
  text: string,
  ...values: Value[]
): Promise<Row[]> {
  const rows = await database.query(text, ...values);
  for (const row of rows) check(table, row, database.hasUncheckedRows);
  return rows;
}

/** @throws HistoryDamagedError if a row differs from the written one */
export function check(
  { name: table, columns }: Table<never>,
  row: Row,
  hasUncheckedRows: boolean,
): void {
  const stored = Number(row[CHECKSUM]);
  if (hasUncheckedRows && stored === UNCHECKED) return;
  const isWhole = valuesReader(columns)(row, checkedValues);
  if (isWhole && checksumRow(checkedValues, 0, columns.length) === stored) return;
  throw new HistoryDamagedError(`a row of the table ${table} is not what was written`);
}

/** Reads a row's values in the order of its columns. @returns Whether each can have been written. */
type ValuesReader = (row: Row, values: Value[]) => boolean;

/** The values of the row that is being checked. */
const checkedValues: Value[] = [];
const valuesReaders = new WeakMap<readonly StoredColumn[], ValuesReader>();

/** Returns a reader of the columns, compiled once: a loop that reads values by name took most of the time of a page. */
function valuesReader(columns: readonly StoredColumn[]): ValuesReader {
  const known = valuesReaders.get(columns);
  if (known !== undefined) return known;
  const reads = columns.map(({ name, type }, index) => {
    const value = `plain(row[${JSON.stringify(name)}], ${type === 'TEXT'})`;
    return `(values[${index}] = ${value}) !== undefined`;
  });
  const body = `return (row, values) => ${reads.join(' && ')};`;
  const reader: ValuesReader = new Function('plain', body)(plain);
  valuesReaders.set(columns, reader);
  return reader;
}

/** Returns a value as it was written, or undefined if it cannot be. A database may return an integer as text. */
function plain(value: unknown, isText: boolean): Value | undefined {
  if (isText) return typeof value === 'string' ? value : undefined;
  if (typeof value !== 'number' && typeof value !== 'string') return undefined;
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : undefined;
}
