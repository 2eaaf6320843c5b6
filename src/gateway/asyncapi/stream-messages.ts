import type { ErrorCode } from '../http/response/errors.ts';
import { errorObjectExample, errorObjectSchema } from '../openapi/components.ts';
import { absent, all, either, present } from '../openapi/conditions.ts';
import {
  constant,
  type Fields,
  type JsonSchema,
  makeExample,
  nullable,
  record,
  withOptional,
} from '../openapi/json-schema.ts';
import { RECORDS } from '../openapi/record-schemas.ts';
import { CHANNEL_FIELDS, type Channel, type FieldName, OP_FIELDS } from '../stream/request.ts';
import { CHANNEL_DESCRIPTIONS, FIELD_SCHEMAS } from './channel-schemas.ts';
import { type Message, retryAfter } from './messages.ts';

/** Codes of messages that are answered `error`: wrong ones, and those about the connection and its subscriptions. */
const ERROR_CODES: readonly ErrorCode[] = [
  'INVALID_REQUEST',
  'INVALID_SYMBOL',
  'UNAUTHORIZED',
  'INSUFFICIENT_PERMISSIONS',
  'IP_NOT_ALLOWED',
  'BROWSER_NOT_ALLOWED',
  'RATE_LIMIT_EXCEEDED',
  'OVERLOADED',
  'STALE',
  'INTERNAL_ERROR',
];
/** Codes of errors that end a subscription. */
const END_CODES: readonly ErrorCode[] = ['OVERLOADED', 'INVALID_REQUEST', 'INTERNAL_ERROR'];

/** A message that is wrong. It has no `channel`, unlike one that ends a subscription. */
export const ERROR: Message = {
  name: 'error',
  title: 'A message was rejected',
  summary: 'The connection and its subscriptions continue, unless a close follows.',
  payload: {
    ...withOptional(record({ op: constant('error'), error: errorObjectSchema(ERROR_CODES) }), {
      retryAfter,
    }),
    not: { required: ['channel'] },
  },
  examples: ERROR_CODES.map((code) => ({
    name: code,
    payload: { op: 'error', error: errorObjectExample(code) },
  })),
};

/** The messages about a connection itself. */
export function describeConnectionMessages(): Record<string, Message> {
  const credentials = ['apiKey', 'apiSecret'];
  const signed = ['apiKey', 'timestamp', 'signature'];
  const names = [...credentials, 'signature'];
  const auth = {
    ...withOptional(answer('auth'), pick(OP_FIELDS.auth)),
    ...either(
      all(...credentials.map(present)),
      all(...signed.map(present), absent('apiSecret')),
      all(...names.map(absent)),
    ).schema,
    additionalProperties: false,
  };
  return {
    auth: {
      name: 'auth',
      title: 'Authenticate the connection',
      summary: 'Without a key: by the session of the browser.',
      payload: auth,
      examples: [
        { name: 'key', payload: { op: 'auth', ...makeFields(credentials) } },
        { name: 'signature', payload: { op: 'auth', ...makeFields(signed) } },
        { name: 'session', payload: { op: 'auth' } },
      ],
    },
    authenticated: message(
      'authenticated',
      'The connection is authenticated',
      answer('authenticated'),
    ),
    ping: message('ping', 'Ask for a sign that the exchange is there', closed(answer('ping'))),
    pong: message('pong', 'The response to a ping', answer('pong')),
    error: ERROR,
  };
}

/** The fields of a channel that name a subscription; they are in each of its messages. */
const NAMING_FIELDS: readonly FieldName[] = ['symbol', 'interval'];
/** The same, but only of subscriptions that have it. */
const OPTIONAL_NAMING_FIELDS: readonly FieldName[] = ['everyMs'];

/** The messages of a channel. */
export function describeChannelMessages(channel: Channel): Record<string, Message> {
  const { summary, snapshot, update } = CHANNEL_DESCRIPTIONS[channel];
  const naming = CHANNEL_FIELDS[channel].filter((name) => NAMING_FIELDS.includes(name));
  const options = CHANNEL_FIELDS[channel].filter((name) => !NAMING_FIELDS.includes(name));
  const optional = options.filter((name) => OPTIONAL_NAMING_FIELDS.includes(name));
  const subscription = { channel: constant(channel), ...pick(naming) };
  const sent = (op: string, fields: Fields) => record({ op: constant(op), ...fields });
  const received = (op: string, fields: Fields, more: Fields = {}) =>
    withOptional(sent(op, { ...subscription, ...fields }), { ...pick(optional), ...more });
  const symbol = naming.includes('symbol') ? pick(['symbol']) : {};
  const subscribe = withOptional(sent('subscribe', subscription), pickNullable(options));
  const unsubscribe = withOptional(sent('unsubscribe', subscription), pickNullable(optional));
  const title = (what: string) => `${summary}: ${what}`;
  const error = { ...errorObjectSchema(END_CODES), examples: [errorObjectExample('OVERLOADED')] };
  const named = (name: string, what: string, payload: JsonSchema) =>
    message(name, title(what), payload);
  return {
    subscribe: named('subscribe', 'subscribe', closed(subscribe)),
    unsubscribe: named('unsubscribe', 'unsubscribe', closed(unsubscribe)),
    snapshot: named('snapshot', 'snapshot', received('snapshot', snapshot)),
    update: named('update', 'update', received('update', update)),
    unsubscribed: named(
      'unsubscribed',
      'no longer subscribed',
      sent('unsubscribed', { channel: constant(channel), ...symbol }),
    ),
    ended: named(
      'ended',
      'the subscription has ended',
      received('error', { error }, { retryAfter }),
    ),
    error: ERROR,
  };
}

function pick(names: readonly string[]): Fields {
  const fields: Fields = FIELD_SCHEMAS;
  return Object.fromEntries(names.map((name) => [name, fields[name]!]));
}

/** Returns the schemas of fields of which `null` counts as absent. */
function pickNullable(names: readonly string[]): Fields {
  const fields = Object.entries(pick(names));
  return Object.fromEntries(
    fields.map(([name, schema]) => [name, nullable(schema, makeExample(schema, RECORDS))]),
  );
}

function answer(op: string): JsonSchema {
  return record({ op: constant(op) });
}

function closed(schema: JsonSchema): JsonSchema {
  return { ...schema, additionalProperties: false };
}

function makeFields(names: readonly string[]): object {
  return makeExample(record(pick(names)), RECORDS) as object;
}

function message(name: string, title: string, payload: JsonSchema): Message {
  const examples = [{ name: 'example', payload: makeExample(payload, RECORDS) as object }];
  return { name, title, payload, examples };
}
