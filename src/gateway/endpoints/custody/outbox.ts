import { quote } from '../../http/json.ts';
import type { Call } from '../../http/request/call.ts';
import { describe } from '../../openapi/description.ts';
import { integer, nullable, record, text, timestamp } from '../../openapi/json-schema.ts';
import { timeText } from '../records.ts';

/** GET /api/admin/custodian: the keys of exchange and custodian, and the instructions that wait. */
export function getCustodian(call: Call): string {
  call.query([]);
  const { outbox } = call.services;
  const { publicKey, keyNumber } = call.exchange.state.parts.custody.store.head;
  const { lastAttempt, url } = outbox;
  const custodianKey = keyNumber === 0 ? 'null' : `"${Buffer.from(publicKey).toString('base64')}"`;
  return (
    `{"host":${url === undefined ? 'null' : quote(new URL(url).host)},` +
    `"exchangeKey":"${outbox.key.publicKey}","exchangeKeyNumber":${outbox.keyNumber},` +
    `"nextExchangeKey":"${outbox.nextKey.publicKey}","custodianKey":${custodianKey},"keyNumber":${keyNumber},` +
    `"waiting":${outbox.waiting},"oldestMs":${Math.round(outbox.oldestAgeMs)},` +
    `"failures":${outbox.failures},` +
    `"lastAttempt":${lastAttempt === undefined ? 'null' : timeText(lastAttempt.at)},` +
    `"error":${lastAttempt?.error ? quote(lastAttempt.error) : 'null'}}`
  );
}
getCustodian.description = describe({
  operationId: 'getCustodian',
  tag: 'Operator',
  summary: 'Keys of the custodian, and instructions that wait for it',
  notes:
    'Of a cluster, one node sends instructions: `lastAttempt`, `failures` and `error` are those of this node.',
  data: record({
    host: nullable(
      text('Host that instructions are sent to; null if none is set.', 'custodian.example'),
    ),
    exchangeKey: text(
      'Ed25519 public key with which the custodian checks requests of the exchange, base64 of 32 bytes.',
      'ZqWtAqgS8SbhvV0K6T5CKbRQPJ3FvOuZ8tqf0p2mXtU=',
    ),
    exchangeKeyNumber: integer('Number of that key, from 1 (`--signing-key`).', 1),
    nextExchangeKey: text(
      'Ed25519 public key with the next number: the custodian accepts it too before the exchange signs with it.',
      '2Ch0vjgY1vCgZSxWzVQ9HZFPWdTdTQ1mTJKsvUTQ9mY=',
    ),
    custodianKey: nullable(
      text(
        'Ed25519 public key of the custodian; null before it is set.',
        '11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=',
      ),
    ),
    keyNumber: integer('Number of that key, from 1; 0 before it is set.', 1),
    waiting: integer('Instructions that the custodian has not accepted.', 0),
    oldestMs: integer('Age of the oldest of them, milliseconds.', 0),
    failures: integer('Failed attempts in a row.', 0),
    lastAttempt: nullable(
      timestamp('Time of the last attempt by the wall clock; null before the first.'),
    ),
    error: nullable(
      text(
        'Why the last attempt failed; null if it was accepted.',
        'custodian.example refused the connection',
      ),
    ),
  }),
});
