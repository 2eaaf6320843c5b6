import { afterAll, beforeAll, expect, test } from 'bun:test';
import Big from 'big.js';
import { UnreachableError } from '../../src/client/index.ts';
import { setCatalog } from '../i18n/catalog.ts';
import { accentuate } from '../i18n/pseudo.ts';
import { type Draft, EMPTY_DRAFT, type OrderContext } from './draft.ts';
import { listFacts } from './order-facts.ts';
import { TYPE_NAMES, triggerSign, typeAndSide, typeName } from './order-names.ts';
import { describeOcoOutcome, describeOutcome } from './order-outcome.ts';
import { describeFailure } from './order-rejection.ts';
import { marketClosedReason, validateDraft } from './order-rules.ts';
import type { ExactMarket, ExactOrder } from './records.ts';

/** Texts about orders in the pseudo-locale, in which every translated text is in brackets. */
beforeAll(() => setCatalog({ language: 'en-XA', messages: {}, accentuate }));
afterAll(() => setCatalog({ language: 'en', messages: {} }));

const TRANSLATED = /^\[.*\]$/s;
const market = {
  ...{ symbol: 'BTC/USDT', base: 'BTC', quote: 'USDT', status: 'online', tickSize: '1' },
  ...{ stepSize: '1', minAmount: '2', maxAmount: '9', minPrice: '1', maxPrice: '999' },
  minNotional: '50',
} as ExactMarket;
const context: OrderContext = {
  ...{ market, last: new Big(100), asks: [['101', '1']], bids: [['99', '1']], nowMs: 0 },
  available: { base: new Big(1), quote: new Big(1) },
};

test('outcomes and failures are translated', () => {
  const order = {
    ...{ symbol: 'BTC/USDT', side: 'buy', type: 'limit', status: 'open', amount: '2' },
    ...{ filled: '0', average: null, reason: null, timeInForce: 'GTC' },
  } as ExactOrder;
  const changes: Partial<ExactOrder>[] = [
    {},
    { status: 'rejected', reason: 'market_unavailable' },
    { status: 'expired', reason: 'time_in_force', timeInForce: 'FOK' },
    { status: 'filled', filled: '2', average: '9' },
    { filled: '1', average: '9' },
    { status: 'canceled', reason: 'too_small', filled: '1', average: '9' },
  ];
  for (const change of changes)
    expect(describeOutcome({ ...order, ...change }, 2).text).toMatch(TRANSLATED);
  expect(describeOcoOutcome([order], 2).text).toMatch(TRANSLATED);
  expect(describeFailure(new UnreachableError('', ''), 'canceled', 2)).toMatch(TRANSLATED);
  expect(typeAndSide('stop_limit', 'sell')).toMatch(TRANSLATED);
});

test('the names of order types and all faults of the form are translated', () => {
  for (const type of Object.keys(TYPE_NAMES) as Draft['type'][])
    expect(typeName(type)).toMatch(/^\[.*\]$/);
  const drafts: Partial<Draft>[] = [
    {},
    { amount: '1', price: 'x' },
    { amount: '10', price: '1000' },
    { amount: '2.5', price: '0' },
    { amount: '5', price: '100' },
    { amount: '5', price: '101', postOnly: true },
    { amount: '5', price: '1,5', timeInForce: 'GTD' },
    { type: 'market', cost: '9' },
    { type: 'market', cost: '' },
    { type: 'stop', amount: '2', triggerPrice: '99' },
    { type: 'trailing_stop', amount: '2', trailingPercent: '99' },
    { type: 'trailing_stop', amount: '2', trailBy: 'amount' },
  ];
  for (const draft of drafts) {
    const faults = validateDraft({ ...EMPTY_DRAFT, ...draft }, context);
    expect(faults.length).toBeGreaterThan(0);
    for (const { text } of faults) expect(text).toMatch(TRANSLATED);
  }
  for (const status of ['post_only', 'limit_only', 'auction', 'cancel_only', 'halted'] as const) {
    const order = { ...EMPTY_DRAFT, type: 'market' } as const;
    expect(marketClosedReason(order, { ...market, status })).toMatch(TRANSLATED);
  }
});

test('facts of a confirmation have translated values', () => {
  const facts = Object.fromEntries(
    listFacts(
      { ...EMPTY_DRAFT, type: 'oco', takeProfitPrice: '9', stopTrigger: '8' },
      market,
      'utc',
    ),
  );
  for (const label of ['Order type', 'Take profit', 'Stop loss'])
    expect(facts[label]).toMatch(TRANSLATED);
});

test.each([
  ['stop', 'buy', '≥'],
  ['stop', 'sell', '≤'],
  ['trailing_stop', 'sell', '≤'],
  ['take_profit', 'sell', '≥'],
  ['take_profit_limit', 'buy', '≤'],
] as const)('a %s order to %s triggers at prices %s its trigger price', (type, side, sign) => {
  expect(triggerSign({ type, side })).toBe(sign);
});
