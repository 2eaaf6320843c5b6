/**
 * Returns the token in the fragment of an emailed link, or undefined. It is removed from the URL at once, so that it
 * is neither visible nor kept in the browser history.
 */
export function takeToken(): string | undefined {
  const token = new URLSearchParams(location.hash.slice(1)).get('token');
  if (location.hash !== '') history.replaceState(null, '', location.pathname);
  return token === null || token === '' ? undefined : token;
}
