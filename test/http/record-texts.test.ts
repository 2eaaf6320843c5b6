import { afterAll, beforeAll, expect, test } from 'bun:test';
import fc from 'fast-check';
import type { Attached } from '../../src/engine/command.ts';
import type { EntryEvent, OrderRecord } from '../../src/engine/event.ts';
import type { Market } from '../../src/engine/markets/markets.ts';
import { exact } from '../../src/engine/numbers/exact.ts';
import {
  entryTypes,
  orderReasons,
  orderStatuses,
  orderTypes,
  type Side,
  selfTradePreventions,
  sides,
  timesInForce,
} from '../../src/engine/terms.ts';
import { fillText } from '../../src/gateway/endpoints/fills.ts';
import { entryText } from '../../src/gateway/endpoints/ledger.ts';
import { candleText } from '../../src/gateway/endpoints/market-data/candles.ts';
import { tradeText } from '../../src/gateway/endpoints/market-data/trades.ts';
import {
  assetText,
  balanceText,
  marketText,
  orderText,
  priceText,
} from '../../src/gateway/endpoints/records.ts';
import { RECORDS, type RecordName } from '../../src/gateway/openapi/record-schemas.ts';
import type { Candle } from '../../src/history/tables/candles.ts';
import type { Fill } from '../../src/history/tables/fills.ts';
import type { DayStatistics } from '../../src/replica/market-statistics.ts';
import { check } from '../check.ts';
import { demandValid } from './described.ts';
import { TestExchange } from './exchange.ts';

/**
 * The texts of records are written by hand, because they are on the path of every order: from a table of fields they take
 * 1.8 times as long. Each text must have exactly the required fields of its schema, in their order.
 */

let exchange: TestExchange;
let market: Market;
beforeAll(async () => {
  exchange = await TestExchange.open();
  market = exchange.state.markets[0]!;
});
afterAll(() => exchange.close());

function expectRecord(name: RecordName, text: string): void {
  const record = JSON.parse(text);
  const { properties, required } = RECORDS[name] as { properties: object; required: string[] };
  const fields = Object.keys(properties).filter((field) => required.includes(field));
  expect(Object.keys(record)).toEqual(fields);
  demandValid(['components', 'schemas', name], record, name);
}

const units = fc.integer({ min: 0, max: 2 ** 53 - 1 });
const money = fc.oneof(units, fc.bigInt(0n, 10n ** 30n).map(exact));
const time = fc.integer({ min: 1, max: Date.UTC(2100, 0) });
const price = fc.integer({ min: 1, max: 2 ** 53 - 1 });
const timeOrNone = fc.oneof(fc.constant(0), time);
const anyIndex = (names: readonly unknown[]) => fc.nat(names.length - 1);
const leg = fc.option(fc.record({ price: units, triggerPrice: units }));

const plainLeg = fc.record({
  type: fc.constantFrom(0, 1),
  timeInForce: fc.nat(2),
  price: units,
});
const attached = fc.record(
  {
    takeProfit: leg,
    stopLoss: leg,
    oto: fc.record({ side: fc.nat(1), amount: units, order: fc.option(plainLeg) }),
    firstOrderId: price,
  },
  { requiredKeys: ['takeProfit', 'stopLoss'] },
) as fc.Arbitrary<Attached>;

const basisPoints = fc.integer({ min: 1, max: 5000 });
const trailing = fc.oneof(
  fc.record({ amount: fc.constant(0), basisPoints, activationPrice: units }),
  fc.record({ amount: price, basisPoints: fc.constant(0), activationPrice: units }),
);
/** No order is both a trailing stop and an iceberg. */
const special: fc.Arbitrary<Pick<OrderRecord, 'trailing' | 'displayAmount'>> = fc.oneof(
  fc.constant({}),
  fc.record({ trailing }),
  fc.record({ displayAmount: price }),
);

const orders: fc.Arbitrary<OrderRecord> = fc
  .record({
    kind: fc.constant('order' as const),
    id: units,
    account: fc.nat(),
    key: fc.nat(),
    market: fc.constant(0),
    side: anyIndex(sides) as fc.Arbitrary<Side>,
    type: anyIndex(orderTypes),
    timeInForce: anyIndex(timesInForce),
    postOnly: fc.boolean(),
    selfTradePrevention: anyIndex(selfTradePreventions),
    price: units,
    triggerPrice: units,
    amount: units,
    remaining: units,
    cost: money,
    filledCost: money,
    fees: money,
    status: anyIndex(orderStatuses),
    reason: anyIndex(orderReasons),
    clientOrderId: fc.option(fc.stringMatching(/^[A-Za-z0-9_.:-]{1,64}$/)),
    createdAt: time,
    updatedAt: time,
    lastFillAt: timeOrNone,
    expiresAt: timeOrNone,
    attached: fc.option(attached),
    ocoId: fc.option(price, { nil: undefined }),
    parentId: units,
    special,
  })
  .map(({ special: terms, ocoId, ...order }) => ({
    ...{ ...order, ...terms },
    ...(ocoId !== undefined && { ocoId }),
  }))
  .map((order) => ({ ...order, remaining: Math.min(order.remaining, order.amount) }));

const days: fc.Arbitrary<DayStatistics> = fc.record({
  open: fc.option(price, { nil: undefined }),
  high: fc.option(price, { nil: undefined }),
  low: fc.option(price, { nil: undefined }),
  baseVolume: money,
  quoteVolume: money,
  trades: units,
  firstTradeId: fc.option(units, { nil: undefined }),
  lastTradeId: fc.option(units, { nil: undefined }),
  lastAmount: fc.option(units, { nil: undefined }),
  previousClose: fc.option(price, { nil: undefined }),
  openTime: time,
});

test('the text of an order has the fields of its schema', () => {
  check(
    fc.property(orders, (order) => expectRecord('Order', orderText(order, market))),
    2000,
  );
});

test('the texts of markets and prices have the fields of their schemas', () => {
  const property = fc.property(days, time, (day, now) => {
    for (const each of exchange.state.markets) {
      expectRecord('Market', marketText(each, day, exchange.state));
      expectRecord('Price', priceText(each, day, now, exchange.state.parts.auctions));
    }
  });
  check(property, 200);
});

const fills: fc.Arbitrary<Fill> = fc.record({
  account: fc.nat(),
  tradeId: units,
  orderId: units,
  market: fc.constant(0),
  side: anyIndex(sides) as fc.Arbitrary<Side>,
  isMaker: fc.boolean(),
  price: units,
  amount: units,
  fee: money,
  firstEntryId: units,
  givenAfter: money,
  receivedAfter: money,
  time,
});

test('the texts of fills and trades have the fields of their schemas', () => {
  const property = fc.property(fills, (fill) => {
    expectRecord('Fill', fillText(fill, market));
    expectRecord('Trade', tradeText(fill, market));
  });
  check(property, 200);
});

const candles: fc.Arbitrary<Candle> = fc.record({
  start: time,
  open: units,
  high: units,
  low: units,
  close: units,
  baseVolume: money,
  quoteVolume: money,
  trades: units,
  takerBuyVolume: money,
  takerBuyQuoteVolume: money,
  firstTradeId: units,
  lastTradeId: units,
  lastAmount: units,
});

test('the text of a candle has the fields of its schema', () => {
  check(
    fc.property(candles, fc.boolean(), (candle, isClosed) =>
      expectRecord('Candle', candleText(candle, market, isClosed)),
    ),
    200,
  );
});

const entries: fc.Arbitrary<EntryEvent> = fc.record({
  kind: fc.constant('entry' as const),
  id: units,
  account: fc.nat(),
  asset: fc.constant(0),
  type: anyIndex(entryTypes),
  amount: money,
  after: money,
  reference: units,
  time,
});

test('the text of a ledger entry has the fields of its schema', () => {
  const [asset] = exchange.state.assets;
  check(
    fc.property(entries, (entry) => expectRecord('LedgerEntry', entryText(entry, asset!))),
    200,
  );
});

test('the texts of balances and assets have the fields of their schemas', () => {
  const property = fc.property(money, money, (available, held) => {
    for (const asset of exchange.state.assets) {
      expectRecord('Balance', balanceText({ available, held }, asset));
      expectRecord('Asset', assetText(asset));
    }
  });
  check(property, 200);
});
