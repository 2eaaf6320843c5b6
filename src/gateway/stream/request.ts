import { ApiError, quoteSender } from '../http/errors.ts';
import {
  JSON_RULES,
  JsonError,
  JsonNumber,
  type JsonObject,
  type JsonValue,
  readJsonObject,
} from '../http/json.ts';
import { invalid } from '../http/query.ts';

export const OPS = ['subscribe', 'unsubscribe', 'auth', 'ping'] as const;
export const MARKET_CHANNELS = ['prices', 'orderbook', 'trades', 'candles'] as const;
export const ACCOUNT_CHANNELS = ['orders', 'fills', 'balances'] as const;
export const CHANNELS = [...MARKET_CHANNELS, ...ACCOUNT_CHANNELS] as const;
export type Op = (typeof OPS)[number];
export type MarketChannel = (typeof MARKET_CHANNELS)[number];
export type AccountChannel = (typeof ACCOUNT_CHANNELS)[number];
export type Channel = (typeof CHANNELS)[number];

/** Fields beside `op`; every one of them is text, but for `sequence`. */
const FIELDS: Readonly<Record<Op, readonly string[]>> = {
  subscribe: ['channel', 'symbol', 'interval', 'sequence'],
  unsubscribe: ['channel', 'symbol', 'interval'],
  auth: ['apiKey', 'apiSecret'],
  ping: [],
};
/** Those of a channel that not every channel has. */
const FIELDS_OF: Readonly<Record<Channel, readonly string[]>> = {
  prices: ['symbol'],
  orderbook: ['symbol'],
  trades: ['symbol', 'sequence'],
  candles: ['symbol', 'interval'],
  orders: ['sequence'],
  fills: ['sequence'],
  balances: ['sequence'],
};

/** One message of a client, its form checked. */
export interface StreamRequest {
  readonly op: Op;
  readonly fields: Readonly<Record<string, string>>;
  /** The last sequence that the client has, where it asks for what came since. */
  readonly sequence: number | undefined;
}

/** @throws ApiError INVALID_REQUEST naming the field and the rule */
export function readRequest(message: Uint8Array): StreamRequest {
  const body = readJsonObject(message);
  if (body instanceof JsonError) {
    const details = body.field === undefined ? {} : { field: body.field };
    throw new ApiError('INVALID_REQUEST', JSON_RULES[body.rule], { rule: body.rule, ...details });
  }
  const op = wordOf(body, 'op', OPS);
  const fields: Record<string, string> = {};
  let sequence: number | undefined;
  for (const [name, value] of Object.entries(body)) {
    if (name === 'op' || value === null) continue;
    if (!FIELDS[op].includes(name)) throw unknownField(name, op);
    if (name === 'sequence') sequence = readSequence(value);
    else if (typeof value === 'string') fields[name] = value;
    else throw invalid(name, 'string', `${name} is a text.`);
  }
  return { op, fields, sequence };
}

/** @throws ApiError INVALID_REQUEST where the fields are not those of the channel */
export function channelOf({ fields, sequence }: StreamRequest): Channel {
  const channel = wordOf(fields, 'channel', CHANNELS);
  const given = sequence === undefined ? Object.keys(fields) : [...Object.keys(fields), 'sequence'];
  for (const name of given) {
    if (name !== 'channel' && !FIELDS_OF[channel].includes(name)) throw unknownField(name, channel);
  }
  return channel;
}

export function isAccountChannel(channel: Channel): channel is AccountChannel {
  return ACCOUNT_CHANNELS.includes(channel as AccountChannel);
}

function unknownField(name: string, of: string): ApiError {
  return invalid(name, 'unknownField', `There is no field ${quoteSender(name)} in ${of}.`);
}

function readSequence(value: JsonValue): number {
  const sequence =
    value instanceof JsonNumber && /^(0|[1-9]\d{0,15})$/.test(value.text) ? Number(value.text) : -1;
  if (Number.isSafeInteger(sequence) && sequence >= 0) return sequence;
  throw invalid('sequence', 'wholeNumber', 'sequence is the last one that you have received.');
}

/** @throws ApiError INVALID_REQUEST where the field is none of the words */
export function wordOf<Word extends string>(
  fields: JsonObject | Readonly<Record<string, string>>,
  name: string,
  words: readonly Word[],
): Word {
  const word = fields[name];
  if (words.includes(word as Word)) return word as Word;
  throw invalid(name, words.join(', '), `${name} is one of ${words.join(', ')}.`);
}
