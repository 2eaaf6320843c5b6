import { type Dict, functions } from 'ccxt';
import { ERROR_CLASSES, HTTP_ERROR_CLASSES } from './errors.ts';

/** Requests per minute at cost 1, the limit of public endpoints. */
const PER_MINUTE = 100;
/** The cost is informational only; reads wait for the limit of their own endpoint, orders never wait. */
const perMinute = (limit: number) => ({ cost: PER_MINUTE / limit, limit });
const PUBLIC = perMinute(100);
const READ = perMinute(60);
const TRADE = perMinute(30);

type Limits = Readonly<Record<string, Record<string, ReturnType<typeof perMinute>>>>;
const API: { readonly public: Limits; readonly private: Limits } = {
  public: {
    get: {
      markets: PUBLIC,
      prices: PUBLIC,
      assets: PUBLIC,
      networks: PUBLIC,
      orderbook: PUBLIC,
      level3: PUBLIC,
      trades: PUBLIC,
      candles: PUBLIC,
      time: PUBLIC,
      status: PUBLIC,
    },
  },
  private: {
    get: {
      'portfolio/balances': READ,
      'portfolio/history': READ,
      'portfolio/profit-and-loss': READ,
      orders: READ,
      'orders/{id}': READ,
      fills: READ,
      ledger: READ,
      fees: READ,
      deposits: READ,
      withdrawals: READ,
      'deposit-addresses': READ,
      'withdrawal-addresses': READ,
      accounts: READ,
      transfers: READ,
    },
    post: {
      'deposit-addresses': TRADE,
      withdrawals: TRADE,
      accounts: TRADE,
      transfers: TRADE,
      orders: TRADE,
      'orders/batch': TRADE,
      'orders/oco': TRADE,
      'orders/test': READ,
      'orders/oco/test': READ,
      'orders/cancel-after': TRADE,
    },
    patch: { 'orders/{id}': TRADE, 'accounts/{id}': TRADE },
    delete: { 'orders/{id}': TRADE, orders: TRADE },
  },
};

const LIMITS = new Map<string, number>(
  Object.values(API).flatMap((methods) =>
    Object.entries(methods).flatMap(([method, paths]) =>
      Object.entries(paths).map(
        ([path, { limit }]) => [`${method.toUpperCase()} ${path}`, limit] as const,
      ),
    ),
  ),
);

/** Returns the requests per minute of an endpoint such as `DELETE orders/{id}`; default is the public limit. */
export function rateLimit(endpoint: string): number {
  return LIMITS.get(endpoint) ?? PUBLIC.limit;
}

/** Supported methods and traits, by CCXT's names. */
const YES = [
  'publicAPI',
  'privateAPI',
  'spot',
  'sandbox',
  'ws',
  'cancelAllOrders',
  'cancelAllOrdersAfter',
  'cancelOrder',
  'cancelOrders',
  'cancelOrderWithClientOrderId',
  'createDepositAddress',
  'createLimitBuyOrder',
  'createLimitOrder',
  'createLimitSellOrder',
  'createMarketBuyOrder',
  'createMarketBuyOrderWithCost',
  'createMarketOrder',
  'createMarketOrderWithCost',
  'createMarketSellOrder',
  'createMarketSellOrderWithCost',
  'createOrder',
  'createOrderWithTakeProfitAndStopLoss',
  'createOrders',
  'createPostOnlyOrder',
  'createStopLimitOrder',
  'createStopLossOrder',
  'createStopMarketOrder',
  'createStopOrder',
  'createSubAccount',
  'createTakeProfitOrder',
  'createTrailingAmountOrder',
  'createTrailingPercentOrder',
  'createTriggerOrder',
  'editOrder',
  'fetchAccounts',
  'fetchBalance',
  'fetchBidsAsks',
  'fetchCanceledAndClosedOrders',
  'fetchCanceledOrders',
  'fetchClosedOrders',
  'fetchCurrencies',
  'fetchDepositAddress',
  'fetchDepositWithdrawFee',
  'fetchDepositWithdrawFees',
  'fetchDeposits',
  'fetchL2OrderBook',
  'fetchL3OrderBook',
  'fetchLastPrices',
  'fetchLedger',
  'fetchMarkets',
  'fetchMyTrades',
  'fetchOHLCV',
  'fetchOpenOrders',
  'fetchOrder',
  'fetchOrderBook',
  'fetchOrderTrades',
  'fetchOrderWithClientOrderId',
  'fetchOrders',
  'fetchStatus',
  'fetchTicker',
  'fetchTickers',
  'fetchTime',
  'fetchTrades',
  'fetchTradingFee',
  'fetchTradingFees',
  'fetchTransfers',
  'fetchWithdrawals',
  'transfer',
  'withdraw',
  'watchBalance',
  'watchBidsAsks',
  'watchMyTrades',
  'watchMyTradesForSymbols',
  'watchOHLCV',
  'watchOHLCVForSymbols',
  'watchOrderBook',
  'watchOrderBookForSymbols',
  'watchOrders',
  'watchOrdersForSymbols',
  'watchTicker',
  'watchTickers',
  'watchTrades',
  'watchTradesForSymbols',
  'unWatchBidsAsks',
  'unWatchMyTrades',
  'unWatchOHLCV',
  'unWatchOHLCVForSymbols',
  'unWatchOrderBook',
  'unWatchOrderBookForSymbols',
  'unWatchOrders',
  'unWatchTicker',
  'unWatchTickers',
  'unWatchTrades',
  'unWatchTradesForSymbols',
  'cancelAllOrdersWs',
  'cancelOrderWs',
  'cancelOrdersWs',
  'createLimitBuyOrderWs',
  'createLimitOrderWs',
  'createLimitSellOrderWs',
  'createMarketBuyOrderWs',
  'createMarketBuyOrderWithCostWs',
  'createMarketOrderWithCostWs',
  'createMarketOrderWs',
  'createMarketSellOrderWithCostWs',
  'createMarketSellOrderWs',
  'createOrderWithTakeProfitAndStopLossWs',
  'createOrderWs',
  'createOrdersWs',
  'createPostOnlyOrderWs',
  'createStopLimitOrderWs',
  'createStopLossOrderWs',
  'createStopMarketOrderWs',
  'createStopOrderWs',
  'createTakeProfitOrderWs',
  'createTrailingAmountOrderWs',
  'createTrailingPercentOrderWs',
  'createTriggerOrderWs',
  'editOrderWs',
  'fetchBalanceWs',
  'fetchOpenOrdersWs',
  'fetchOrderWs',
];
/** Methods that CCXT's base class implements by others. */
const EMULATED = ['fetchCurrenciesWs', 'fetchMarketsWs'];

/** Returns `has`, with every name that CCXT knows: true exactly for what works here. */
function capabilities(known: Dict): Dict {
  const has: Dict = Object.fromEntries(Object.keys(known).map((name) => [name, false]));
  for (const name of YES) has[name] = true;
  for (const name of EMULATED) has[name] = 'emulated';
  return has;
}

const list = { limit: 1000, daysBack: undefined, untilDays: undefined, symbolRequired: false };
const orders = { marginMode: false, trigger: false, trailing: false, ...list };

const FEATURES = {
  spot: {
    sandbox: true,
    createOrder: {
      marginMode: false,
      triggerPrice: true,
      triggerPriceType: undefined,
      triggerDirection: true,
      stopLossPrice: true,
      takeProfitPrice: true,
      attachedStopLossTakeProfit: { triggerPriceType: undefined, price: true },
      timeInForce: { GTC: true, IOC: true, FOK: true, PO: true, GTD: true },
      hedged: false,
      trailing: true,
      leverage: false,
      marketBuyByCost: true,
      marketBuyRequiresPrice: false,
      selfTradePrevention: true,
      iceberg: true,
    },
    createOrders: { max: 15 },
    fetchMyTrades: { marginMode: false, ...list },
    fetchOrder: { marginMode: false, trigger: false, trailing: false, symbolRequired: false },
    fetchOpenOrders: orders,
    fetchOrders: orders,
    fetchClosedOrders: { ...orders, daysBackCanceled: undefined },
    fetchOHLCV: { limit: 1000 },
  },
  swap: { linear: undefined, inverse: undefined },
  future: { linear: undefined, inverse: undefined },
};

const TIMEFRAMES = '1s 1m 3m 5m 15m 30m 1h 2h 4h 6h 8h 12h 1d 3d 1w 1M'.split(' ');

/** Returns the exchange's description for CCXT. @param known `has` of CCXT's base class. */
export function description(known: Dict) {
  return {
    id: 'buttonwood',
    name: 'Buttonwood',
    countries: [],
    version: 'v1',
    pro: true,
    // Each endpoint has its own one-minute window, so CCXT's common budget is not used.
    rateLimit: 60_000 / PER_MINUTE,
    rateLimiterAlgorithm: 'rollingWindow',
    rollingWindowSize: 60_000,
    has: capabilities(known),
    timeframes: Object.fromEntries(TIMEFRAMES.map((width) => [width, width])),
    hostname: '',
    urls: { api: 'https://{hostname}', test: 'http://127.0.0.1:3000' },
    api: API,
    requiredCredentials: { apiKey: true, secret: true },
    // Fees are deducted from the received asset.
    fees: { trading: { tierBased: true, percentage: true, feeSide: 'get' } },
    precisionMode: functions.TICK_SIZE,
    exceptions: { exact: ERROR_CLASSES },
    httpExceptions: HTTP_ERROR_CLASSES,
    features: FEATURES,
  };
}
