import { z } from 'zod';
import { parseUnits } from '../../engine/numbers/units.ts';
import { JsonNumber, type JsonObject } from '../http/json.ts';
import { invalid, parseTimeValue, TIME } from '../http/request/query.ts';
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
    const field = issue.keys[0]!;
    throw invalid(field, 'unknownField', `Unknown field ${quoteSender(field)}. Remove it.`);
  }
  const field = issue.path.join('.');
  throw invalid(field, issue.code, toMessage(field, issue));
}

/** Returns a sentence. Our own messages continue the field's name (`must be ...`); Zod's stand on their own. */
function toMessage(field: string, issue: z.core.$ZodIssue): string {
  const { message } = issue;
  const subject = formatSubject(field);
  if (message.endsWith('received undefined')) return `${subject} is required.`;
  if (issue.code === 'invalid_type') return `${subject} must be of the type ${issue.expected}.`;
  return /^(must|is) /.test(message) ? `${subject} ${message}.` : `${field}: ${message}.`;
}

/** The empty body of a request without fields. */
export const emptyBody = z.strictObject({});

const MAX_TEXT = 64;
/** No control characters, line separators or characters that change the text direction. */
const PLAIN = /^[^\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]*$/u;

/** A label, stored and returned unchanged. */
export const label = z
  .string()
  .max(MAX_TEXT, `must be at most ${MAX_TEXT} characters`)
  .refine((text) => PLAIN.test(text), 'must have no control characters');

/** A label or name that must not be blank. */
export const plainText = label.regex(/\S/, 'must not be empty');

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

/** A JSON number, kept as its literal because the number of its decimals is checked later. */
export const decimal = z
  .instanceof(JsonNumber, { message: 'must be a JSON number' })
  .meta({ type: 'number' });

/** A time: ISO 8601 with a zone, or milliseconds since 1970. */
export const time = z
  .union([z.string().meta({ pattern: TIME.source }), decimal], { message: 'must be a time' })
  .transform((value, context) => {
    const parsed = parseTimeValue(value);
    if (parsed !== undefined) return parsed;
    context.addIssue({
      code: 'custom',
      message: 'must be an ISO 8601 time with a zone, or milliseconds since 1970',
    });
    return z.NEVER;
  });

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
