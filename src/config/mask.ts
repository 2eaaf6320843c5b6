const MASK = '***';

/**
 * Returns a setting with its secrets masked. In each URL these are the password (without one, the user, which is then a
 * token) and the query parameters whose names suggest a secret. Other text is masked completely, except for a single
 * lower-case word such as `file`.
 */
export function masked(text: string): string {
  if (/^[a-z]+$/.test(text)) return text;
  const urls = text.split(',').map((part) => URL.parse(part.trim()));
  // An unreadable part may be the end of a password that contains a comma; ID:KEY of a sealing key is a URL without a host.
  const areServers = urls.every((url) => url !== null && url.host !== '');
  return areServers ? urls.map((url) => maskedUrl(url!)).join(',') : MASK;
}

function maskedUrl(url: URL): string {
  const user = url.password === '' ? url.username && MASK : `${url.username}:${MASK}`;
  const parameters = [...url.searchParams].map(
    ([name, value]) => `${name}=${/pass|secret|token|key/i.test(name) ? MASK : value}`,
  );
  const query = parameters.length === 0 ? '' : `?${parameters.join('&')}`;
  return `${url.protocol}//${user === '' ? '' : `${user}@`}${url.host}${url.pathname}${query}`;
}
