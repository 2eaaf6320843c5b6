import type { Account, ApiKey } from '../../engine/ledger/accounts.ts';
import type { Call } from '../http/request/call.ts';
import { nextCursorText } from '../http/request/cursor.ts';

export const KEY_PARAMETERS = ['limit', 'cursor', 'sort'] as const;

/** Returns `{keys, nextCursor}`, a page of an account's keys. @param list The name of the list, for cursors. */
export function keyPage(
  call: Call,
  account: Account,
  list: string,
  format: (key: ApiKey) => string,
): string {
  const query = call.query(KEY_PARAMETERS);
  const edge = query.cursor(list, account.index);
  const limit = query.count('limit');
  const isDescending = query.isDescending();
  const isAfterEdge = ({ index }: ApiKey) =>
    edge === undefined || (isDescending ? index < edge : index > edge);
  const keys = account.keys.filter(isAfterEdge);
  if (isDescending) keys.reverse();
  const page = keys.slice(0, limit);
  const last = keys.length > limit ? page.at(-1)!.index : undefined;
  const next = nextCursorText(last, query.scope(list, account.index));
  return `{"keys":[${page.map(format).join(',')}],"nextCursor":${next}}`;
}
