import { quote } from '../json.ts';
import { ApiError } from '../response/errors.ts';

/**
 * Returns the cursor of the next page: the id of the last item, and a check that ties it to its list. The check
 * detects cursors that were edited or belong to another list. It needs no secret, because a page only ever shows data
 * of its own account.
 */
export function writeCursor(id: number, scope: string): string {
  const check = new Bun.SHA256().update(`${scope} ${id}`).digest('hex').slice(0, 12);
  return `${id.toString(36)}-${check}`;
}

/** @throws ApiError INVALID_REQUEST */
export function readCursor(cursor: string, scope: string): number {
  const id = Number.parseInt(cursor, 36);
  if (Number.isSafeInteger(id) && cursor === writeCursor(id, scope)) return id;
  const message =
    'Invalid cursor. Send the nextCursor of the previous page unchanged, with the same parameters except limit.';
  throw new ApiError('INVALID_REQUEST', message, { field: 'cursor', rule: 'nextCursor' });
}

/** Returns `nextCursor` as JSON; null on the last page. */
export function nextCursorText(id: number | undefined, scope: string): string {
  return id === undefined ? 'null' : quote(writeCursor(id, scope));
}
