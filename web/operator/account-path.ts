/**
 * Returns the place of an account on the operator page.
 * @param tab Undefined for the first one
 * @param record A record of the tab, such as an order
 */
export function accountPath(accountId: string, tab?: string, record?: string): string {
  const path = `#accounts/${encodeURIComponent(accountId)}`;
  return [
    path,
    ...(tab === undefined ? [] : [tab]),
    ...(record === undefined ? [] : [encodeURIComponent(record)]),
  ].join('/');
}

/** Returns the place of a deposit or withdrawal by its number. */
export function paymentPath(list: 'deposits' | 'withdrawals', id: string): string {
  return `#custody/${list}/${encodeURIComponent(id)}`;
}
