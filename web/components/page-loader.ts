import { type Signal, signal } from '@preact/signals';
import { errorMessage } from './action.ts';

/** A part of a list of the API, newest rows first. */
export interface Page<Row> {
  readonly rows: readonly Row[];
  /** Cursor of the next page; null after the last one. */
  readonly nextCursor: string | null;
}

export interface Pages<Row> {
  /** Undefined until the first page has loaded. */
  readonly rows: Signal<readonly Row[] | undefined>;
  /** Cursor of the next page; null after the last one. */
  readonly cursor: Signal<string | null>;
  /** Why the last request failed. */
  readonly failure: Signal<string | undefined>;
  /** Loads the next page, or repeats the last request if it failed. */
  load(): Promise<void>;
  /** Loads the first page again, which adds new rows and newer versions of known ones. */
  refresh(): Promise<void>;
  /** Adds rows that are new, and newer versions of known ones, once the first page has loaded. */
  change(changed: readonly Row[]): void;
}

/** The rules of a list whose rows also arrive over a stream. */
export interface LiveRows<Row> {
  /** Whether a row replaces the known one of the same key: a page may have an older version. */
  readonly isNewer: (row: Row, known: Row) => boolean;
  /** Compares rows for sorting: a row that changes may be older than all pages loaded so far. */
  readonly order: (a: Row, b: Row) => number;
}

/** Returns a list without rows. `usePages` loads its first page. */
export function createPages<Row>(
  fetchPage: (cursor: string | undefined) => Promise<Page<Row>>,
  readKey: (row: Row) => string,
  live?: LiveRows<Row>,
): Pages<Row> {
  const rows = signal<readonly Row[] | undefined>(undefined);
  const cursor = signal<string | null>(null);
  const failure = signal<string | undefined>(undefined);
  /** Repeats the last request, which failed. */
  let repeat: (() => Promise<void>) | undefined;
  const show = async (from: string | undefined, apply: (page: Page<Row>) => void) => {
    try {
      const page = await fetchPage(from);
      apply(page);
      failure.value = undefined;
      repeat = undefined;
    } catch (error) {
      failure.value = errorMessage(error);
      repeat = () => show(from, apply);
    }
  };
  /** Returns the rows that are not known yet; the others become the newest version of each. */
  const update = (found: readonly Row[]): readonly Row[] => {
    const byKey = new Map(found.map((row) => [readKey(row), row]));
    rows.value = rows.value?.map((known) => {
      const row = byKey.get(readKey(known));
      byKey.delete(readKey(known));
      return row !== undefined && (live?.isNewer(row, known) ?? true) ? row : known;
    });
    return [...byKey.values()];
  };
  const inOrder = (all: readonly Row[]) => (live === undefined ? all : all.toSorted(live.order));
  const load = () => {
    if (repeat !== undefined) return repeat();
    const from = cursor.value;
    return show(from ?? undefined, (page) => {
      // A refresh has begun again from the first page.
      if (cursor.value !== from) return;
      const added = update(page.rows);
      rows.value = inOrder([...(rows.value ?? []), ...added]);
      cursor.value = page.nextCursor;
    });
  };
  const refresh = () =>
    show(undefined, (page) => {
      const added = update(page.rows);
      // Without a known row, rows between this page and the others would be missing.
      const isGap = added.length === page.rows.length;
      rows.value = isGap ? page.rows : inOrder([...added, ...(rows.value ?? [])]);
      if (isGap) cursor.value = page.nextCursor;
    });
  const change = (changed: readonly Row[]) => {
    const added = update(changed);
    if (rows.value !== undefined) rows.value = inOrder([...added, ...rows.value]);
  };
  return { rows, cursor, failure, load, refresh, change };
}
