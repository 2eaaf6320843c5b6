// Generated from the OpenAPI document by `npm run generate`. Do not edit.

export interface GetMarketsParameters {
  /** A market from GET /api/markets. */
  readonly symbol?: string | undefined;
}

export interface GetPricesParameters {
  /** A market from GET /api/markets. */
  readonly symbol?: string | undefined;
}

export interface GetOrderbookParameters {
  /** A market from GET /api/markets. */
  readonly symbol: string;
  /** Maximum number of price levels per side. */
  readonly depth?: number | undefined;
}

export interface GetLevel3Parameters {
  /** A market from GET /api/markets. */
  readonly symbol: string;
  /** Maximum number of records per page. */
  readonly limit?: number | undefined;
}

export interface GetTradesParameters {
  /** A market from GET /api/markets. */
  readonly symbol: string;
  /** With `true` the trades of one order at one price are one record. */
  readonly aggregate?: 'true' | 'false' | undefined;
  /** Return only trades with this id or a higher one. */
  readonly fromId?: string | undefined;
  /** Return only records from this time on. ISO 8601 with a zone, or milliseconds since 1970. */
  readonly since?: string | number | undefined;
  /** Return only records up to this time. ISO 8601 with a zone, or milliseconds since 1970. */
  readonly until?: string | number | undefined;
  /** Maximum number of records per page. */
  readonly limit?: number | undefined;
  /** The `nextCursor` of the previous page, unchanged, with the same parameters except `limit`. */
  readonly cursor?: string | undefined;
  /** `desc` for newest first, `asc` for oldest first. */
  readonly sort?: 'desc' | 'asc' | undefined;
}

export interface GetCandlesParameters {
  /** A market from GET /api/markets. */
  readonly symbol: string;
  /** Length of a candle. */
  readonly interval?:
    | '1s'
    | '1m'
    | '3m'
    | '5m'
    | '15m'
    | '30m'
    | '1h'
    | '2h'
    | '4h'
    | '6h'
    | '8h'
    | '12h'
    | '1d'
    | '3d'
    | '1w'
    | '1M'
    | undefined;
  /** Return only records from this time on. ISO 8601 with a zone, or milliseconds since 1970. */
  readonly since?: string | number | undefined;
  /** Return only records up to this time. ISO 8601 with a zone, or milliseconds since 1970. */
  readonly until?: string | number | undefined;
  /** Maximum number of records per page. */
  readonly limit?: number | undefined;
}

export interface GetPortfolioHistoryParameters {
  /** Length of a candle. */
  readonly interval?:
    | '1s'
    | '1m'
    | '3m'
    | '5m'
    | '15m'
    | '30m'
    | '1h'
    | '2h'
    | '4h'
    | '6h'
    | '8h'
    | '12h'
    | '1d'
    | '3d'
    | '1w'
    | '1M'
    | undefined;
  /** Return only records from this time on. ISO 8601 with a zone, or milliseconds since 1970. */
  readonly since?: string | number | undefined;
  /** Return only records up to this time. ISO 8601 with a zone, or milliseconds since 1970. */
  readonly until?: string | number | undefined;
  /** Maximum number of records per page. */
  readonly limit?: number | undefined;
}

export interface GetFeesParameters {
  /** A market from GET /api/markets. */
  readonly symbol?: string | undefined;
}

export interface PlaceOrderParameters {
  /** A market from GET /api/markets. */
  readonly symbol: string;
  /** Whether to buy or sell the base asset. */
  readonly side: 'buy' | 'sell';
  /** A limit order needs a `price`. A market order matches the book within the price band of the market (`collar`). Stop and take-profit orders are pending until the last price reaches `triggerPrice`. The trigger of a trailing stop follows the best last price since its placement. */
  readonly type:
    | 'limit'
    | 'market'
    | 'stop'
    | 'stop_limit'
    | 'take_profit'
    | 'take_profit_limit'
    | 'trailing_stop';
  /** Amount of the base asset, a multiple of the market's `stepSize`. Not together with `cost`. */
  readonly amount?: number | string | null | undefined;
  /** Limit price, a multiple of the market's `tickSize`. Only for order types with a limit. */
  readonly price?: number | string | null | undefined;
  /** Last price that triggers a stop or take-profit order, a multiple of `tickSize`. */
  readonly triggerPrice?: number | string | null | undefined;
  /** Distance of the trigger of a trailing stop from the best last price, a multiple of `tickSize`. */
  readonly trailingAmount?: number | string | null | undefined;
  /** The same distance in percent of the best last price, 0.01 to 50 with at most two decimals. */
  readonly trailingPercent?: number | string | null | undefined;
  /** Last price from which a trailing stop trails: at or above it for a sell, at or below it for a buy. Default: it trails at once. */
  readonly activationPrice?: number | string | null | undefined;
  /** Amount of a limit order that the book shows (iceberg). The rest follows part by part, each at the end of the queue. At most 100 parts. */
  readonly displayAmount?: number | string | null | undefined;
  /** Quote asset to spend, or to receive for a sell, instead of `amount`. Only for market orders. */
  readonly cost?: number | string | null | undefined;
  /** Take profit and stop loss for the filled amount, placed on the other side when this order ends with a fill; both together are an OCO order. With `side` and `amount`, orders that are placed when this one is filled completely (one triggers the other). Only for limit and market orders. */
  readonly attached?:
    | {
        /** `price` alone is a post-only limit order, `triggerPrice` alone a take_profit, both a take_profit_limit. */
        readonly takeProfit?:
          | {
              /** Limit price of the leg. */
              readonly price?: number | string | null | undefined;
              /** Last price that triggers the leg. */
              readonly triggerPrice?: number | string | null | undefined;
            }
          | null
          | undefined;
        /** `triggerPrice` alone is a stop, with `price` a stop_limit; `trailingAmount` or `trailingPercent` make it a trailing stop. */
        readonly stopLoss?:
          | {
              /** Limit price of the leg. */
              readonly price?: number | string | null | undefined;
              /** Last price that triggers the leg. */
              readonly triggerPrice?: number | string | null | undefined;
              /** Distance of the trigger from the best last price. */
              readonly trailingAmount?: number | string | null | undefined;
              /** The same distance in percent. */
              readonly trailingPercent?: number | string | null | undefined;
              /** Last price from which the leg trails. */
              readonly activationPrice?: number | string | null | undefined;
            }
          | null
          | undefined;
        /** A limit or market order instead of a take profit and stop loss; it may match at once. With `side` and `amount`. */
        readonly order?:
          | {
              /** Order type. */
              readonly type: 'limit' | 'market';
              /** Limit price of a limit order. */
              readonly price?: number | string | null | undefined;
              /** Time in force. Default GTC; IOC for a market order. */
              readonly timeInForce?: 'GTC' | 'IOC' | 'FOK' | null | undefined;
            }
          | null
          | undefined;
        /** Side of the attached orders. Default: the other side. With `amount`. */
        readonly side?: 'buy' | 'sell' | null | undefined;
        /** Amount of the attached orders, which are then placed only if this order is filled completely. Default: the filled amount. With `side`. */
        readonly amount?: number | string | null | undefined;
      }
    | null
    | undefined;
  /** Time in force. Default GTC; IOC for market orders. */
  readonly timeInForce?: 'GTC' | 'IOC' | 'FOK' | 'GTD' | null | undefined;
  /** Expiry of a GTD order: ISO 8601 with a zone, or milliseconds since 1970. */
  readonly expiresAt?: string | number | null | undefined;
  /** Reject the order if it would match immediately. Default false. */
  readonly postOnly?: boolean | null | undefined;
  /** Your own id. A repeated request with the same id places no second order. */
  readonly clientOrderId?: string | null | undefined;
  /** Handling of a match between two of your own orders. Default expire_maker. */
  readonly selfTradePrevention?:
    | 'expire_maker'
    | 'expire_taker'
    | 'expire_both'
    | 'decrement'
    | null
    | undefined;
  /** Whether the response has the `fills` of the order, at most its first 1,000. Default false. */
  readonly returnFills?: boolean | null | undefined;
}

export interface ListOrdersParameters {
  /** A market from GET /api/markets. */
  readonly symbol?: string | undefined;
  /** Return only orders of this side. */
  readonly side?: 'buy' | 'sell' | undefined;
  /** Return only orders of this status. `closed` means any final status; `cancelled` is an alias of `canceled`. */
  readonly status?:
    | 'open'
    | 'filled'
    | 'canceled'
    | 'expired'
    | 'rejected'
    | 'cancelled'
    | 'closed'
    | undefined;
  /** Return only the order with this client order id. */
  readonly clientOrderId?: string | undefined;
  /** Return only records from this time on. ISO 8601 with a zone, or milliseconds since 1970. */
  readonly since?: string | number | undefined;
  /** Return only records up to this time. ISO 8601 with a zone, or milliseconds since 1970. */
  readonly until?: string | number | undefined;
  /** Maximum number of records per page. */
  readonly limit?: number | undefined;
  /** The `nextCursor` of the previous page, unchanged, with the same parameters except `limit`. */
  readonly cursor?: string | undefined;
  /** `desc` for newest first, `asc` for oldest first. */
  readonly sort?: 'desc' | 'asc' | undefined;
}

export interface CancelOrdersParameters {
  /** Cancel the open orders of this market. */
  readonly symbol?: string | undefined;
  /** Cancel the open orders with these ids, separated by commas. */
  readonly ids?: string | undefined;
  /** Cancel the open order with this client order id. */
  readonly clientOrderId?: string | undefined;
  /** Cancel all open orders. */
  readonly all?: 'true' | undefined;
}

export interface GetOrderParameters {
  /** The `orderId` of one of your orders. */
  readonly id: string;
  /** With `true` the response shows the amount that is ahead of the order in the queue. */
  readonly queueAhead?: 'true' | 'false' | undefined;
}

export interface CancelOrderParameters {
  /** The `orderId` of one of your orders. */
  readonly id: string;
}

export interface AmendOrderParameters {
  /** The `orderId` of one of your orders. */
  readonly id: string;
  /** The new total amount, including the filled amount. */
  readonly amount?: number | string | null | undefined;
  /** The new limit price. */
  readonly price?: number | string | null | undefined;
  /** The new trigger price. */
  readonly triggerPrice?: number | string | null | undefined;
  /** The new distance of a trailing stop, as a price. */
  readonly trailingAmount?: number | string | null | undefined;
  /** The new distance of a trailing stop, in percent. */
  readonly trailingPercent?: number | string | null | undefined;
  /** The new activation price of a trailing stop that does not trail yet. */
  readonly activationPrice?: number | string | null | undefined;
  /** Amount of a limit order that the book shows. */
  readonly displayAmount?: number | string | null | undefined;
}

export interface GetFillsParameters {
  /** A market from GET /api/markets. */
  readonly symbol?: string | undefined;
  /** Return only records of this order. */
  readonly orderId?: string | undefined;
  /** Return only records from this time on. ISO 8601 with a zone, or milliseconds since 1970. */
  readonly since?: string | number | undefined;
  /** Return only records up to this time. ISO 8601 with a zone, or milliseconds since 1970. */
  readonly until?: string | number | undefined;
  /** Maximum number of records per page. */
  readonly limit?: number | undefined;
  /** The `nextCursor` of the previous page, unchanged, with the same parameters except `limit`. */
  readonly cursor?: string | undefined;
  /** `desc` for newest first, `asc` for oldest first. */
  readonly sort?: 'desc' | 'asc' | undefined;
}

export interface GetLedgerParameters {
  /** An asset from GET /api/assets. */
  readonly asset?: string | undefined;
  /** Return only records of this order. */
  readonly orderId?: string | undefined;
  /** Return only records from this time on. ISO 8601 with a zone, or milliseconds since 1970. */
  readonly since?: string | number | undefined;
  /** Return only records up to this time. ISO 8601 with a zone, or milliseconds since 1970. */
  readonly until?: string | number | undefined;
  /** Maximum number of records per page. */
  readonly limit?: number | undefined;
  /** The `nextCursor` of the previous page, unchanged, with the same parameters except `limit`. */
  readonly cursor?: string | undefined;
  /** `desc` for newest first, `asc` for oldest first. */
  readonly sort?: 'desc' | 'asc' | undefined;
}

export interface PlaceOrdersParameters {
  readonly orders: readonly {
    /** A market from GET /api/markets. */
    readonly symbol: string;
    /** Whether to buy or sell the base asset. */
    readonly side: 'buy' | 'sell';
    /** A limit order needs a `price`. A market order matches the book within the price band of the market (`collar`). Stop and take-profit orders are pending until the last price reaches `triggerPrice`. The trigger of a trailing stop follows the best last price since its placement. */
    readonly type:
      | 'limit'
      | 'market'
      | 'stop'
      | 'stop_limit'
      | 'take_profit'
      | 'take_profit_limit'
      | 'trailing_stop';
    /** Amount of the base asset, a multiple of the market's `stepSize`. Not together with `cost`. */
    readonly amount?: number | string | null | undefined;
    /** Limit price, a multiple of the market's `tickSize`. Only for order types with a limit. */
    readonly price?: number | string | null | undefined;
    /** Last price that triggers a stop or take-profit order, a multiple of `tickSize`. */
    readonly triggerPrice?: number | string | null | undefined;
    /** Distance of the trigger of a trailing stop from the best last price, a multiple of `tickSize`. */
    readonly trailingAmount?: number | string | null | undefined;
    /** The same distance in percent of the best last price, 0.01 to 50 with at most two decimals. */
    readonly trailingPercent?: number | string | null | undefined;
    /** Last price from which a trailing stop trails: at or above it for a sell, at or below it for a buy. Default: it trails at once. */
    readonly activationPrice?: number | string | null | undefined;
    /** Amount of a limit order that the book shows (iceberg). The rest follows part by part, each at the end of the queue. At most 100 parts. */
    readonly displayAmount?: number | string | null | undefined;
    /** Quote asset to spend, or to receive for a sell, instead of `amount`. Only for market orders. */
    readonly cost?: number | string | null | undefined;
    /** Take profit and stop loss for the filled amount, placed on the other side when this order ends with a fill; both together are an OCO order. With `side` and `amount`, orders that are placed when this one is filled completely (one triggers the other). Only for limit and market orders. */
    readonly attached?:
      | {
          /** `price` alone is a post-only limit order, `triggerPrice` alone a take_profit, both a take_profit_limit. */
          readonly takeProfit?:
            | {
                /** Limit price of the leg. */
                readonly price?: number | string | null | undefined;
                /** Last price that triggers the leg. */
                readonly triggerPrice?: number | string | null | undefined;
              }
            | null
            | undefined;
          /** `triggerPrice` alone is a stop, with `price` a stop_limit; `trailingAmount` or `trailingPercent` make it a trailing stop. */
          readonly stopLoss?:
            | {
                /** Limit price of the leg. */
                readonly price?: number | string | null | undefined;
                /** Last price that triggers the leg. */
                readonly triggerPrice?: number | string | null | undefined;
                /** Distance of the trigger from the best last price. */
                readonly trailingAmount?: number | string | null | undefined;
                /** The same distance in percent. */
                readonly trailingPercent?: number | string | null | undefined;
                /** Last price from which the leg trails. */
                readonly activationPrice?: number | string | null | undefined;
              }
            | null
            | undefined;
          /** A limit or market order instead of a take profit and stop loss; it may match at once. With `side` and `amount`. */
          readonly order?:
            | {
                /** Order type. */
                readonly type: 'limit' | 'market';
                /** Limit price of a limit order. */
                readonly price?: number | string | null | undefined;
                /** Time in force. Default GTC; IOC for a market order. */
                readonly timeInForce?: 'GTC' | 'IOC' | 'FOK' | null | undefined;
              }
            | null
            | undefined;
          /** Side of the attached orders. Default: the other side. With `amount`. */
          readonly side?: 'buy' | 'sell' | null | undefined;
          /** Amount of the attached orders, which are then placed only if this order is filled completely. Default: the filled amount. With `side`. */
          readonly amount?: number | string | null | undefined;
        }
      | null
      | undefined;
    /** Time in force. Default GTC; IOC for market orders. */
    readonly timeInForce?: 'GTC' | 'IOC' | 'FOK' | 'GTD' | null | undefined;
    /** Expiry of a GTD order: ISO 8601 with a zone, or milliseconds since 1970. */
    readonly expiresAt?: string | number | null | undefined;
    /** Reject the order if it would match immediately. Default false. */
    readonly postOnly?: boolean | null | undefined;
    /** Your own id. A repeated request with the same id places no second order. */
    readonly clientOrderId?: string | null | undefined;
    /** Handling of a match between two of your own orders. Default expire_maker. */
    readonly selfTradePrevention?:
      | 'expire_maker'
      | 'expire_taker'
      | 'expire_both'
      | 'decrement'
      | null
      | undefined;
    /** Whether the response has the `fills` of the order, at most its first 1,000. Default false. */
    readonly returnFills?: boolean | null | undefined;
  }[];
}

export interface PlacePairParameters {
  /** A market from GET /api/markets. */
  readonly symbol: string;
  /** Whether to buy or sell the base asset. */
  readonly side: 'buy' | 'sell';
  /** Amount of the base asset, a multiple of the market's `stepSize`. */
  readonly amount: number | string;
  /** Expiry of a GTD order: ISO 8601 with a zone, or milliseconds since 1970. */
  readonly expiresAt?: string | number | null | undefined;
  /** Your own id. A repeated request with the same id places no second order. */
  readonly clientOrderId?: string | null | undefined;
  /** Handling of a match between two of your own orders. Default expire_maker. */
  readonly selfTradePrevention?:
    | 'expire_maker'
    | 'expire_taker'
    | 'expire_both'
    | 'decrement'
    | null
    | undefined;
  /** Whether each order has its `fills`, at most its first 1,000. New orders have none; those of a repeated request may. Default false. */
  readonly returnFills?: boolean | null | undefined;
  /** With only `price` a post-only limit order, which `displayAmount` makes an iceberg, else a take profit. */
  readonly takeProfit: {
    /** Limit price, a multiple of the market's `tickSize`. Only for order types with a limit. */
    readonly price?: number | string | null | undefined;
    /** Last price that triggers a stop or take-profit order, a multiple of `tickSize`. */
    readonly triggerPrice?: number | string | null | undefined;
    /** Amount of a limit order that the book shows (iceberg). The rest follows part by part, each at the end of the queue. At most 100 parts. */
    readonly displayAmount?: number | string | null | undefined;
  };
  /** A stop; with `price` a stop_limit; with `trailingAmount` or `trailingPercent` a trailing stop. */
  readonly stopLoss: {
    /** Limit price, a multiple of the market's `tickSize`. Only for order types with a limit. */
    readonly price?: number | string | null | undefined;
    /** Last price that triggers a stop or take-profit order, a multiple of `tickSize`. */
    readonly triggerPrice?: number | string | null | undefined;
    /** Distance of the trigger of a trailing stop from the best last price, a multiple of `tickSize`. */
    readonly trailingAmount?: number | string | null | undefined;
    /** The same distance in percent of the best last price, 0.01 to 50 with at most two decimals. */
    readonly trailingPercent?: number | string | null | undefined;
    /** Last price from which a trailing stop trails: at or above it for a sell, at or below it for a buy. Default: it trails at once. */
    readonly activationPrice?: number | string | null | undefined;
  };
}

export interface TestOrderParameters {
  /** A market from GET /api/markets. */
  readonly symbol: string;
  /** Whether to buy or sell the base asset. */
  readonly side: 'buy' | 'sell';
  /** A limit order needs a `price`. A market order matches the book within the price band of the market (`collar`). Stop and take-profit orders are pending until the last price reaches `triggerPrice`. The trigger of a trailing stop follows the best last price since its placement. */
  readonly type:
    | 'limit'
    | 'market'
    | 'stop'
    | 'stop_limit'
    | 'take_profit'
    | 'take_profit_limit'
    | 'trailing_stop';
  /** Amount of the base asset, a multiple of the market's `stepSize`. Not together with `cost`. */
  readonly amount?: number | string | null | undefined;
  /** Limit price, a multiple of the market's `tickSize`. Only for order types with a limit. */
  readonly price?: number | string | null | undefined;
  /** Last price that triggers a stop or take-profit order, a multiple of `tickSize`. */
  readonly triggerPrice?: number | string | null | undefined;
  /** Distance of the trigger of a trailing stop from the best last price, a multiple of `tickSize`. */
  readonly trailingAmount?: number | string | null | undefined;
  /** The same distance in percent of the best last price, 0.01 to 50 with at most two decimals. */
  readonly trailingPercent?: number | string | null | undefined;
  /** Last price from which a trailing stop trails: at or above it for a sell, at or below it for a buy. Default: it trails at once. */
  readonly activationPrice?: number | string | null | undefined;
  /** Amount of a limit order that the book shows (iceberg). The rest follows part by part, each at the end of the queue. At most 100 parts. */
  readonly displayAmount?: number | string | null | undefined;
  /** Quote asset to spend, or to receive for a sell, instead of `amount`. Only for market orders. */
  readonly cost?: number | string | null | undefined;
  /** Take profit and stop loss for the filled amount, placed on the other side when this order ends with a fill; both together are an OCO order. With `side` and `amount`, orders that are placed when this one is filled completely (one triggers the other). Only for limit and market orders. */
  readonly attached?:
    | {
        /** `price` alone is a post-only limit order, `triggerPrice` alone a take_profit, both a take_profit_limit. */
        readonly takeProfit?:
          | {
              /** Limit price of the leg. */
              readonly price?: number | string | null | undefined;
              /** Last price that triggers the leg. */
              readonly triggerPrice?: number | string | null | undefined;
            }
          | null
          | undefined;
        /** `triggerPrice` alone is a stop, with `price` a stop_limit; `trailingAmount` or `trailingPercent` make it a trailing stop. */
        readonly stopLoss?:
          | {
              /** Limit price of the leg. */
              readonly price?: number | string | null | undefined;
              /** Last price that triggers the leg. */
              readonly triggerPrice?: number | string | null | undefined;
              /** Distance of the trigger from the best last price. */
              readonly trailingAmount?: number | string | null | undefined;
              /** The same distance in percent. */
              readonly trailingPercent?: number | string | null | undefined;
              /** Last price from which the leg trails. */
              readonly activationPrice?: number | string | null | undefined;
            }
          | null
          | undefined;
        /** A limit or market order instead of a take profit and stop loss; it may match at once. With `side` and `amount`. */
        readonly order?:
          | {
              /** Order type. */
              readonly type: 'limit' | 'market';
              /** Limit price of a limit order. */
              readonly price?: number | string | null | undefined;
              /** Time in force. Default GTC; IOC for a market order. */
              readonly timeInForce?: 'GTC' | 'IOC' | 'FOK' | null | undefined;
            }
          | null
          | undefined;
        /** Side of the attached orders. Default: the other side. With `amount`. */
        readonly side?: 'buy' | 'sell' | null | undefined;
        /** Amount of the attached orders, which are then placed only if this order is filled completely. Default: the filled amount. With `side`. */
        readonly amount?: number | string | null | undefined;
      }
    | null
    | undefined;
  /** Time in force. Default GTC; IOC for market orders. */
  readonly timeInForce?: 'GTC' | 'IOC' | 'FOK' | 'GTD' | null | undefined;
  /** Expiry of a GTD order: ISO 8601 with a zone, or milliseconds since 1970. */
  readonly expiresAt?: string | number | null | undefined;
  /** Reject the order if it would match immediately. Default false. */
  readonly postOnly?: boolean | null | undefined;
  /** Your own id. A repeated request with the same id places no second order. */
  readonly clientOrderId?: string | null | undefined;
  /** Handling of a match between two of your own orders. Default expire_maker. */
  readonly selfTradePrevention?:
    | 'expire_maker'
    | 'expire_taker'
    | 'expire_both'
    | 'decrement'
    | null
    | undefined;
  /** Whether the response has the `fills` of the order, at most its first 1,000. Default false. */
  readonly returnFills?: boolean | null | undefined;
}

export interface TestOcoParameters {
  /** A market from GET /api/markets. */
  readonly symbol: string;
  /** Whether to buy or sell the base asset. */
  readonly side: 'buy' | 'sell';
  /** Amount of the base asset, a multiple of the market's `stepSize`. */
  readonly amount: number | string;
  /** Expiry of a GTD order: ISO 8601 with a zone, or milliseconds since 1970. */
  readonly expiresAt?: string | number | null | undefined;
  /** Your own id. A repeated request with the same id places no second order. */
  readonly clientOrderId?: string | null | undefined;
  /** Handling of a match between two of your own orders. Default expire_maker. */
  readonly selfTradePrevention?:
    | 'expire_maker'
    | 'expire_taker'
    | 'expire_both'
    | 'decrement'
    | null
    | undefined;
  /** Whether each order has its `fills`, at most its first 1,000. New orders have none; those of a repeated request may. Default false. */
  readonly returnFills?: boolean | null | undefined;
  /** With only `price` a post-only limit order, which `displayAmount` makes an iceberg, else a take profit. */
  readonly takeProfit: {
    /** Limit price, a multiple of the market's `tickSize`. Only for order types with a limit. */
    readonly price?: number | string | null | undefined;
    /** Last price that triggers a stop or take-profit order, a multiple of `tickSize`. */
    readonly triggerPrice?: number | string | null | undefined;
    /** Amount of a limit order that the book shows (iceberg). The rest follows part by part, each at the end of the queue. At most 100 parts. */
    readonly displayAmount?: number | string | null | undefined;
  };
  /** A stop; with `price` a stop_limit; with `trailingAmount` or `trailingPercent` a trailing stop. */
  readonly stopLoss: {
    /** Limit price, a multiple of the market's `tickSize`. Only for order types with a limit. */
    readonly price?: number | string | null | undefined;
    /** Last price that triggers a stop or take-profit order, a multiple of `tickSize`. */
    readonly triggerPrice?: number | string | null | undefined;
    /** Distance of the trigger of a trailing stop from the best last price, a multiple of `tickSize`. */
    readonly trailingAmount?: number | string | null | undefined;
    /** The same distance in percent of the best last price, 0.01 to 50 with at most two decimals. */
    readonly trailingPercent?: number | string | null | undefined;
    /** Last price from which a trailing stop trails: at or above it for a sell, at or below it for a buy. Default: it trails at once. */
    readonly activationPrice?: number | string | null | undefined;
  };
}

export interface CancelAfterParameters {
  readonly timeout: number;
  readonly symbol?: string | null | undefined;
}

export interface UseFaucetParameters {
  readonly asset: 'USDT' | 'BTC' | 'ETH' | 'SOL';
}

export interface SignUpParameters {
  readonly email: string;
  readonly password: string;
  readonly name: string;
}

export interface VerifyEmailParameters {
  readonly token: string;
  readonly password: string;
}

export interface LookAtLinkParameters {
  readonly token: string;
}

export interface SignInParameters {
  readonly email: string;
  readonly password: string;
  readonly code?: string | null | undefined;
}

export type PasskeySignInOptionsParameters = Readonly<Record<string, never>>;

export interface SignInByPasskeyParameters {
  readonly response: Readonly<Record<string, unknown>>;
}

export interface RequestPasswordResetParameters {
  readonly email: string;
}

export interface ConfirmPasswordResetParameters {
  readonly token: string;
  readonly password: string;
}

export type SignOutParameters = Readonly<Record<string, never>>;

export interface ChangeProfileParameters {
  readonly name: string;
}

export interface ChangePasswordParameters {
  readonly password: string;
  readonly newPassword: string;
  readonly code?: string | null | undefined;
}

export interface EndSessionParameters {
  /** The `id` of one of your sessions. */
  readonly id: string;
}

export interface OfferSecondFactorParameters {
  readonly password: string;
}

export interface ConfirmSecondFactorParameters {
  readonly code: string;
}

export interface RenewRecoveryCodesParameters {
  readonly code: string;
}

export interface RemoveSecondFactorParameters {
  readonly password: string;
  readonly code: string;
}

export interface AddPasskeyParameters {
  readonly response: Readonly<Record<string, unknown>>;
  readonly label: string;
}

export interface PasskeyOptionsParameters {
  /** Your password, required with a session unless you have turned on 2FA. */
  readonly password?: string | null | undefined;
  /** A 2FA code, required with a session if you have turned on 2FA. */
  readonly code?: string | null | undefined;
}

export interface RemovePasskeyParameters {
  /** The `id` of one of your passkeys. */
  readonly id: string;
}

export interface ListOwnKeysParameters {
  /** Maximum number of records per page. */
  readonly limit?: number | undefined;
  /** The `nextCursor` of the previous page, unchanged, with the same parameters except `limit`. */
  readonly cursor?: string | undefined;
  /** `desc` for newest first, `asc` for oldest first. */
  readonly sort?: 'desc' | 'asc' | undefined;
}

export interface CreateOwnKeyParameters {
  /** A name by which you recognize the key. */
  readonly label: string;
  /** The credential of the key: a secret that it sends, an Ed25519 key pair with which it signs requests, or a secret with which it signs payloads by HMAC-SHA256. Default `ed25519` with a `publicKey`, else `secret`. */
  readonly type?: 'secret' | 'ed25519' | 'hmac' | null | undefined;
  /** Permissions of the key. An `hmac` key cannot have `operate`. */
  readonly permissions: readonly ('read' | 'trade' | 'operate')[];
  /** The only IP addresses and networks (CIDR) that may use the key. Default: any address. */
  readonly addresses?: readonly string[] | null | undefined;
  /** Expiry, in the future: ISO 8601 with a zone, or milliseconds since 1970. Default: never. */
  readonly expiresAt?: string | number | null | undefined;
  /** Ed25519 public key that checks the signatures of requests: PEM, or base64 of its 32 bytes. Only for the type `ed25519`, which needs it. */
  readonly publicKey?: string | null | undefined;
  /** Your password, required with a session unless you have turned on 2FA. */
  readonly password?: string | null | undefined;
  /** A 2FA code, required with a session if you have turned on 2FA. */
  readonly code?: string | null | undefined;
}

export interface RevokeOwnKeyParameters {
  /** The API key, without its secret. */
  readonly id: string;
}
