import { signal } from '@preact/signals';

const hash = signal(location.hash.slice(1));
addEventListener('hashchange', () => {
  hash.value = location.hash.slice(1);
});

/** Which of a page's sections the address names behind its `#`; the first where it names none. */
export function sectionAt<Id extends string>(ids: readonly [Id, ...Id[]]): Id {
  const [name] = hash.value.split('/');
  return ids.find((id) => id === name) ?? ids[0];
}

/** What the address names within its section, as `alice` of `#accounts/alice`; undefined where nothing. */
export function itemAt(): string | undefined {
  const item = hash.value.split('/')[1];
  if (item === undefined || item === '') return undefined;
  try {
    return decodeURIComponent(item);
  } catch {
    return undefined;
  }
}
