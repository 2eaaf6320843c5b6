import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

/** The name of the record that the page is about, once it is known. */
export const recordTitle = signal<string | undefined>(undefined);

/** Makes a name the title of the page while the record is shown. */
export function useRecordTitle(name: string | undefined): void {
  useEffect(() => {
    recordTitle.value = name;
    return () => {
      recordTitle.value = undefined;
    };
  }, [name]);
}
