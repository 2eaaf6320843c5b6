import { version } from '../../../package.json';
import type { Call } from '../call.ts';
import { describe } from '../description.ts';
import { moment, record, text, word } from '../json-schema.ts';
import { timeText } from '../records.ts';

const STATUS_WORDS = ['ok', 'overloaded'] as const;

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
  const { replica, disk } = call.services;
  const refuses = replica.isOverloaded || disk?.isFull === true;
  const status: (typeof STATUS_WORDS)[number] = refuses ? 'overloaded' : 'ok';
  return `{"status":"${status}","version":"${version}"}`;
}
getStatus.description = describe({
  operationId: 'getStatus',
  tag: 'Market data',
  summary: 'Whether the exchange takes orders, and its release',
  notes: 'While it is `overloaded` new orders are refused, and cancels are not.',
  data: record({
    status: word(STATUS_WORDS, 'How it is.'),
    version: text('The release that answers.', version),
  }),
});
