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
  /** Show the data as it was at this moment: a position of the log (less than 100000000000), or a time as ISO 8601 with a zone or in milliseconds since 1970. Only in the sandbox, and not over `/ws`. */
  readonly at?: string | number | undefined;
}

export interface GetLevel3Parameters {
  /** A market from GET /api/markets. */
  readonly symbol: string;
  /** Maximum number of records per page. */
  readonly limit?: number | undefined;
  /** Show the data as it was at this moment: a position of the log (less than 100000000000), or a time as ISO 8601 with a zone or in milliseconds since 1970. Only in the sandbox, and not over `/ws`. */
  readonly at?: string | number | undefined;
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

export interface GetBalancesParameters {
  /** Show the data as it was at this moment: a position of the log (less than 100000000000), or a time as ISO 8601 with a zone or in milliseconds since 1970. Only in the sandbox, and not over `/ws`. */
  readonly at?: string | number | undefined;
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
  /** Show the data as it was at this moment: a position of the log (less than 100000000000), or a time as ISO 8601 with a zone or in milliseconds since 1970. Only in the sandbox, and not over `/ws`. */
  readonly at?: string | number | undefined;
}

export interface GetProfitAndLossParameters {
  /** The asset in which values are; default: the quote asset of the first market. */
  readonly quote?: string | undefined;
  /** The method by which costs are found: `fifo` sells the oldest units first, `average` pools them. */
  readonly method?: 'fifo' | 'average' | undefined;
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

export interface GetInclusionParameters {
  /** The `id` of a proof of liabilities. */
  readonly id: string;
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
  /** Whether the response has the `receipt` of the order. Default false. */
  readonly returnReceipt?: boolean | null | undefined;
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
  /** Show the data as it was at this moment: a position of the log (less than 100000000000), or a time as ISO 8601 with a zone or in milliseconds since 1970. Only in the sandbox, and not over `/ws`. */
  readonly at?: string | number | undefined;
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
  /** The `orderId` of an order of the account. */
  readonly id: string;
  /** With `true` the response shows the amount that is ahead of the order in the queue. */
  readonly queueAhead?: 'true' | 'false' | undefined;
  /** Show the data as it was at this moment: a position of the log (less than 100000000000), or a time as ISO 8601 with a zone or in milliseconds since 1970. Only in the sandbox, and not over `/ws`. */
  readonly at?: string | number | undefined;
}

export interface CancelOrderParameters {
  /** The `orderId` of an order of the account. */
  readonly id: string;
  /** With `true` the response has the `receipt` of the place of this request in the log. */
  readonly returnReceipt?: 'true' | 'false' | undefined;
}

export interface AmendOrderParameters {
  /** The `orderId` of an order of the account. */
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
  /** Whether the response has the `receipt` of this change. Default false. */
  readonly returnReceipt?: boolean | null | undefined;
}

export interface GetOrderTimelineParameters {
  /** The `orderId` of an order of the account. */
  readonly id: string;
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
  /** Return only entries of this type. */
  readonly type?:
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
    | undefined;
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

export interface GetReferralsParameters {
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

export interface CreateReportParameters {
  /** The records that the report lists. */
  readonly kind:
    | 'orders'
    | 'fills'
    | 'ledger'
    | 'statement'
    | 'deposits'
    | 'withdrawals'
    | 'tax_fifo'
    | 'tax_average';
  /** A statement is `html`, for printing, or `json`; all others are `csv` or `json`. */
  readonly format: 'csv' | 'json' | 'html';
  /** Beginning of the period. */
  readonly from: string | number;
  /** End of the period, which is not included; default: now. */
  readonly to?: string | number | null | undefined;
}

export interface GetReportParameters {
  /** The `reportId` of a report. */
  readonly id: string;
}

export interface DeleteReportParameters {
  /** The `reportId` of a report. */
  readonly id: string;
}

export interface GetReportFileParameters {
  /** The `reportId` of a report. */
  readonly id: string;
}

export interface ListDepositsParameters {
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

export interface ListWithdrawalsParameters {
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

export interface RequestWithdrawalParameters {
  /** The `id` of an address of the address book. */
  readonly addressId: string;
  /** The amount that arrives; the fee is paid in addition. */
  readonly amount: number | string;
  /** Your id of the withdrawal: repeating the request returns the first one. */
  readonly clientId?: string | null | undefined;
  /** Your password, required with a session unless you have turned on 2FA. */
  readonly password?: string | null | undefined;
  /** A 2FA code, required with a session if you have turned on 2FA. */
  readonly code?: string | null | undefined;
}

export interface RequestDepositAddressParameters {
  /** An asset with networks. */
  readonly asset: string;
  /** A network of the asset, from GET /api/networks. */
  readonly network: string;
}

export interface AddWithdrawalAddressParameters {
  /** An asset with networks. */
  readonly asset: string;
  /** A network of the asset, from GET /api/networks. */
  readonly network: string;
  /** Address on the network. */
  readonly address: string;
  /** Memo or tag; see the memo rule of the network. */
  readonly memo?: string | null | undefined;
  /** A name for the address. Also names a known address. */
  readonly label?: string | null | undefined;
  /** Your password, required with a session unless you have turned on 2FA. */
  readonly password?: string | null | undefined;
  /** A 2FA code, required with a session if you have turned on 2FA. */
  readonly code?: string | null | undefined;
}

export interface RenameWithdrawalAddressParameters {
  /** The `id` of an address of the address book. */
  readonly id: string;
  /** The new name; blank to remove it. */
  readonly label: string;
}

export interface RemoveWithdrawalAddressParameters {
  /** The `id` of an address of the address book. */
  readonly id: string;
}

export interface CancelWithdrawalParameters {
  /** The `id` of a withdrawal. */
  readonly id: string;
}

export interface CreateSubAccountParameters {
  /** Name of the sub-account, 1 to 50 characters, unique among yours. */
  readonly name: string;
}

export interface ChangeSubAccountParameters {
  /** The account id. */
  readonly id: string;
  /** New name of the sub-account, 1 to 50 characters, unique among yours. */
  readonly name?: string | null | undefined;
  /** True closes the sub-account, false reopens it. */
  readonly closed?: boolean | null | undefined;
}

export interface ListInternalTransfersParameters {
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

export interface TransferInternallyParameters {
  /** The account that sends: by default that of the request. A main account may name one of its sub-accounts. */
  readonly from?: string | null | undefined;
  /** The account that receives: an account id, or the email of a user. */
  readonly to: string;
  /** An asset from GET /api/assets. */
  readonly asset: string;
  /** Amount; without a fee. */
  readonly amount: number | string;
  /** Your id of the transfer: repeating the request returns the first one. */
  readonly clientId?: string | null | undefined;
  /** Your password, required with a session unless you have turned on 2FA. */
  readonly password?: string | null | undefined;
  /** A 2FA code, required with a session if you have turned on 2FA. */
  readonly code?: string | null | undefined;
}

export interface ReportDepositParameters {
  /** An asset with networks. */
  readonly asset: string;
  /** A network of the asset. */
  readonly network: string;
  /** Transaction id. */
  readonly transaction: string;
  /** Place of the payment in the transaction. */
  readonly index: number;
  /** Address on the network. */
  readonly address: string;
  /** Memo or tag that belongs to the address. Cut a longer one. */
  readonly memo?: string | null | undefined;
  /** Amount of the payment. */
  readonly amount: number | string;
  /** Confirmations so far. */
  readonly confirmations: number;
  /** Number of the report, increasing for each payment. An older one changes nothing. */
  readonly report: number;
  /** The transaction is no longer in the chain. Default: false. */
  readonly reorganized?: boolean | null | undefined;
}

export interface AssignDepositAddressParameters {
  /** An asset with networks. */
  readonly asset: string;
  /** A network of the asset. */
  readonly network: string;
  /** Id of the account. */
  readonly account: string;
  /** Address on the network. */
  readonly address: string;
  /** Memo or tag that belongs to the address. Cut a longer one. */
  readonly memo?: string | null | undefined;
}

export interface ReportWithdrawalParameters {
  /** Withdrawal id. */
  readonly withdrawal: number;
  /** Its new status. */
  readonly status: 'broadcast' | 'confirmed' | 'failed';
  /** Transaction id; required unless it failed. */
  readonly transaction?: string | null | undefined;
  /** The reason why it failed, shown to the user. */
  readonly reason?: string | null | undefined;
  /** Number of the report, increasing for each payment. An older one changes nothing. */
  readonly report: number;
}

export interface ReportHoldingsParameters {
  /** An asset with networks. */
  readonly asset: string;
  /** A network of the asset. */
  readonly network: string;
  /** All coins that the custodian holds for the exchange on the network. */
  readonly amount: number | string;
  /** Number of the report, increasing for each network, such as the time of the count in milliseconds. An older one changes nothing. Each key of the custodian starts its numbers again. */
  readonly report: number;
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
    /** Whether the response has the `receipt` of the order. Default false. */
    readonly returnReceipt?: boolean | null | undefined;
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
  /** Whether each order has the `receipt` of their place in the log. Default false. */
  readonly returnReceipt?: boolean | null | undefined;
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
  /** Whether the response has the `receipt` of the order. Default false. */
  readonly returnReceipt?: boolean | null | undefined;
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
  /** Whether each order has the `receipt` of their place in the log. Default false. */
  readonly returnReceipt?: boolean | null | undefined;
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

export interface CreateWebhookParameters {
  /** Address of the receiver; it begins with `https://`. */
  readonly url: string;
  /** Names of events, or patterns such as `order.*`; `*` for all. */
  readonly events: readonly string[];
  /** A name by which you recognize the webhook. Default: empty. */
  readonly label?: string | null | undefined;
}

export interface ChangeWebhookParameters {
  /** The `id` of one of your webhooks. */
  readonly id: string;
  /** Address of the receiver; it begins with `https://`. */
  readonly url?: string | undefined;
  /** Names of events, or patterns such as `order.*`; `*` for all. */
  readonly events?: readonly string[] | undefined;
  /** A name by which you recognize the webhook. */
  readonly label?: string | undefined;
  /** `active` also resumes a webhook that has failed. */
  readonly status?: 'active' | 'paused' | undefined;
  /** Whether to leave out the events up to now that were not delivered. */
  readonly skipMissed?: boolean | undefined;
}

export interface DeleteWebhookParameters {
  /** The `id` of one of your webhooks. */
  readonly id: string;
}

export interface GetWebhookSecretParameters {
  /** The `id` of one of your webhooks. */
  readonly id: string;
  /** Whether to create another secret. */
  readonly renew: boolean;
}

export interface TestWebhookParameters {
  /** The `id` of one of your webhooks. */
  readonly id: string;
}

export interface ListDeliveriesParameters {
  /** The `id` of one of your webhooks. */
  readonly id: string;
  /** Maximum number of records per page. */
  readonly limit?: number | undefined;
}

export interface CreatePriceAlertParameters {
  /** A market from GET /api/markets. */
  readonly symbol: string;
  /** `above`: when the last price is at least `price`; `below`: when it is at most. */
  readonly direction: 'above' | 'below';
  /** The price at which it triggers. */
  readonly price: number | string;
  /** A text for yourself. Default: empty. */
  readonly note?: string | null | undefined;
}

export interface DeletePriceAlertParameters {
  /** The `id` of one of your price alerts. */
  readonly id: string;
}

export interface ListNoticesParameters {
  /** Maximum number of records per page. */
  readonly limit?: number | undefined;
}

export interface MarkNoticesReadParameters {
  /** Notices up to this id are marked as read. */
  readonly upTo: number;
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

export interface ConfirmEmailChangeParameters {
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

export interface ChangeEmailParameters {
  readonly email: string;
  readonly password: string;
  readonly code?: string | null | undefined;
}

export type CancelEmailChangeParameters = Readonly<Record<string, never>>;

export interface ChangeAntiPhishingCodeParameters {
  /** The code; null removes it. */
  readonly antiPhishingCode: string | null;
  /** Your password, required with a session unless you have turned on 2FA. */
  readonly password?: string | null | undefined;
  /** A 2FA code, required with a session if you have turned on 2FA. */
  readonly code?: string | null | undefined;
}

export interface ChangeNotificationSettingsParameters {
  /** Events that are sent to you by mail. */
  readonly mail?: readonly string[] | undefined;
  /** Events that are shown on the pages. */
  readonly page?: readonly string[] | undefined;
  /** A browser that gets messages by Web Push, as its PushManager returns it. */
  readonly push?:
    | {
        /** The address of the browser at its push service. */
        readonly endpoint: string;
        /** Public key of the browser, in base64url. */
        readonly p256dh: string;
        /** Secret of the browser, in base64url. */
        readonly auth: string;
        /** Events that are sent; none removes the browser. */
        readonly events: readonly string[];
      }
    | undefined;
}

export interface EndSessionParameters {
  /** The `id` of one of your sessions. */
  readonly id: string;
}

export interface ListSignInsParameters {
  /** Maximum number of records per page. */
  readonly limit?: number | undefined;
  /** The `nextCursor` of the previous page, unchanged, with the same parameters except `limit`. */
  readonly cursor?: string | undefined;
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
  /** Permissions of the key. An `hmac` key cannot have permissions of operators, such as `operate`. */
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

export interface ChangeOwnKeyParameters {
  /** The API key, without its secret. */
  readonly id: string;
  /** A new name by which you recognize the key. Default: unchanged. */
  readonly label?: string | null | undefined;
  /** The only IP addresses and networks (CIDR) that may use the key from now on; empty for any. A key that may withdraw can only lose addresses. Default: unchanged. */
  readonly addresses?: readonly string[] | null | undefined;
  /** Your password, required with a session unless you have turned on 2FA. */
  readonly password?: string | null | undefined;
  /** A 2FA code, required with a session if you have turned on 2FA. */
  readonly code?: string | null | undefined;
}

export interface RevokeOwnKeyParameters {
  /** The API key, without its secret. */
  readonly id: string;
}

export interface SetSandboxClockParameters {
  /** The way the time moves from now on; by default as before. */
  readonly mode?: 'real' | 'frozen' | 'stepped' | 'scaled' | null | undefined;
  /** Time of the exchange per real time. Required by `scaled`, and only for it. */
  readonly speed?: number | string | null | undefined;
  /** Moves the time on and plays what is due. With `stepped`: the time before each request, at least 1. */
  readonly advanceMs?: number | null | undefined;
  /** Moves the time on to this time. Instead of `advanceMs`. */
  readonly until?: string | number | null | undefined;
}

export interface ChangeMakersParameters {
  /** The market; by default all. */
  readonly symbol?: string | null | undefined;
  /** Whether they quote and trade. If not, their orders are canceled. */
  readonly running?: boolean | null | undefined;
  /** Multiplier of the distance between the best quotes. */
  readonly spread?: number | string | null | undefined;
  /** Multiplier of the quoted amounts; 0 for no quotes. */
  readonly depth?: number | string | null | undefined;
  /** Multiplier of the moves of the fair price. */
  readonly volatility?: number | string | null | undefined;
  /** Multiplier of the amounts that their taker trades; 0 for none. */
  readonly flow?: number | string | null | undefined;
  /** Sides of the taker: -1 only sells, 1 only buys. */
  readonly bias?: number | string | null | undefined;
  /** A steady move of the fair price by a fraction of it, such as -0.2, within a time. */
  readonly move?:
    | {
        readonly change: number | string;
        readonly durationMs: number;
      }
    | undefined;
}

export interface CreateCheckpointParameters {
  /** The name of the checkpoint. */
  readonly name: string;
}

export interface DeleteCheckpointParameters {
  /** The name of a checkpoint. */
  readonly name: string;
}

export interface RestoreCheckpointParameters {
  /** The name of the checkpoint. */
  readonly name: string;
}

export interface AddFaultsParameters {
  /** Only for this API key. */
  readonly apiKey?: string | null | undefined;
  /** Only for the keys of this account. */
  readonly account?: string | null | undefined;
  /** Seed of the script's draws; by default derived from the sandbox's. */
  readonly seed?: number | null | undefined;
  /** The faults. */
  readonly faults: readonly {
    /** The kind of the fault. */
    readonly kind:
      | 'answer_lost_after_commit'
      | 'answer_lost_before_commit'
      | 'delay'
      | 'status'
      | 'stream_gap'
      | 'stream_duplicate'
      | 'stream_reorder'
      | 'stream_disconnect'
      | 'stale_read'
      | 'slow_fill'
      | 'reject_all'
      | 'market_halt'
      | 'clock_skew'
      | 'maintenance';
    /** The probability at each occasion, from 0 to 1; 1 by default. */
    readonly probability?: number | string | null | undefined;
    /** Maximum number of times. */
    readonly count?: number | null | undefined;
    /** When it happens, by the exchange's clock. */
    readonly schedule?:
      | {
          /** When the fault begins to happen; now by default. */
          readonly from?: string | number | null | undefined;
          /** When it ends. */
          readonly until?: string | number | null | undefined;
          /** Length of a period, counted from `from`: the fault happens once in each, or throughout `forMs` of each. */
          readonly everyMs?: number | null | undefined;
          /** The first part of each period, in which the fault happens. */
          readonly forMs?: number | null | undefined;
        }
      | null
      | undefined;
    /** Patterns of where it happens, such as `POST /api/orders`, `ws order.*` or `channel trades`, in which `*` stands for any text. */
    readonly endpoints?: readonly string[] | null | undefined;
    /** Milliseconds of `delay`, `slow_fill`, `market_halt` and `clock_skew`; only the last may be negative. */
    readonly ms?: number | null | undefined;
    /** Maximum random addition to a `delay`, milliseconds. */
    readonly jitter?: number | null | undefined;
    /** Whether a `delay` is on the way to the exchange. */
    readonly before?: boolean | null | undefined;
    /** The HTTP status of `status`. */
    readonly status?: 418 | 429 | 500 | 503 | null | undefined;
    /** The market of `market_halt`. */
    readonly symbol?: string | null | undefined;
  }[];
}

export interface ListFaultsParameters {
  /** Return only this script, and its faults. */
  readonly id?: string | undefined;
  /** Return only faults with this number or a higher one. */
  readonly fromId?: string | undefined;
  /** Maximum number of records per page. */
  readonly limit?: number | undefined;
}

export interface RemoveFaultsParameters {
  /** The script to remove; all without it. */
  readonly id?: string | undefined;
}
