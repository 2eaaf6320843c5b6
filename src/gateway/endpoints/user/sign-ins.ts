import type { UserEvent } from '../../../users/user-events.ts';
import type { Call } from '../../http/request/call.ts';
import { nextCursorText } from '../../http/request/cursor.ts';
import { describe } from '../../openapi/description.ts';
import { record } from '../../openapi/json-schema.ts';
import { nextCursor, recordList } from '../../openapi/record-schemas.ts';
import { textOrNull, timeText } from '../records.ts';

const PARAMETERS = ['limit', 'cursor'] as const;

/** GET /api/account/sign-ins: `{signIns, nextCursor}`, the sign-ins of the user, newest first. */
export async function listSignIns(call: Call): Promise<string> {
  const query = call.query(PARAMETERS);
  const limit = query.count('limit');
  const owner = call.account.index;
  const beforeId = query.cursor('sign-ins', owner) ?? Number.MAX_SAFE_INTEGER;
  const { events } = call.services.users;
  const found = await events.listSignIns(call.session!.userId, beforeId, limit + 1);
  const page = found.slice(0, limit);
  const edge = found.length > page.length ? page.at(-1)!.id : undefined;
  const cursor = nextCursorText(edge, query.scope('sign-ins', owner));
  return `{"signIns":[${page.map(signInText).join(',')}],"nextCursor":${cursor}}`;
}
listSignIns.description = describe({
  operationId: 'listSignIns',
  tag: 'Users',
  summary: 'Your sign-ins, newest first',
  notes:
    'Includes failed sign-ins, which appear after about a second: a wrong password, or a wrong code after the right password. Guesses that were rejected ' +
    'because there were too many are not listed.',
  query: PARAMETERS,
  data: record({ signIns: recordList('SignIn'), nextCursor }),
});

function signInText({ id, time, action, details, address, userAgent }: UserEvent): string {
  return (
    `{"id":"${id}","timestamp":${timeText(time)},"result":"${toResult(action, details)}",` +
    `"method":${textOrNull(details)},"address":${textOrNull(address)},"userAgent":${textOrNull(userAgent)}}`
  );
}

function toResult(action: string, method: string): string {
  if (action === 'signed_in') return 'succeeded';
  return method === 'password' ? 'wrong_password' : 'wrong_code';
}
