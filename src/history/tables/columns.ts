import { type Exact, exact } from '../../engine/numbers/exact.ts';
import type { Row, StoredColumn, Value } from '../database/database.ts';

/** A column, and how it stores a field of a record. */
export interface Column<Field> extends StoredColumn {
  /** Undefined for a field that is stored as it is. */
  readonly write?: (field: Field) => Value;
  readonly read: (value: Value) => Field;
}

// One function per kind of column, so that the compiler sees the same one in all columns of the kind.

function flagToNumber(field: boolean): number {
  return field ? 1 : 0;
}

function moneyToText(field: Exact): string {
  return field.toString();
}

function textOrEmpty(field: string | null): string {
  return field ?? '';
}

function jsonOrEmpty(field: object | null): string {
  return field === null ? '' : JSON.stringify(field);
}

/** An integer below 2^31. */
export function integer<Field extends number = number>(name: string): Column<Field> {
  return { name, type: 'INTEGER', read: (value) => Number(value) as Field };
}

/** An integer below 2^53. */
export function bigint(name: string): Column<number> {
  return { name, type: 'BIGINT', read: Number };
}

/** A boolean, as 1 or 0. */
export function flag(name: string): Column<boolean> {
  return {
    name,
    type: 'INTEGER',
    write: flagToNumber,
    read: (value) => Number(value) === 1,
  };
}

/** Money in minor units, as decimal text, because it is unbounded. */
export function money(name: string): Column<Exact> {
  return {
    name,
    type: 'TEXT',
    write: moneyToText,
    read: textToMoney,
  };
}

function textToMoney(value: Value): Exact {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : exact(BigInt(value));
}

export function text<Field extends string = string>(name: string): Column<Field> {
  return { name, type: 'TEXT', read: (value) => String(value) as Field };
}

/** A text, '' for null. */
export function textOrNull(name: string): Column<string | null> {
  return {
    name,
    type: 'TEXT',
    write: textOrEmpty,
    read: (value) => (value === '' ? null : String(value)),
  };
}

/** An object as JSON, '' for null. */
export function jsonOrNull<Field extends object>(name: string): Column<Field | null> {
  return {
    name,
    type: 'TEXT',
    write: jsonOrEmpty,
    read: (value) => (value === '' ? null : JSON.parse(String(value))),
  };
}

/** A column that a later version of the schema added, with 0 or '' in the rows that existed. */
export function addedIn<Field>(since: number, column: Column<Field>): Column<Field> {
  return { ...column, since };
}

/** The columns of a record by field; a field without a column does not compile. */
export type ColumnsByField<Fields> = { readonly [Name in keyof Fields]-?: Column<Fields[Name]> };

/** Adjacent columns of a table, in their order, which store the fields of a record. */
export class Columns<Fields extends object> {
  readonly all: readonly Column<never>[];
  /** Returns the record that a row stores. */
  readonly read: (row: Row) => Fields;
  /** Writes a record's values into `values` from `at` on. */
  readonly write: (record: Fields, values: Value[], at: number) => void;

  constructor(columns: ColumnsByField<Fields>) {
    this.all = Object.values(columns) as Column<never>[];
    this.read = compileReader<Fields>(columns);
    this.write = compileWriter<Fields>(columns);
  }
}

/** Compiles a reader that makes records of one shape, such as `{ id: read0(row.id), … }`, for the reason of the writer. */
function compileReader<Fields extends object>(
  columns: ColumnsByField<Fields>,
): (row: Row) => Fields {
  const all = Object.entries(columns) as [string, Column<never>][];
  const fields = all.map(
    ([field, { name }], index) =>
      `${JSON.stringify(field)}: read${index}(row[${JSON.stringify(name)}])`,
  );
  const names = all.map((_, index) => `read${index}`);
  const body = `return (row) => ({ ${fields.join(', ')} });`;
  return new Function(...names, body)(...all.map(([, { read }]) => read));
}

/**
 * Compiles a writer that has a statement per column, such as `values[at + 1] = record.id;`. A loop
 * that reads fields by name made rows take a third longer to write. The names are those of fields in
 * this program.
 */
function compileWriter<Fields extends object>(
  columns: ColumnsByField<Fields>,
): (record: Fields, values: Value[], at: number) => void {
  const writers = (Object.values(columns) as Column<never>[]).map(({ write }) => write);
  const statements = Object.keys(columns).map((field, index) => {
    const value = `record[${JSON.stringify(field)}]`;
    const written = writers[index] === undefined ? value : `write${index}(${value})`;
    return `values[at + ${index}] = ${written};`;
  });
  const names = writers.map((_, index) => `write${index}`);
  const body = `return (record, values, at) => { ${statements.join(' ')} };`;
  return new Function(...names, body)(...writers);
}
