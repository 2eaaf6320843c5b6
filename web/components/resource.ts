import { type Signal, useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { type Failure, toFailure } from './action.ts';
import { ResponseOrder } from './response-order.ts';

export interface Resource<Data> {
  /** Undefined until loaded. */
  readonly data: Signal<Data | undefined>;
  /** Why the last request failed. */
  readonly failure: Signal<Failure | undefined>;
  /** Loads again; the old data stays until then. A response never replaces that of a later request. */
  load(): Promise<void>;
  /** Sends `request` and shows its response as `load` does. @throws what `request` throws */
  show(request: () => Promise<Data>): Promise<void>;
}

/**
 * Loads data when the component mounts.
 * @param everyMs Reload interval while the tab is visible; undefined loads once.
 */
export function useResource<Data>(
  fetchData: () => Promise<Data>,
  everyMs?: number,
): Resource<Data> {
  const data = useSignal<Data | undefined>(undefined);
  const failure = useSignal<Failure | undefined>(undefined);
  const order = useMemo(() => new ResponseOrder(), []);
  const show = async (request: () => Promise<Data>, isNewest = order.begin()) => {
    const response = await request();
    if (!isNewest()) return;
    data.value = response;
    failure.value = undefined;
  };
  const load = async () => {
    const isNewest = order.begin();
    try {
      await show(fetchData, isNewest);
    } catch (error) {
      if (isNewest()) failure.value = toFailure(error);
    }
  };
  useEffect(() => {
    void load();
    if (everyMs === undefined) return undefined;
    const timer = setInterval(() => {
      if (!document.hidden) void load();
    }, everyMs);
    return () => clearInterval(timer);
  }, []);
  return { data, failure, load, show: (request) => show(request) };
}
