import { NUMBER } from './json.ts';

/**
 * A number kept as its decimal text, never rounded to a double. It is the result of `JSON.rawJSON`, so JSON.stringify
 * writes the same digits.
 */
export interface ExactNumber {
  readonly rawJSON: string;
}

/** Not available in every engine that the client supports; ExactNumber is for programs on Bun. */
const native = JSON as unknown as {
  rawJSON(text: string): ExactNumber;
  isRawJSON(value: unknown): value is ExactNumber;
};

/** Converts a text. @throws RangeError unless it is a JSON number */
export function exactNumber(text: string): ExactNumber {
  if (NUMBER.test(text)) return native.rawJSON(text);
  throw new RangeError(`${JSON.stringify(text)} is not a number such as 0.015.`);
}

export function isExactNumber(value: unknown): value is ExactNumber {
  return native.isRawJSON(value);
}

/** Returns the digits as they were written. */
export function numberText(number: ExactNumber): string {
  return number.rawJSON;
}
