/** Where `?next=` leads after signing in: a path of this exchange, never elsewhere. */
export function nextPath(search: string, origin: string): string {
  const next = new URLSearchParams(search).get('next') ?? '';
  if (!next.startsWith('/') || !URL.canParse(next, origin)) return '/trade';
  const url = new URL(next, origin);
  return url.origin === origin ? url.pathname + url.search + url.hash : '/trade';
}
