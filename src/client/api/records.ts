// Generated from the OpenAPI document by `npm run generate`. Do not edit.

export interface Market<N = number> {
  /** Market symbol, BASE/QUOTE. */
  readonly symbol: string;
  /** Base asset, which is bought and sold. */
  readonly base: string;
  /** Quote asset, which prices are in. */
  readonly quote: string;
  /** Market status, which decides which orders are accepted. */
  readonly status:
    | 'online'
    | 'post_only'
    | 'limit_only'
    | 'cancel_only'
    | 'halted'
    | 'delisted'
    | 'auction';
  /** Whether the market accepts orders that may trade at once. */
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
  /** Maker fee rate, charged on the received asset: 0.001 is 0.1 %. A negative rate is a rebate on what the taker receives. */
  readonly makerFee: N;
  /** Taker fee rate, charged on the received asset. */
  readonly takerFee: N;
  /** Maximum distance of a market order from the last price, as a fraction of it; null if unlimited. */
  readonly collar: N | null;
  /** Maximum distance of a trade from the static reference price, as a fraction of it; null without a static band. */
  readonly staticBand: N | null;
  /** Maximum distance of a trade from the last price, as a fraction of it; null without a dynamic band. */
  readonly dynamicBand: N | null;
  /** Length of the call phase of an auction in milliseconds; null if only an operator ends it. */
  readonly auctionMs: N | null;
  /** The auction that a market is in. */
  readonly auction: {
    /** Why the market is in an auction: it opens, an operator has called it, or a trade would have left the price bands. */
    readonly cause: 'opening' | 'operator' | 'volatility';
    /** When the auction fills orders; null if an operator ends it. */
    readonly endsAt: string | null;
    /** Whether the auction was extended because its price was far outside the bands. */
    readonly extended: boolean;
    /** The price at which the auction would fill orders now; null if none cross. */
    readonly price: N | null;
    /** The amount that it would fill, of the base asset. */
    readonly amount: N;
    /** The amount at this price that would find no other side. */
    readonly surplus: N;
    /** The side of the surplus; null without one. */
    readonly surplusSide: 'buy' | 'sell' | null;
  } | null;
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
  /** Market status, which decides which orders are accepted. */
  readonly status:
    | 'online'
    | 'post_only'
    | 'limit_only'
    | 'cancel_only'
    | 'halted'
    | 'delisted'
    | 'auction';
  /** The auction that a market is in. */
  readonly auction: {
    /** Why the market is in an auction: it opens, an operator has called it, or a trade would have left the price bands. */
    readonly cause: 'opening' | 'operator' | 'volatility';
    /** When the auction fills orders; null if an operator ends it. */
    readonly endsAt: string | null;
    /** Whether the auction was extended because its price was far outside the bands. */
    readonly extended: boolean;
    /** The price at which the auction would fill orders now; null if none cross. */
    readonly price: N | null;
    /** The amount that it would fill, of the base asset. */
    readonly amount: N;
    /** The amount at this price that would find no other side. */
    readonly surplus: N;
    /** The side of the surplus; null without one. */
    readonly surplusSide: 'buy' | 'sell' | null;
  } | null;
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
  /** Fees of its fills, one entry per asset; empty before a fill. Rebates are only in the fills. */
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
    | 'volatility_halt'
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
  /** Place in the log of the command that placed, amended or canceled the order, if it was requested; null if a repeated request found the order placed before. */
  readonly receipt?: Receipt | null | undefined;
}

export interface OrderFee<N = number> {
  /** The received asset; the given one for a rebate. */
  readonly asset: string;
  /** Fee in that asset; negative for a rebate. */
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
  /** Fees of its fills, one entry per asset; empty before a fill. Rebates are only in the fills. */
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
    | 'volatility_halt'
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

export interface TimelineEvent<N = number> {
  /** Position of the log: the batch of commands with which it happened. */
  readonly position: number;
  /** Time of the event. */
  readonly timestamp: string;
  /** `rested`: it came to the end of the queue of its price. `replenished`: the next part of an iceberg did. `activated`: a trailing stop began to follow the price. `market_status`: the status of the market changed. The last event of an order that ended is its status. */
  readonly kind:
    | 'placed'
    | 'activated'
    | 'triggered'
    | 'amended'
    | 'fill'
    | 'rested'
    | 'replenished'
    | 'market_status'
    | 'filled'
    | 'canceled'
    | 'expired'
    | 'rejected';
  /** Price of the fill; otherwise the limit price. */
  readonly price: N | null;
  /** Amount of the fill; otherwise that of the order. */
  readonly amount: N;
  /** Amount filled up to this event, which is included. */
  readonly filled: N;
  /** Trigger price, null for an order without one. */
  readonly triggerPrice: N | null;
  /** Reason of an amendment, or of the end. */
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
    | 'volatility_halt'
    | null;
  /** Trade of a fill. */
  readonly tradeId: string | null;
  /** Whether it was the maker or the taker of a fill. */
  readonly liquidity: 'maker' | 'taker' | null;
  /** Side of the other order of a fill. */
  readonly counterpartySide: 'buy' | 'sell' | null;
  /** Status of the market. */
  readonly marketStatus:
    | 'online'
    | 'post_only'
    | 'limit_only'
    | 'cancel_only'
    | 'halted'
    | 'delisted'
    | 'auction';
  /** Number of better prices on its side of the book. */
  readonly levelsAhead: number | null;
  /** Amount at better prices, and ahead of it in the queue of its price. */
  readonly amountAhead: N | null;
  /** Amount ahead of it in the queue of its price. */
  readonly queueAhead: N | null;
}

export interface QueuePoint<N = number> {
  /** Position of the log: the batch of commands with which it happened. */
  readonly position: number;
  /** Time from which it is so. */
  readonly timestamp: string;
  /** Number of better prices on its side of the book. */
  readonly levelsAhead: number;
  /** Amount at better prices, and ahead of it in the queue of its price. */
  readonly amountAhead: N;
  /** Amount ahead of it in the queue of its price. */
  readonly queueAhead: N;
}

export interface WhyNotFilled<N = number> {
  /** The first condition that keeps the order from a fill. */
  readonly code:
    | 'market_unavailable'
    | 'auction'
    | 'awaiting_activation'
    | 'awaiting_trigger'
    | 'triggered'
    | 'orders_ahead'
    | 'no_counter_orders'
    | 'price_not_reached';
  /** The condition in words. */
  readonly text: string;
  /** Number of better prices on its side of the book. */
  readonly levelsAhead: number | null;
  /** Amount at better prices, and ahead of it in the queue of its price. */
  readonly amountAhead: N | null;
  /** Amount ahead of it in the queue of its price. */
  readonly queueAhead: N | null;
  /** Status of the market. */
  readonly marketStatus:
    | 'online'
    | 'post_only'
    | 'limit_only'
    | 'cancel_only'
    | 'halted'
    | 'delisted'
    | 'auction';
  /** Price of the last trade; null before the first. */
  readonly lastPrice: N | null;
  /** Trigger price. */
  readonly triggerPrice: N | null;
  /** Activation price of a trailing stop. */
  readonly activationPrice: N | null;
  /** Best price of the other side of the book. */
  readonly counterPrice: N | null;
  /** Distance in percent: of the best price of the other side from the limit price or, before a trigger or an activation, of its price from that of the last trade. */
  readonly distancePercent: N | null;
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
  /** Only of a busted trade: when operators reversed it. */
  readonly bustedAt?: string | undefined;
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
  /** Only of a busted trade: when operators reversed it. */
  readonly bustedAt?: string | undefined;
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
  readonly type:
    | 'trade'
    | 'fee'
    | 'hold'
    | 'release'
    | 'transfer'
    | 'deposit'
    | 'withdrawal'
    | 'withdrawal_fee'
    | 'custody_hold'
    | 'custody_release'
    | 'internal_transfer'
    | 'trade_bust'
    | 'trade_bust_fee'
    | 'rebate'
    | 'referral';
  /** Change of the available balance; negative if it decreased. */
  readonly amount: N;
  /** Available balance before. */
  readonly before: N;
  /** Available balance after, exactly before + amount. */
  readonly after: N;
  /** Id of the order (hold, release) or trade (trade, fee, rebate, referral, trade_bust, trade_bust_fee), or reference of the transfer. */
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
  /** Maker fee rate, charged on the received asset: 0.001 is 0.1 %. A negative rate is a rebate on what the taker receives. */
  readonly makerFee: N;
  /** Taker fee rate, charged on the received asset. */
  readonly takerFee: N;
}

export interface FeeTier<N = number> {
  /** Tier number; tier 0 pays the rates of the market. */
  readonly tier: number;
  /** Minimum 30-day volume of the tier. */
  readonly minVolume: N;
  /** Maker fee rate, charged on the received asset: 0.001 is 0.1 %. A negative rate is a rebate on what the taker receives. */
  readonly makerFee: N;
  /** Taker fee rate, charged on the received asset. */
  readonly takerFee: N;
}

export interface FeeDiscount<N = number> {
  /** The asset that an account must own. */
  readonly asset: string;
  /** Minimum that an account must own of it, available and held. */
  readonly minBalance: N;
  /** Part of the fee rates that is waived: 0.25 is a quarter. */
  readonly rate: N;
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

export interface Network<N = number> {
  /** Asset symbol. */
  readonly asset: string;
  /** Name of the network. */
  readonly network: string;
  /** Decimals of amounts on the network. */
  readonly decimals: number;
  /** Minimum deposit; smaller ones are not credited. */
  readonly minDeposit: N;
  /** Minimum withdrawal, without the fee. */
  readonly minWithdrawal: N;
  /** Fee of a withdrawal, in addition to its amount. */
  readonly withdrawalFee: N;
  /** Confirmations at which a deposit is credited. */
  readonly confirmations: number;
  /** Whether addresses have a memo. */
  readonly memo: 'none' | 'optional' | 'required';
  /** Whether deposits are credited. */
  readonly deposits: boolean;
  /** Whether withdrawals are possible. */
  readonly withdrawals: boolean;
  /** Maximum withdrawn by an account in 24 hours; 0 for no limit. */
  readonly dailyLimit: N;
  /** Maximum withdrawals of an account in an hour; 0 for no limit. */
  readonly hourlyCount: number;
  /** The time for which a new address cannot be used. */
  readonly addressCoolingMs: number;
  /** The time that withdrawals wait after a new device. */
  readonly newDeviceDelayMs: number;
  /** Larger withdrawals need the approval of two operators. */
  readonly approvalAbove: N;
  /** Median time from the first report of a deposit to its credit, of the newest 100; null with fewer than 3, or while unknown. */
  readonly typicalDepositMs: number | null;
  /** Address of a transaction at a block explorer, with `{transaction}` for its id; null if the operator has set none. */
  readonly explorerUrl: string | null;
}

export interface DepositAddress {
  /** Asset symbol. */
  readonly asset: string;
  /** Name of the network. */
  readonly network: string;
  /** Address on the network. */
  readonly address: string;
  /** Memo or tag that belongs to the address; null for none. */
  readonly memo: string | null;
  /** Time when the custodian gave the address. */
  readonly createdAt: string;
}

export interface WithdrawalAddress {
  /** Id of the address. */
  readonly id: string;
  /** Asset symbol. */
  readonly asset: string;
  /** Name of the network. */
  readonly network: string;
  /** Address on the network. */
  readonly address: string;
  /** Memo or tag that belongs to the address; null for none. */
  readonly memo: string | null;
  /** Your name of the address; null for none, or while names cannot be read. */
  readonly label: string | null;
  /** Time when the address was added. */
  readonly createdAt: string;
  /** Time from which withdrawals to it are possible. */
  readonly usableAt: string;
}

export interface Deposit<N = number> {
  /** Deposit id. */
  readonly id: string;
  /** Account id. */
  readonly account: string | null;
  /** Asset symbol. */
  readonly asset: string;
  /** Name of the network. */
  readonly network: string;
  /** Address on the network. */
  readonly address: string;
  /** Memo or tag that belongs to the address; null for none. */
  readonly memo: string | null;
  /** Transaction id. */
  readonly transaction: string;
  /** Place of the payment in its transaction. */
  readonly index: number;
  /** Amount of the payment. */
  readonly amount: N;
  /** The held part of a deposit that was reorganized after its credit. */
  readonly held: N;
  /** Status: see docs/trading/deposits-and-withdrawals.md. */
  readonly status:
    | 'seen'
    | 'confirming'
    | 'credited'
    | 'reversed'
    | 'below_minimum'
    | 'review'
    | 'frozen'
    | 'debited'
    | 'released'
    | 'dismissed';
  /** Confirmations so far. */
  readonly confirmations: number;
  /** Confirmations at which it is credited. */
  readonly requiredConfirmations: number;
  /** Time of the first report. */
  readonly createdAt: string;
  /** Time of the last change. */
  readonly updatedAt: string;
  /** Time of the credit; null if it was not credited. */
  readonly creditedAt: string | null;
}

export interface Withdrawal<N = number> {
  /** Withdrawal id. */
  readonly id: string;
  /** Account id. */
  readonly account: string;
  /** Asset symbol. */
  readonly asset: string;
  /** Name of the network. */
  readonly network: string;
  /** Address on the network. */
  readonly address: string;
  /** Memo or tag that belongs to the address; null for none. */
  readonly memo: string | null;
  /** The amount that arrives. */
  readonly amount: N;
  /** Fee, held and paid in addition. */
  readonly fee: N;
  /** Your id of the withdrawal; null for none. */
  readonly clientId: string | null;
  /** Status: see docs/trading/deposits-and-withdrawals.md. */
  readonly status:
    | 'delayed'
    | 'awaiting_approval'
    | 'approved'
    | 'sending'
    | 'broadcast'
    | 'confirmed'
    | 'failed'
    | 'canceled'
    | 'rejected';
  /** End of the delay after a new device; null without one. */
  readonly waitsUntil: string | null;
  readonly approvals: readonly string[];
  /** Transaction id; null before the broadcast. */
  readonly transaction: string | null;
  /** The reason why it failed or was rejected; otherwise null. */
  readonly reason: string | null;
  /** Time of the request. */
  readonly createdAt: string;
  /** Time of the last change. */
  readonly updatedAt: string;
}

export interface WithdrawalLimit<N = number> {
  /** Asset symbol. */
  readonly asset: string;
  /** Name of the network. */
  readonly network: string;
  /** Maximum withdrawn in 24 hours. */
  readonly dailyLimit: N;
  /** Withdrawn in the last 24 hours, over all networks of the asset. */
  readonly used: N;
  /** The rest of the limit: what can be withdrawn now. */
  readonly remaining: N;
}

export interface Holding<N = number> {
  /** Asset symbol. */
  readonly asset: string;
  /** Name of the network. */
  readonly network: string;
  /** Coins that the custodian holds for the exchange. */
  readonly amount: N;
  /** Time of the newest report. */
  readonly reportedAt: string;
}

export interface GroupAccount<N = number> {
  /** Account id. */
  readonly accountId: string;
  /** Name of the sub-account; null for the main account. */
  readonly name: string | null;
  /** Whether it is the main account. */
  readonly isMain: boolean;
  /** Whether it is frozen and cannot trade. */
  readonly frozen: boolean;
  /** Whether it is a sub-account that its owner has closed. */
  readonly closed: boolean;
  /** Number of open orders. */
  readonly openOrders: number;
  /** Time when the account was created. */
  readonly createdAt: string;
  readonly balances: readonly Balance<N>[];
}

export interface InternalTransfer<N = number> {
  /** Transfer id. */
  readonly id: string;
  /** Account that sent it. */
  readonly from: string;
  /** Account that received it. */
  readonly to: string;
  /** Asset symbol. */
  readonly asset: string;
  /** Amount. */
  readonly amount: N;
  /** The sender's id of the transfer; null for none, and after 25 hours. */
  readonly clientId: string | null;
  /** Time of the transfer. */
  readonly timestamp: string;
}

export interface Report {
  /** Report id. */
  readonly reportId: string;
  /** The account that it is about; null for the exchange. */
  readonly account: string | null;
  /** The records that it lists. */
  readonly kind:
    | 'orders'
    | 'fills'
    | 'ledger'
    | 'statement'
    | 'deposits'
    | 'withdrawals'
    | 'tax_fifo'
    | 'tax_average'
    | 'volume'
    | 'revenue'
    | 'users'
    | 'market_quality';
  /** Format of its file. */
  readonly format: 'csv' | 'json' | 'html';
  /** Beginning of the period. */
  readonly from: string;
  /** End of the period, which is not included. */
  readonly to: string;
  /** Only a report that is `done` has a file. */
  readonly status: 'queued' | 'running' | 'done' | 'failed';
  /** Progress, from 0 to 100. */
  readonly progressPercent: number;
  /** Time of the request. */
  readonly createdAt: string;
  /** When it was done or failed; null before. */
  readonly finishedAt: string | null;
  /** The last batch of the log that it includes; 0 before it runs. */
  readonly logPosition: number;
  /** Records in the file; 0 until it is done. */
  readonly rows: number;
  /** Size of the file; 0 until it is done. */
  readonly bytes: number;
  /** SHA-256 of the file in hexadecimal; null until it is done. */
  readonly sha256: string | null;
  /** Why it failed; null otherwise. */
  readonly error: string | null;
}

export interface AssetLiabilities {
  /** The asset. */
  readonly asset: string;
  /** Decimals of the asset's smallest unit, in which the amounts are. */
  readonly decimals: number;
  /** Number of levels of its tree above the leaves. */
  readonly treeDepth: number;
  /** Hash of the tree's root. 64 hexadecimal digits. */
  readonly tree: string;
  /** Balances of all accounts together, available and held. */
  readonly total: string;
  /** Fees that the exchange has collected and holds. */
  readonly fees: string;
  /** The balance of everything outside: negative, what was deposited. */
  readonly external: string;
}

export interface LiabilityProof {
  /** Id of the proof. */
  readonly id: string;
  /** The last batch of the log that it includes. */
  readonly position: number;
  /** Time of that batch. */
  readonly timestamp: string;
  /** Chain hash of the log at that position. 64 hexadecimal digits. */
  readonly logHash: string;
  /** SHA-256 of everything above and of all assets. 64 hexadecimal digits. */
  readonly root: string;
  /** Every asset of the exchange. */
  readonly assets: readonly AssetLiabilities[];
}

export interface ProofNode {
  /** Hash of the node. 64 hexadecimal digits. */
  readonly hash: string;
  /** Sum of the leaves below it. */
  readonly sum: string;
}

export interface IncludedBalance {
  /** The asset. */
  readonly asset: string;
  /** Your balance, available and held, in the smallest unit. */
  readonly amount: string;
  /** The secret number that hides your leaf from others. 64 hexadecimal digits. */
  readonly nonce: string;
  /** Place of your leaf, from 0. */
  readonly index: number;
  /** The sibling of each node on the way to the root, lowest first. */
  readonly path: readonly ProofNode[];
}

export interface Receipt {
  /** Position of the batch in the log. */
  readonly position: number;
  /** Index of the command in that batch, from 0. */
  readonly index: number;
  /** Time of that batch. */
  readonly timestamp: string;
  /** Chain hash of the log at that position. 64 hexadecimal digits. */
  readonly logHash: string;
}

export interface ProfitAndLoss<N = number> {
  /** The asset in which values are. */
  readonly quote: string;
  /** The method by which costs are found. */
  readonly method: 'fifo' | 'average';
  /** False while more of a long ledger is to be read: send the request again. */
  readonly isComplete: boolean;
  /** Time up to which the ledger is included. */
  readonly timestamp: string;
  /** The time from which the ledger is kept; null if no history was deleted. */
  readonly keptSince: string | null;
  /** Value of everything in the account, at the price of that time. */
  readonly value: N;
  /** The cost of everything in the account. */
  readonly cost: N;
  /** Gains less losses of everything that was sold, and income. */
  readonly realized: N;
  /** value - cost. */
  readonly unrealized: N;
  /** value - cost of everything that was withdrawn, at that time: neither realized nor unrealized. */
  readonly withdrawnGain: N;
  /** Deposits less withdrawals, at their value at that time. */
  readonly netDeposits: N;
  /** Value of all deposits at their time. */
  readonly deposited: N;
  /** Value of all withdrawals at their time. */
  readonly withdrawn: N;
  /** Fees of trades and withdrawals less rebates, at their value at that time. */
  readonly fees: N;
  /** Time-weighted return since the first deposit as a factor: 1.05 is +5 %. The return between two points is the quotient of their factors less 1. */
  readonly returnIndex: N;
  /** Every asset that the account ever had. */
  readonly assets: readonly AssetGains<N>[];
  /** Oldest first. */
  readonly points: readonly GainsPoint<N>[];
  /** Deposits, withdrawals and transfers since the first point, oldest first; of more than 500 the newest. */
  readonly flows: readonly Flow<N>[];
  /** Oldest first. */
  readonly years: readonly GainsYear<N>[];
}

export interface AssetGains<N = number> {
  /** Asset symbol. */
  readonly asset: string;
  /** Total balance, available and held. */
  readonly amount: N;
  /** cost / amount; null if there is none. */
  readonly averageCost: N | null;
  /** The cost of the amount. */
  readonly cost: N;
  /** The last price; null if no market gives one. */
  readonly price: N | null;
  /** amount × price. */
  readonly value: N | null;
  /** value - cost. */
  readonly unrealized: N | null;
  /** Gains less losses of everything that was sold, and income. */
  readonly realized: N;
  /** value - cost of everything that was withdrawn, at that time: neither realized nor unrealized. */
  readonly withdrawnGain: N;
  /** Whether some of the amount had no price when it arrived: it counts as free. */
  readonly hasUnknownCost: boolean;
}

export interface GainsPoint<N = number> {
  /** Start of the interval. The point shows its end; that of the last interval shows now. */
  readonly timestamp: string;
  /** Value of everything in the account, at the price of that time. */
  readonly value: N;
  /** The cost of everything in the account. */
  readonly cost: N;
  /** Gains less losses of everything that was sold, and income. */
  readonly realized: N;
  /** value - cost. */
  readonly unrealized: N;
  /** value - cost of everything that was withdrawn, at that time: neither realized nor unrealized. */
  readonly withdrawnGain: N;
  /** Deposits less withdrawals, at their value at that time. */
  readonly netDeposits: N;
  /** Time-weighted return since the first deposit as a factor: 1.05 is +5 %. The return between two points is the quotient of their factors less 1. */
  readonly returnIndex: N;
}

export interface Flow<N = number> {
  /** Time of the event. */
  readonly timestamp: string;
  /** Asset symbol. */
  readonly asset: string;
  /** Type of the ledger entry. */
  readonly type:
    | 'trade'
    | 'fee'
    | 'hold'
    | 'release'
    | 'transfer'
    | 'deposit'
    | 'withdrawal'
    | 'withdrawal_fee'
    | 'custody_hold'
    | 'custody_release'
    | 'internal_transfer'
    | 'trade_bust'
    | 'trade_bust_fee'
    | 'rebate'
    | 'referral'
    | 'opening_balance';
  /** Negative if it left the account. */
  readonly amount: N;
  /** Its value at that time; null if there was no price. */
  readonly value: N | null;
}

export interface GainsYear<N = number> {
  /** Calendar year (UTC). */
  readonly year: number;
  /** Number of disposals and of amounts of income. */
  readonly disposals: number;
  /** Proceeds after fees. */
  readonly proceeds: N;
  /** Cost of what was disposed of. */
  readonly cost: N;
  /** Sum of the positive gains. */
  readonly gains: N;
  /** Sum of the negative gains. */
  readonly losses: N;
  /** The part of the gains that was earned without giving anything. */
  readonly income: N;
  /** Whether some of the cost or the proceeds is unknown. */
  readonly hasUnknownCost: boolean;
}

export interface Profile {
  /** The trading account. */
  readonly accountId: string;
  /** Name of the user. */
  readonly name: string;
  /** Email address. */
  readonly email: string;
  /** The new address of a change that is not confirmed yet. */
  readonly pendingEmail: string | null;
  readonly permissions: readonly (
    | 'read'
    | 'trade'
    | 'operate'
    | 'withdraw'
    | 'transfer'
    | 'support'
    | 'markets'
    | 'treasury'
    | 'compliance'
    | 'audit'
  )[];
  /** Whether two-factor authentication (2FA) is on. */
  readonly secondFactor: boolean;
  /** Number of unused recovery codes. */
  readonly recoveryCodesLeft: number;
  /** Number of passkeys. */
  readonly passkeys: number;
  /** The code that every mail to the user shows; null if none is set. */
  readonly antiPhishingCode: string | null;
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

export interface SignIn {
  /** Id of the sign-in. */
  readonly id: string;
  /** Time of the sign-in. */
  readonly timestamp: string;
  /** `wrong_code`: the password was right, the 2FA code was not. */
  readonly result: 'succeeded' | 'wrong_password' | 'wrong_code';
  /** Credentials that were sent. `email_link` is the link that confirms a sign-up; null for sign-ins before it was recorded. */
  readonly method:
    | 'password'
    | 'password_totp'
    | 'password_recovery_code'
    | 'passkey'
    | 'email_link'
    | null;
  /** IP address of the request; null if it is not known. */
  readonly address: string | null;
  /** Its User-Agent header; null if there was none, or it was not recorded. */
  readonly userAgent: string | null;
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
  readonly permissions: readonly (
    | 'read'
    | 'trade'
    | 'operate'
    | 'withdraw'
    | 'transfer'
    | 'support'
    | 'markets'
    | 'treasury'
    | 'compliance'
    | 'audit'
  )[];
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

export interface Webhook {
  /** Webhook id. */
  readonly id: string;
  /** Address of the receiver. */
  readonly url: string;
  /** Label of the webhook. */
  readonly label: string;
  readonly events: readonly string[];
  /** Status. `failed`: nothing was accepted for three days; resume it once the receiver works. */
  readonly status: 'active' | 'paused' | 'failed';
  /** Time when the webhook was created. */
  readonly createdAt: string;
  /** Time since which every attempt has failed; null if the last one succeeded. */
  readonly failingSince: string | null;
  /** Number of failed attempts in a row. */
  readonly attempts: number;
  /** The reason why the last attempt failed; null if it succeeded. */
  readonly lastError: string | null;
}

export interface Delivery {
  /** The `webhook-id` of the request: the same for every attempt at an event. */
  readonly eventId: string;
  /** Name of the event. */
  readonly event: string;
  /** Time of the attempt. */
  readonly timestamp: string;
  /** Number of the attempt, from 1. */
  readonly attempt: number;
  /** Whether the receiver responded with a status of 200 to 299. */
  readonly accepted: boolean;
  /** HTTP status; null if there was no response. */
  readonly status: number | null;
  /** The reason why it failed; null if it was accepted. */
  readonly error: string | null;
  /** Duration of the attempt. */
  readonly durationMs: number;
}

export interface PriceAlert<N = number> {
  /** Alert id. */
  readonly id: string;
  /** Market symbol, BASE/QUOTE. */
  readonly symbol: string;
  /** Whether the price must rise or fall to the price. */
  readonly direction: 'above' | 'below';
  /** The price. */
  readonly price: N;
  /** A text for yourself. */
  readonly note: string;
  /** Time when the alert was created. */
  readonly createdAt: string;
  /** Time when the price was reached; null before. */
  readonly triggeredAt: string | null;
}

export interface Notice {
  /** Notice id, increasing. */
  readonly id: number;
  /** Name of the event. */
  readonly event: string;
  /** Time of the event. */
  readonly timestamp: string;
  /** Whether it is marked as read. */
  readonly read: boolean;
  /** The record of the event. */
  readonly data: Readonly<Record<string, unknown>>;
}

export interface NotificationSettings {
  readonly mail: readonly string[];
  readonly page: readonly string[];
  /** Your browsers that get messages. */
  readonly push: readonly {
    /** The address of the browser at its push service. */
    readonly endpoint: string;
    readonly events: readonly string[];
  }[];
  /** The key with which browsers subscribe, `applicationServerKey`. */
  readonly pushKey: string;
}

export interface NotionalLimit<N = number> {
  /** Quote asset. */
  readonly asset: string;
  /** Maximum of price × unfilled amount of all open orders. */
  readonly amount: N;
}

export interface TradingLimits<N = number> {
  /** Whether these are the limits of accounts without their own. */
  readonly isDefault: boolean;
  /** Orders and amendments per 10 seconds; null for no limit. */
  readonly orderRate: number | null;
  /** Orders and amendments per trade in each hour, beyond `freeOrders`; null for no limit. */
  readonly ordersPerTrade: number | null;
  /** Orders and amendments per hour that need no trade. */
  readonly freeOrders: number | null;
  readonly openNotional: readonly NotionalLimit<N>[];
}

export interface UsedNotional<N = number> {
  /** Quote asset. */
  readonly asset: string;
  /** price × unfilled amount of all open orders. */
  readonly used: N;
}

export interface UsedLimits<N = number> {
  /** Orders and amendments in the current 10 seconds, if they are limited. */
  readonly orders: number;
  /** Time at which `orders` starts again. */
  readonly ordersResetAt: string;
  /** Orders and amendments in the current hour, if they are limited. */
  readonly hourlyOrders: number;
  /** Trades in the current hour, if orders per trade are limited. */
  readonly hourlyTrades: number;
  /** Time at which the counts of the hour start again. */
  readonly hourlyResetAt: string;
  readonly openNotional: readonly UsedNotional<N>[];
}

/** The possible values of `error.code`. */
export type ErrorCode =
  | 'ACCOUNT_FROZEN'
  | 'ACCOUNT_LIMIT'
  | 'ADDRESS_COOLING'
  | 'APPROVAL_NOT_ALLOWED'
  | 'BROWSER_NOT_ALLOWED'
  | 'CLOCK_OFF'
  | 'DEPOSIT_CONFLICT'
  | 'DEPOSIT_NOT_IN_REVIEW'
  | 'DUPLICATE_CLIENT_ORDER_ID'
  | 'DUPLICATE_REFERENCE'
  | 'DUPLICATE_WITHDRAWAL'
  | 'INSUFFICIENT_BALANCE'
  | 'INSUFFICIENT_PERMISSIONS'
  | 'INTERNAL_ERROR'
  | 'INVALID_ADDRESS'
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
  | 'NETWORK_UNAVAILABLE'
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
  | 'UNSUPPORTED_VERSION'
  | 'WITHDRAWALS_BLOCKED'
  | 'WITHDRAWAL_LIMIT'
  | 'WITHDRAWAL_NOT_PENDING'
  | 'auction'
  | 'awaiting_activation'
  | 'awaiting_trigger'
  | 'market_unavailable'
  | 'no_counter_orders'
  | 'orders_ahead'
  | 'price_not_reached'
  | 'triggered';

/** Fields of requests that are numbers. */
export const NUMBER_FIELDS: ReadonlySet<string> = new Set([
  'activationPrice',
  'addressCoolingMs',
  'advanceMs',
  'amount',
  'approvalAbove',
  'auctionMs',
  'bias',
  'change',
  'collar',
  'confirmations',
  'cost',
  'count',
  'dailyLimit',
  'decimals',
  'depth',
  'displayAmount',
  'durationMs',
  'dynamicBand',
  'everyMs',
  'flow',
  'forMs',
  'freeOrders',
  'hourlyCount',
  'index',
  'jitter',
  'limitClass',
  'makerFee',
  'maxAmount',
  'maxPrice',
  'minAmount',
  'minBalance',
  'minDeposit',
  'minNotional',
  'minPrice',
  'minVolume',
  'minWithdrawal',
  'ms',
  'newDeviceDelayMs',
  'orderRate',
  'ordersPerTrade',
  'price',
  'probability',
  'rate',
  'referencePrice',
  'report',
  'seed',
  'share',
  'speed',
  'spread',
  'staticBand',
  'stepSize',
  'takerFee',
  'tickSize',
  'timeout',
  'trailingAmount',
  'trailingPercent',
  'triggerPrice',
  'typicalDepositMs',
  'upTo',
  'volatility',
  'withdrawal',
  'withdrawalFee',
]);

/** Fields of responses that are whole numbers, never prices or amounts. */
export const INTEGER_FIELDS: ReadonlySet<string> = new Set([
  'accounts',
  'active',
  'addressCoolingMs',
  'affected',
  'alerts',
  'anyRestrictedSeconds',
  'approvals',
  'archivistLagMs',
  'attempt',
  'attempts',
  'bytes',
  'checksum',
  'confirmations',
  'count',
  'created',
  'createdByDay',
  'decimals',
  'depositsSuspendedSeconds',
  'depositsToReview',
  'disposals',
  'dropped',
  'durationMs',
  'engineVersion',
  'everyMs',
  'exchangeKeyNumber',
  'failures',
  'fault',
  'feeTier',
  'forMs',
  'freeOrders',
  'happened',
  'hourlyCount',
  'hourlyOrders',
  'hourlyTrades',
  'id',
  'index',
  'injected',
  'instructions',
  'jitter',
  'keyNumber',
  'levelsAhead',
  'limit',
  'limitClass',
  'logPosition',
  'ms',
  'newDeviceDelayMs',
  'newestEngineVersion',
  'number',
  'offsetMs',
  'oldestMs',
  'openOrders',
  'orderRate',
  'orders',
  'ordersPerTrade',
  'passkeys',
  'played',
  'position',
  'prevSequence',
  'progressPercent',
  'recoveryCodesLeft',
  'registered',
  'rejected',
  'rejection',
  'removed',
  'requiredApprovals',
  'requiredConfirmations',
  'restrictedSeconds',
  'rows',
  'seed',
  'segments',
  'sequence',
  'skipped',
  'status',
  'stepMs',
  'storedBytes',
  'tier',
  'trades',
  'treeDepth',
  'typicalDepositMs',
  'unread',
  'volumeDays',
  'waiting',
  'waitingBytes',
  'waitingCommands',
  'windowMs',
  'withdrawalsSuspendedSeconds',
  'withdrawalsToApprove',
  'year',
]);
