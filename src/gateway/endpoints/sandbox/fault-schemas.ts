import { z } from 'zod';
import { DAY_MS } from '../../../config/durations.ts';
import { FAULT_KIND_NAMES, FAULT_STATUSES } from '../../../sandbox/faults/kinds.ts';
import { JsonNumber } from '../../http/json.ts';
import { expiry, integer as integerWithin, optional, time } from '../../openapi/body-schema.ts';
import {
  boolean,
  enumeration,
  integer,
  list,
  nullable,
  number,
  record,
  text,
  timestamp,
} from '../../openapi/json-schema.ts';

/** Maximum faults of a script. */
const MAX_FAULTS = 50;
const MAX_PATTERNS = 20;
const MAX_PATTERN = 100;
const MAX_COUNT = 1_000_000_000;
const MAX_SEED = 2 ** 32 - 1;
/** Together with a delay less than a minute, after which the server closes silent connections. */
export const MAX_DELAY_MS = 25_000;

const probability = z
  .instanceof(JsonNumber, { message: 'must be a JSON number' })
  .meta({ type: 'number', minimum: 0, maximum: 1 })
  .transform((literal, context) => {
    const value = Number(literal.text);
    if (value >= 0 && value <= 1) return value;
    context.addIssue({ code: 'custom', message: 'must be a number from 0 to 1' });
    return z.NEVER;
  });

const schedule = z.strictObject({
  from: optional(time, 'When the fault begins to happen; now by default.'),
  until: optional(expiry, 'When it ends.'),
  everyMs: optional(
    integerWithin(1, DAY_MS),
    'Length of a period, counted from `from`: the fault happens once in each, or throughout `forMs` of each.',
  ),
  forMs: optional(
    integerWithin(1, DAY_MS),
    'The first part of each period, in which the fault happens.',
  ),
});

const fault = z.strictObject({
  kind: z.string().meta({ enum: FAULT_KIND_NAMES, description: 'The kind of the fault.' }),
  probability: optional(
    probability,
    'The probability at each occasion, from 0 to 1; 1 by default.',
  ),
  count: optional(integerWithin(1, MAX_COUNT), 'Maximum number of times.'),
  schedule: optional(schedule, "When it happens, by the exchange's clock."),
  endpoints: optional(
    z
      .array(
        z
          .string()
          .min(1, 'must not be empty')
          .max(MAX_PATTERN, `must be at most ${MAX_PATTERN} characters`),
      )
      .min(1, 'must have at least one pattern')
      .max(MAX_PATTERNS, `must have at most ${MAX_PATTERNS} patterns`),
    'Patterns of where it happens, such as `POST /api/orders`, `ws order.*` or `channel trades`, in which `*` stands for any text.',
  ),
  ms: optional(
    integerWithin(-DAY_MS, DAY_MS),
    'Milliseconds of `delay`, `slow_fill`, `market_halt` and `clock_skew`; only the last may be negative.',
  ),
  jitter: optional(
    integerWithin(0, MAX_DELAY_MS),
    'Maximum random addition to a `delay`, milliseconds.',
  ),
  before: optional(z.boolean(), 'Whether a `delay` is on the way to the exchange.'),
  status: optional(
    integerWithin(FAULT_STATUSES[0], FAULT_STATUSES.at(-1)!).meta({ enum: FAULT_STATUSES }),
    'The HTTP status of `status`.',
  ),
  symbol: optional(z.string(), 'The market of `market_halt`.'),
});

export const faultScript = z.strictObject({
  apiKey: optional(z.string(), 'Only for this API key.'),
  account: optional(z.string(), 'Only for the keys of this account.'),
  seed: optional(
    integerWithin(0, MAX_SEED),
    "Seed of the script's draws; by default derived from the sandbox's.",
  ),
  faults: z
    .array(fault)
    .min(1, 'must have at least one fault')
    .max(MAX_FAULTS, `must have at most ${MAX_FAULTS} faults`)
    .meta({ description: 'The faults.' }),
});

export type SentScript = z.output<typeof faultScript>;
export type SentFault = SentScript['faults'][number];

const kind = enumeration(FAULT_KIND_NAMES, 'The kind of the fault.');

const Fault = record({
  kind,
  probability: number('The probability at each occasion, from 0 to 1.', 0.5),
  count: nullable(integer('Maximum number of times.', 1)),
  schedule: record({
    from: timestamp('When it begins to happen.'),
    until: nullable(timestamp('When it ends.')),
    everyMs: nullable(integer('Length of a period.', 60_000)),
    forMs: nullable(integer('The part of each period in which it happens.', 1000)),
  }),
  endpoints: nullable({ type: 'array', items: text('A pattern.', 'POST /api/orders') }),
  ms: nullable(integer('Milliseconds.', 250)),
  jitter: nullable(integer('Maximum random addition, milliseconds.', 50)),
  before: boolean('Whether a delay is on the way to the exchange.', false),
  status: nullable(integer('HTTP status.', 503)),
  symbol: nullable(text('Market.', 'BTC/USDT')),
  injected: integer('Number of times that it has happened.', 0),
});

export const FAULT_SCRIPT = record({
  id: text('Id of the script.', 'fault-1'),
  apiKey: nullable(text('The API key that it is for.', 'bwk_00000000000000000000000000000000')),
  account: nullable(text('The account that it is for.', 'alice')),
  seed: integer('Seed of its draws.', 1),
  faults: list(Fault),
});

export const INJECTED_FAULT = record({
  number: integer('Number of the fault, from 1.', 1),
  scriptId: text('Id of the script.', 'fault-1'),
  fault: integer('Place of the fault in its script, from 0.', 0),
  kind,
  requestId: nullable(
    text(
      'The X-Request-Id of the response, whether or not it was sent, or the id of an operation.',
      'a1b2c3d4e5f60718-2f',
    ),
  ),
  position: integer('Log position after the request.', 1042),
  timestamp: timestamp("When it happened, by the exchange's clock."),
  apiKey: nullable(text('The API key.', 'bwk_00000000000000000000000000000000')),
  account: nullable(text('The account.', 'alice')),
  endpoint: text('Endpoint, operation, channel or market.', 'POST /api/orders'),
});
