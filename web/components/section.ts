import { signal } from '@preact/signals';

const hash = signal(location.hash.slice(1));
addEventListener('hashchange', () => {
  hash.value = location.hash.slice(1);
});

/** Which of a page's sections the address names behind its `#`; the first where it names none. */
export function sectionAt<Id extends string>(ids: readonly [Id, ...Id[]]): Id {
  return ids.find((id) => id === hash.value) ?? ids[0];
}
