import { signal } from '@preact/signals';

const hash = signal(location.hash.slice(1));
addEventListener('hashchange', () => {
  hash.value = location.hash.slice(1);
});

/** Returns the section named in the URL fragment, else the first one. */
export function sectionAt<Id extends string>(ids: readonly [Id, ...Id[]]): Id {
  const [name] = hash.value.split('/');
  return ids.find((id) => id === name) ?? ids[0];
}

/** Returns the item named in the URL fragment, such as `alice` in `#accounts/alice`. */
export function itemAt(): string | undefined {
  return partAt(1);
}

/** Returns the tab of an item named in the URL fragment, such as `keys` in `#accounts/alice/keys`, else the first one. */
export function tabAt<Id extends string>(ids: readonly [Id, ...Id[]]): Id {
  const name = partAt(2);
  return ids.find((id) => id === name) ?? ids[0];
}

/** Returns the record of a section with tabs named in the URL fragment, such as `14` in `#custody/withdrawals/14`. */
export function tabItemAt(): string | undefined {
  return partAt(2);
}

/** Returns the record of a tab named in the URL fragment, such as `17` in `#accounts/alice/orders/17`. */
export function recordAt(): string | undefined {
  return partAt(3);
}

function partAt(place: number): string | undefined {
  const item = hash.value.split('/')[place];
  if (item === undefined || item === '') return undefined;
  try {
    return decodeURIComponent(item);
  } catch {
    return undefined;
  }
}
