import { expect, test } from 'bun:test';
import Big from 'big.js';
import fc from 'fast-check';
import type { Outcome } from '../../src/engine/event.ts';
import { OrderReason, OrderStatus } from '../../src/engine/terms.ts';
import { type Draft, EMPTY_DRAFT, type OrderContext } from '../../web/trade/draft.ts';
import { amountForPercent, estimate } from '../../web/trade/order-estimate.ts';
import { describeOutcome } from '../../web/trade/order-outcome.ts';
import { validateDraft } from '../../web/trade/order-rules.ts';
import type { ExactMarket, ExactOrder } from '../../web/trade/records.ts';
import { ALICE, BOB, Fixture, FUNDS, placed } from '../fixture.ts';

/** The form's preview of market orders by cost is what the engine does with them. */

interface Given {
  readonly side: 'buy' | 'sell';
  readonly cost: number;
  readonly step: number;
  readonly maxAmount: number;
  /** Best first; one order each. */
  readonly levels: readonly (readonly [price: number, amount: number])[];
}

const given: fc.Arbitrary<Given> = fc
  .record({
    side: fc.constantFrom('buy' as const, 'sell' as const),
    cost: fc.oneof(
      fc.integer({ min: 10, max: 500 }),
      fc.integer({ min: 10_000, max: 45_000 }),
      fc.integer({ min: 10, max: 120_000 }),
    ),
    step: fc.constantFrom(1, 5),
    maxAmount: fc.constantFrom(20, 200, 10_000),
    prices: fc.uniqueArray(fc.integer({ min: 1, max: 50 }), { maxLength: 5 }),
    amounts: fc.array(fc.integer({ min: 20, max: 40 }), { minLength: 5, maxLength: 5 }),
  })
  .map(({ prices, amounts, ...rest }) => {
    const order = rest.side === 'buy' ? 1 : -1;
    const sorted = prices.toSorted((a, b) => order * (a - b));
    // Bids may take more than alice has; no side needs more than bob has.
    const scale = rest.side === 'buy' ? rest.step : 10;
    const levels = sorted.map(
      (price, at) => [price, Math.min(amounts[at]! * scale, rest.maxAmount)] as const,
    );
    return { ...rest, levels };
  });

const draft = ({ side, cost }: Pick<Given, 'side' | 'cost'>) =>
  ({
    ...EMPTY_DRAFT,
    side,
    type: 'market',
    by: { buy: 'cost', sell: 'cost' },
    cost: `${cost}`,
    timeInForce: 'IOC',
  }) satisfies Draft;

function toContext({ side, step, maxAmount, levels }: Given): OrderContext {
  const book = levels.map(([price, amount]) => [`${price}`, `${amount}`] as const);
  const market = {
    ...{ symbol: 'BTC/USDT', base: 'BTC', quote: 'USDT', tickSize: '1', stepSize: `${step}` },
    ...{ minAmount: `${step}`, maxAmount: `${maxAmount}`, minNotional: '1' },
  } as ExactMarket;
  return {
    market,
    last: new Big(100),
    asks: side === 'buy' ? book : [],
    bids: side === 'sell' ? book : [],
    available: { base: new Big(FUNDS[0]), quote: new Big(FUNDS[1]) },
    nowMs: 0,
  };
}

function trade({ side, cost, step, maxAmount, levels }: Given): Outcome {
  const fixture = new Fixture({ step, minAmount: step, maxAmount, minNotional: 1 });
  for (const [price, amount] of levels) {
    placed(fixture[side === 'buy' ? 'sell' : 'buy'](BOB, amount, price));
  }
  return side === 'buy' ? fixture.spend(ALICE, cost) : fixture.sellFor(ALICE, cost);
}

const SHORTAGES = new Map<number, 'balance' | 'liquidity'>([
  [OrderReason.insufficientBalance, 'balance'],
  [OrderReason.timeInForce, 'liquidity'],
]);

test('the preview and the faults of an order by cost are those of the engine', () => {
  const seen = new Set<string>();
  const property = fc.property(given, (order) => {
    const outcome = trade(order);
    const context = toContext(order);
    const faults = validateDraft(draft(order), context);
    if (outcome.kind === 'rejected') {
      const { required } = outcome as unknown as { required?: number };
      const text =
        required === undefined ? 'orders in the book' : `Insufficient balance: needs ${required} `;
      seen.add(required === undefined ? 'no liquidity' : 'rejected');
      const found = faults.map((fault) => [fault.field, fault.text.replaceAll(',', '')]);
      expect(found).toEqual([['cost', expect.stringContaining(text)]]);
      return;
    }
    expect(faults).toEqual([]);
    const rates = { makerFee: '0', takerFee: '0' };
    const found = estimate(draft(order), context, rates, { base: 0, quote: 0 })!;
    const { amount, filledCost, status, reason } = placed(outcome);
    expect([found.amount.toFixed(), found.total.toFixed()]).toEqual([`${amount}`, `${filledCost}`]);
    if (amount === 0) return;
    const shortage = status === OrderStatus.filled ? undefined : SHORTAGES.get(reason);
    seen.add(`${order.side} ${found.shortage}`);
    // The engine has one reason for both.
    const shown = found.shortage === 'maximum' ? 'liquidity' : found.shortage;
    expect(shown).toBe(shortage);
  });
  fc.assert(property, { numRuns: 2000 });
  const ends = ['buy undefined', 'buy liquidity', 'buy maximum'];
  const sells = ['sell undefined', 'sell liquidity', 'sell maximum', 'sell balance'];
  expect([...seen].sort()).toEqual([...ends, ...sells, 'rejected', 'no liquidity'].sort());
});

test('a share of the balance sells that share and no more', () => {
  const parts = fc.integer({ min: 1, max: 100 });
  const property = fc.property(given, parts, (order, percent) => {
    fc.pre(order.side === 'sell' && order.levels.length > 0);
    const cost = Number(amountForPercent(draft(order), toContext(order), percent, 0)!.toFixed());
    fc.pre(cost >= 10);
    const most = FUNDS[0] * percent * 0.01;
    const { amount, filledCost } = placed(trade({ ...order, cost }));
    expect(amount).toBeLessThanOrEqual(most);
    if (amount < order.maxAmount) expect(filledCost).toBe(cost);
  });
  fc.assert(property, { numRuns: 500 });
});

test('what a sell by cost traded is not shown as a part of its amount', () => {
  const order = {
    ...{ symbol: 'BTC/USDT', side: 'sell', type: 'market', status: 'expired' },
    ...{ amount: '0.5', filled: '0.5', average: '98', reason: 'insufficient_balance' },
  } as ExactOrder;
  expect(describeOutcome(order, 2).text).toBe(
    'Sold 0.5 BTC at 98.00 USDT. The remainder expired: insufficient balance.',
  );
});
