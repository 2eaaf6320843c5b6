import type { ErrorCode } from '../http/response/errors.ts';
import { errorObjectExample, errorObjectSchema } from '../openapi/components.ts';
import { absent, all, either, present } from '../openapi/conditions.ts';
import {
  constant,
  type Fields,
  type JsonSchema,
  makeExample,
  record,
  withOptional,
} from '../openapi/json-schema.ts';
import { RECORDS } from '../openapi/record-schemas.ts';
import { CHANNEL_FIELDS, type Channel, OP_FIELDS } from '../stream/request.ts';
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
  const auth = {
    ...withOptional(answer('auth'), pick(OP_FIELDS.auth)),
    ...either(all(...credentials.map(present)), all(...credentials.map(absent))).schema,
    additionalProperties: false,
  };
  return {
    auth: message(
      'auth',
      'Authenticate the connection',
      auth,
      'Without a key: by the session of the browser.',
    ),
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

/** The messages of a channel. */
export function describeChannelMessages(channel: Channel): Record<string, Message> {
  const { summary, snapshot, update } = CHANNEL_DESCRIPTIONS[channel];
  const own = CHANNEL_FIELDS[channel].filter((name) => name !== 'sequence');
  const subscription = { channel: constant(channel), ...pick(own) };
  const sent = (op: string, fields: Fields) => record({ op: constant(op), ...fields });
  const symbol = own.includes('symbol') ? pick(['symbol']) : {};
  const subscribe = sent('subscribe', subscription);
  const canResume = CHANNEL_FIELDS[channel].includes('sequence');
  const { sequence } = FIELD_SCHEMAS;
  const resuming = { sequence: { ...sequence, type: ['integer', 'null'] } };
  const title = (what: string) => `${summary}: ${what}`;
  const error = { ...errorObjectSchema(END_CODES), examples: [errorObjectExample('OVERLOADED')] };
  const ended = { ...subscription, error };
  const named = (name: string, what: string, payload: JsonSchema) =>
    message(name, title(what), payload);
  return {
    subscribe: named(
      'subscribe',
      'subscribe',
      closed(canResume ? withOptional(subscribe, resuming) : subscribe),
    ),
    unsubscribe: named('unsubscribe', 'unsubscribe', closed(sent('unsubscribe', subscription))),
    snapshot: named('snapshot', 'snapshot', sent('snapshot', { ...subscription, ...snapshot })),
    update: named('update', 'update', sent('update', { ...subscription, ...update })),
    unsubscribed: named(
      'unsubscribed',
      'no longer subscribed',
      sent('unsubscribed', { channel: constant(channel), ...symbol }),
    ),
    ended: named(
      'ended',
      'the subscription has ended',
      withOptional(sent('error', ended), { retryAfter }),
    ),
    error: ERROR,
  };
}

function pick(names: readonly string[]): Fields {
  const fields: Fields = FIELD_SCHEMAS;
  return Object.fromEntries(names.map((name) => [name, fields[name]!]));
}

function answer(op: string): JsonSchema {
  return record({ op: constant(op) });
}

function closed(schema: JsonSchema): JsonSchema {
  return { ...schema, additionalProperties: false };
}

function message(name: string, title: string, payload: JsonSchema, summary?: string): Message {
  const examples = [{ name: 'example', payload: makeExample(payload, RECORDS) as object }];
  return { name, title, ...(summary === undefined ? {} : { summary }), payload, examples };
}
