export type Value = number | string;
/** Whole numbers may come as text: read them with Number. */
export type Row = Readonly<Record<string, Value>>;

/** A table that rows are put into in bulk. */
export interface Table<Item> {
  readonly name: string;
  readonly columns: readonly string[];
  /** Those of the columns that are text; the others are whole numbers. */
  readonly texts: readonly string[];
  /** Columns by which a row takes the place of one that is there; without it such a row is an error. */
  readonly replaces?: readonly string[];
  /** Puts the values of one row into `values` from `offset` on, in the order of the columns. */
  write(item: Item, values: Value[], offset: number): void;
}

export interface Queries {
  /**
   * Whether there may be rows without a checksum, of a release before checksums. A history that can be rebuilt from
   * its log has none.
   */
  readonly hasUncheckedRows: boolean;
  query(text: string, ...values: Value[]): Promise<Row[]>;
}

/** Statements that SQLite and PostgreSQL both take, with `$1` for the first value. */
export interface Statements extends Queries {
  /** @returns How many rows it changed. */
  run(text: string, ...values: Value[]): Promise<number>;
  insert<Item>(table: Table<Item>, items: Iterable<Item>): Promise<void>;
}

/** History's database, and all that knows which one it is. */
export interface Database extends Statements {
  /** Does all of `work` or, where it throws, nothing of it. */
  transaction<Result>(work: (statements: Statements) => Promise<Result>): Promise<Result>;
  /** A transaction that waits for others of its kind: two processes may start at once. */
  migration(work: (statements: Statements) => Promise<void>): Promise<void>;
  /** All that `work` reads is as of one moment. */
  snapshot<Result>(work: (queries: Queries) => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
}

export function isPostgres(url: string): boolean {
  return /^postgres(ql)?:/.test(url);
}
