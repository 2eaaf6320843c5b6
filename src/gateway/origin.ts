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

function isOwnSite(site: string, host: string | null, baseUrl: URL): boolean {
  if (site === baseUrl.origin) return true;
  return host !== null && site === `${baseUrl.protocol}//${host.toLowerCase()}`;
}
