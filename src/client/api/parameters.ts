// Made from the OpenAPI document by `npm run generate`: change that, not this.

export interface GetMarketsParameters {
  /** A market, as GET /api/markets lists it. */
  readonly symbol?: string | undefined;
}

export interface GetPricesParameters {
  /** A market, as GET /api/markets lists it. */
  readonly symbol?: string | undefined;
}

export interface GetOrderbookParameters {
  /** A market, as GET /api/markets lists it. */
  readonly symbol: string;
  /** At most so many price levels a side. */
  readonly depth?: number | undefined;
}

export interface GetTradesParameters {
  /** A market, as GET /api/markets lists it. */
  readonly symbol: string;
  /** Nothing before this time. */
  readonly since?: string | undefined;
  /** Nothing after this time. */
  readonly until?: string | undefined;
  /** At most so many on a page. */
  readonly limit?: number | undefined;
  /** The `nextCursor` of the page before, unchanged, with the same parameters but `limit`. */
  readonly cursor?: string | undefined;
  /** Newest or oldest first. */
  readonly sort?: 'desc' | 'asc' | undefined;
}

export interface GetCandlesParameters {
  /** A market, as GET /api/markets lists it. */
  readonly symbol: string;
  /** Width of a candle. */
  readonly interval?: '1m' | '5m' | '15m' | '30m' | '1h' | '4h' | '1d' | '1w' | undefined;
  /** Nothing before this time. */
  readonly since?: string | undefined;
  /** Nothing after this time. */
  readonly until?: string | undefined;
  /** At most so many on a page. */
  readonly limit?: number | undefined;
}

export interface GetPortfolioHistoryParameters {
  /** Width of a candle. */
  readonly interval?: '1m' | '5m' | '15m' | '30m' | '1h' | '4h' | '1d' | '1w' | undefined;
  /** Nothing before this time. */
  readonly since?: string | undefined;
  /** Nothing after this time. */
  readonly until?: string | undefined;
  /** At most so many on a page. */
  readonly limit?: number | undefined;
}

export interface GetFeesParameters {
  /** A market, as GET /api/markets lists it. */
  readonly symbol?: string | undefined;
}

export interface PlaceOrderParameters {
  /** A market, as GET /api/markets lists it. */
  readonly symbol: string;
  /** Whether the base asset is bought or sold. */
  readonly side: 'buy' | 'sell';
  /** A limit order needs `price`; a market order takes what the book offers within the collar; a stop or take profit waits for `triggerPrice`. */
  readonly type: 'limit' | 'market' | 'stop' | 'stop_limit' | 'take_profit' | 'take_profit_limit';
  /** Of the base asset, a multiple of the market's `stepSize`. Not with `cost`. */
  readonly amount?: number | string | null | undefined;
  /** Quote per base, a multiple of the market's `tickSize`. Types with a limit only. */
  readonly price?: number | string | null | undefined;
  /** The last price that a stop or take profit waits for, on the `tickSize`. */
  readonly triggerPrice?: number | string | null | undefined;
  /** Of the quote asset, to spend. Market buys only, instead of `amount`. */
  readonly cost?: number | string | null | undefined;
  /** On the other side, placed once this order has ended with something filled, for that; both as a pair. Limit and market orders only. */
  readonly attached?:
    | {
        /** `price` alone is a post-only limit order, `triggerPrice` a take_profit, both a take_profit_limit. */
        readonly takeProfit?:
          | {
              /** Its limit. */
              readonly price?: number | string | null | undefined;
              /** The last price that it waits for. */
              readonly triggerPrice?: number | string | null | undefined;
            }
          | null
          | undefined;
        /** `triggerPrice` is a stop, with `price` a stop_limit. */
        readonly stopLoss?:
          | {
              /** Its limit. */
              readonly price?: number | string | null | undefined;
              /** The last price that it waits for. */
              readonly triggerPrice: number | string;
            }
          | null
          | undefined;
      }
    | null
    | undefined;
  /** How long the order lasts: GTC unless given, IOC for market orders. */
  readonly timeInForce?: 'GTC' | 'IOC' | 'FOK' | 'GTD' | null | undefined;
  /** When a GTD order ends: ISO 8601 with a zone, or milliseconds since 1970. */
  readonly expiresAt?: string | number | null | undefined;
  /** Refuse the order rather than let it trade at once. False unless given. */
  readonly postOnly?: boolean | null | undefined;
  /** Your own id: the same request sent again places no second order. */
  readonly clientOrderId?: string | null | undefined;
  /** What happens where the order would trade with one of yours: expire_maker unless given. */
  readonly selfTradePrevention?:
    | 'expire_maker'
    | 'expire_taker'
    | 'expire_both'
    | 'decrement'
    | null
    | undefined;
}

export interface ListOrdersParameters {
  /** A market, as GET /api/markets lists it. */
  readonly symbol?: string | undefined;
  /** Orders of this side only. */
  readonly side?: 'buy' | 'sell' | undefined;
  /** Orders of this status only; `closed` means every final one, `cancelled` is `canceled`. */
  readonly status?:
    | 'open'
    | 'filled'
    | 'canceled'
    | 'expired'
    | 'rejected'
    | 'cancelled'
    | 'closed'
    | undefined;
  /** The order that was placed under this id. */
  readonly clientOrderId?: string | undefined;
  /** Nothing before this time. */
  readonly since?: string | undefined;
  /** Nothing after this time. */
  readonly until?: string | undefined;
  /** At most so many on a page. */
  readonly limit?: number | undefined;
  /** The `nextCursor` of the page before, unchanged, with the same parameters but `limit`. */
  readonly cursor?: string | undefined;
  /** Newest or oldest first. */
  readonly sort?: 'desc' | 'asc' | undefined;
}

export interface CancelOrdersParameters {
  /** A market, as GET /api/markets lists it. */
  readonly symbol?: string | undefined;
  /** Identifiers of orders, with commas between them. */
  readonly ids?: string | undefined;
  /** The order that was placed under this id. */
  readonly clientOrderId?: string | undefined;
  /** Every open order. */
  readonly all?: 'true' | undefined;
}

export interface GetOrderParameters {
  /** The `orderId` of an order of yours. */
  readonly id: string;
}

export interface CancelOrderParameters {
  /** The `orderId` of an order of yours. */
  readonly id: string;
}

export interface AmendOrderParameters {
  /** The `orderId` of an order of yours. */
  readonly id: string;
  /** The new total amount, including what is filled. */
  readonly amount?: number | string | null | undefined;
  /** The new limit price. */
  readonly price?: number | string | null | undefined;
  /** The new trigger price. */
  readonly triggerPrice?: number | string | null | undefined;
}

export interface GetFillsParameters {
  /** A market, as GET /api/markets lists it. */
  readonly symbol?: string | undefined;
  /** What an order of yours came to. */
  readonly orderId?: string | undefined;
  /** Nothing before this time. */
  readonly since?: string | undefined;
  /** Nothing after this time. */
  readonly until?: string | undefined;
  /** At most so many on a page. */
  readonly limit?: number | undefined;
  /** The `nextCursor` of the page before, unchanged, with the same parameters but `limit`. */
  readonly cursor?: string | undefined;
  /** Newest or oldest first. */
  readonly sort?: 'desc' | 'asc' | undefined;
}

export interface GetLedgerParameters {
  /** An asset, as GET /api/assets lists it. */
  readonly asset?: string | undefined;
  /** What an order of yours came to. */
  readonly orderId?: string | undefined;
  /** Nothing before this time. */
  readonly since?: string | undefined;
  /** Nothing after this time. */
  readonly until?: string | undefined;
  /** At most so many on a page. */
  readonly limit?: number | undefined;
  /** The `nextCursor` of the page before, unchanged, with the same parameters but `limit`. */
  readonly cursor?: string | undefined;
  /** Newest or oldest first. */
  readonly sort?: 'desc' | 'asc' | undefined;
}

export interface PlaceOrdersParameters {
  readonly orders: readonly {
    /** A market, as GET /api/markets lists it. */
    readonly symbol: string;
    /** Whether the base asset is bought or sold. */
    readonly side: 'buy' | 'sell';
    /** A limit order needs `price`; a market order takes what the book offers within the collar; a stop or take profit waits for `triggerPrice`. */
    readonly type: 'limit' | 'market' | 'stop' | 'stop_limit' | 'take_profit' | 'take_profit_limit';
    /** Of the base asset, a multiple of the market's `stepSize`. Not with `cost`. */
    readonly amount?: number | string | null | undefined;
    /** Quote per base, a multiple of the market's `tickSize`. Types with a limit only. */
    readonly price?: number | string | null | undefined;
    /** The last price that a stop or take profit waits for, on the `tickSize`. */
    readonly triggerPrice?: number | string | null | undefined;
    /** Of the quote asset, to spend. Market buys only, instead of `amount`. */
    readonly cost?: number | string | null | undefined;
    /** On the other side, placed once this order has ended with something filled, for that; both as a pair. Limit and market orders only. */
    readonly attached?:
      | {
          /** `price` alone is a post-only limit order, `triggerPrice` a take_profit, both a take_profit_limit. */
          readonly takeProfit?:
            | {
                /** Its limit. */
                readonly price?: number | string | null | undefined;
                /** The last price that it waits for. */
                readonly triggerPrice?: number | string | null | undefined;
              }
            | null
            | undefined;
          /** `triggerPrice` is a stop, with `price` a stop_limit. */
          readonly stopLoss?:
            | {
                /** Its limit. */
                readonly price?: number | string | null | undefined;
                /** The last price that it waits for. */
                readonly triggerPrice: number | string;
              }
            | null
            | undefined;
        }
      | null
      | undefined;
    /** How long the order lasts: GTC unless given, IOC for market orders. */
    readonly timeInForce?: 'GTC' | 'IOC' | 'FOK' | 'GTD' | null | undefined;
    /** When a GTD order ends: ISO 8601 with a zone, or milliseconds since 1970. */
    readonly expiresAt?: string | number | null | undefined;
    /** Refuse the order rather than let it trade at once. False unless given. */
    readonly postOnly?: boolean | null | undefined;
    /** Your own id: the same request sent again places no second order. */
    readonly clientOrderId?: string | null | undefined;
    /** What happens where the order would trade with one of yours: expire_maker unless given. */
    readonly selfTradePrevention?:
      | 'expire_maker'
      | 'expire_taker'
      | 'expire_both'
      | 'decrement'
      | null
      | undefined;
  }[];
}

export interface PlacePairParameters {
  /** A market, as GET /api/markets lists it. */
  readonly symbol: string;
  /** Whether the base asset is bought or sold. */
  readonly side: 'buy' | 'sell';
  /** Of the base asset, a multiple of the market's `stepSize`. Not with `cost`. */
  readonly amount: number | string | null;
  /** When a GTD order ends: ISO 8601 with a zone, or milliseconds since 1970. */
  readonly expiresAt?: string | number | null | undefined;
  /** Your own id: the same request sent again places no second order. */
  readonly clientOrderId?: string | null | undefined;
  /** What happens where the order would trade with one of yours: expire_maker unless given. */
  readonly selfTradePrevention?:
    | 'expire_maker'
    | 'expire_taker'
    | 'expire_both'
    | 'decrement'
    | null
    | undefined;
  /** With only `price` a post-only limit order, else a take profit. */
  readonly takeProfit: {
    /** Quote per base, a multiple of the market's `tickSize`. Types with a limit only. */
    readonly price?: number | string | null | undefined;
    /** The last price that a stop or take profit waits for, on the `tickSize`. */
    readonly triggerPrice?: number | string | null | undefined;
  };
  /** A stop; with `price` a stop_limit. */
  readonly stopLoss: {
    /** Quote per base, a multiple of the market's `tickSize`. Types with a limit only. */
    readonly price?: number | string | null | undefined;
    /** The last price that a stop or take profit waits for, on the `tickSize`. */
    readonly triggerPrice: number | string | null;
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
  /** The `id` of a session of yours. */
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
  readonly password?: string | null | undefined;
  readonly code?: string | null | undefined;
}

export interface RemovePasskeyParameters {
  /** The `id` of a passkey of yours. */
  readonly id: string;
}

export interface ListOwnKeysParameters {
  /** At most so many on a page. */
  readonly limit?: number | undefined;
  /** The `nextCursor` of the page before, unchanged, with the same parameters but `limit`. */
  readonly cursor?: string | undefined;
  /** Newest or oldest first. */
  readonly sort?: 'desc' | 'asc' | undefined;
}

export interface CreateOwnKeyParameters {
  readonly label: string;
  readonly permissions: readonly ('read' | 'trade' | 'operate')[];
  readonly addresses?: readonly string[] | null | undefined;
  readonly expiresAt?: string | number | string | null | undefined;
  readonly password?: string | null | undefined;
  readonly code?: string | null | undefined;
}

export interface RevokeOwnKeyParameters {
  /** The key, without its secret. */
  readonly id: string;
}
