/**
 * The token that a link from a mail carries behind the `#`, taken out of the address at once: it must
 * not stay in the history, nor be seen by whoever looks at the screen.
 * @returns Undefined where the link has none.
 */
export function takeToken(): string | undefined {
  const token = new URLSearchParams(location.hash.slice(1)).get('token');
  if (location.hash !== '') history.replaceState(null, '', location.pathname);
  return token === null || token === '' ? undefined : token;
}
