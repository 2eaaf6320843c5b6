import {
  JsonError,
  JsonNumber,
  type JsonObject,
  type JsonValue,
  readJsonObject,
} from '../http/json.ts';
import { invalid } from '../http/request/query.ts';
import { type ApiError, jsonError, quoteSender } from '../http/response/errors.ts';

export const OPS = ['subscribe', 'unsubscribe', 'auth', 'ping'] as const;
export const MARKET_CHANNELS = ['prices', 'orderbook', 'level3', 'trades', 'candles'] as const;
export const ACCOUNT_CHANNELS = ['orders', 'fills', 'balances', 'deposits', 'withdrawals'] as const;
export const CHANNELS = [...MARKET_CHANNELS, 'markets', ...ACCOUNT_CHANNELS] as const;
export type Op = (typeof OPS)[number];
export type MarketChannel = (typeof MARKET_CHANNELS)[number];
export type AccountChannel = (typeof ACCOUNT_CHANNELS)[number];
export type Channel = (typeof CHANNELS)[number];

/** Fields of messages, without `op`. All are strings except `sequence`, flags, and those that may be numbers. */
export type FieldName =
  | 'channel'
  | 'symbol'
  | 'interval'
  | 'everyMs'
  | 'sequence'
  | 'queueAhead'
  | 'fills'
  | 'apiKey'
  | 'apiSecret'
  | 'timestamp'
  | 'recvWindow'
  | 'signature'
  | 'cancelOnDisconnect';
/** Fields of each op, without `op`. */
export const OP_FIELDS: Readonly<Record<Op, readonly FieldName[]>> = {
  subscribe: ['channel', 'symbol', 'interval', 'everyMs', 'sequence', 'queueAhead', 'fills'],
  unsubscribe: ['channel', 'symbol', 'interval', 'everyMs'],
  auth: ['apiKey', 'apiSecret', 'timestamp', 'recvWindow', 'signature', 'cancelOnDisconnect'],
  ping: [],
};
/** Fields that may be JSON numbers, which are kept as they were sent. */
const NUMBERS: readonly string[] = ['timestamp', 'recvWindow', 'everyMs'];
/** Fields of each channel, without `op` and `channel`. */
export const CHANNEL_FIELDS: Readonly<Record<Channel, readonly FieldName[]>> = {
  prices: ['symbol', 'everyMs'],
  orderbook: ['symbol', 'everyMs'],
  level3: ['symbol'],
  trades: ['symbol', 'everyMs', 'sequence'],
  candles: ['symbol', 'interval', 'everyMs'],
  markets: [],
  orders: ['sequence', 'queueAhead', 'fills'],
  fills: ['sequence'],
  balances: ['sequence'],
  deposits: ['sequence'],
  withdrawals: ['sequence'],
};

/** A client's message with valid form. */
export interface StreamRequest {
  readonly op: Op;
  readonly fields: Readonly<Record<string, string>>;
  /** The last sequence that the client received, if it resumes. */
  readonly sequence: number | undefined;
  /** Whether orders are to have the amount that is ahead of them; undefined if not given. */
  readonly queueAhead: boolean | undefined;
  /** Whether updates of orders are to have the fills that changed them; undefined if not given. */
  readonly fills: boolean | undefined;
  /** Whether the orders of this connection are canceled when it ends; undefined if not given. */
  readonly cancelOnDisconnect: boolean | undefined;
}

/** Parses a message. @throws ApiError INVALID_REQUEST naming the field and the rule */
export function readMessage(message: Uint8Array): JsonObject {
  const body = readJsonObject(message);
  if (!(body instanceof JsonError)) return body;
  throw jsonError(body, 'message');
}

/** Returns the request in a message. @throws ApiError INVALID_REQUEST naming the field and the rule */
export function readRequest(body: JsonObject): StreamRequest {
  const op = readOp(body.op);
  const fields: Record<string, string> = {};
  let sequence: number | undefined;
  let queueAhead: boolean | undefined;
  let fills: boolean | undefined;
  let cancelOnDisconnect: boolean | undefined;
  for (const [name, value] of Object.entries(body)) {
    if (name === 'op' || value === null) continue;
    if (!OP_FIELDS[op].includes(name as FieldName)) throw unknownField(name, op);
    if (name === 'sequence') sequence = readSequence(value);
    else if (name === 'queueAhead') queueAhead = readBoolean(name, value);
    else if (name === 'fills') fills = readBoolean(name, value);
    else if (name === 'cancelOnDisconnect') cancelOnDisconnect = readBoolean(name, value);
    else if (typeof value === 'string') fields[name] = value;
    else if (value instanceof JsonNumber && NUMBERS.includes(name)) fields[name] = value.text;
    else throw invalid(name, 'string', `${name} must be a string.`);
  }
  return { op, fields, sequence, queueAhead, fills, cancelOnDisconnect };
}

/** Returns the channel of a request. @throws ApiError INVALID_REQUEST if it has other fields than the channel */
export function readChannel({ fields, sequence, queueAhead, fills }: StreamRequest): Channel {
  const channel = readChoice(fields, 'channel', CHANNELS);
  const names = Object.keys(fields);
  if (sequence !== undefined) names.push('sequence');
  if (queueAhead !== undefined) names.push('queueAhead');
  if (fills !== undefined) names.push('fills');
  for (const name of names) {
    if (name !== 'channel' && !CHANNEL_FIELDS[channel].includes(name as FieldName))
      throw unknownField(name, channel);
  }
  return channel;
}

export function isAccountChannel(channel: Channel): channel is AccountChannel {
  return ACCOUNT_CHANNELS.includes(channel as AccountChannel);
}

function readOp(value: JsonValue | undefined): Op {
  if (OPS.includes(value as Op)) return value as Op;
  const names = OPS.join(', ');
  throw invalid('op', names, `op must be an operation such as order.place, or one of ${names}.`);
}

function unknownField(name: string, owner: string): ApiError {
  return invalid(name, 'unknownField', `Unknown field ${quoteSender(name)} for ${owner}.`);
}

function readBoolean(name: string, value: JsonValue): boolean {
  if (typeof value === 'boolean') return value;
  throw invalid(name, 'boolean', `${name} must be true or false.`);
}

function readSequence(value: JsonValue): number {
  const sequence =
    value instanceof JsonNumber && /^(0|[1-9]\d{0,15})$/.test(value.text) ? Number(value.text) : -1;
  if (Number.isSafeInteger(sequence) && sequence >= 0) return sequence;
  throw invalid(
    'sequence',
    'wholeNumber',
    'sequence must be the last one that you received, a whole number.',
  );
}

/** Returns the value of a field. @throws ApiError INVALID_REQUEST unless it is one of the choices */
export function readChoice<Choice extends string>(
  fields: JsonObject | Readonly<Record<string, string>>,
  name: string,
  choices: readonly Choice[],
): Choice {
  const value = fields[name];
  if (choices.includes(value as Choice)) return value as Choice;
  throw invalid(name, choices.join(', '), `${name} must be one of ${choices.join(', ')}.`);
}
