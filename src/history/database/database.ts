export type Value = number | string;
/** A row; integers may be text, so read them with Number. */
export type Row = Readonly<Record<string, Value>>;

/** A column; none is ever null. */
export interface StoredColumn {
  readonly name: string;
  readonly type: 'INTEGER' | 'BIGINT' | 'TEXT';
  /** The version of the schema that added the column to an existing table. */
  readonly since?: number;
}

/** A table with bulk inserts. */
export interface Table<Item> {
  readonly name: string;
  readonly columns: readonly StoredColumn[];
  /** Key columns by which a new row replaces an existing one. Without it a duplicate is an error. */
  readonly replaces?: readonly string[];
  /** Writes the values of one row into `values` from `offset` on, in the order of the columns. */
  write(item: Item, values: Value[], offset: number): void;
}

export interface Queries {
  /**
   * Whether rows may lack a checksum because an earlier release wrote them. A history that can be rebuilt from its log has
   * no such rows.
   */
  readonly hasUncheckedRows: boolean;
  query(text: string, ...values: Value[]): Promise<Row[]>;
}

/** Statements in the SQL that SQLite and PostgreSQL share, with `$1` for the first value. */
export interface Statements extends Queries {
  /** @returns the number of rows changed */
  run(text: string, ...values: Value[]): Promise<number>;
  insert<Item>(table: Table<Item>, items: Iterable<Item>): Promise<void>;
}

/** History's database: SQLite or PostgreSQL. */
export interface Database extends Statements {
  /** Runs `work` in a transaction, which is rolled back if it throws. */
  transaction<Result>(work: (statements: Statements) => Promise<Result>): Promise<Result>;
  /** Runs a transaction that waits for other migrations, because two processes may start at once. */
  migration(work: (statements: Statements) => Promise<void>): Promise<void>;
  /** Runs `work` on a consistent snapshot. */
  snapshot<Result>(work: (queries: Queries) => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
}

export function isPostgres(url: string): boolean {
  return /^postgres(ql)?:/.test(url);
}
