import { describe, expect, test } from 'bun:test';
import { ALICE, BOB, CAROL, Fixture, USDT } from '../../../test/fixture.ts';
import { auditState } from '../audit/audit.ts';
import { CommandKind, SYSTEM_ACTOR, type TradingLimits } from '../command.ts';
import { RejectionCode } from '../rejection.ts';
import { readSnapshot, writeSnapshot } from '../snapshot/snapshot.ts';
import { NONE, OrderType, Side, TimeInForce } from '../terms.ts';
import { UNLIMITED } from './trading-limits.ts';

const { openNotionalLimit, orderRateLimit, ordersPerTradeLimit } = RejectionCode;

function limit(fixture: Fixture, owner: number, limits: Partial<TradingLimits> | null) {
  const kind = CommandKind.setTradingLimits;
  const all = limits === null ? null : { ...UNLIMITED, ...limits };
  return fixture.apply({ kind, ...SYSTEM_ACTOR, owner, limits: all });
}

function notionalLimit(usdt: number): Partial<TradingLimits> {
  return { openNotional: [{ asset: USDT, limit: usdt }] };
}

/** Returns the id of an order of Alice, or the rejection. */
function placed(outcome: ReturnType<Fixture['buy']>): number {
  if (outcome.kind !== 'order') throw new Error(JSON.stringify(outcome));
  return outcome.order.id;
}

function amend(fixture: Fixture, orderId: number, terms: { price?: number; amount?: number }) {
  const actor = { account: ALICE, key: NONE };
  const kind = CommandKind.amendOrder;
  return fixture.apply({ kind, ...actor, orderId, price: 0, amount: 0, triggerPrice: 0, ...terms });
}

describe('the limit of open notional', () => {
  test('counts what rests, and is free again after fills and cancels', () => {
    const fixture = new Fixture();
    limit(fixture, ALICE, notionalLimit(1_000));
    const first = placed(fixture.buy(ALICE, 6, 100));
    expect(fixture.buy(ALICE, 5, 100)).toMatchObject({
      kind: 'rejected',
      code: openNotionalLimit,
      asset: USDT,
      required: 1_100,
      limit: 1_000,
    });
    placed(fixture.buy(ALICE, 4, 100));
    expect(fixture.sell(ALICE, 1, 200)).toMatchObject({ code: openNotionalLimit });
    fixture.sell(BOB, 2, 100);
    placed(fixture.sell(ALICE, 1, 200));
    expect(fixture.sell(ALICE, 1, 200)).toMatchObject({ code: openNotionalLimit });
    expect(fixture.cancel(ALICE, first).kind).toBe('order');
    placed(fixture.sell(ALICE, 1, 200));
    auditState(fixture.exchange.state);
  });

  test('does not count orders that cannot rest', () => {
    const fixture = new Fixture();
    limit(fixture, ALICE, notionalLimit(100));
    fixture.sell(BOB, 20, 100);
    expect(fixture.market(ALICE, Side.buy, 5).kind).toBe('order');
    expect(fixture.buy(ALICE, 5, 100, { timeInForce: TimeInForce.ioc }).kind).toBe('order');
    expect(fixture.buy(ALICE, 5, 100)).toMatchObject({ code: openNotionalLimit });
  });

  test('counts pending orders, both legs of an OCO order and the amendments', () => {
    const fixture = new Fixture();
    limit(fixture, ALICE, notionalLimit(1_000));
    const actor = { account: ALICE, key: NONE, market: 0, selfTradePrevention: 0 };
    const rest = { expiresAt: 0, clientOrderId: null, amount: 3, side: Side.sell } as const;
    const oco = {
      ...{ kind: CommandKind.placeOco, ...actor, ...rest },
      takeProfit: { price: 200, triggerPrice: 0 },
      stopLoss: { price: 90, triggerPrice: 95 },
    } as const;
    expect(fixture.apply(oco).kind).toBe('oco');
    expect(fixture.buy(ALICE, 2, 100)).toMatchObject({ required: 1_070 });
    const id = placed(fixture.buy(ALICE, 1, 100));
    expect(amend(fixture, id, { amount: 2 })).toMatchObject({ code: openNotionalLimit });
    expect(amend(fixture, id, { price: 130 }).kind).toBe('order');
    expect(fixture.buy(ALICE, 1, 50)).toMatchObject({ code: openNotionalLimit });
    const stop = { type: OrderType.stop, triggerPrice: 150, price: 0, cost: 0, postOnly: false };
    const kind = CommandKind.placeStopOrder;
    const timeInForce = TimeInForce.gtc;
    // It trades as a market order.
    const pending = { kind, ...actor, ...rest, ...stop, timeInForce, side: Side.buy };
    expect(fixture.apply(pending).kind).toBe('order');
    auditState(fixture.exchange.state);
  });

  test('of other quote assets does not matter', () => {
    const fixture = new Fixture();
    limit(fixture, ALICE, { openNotional: [{ asset: 0, limit: 1 }] });
    placed(fixture.buy(ALICE, 50, 100));
  });
});

describe('the order rate', () => {
  test('is of ten seconds, counts orders and amendments, and names when to try again', () => {
    const fixture = new Fixture();
    limit(fixture, ALICE, { orderRate: 2 });
    const id = placed(fixture.buy(ALICE, 1, 50));
    amend(fixture, id, { price: 51 });
    const retryAt = fixture.time - (fixture.time % 10_000) + 10_000;
    expect(fixture.buy(ALICE, 1, 50)).toMatchObject({ code: orderRateLimit, limit: 2, retryAt });
    expect(amend(fixture, id, { price: 52 })).toMatchObject({ code: orderRateLimit });
    fixture.wait(retryAt - fixture.time - 1);
    expect(fixture.buy(ALICE, 1, 50)).toMatchObject({ code: orderRateLimit });
    fixture.wait(1);
    placed(fixture.buy(ALICE, 1, 50));
    auditState(fixture.exchange.state);
  });

  test('never rejects a cancel or a lower amount, nor counts what was rejected or repeated', () => {
    const fixture = new Fixture();
    limit(fixture, ALICE, { orderRate: 2 });
    expect(fixture.buy(ALICE, 1, 3)).toMatchObject({ code: RejectionCode.minNotional });
    const id = placed(fixture.buy(ALICE, 4, 50, { clientOrderId: 'a' }));
    expect(fixture.buy(ALICE, 4, 50, { clientOrderId: 'a' })).toEqual({
      kind: 'repeated',
      orderId: id,
    });
    placed(fixture.buy(ALICE, 1, 50));
    expect(amend(fixture, id, { amount: 3 }).kind).toBe('order');
    expect(amend(fixture, id, { amount: 2, price: 50 }).kind).toBe('order');
    expect(fixture.buy(ALICE, 4, 50, { clientOrderId: 'a' })).toMatchObject({ kind: 'repeated' });
    expect(fixture.buy(ALICE, 1, 50)).toMatchObject({ code: orderRateLimit });
    expect(fixture.cancel(ALICE, id).kind).toBe('order');
  });
});

describe('orders per trade', () => {
  test('grow with the trades of the hour, as maker and as taker', () => {
    const fixture = new Fixture();
    limit(fixture, ALICE, { ordersPerTrade: 2, freeOrders: 1 });
    placed(fixture.buy(ALICE, 1, 100));
    expect(fixture.buy(ALICE, 1, 50)).toMatchObject({ code: ordersPerTradeLimit, limit: 1 });
    fixture.sell(BOB, 1, 100);
    fixture.sell(BOB, 1, 110);
    // Orders 2 and 3, the second of which trades.
    placed(fixture.buy(ALICE, 1, 50));
    placed(fixture.buy(ALICE, 1, 110));
    placed(fixture.buy(ALICE, 1, 50));
    placed(fixture.buy(ALICE, 1, 50));
    const retryAt = fixture.time - (fixture.time % 3_600_000) + 3_600_000;
    expect(fixture.buy(ALICE, 1, 50)).toMatchObject({
      code: ordersPerTradeLimit,
      limit: 5,
      retryAt,
    });
    fixture.wait(retryAt - fixture.time);
    placed(fixture.buy(ALICE, 1, 50));
    expect(fixture.buy(ALICE, 1, 50)).toMatchObject({ limit: 1 });
    auditState(fixture.exchange.state);
  });
});

describe('limits', () => {
  test('of all accounts apply to those without their own', () => {
    const fixture = new Fixture();
    expect(limit(fixture, NONE, { orderRate: 1 }).kind).toBe('done');
    limit(fixture, BOB, {});
    limit(fixture, CAROL, { orderRate: 2 });
    const rejections = [ALICE, BOB, CAROL].map((account) => {
      let orders = 0;
      while (orders < 5 && fixture.buy(account, 1, 50).kind === 'order') orders++;
      return orders;
    });
    expect(rejections).toEqual([1, 5, 2]);
    limit(fixture, CAROL, null);
    expect(fixture.buy(CAROL, 1, 50)).toMatchObject({ code: orderRateLimit, limit: 1 });
    limit(fixture, NONE, null);
    placed(fixture.buy(ALICE, 1, 50));
  });

  test('and their counts stay in force over a snapshot', () => {
    const fixture = new Fixture();
    limit(fixture, NONE, { orderRate: 2, ordersPerTrade: 1, freeOrders: 9, ...notionalLimit(120) });
    limit(fixture, BOB, { orderRate: 3 });
    placed(fixture.buy(ALICE, 1, 50));
    const bytes = writeSnapshot(fixture.exchange);
    const copy = readSnapshot(bytes);
    expect(writeSnapshot(copy)).toEqual(bytes);
    expect(copy.state.digest).toBe(fixture.exchange.state.digest);
    auditState(copy.state);
    const { tradingLimits } = copy.state.parts;
    expect(tradingLimits.usage(ALICE)).toEqual({ rateOrders: 1, orders: 1, trades: 0 });
    expect(tradingLimits.find(BOB).orderRate).toBe(3);
  });

  test.each([
    ['an unknown account', 9, {}, RejectionCode.unknownAccount],
    [
      'an unknown asset',
      ALICE,
      { openNotional: [{ asset: 9, limit: 1 }] },
      RejectionCode.unknownAsset,
    ],
    ['no notional', ALICE, notionalLimit(0), RejectionCode.invalidRules],
    ['a rate beyond the maximum', ALICE, { orderRate: 1_000_001 }, RejectionCode.invalidRules],
    ['a ratio without free orders', ALICE, { ordersPerTrade: 1 }, RejectionCode.invalidRules],
    [
      'an asset twice',
      ALICE,
      { openNotional: [notionalLimit(1), notionalLimit(2)].flatMap((each) => each.openNotional!) },
      RejectionCode.invalidRules,
    ],
  ] as const)('are rejected with %s', (_, owner, limits, code) => {
    const fixture = new Fixture();
    const { digest } = fixture.exchange.state;
    expect(limit(fixture, owner, limits)).toMatchObject({ kind: 'rejected', code });
    expect(fixture.exchange.state.digest).toBe(digest);
    expect(fixture.exchange.state.parts.tradingLimits.isEmpty).toBe(true);
  });
});
