import { getPath } from 'hono/utils/url';

const SLASH = 0x2f;

/** Returns whether a request has several Host headers, which arrive joined by commas. */
export function hasSeveralHosts({ headers }: Request): boolean {
  return headers.get('host')?.includes(',') === true;
}

/** Returns the path of a request. Repeated slashes count as one, because a client's base URL may end in a slash. */
export function readPath(request: Request): string {
  // Without a valid Host header, which HTTP/1.0 does not require, the URL is only the path.
  const isAbsolute = request.url.charCodeAt(0) !== SLASH;
  const path = getPath(isAbsolute ? request : ({ url: `http://-${request.url}` } as Request));
  return path.includes('//') ? path.replace(/\/{2,}/g, '/') : path;
}

/** Returns whether the path of a URL has repeated slashes. */
export function hasRepeatedSlash(url: string): boolean {
  return url.includes('//', url.charCodeAt(0) === SLASH ? 0 : 'https://'.length);
}
