import Big from 'big.js';
import { z } from 'zod';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../config/durations.ts';

/** The forms of values in scenarios. Numbers arrive as texts, so that decimals stay exact. */

const UNIT_MS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  m: MINUTE_MS,
  h: HOUR_MS,
  d: DAY_MS,
};
const NUMBER = '-?(?:0|[1-9]\\d{0,29})(?:\\.\\d{1,30})?';
const DURATION = /^(?:\d{1,9}(?:ms|s|m|h|d))+$/;
const ISO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?(?:Z|[+-]\d\d:\d\d)$/;
const COMPARISON = new RegExp(
  `^(?:(at least|at most|above|below|not) )?(${NUMBER})$|^(${NUMBER}) to (${NUMBER})$`,
);

/** Returns a text of a form. @param description Completes "… must be". */
function text(description: string, pattern: RegExp) {
  return z.string({ error: description }).regex(pattern, { error: description });
}

export const plainText = z.string({ error: 'a text' }).min(1, { error: 'a text' });
export const wholeNumber = text('a whole number', /^(?:0|[1-9]\d{0,14})$/).transform(Number);
export const decimal = text('a decimal number such as 0.5', new RegExp(`^${NUMBER}$`));
export const flag = z.boolean({ error: 'true or false' });
export const accountId = text(
  'an account: 1 to 50 characters of A-Z a-z 0-9 _ . - that begin with a letter or digit',
  /^[A-Za-z0-9][A-Za-z0-9_.-]{0,49}$/,
);
export const asset = text('an asset such as BTC: 1 to 12 of A-Z and 0-9', /^[A-Z0-9]{1,12}$/);
export const symbol = text('a market such as BTC/USDT', /^[A-Z0-9]{1,12}\/[A-Z0-9]{1,12}$/);
export const errorCode = text('an error code such as INSUFFICIENT_BALANCE', /^[A-Z][A-Z_]{1,63}$/);

/** Number of a fee tier, or `volume` for that of the traded volume. */
export const feeTier = text(
  'a fee tier: a number from 0 to 50, or volume',
  /^(?:volume|\d{1,2})$/,
).transform((written) => (written === 'volume' ? written : Number(written)));

/** A length of time such as `1m30s`, in milliseconds. */
export const duration = text('a duration such as 500ms, 30s or 1h30m', DURATION).transform(
  (written) =>
    [...written.matchAll(/(\d+)(ms|s|m|h|d)/g)].reduce(
      (sum, [, count, unit]) => sum + Number(count) * UNIT_MS[unit!]!,
      0,
    ),
);

/** A moment, in milliseconds since 1970. */
export const moment = z
  .string({ error: 'a time with a zone, such as 2026-03-29T00:59:00Z' })
  .refine((written) => ISO_TIME.test(written) && isCalendarTime(written), {
    error: 'a time with a zone, such as 2026-03-29T00:59:00Z',
  })
  .transform((written) => Date.parse(written));

/** Rejects February 30 and the like, which are read as a later day. */
function isCalendarTime(written: string): boolean {
  const day = written.slice(0, 10);
  return !Number.isNaN(Date.parse(written)) && new Date(day).toISOString().startsWith(day);
}

/** An exact condition of a number. */
export interface Comparison {
  readonly text: string;
  readonly accepts: (value: Big) => boolean;
}

const A_COMPARISON =
  'a number, or "at least", "at most", "above", "below" or "not" and a number, or a range such as "2 to 5"';

export const comparison = text(A_COMPARISON, COMPARISON).transform(
  (written, context): Comparison => {
    const [, word, number, from, to] = COMPARISON.exec(written)!;
    if (from !== undefined && new Big(from).gt(to!)) {
      context.addIssue({ code: 'custom', message: A_COMPARISON });
      return z.NEVER;
    }
    if (from !== undefined) {
      return { text: written, accepts: (value) => value.gte(from) && value.lte(to!) };
    }
    return { text: written, accepts: comparator(word, new Big(number!)) };
  },
);

function comparator(word: string | undefined, bound: Big): (value: Big) => boolean {
  if (word === 'at least') return (value) => value.gte(bound);
  if (word === 'at most') return (value) => value.lte(bound);
  if (word === 'above') return (value) => value.gt(bound);
  if (word === 'below') return (value) => value.lt(bound);
  return word === 'not' ? (value) => !value.eq(bound) : (value) => value.eq(bound);
}
