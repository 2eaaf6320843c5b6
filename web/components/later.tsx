import { useSignal } from '@preact/signals';
import type { ComponentType } from 'preact';
import { useEffect } from 'preact/hooks';
import { announceError } from './toast.tsx';

/** Renders a component whose script loads when it is first shown. @param load Imports it; the same function each time */
export function Later({ load }: { load: () => Promise<ComponentType> }) {
  const loaded = useSignal<{ readonly Component: ComponentType } | undefined>(undefined);
  useEffect(() => {
    load().then((Component) => {
      loaded.value = { Component };
    }, announceError);
  }, [load]);
  return loaded.value === undefined ? null : <loaded.value.Component />;
}
