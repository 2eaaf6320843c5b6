import { type Signal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { errorMessage } from '../../components/action.ts';
import type { Page } from './export.ts';

export interface Pages<Row> {
  /** Undefined until the first page has loaded. */
  readonly rows: Signal<readonly Row[] | undefined>;
  /** Cursor of the next page; null after the last one. */
  readonly cursor: Signal<string | null>;
  /** Why the last request failed. */
  readonly failure: Signal<string | undefined>;
  /** Loads the next page. */
  load(): Promise<void>;
  /** Loads the first page again, which adds new rows. */
  refresh(): Promise<void>;
}

/** Loads a list page by page, the first one when the component mounts. */
export function usePages<Row>(
  fetchPage: (cursor: string | undefined) => Promise<Page<Row>>,
  readKey: (row: Row) => string,
): Pages<Row> {
  const rows = useSignal<readonly Row[] | undefined>(undefined);
  const cursor = useSignal<string | null>(null);
  const failure = useSignal<string | undefined>(undefined);
  const show = async (from: string | undefined, apply: (page: Page<Row>) => void) => {
    try {
      const page = await fetchPage(from);
      apply(page);
      failure.value = undefined;
    } catch (error) {
      failure.value = errorMessage(error);
    }
  };
  const load = () => {
    const from = cursor.value;
    return show(from ?? undefined, (page) => {
      // A refresh has begun again from the first page.
      if (cursor.value !== from) return;
      rows.value = [...(rows.value ?? []), ...page.rows];
      cursor.value = page.nextCursor;
    });
  };
  const refresh = () =>
    show(undefined, (page) => {
      const known = new Set(rows.value?.map(readKey));
      const added = page.rows.filter((row) => !known.has(readKey(row)));
      // Without a known row, rows between this page and the others would be missing.
      const isGap = added.length === page.rows.length;
      if (isGap) cursor.value = page.nextCursor;
      rows.value = isGap ? page.rows : [...added, ...(rows.value ?? [])];
    });
  useEffect(() => void load(), []);
  return { rows, cursor, failure, load, refresh };
}
