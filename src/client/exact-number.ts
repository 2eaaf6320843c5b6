import { NUMBER, readJson } from './json.ts';

/**
 * A number as its decimal text, never rounded to a double. JSON.stringify writes the same digits.
 * It is what `JSON.rawJSON` makes, so it needs no help on its way out.
 */
export interface ExactNumber {
  readonly rawJSON: string;
}

/** What the API sends, its numbers exact. */
export type JsonValue = null | boolean | string | ExactNumber | readonly JsonValue[] | JsonObject;
export interface JsonObject {
  readonly [field: string]: JsonValue;
}

/** Not in every engine that the client runs in: these numbers are for programs that run on Bun. */
const native = JSON as unknown as {
  rawJSON(text: string): ExactNumber;
  isRawJSON(value: unknown): value is ExactNumber;
};

/** @throws RangeError unless the text is a number as JSON writes them. */
export function exactNumber(text: string): ExactNumber {
  if (NUMBER.test(text)) return native.rawJSON(text);
  throw new RangeError(`${JSON.stringify(text)} is not a number: write it like 0.015.`);
}

export function isExactNumber(value: unknown): value is ExactNumber {
  return native.isRawJSON(value);
}

/** The digits, as they were written. */
export function numberText(number: ExactNumber): string {
  return number.rawJSON;
}

/** @throws SyntaxError */
export function parseExactJson(text: string): JsonValue {
  return readJson(text, native.rawJSON) as JsonValue;
}
