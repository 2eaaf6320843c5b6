import { version } from '../../../package.json';
import type { Call } from '../http/call.ts';
import { describe } from '../openapi/description.ts';
import { moment, record, text, word } from '../openapi/json-schema.ts';
import type { Services } from '../services.ts';
import { timeText } from './records.ts';

const STATUS_WORDS = ['ok', 'overloaded', 'stale'] as const;

/** GET /api/time: `{timestamp}`, the server's clock. */
export function getTime(call: Call): string {
  call.query([]);
  return `{"timestamp":${timeText(call.services.now())}}`;
}
getTime.description = describe({
  operationId: 'getTime',
  tag: 'Market data',
  summary: "The server's clock",
  data: record({ timestamp: moment('Now.') }),
});

/** GET /api/status: `{status, version}`. */
export function getStatus(call: Call): string {
  call.query([]);
  return `{"status":"${statusOf(call.services)}","version":"${version}"}`;
}

/** A stale node is overloaded as well: it refuses orders too. */
function statusOf({ replica, disk }: Services): (typeof STATUS_WORDS)[number] {
  if (replica.isStale) return 'stale';
  return replica.isOverloaded || disk?.isFull === true ? 'overloaded' : 'ok';
}
getStatus.description = describe({
  operationId: 'getStatus',
  tag: 'Market data',
  summary: 'Whether the exchange takes orders, and its release',
  notes:
    'While it is `overloaded` new orders are refused, and cancels are not. A node of a cluster is `stale` while it has ' +
    'been out of touch with the log for more than two seconds: market data is refused too, with `STALE`.',
  data: record({
    status: word(STATUS_WORDS, 'How it is.'),
    version: text('The release that answers.', version),
  }),
});
