import { INTEGER_FIELDS, NUMBER_FIELDS } from './api/records.ts';
import { readJson, writeJson } from './json.ts';
import type { JsonCodec } from './rest-client.ts';

/** What prices and amounts are: texts of exact digits, or doubles. */
export type NumberOf<Exact extends boolean> = Exact extends true ? string : number;

/** Requests are exact either way: a text goes out as a number with its digits. */
export function codecOf(isExact: boolean): JsonCodec {
  const toValue = (digits: string, field: string) =>
    INTEGER_FIELDS.has(field) ? Number(digits) : digits;
  return {
    read: isExact ? (text) => readJson(text, toValue) : (text) => JSON.parse(text),
    write: (body) => writeJson(body, (field) => NUMBER_FIELDS.has(field)),
  };
}
