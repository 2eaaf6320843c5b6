/** Returns the place of an account on the operator page. @param tab Undefined for the first one */
export function accountPath(accountId: string, tab?: string): string {
  const path = `#accounts/${encodeURIComponent(accountId)}`;
  return tab === undefined ? path : `${path}/${tab}`;
}
