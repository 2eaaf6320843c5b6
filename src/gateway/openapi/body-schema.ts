import { z } from 'zod';
import { parseUnits } from '../../engine/numbers/units.ts';
import { ApiError, quoteSender } from '../http/errors.ts';
import { JsonNumber, type JsonObject } from '../http/json.ts';
import { invalid, TIME, timeOf } from '../http/query.ts';

/**
 * Schemas of the operator's bodies. Numbers arrive as literals, of which Zod knows nothing: `meta`
 * says for the OpenAPI document what they are.
 */

/**
 * Checks a body against a schema; every fault is INVALID_REQUEST naming the field.
 * @throws ApiError
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
    throw invalid(field, 'unknownField', `There is no field ${quoteSender(field)}.`);
  }
  const field = issue.path.join('.');
  throw invalid(field, issue.code, `${field}: ${issue.message}`);
}

/** The body of a request that has nothing to say. */
export const nothing = z.strictObject({});

const MAX_TEXT = 64;
/** No control characters, no line ends, nothing that turns the direction of what follows. */
const PLAIN = /^[^\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]*$/u;

/** A label, kept and given back as the text that it is. */
export const label = z
  .string()
  .max(MAX_TEXT, `must be at most ${MAX_TEXT} characters`)
  .refine((text) => PLAIN.test(text), 'must have no control characters');

/** A name, or a label that must say something. */
export const plainText = label.regex(/\S/, 'must not be empty');

/** A whole JSON number within bounds. */
export function whole(min: number, max: number) {
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

/** A JSON number kept as its literal: how many decimals it may have is known only later. */
export const decimal = z
  .instanceof(JsonNumber, { message: 'must be a JSON number' })
  .meta({ type: 'number' });

/** ISO 8601 with a zone, or milliseconds since 1970. */
export const time = z
  .union([z.string().meta({ pattern: TIME.source }), decimal], { message: 'must be a time' })
  .transform((value, context) => {
    const parsed = timeOf(value);
    if (parsed !== undefined) return parsed;
    context.addIssue({
      code: 'custom',
      message: 'must be an ISO 8601 time with a zone, or milliseconds since 1970',
    });
    return z.NEVER;
  });

/** The units of a decimal that must fit the given decimals. @throws ApiError INVALID_AMOUNT */
export function unitsOf(number: JsonNumber, decimals: number, field: string): number | bigint {
  const units = parseUnits(number.text, decimals);
  if (typeof units !== 'string') return units;
  const message =
    units === 'tooLong'
      ? `Send ${field} with at most 40 characters and an exponent within ±30.`
      : `${field} may have at most ${decimals} decimals.`;
  const rule = units === 'tooLong' ? 'tooLong' : 'decimals';
  throw new ApiError('INVALID_AMOUNT', message, { field, rule });
}
