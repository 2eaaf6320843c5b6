import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test';
import { ArgumentsRequired, Exchange, NotSupported } from 'ccxt';
import { buttonwood } from '../../src/client/ccxt/index.ts';
import { INTERVALS, INTERVALS_MS } from '../../src/config/intervals.ts';
import { CommandKind, SYSTEM_ACTOR } from '../../src/engine/command.ts';
import { Venue } from './venue.ts';

/** `has`, `features` and `timeframes` compared with what the class does at a real exchange. */

const BTC = 'BTC/USDT';
const ETH = 'ETH/USDT';
/** Names in `has` that are no methods. */
const TRAITS = ['publicAPI', 'privateAPI', 'sandbox', 'spot', 'ws'];
/** Names of CCXT's methods that ask an exchange for something. */
const UNIFIED = /^(create|edit|cancel|fetch|watch|unWatch)./;
const LAST = 5200;
let venue: Venue;
let bot: buttonwood;
let orderId: string;
let trader: ReturnType<typeof setInterval>;
/** Trades follow each other. */
let trading = Promise.resolve();

const NETWORK = { network: 'bitcoin' };

beforeAll(async () => {
  venue = await Venue.open();
  const permissions = ['read', 'trade', 'withdraw', 'transfer'] as const;
  await venue.exchange.addKey('all', 'alice', permissions, { addresses: ['127.0.0.1'] });
  bot = venue.bot('all');
  await prepareFunding();
  await trade();
  orderId = (await bot.createLimitBuyOrder(BTC, 0.01, 1000, { clientOrderId: 'first' })).id!;
  trader = setInterval(() => {
    trading = trading.then(trade);
  }, 100);
});
afterAll(async () => {
  clearInterval(trader);
  await venue.close();
});

// A second for the limit of messages per second, by the clock of the exchange; not while a request is answered.
beforeEach(async () => {
  await trading;
  venue.exchange.now += 1000;
});

/** Lets alice sell at both markets, at the prices before, and leaves orders of bob to take. */
async function trade(): Promise<void> {
  for (const [symbol, price] of [
    [BTC, 118_000],
    [ETH, LAST],
  ]) {
    const place = (name: string, side: string, amount: number, at: number) =>
      venue.exchange.place(name, { symbol, side, type: 'limit', amount, price: at });
    await place('alice', 'sell', 0.001, Number(price));
    await place('bob', 'buy', 0.001, Number(price));
  }
}

/** Adds a network, a deposit address, and an address to withdraw to. */
async function prepareFunding(): Promise<void> {
  const { exchange } = venue;
  const rules = {
    ...{ asset: 'BTC', ...NETWORK, decimals: 8, minDeposit: 0, minWithdrawal: 0, withdrawalFee: 0 },
    ...{ confirmations: 1, memo: 'none', deposits: true, withdrawals: true, dailyLimit: 0 },
    ...{ hourlyCount: 0, addressCoolingMs: 0, newDeviceDelayMs: 0, approvalAbove: 1 },
  };
  await exchange.send('operator', 'POST', '/api/admin/networks', JSON.stringify(rules));
  const owner = exchange.state.accountsById.get('alice')!.index;
  const place = { ...SYSTEM_ACTOR, network: 0, memo: '' };
  const assign = { kind: CommandKind.assignAddress, keyNumber: 0, owner, address: 'ours' } as const;
  await exchange.replica.execute({ ...place, ...assign });
  const add = { kind: CommandKind.addWithdrawalAddress, address: 'theirs' } as const;
  await exchange.replica.execute({ ...place, ...add, account: owner });
}

/** Open orders for a call that ends some. */
async function newOrder(params = {}): Promise<string> {
  return (await bot.createLimitBuyOrder(BTC, 0.01, 1000, params)).id!;
}
/** An order of bob that a market order can take. */
async function liquidity(side: 'buy' | 'sell'): Promise<void> {
  const price = side === 'buy' ? 117_000 : 119_000;
  await venue.exchange.place('bob', { symbol: BTC, side, type: 'limit', amount: 0.01, price });
}

type Call = () => Promise<unknown>;
// biome-ignore lint/suspicious/noExplicitAny: methods by name
type AnyBot = any;
/** Calls of the methods with and without `Ws`, by the name without it. */
function bothTransports(suffix: '' | 'Ws'): Record<string, Call> {
  const method =
    (name: string, ...terms: unknown[]): Call =>
    () =>
      (bot as AnyBot)[`${name}${suffix}`](...terms);
  const after = (before: Call, name: string, ...terms: unknown[]): Call => {
    return async () => {
      await before();
      return method(name, ...terms)();
    };
  };
  const sale = [ETH, 'market', 'sell', 0.01];
  const calls: Record<string, Call> = {
    createOrder: method('createOrder', BTC, 'limit', 'buy', 0.01, 1000),
    createOrders: method('createOrders', [
      { symbol: BTC, type: 'limit', side: 'buy', amount: 0.01, price: 1000 },
    ]),
    createLimitOrder: method('createLimitOrder', BTC, 'buy', 0.01, 1000),
    createLimitBuyOrder: method('createLimitBuyOrder', BTC, 0.01, 1000),
    createLimitSellOrder: method('createLimitSellOrder', BTC, 0.01, 200_000),
    createPostOnlyOrder: method('createPostOnlyOrder', BTC, 'limit', 'buy', 0.01, 1000),
    createMarketOrder: after(() => liquidity('sell'), 'createMarketOrder', BTC, 'buy', 0.001),
    createMarketBuyOrder: after(() => liquidity('sell'), 'createMarketBuyOrder', BTC, 0.001),
    createMarketSellOrder: after(() => liquidity('buy'), 'createMarketSellOrder', BTC, 0.001),
    createMarketOrderWithCost: after(
      () => liquidity('sell'),
      'createMarketOrderWithCost',
      BTC,
      'buy',
      50,
    ),
    createMarketBuyOrderWithCost: after(
      () => liquidity('sell'),
      'createMarketBuyOrderWithCost',
      BTC,
      50,
    ),
    createMarketSellOrderWithCost: after(
      () => liquidity('buy'),
      'createMarketSellOrderWithCost',
      BTC,
      50,
    ),
    createOrderWithTakeProfitAndStopLoss: method(
      'createOrderWithTakeProfitAndStopLoss',
      ...[ETH, 'limit', 'buy', 0.01, 1000, 9000, 900],
    ),
    createStopLimitOrder: method('createStopLimitOrder', ETH, 'sell', 0.01, 1000, LAST - 100),
    createStopLossOrder: method('createStopLossOrder', ...sale, undefined, LAST - 100),
    createStopMarketOrder: method('createStopMarketOrder', ETH, 'sell', 0.01, LAST - 100),
    createStopOrder: method('createStopOrder', ...sale, undefined, LAST - 100),
    createTakeProfitOrder: method('createTakeProfitOrder', ...sale, undefined, LAST + 100),
    createTrailingAmountOrder: method('createTrailingAmountOrder', ...sale, undefined, 50),
    createTrailingPercentOrder: method('createTrailingPercentOrder', ...sale, undefined, 2.5),
    createTriggerOrder: method('createTriggerOrder', ...sale, undefined, LAST - 100),
    editOrder: () => method('editOrder', orderId, BTC, 'limit', 'buy', 0.011)(),
    cancelOrder: async () => method('cancelOrder', await newOrder())(),
    cancelOrders: async () => method('cancelOrders', [await newOrder()])(),
    cancelAllOrders: method('cancelAllOrders', 'SOL/USDT'),
    fetchOrder: () => method('fetchOrder', orderId)(),
    fetchOpenOrders: method('fetchOpenOrders'),
    fetchBalance: method('fetchBalance'),
  };
  return Object.fromEntries(Object.entries(calls).map(([name, call]) => [name + suffix, call]));
}

/** A call of every supported method, which has to succeed. */
const CALLS: Record<string, Call> = {
  ...bothTransports(''),
  ...bothTransports('Ws'),
  cancelAllOrdersAfter: () => bot.cancelAllOrdersAfter(0),
  cancelOrderWithClientOrderId: async () => {
    await newOrder({ clientOrderId: 'ended' });
    return bot.cancelOrderWithClientOrderId('ended');
  },
  fetchOrderWithClientOrderId: () => bot.fetchOrderWithClientOrderId('first'),
  fetchOrderTrades: () => bot.fetchOrderTrades(orderId),
  createSubAccount: () => bot.createSubAccount('Grid bot'),
  fetchAccounts: () => bot.fetchAccounts(),
  fetchTransfers: () => bot.fetchTransfers(),
  transfer: () => bot.transfer('BTC', 0.001, 'alice', 'bob'),
  fetchBidsAsks: () => bot.fetchBidsAsks([BTC]),
  fetchCanceledAndClosedOrders: () => bot.fetchCanceledAndClosedOrders(),
  fetchCanceledOrders: () => bot.fetchCanceledOrders(),
  fetchClosedOrders: () => bot.fetchClosedOrders(),
  createDepositAddress: () => bot.createDepositAddress('BTC', NETWORK),
  fetchCurrencies: () => bot.fetchCurrencies(),
  fetchDepositAddress: () => bot.fetchDepositAddress('BTC', NETWORK),
  fetchDepositWithdrawFee: () => bot.fetchDepositWithdrawFee('BTC'),
  fetchDepositWithdrawFees: () => bot.fetchDepositWithdrawFees(),
  fetchDeposits: () => bot.fetchDeposits(),
  fetchWithdrawals: () => bot.fetchWithdrawals(),
  withdraw: () => bot.withdraw('BTC', 0.01, 'theirs', undefined, NETWORK),
  fetchL2OrderBook: () => bot.fetchL2OrderBook(BTC),
  fetchL3OrderBook: () => bot.fetchL3OrderBook(BTC),
  fetchLastPrices: () => bot.fetchLastPrices(),
  fetchLedger: () => bot.fetchLedger(),
  fetchMarkets: () => bot.fetchMarkets(),
  fetchMyTrades: () => bot.fetchMyTrades(),
  fetchOHLCV: () => bot.fetchOHLCV(BTC),
  fetchOrderBook: () => bot.fetchOrderBook(BTC),
  fetchOrders: () => bot.fetchOrders(),
  fetchStatus: () => bot.fetchStatus(),
  fetchTicker: () => bot.fetchTicker(BTC),
  fetchTickers: () => bot.fetchTickers(),
  fetchTime: () => bot.fetchTime(),
  fetchTrades: () => bot.fetchTrades(BTC),
  fetchTradingFee: () => bot.fetchTradingFee(BTC),
  fetchTradingFees: () => bot.fetchTradingFees(),
  watchBalance: () => bot.watchBalance(),
  watchBidsAsks: () => bot.watchBidsAsks([BTC]),
  watchMyTrades: () => bot.watchMyTrades(),
  watchMyTradesForSymbols: () => bot.watchMyTradesForSymbols([BTC, ETH]),
  watchOHLCV: () => bot.watchOHLCV(BTC),
  watchOHLCVForSymbols: () => bot.watchOHLCVForSymbols([[BTC, '5m']]),
  watchOrderBook: () => bot.watchOrderBook(BTC),
  watchOrderBookForSymbols: () => bot.watchOrderBookForSymbols([BTC, ETH]),
  watchOrders: () => bot.watchOrders(),
  watchOrdersForSymbols: () => bot.watchOrdersForSymbols([BTC, ETH]),
  watchTicker: () => bot.watchTicker(BTC),
  watchTickers: () => bot.watchTickers(),
  watchTrades: () => bot.watchTrades(BTC),
  watchTradesForSymbols: () => bot.watchTradesForSymbols([BTC, ETH]),
  unWatchBidsAsks: () => bot.unWatchBidsAsks([BTC]),
  unWatchMyTrades: () => bot.unWatchMyTrades(),
  unWatchOHLCV: () => bot.unWatchOHLCV(BTC),
  unWatchOHLCVForSymbols: () => bot.unWatchOHLCVForSymbols([[BTC, '5m']]),
  unWatchOrderBook: () => bot.unWatchOrderBook(BTC),
  unWatchOrderBookForSymbols: () => bot.unWatchOrderBookForSymbols([BTC, ETH]),
  unWatchOrders: () => bot.unWatchOrders(),
  unWatchTicker: () => bot.unWatchTicker(BTC),
  unWatchTickers: () => bot.unWatchTickers(),
  unWatchTrades: () => bot.unWatchTrades(BTC),
  unWatchTradesForSymbols: () => bot.unWatchTradesForSymbols([BTC, ETH]),
};

const described = new buttonwood();
const has = described.has as Record<string, unknown>;
const methods = described as unknown as Record<string, unknown>;
const supported = Object.keys(has).filter((name) => has[name] === true && !TRAITS.includes(name));

test('`has` has a value for every name that CCXT knows', () => {
  const known = Object.keys(new Exchange().has);
  expect(Object.keys(has)).toEqual(expect.arrayContaining(known) as never);
  const values = new Set(Object.values(has));
  expect([...values].sort()).toEqual(['emulated', false, true]);
});

test('`has` is true for every unified method that the class implements', () => {
  const implemented = new Set<string>();
  for (
    let level = buttonwood.prototype as object;
    level !== Exchange.prototype;
    level = Object.getPrototypeOf(level)
  ) {
    for (const name of Object.getOwnPropertyNames(level)) {
      if (UNIFIED.test(name)) implemented.add(name);
    }
  }
  expect([...implemented].filter((name) => has[name] !== true)).toEqual([]);
  expect(supported.filter((name) => typeof methods[name] !== 'function')).toEqual([]);
});

test('there is a call of every supported method', () => {
  expect(Object.keys(CALLS).sort()).toEqual([...supported].sort());
});

test.each(Object.keys(CALLS))('%s works', async (name) => {
  expect(await CALLS[name]!()).toBeDefined();
});

/** Arguments that fit the methods of each kind. */
function plausibleTerms(name: string): unknown[] {
  if (/^createOrders/.test(name)) return [[]];
  if (/^create.*(Order|OrderWs)$/.test(name)) return [BTC, 'limit', 'buy', 0.01, 1000, 900];
  if (/^(edit|cancel)/.test(name)) return ['1', BTC, 'limit', 'buy', 0.01, 1000];
  if (/ForSymbols|Tickers|Prices|s$/.test(name)) return [[BTC]];
  return [BTC];
}

const unsupported = Object.keys(has).filter(
  (name) => has[name] === false && typeof methods[name] === 'function' && UNIFIED.test(name),
);
test.each(unsupported)('%s does not work', async (name) => {
  const call = async () => (bot as AnyBot)[name](...plausibleTerms(name));
  const error = await call().then(
    (result) => `returned ${JSON.stringify(result)}`,
    (thrown) => thrown,
  );
  // It is editOrder with an empty id.
  const expected = name === 'editOrderWithClientOrderId' ? ArgumentsRequired : NotSupported;
  expect(error).toBeInstanceOf(expected);
});

test('`timeframes` are the intervals of the exchange', () => {
  expect(described.timeframes).toEqual(Object.fromEntries(INTERVALS.map((each) => [each, each])));
  for (const interval of INTERVALS) {
    expect([interval, described.parseTimeframe(interval) * 1000]).toEqual([
      interval,
      INTERVALS_MS[interval],
    ]);
  }
});

test.each(INTERVALS)('fetchOHLCV and watchOHLCV have candles of %s', async (interval) => {
  const fetched = await bot.fetchOHLCV(BTC, interval);
  const watched = await bot.watchOHLCV(BTC, interval);
  // There may have been a trade in between.
  expect(watched.at(-1)![0]!).toBeGreaterThanOrEqual(fetched.at(-1)![0]!);
  await bot.unWatchOHLCV(BTC, interval);
});
