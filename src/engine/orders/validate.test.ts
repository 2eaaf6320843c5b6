import { describe, expect, test } from 'bun:test';
import {
  ALICE,
  BOB,
  BTC,
  Fixture,
  limitOrder,
  placed,
  summary,
  USDT,
} from '../../../test/fixture.ts';
import { CommandKind, type PlaceOrder, SYSTEM_ACTOR } from '../command.ts';
import type { Outcome } from '../event.ts';
import { CLIENT_ORDER_ID_LIFETIME_MS, MAX_OPEN_ORDERS_PER_ACCOUNT, MAX_UNITS } from '../limits.ts';
import type { Exact } from '../numbers/exact.ts';
import { RejectionCode } from '../rejection.ts';
import { MarketStatus, OrderType, Side, TimeInForce } from '../terms.ts';

const { gtd, ioc } = TimeInForce;

function expectRefusal(outcome: Outcome, code: RejectionCode, rule?: string): void {
  expect(outcome).toEqual({ kind: 'rejected', code, ...(rule === undefined ? {} : { rule }) });
}

describe('insufficient funds for', () => {
  const short = (required: Exact, available: Exact, asset: number) => ({
    kind: 'rejected' as const,
    code: RejectionCode.insufficientBalance,
    required,
    available,
    asset,
  });

  test.each<[string, (fixture: Fixture) => Outcome, ReturnType<typeof short>]>([
    ['a limit buy', (fixture) => fixture.buy(ALICE, 501, 200), short(100_200, 100_000, USDT)],
    ['a limit sell', (fixture) => fixture.sell(ALICE, 1_001, 200), short(1_001, 1_000, BTC)],
    [
      'a market sell',
      (fixture) => fixture.market(ALICE, Side.sell, 1_001),
      short(1_001, 1_000, BTC),
    ],
    ['a buy by cost', (fixture) => fixture.spend(ALICE, 100_001), short(100_001, 100_000, USDT)],
  ])('%s', (_, order, expected) => {
    expect(order(new Fixture())).toEqual(expected);
  });

  test('a market buy that costs more in the book', () => {
    const fixture = new Fixture();
    fixture.sell(BOB, 2, 40_000);
    fixture.sell(BOB, 2, 60_000);
    expect(fixture.market(ALICE, Side.buy, 3)).toEqual(short(140_000, 100_000, USDT));
    // As much as the book has, if it asks for more.
    expect(fixture.market(ALICE, Side.buy, 9)).toEqual(short(200_000, 100_000, USDT));
    expect(summary(fixture.market(ALICE, Side.buy, 2))).toBe('filled 2/2');
  });

  test('an order while the rest is held', () => {
    const fixture = new Fixture();
    fixture.buy(ALICE, 400, 200);
    expect(fixture.buy(ALICE, 101, 200)).toEqual(short(20_200, 20_000, USDT));
    expect(summary(fixture.buy(ALICE, 100, 200))).toBe('open 0/100');
  });

  test('an order of any size, with the exact requirement', () => {
    const outcome = new Fixture().buy(ALICE, MAX_UNITS, MAX_UNITS);
    expect(outcome).toEqual(short(BigInt(MAX_UNITS) ** 2n, 100_000, USDT));
  });
});

describe('the order of validation', () => {
  /** Breaks every rule: too expensive, off the grid, out of bounds, in a closed market. */
  const worst: Partial<PlaceOrder> = { timeInForce: gtd, expiresAt: 1, postOnly: true };

  test('is client order id, funds, amount, price, notional, market, expiry, post-only', () => {
    const fixture = new Fixture({ step: 10, minAmount: 10, tick: 5, minPrice: 5, maxPrice: 1_000 });
    fixture.transfer(ALICE, USDT, 10n ** 18n);
    fixture.transfer(BOB, USDT, -99_990);
    fixture.sell(BOB, 10, 100, { clientOrderId: 'mine' });
    const status = (value: number) =>
      fixture.apply({
        kind: CommandKind.setMarketStatus,
        ...SYSTEM_ACTOR,
        market: 0,
        status: value,
      });
    status(MarketStatus.halted);
    expectRefusal(
      fixture.buy(BOB, 9_999_999, 9_999_999, { ...worst, clientOrderId: 'mine' }),
      RejectionCode.duplicateClientOrderId,
    );
    expect(fixture.buy(BOB, 9_999_999, 9_999_999, worst)).toMatchObject({
      code: RejectionCode.insufficientBalance,
    });
    const amount = RejectionCode.amountOutOfBounds;
    expectRefusal(fixture.buy(ALICE, 9_999_999, 9_999_999, worst), amount, 'maxAmount');
    expectRefusal(fixture.buy(ALICE, 9, 9_999_999, worst), amount, 'minAmount');
    expectRefusal(fixture.buy(ALICE, 11, 9_999_999, worst), amount, 'stepSize');
    const price = RejectionCode.priceOutOfBounds;
    expectRefusal(fixture.buy(ALICE, 10, 9_999_999, worst), price, 'maxPrice');
    expectRefusal(fixture.buy(ALICE, 10, 1, worst), price, 'minPrice');
    expectRefusal(fixture.buy(ALICE, 10, 101, worst), price, 'tickSize');
    expectRefusal(fixture.buy(ALICE, 10, 100, worst), RejectionCode.marketUnavailable);
    status(MarketStatus.online);
    expectRefusal(fixture.buy(ALICE, 10, 100, worst), RejectionCode.expiryPassed);
    expectRefusal(fixture.buy(ALICE, 10, 100, { postOnly: true }), RejectionCode.postOnlyWouldTake);
  });

  test('reports insufficient funds for an absurdly large order', () => {
    const outcome = new Fixture().sell(ALICE, MAX_UNITS, 1);
    expect(outcome).toMatchObject({ code: RejectionCode.insufficientBalance });
  });
});

describe('bounds and notional', () => {
  test('all bounds are inclusive', () => {
    const fixture = new Fixture({
      minAmount: 2,
      maxAmount: 4,
      minPrice: 10,
      maxPrice: 20,
      minNotional: 40,
    });
    expect(summary(fixture.sell(ALICE, 2, 20))).toBe('open 0/2');
    expect(summary(fixture.sell(ALICE, 4, 20))).toBe('open 0/4');
    expect(summary(fixture.buy(ALICE, 4, 10))).toBe('open 0/4');
    expectRefusal(fixture.buy(ALICE, 3, 13), RejectionCode.minNotional);
  });

  test('the notional of a market order uses the best price', () => {
    const fixture = new Fixture({ minNotional: 200 });
    fixture.sell(BOB, 2, 100);
    fixture.sell(BOB, 5, 300);
    expectRefusal(fixture.market(ALICE, Side.buy, 1), RejectionCode.minNotional);
    expect(summary(fixture.market(ALICE, Side.buy, 2))).toBe('filled 2/2');
    expect(summary(fixture.market(ALICE, Side.buy, 1))).toBe('filled 1/1');
  });

  test('the notional of a buy by cost is its cost', () => {
    const fixture = new Fixture({ minNotional: 200 });
    fixture.sell(BOB, 2, 100);
    expectRefusal(fixture.spend(ALICE, 199), RejectionCode.minNotional);
    expect(summary(fixture.spend(ALICE, 200))).toBe('filled 2/2');
  });

  test('a market order needs liquidity', () => {
    const fixture = new Fixture();
    expectRefusal(fixture.market(ALICE, Side.sell, 1), RejectionCode.noLiquidity);
    expectRefusal(fixture.spend(ALICE, 100), RejectionCode.noLiquidity);
  });

  test('an unknown market is rejected', () => {
    expectRefusal(new Fixture().buy(ALICE, 1, 100, { market: 1 }), RejectionCode.unknownMarket);
  });
});

describe('the status of a market', () => {
  const forms = {
    limit: {},
    postOnly: { postOnly: true },
    market: { type: OrderType.market, timeInForce: ioc, price: 0 },
  };
  const table: [keyof typeof MarketStatus, (keyof typeof forms)[]][] = [
    ['online', ['limit', 'postOnly', 'market']],
    ['postOnly', ['postOnly']],
    ['limitOnly', ['limit', 'postOnly']],
    ['cancelOnly', []],
    ['halted', []],
  ];

  test.each(table)('%s accepts %p', (status, authorized) => {
    const fixture = new Fixture();
    const { id } = placed(fixture.sell(BOB, 10, 100));
    const change = { market: 0, status: MarketStatus[status] };
    fixture.apply({ kind: CommandKind.setMarketStatus, ...SYSTEM_ACTOR, ...change });
    for (const [form, terms] of Object.entries(forms)) {
      const outcome = fixture.buy(ALICE, 1, 99, terms);
      if ((authorized as string[]).includes(form)) expect(outcome.kind).toBe('order');
      else expectRefusal(outcome, RejectionCode.marketUnavailable);
    }
    expect(summary(fixture.cancel(BOB, id))).toStartWith('canceled');
  });
});

test('open orders per account are limited; orders that cannot rest do not count', () => {
  const fixture = new Fixture({ minNotional: 0 });
  for (let count = 0; count < MAX_OPEN_ORDERS_PER_ACCOUNT; count++) fixture.buy(ALICE, 1, 1);
  expectRefusal(fixture.buy(ALICE, 1, 1), RejectionCode.tooManyOpenOrders);
  fixture.sell(BOB, 1, 100);
  expect(summary(fixture.buy(ALICE, 1, 100, { timeInForce: ioc }))).toBe('filled 1/1');
  expect(summary(fixture.buy(BOB, 1, 1))).toBe('open 0/1');
  fixture.sell(BOB, 1, 1);
  expect(summary(fixture.buy(ALICE, 1, 1))).toBe('open 0/1');
});

describe('a client order id', () => {
  test('places its order once, whatever happens to it', () => {
    const fixture = new Fixture();
    const { id } = placed(fixture.buy(ALICE, 1, 100, { clientOrderId: 'x' }));
    const again = { kind: 'repeated', orderId: id } as const;
    expect(fixture.buy(ALICE, 1, 100, { clientOrderId: 'x' })).toEqual(again);
    fixture.sell(BOB, 1, 100);
    expect(fixture.buy(ALICE, 1, 100, { clientOrderId: 'x' })).toEqual(again);
    expect(fixture.events).toEqual([]);
    expect(fixture.book()).toBe('|');
  });

  test('is separate for each account', () => {
    const fixture = new Fixture();
    fixture.buy(ALICE, 1, 100, { clientOrderId: 'x' });
    expect(summary(fixture.buy(BOB, 1, 100, { clientOrderId: 'x' }))).toBe('open 0/1');
  });

  test.each<[string, Partial<PlaceOrder>]>([
    ['side', { side: Side.sell }],
    ['price', { price: 101 }],
    ['amount', { amount: 2 }],
    ['timeInForce', { timeInForce: ioc }],
    ['expiresAt', { timeInForce: gtd, expiresAt: 2_000_000_000_000 }],
    ['postOnly', { postOnly: true }],
    ['selfTradePrevention', { selfTradePrevention: 1 }],
    ['type', { type: OrderType.market, price: 0 }],
    ['cost', { type: OrderType.market, price: 0, amount: 0, cost: 100 }],
  ])('with another %s is rejected', (_, other) => {
    const fixture = new Fixture();
    fixture.buy(ALICE, 1, 100, { clientOrderId: 'x' });
    const outcome = fixture.buy(ALICE, 1, 100, { clientOrderId: 'x', ...other });
    expectRefusal(outcome, RejectionCode.duplicateClientOrderId);
  });

  test('is not consumed by a rejected order', () => {
    const fixture = new Fixture();
    expect(fixture.buy(ALICE, 1, 200_000, { clientOrderId: 'x' }).kind).toBe('rejected');
    expect(summary(fixture.buy(ALICE, 1, 100, { clientOrderId: 'x' }))).toBe('open 0/1');
  });

  test('expires, but never while its order is open', () => {
    const fixture = new Fixture();
    const { id } = placed(fixture.buy(ALICE, 1, 100, { clientOrderId: 'open' }));
    fixture.buy(ALICE, 1, 100, { clientOrderId: 'gone', timeInForce: ioc });
    fixture.wait(CLIENT_ORDER_ID_LIFETIME_MS - 1);
    const gone = limitOrder(ALICE, Side.buy, 1, 100, { clientOrderId: 'gone', timeInForce: ioc });
    expect(fixture.apply(gone).kind).toBe('repeated');
    fixture.wait(1);
    expect(fixture.apply(gone).kind).toBe('order');
    const repeat = () => fixture.buy(ALICE, 1, 100, { clientOrderId: 'open' });
    expect(repeat()).toEqual({ kind: 'repeated', orderId: id });
    fixture.cancel(ALICE, id);
    expect(repeat().kind).toBe('order');
  });
});
