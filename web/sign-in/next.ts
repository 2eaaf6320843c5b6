/** Where `?next=` leads after signing in: a path of this exchange, never elsewhere. */
export function nextPath(search: string, origin: string): string {
  const next = new URLSearchParams(search).get('next') ?? '';
  if (!next.startsWith('/') || !URL.canParse(next, origin)) return '/trade';
  const url = new URL(next, origin);
  // A path that begins with two slashes would name another host.
  const isHere = url.origin === origin && !url.pathname.startsWith('//');
  return isHere ? url.pathname + url.search + url.hash : '/trade';
}
