const MASK = '***';

/**
 * A setting that holds a password, as it may be shown: in each of its urls the password is masked, or
 * the user where there is no password (it is a token then), and parameters that may be secrets.
 * What is no url is masked whole, a single word such as `file` aside.
 */
export function masked(text: string): string {
  if (/^[a-z]+$/.test(text)) return text;
  const urls = text.split(',').map((part) => URL.parse(part.trim()));
  // One part that cannot be read may be the end of a password with a comma in it.
  return urls.some((url) => url === null) ? MASK : urls.map((url) => maskedUrl(url!)).join(',');
}

function maskedUrl(url: URL): string {
  const user = url.password === '' ? url.username && MASK : `${url.username}:${MASK}`;
  const parameters = [...url.searchParams].map(
    ([name, value]) => `${name}=${/pass|secret|token|key/i.test(name) ? MASK : value}`,
  );
  const query = parameters.length === 0 ? '' : `?${parameters.join('&')}`;
  return `${url.protocol}//${user === '' ? '' : `${user}@`}${url.host}${url.pathname}${query}`;
}
