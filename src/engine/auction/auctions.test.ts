import { describe, expect, test } from 'bun:test';
import { ALICE, BOB, BTC, CAROL, Fixture, placed, USDT } from '../../../test/fixture.ts';
import { auditState } from '../audit/audit.ts';
import { CommandKind, SYSTEM_ACTOR } from '../command.ts';
import type { OrderRecord } from '../event.ts';
import { RejectionCode } from '../rejection.ts';
import { readSnapshot, writeSnapshot } from '../snapshot/snapshot.ts';
import {
  MarketStatus,
  NONE,
  OrderReason,
  OrderStatus,
  OrderType,
  Side,
  TimeInForce,
} from '../terms.ts';

const AUCTION_MS = 1_000;
/** Bands of 20 % around the last auction and of 10 % around the last price. */
const BANDS = { staticBand: 200_000, dynamicBand: 100_000, auctionMs: AUCTION_MS };

function status({ exchange }: Fixture): number {
  return exchange.state.markets[0]!.status;
}

function audit({ exchange }: Fixture): void {
  auditState(exchange.state);
}

function call(fixture: Fixture) {
  return fixture.exchange.state.parts.auctions.find(fixture.exchange.state.markets[0]!);
}

function placeStop(fixture: Fixture, account: number, triggerPrice: number): OrderRecord {
  const terms = { type: OrderType.stop, side: Side.sell, timeInForce: TimeInForce.gtc };
  const outcome = fixture.apply({
    kind: CommandKind.placeStopOrder,
    ...{ account, key: NONE, market: 0, ...terms, postOnly: false, selfTradePrevention: 0 },
    ...{ price: 0, amount: 1, cost: 0, expiresAt: 0, clientOrderId: null, triggerPrice },
  });
  return placed(outcome);
}

describe('a volatility halt', () => {
  test('fills up to the edge of the dynamic band, then lets the rest take part in an auction', () => {
    const fixture = new Fixture(BANDS);
    fixture.sell(BOB, 1, 110);
    fixture.sell(BOB, 1, 111);
    const { status: orderStatus, remaining } = placed(fixture.buy(ALICE, 3, 120));
    expect([orderStatus, remaining]).toEqual([OrderStatus.open, 2]);
    expect(fixture.trades()).toBe('1@110');
    expect(status(fixture)).toBe(MarketStatus.auction);
    expect(call(fixture)).toMatchObject({ cause: 2, endsAt: fixture.time + AUCTION_MS });
    audit(fixture);
    fixture.wait(AUCTION_MS - 1);
    expect(status(fixture)).toBe(MarketStatus.auction);
    fixture.wait(1);
    expect(fixture.trades()).toBe('1@111');
    expect(status(fixture)).toBe(MarketStatus.online);
    expect(fixture.book()).toBe('1@120 |');
    audit(fixture);
  });

  test('happens on the other side of the band too: a price below it is no bargain', () => {
    const fixture = new Fixture(BANDS);
    fixture.sell(BOB, 1, 89);
    expect(placed(fixture.buy(ALICE, 1, 100)).status).toBe(OrderStatus.open);
    expect(fixture.trades()).toBe('');
    expect(status(fixture)).toBe(MarketStatus.auction);
  });

  test('by the static band follows many small steps', () => {
    const fixture = new Fixture(BANDS);
    for (const price of [108, 116, 120]) {
      fixture.sell(BOB, 1, price);
      fixture.buy(ALICE, 1, price);
    }
    expect(status(fixture)).toBe(MarketStatus.online);
    fixture.sell(BOB, 1, 121);
    fixture.buy(ALICE, 1, 121);
    expect(status(fixture)).toBe(MarketStatus.auction);
    fixture.wait(AUCTION_MS);
    // The auction's price is the new static reference: 145 is 20 % above it.
    for (const price of [133, 145]) {
      fixture.sell(BOB, 1, price);
      fixture.buy(ALICE, 1, price);
      expect(fixture.trades()).toBe(`1@${price}`);
    }
  });

  test('the static reference of a day is the price before its first trade', () => {
    const fixture = new Fixture({ ...BANDS, dynamicBand: 0 });
    const trade = (price: number) => {
      fixture.sell(BOB, 1, price);
      fixture.buy(ALICE, 1, price);
      return fixture.trades();
    };
    expect(trade(120)).toBe('1@120');
    fixture.wait(86_400_000);
    expect(trade(144)).toBe('1@144');
    expect(trade(145)).toBe('');
  });

  test.each([
    ['a market order', { type: OrderType.market, price: 0, timeInForce: TimeInForce.ioc }],
    ['an IOC order', { timeInForce: TimeInForce.ioc }],
    [
      'a market order by cost',
      { type: OrderType.market, price: 0, amount: 0, cost: 500, timeInForce: 1 },
    ],
  ])('ends the rest of %s', (_, terms) => {
    const fixture = new Fixture(BANDS);
    fixture.sell(BOB, 1, 105);
    fixture.sell(BOB, 5, 120);
    const order = placed(fixture.buy(ALICE, 4, 130, terms));
    expect([order.status, order.reason]).toEqual([OrderStatus.expired, OrderReason.volatilityHalt]);
    expect(fixture.trades()).toBe('1@105');
    expect(status(fixture)).toBe(MarketStatus.auction);
  });

  test('is not caused by a fill-or-kill order, by an order that rests, or by the edge of the band', () => {
    const fixture = new Fixture(BANDS);
    fixture.sell(BOB, 1, 120);
    const fillOrKill = { timeInForce: TimeInForce.fok };
    for (const amount of [1, 2]) {
      const order = placed(fixture.buy(ALICE, amount, 120, fillOrKill));
      expect(order.reason).toBe(OrderReason.timeInForce);
      if (amount === 1) fixture.sell(BOB, 1, 110);
    }
    fixture.buy(ALICE, 2, 110);
    expect(fixture.trades()).toBe('1@110');
    expect(status(fixture)).toBe(MarketStatus.online);
  });

  test('is extended once if the price is far outside the bands', () => {
    const fixture = new Fixture({ ...BANDS, staticBand: 0 });
    fixture.sell(BOB, 1, 130);
    fixture.buy(ALICE, 1, 130);
    fixture.wait(AUCTION_MS);
    expect(call(fixture)).toMatchObject({ isExtended: true, endsAt: fixture.time + AUCTION_MS });
    fixture.wait(AUCTION_MS);
    expect(fixture.trades()).toBe('1@130');
    expect(status(fixture)).toBe(MarketStatus.online);
  });

  test('returns to the status that the market had', () => {
    const fixture = new Fixture(BANDS);
    fixture.setStatus(MarketStatus.limitOnly);
    fixture.sell(BOB, 1, 120);
    fixture.buy(ALICE, 1, 120);
    fixture.wait(AUCTION_MS);
    expect(status(fixture)).toBe(MarketStatus.limitOnly);
  });
});

describe('the call phase', () => {
  function calledFixture(rules = {}): Fixture {
    const fixture = new Fixture({ auctionMs: AUCTION_MS, ...rules });
    fixture.setStatus(MarketStatus.auction);
    return fixture;
  }

  test('accepts orders that rest, even post-only ones that cross, and no others', () => {
    const fixture = calledFixture();
    fixture.sell(BOB, 2, 95, { postOnly: true });
    fixture.buy(ALICE, 2, 105, { postOnly: true });
    expect(fixture.trades()).toBe('');
    expect(fixture.book()).toBe('2@105 | 2@95');
    audit(fixture);
    const unavailable = { kind: 'rejected', code: RejectionCode.marketUnavailable };
    for (const timeInForce of [TimeInForce.ioc, TimeInForce.fok]) {
      expect(fixture.buy(ALICE, 1, 105, { timeInForce })).toMatchObject(unavailable);
    }
    expect(fixture.market(ALICE, Side.buy, 1)).toMatchObject(unavailable);
  });

  test('ends at one price: price, then time, with the surplus left in the book', () => {
    const fixture = calledFixture();
    fixture.buy(ALICE, 3, 104);
    fixture.buy(CAROL, 3, 104);
    fixture.buy(ALICE, 1, 106);
    fixture.sell(BOB, 5, 98);
    fixture.wait(AUCTION_MS);
    expect(fixture.trades()).toBe('1@100 3@100 1@100');
    expect(fixture.book()).toBe('2@104 |');
    // Both sides pay the maker fee, here none, and a buyer what the auction costs, not its limit.
    expect(fixture.balances(ALICE)).toBe('1004+0 99600+0');
    expect(fixture.balances(CAROL)).toBe(`1001+0 ${100_000 - 100 - 208}+208`);
    expect(fixture.balances(BOB)).toBe('995+0 100500+0');
    audit(fixture);
  });

  test('both orders of a trade pay the maker fee', () => {
    const fixture = calledFixture({ makerFee: 10_000, takerFee: 50_000 });
    fixture.buy(ALICE, 100, 100);
    fixture.sell(BOB, 100, 100);
    fixture.wait(AUCTION_MS);
    expect(fixture.balances(ALICE)).toBe('1099+0 90000+0');
    expect(fixture.balances(BOB)).toBe('900+0 109900+0');
  });

  test('fills icebergs with all they hide, and orders of one account with each other', () => {
    const fixture = calledFixture();
    fixture.sell(ALICE, 10, 100, { displayAmount: 2 });
    fixture.buy(ALICE, 7, 100);
    fixture.wait(AUCTION_MS);
    expect(fixture.trades()).toBe('7@100');
    expect(fixture.book()).toBe('| 2@100');
    expect(fixture.balances(ALICE)).toBe('997+3 100000+0');
    audit(fixture);
  });

  test('takes amendments, cancellations and expiries, which never trade', () => {
    const fixture = calledFixture();
    const { id } = placed(fixture.buy(ALICE, 2, 90));
    fixture.sell(BOB, 2, 95);
    const expiresAt = fixture.time + AUCTION_MS;
    fixture.buy(CAROL, 2, 99, { timeInForce: TimeInForce.gtd, expiresAt });
    const terms = { orderId: id, price: 97, amount: 3, triggerPrice: 0 };
    fixture.apply({ kind: CommandKind.amendOrder, account: ALICE, key: NONE, ...terms });
    expect(fixture.book()).toBe('2@99 3@97 | 2@95');
    fixture.cancel(BOB, id + 1);
    fixture.sell(BOB, 1, 96);
    // An expiry at the same time comes first.
    fixture.wait(AUCTION_MS);
    expect(fixture.trades()).toBe('1@97');
    expect(fixture.book()).toBe('2@97 |');
  });

  test('stops are triggered by the price of the auction, after it', () => {
    const fixture = calledFixture();
    placeStop(fixture, CAROL, 95);
    fixture.buy(ALICE, 1, 94);
    fixture.sell(BOB, 1, 90);
    expect(fixture.trades()).toBe('');
    fixture.buy(ALICE, 1, 89);
    fixture.wait(AUCTION_MS);
    expect(fixture.trades()).toBe('1@94 1@89');
  });

  test('stops that were triggered before a halt run after the auction', () => {
    const fixture = new Fixture({ ...BANDS, staticBand: 0 });
    placeStop(fixture, CAROL, 95);
    fixture.buy(ALICE, 1, 95);
    fixture.buy(ALICE, 1, 70);
    // The second part of this order halts the market after the first has triggered the stop.
    fixture.sell(BOB, 2, 60);
    expect(fixture.trades()).toBe('1@95');
    expect(status(fixture)).toBe(MarketStatus.auction);
    expect(fixture.exchange.nextDueTime).toBe(fixture.time + AUCTION_MS);
    const halted = readSnapshot(writeSnapshot(fixture.exchange));
    expect(halted.nextDueTime).toBe(fixture.exchange.nextDueTime);
    fixture.wait(AUCTION_MS);
    fixture.wait(AUCTION_MS);
    expect(status(fixture)).toBe(MarketStatus.online);
    const stop = fixture.events.find((event) => event.kind === 'order' && event.account === CAROL);
    expect(stop).toMatchObject({ status: OrderStatus.rejected, reason: OrderReason.noLiquidity });
  });

  test('a fill cancels the other leg of an OCO order and activates bracket legs', () => {
    const fixture = calledFixture();
    const leg = { price: 0, triggerPrice: 0 };
    fixture.apply({
      kind: CommandKind.placeOco,
      ...{ account: ALICE, key: NONE, market: 0, side: Side.sell, amount: 2, expiresAt: 0 },
      ...{ selfTradePrevention: 0, clientOrderId: null },
      takeProfit: { ...leg, price: 102 },
      stopLoss: { ...leg, triggerPrice: 90 },
    });
    fixture.buy(BOB, 2, 103);
    fixture.wait(AUCTION_MS);
    expect(fixture.trades()).toBe('2@102');
    expect(fixture.exchange.state.orders.size).toBe(0);
    expect(fixture.balances(ALICE)).toBe('998+0 100204+0');
  });
});

describe('operators', () => {
  test('end an auction by any status that trades, which fills orders before it', () => {
    for (const next of [MarketStatus.online, MarketStatus.limitOnly, MarketStatus.postOnly]) {
      const fixture = new Fixture();
      fixture.setStatus(MarketStatus.auction);
      expect(call(fixture)).toMatchObject({ endsAt: 0, cause: 1 });
      expect(fixture.exchange.nextDueTime).toBe(Number.POSITIVE_INFINITY);
      fixture.buy(ALICE, 1, 101);
      fixture.sell(BOB, 1, 99);
      fixture.setStatus(next);
      expect(fixture.trades()).toBe('1@100');
      expect(status(fixture)).toBe(next);
      audit(fixture);
    }
  });

  test('may halt it: the book stays crossed until the market trades again', () => {
    const fixture = new Fixture({ auctionMs: AUCTION_MS });
    fixture.setStatus(MarketStatus.auction);
    fixture.buy(ALICE, 1, 101);
    fixture.sell(BOB, 1, 99);
    for (const halted of [MarketStatus.halted, MarketStatus.cancelOnly]) {
      fixture.setStatus(halted);
      fixture.wait(AUCTION_MS);
      expect(fixture.trades()).toBe('');
      audit(fixture);
    }
    fixture.setStatus(MarketStatus.online);
    expect(fixture.trades()).toBe('1@100');
    audit(fixture);
  });

  test('delist a market in its call phase without a trade', () => {
    const fixture = new Fixture({ auctionMs: AUCTION_MS });
    fixture.setStatus(MarketStatus.auction);
    fixture.buy(ALICE, 1, 101);
    fixture.sell(BOB, 1, 99);
    fixture.apply({ kind: CommandKind.delistMarket, ...SYSTEM_ACTOR, market: 0 });
    audit(fixture);
    fixture.wait(AUCTION_MS);
    expect(fixture.trades()).toBe('');
    expect(fixture.balances(ALICE)).toBe('1000+0 100000+0');
    expect(fixture.exchange.state.parts.auctions.nextTime).toBe(Number.POSITIVE_INFINITY);
  });

  test('open a new market by an auction around its reference price', () => {
    const fixture = new Fixture();
    const listing = {
      ...{ kind: CommandKind.listMarket, ...SYSTEM_ACTOR },
      ...{ symbol: 'USDT/BTC', base: 'USDT', quote: 'BTC', priceDecimals: 0, amountDecimals: 0 },
      ...{ tick: 1, step: 1, minPrice: 1, maxPrice: 1_000, minAmount: 1, maxAmount: 1_000 },
      ...{ minNotional: 0, makerFee: 0, takerFee: 0, referencePrice: 10, collar: 0 },
    };
    const past = fixture.apply({ ...listing, opensAt: fixture.time });
    expect(past).toMatchObject({ kind: 'rejected', code: RejectionCode.invalidRules });
    fixture.apply({ ...listing, opensAt: fixture.time + 60_000 });
    fixture.buy(ALICE, 5, 12, { market: 1 });
    fixture.sell(BOB, 5, 8, { market: 1 });
    fixture.wait(60_000);
    expect(fixture.trades()).toBe('5@10');
    expect(fixture.exchange.state.markets[1]!.status).toBe(MarketStatus.online);
  });

  test('cannot have bands without a length of auctions', () => {
    const change = (rules: object) =>
      new Fixture().apply({
        kind: CommandKind.changeMarketRules,
        ...SYSTEM_ACTOR,
        market: 0,
        rules,
      });
    const invalid = { kind: 'rejected', code: RejectionCode.invalidRules };
    expect(change({ dynamicBand: 1 })).toMatchObject(invalid);
    expect(change({ staticBand: 1_000_001, auctionMs: 1 })).toMatchObject(invalid);
    expect(change({ auctionMs: 86_400_001 })).toMatchObject(invalid);
    expect(change({ dynamicBand: 1_000_000, auctionMs: 86_400_000 }).kind).toBe('market');
  });

  test('a state of version 1 knows no auctions', () => {
    const fixture = new Fixture({}, 1);
    const invalid = { kind: 'rejected', code: RejectionCode.invalidRules };
    expect(fixture.setStatus(MarketStatus.auction)).toMatchObject(invalid);
    const rules = { auctionMs: 1 };
    expect(
      fixture.apply({ kind: CommandKind.changeMarketRules, ...SYSTEM_ACTOR, market: 0, rules }),
    ).toMatchObject(invalid);
  });
});

test('a snapshot of a crossed book continues with the same auction', () => {
  const fixture = new Fixture(BANDS);
  fixture.sell(BOB, 5, 105);
  fixture.sell(BOB, 5, 120);
  fixture.buy(ALICE, 8, 125);
  fixture.sell(CAROL, 5, 115, { displayAmount: 1 });
  const bytes = writeSnapshot(fixture.exchange);
  const restored = readSnapshot(bytes);
  auditState(restored.state);
  expect(writeSnapshot(restored)).toEqual(bytes);
  fixture.wait(AUCTION_MS);
  restored.apply({ kind: CommandKind.tick }, fixture.time);
  expect(restored.events).toEqual(fixture.events as typeof restored.events);
  expect(restored.state.digest).toBe(fixture.exchange.state.digest);
  expect([BTC, USDT].map((asset) => restored.state.accounts[ALICE]!.available(asset))).toEqual(
    [BTC, USDT].map((asset) => fixture.exchange.state.accounts[ALICE]!.available(asset)),
  );
});
