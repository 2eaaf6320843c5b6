import { ApiError } from './errors.ts';
import { quote } from './json.ts';

/**
 * Where the next page begins: the id of the last item seen, with a check that ties it to the list
 * it belongs to. The check keeps no secret (a page never shows what is another's); it tells a
 * cursor that was edited, or that belongs elsewhere, from a real one.
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
    'Send the nextCursor of the page before, unchanged, with the same parameters; only limit may change.';
  throw new ApiError('INVALID_REQUEST', message, { field: 'cursor', rule: 'nextCursor' });
}

/** `nextCursor` as JSON, null where no page follows. */
export function nextCursorText(id: number | undefined, scope: string): string {
  return id === undefined ? 'null' : quote(writeCursor(id, scope));
}
