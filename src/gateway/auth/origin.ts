/** API keys are for servers only (REST-SPEC.md section 1): a request with a key from a web page is refused. */

/** Where this exchange's own pages are. */
export interface OwnSite {
  readonly url: URL;
  /** The operator has said so, and pages elsewhere are none of its own; else it is where the node listens. */
  readonly isNamed: boolean;
}

/**
 * Whether a request with API key credentials is refused as BROWSER_NOT_ALLOWED. Browsers send
 * `null` or a site as the Origin. The sandbox lets its own pages through, so that /docs can be
 * tried.
 */
export function isBrowserRefused(
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
 * Why a request with a session is refused: what is sent must come from the exchange's own pages, and
 * what is read must not be asked for by another site's.
 */
export function isForeignPage(headers: Headers, isRead: boolean, own: OwnSite): boolean {
  const origin = headers.get('origin');
  if (origin !== null) return !isOwnSite(origin.toLowerCase(), headers.get('host'), own);
  if (!isRead) return true;
  const site = headers.get('sec-fetch-site');
  return site === 'cross-site' || site === 'same-site';
}

/**
 * Whether an Origin, in small letters, is this exchange. Over plain HTTP a name that the request came by proves nothing:
 * anybody can have a name of their own lead to this machine, when the page behind it is open (DNS rebinding).
 * With a certificate of its own browsers have seen that the name is the exchange's.
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
