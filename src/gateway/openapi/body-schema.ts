import { z } from 'zod';
import { parseUnits } from '../../engine/numbers/units.ts';
import { JsonNumber, type JsonObject, type JsonValue } from '../http/json.ts';
import { invalid, MAX_TIME_MS, parseTimeValue, TIME } from '../http/request/query.ts';
import { ApiError, quoteSender } from '../http/response/errors.ts';
import { formatSubject, tooLongMessage } from '../orders/order-number.ts';

/**
 * Parts of the Zod schemas of request bodies. Numbers arrive as literals, which Zod does not know; `meta` describes them for
 * the OpenAPI document.
 */

/**
 * Checks a body against a schema.
 * @throws ApiError INVALID_REQUEST naming the field
 */
export function checkBody<Schema extends z.ZodType>(
  schema: Schema,
  body: JsonObject,
): z.output<Schema> {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0]!;
  if (issue.code === 'unrecognized_keys') {
    const key = issue.keys[0]!;
    const field = [...issue.path, key].join('.');
    throw invalid(field, 'unknownField', `Unknown field ${quoteSender(key)}. Remove it.`);
  }
  const field = issue.path.join('.');
  const isMissing = isAbsent(body, issue.path);
  const problem = isMissing ? 'is required' : describeIssue(issue);
  const rule = isMissing ? 'required' : issue.code;
  const subject = field === '' ? 'The body' : formatSubject(field);
  throw invalid(field, rule, `${subject} ${problem}.`);
}

function isAbsent(body: JsonObject, path: readonly PropertyKey[]): boolean {
  let value: unknown = body;
  for (const key of path) value = (value as Record<PropertyKey, unknown>)[key];
  return value === undefined;
}

/** Returns the rest of a sentence that begins with the field's name. Zod's own texts are not for clients. */
function describeIssue(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_value') return `must be one of ${issue.values.join(', ')}`;
  if (issue.code === 'invalid_type') {
    return `must be of the type ${issue.expected === 'record' ? 'object' : issue.expected}`;
  }
  return /^(must|is) /.test(issue.message) ? issue.message : 'is invalid';
}

/** The empty body of a request without fields. */
export const emptyBody = z.strictObject({});

const MAX_TEXT = 64;
/** No control characters, line separators or characters that change the text direction. */
const PLAIN = /^[^\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]*$/u;

/** Returns the schema of a text on one line, which may be blank. It is stored and returned unchanged. */
export function line(maxCharacters: number) {
  return z
    .string()
    .max(maxCharacters, `must be at most ${maxCharacters} characters`)
    .refine((text) => PLAIN.test(text), 'must have no control characters');
}

/** Returns the schema of a text on one line that must not be blank. */
export function filledLine(maxCharacters: number) {
  return line(maxCharacters).regex(/\S/, 'must not be empty');
}

/** A label, which may be blank. */
export const label = line(MAX_TEXT);

/** A label or name that must not be blank. */
export const plainText = filledLine(MAX_TEXT);

/** Returns the schema of an integer within bounds. */
export function integer(min: number, max: number) {
  return z
    .instanceof(JsonNumber, { message: 'must be a JSON number' })
    .meta({ type: 'integer', minimum: min, maximum: max })
    .transform((number, context) => {
      const value = parseUnits(number.text, 0);
      if (typeof value === 'number' && value >= min && value <= max) return value;
      context.addIssue({ code: 'custom', message: `must be a whole number from ${min} to ${max}` });
      return z.NEVER;
    });
}

/** Returns the schema of a number that is no money, such as a multiplier, within bounds. */
export function decimalBetween(min: number, max: number) {
  return z
    .instanceof(JsonNumber, { message: 'must be a JSON number' })
    .meta({ type: 'number', minimum: min, maximum: max })
    .transform((number, context) => {
      const value = Number(number.text);
      if (value >= min && value <= max) return value;
      context.addIssue({ code: 'custom', message: `must be from ${min} to ${max}` });
      return z.NEVER;
    });
}

/** A JSON number, kept as its literal because the number of its decimals is checked later. */
export const decimal = z
  .instanceof(JsonNumber, { message: 'must be a JSON number' })
  .meta({ type: 'number' });

/** A time, read as milliseconds since 1970: ISO 8601 with a zone, or milliseconds since 1970. */
export const time = z
  .custom<JsonValue>(
    (value) => parseTimeValue(value as JsonValue) !== undefined,
    'must be an ISO 8601 time with a zone, or milliseconds since 1970',
  )
  .meta({ type: ['string', 'integer'], pattern: TIME.source, minimum: 0, maximum: MAX_TIME_MS })
  .transform((value) => parseTimeValue(value)!);

/** A time at which something ends. Endpoints check that it is in the future. */
export const expiry = time.meta({ minimum: 1 });

/** Returns an optional field; `null` counts as absent. */
export function optional<Schema extends z.ZodType>(schema: Schema, description: string) {
  return schema
    .nullable()
    .meta({ description, examples: [null] })
    .optional();
}

/** Returns a decimal number in units. @throws ApiError INVALID_AMOUNT if it has more than the given decimals */
export function toUnits(number: JsonNumber, decimals: number, field: string): number | bigint {
  const units = parseUnits(number.text, decimals);
  if (typeof units !== 'string') return units;
  const message =
    units === 'tooLong'
      ? tooLongMessage(field)
      : `${formatSubject(field)} has too many decimals. Use at most ${decimals}.`;
  const rule = units === 'tooLong' ? 'tooLong' : 'decimals';
  throw new ApiError('INVALID_AMOUNT', message, { field, rule });
}
