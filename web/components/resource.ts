import { type Signal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { type Failure, failureOf } from './action.ts';

export interface Resource<Data> {
  /** Undefined until it has come. */
  readonly data: Signal<Data | undefined>;
  /** Why it did not come, or not anew. */
  readonly failure: Signal<Failure | undefined>;
  /** Asks once more; what is there stays until then. */
  load(): Promise<void>;
}

/**
 * What the page asks the exchange for when it is shown.
 * @param everyMs Asked again so often while somebody looks; once unless given.
 */
export function useResource<Data>(ask: () => Promise<Data>, everyMs?: number): Resource<Data> {
  const data = useSignal<Data | undefined>(undefined);
  const failure = useSignal<Failure | undefined>(undefined);
  const load = async () => {
    try {
      data.value = await ask();
      failure.value = undefined;
    } catch (error) {
      failure.value = failureOf(error);
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
  return { data, failure, load };
}
