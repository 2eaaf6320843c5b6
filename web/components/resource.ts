import { type Signal, useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { type Failure, toFailure } from './action.ts';
import { ResponseOrder } from './response-order.ts';

export interface Resource<Data> {
  /** Undefined until it has come. */
  readonly data: Signal<Data | undefined>;
  /** Why it did not come, or not anew. */
  readonly failure: Signal<Failure | undefined>;
  /** Asks once more; what is there stays until then. An answer never replaces that to a later request. */
  load(): Promise<void>;
  /** Does `request` and shows what it answers, as `load` does. @throws what `request` throws */
  show(request: () => Promise<Data>): Promise<void>;
}

/**
 * What the page asks the exchange for when it is shown.
 * @param everyMs Asked again so often while somebody looks; once unless given.
 */
export function useResource<Data>(ask: () => Promise<Data>, everyMs?: number): Resource<Data> {
  const data = useSignal<Data | undefined>(undefined);
  const failure = useSignal<Failure | undefined>(undefined);
  const order = useMemo(() => new ResponseOrder(), []);
  const show = async (request: () => Promise<Data>, isNewest = order.begin()) => {
    const answer = await request();
    if (!isNewest()) return;
    data.value = answer;
    failure.value = undefined;
  };
  const load = async () => {
    const isNewest = order.begin();
    try {
      await show(ask, isNewest);
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
