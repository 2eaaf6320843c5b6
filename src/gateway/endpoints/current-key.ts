import { quote } from '../http/json.ts';
import type { Call } from '../http/request/call.ts';
import { ApiError } from '../http/response/errors.ts';
import { describe } from '../openapi/description.ts';
import { integer, record, text } from '../openapi/json-schema.ts';
import { recordList, recordRef } from '../openapi/record-schemas.ts';
import { keyText } from './user/keys.ts';

/** GET /api/account/keys/current: the API key of the request and its limits. */
export function getCurrentKey(call: Call): string {
  call.query([]);
  const { account, key } = call;
  if (key === undefined) {
    const message =
      'The request has a session and no API key. GET /api/account has the permissions of a session.';
    throw new ApiError('NOT_FOUND', message);
  }
  const limits = call
    .listLimits()
    .map(
      ({ method, path, limit }) =>
        `{"method":"${method}","path":"${path}","limit":${limit ?? null}}`,
    );
  return (
    `{"key":${keyText(call, key)},"accountId":${quote(account.id)},` +
    `"limitClass":${account.limitClass},"limits":[${limits.join(',')}]}`
  );
}
getCurrentKey.description = describe({
  operationId: 'getCurrentKey',
  tag: 'Account',
  summary: 'The API key of this request, its permissions and its limits',
  notes:
    'For keys of every kind and with any permission. A session has no key and gets `NOT_FOUND`.',
  data: record({
    key: recordRef('OwnKey'),
    accountId: text('The trading account of the key.', 'alice'),
    limitClass: integer('Rate-limit multiplier of the account, included in the limits.', 1),
    limits: {
      ...recordList('EndpointLimit'),
      description:
        'Rate limits of the endpoints that the key may call, shared by all keys of the account.',
    },
  }),
  errors: ['NOT_FOUND'],
});
