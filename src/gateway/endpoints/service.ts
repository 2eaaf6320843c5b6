import { version } from '../../../package.json';
import type { Call } from '../http/request/call.ts';
import { describe } from '../openapi/description.ts';
import { enumeration, record, text, timestamp } from '../openapi/json-schema.ts';
import type { Services } from '../services.ts';
import { timeText } from './records.ts';
import { EXCHANGE_STATUS_FIELDS, exchangeStatusText } from './trading-status.ts';

const STATUSES = ['ok', 'overloaded', 'stale'] as const;

/** GET /api/time: `{timestamp}`, the server's clock. */
export function getTime(call: Call): string {
  call.query([]);
  return `{"timestamp":${timeText(call.services.now() + call.skewMs)}}`;
}
getTime.description = describe({
  operationId: 'getTime',
  tag: 'Market data',
  summary: "The server's clock",
  data: record({ timestamp: timestamp('The current time.') }),
});

/** GET /api/status: `{status, version, trading, maintenance, announcements}`. */
export function getStatus(call: Call): string {
  call.query([]);
  return `{"status":"${readStatus(call.services)}","version":"${version}",${exchangeStatusText(call.exchange.state)}}`;
}

/** Stale takes precedence: a stale node rejects orders, too. */
function readStatus({ replica, disk }: Services): (typeof STATUSES)[number] {
  if (replica.isStale) return 'stale';
  return replica.isOverloaded || disk?.isFull === true ? 'overloaded' : 'ok';
}
getStatus.description = describe({
  operationId: 'getStatus',
  tag: 'Market data',
  summary: 'Status, release, maintenance and announcements of the exchange',
  notes:
    'While `overloaded`, new orders are rejected, cancels are not. A cluster node is `stale` if it has not reached ' +
    'the log for more than two seconds: it then rejects market data, too, with `STALE`.',
  data: record({
    status: enumeration(STATUSES, 'The status of the node that responds.'),
    version: text('The release of the node that responds.', version),
    ...EXCHANGE_STATUS_FIELDS,
  }),
});
