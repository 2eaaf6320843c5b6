/** API keys are for servers only (REST-SPEC.md section 1): a request with a key from a web page is refused. */

/**
 * Whether a request with API key credentials is refused as BROWSER_NOT_ALLOWED. Browsers send
 * `null` or a site as the Origin. The sandbox lets its own pages through, so that /docs can be
 * tried: pages at its base address, or at the name by which the request reached it.
 */
export function isBrowserRefused(
  origin: string | null,
  host: string | null,
  baseUrl: URL,
  isSandbox: boolean,
): boolean {
  if (origin === null) return false;
  const site = origin.toLowerCase();
  if (site !== 'null' && !/^https?:\/\//.test(site)) return false;
  return !(isSandbox && isOwnSite(site, host, baseUrl));
}

/**
 * Why a request with a session is refused: what is sent must come from the exchange's own pages, and
 * what is read must not be asked for by another site's.
 */
export function isForeignPage(headers: Headers, isRead: boolean, baseUrl: URL): boolean {
  const origin = headers.get('origin');
  if (origin !== null) return !isOwnSite(origin.toLowerCase(), headers.get('host'), baseUrl);
  if (!isRead) return true;
  const site = headers.get('sec-fetch-site');
  return site === 'cross-site' || site === 'same-site';
}

/** Whether an Origin, in small letters, is this exchange. @param host The Host header. */
export function isOwnSite(site: string, host: string | null, baseUrl: URL): boolean {
  if (site === baseUrl.origin) return true;
  return host !== null && site === `${baseUrl.protocol}//${host.toLowerCase()}`;
}
