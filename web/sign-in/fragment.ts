/** The token of the page, which a reload needs again. */
let taken: string | undefined;

/**
 * Returns the token in the fragment of an emailed link, or undefined. It is removed from the URL at once, so that it
 * is neither visible nor kept in the browser history.
 */
export function takeToken(): string | undefined {
  const token = new URLSearchParams(location.hash.slice(1)).get('token');
  if (location.hash !== '') history.replaceState(null, '', location.pathname);
  taken = token === null || token === '' ? undefined : token;
  return taken;
}

/** Loads the page again, with the token of its link. */
export function reloadWithToken(): void {
  if (taken !== undefined)
    history.replaceState(null, '', `#${new URLSearchParams({ token: taken })}`);
  location.reload();
}
