import { type Signal, useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import type { SearchResult } from '../../src/client/index.ts';
import { api } from '../api.ts';
import { ResponseOrder } from '../components/response-order.ts';
import { announceError } from '../components/toast.tsx';

/** Pause in typing after which a search is sent. */
const PAUSE_MS = 150;

export interface RecordSearch {
  /** Undefined while nothing is searched, or before the first response. */
  readonly results: Signal<readonly SearchResult<string>[] | undefined>;
  /** Searches after a pause. An empty text has no results. */
  search(text: string): void;
}

/** Searches the records of all accounts while the operator types. */
export function useRecordSearch(): RecordSearch {
  const results = useSignal<readonly SearchResult<string>[] | undefined>(undefined);
  const work = useMemo(() => new PausedSearch(results), []);
  useEffect(() => () => work.stop(), []);
  return { results, search: (text) => work.search(text) };
}

class PausedSearch {
  private timer: ReturnType<typeof setTimeout> | undefined;
  private readonly order = new ResponseOrder();

  constructor(private readonly results: RecordSearch['results']) {}

  search(text: string): void {
    this.stop();
    const search = text.trim();
    if (search === '') {
      this.order.begin();
      this.results.value = undefined;
    } else {
      this.timer = setTimeout(() => this.send(search).catch(announceError), PAUSE_MS);
    }
  }

  stop(): void {
    clearTimeout(this.timer);
  }

  private async send(search: string): Promise<void> {
    const isNewest = this.order.begin();
    const { results } = await api.searchAll({ search });
    if (isNewest()) this.results.value = results;
  }
}
