import fc from 'fast-check';
import { CancelCondition } from '../../src/engine/command.ts';
import { APPROVAL_LIFETIME_MS, CLIENT_ORDER_ID_LIFETIME_MS } from '../../src/engine/limits.ts';
import { OrderType } from '../../src/engine/terms.ts';
import { oversee } from './scenario-approvals.ts';
import { change, supervision } from './scenario-changes.ts';
import { connect } from './scenario-connections.ts';
import { custody } from './scenario-custody.ts';
import { actor, USUAL_STEPS, weighted } from './scenario-parts.ts';
import { special } from './scenario-special.ts';
import { group } from './scenario-sub-accounts.ts';

const place = fc.record({
  kind: fc.constant('place' as const),
  actor,
  account: fc.nat(49),
  market: fc.constantFrom(0, 0, 0, 0, 0, 1, 1, 2, 3, 4),
  side: fc.nat(1),
  form: weighted<'limit' | 'amount' | 'cost' | 'stop' | 'oco'>(
    [12, 'limit'],
    [2, 'amount'],
    [2, 'cost'],
    [6, 'stop'],
    [4, 'oco'],
  ),
  attached: weighted<'none' | 'takeProfit' | 'stopLoss' | 'both'>(
    [6, 'none'],
    [1, 'takeProfit'],
    [1, 'stopLoss'],
    [3, 'both'],
  ),
  oto: weighted<'none' | 'legs' | 'order'>([6, 'none'], [1, 'legs'], [2, 'order']),
  stopType: fc.integer({ min: OrderType.stop, max: OrderType.takeProfitLimit }),
  /** Distance of the trigger from the last price in ticks, rarely on the wrong side. */
  triggerTicks: fc.integer({ min: -1, max: 3 }),
  timeInForce: fc.constantFrom(0, 0, 0, 0, 0, 1, 2, 3),
  postOnly: weighted([12, false], [1, true]),
  selfTradePrevention: fc.nat(3),
  ticks: fc.oneof(
    { weight: 8, arbitrary: fc.integer({ min: -2, max: 2 }) },
    { weight: 1, arbitrary: fc.integer({ min: -6, max: 6 }) },
  ),
  steps: fc.integer({ min: 1, max: USUAL_STEPS }),
  oddity: weighted<'none' | 'offTick' | 'offStep' | 'huge' | 'noMarket'>(
    [40, 'none'],
    [1, 'offTick'],
    [1, 'offStep'],
    [6, 'huge'],
    [1, 'noMarket'],
  ),
  expiresIn: fc.integer({ min: -1, max: 40 }),
  special,
  clientOrderId: weighted<string | null>([12, null], [1, 'a'], [1, 'b'], [1, 'x'.repeat(64)]),
  /** The connection on which it is placed, counted from the newest of the account; null for none. */
  connection: weighted<number | null>([7, null], [2, 0], [1, 1]),
});
const cancel = fc.record({
  kind: fc.constant('cancel' as const),
  actor,
  account: fc.nat(5),
  which: fc.nat(),
  isOwn: weighted([9, true], [1, false]),
  onlyIf: weighted<CancelCondition | null>(
    [8, null],
    [1, CancelCondition.unfilled],
    [1, CancelCondition.partiallyFilled],
  ),
});
/** A signed request, often one that was used before. */
const sign = fc.record({
  kind: fc.constant('sign' as const),
  key: fc.nat(12),
  text: fc.nat(5),
  expiresIn: fc.constantFrom(-1, 0, 5, 5000, 60_000, 120_000, 120_001),
  isOwn: weighted([9, true], [1, false]),
});
const administrative = fc.oneof(
  fc.record({
    kind: fc.constant('transfer' as const),
    owner: fc.nat(7),
    asset: fc.nat(3),
    orders: fc.oneof(
      { weight: 9, arbitrary: fc.integer({ min: -3, max: 3 }) },
      { weight: 1, arbitrary: fc.constantFrom(1e15, 1e29) },
    ),
    reference: fc.option(fc.nat(4), { nil: null }),
  }),
  fc.record({ kind: fc.constant('freeze' as const), owner: fc.nat(7), frozen: fc.boolean() }),
  fc.record({
    kind: fc.constant('status' as const),
    market: fc.nat(3),
    status: fc.constantFrom(0, 1, 2, 3, 4, 5, 6, 6, 6),
  }),
  fc.record({
    kind: fc.constant('createKey' as const),
    owner: fc.nat(7),
    name: fc.nat(12),
    permissions: fc.oneof(fc.nat(8), fc.nat(1030)),
    expiresIn: fc.nat(30),
    type: fc.constantFrom('secret', 'ed25519', 'hmac'),
  }),
  fc.record({
    kind: fc.constant('resealKey' as const),
    name: fc.nat(12),
    bytes: fc.constantFrom(28, 29, 64, 256, 257),
  }),
  fc.record({
    kind: fc.constant('changeKey' as const),
    which: fc.nat(20),
    label: fc.nat(2),
    addresses: weighted<'none' | 'same' | 'other' | 'both' | 'kept' | 'first'>(
      [2, 'none'],
      [1, 'same'],
      [1, 'other'],
      [1, 'both'],
      [1, 'kept'],
      [1, 'first'],
    ),
  }),
  fc.record({ kind: fc.constant('revokeKey' as const), name: fc.nat(12) }),
  fc.record({ kind: fc.constant('createAccount' as const), name: fc.nat(9) }),
  fc.record({ kind: fc.constant('createAsset' as const), name: fc.nat(6), decimals: fc.nat(26) }),
  fc.record({
    kind: fc.constant('list' as const),
    pair: fc.nat(4),
    isOdd: fc.boolean(),
    opensIn: weighted<number | null>([4, null], [1, -1], [1, 0], [3, 10]),
  }),
);
/** Repeats a request, like a client that saw no response. */
const repeat = fc.record({ kind: fc.constant('repeat' as const), back: fc.nat(6) });

const timing = {
  /** Milliseconds since the previous command. */
  wait: fc.oneof(
    { weight: 12, arbitrary: fc.constant(0) },
    { weight: 5, arbitrary: fc.integer({ min: 1, max: 10 }) },
    { weight: 1, arbitrary: fc.integer({ min: -20, max: -1 }) },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        50,
        3_600_000,
        APPROVAL_LIFETIME_MS,
        CLIENT_ORDER_ID_LIFETIME_MS,
        15 * 86_400_000,
      ),
    },
  ),
  operator: weighted([9, true], [1, false]),
};

export const move = fc.record({
  ...timing,
  what: fc.oneof(
    { weight: 24, arbitrary: place },
    { weight: 3, arbitrary: cancel },
    { weight: 7, arbitrary: change },
    { weight: 1, arbitrary: repeat },
    { weight: 2, arbitrary: connect },
    { weight: 2, arbitrary: administrative },
    { weight: 1, arbitrary: sign },
    { weight: 2, arbitrary: oversee },
    { weight: 2, arbitrary: supervision },
    { weight: 8, arbitrary: custody },
    { weight: 3, arbitrary: group },
  ),
});
/** Mostly about deposits and withdrawals. */
export const custodyMove = fc.record({
  ...timing,
  what: fc.oneof(
    { weight: 30, arbitrary: custody },
    { weight: 1, arbitrary: place },
    { weight: 1, arbitrary: administrative },
  ),
});
/** Mostly about accounts, and what operators do with them. */
export const operatorMove = fc.record({
  ...timing,
  what: fc.oneof(
    { weight: 8, arbitrary: oversee },
    { weight: 4, arbitrary: group },
    { weight: 3, arbitrary: administrative },
    { weight: 2, arbitrary: supervision },
    { weight: 4, arbitrary: custody },
    { weight: 3, arbitrary: change },
    { weight: 1, arbitrary: place },
  ),
});
export type Move = typeof move extends fc.Arbitrary<infer T> ? T : never;
