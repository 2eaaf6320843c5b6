/** Returns the path in `?next=` to open after signing in; only paths of this exchange are accepted. */
export function nextPath(search: string, origin: string): string {
  const next = new URLSearchParams(search).get('next') ?? '';
  if (!next.startsWith('/') || !URL.canParse(next, origin)) return '/trade';
  const url = new URL(next, origin);
  // A path that starts with two slashes would lead to another host.
  const isHere = url.origin === origin && !url.pathname.startsWith('//');
  return isHere ? url.pathname + url.search + url.hash : '/trade';
}
