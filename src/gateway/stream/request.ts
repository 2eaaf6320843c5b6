import { ApiError, quoteSender } from '../errors.ts';
import { JSON_RULES, type JsonObject, JsonRefusal, readJsonObject } from '../json.ts';
import { invalid } from '../query.ts';

export const OPS = ['subscribe', 'unsubscribe', 'ping'] as const;
export const CHANNELS = ['prices', 'orderbook', 'trades', 'candles'] as const;
export type Op = (typeof OPS)[number];
export type Channel = (typeof CHANNELS)[number];

/** Fields beside `op`; every one of them is text. */
const FIELDS: Readonly<Record<Op, readonly string[]>> = {
  subscribe: ['channel', 'symbol', 'interval'],
  unsubscribe: ['channel', 'symbol', 'interval'],
  ping: [],
};

/** One message of a client, its form checked. */
export interface StreamRequest {
  readonly op: Op;
  readonly fields: Readonly<Record<string, string>>;
}

/** @throws ApiError INVALID_REQUEST naming the field and the rule */
export function readRequest(message: Uint8Array): StreamRequest {
  const body = readJsonObject(message);
  if (body instanceof JsonRefusal) {
    const details = body.field === undefined ? {} : { field: body.field };
    throw new ApiError('INVALID_REQUEST', JSON_RULES[body.rule], { rule: body.rule, ...details });
  }
  const op = wordOf(body, 'op', OPS);
  const fields: Record<string, string> = {};
  for (const [name, value] of Object.entries(body)) {
    if (name === 'op' || value === null) continue;
    if (!FIELDS[op].includes(name)) {
      const message = `There is no field ${quoteSender(name)} in ${op}.`;
      throw invalid(name, 'unknownField', message);
    }
    if (typeof value !== 'string') throw invalid(name, 'string', `${name} is a text.`);
    fields[name] = value;
  }
  return { op, fields };
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
