import { INTEGER_FIELDS, NUMBER_FIELDS } from './api/records.ts';
import { readJson, writeJson } from './json.ts';
import type { JsonCodec } from './rest-client.ts';

/** Type of prices and amounts: exact decimal strings, or doubles. */
export type ClientNumber<Exact extends boolean> = Exact extends true ? string : number;

/**
 * Returns the JSON codec. Requests are exact either way: a string is sent as a number with the same digits.
 * @param toExact Converts the digits of an exact price or amount; by default they are strings.
 */
export function createCodec(
  isExact: boolean,
  toExact: (digits: string) => unknown = String,
): JsonCodec {
  const toValue = (digits: string, field: string) =>
    INTEGER_FIELDS.has(field) ? Number(digits) : toExact(digits);
  return {
    read: isExact ? (text) => readJson(text, toValue) : (text) => JSON.parse(text),
    write: (body) => writeJson(body, (field) => NUMBER_FIELDS.has(field)),
  };
}
