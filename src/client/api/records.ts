// Made from the OpenAPI document by `npm run generate`: change that, not this.

export interface Market<N = number> {
  /** The market, as BASE/QUOTE. */
  readonly symbol: string;
  /** What is bought and sold. */
  readonly base: string;
  /** What it is paid in. */
  readonly quote: string;
  /** Which orders the market takes now. */
  readonly status: 'online' | 'post_only' | 'limit_only' | 'cancel_only' | 'halted' | 'delisted';
  /** Whether it takes orders that trade. */
  readonly active: boolean;
  /** A price is a multiple of this. */
  readonly tickSize: N;
  /** An amount is a multiple of this. */
  readonly stepSize: N;
  /** Least amount of an order. */
  readonly minAmount: N;
  /** Largest amount of an order. */
  readonly maxAmount: N;
  /** Least price of a limit order. */
  readonly minPrice: N;
  /** Largest price of a limit order. */
  readonly maxPrice: N;
  /** What an order must be worth, in the quote asset. */
  readonly minNotional: N;
  /** Of what is received, by the order that rested: 0.001 is 0.1 %. */
  readonly makerFee: N;
  /** Of what is received, by the order that came. */
  readonly takerFee: N;
  /** How far from the last price a market order trades, as a part of it; null for any. */
  readonly collar: N | null;
  /** What the market takes now. */
  readonly orderTypes: readonly (
    | 'limit'
    | 'market'
    | 'stop'
    | 'stop_limit'
    | 'take_profit'
    | 'take_profit_limit'
  )[];
  readonly timeInForce: readonly ('GTC' | 'IOC' | 'FOK' | 'GTD')[];
  /** When the market was listed. */
  readonly listedAt: string;
  /** Price of the last trade, before the first one the reference price. */
  readonly last: N;
  /** Highest price in 24 h; null without a trade. */
  readonly high: N | null;
  /** Lowest price in 24 h; null without a trade. */
  readonly low: N | null;
  /** Price less the first of the 24 h. */
  readonly change: N;
  /** That change in percent, rounded to four decimals. */
  readonly percentage: N;
  /** Base asset traded in 24 h. */
  readonly baseVolume: N;
  /** Quote asset traded in 24 h. */
  readonly quoteVolume: N;
}

export interface Price<N = number> {
  /** The market, as BASE/QUOTE. */
  readonly symbol: string;
  /** Price of the last trade, before the first one the reference price. */
  readonly price: N;
  /** Best price of a buyer; null where there is none. */
  readonly bid: N | null;
  /** How much is bid at it. */
  readonly bidAmount: N | null;
  /** Best price of a seller; null where there is none. */
  readonly ask: N | null;
  /** How much is asked at it. */
  readonly askAmount: N | null;
  /** First price of the 24 h; null without a trade. */
  readonly open: N | null;
  /** Highest price in 24 h; null without a trade. */
  readonly high: N | null;
  /** Lowest price in 24 h; null without a trade. */
  readonly low: N | null;
  /** Price less the first of the 24 h. */
  readonly change: N;
  /** That change in percent, rounded to four decimals. */
  readonly percentage: N;
  /** Mean price by volume; null without a trade. */
  readonly vwap: N | null;
  /** Base asset traded in 24 h. */
  readonly baseVolume: N;
  /** Quote asset traded in 24 h. */
  readonly quoteVolume: N;
  /** When the record was made. */
  readonly timestamp: string;
}

export interface Balance<N = number> {
  /** The asset. */
  readonly asset: string;
  /** available + held, exactly. */
  readonly total: N;
  /** What orders and debits may use. */
  readonly available: N;
  /** Reserved for open orders. */
  readonly held: N;
}

export interface Order<N = number> {
  /** Identifier of the order. */
  readonly orderId: string;
  /** The market, as BASE/QUOTE. */
  readonly symbol: string;
  /** Whether the base asset is bought or sold. */
  readonly side: 'buy' | 'sell';
  /** Of the base asset. */
  readonly amount: N;
  /** The limit; of a market order its average, null before a fill. */
  readonly price: N | null;
  /** Only an open order can be canceled. */
  readonly status: 'open' | 'filled' | 'canceled' | 'expired' | 'rejected';
  /** When it was placed. */
  readonly timestamp: string;
  /** The type it was placed with. */
  readonly type: 'limit' | 'market' | 'stop' | 'stop_limit' | 'take_profit' | 'take_profit_limit';
  /** How long it lasts. */
  readonly timeInForce: 'GTC' | 'IOC' | 'FOK' | 'GTD';
  /** When a GTD order ends. */
  readonly expiresAt: string | null;
  /** Whether it was to be refused rather than trade at once. */
  readonly postOnly: boolean;
  /** The id that its sender gave it. */
  readonly clientOrderId: string | null;
  /** The price that lets a stop go. */
  readonly triggerPrice: N | null;
  /** Quote asset that its fills came to. */
  readonly cost: N;
  /** filled + remaining = amount, always. */
  readonly filled: N;
  /** What is not filled. */
  readonly remaining: N;
  /** cost ÷ filled; null before a fill. */
  readonly average: N | null;
  /** What its fills cost, an entry an asset; empty before a fill. */
  readonly fees: readonly {
    /** What was received. */
    readonly asset: string;
    /** The fee in it. */
    readonly cost: N;
  }[];
  /** What happens where it meets an own order. */
  readonly selfTradePrevention: 'expire_maker' | 'expire_taker' | 'expire_both' | 'decrement';
  /** Why it ended or changed, other than by a fill. */
  readonly reason:
    | 'requested'
    | 'time_in_force'
    | 'expired'
    | 'self_trade'
    | 'amended'
    | 'cancel_after'
    | 'operator'
    | 'delisted'
    | 'collar'
    | 'no_liquidity'
    | 'market_unavailable'
    | 'post_only_would_take'
    | 'linked'
    | 'insufficient_balance'
    | 'too_small'
    | null;
  /** When it last traded. */
  readonly lastFillAt: string | null;
  /** When it last changed. */
  readonly updatedAt: string;
  /** What was sent; placed once it ends, if it was. */
  readonly attached: {
    readonly takeProfit: {
      /** Its limit. */
      readonly price: N | null;
      /** The last price that it waits for. */
      readonly triggerPrice: N | null;
    } | null;
    readonly stopLoss: {
      /** Its limit. */
      readonly price: N | null;
      /** The last price that it waits for. */
      readonly triggerPrice: N | null;
    } | null;
  } | null;
  /** The order that it was attached to. */
  readonly parentOrderId: string | null;
}

export interface Trade<N = number> {
  /** Identifier of the trade. */
  readonly id: string;
  /** The market, as BASE/QUOTE. */
  readonly symbol: string;
  /** The taker's. */
  readonly side: 'buy' | 'sell';
  /** The maker's. */
  readonly price: N;
  /** Of the base asset. */
  readonly amount: N;
  /** When it happened. */
  readonly timestamp: string;
}

export interface Fill<N = number> {
  /** Identifier of the trade. */
  readonly id: string;
  /** Your order. */
  readonly orderId: string;
  /** The market, as BASE/QUOTE. */
  readonly symbol: string;
  /** Whether you bought or sold. */
  readonly side: 'buy' | 'sell';
  /** The maker's. */
  readonly price: N;
  /** Of the base asset. */
  readonly amount: N;
  /** price × amount, in the quote asset. */
  readonly cost: N;
  readonly fee: {
    /** What was received. */
    readonly asset: string;
    /** The fee in it. */
    readonly cost: N;
  };
  /** Whether the order rested or came. */
  readonly liquidity: 'maker' | 'taker';
  /** When it happened. */
  readonly timestamp: string;
}

export interface Candle<N = number> {
  /** When it begins. */
  readonly timestamp: string;
  /** First price. */
  readonly open: N;
  /** Highest price. */
  readonly high: N;
  /** Lowest price. */
  readonly low: N;
  /** Last price. */
  readonly close: N;
  /** Base asset traded. */
  readonly volume: N;
}

export interface PortfolioPoint<N = number> {
  /** When the interval begins. */
  readonly timestamp: string;
  /** Of every asset the account ever held. */
  readonly balances: readonly {
    /** The asset. */
    readonly asset: string;
    /** What was owned when it ended. */
    readonly total: N;
  }[];
}

export interface LedgerEntry<N = number> {
  /** Identifier of the entry. */
  readonly id: string;
  /** The asset. */
  readonly asset: string;
  /** Why the available balance changed. */
  readonly type: 'trade' | 'fee' | 'hold' | 'release' | 'transfer';
  /** By how much: below zero it became less. */
  readonly amount: N;
  /** Available before. */
  readonly before: N;
  /** Available after: before + amount, exactly. */
  readonly after: N;
  /** The order (hold, release), the trade (trade, fee) or the transfer. */
  readonly reference: string;
  /** When it happened. */
  readonly timestamp: string;
}

export interface Deadline {
  /** The market; null for every one. */
  readonly symbol: string | null;
  /** When the orders are canceled. */
  readonly cancelAt: string;
}

export interface Fee<N = number> {
  /** The market, as BASE/QUOTE. */
  readonly symbol: string;
  /** Of what is received, by the order that rested: 0.001 is 0.1 %. */
  readonly makerFee: N;
  /** Of what is received, by the order that came. */
  readonly takerFee: N;
}

export interface FeeTier<N = number> {
  /** Its number: tier 0 pays the rates of the market. */
  readonly tier: number;
  /** From this 30-day volume on. */
  readonly minVolume: N;
  /** Of what is received, by the order that rested: 0.001 is 0.1 %. */
  readonly makerFee: N;
  /** Of what is received, by the order that came. */
  readonly takerFee: N;
}

export interface Asset {
  /** The asset. */
  readonly asset: string;
  /** Its name for people. */
  readonly name: string;
  /** Decimals of its smallest unit. */
  readonly decimals: number;
}

export interface Profile {
  /** The trading account. */
  readonly accountId: string;
  /** What the person is called. */
  readonly name: string;
  /** Where mail goes. */
  readonly email: string;
  readonly permissions: readonly ('read' | 'trade' | 'operate')[];
  /** Whether signing in by password takes a code besides. */
  readonly secondFactor: boolean;
  /** Recovery codes that are not used. */
  readonly recoveryCodesLeft: number;
  /** How many passkeys there are. */
  readonly passkeys: number;
  /** When the person was added. */
  readonly createdAt: string;
  /** Whether this exchange is a sandbox. */
  readonly isSandbox: boolean;
}

export interface Session {
  /** Names the session; it is no secret. */
  readonly id: string;
  /** When the browser signed in. */
  readonly createdAt: string;
  /** When it last asked for something. */
  readonly lastSeenAt: string;
  /** Where it signed in from. */
  readonly address: string;
  /** What it said it is. */
  readonly userAgent: string;
  /** Whether it is the one that asks. */
  readonly current: boolean;
}

export interface Passkey {
  /** Identifier of the passkey. */
  readonly id: string;
  /** What its holder calls it. */
  readonly label: string;
  /** When it was added. */
  readonly createdAt: string;
  /** When somebody last signed in with it. */
  readonly lastUsedAt: string | null;
}

export interface OwnKey {
  /** The key, without its secret. */
  readonly id: string;
  /** What its holder calls it. */
  readonly label: string;
  readonly permissions: readonly ('read' | 'trade' | 'operate')[];
  /** Where it may be used; empty: anywhere. */
  readonly addresses: readonly string[];
  /** When it was made. */
  readonly createdAt: string;
  /** When it ends; null for never. */
  readonly expiresAt: string | null;
  /** When it was last let in; null for never. */
  readonly lastUsedAt: string | null;
  /** Whether it works. */
  readonly status: 'active' | 'expired' | 'revoked';
}

/** What `error.code` may be. */
export type ErrorCode =
  | 'ACCOUNT_FROZEN'
  | 'BROWSER_NOT_ALLOWED'
  | 'CLOCK_OFF'
  | 'DUPLICATE_CLIENT_ORDER_ID'
  | 'DUPLICATE_REFERENCE'
  | 'INSUFFICIENT_BALANCE'
  | 'INSUFFICIENT_PERMISSIONS'
  | 'INTERNAL_ERROR'
  | 'INVALID_AMOUNT'
  | 'INVALID_PRICE'
  | 'INVALID_REQUEST'
  | 'INVALID_SIDE'
  | 'INVALID_SYMBOL'
  | 'INVALID_TYPE'
  | 'IP_NOT_ALLOWED'
  | 'MARKET_UNAVAILABLE'
  | 'METHOD_NOT_ALLOWED'
  | 'MIN_NOTIONAL'
  | 'NOT_FOUND'
  | 'NO_LIQUIDITY'
  | 'ORDER_NOT_FOUND'
  | 'ORDER_NOT_OPEN'
  | 'OUTCOME_UNKNOWN'
  | 'OVERLOADED'
  | 'PAYLOAD_TOO_LARGE'
  | 'POST_ONLY_WOULD_TAKE'
  | 'RATE_LIMIT_EXCEEDED'
  | 'STALE'
  | 'TOO_MANY_OPEN_ORDERS'
  | 'UNAUTHORIZED'
  | 'UNSUPPORTED_VERSION';

/** Fields of requests that are numbers. */
export const NUMBER_FIELDS: ReadonlySet<string> = new Set([
  'amount',
  'collar',
  'cost',
  'decimals',
  'limitClass',
  'makerFee',
  'maxAmount',
  'maxPrice',
  'minAmount',
  'minNotional',
  'minPrice',
  'minVolume',
  'price',
  'referencePrice',
  'stepSize',
  'takerFee',
  'tickSize',
  'timeout',
  'triggerPrice',
  'wallClock',
]);

/** Fields of answers that are whole numbers, never prices or amounts. */
export const INTEGER_FIELDS: ReadonlySet<string> = new Set([
  'affected',
  'archivistLagMs',
  'decimals',
  'engineVersion',
  'feeTier',
  'index',
  'limitClass',
  'logPosition',
  'newestEngineVersion',
  'offsetMs',
  'openOrders',
  'passkeys',
  'prevSequence',
  'recoveryCodesLeft',
  'rejection',
  'sequence',
  'tier',
  'volumeDays',
]);
