/** Checks of the page that sent a request. API keys are for servers only: requests with a key from a web page are rejected. */

/** The site of this exchange's own pages. */
export interface OwnSite {
  readonly url: URL;
  /** Whether the operator configured the URL; otherwise it is the address that the node listens on. */
  readonly isNamed: boolean;
}

/**
 * Returns whether a request with an API key is rejected as BROWSER_NOT_ALLOWED. Browsers send `null` or a site as
 * the Origin. The sandbox accepts keys from its own pages, so that requests can be tried in /docs.
 */
export function isBrowserRejected(
  origin: string | null,
  host: string | null,
  own: OwnSite,
  isSandbox: boolean,
): boolean {
  if (origin === null) return false;
  const site = origin.toLowerCase();
  if (site !== 'null' && !/^https?:\/\//.test(site)) return false;
  return !(isSandbox && isOwnSite(site, host, own));
}

/**
 * Returns whether a request with a session may come from another site's page. Writes need the exchange's own Origin;
 * reads, which may have no Origin, must not be marked as cross-site.
 */
export function isForeignPage(headers: Headers, isRead: boolean, own: OwnSite): boolean {
  const origin = headers.get('origin');
  if (origin !== null) return !isOwnSite(origin.toLowerCase(), headers.get('host'), own);
  if (!isRead) return true;
  const site = headers.get('sec-fetch-site');
  return site === 'cross-site' || site === 'same-site';
}

/**
 * Returns whether an Origin, in lower case, is this exchange. A matching Host header is proof only over TLS, where the
 * browser has checked the certificate. Over plain HTTP an attacker can point a domain at this machine after a browser
 * has loaded the attacker's page from it (DNS rebinding), so only loopback names are accepted.
 * @param host The Host header.
 */
export function isOwnSite(site: string, host: string | null, { url, isNamed }: OwnSite): boolean {
  if (site === url.origin) return true;
  if (isNamed || host === null || site !== `${url.protocol}//${host.toLowerCase()}`) return false;
  if (url.protocol === 'https:') return true;
  const { hostname } = URL.parse(site) ?? { hostname: '' };
  return LOOPBACK.test(hostname) || hostname === url.hostname;
}

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;
