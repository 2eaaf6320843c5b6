// Generated from the OpenAPI document by `npm run generate`. Do not edit.

export interface Market<N = number> {
  /** Market symbol, BASE/QUOTE. */
  readonly symbol: string;
  /** Base asset, which is bought and sold. */
  readonly base: string;
  /** Quote asset, which prices are in. */
  readonly quote: string;
  /** Market status, which decides which orders are accepted. */
  readonly status: 'online' | 'post_only' | 'limit_only' | 'cancel_only' | 'halted' | 'delisted';
  /** Whether the market accepts orders that trade. */
  readonly active: boolean;
  /** Tick size: prices must be a multiple of it. */
  readonly tickSize: N;
  /** Lot size: amounts must be a multiple of it. */
  readonly stepSize: N;
  /** Minimum amount of an order. */
  readonly minAmount: N;
  /** Maximum amount of an order. */
  readonly maxAmount: N;
  /** Minimum price of a limit order. */
  readonly minPrice: N;
  /** Maximum price of a limit order. */
  readonly maxPrice: N;
  /** Minimum value of an order, in the quote asset. */
  readonly minNotional: N;
  /** Maker fee rate, charged on the received asset: 0.001 is 0.1 %. */
  readonly makerFee: N;
  /** Taker fee rate, charged on the received asset. */
  readonly takerFee: N;
  /** Maximum distance of a market order from the last price, as a fraction of it; null if unlimited. */
  readonly collar: N | null;
  /** Order types that the market accepts now. */
  readonly orderTypes: readonly (
    | 'limit'
    | 'market'
    | 'stop'
    | 'stop_limit'
    | 'take_profit'
    | 'take_profit_limit'
    | 'trailing_stop'
  )[];
  readonly timeInForce: readonly ('GTC' | 'IOC' | 'FOK' | 'GTD')[];
  /** Time when the market was listed. */
  readonly listedAt: string;
  /** Price of the last trade; the reference price before the first trade. */
  readonly last: N;
  /** Highest price of the last 24 h; null without trades. */
  readonly high: N | null;
  /** Lowest price of the last 24 h; null without trades. */
  readonly low: N | null;
  /** Price change over the last 24 h. */
  readonly change: N;
  /** Price change over the last 24 h in percent, rounded to four decimals. */
  readonly percentage: N;
  /** Traded base asset of the last 24 h. */
  readonly baseVolume: N;
  /** Traded quote asset of the last 24 h. */
  readonly quoteVolume: N;
}

export interface Price<N = number> {
  /** Market symbol, BASE/QUOTE. */
  readonly symbol: string;
  /** Price of the last trade; the reference price before the first trade. */
  readonly price: N;
  /** Best bid price; null without bids. */
  readonly bid: N | null;
  /** Amount at the best bid. */
  readonly bidAmount: N | null;
  /** Best ask price; null without asks. */
  readonly ask: N | null;
  /** Amount at the best ask. */
  readonly askAmount: N | null;
  /** First price of the last 24 h; null without trades. */
  readonly open: N | null;
  /** Highest price of the last 24 h; null without trades. */
  readonly high: N | null;
  /** Lowest price of the last 24 h; null without trades. */
  readonly low: N | null;
  /** Price change over the last 24 h. */
  readonly change: N;
  /** Price change over the last 24 h in percent, rounded to four decimals. */
  readonly percentage: N;
  /** Volume-weighted average price of the last 24 h; null without trades. */
  readonly vwap: N | null;
  /** Traded base asset of the last 24 h. */
  readonly baseVolume: N;
  /** Traded quote asset of the last 24 h. */
  readonly quoteVolume: N;
  /** Number of trades of the last 24 h. */
  readonly trades: number;
  /** Id of the first trade of the last 24 h; null without trades. */
  readonly firstTradeId: string | null;
  /** Id of the last trade of the last 24 h; null without trades. */
  readonly lastTradeId: string | null;
  /** Amount of the last trade of the last 24 h; null without trades. */
  readonly lastAmount: N | null;
  /** Price of the last trade before the last 24 h; null without one. */
  readonly previousClose: N | null;
  /** Time from which the figures of the last 24 h count trades: the start of a minute, up to 60 s less than 24 h ago. */
  readonly openTime: string;
  /** Time of this record. */
  readonly timestamp: string;
}

export interface Balance<N = number> {
  /** Asset symbol. */
  readonly asset: string;
  /** Total balance: exactly available + held. */
  readonly total: N;
  /** Balance available for orders and debits. */
  readonly available: N;
  /** Balance reserved for open orders. */
  readonly held: N;
}

export interface Order<N = number> {
  /** Order id. */
  readonly orderId: string;
  /** Market symbol, BASE/QUOTE. */
  readonly symbol: string;
  /** Whether the base asset is bought or sold. */
  readonly side: 'buy' | 'sell';
  /** Amount of the base asset. */
  readonly amount: N;
  /** Limit price; for a market order its average price, null before a fill. */
  readonly price: N | null;
  /** Order status. Only an open order can be canceled. */
  readonly status: 'open' | 'filled' | 'canceled' | 'expired' | 'rejected';
  /** Time when the order was placed. */
  readonly timestamp: string;
  /** Order type. */
  readonly type:
    | 'limit'
    | 'market'
    | 'stop'
    | 'stop_limit'
    | 'take_profit'
    | 'take_profit_limit'
    | 'trailing_stop';
  /** Time in force. */
  readonly timeInForce: 'GTC' | 'IOC' | 'FOK' | 'GTD';
  /** Expiry of a GTD order. */
  readonly expiresAt: string | null;
  /** Whether the order was to be rejected rather than match immediately. */
  readonly postOnly: boolean;
  /** Client order id. */
  readonly clientOrderId: string | null;
  /** Trigger price of a stop or take-profit order; the current one of a trailing stop, null before its activation. */
  readonly triggerPrice: N | null;
  /** Quote asset exchanged in its fills. */
  readonly cost: N;
  /** Filled amount; always amount - remaining. */
  readonly filled: N;
  /** Unfilled amount. */
  readonly remaining: N;
  /** Average price, cost ÷ filled; null before a fill. */
  readonly average: N | null;
  /** Fees of its fills, one entry per asset; empty before a fill. */
  readonly fees: readonly OrderFee<N>[];
  /** Self-trade prevention: what happens when it would match an own order. */
  readonly selfTradePrevention: 'expire_maker' | 'expire_taker' | 'expire_both' | 'decrement';
  /** Reason why it ended or changed other than by a fill. */
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
    | 'disconnected'
    | null;
  /** Time of its last fill. */
  readonly lastFillAt: string | null;
  /** Time of its last change. */
  readonly updatedAt: string;
  /** Attached take profit and stop loss, placed when this order ends with a fill. */
  readonly attached: AttachedOrders<N> | null;
  /** The order that this one was attached to. */
  readonly parentOrderId: string | null;
  /** The other order of its OCO order, open or not; null for orders placed with engine version 1. */
  readonly ocoOrderId: string | null;
  /** Distance of a trailing stop from the best last price. */
  readonly trailingAmount: N | null;
  /** The same distance in percent, if it was given so. */
  readonly trailingPercent: N | null;
  /** Last price from which a trailing stop trails. */
  readonly activationPrice: N | null;
  /** Amount of an iceberg that the book shows. */
  readonly displayAmount: N | null;
  /** Amount ahead of it in the queue of its price; null if it does not rest in the book. */
  readonly queueAhead?: N | null | undefined;
  /** Fills of the order, earliest first, if they were requested; in an update of the channel `orders`, those since the last one. */
  readonly fills?: readonly Fill<N>[] | undefined;
}

export interface OrderFee<N = number> {
  /** The received asset. */
  readonly asset: string;
  /** Fee in that asset. */
  readonly cost: N;
}

export interface OrderLeg<N = number> {
  /** Order id that the leg has once it is placed or has ended; null for orders placed with engine version 1. */
  readonly orderId: string | null;
  /** Limit price of the leg. */
  readonly price: N | null;
  /** Last price that triggers the leg. */
  readonly triggerPrice: N | null;
  /** Distance of a trailing stop from the best last price. */
  readonly trailingAmount: N | null;
  /** The same distance in percent, if it was given so. */
  readonly trailingPercent: N | null;
  /** Last price from which a trailing stop trails. */
  readonly activationPrice: N | null;
}

export interface TriggeredOrder<N = number> {
  /** Order id that it has once it is placed or has ended; null in tests of orders. */
  readonly orderId: string | null;
  /** Order type. */
  readonly type: 'limit' | 'market';
  /** Limit price of a limit order. */
  readonly price: N | null;
  /** Time in force. */
  readonly timeInForce: 'GTC' | 'IOC' | 'FOK';
}

export interface AttachedOrders<N = number> {
  /** The take-profit leg. */
  readonly takeProfit: OrderLeg<N> | null;
  /** The stop-loss leg. */
  readonly stopLoss: OrderLeg<N> | null;
  /** The only attached order, if it is neither of them. */
  readonly order: TriggeredOrder<N> | null;
  /** Side of the attached orders; null for the side opposite to this order. */
  readonly side: 'buy' | 'sell' | null;
  /** Amount of attached orders that are placed if this order is filled completely; null for those placed for its filled amount. */
  readonly amount: N | null;
}

export interface TestedOrder<N = number> {
  /** Null; the order id if the same `clientOrderId` has already placed the order. */
  readonly orderId: string | null;
  /** Market symbol, BASE/QUOTE. */
  readonly symbol: string;
  /** Whether the base asset is bought or sold. */
  readonly side: 'buy' | 'sell';
  /** Amount of the base asset. */
  readonly amount: N;
  /** Limit price; for a market order its average price, null before a fill. */
  readonly price: N | null;
  /** Order status. Only an open order can be canceled. */
  readonly status: 'open' | 'filled' | 'canceled' | 'expired' | 'rejected';
  /** Time when the order was placed. */
  readonly timestamp: string;
  /** Order type. */
  readonly type:
    | 'limit'
    | 'market'
    | 'stop'
    | 'stop_limit'
    | 'take_profit'
    | 'take_profit_limit'
    | 'trailing_stop';
  /** Time in force. */
  readonly timeInForce: 'GTC' | 'IOC' | 'FOK' | 'GTD';
  /** Expiry of a GTD order. */
  readonly expiresAt: string | null;
  /** Whether the order was to be rejected rather than match immediately. */
  readonly postOnly: boolean;
  /** Client order id. */
  readonly clientOrderId: string | null;
  /** Trigger price of a stop or take-profit order; the current one of a trailing stop, null before its activation. */
  readonly triggerPrice: N | null;
  /** Quote asset exchanged in its fills. */
  readonly cost: N;
  /** Filled amount; always amount - remaining. */
  readonly filled: N;
  /** Unfilled amount. */
  readonly remaining: N;
  /** Average price, cost ÷ filled; null before a fill. */
  readonly average: N | null;
  /** Fees of its fills, one entry per asset; empty before a fill. */
  readonly fees: readonly OrderFee<N>[];
  /** Self-trade prevention: what happens when it would match an own order. */
  readonly selfTradePrevention: 'expire_maker' | 'expire_taker' | 'expire_both' | 'decrement';
  /** Reason why it ended or changed other than by a fill. */
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
    | 'disconnected'
    | null;
  /** Time of its last fill. */
  readonly lastFillAt: string | null;
  /** Time of its last change. */
  readonly updatedAt: string;
  /** Attached take profit and stop loss, placed when this order ends with a fill. */
  readonly attached: AttachedOrders<N> | null;
  /** The order that this one was attached to. */
  readonly parentOrderId: string | null;
  /** The other order of its OCO order, open or not; null for orders placed with engine version 1. */
  readonly ocoOrderId: string | null;
  /** Distance of a trailing stop from the best last price. */
  readonly trailingAmount: N | null;
  /** The same distance in percent, if it was given so. */
  readonly trailingPercent: N | null;
  /** Last price from which a trailing stop trails. */
  readonly activationPrice: N | null;
  /** Amount of an iceberg that the book shows. */
  readonly displayAmount: N | null;
}

export interface TestedFill<N = number> {
  /** Price, which is the maker's. */
  readonly price: N;
  /** Amount of the base asset. */
  readonly amount: N;
  /** Value in the quote asset, price × amount. */
  readonly cost: N;
  readonly fee: OrderFee<N>;
}

export interface OrderHold<N = number> {
  /** Asset that the open order would hold. */
  readonly asset: string;
  /** Amount that it would hold. */
  readonly amount: N;
}

export interface Trade<N = number> {
  /** Trade id. */
  readonly id: string;
  /** Market symbol, BASE/QUOTE. */
  readonly symbol: string;
  /** Side of the taker. */
  readonly side: 'buy' | 'sell';
  /** Price, which is the maker's. */
  readonly price: N;
  /** Amount of the base asset. */
  readonly amount: N;
  /** Time of the event. */
  readonly timestamp: string;
  /** Id of the first of the aggregated trades. */
  readonly firstTradeId?: string | undefined;
  /** Id of the last of the aggregated trades. */
  readonly lastTradeId?: string | undefined;
}

export interface Fill<N = number> {
  /** Trade id. */
  readonly id: string;
  /** Id of your order. */
  readonly orderId: string;
  /** Market symbol, BASE/QUOTE. */
  readonly symbol: string;
  /** Side of your order. */
  readonly side: 'buy' | 'sell';
  /** Price, which is the maker's. */
  readonly price: N;
  /** Amount of the base asset. */
  readonly amount: N;
  /** Value in the quote asset, price × amount. */
  readonly cost: N;
  readonly fee: OrderFee<N>;
  /** Whether your order was the maker or the taker. */
  readonly liquidity: 'maker' | 'taker';
  /** Time of the event. */
  readonly timestamp: string;
}

export interface Candle<N = number> {
  /** Start of the candle. */
  readonly timestamp: string;
  /** Opening price. */
  readonly open: N;
  /** Highest price. */
  readonly high: N;
  /** Lowest price. */
  readonly low: N;
  /** Closing price. */
  readonly close: N;
  /** Traded base asset. */
  readonly volume: N;
  /** Traded quote asset. */
  readonly quoteVolume: N;
  /** Number of trades. */
  readonly trades: number;
  /** The part of `volume` whose taker bought. */
  readonly takerBuyVolume: N;
  /** The part of `quoteVolume` whose taker bought. */
  readonly takerBuyQuoteVolume: N;
  /** Id of the first trade; null without trades. */
  readonly firstTradeId: string | null;
  /** Id of the last trade; null without trades. */
  readonly lastTradeId: string | null;
  /** Whether its interval has ended. */
  readonly closed: boolean;
}

export interface PortfolioBalance<N = number> {
  /** Asset symbol. */
  readonly asset: string;
  /** Total balance at the end of the interval. */
  readonly total: N;
}

export interface PortfolioPoint<N = number> {
  /** Start of the interval. */
  readonly timestamp: string;
  /** Balances of every asset that the account has ever held. */
  readonly balances: readonly PortfolioBalance<N>[];
}

export interface LedgerEntry<N = number> {
  /** Entry id. */
  readonly id: string;
  /** Asset symbol. */
  readonly asset: string;
  /** Reason of the change of the available balance. */
  readonly type: 'trade' | 'fee' | 'hold' | 'release' | 'transfer';
  /** Change of the available balance; negative if it decreased. */
  readonly amount: N;
  /** Available balance before. */
  readonly before: N;
  /** Available balance after, exactly before + amount. */
  readonly after: N;
  /** Id of the order (hold, release) or trade (trade, fee), or reference of the transfer. */
  readonly reference: string;
  /** Time of the event. */
  readonly timestamp: string;
}

export interface Deadline {
  /** Market; null for all markets. */
  readonly symbol: string | null;
  /** Time when the orders are canceled. */
  readonly cancelAt: string;
}

export interface Fee<N = number> {
  /** Market symbol, BASE/QUOTE. */
  readonly symbol: string;
  /** Maker fee rate, charged on the received asset: 0.001 is 0.1 %. */
  readonly makerFee: N;
  /** Taker fee rate, charged on the received asset. */
  readonly takerFee: N;
}

export interface FeeTier<N = number> {
  /** Tier number; tier 0 pays the rates of the market. */
  readonly tier: number;
  /** Minimum 30-day volume of the tier. */
  readonly minVolume: N;
  /** Maker fee rate, charged on the received asset: 0.001 is 0.1 %. */
  readonly makerFee: N;
  /** Taker fee rate, charged on the received asset. */
  readonly takerFee: N;
}

export interface Asset {
  /** Asset symbol. */
  readonly asset: string;
  /** Display name. */
  readonly name: string;
  /** Number of decimals. */
  readonly decimals: number;
}

export interface EndpointLimit {
  /** HTTP method. */
  readonly method: string;
  /** Path as in the OpenAPI document. */
  readonly path: string;
  /** Maximum requests per minute; null if limits are off. */
  readonly limit: number | null;
}

export interface Profile {
  /** The trading account. */
  readonly accountId: string;
  /** Name of the user. */
  readonly name: string;
  /** Email address. */
  readonly email: string;
  readonly permissions: readonly ('read' | 'trade' | 'operate')[];
  /** Whether two-factor authentication (2FA) is on. */
  readonly secondFactor: boolean;
  /** Number of unused recovery codes. */
  readonly recoveryCodesLeft: number;
  /** Number of passkeys. */
  readonly passkeys: number;
  /** Time when the user was created. */
  readonly createdAt: string;
  /** Whether this exchange is a sandbox. */
  readonly isSandbox: boolean;
  /** Whether this exchange accepts HMAC keys. */
  readonly hmacKeys: boolean;
}

export interface Session {
  /** Session id, not secret. */
  readonly id: string;
  /** Time of the sign-in. */
  readonly createdAt: string;
  /** Time of its last request. */
  readonly lastSeenAt: string;
  /** IP address of the sign-in. */
  readonly address: string;
  /** User-Agent header of the sign-in. */
  readonly userAgent: string;
  /** Whether this is the current session. */
  readonly current: boolean;
}

export interface Passkey {
  /** Passkey id. */
  readonly id: string;
  /** Label of the passkey. */
  readonly label: string;
  /** Time when the passkey was added. */
  readonly createdAt: string;
  /** Time of the last sign-in with it; null for never. */
  readonly lastUsedAt: string | null;
}

export interface OwnKey {
  /** API key, without its secret. */
  readonly id: string;
  /** Label of the key. */
  readonly label: string;
  readonly permissions: readonly ('read' | 'trade' | 'operate')[];
  /** IP allowlist; empty for any address. */
  readonly addresses: readonly string[];
  /** Time when the key was created. */
  readonly createdAt: string;
  /** Expiry; null for never. */
  readonly expiresAt: string | null;
  /** Type of the credential: a secret that is sent, or one that signs by Ed25519 or HMAC-SHA256. */
  readonly type: 'secret' | 'ed25519' | 'hmac';
  /** Ed25519 public key that checks the signatures of requests, in base64; null if the key has a secret. */
  readonly publicKey: string | null;
  /** Time of its last authorized request; null for never. */
  readonly lastUsedAt: string | null;
  /** Status of the key. */
  readonly status: 'active' | 'expired' | 'revoked';
}

/** The possible values of `error.code`. */
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
  'activationPrice',
  'amount',
  'collar',
  'cost',
  'decimals',
  'displayAmount',
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
  'trailingAmount',
  'trailingPercent',
  'triggerPrice',
]);

/** Fields of responses that are whole numbers, never prices or amounts. */
export const INTEGER_FIELDS: ReadonlySet<string> = new Set([
  'affected',
  'archivistLagMs',
  'checksum',
  'decimals',
  'engineVersion',
  'feeTier',
  'index',
  'limit',
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
  'trades',
  'volumeDays',
]);
