import { expect, test } from 'bun:test';
import { ALICE, BTC, Fixture, limitOrder } from '../../test/fixture.ts';
import { type Command, CommandKind, SYSTEM_ACTOR } from './command.ts';
import { ENGINE_VERSION } from './exchange.ts';
import {
  MAX_ACCOUNTS,
  MAX_ASSETS,
  MAX_CLIENT_ORDER_IDS,
  MAX_MARKETS,
  MAX_OPEN_ORDERS_PER_ACCOUNT,
  MAX_TRANSFERS,
} from './limits.ts';

import { RejectionCode, rejected } from './rejection.ts';
import { OrderType, Side, TimeInForce } from './terms.ts';

test.each<[string, number, (fixture: Fixture, count: number) => void, Command, number?]>([
  [
    'accounts',
    MAX_ACCOUNTS,
    ({ exchange }, count) => {
      exchange.state.accounts.length = count;
    },
    { kind: CommandKind.createAccount, ...SYSTEM_ACTOR, accountId: 'new', limitClass: 1 },
  ],
  [
    'assets',
    MAX_ASSETS,
    ({ exchange }, count) => {
      exchange.state.assets.length = count;
    },
    { kind: CommandKind.createAsset, ...SYSTEM_ACTOR, asset: 'NEW', name: 'New', decimals: 8 },
  ],
  [
    'transfers',
    MAX_TRANSFERS,
    ({ exchange }, count) => {
      Object.defineProperty(exchange.state.transfers, 'size', { value: count, configurable: true });
    },
    {
      kind: CommandKind.transfer,
      ...SYSTEM_ACTOR,
      owner: ALICE,
      asset: BTC,
      amount: 1,
      reference: 'new',
      reason: '',
    },
    1,
  ],
  [
    'markets',
    MAX_MARKETS,
    ({ exchange }, count) => {
      exchange.state.marketsBySymbol.clear();
      exchange.state.markets.length = count;
    },
    {
      ...new Fixture().exchange.state.markets[0]!.rules,
      kind: CommandKind.listMarket,
      ...SYSTEM_ACTOR,
      symbol: 'BTC/USDT',
      base: 'BTC',
      quote: 'USDT',
    },
  ],
])('the number of %s is limited', (what, maximum, fill, command, version = ENGINE_VERSION) => {
  const fixture = new Fixture({}, version);
  fill(fixture, maximum);
  expect(fixture.apply(command)).toEqual(rejected(RejectionCode.limitReached, what));
  fill(fixture, maximum - 1);
  expect(fixture.apply(command).kind).not.toBe('rejected');
});

const order = limitOrder(ALICE, Side.sell, 5, 150, { clientOrderId: 'new' });
const stop = {
  ...order,
  kind: CommandKind.placeStopOrder,
  price: 0,
  triggerPrice: 90,
  type: OrderType.stop,
  timeInForce: TimeInForce.gtc,
};
const legs = {
  takeProfit: { price: 150, triggerPrice: 0 },
  stopLoss: { price: 0, triggerPrice: 90 },
};
const oco: Command = {
  kind: CommandKind.placeOco,
  ...SYSTEM_ACTOR,
  account: ALICE,
  market: 0,
  side: Side.sell,
  amount: 5,
  expiresAt: 0,
  selfTradePrevention: 0,
  clientOrderId: 'new',
  ...legs,
};
const buy = limitOrder(ALICE, Side.buy, 5, 100, { clientOrderId: 'new' });
const ioc = { ...buy, timeInForce: TimeInForce.ioc };
const attached: Command = { kind: CommandKind.placeBracket, order: buy, attached: legs };

test.each<[string, number, Command]>([
  ['an order', 1, order],
  ['a stop', 1, stop as Command],
  ['an OCO order', 2, oco],
  ['a bracket order', 1, attached],
  ['a bracket order that does not rest', 1, { ...attached, order: ioc }],
])('%s needs capacity for its open orders and its client order id', (_, capacity, command) => {
  const openOrders = (count: number) => {
    const fixture = new Fixture();
    const account = fixture.exchange.state.accounts[ALICE]!;
    Object.defineProperty(account, 'openOrders', { value: count });
    return fixture.apply(command);
  };
  const full = rejected(RejectionCode.tooManyOpenOrders);
  expect(openOrders(MAX_OPEN_ORDERS_PER_ACCOUNT - capacity + 1)).toEqual(full);
  expect(openOrders(MAX_OPEN_ORDERS_PER_ACCOUNT - capacity).kind).not.toBe('rejected');

  const remembered = (count: number) => {
    const fixture = new Fixture({}, 1);
    Object.defineProperty(fixture.exchange.state.clientOrderQueue, 'size', { value: count });
    return fixture.apply(command);
  };
  expect(remembered(MAX_CLIENT_ORDER_IDS)).toMatchObject({ code: RejectionCode.limitReached });
  expect(remembered(MAX_CLIENT_ORDER_IDS - 1).kind).not.toBe('rejected');
});
