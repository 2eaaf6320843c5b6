import { z } from 'zod';
import {
  accountId,
  asset,
  comparison,
  decimal,
  duration,
  errorCode,
  feeTier,
  flag,
  moment,
  plainText,
  symbol,
  wholeNumber,
} from './texts.ts';

/** The format of scenarios, which docs/bots/scenarios.md describes field by field. */

const DEFAULT_START = '2026-01-01T00:00:00Z';

const oneOf = <const T extends readonly string[]>(values: T) =>
  z.enum(values, { error: `one of ${values.join(', ')}` });

const FAULT_KINDS = [
  'answer_lost_after_commit',
  'answer_lost_before_commit',
  'delay',
  'status',
  'stream_gap',
  'stream_duplicate',
  'stream_reorder',
  'stream_disconnect',
  'stale_read',
  'slow_fill',
  'reject_all',
  'market_halt',
  'clock_skew',
  'maintenance',
] as const;

const side = oneOf(['buy', 'sell']);
const status = oneOf([
  'online',
  'post_only',
  'limit_only',
  'cancel_only',
  'halted',
  'delisted',
  'auction',
]);

const marketRules = {
  tickSize: decimal.optional(),
  stepSize: decimal.optional(),
  minPrice: decimal.optional(),
  maxPrice: decimal.optional(),
  minAmount: decimal.optional(),
  maxAmount: decimal.optional(),
  minNotional: decimal.optional(),
  makerFee: decimal.optional(),
  takerFee: decimal.optional(),
  referencePrice: decimal.optional(),
  collar: decimal.optional(),
  staticBand: decimal.optional(),
  dynamicBand: decimal.optional(),
  auctionMs: decimal.optional(),
};

const makers = z.strictObject({
  symbol: symbol.optional(),
  running: flag.optional(),
  spread: decimal.optional(),
  depth: decimal.optional(),
  volatility: decimal.optional(),
  flow: decimal.optional(),
  bias: decimal.optional(),
  move: z
    .strictObject({ change: decimal, duration })
    .transform(({ change, duration }) => ({ change, durationMs: duration }))
    .optional(),
});

const order = z.strictObject({
  account: accountId,
  symbol,
  side,
  type: oneOf([
    'limit',
    'market',
    'stop',
    'stop_limit',
    'take_profit',
    'take_profit_limit',
    'trailing_stop',
  ]),
  amount: decimal.optional(),
  cost: decimal.optional(),
  price: decimal.optional(),
  triggerPrice: decimal.optional(),
  trailingAmount: decimal.optional(),
  trailingPercent: decimal.optional(),
  displayAmount: decimal.optional(),
  timeInForce: oneOf(['GTC', 'IOC', 'FOK', 'GTD']).optional(),
  expiresAt: plainText.optional(),
  postOnly: flag.optional(),
  clientOrderId: plainText.optional(),
});

/** Limit orders on consecutive prices, the first at `price` and each next one farther from the other side. */
const ladder = z.strictObject({
  account: accountId,
  symbol,
  side,
  price: decimal,
  priceStep: decimal,
  levels: wholeNumber,
  amount: decimal,
});

const cancel = z.strictObject({
  account: accountId,
  symbol: symbol.optional(),
  clientOrderId: plainText.optional(),
});

/** One fault of a script of `POST /api/sandbox/faults`, which docs/bots/faults.md describes. It begins at once. */
const fault = z.strictObject({
  kind: oneOf(FAULT_KINDS),
  account: accountId.optional(),
  probability: decimal.optional(),
  count: wholeNumber.optional(),
  /** Length of the time in which it happens. */
  duration: duration.optional(),
  /** Length of a period in which it happens once, or throughout `for`. */
  every: duration.optional(),
  for: duration.optional(),
  endpoints: z.array(plainText, { error: 'a list of texts' }).optional(),
  ms: z.coerce.number({ error: 'a number of milliseconds' }).int().optional(),
  jitter: wholeNumber.optional(),
  before: flag.optional(),
  status: oneOf(['418', '429', '500', '503'])
    .transform((written) => Number(written) as 418 | 429 | 500 | 503)
    .optional(),
  symbol: symbol.optional(),
});
export type ScenarioFault = z.infer<typeof fault>;

export const ACTIONS = {
  order,
  ladder,
  cancel,
  market: z.strictObject({ symbol, status: status.optional(), ...marketRules }),
  account: z.strictObject({
    account: accountId,
    frozen: flag.optional(),
    feeTier: feeTier.optional(),
    limitClass: wholeNumber.optional(),
  }),
  transfer: z.strictObject({ account: accountId, asset, amount: decimal }),
  makers,
  fault,
  clearFaults: flag,
} as const;
export type ActionKind = keyof typeof ACTIONS;

const entry = z.strictObject({
  at: duration,
  repeat: z.strictObject({ every: duration, times: wholeNumber }).optional(),
  order: ACTIONS.order.optional(),
  ladder: ACTIONS.ladder.optional(),
  cancel: ACTIONS.cancel.optional(),
  market: ACTIONS.market.optional(),
  account: ACTIONS.account.optional(),
  transfer: ACTIONS.transfer.optional(),
  makers: ACTIONS.makers.optional(),
  fault: ACTIONS.fault.optional(),
  clearFaults: ACTIONS.clearFaults.optional(),
});
export type TimelineEntry = z.infer<typeof entry>;

const expectation = z.strictObject({
  /** When it is checked; by default at the end. */
  at: duration.optional(),
  because: plainText.optional(),
  /** The account that is meant; by default the bot's. */
  account: accountId.optional(),
  symbol: symbol.optional(),
  side: side.optional(),
  is: comparison.optional(),
  part: oneOf(['total', 'available', 'held']).optional(),
  code: errorCode.optional(),
  kind: oneOf(FAULT_KINDS).optional(),
  within: duration.optional(),
  balance: asset.optional(),
  equity: asset.optional(),
  pnl: asset.optional(),
  position: asset.optional(),
  orders: comparison.optional(),
  openOrders: comparison.optional(),
  fills: comparison.optional(),
  filled: symbol.optional(),
  rejections: comparison.optional(),
  duplicates: comparison.optional(),
  faults: comparison.optional(),
  check: plainText.optional(),
});
export type Expectation = z.infer<typeof expectation>;

/** The kinds of expectations → the fields that each may have in addition to `at` and `because`; `!` marks a required one. */
export const EXPECTATIONS = {
  balance: ['account', 'is!', 'part'],
  equity: ['account', 'is!'],
  pnl: ['account', 'is!'],
  position: ['account', 'is!'],
  orders: ['account', 'symbol', 'side'],
  openOrders: ['account', 'symbol', 'side'],
  fills: ['account', 'symbol', 'side'],
  filled: ['account', 'side', 'is!'],
  rejections: ['code'],
  duplicates: ['account', 'within'],
  faults: ['kind'],
  check: [],
} as const satisfies Readonly<Record<string, readonly string[]>>;
export type ExpectationKind = keyof typeof EXPECTATIONS;

const program = z.strictObject({
  module: plainText.optional(),
  command: z
    .array(plainText, { error: 'a list of texts' })
    .min(1, { error: 'a list of texts' })
    .optional(),
});
export type Program = z.infer<typeof program>;

export const scenarioSchema = z.strictObject({
  title: plainText,
  lesson: plainText,
  seed: wholeNumber.default(1),
  start: moment.default(Date.parse(DEFAULT_START)),
  step: duration.default(1000),
  duration,
  markets: z
    .record(symbol, z.strictObject(marketRules), { error: 'a mapping of markets' })
    .default({}),
  accounts: z.record(
    accountId,
    z.record(asset, decimal, { error: 'a mapping of assets to amounts' }),
    { error: 'a mapping of accounts' },
  ),
  makers: makers.optional(),
  bot: z.strictObject({ account: accountId, ...program.shape }),
  naive: program.optional(),
  timeline: z.array(entry, { error: 'a list' }).default([]),
  expect: z.array(expectation, { error: 'a list' }).min(1, { error: 'a list that is not empty' }),
});

/** The content of a scenario's file. Times are milliseconds, amounts and prices exact decimal texts. */
export type ScenarioContent = z.infer<typeof scenarioSchema>;
