import { z } from 'zod';

/** Schemas of settings, whose descriptions state the valid values. */

/** Returns the schema of a whole number in a range. */
export function wholeNumber(min: number, max: number) {
  return z
    .string()
    .regex(/^\d{1,10}$/)
    .transform(Number)
    .refine((value) => value >= min && value <= max)
    .describe(`a whole number from ${min} to ${max}`);
}

/** Returns the schema of one of several texts. */
export function choice<const Choices extends readonly string[]>(...choices: Choices) {
  return z.enum(choices).describe(`one of ${choices.join(', ')}`);
}

/** Returns the schema of a list, separated by commas. */
export function list() {
  return z
    .string()
    .transform((given) =>
      given
        .split(',')
        .map((part) => part.trim())
        .filter((part) => part !== ''),
    )
    .describe('a list, separated by commas');
}

/** The origin that users open. */
export const originSchema = z
  .string()
  .transform((given, context) => parseOrigin(given) ?? fail(context))
  .describe('the origin in the browser, without a path: https://exchange.example');

function parseOrigin(given: string): string | undefined {
  const url = URL.parse(given);
  const isOrigin = url !== null && /^https?:$/.test(url.protocol) && `${url.origin}/` === url.href;
  return isOrigin ? url.origin : undefined;
}

function fail(context: z.RefinementCtx): never {
  context.addIssue({ code: 'custom' });
  return z.NEVER;
}
