import { type Exact, exact } from '../../engine/numbers/exact.ts';
import type { Row, StoredColumn, Value } from '../database/database.ts';

/** A column, and how it stores a field of a record. */
export interface Column<Field> extends StoredColumn {
  /** Undefined for a field that is stored as it is. */
  readonly write?: (field: Field) => Value;
  readonly read: (value: Value) => Field;
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
    write: (field) => (field ? 1 : 0),
    read: (value) => Number(value) === 1,
  };
}

/** Money in minor units, as decimal text, because it is unbounded. */
export function money(name: string): Column<Exact> {
  return {
    name,
    type: 'TEXT',
    write: (field) => field.toString(),
    read: (value) => exact(BigInt(value)),
  };
}

export function text<Field extends string = string>(name: string): Column<Field> {
  return { name, type: 'TEXT', read: (value) => String(value) as Field };
}

/** A text, '' for null. */
export function textOrNull(name: string): Column<string | null> {
  return {
    name,
    type: 'TEXT',
    write: (field) => field ?? '',
    read: (value) => (value === '' ? null : String(value)),
  };
}

/** An object as JSON, '' for null. */
export function jsonOrNull<Field extends object>(name: string): Column<Field | null> {
  return {
    name,
    type: 'TEXT',
    write: (field) => (field === null ? '' : JSON.stringify(field)),
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
  private readonly fields: readonly (keyof Fields)[];
  private readonly writers: readonly (Column<never>['write'] | undefined)[];

  constructor(columns: ColumnsByField<Fields>) {
    this.all = Object.values(columns) as Column<never>[];
    this.fields = Object.keys(columns) as (keyof Fields)[];
    this.writers = this.all.map(({ write }) => write);
  }

  /** Writes a record's values into `values` from `at` on. */
  write(record: Fields, values: Value[], at: number): void {
    const { fields, writers } = this;
    for (let i = 0; i < fields.length; i++) {
      const field = record[fields[i]!];
      const write = writers[i];
      values[at + i] = write === undefined ? (field as Value) : write(field as never);
    }
  }

  read(row: Row): Fields {
    const { all, fields } = this;
    const record: Partial<Record<keyof Fields, unknown>> = {};
    for (let i = 0; i < all.length; i++) record[fields[i]!] = all[i]!.read(row[all[i]!.name]!);
    return record as Fields;
  }
}
