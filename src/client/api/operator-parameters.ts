// Generated from the OpenAPI document by `npm run generate`. Do not edit.

export interface ListAccountsParameters {
  /** Return only accounts whose id contains this text, case-insensitive. */
  readonly search?: string | undefined;
  /** With `true` the response has the balances of the accounts. */
  readonly includeBalances?: 'true' | 'false' | undefined;
}

export interface CreateAccountParameters {
  readonly accountId: string;
  readonly limitClass?: number | null | undefined;
}

export interface GetAccountParameters {
  /** The account id. */
  readonly id: string;
}

export interface ChangeAccountParameters {
  /** The account id. */
  readonly id: string;
  readonly frozen?: boolean | null | undefined;
  readonly feeTier?: 'volume' | number | null | undefined;
  readonly limitClass?: number | null | undefined;
  /** The account that referred this one; set once, permanently. */
  readonly referrer?: string | null | undefined;
  readonly reason?: string | null | undefined;
}

export interface GetAccountBalancesParameters {
  /** The account id. */
  readonly id: string;
}

export interface ListAccountOrdersParameters {
  /** The account id. */
  readonly id: string;
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

export interface CancelOrdersOfParameters {
  /** The account id. */
  readonly id: string;
  /** Cancel the open orders of this market. */
  readonly symbol?: string | undefined;
  /** Cancel the open orders with these ids, separated by commas. */
  readonly ids?: string | undefined;
  /** Cancel the open order with this client order id. */
  readonly clientOrderId?: string | undefined;
  /** Cancel all open orders. */
  readonly all?: 'true' | undefined;
}

export interface GetAccountOrderParameters {
  /** The account id. */
  readonly id: string;
  /** The `orderId` of an order of the account. */
  readonly orderId: string;
}

export interface GetAccountOrderTimelineParameters {
  /** The account id. */
  readonly id: string;
  /** The `orderId` of an order of the account. */
  readonly orderId: string;
}

export interface GetAccountFillsParameters {
  /** The account id. */
  readonly id: string;
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

export interface GetAccountLedgerParameters {
  /** The account id. */
  readonly id: string;
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

export interface ListAccountWithdrawalAddressesParameters {
  /** The account id. */
  readonly id: string;
}

export interface ListKeysParameters {
  /** The account id. */
  readonly id: string;
  /** Maximum number of records per page. */
  readonly limit?: number | undefined;
  /** The `nextCursor` of the previous page, unchanged, with the same parameters except `limit`. */
  readonly cursor?: string | undefined;
  /** `desc` for newest first, `asc` for oldest first. */
  readonly sort?: 'desc' | 'asc' | undefined;
}

export interface CreateKeyParameters {
  /** The account id. */
  readonly id: string;
  /** A name by which you recognize the key. Default: empty. */
  readonly label?: string | null | undefined;
  /** Why, for the audit and for a second operator. Required if one must approve it. */
  readonly reason?: string | null | undefined;
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

export interface ChangeKeyParameters {
  /** The account id. */
  readonly id: string;
  /** The API key, without its secret. */
  readonly apiKey: string;
  /** A new name by which you recognize the key. Default: unchanged. */
  readonly label?: string | null | undefined;
  /** Why, for the audit and for a second operator. Required if one must approve it. */
  readonly reason?: string | null | undefined;
  /** The only IP addresses and networks (CIDR) that may use the key from now on; empty for any. A key that may withdraw can only lose addresses. Default: unchanged. */
  readonly addresses?: readonly string[] | null | undefined;
  /** Your password, required with a session unless you have turned on 2FA. */
  readonly password?: string | null | undefined;
  /** A 2FA code, required with a session if you have turned on 2FA. */
  readonly code?: string | null | undefined;
}

export interface RevokeKeyParameters {
  /** The account id. */
  readonly id: string;
  /** The API key, without its secret. */
  readonly apiKey: string;
}

export interface InviteUserParameters {
  /** The account id. */
  readonly id: string;
  readonly email: string;
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
  /** Why, for the audit and for a second operator. Required if one must approve it. */
  readonly reason?: string | null | undefined;
  /** Your password, required with a session unless you have turned on 2FA. */
  readonly password?: string | null | undefined;
  /** A 2FA code, required with a session if you have turned on 2FA. */
  readonly code?: string | null | undefined;
}

export interface ListUsersParameters {
  /** The account id. */
  readonly id: string;
}

export interface RemoveUserParameters {
  /** The account id. */
  readonly id: string;
  /** Email address of a user of the account. */
  readonly email: string;
  /** Your password, required with a session unless you have turned on 2FA. */
  readonly password?: string | null | undefined;
  /** A 2FA code, required with a session if you have turned on 2FA. */
  readonly code?: string | null | undefined;
}

export interface ListAccountSessionsParameters {
  /** The account id. */
  readonly id: string;
}

export interface EndAccountSessionParameters {
  /** The account id. */
  readonly id: string;
  /** The `id` of one of your sessions. */
  readonly sessionId: string;
}

export interface SetFeeTiersParameters {
  readonly asset: string;
  readonly tiers: readonly {
    readonly minVolume: number | string;
    readonly makerFee: number | string;
    readonly takerFee: number | string;
  }[];
  /** Why, for the audit and for a second operator. Required if one must approve it. */
  readonly reason?: string | null | undefined;
}

export interface SetFeeDiscountParameters {
  /** The asset that an account must own. */
  readonly asset: string;
  /** Minimum that an account must own of it, available and held. */
  readonly minBalance: number | string;
  /** Part of the fee rates that is waived, from 0 to 1. 0 removes the discount. */
  readonly rate: number | string;
  /** Why, for the audit and for a second operator. Required if one must approve it. */
  readonly reason?: string | null | undefined;
}

export interface SetReferralShareParameters {
  /** From 0 to 1. With 0 nothing is paid. */
  readonly share: number | string;
  /** Why, for the audit and for a second operator. Required if one must approve it. */
  readonly reason?: string | null | undefined;
}

export interface SetTradingLimitsParameters {
  /** Orders and amendments per 10 seconds. Default: no limit. */
  readonly orderRate?: number | null | undefined;
  /** Orders and amendments per trade in each hour, beyond `freeOrders`. Default: no limit. */
  readonly ordersPerTrade?: number | null | undefined;
  /** Orders and amendments per hour that need no trade. Send it with `ordersPerTrade`. */
  readonly freeOrders?: number | null | undefined;
  /** Limits of price × unfilled amount of all open orders, by quote asset. Default: none. */
  readonly openNotional?:
    | readonly {
        readonly asset: string;
        readonly amount: number | string;
      }[]
    | null
    | undefined;
  /** Why, for the audit and for a second operator. Required if one must approve it. */
  readonly reason?: string | null | undefined;
}

export interface SetAccountTradingLimitsParameters {
  /** The account id. */
  readonly id: string;
  /** Orders and amendments per 10 seconds. Default: no limit. */
  readonly orderRate?: number | null | undefined;
  /** Orders and amendments per trade in each hour, beyond `freeOrders`. Default: no limit. */
  readonly ordersPerTrade?: number | null | undefined;
  /** Orders and amendments per hour that need no trade. Send it with `ordersPerTrade`. */
  readonly freeOrders?: number | null | undefined;
  /** Limits of price × unfilled amount of all open orders, by quote asset. Default: none. */
  readonly openNotional?:
    | readonly {
        readonly asset: string;
        readonly amount: number | string;
      }[]
    | null
    | undefined;
  /** Why, for the audit and for a second operator. Required if one must approve it. */
  readonly reason?: string | null | undefined;
  /** Removes the limits of the account, so that it has the default ones. Send no other limit. */
  readonly useDefault?: boolean | null | undefined;
}

export interface SetTradingStatusParameters {
  /** `cancel_only` and `halted` reject new orders and amendments in all markets; open orders can be canceled. */
  readonly status: 'trading' | 'cancel_only' | 'halted';
  /** Shown to clients, and recorded in the audit trail. */
  readonly reason: string;
  /** Cancels all open orders. Not with `trading`. */
  readonly cancelOrders?: boolean | undefined;
}

export interface ScheduleMaintenanceParameters {
  /** When it starts. A time that has passed starts it at once. */
  readonly from: string | number;
  /** When it ends. */
  readonly to: string | number;
  /** The status of all markets. */
  readonly mode: 'cancel_only' | 'halted';
  /** Shown to clients from now on. */
  readonly message: string;
}

export interface CancelMaintenanceParameters {
  /** When it starts or started. */
  readonly from: string | number;
}

export interface AnnounceParameters {
  /** `warning` for what clients must know before they trade. */
  readonly severity: 'info' | 'warning';
  /** The announcement in a line. */
  readonly title: string;
  /** More about it. Default: empty. */
  readonly text?: string | null | undefined;
  /** When it is removed. Default: when it is withdrawn. */
  readonly until?: string | number | null | undefined;
}

export interface WithdrawAnnouncementParameters {
  /** The `id` of an announcement. */
  readonly id: string;
}

export interface BustTradeParameters {
  readonly symbol: string;
  /** Id of the trade, as in GET /api/trades. */
  readonly tradeId: string;
  /** For the second operator and the audit trail. */
  readonly reason: string;
}

export interface CreateTransferParameters {
  readonly account: string;
  readonly asset: string;
  readonly amount: number | string;
  readonly reference: string;
  readonly reason: string;
  /** Your password, required with a session unless you have turned on 2FA. */
  readonly password?: string | null | undefined;
  /** A 2FA code, required with a session if you have turned on 2FA. */
  readonly code?: string | null | undefined;
}

export interface SetNetworkParameters {
  /** An asset from GET /api/assets. */
  readonly asset: string;
  /** Name: 1 to 32 of a-z, 0-9 and -. */
  readonly network: string;
  /** Decimals of amounts on the network, at most those of the asset. */
  readonly decimals: number;
  /** Minimum deposit; smaller ones are not credited. */
  readonly minDeposit: number | string;
  /** Minimum withdrawal, without the fee. */
  readonly minWithdrawal: number | string;
  /** Fee of a withdrawal, in addition to its amount. */
  readonly withdrawalFee: number | string;
  /** Confirmations at which a deposit is credited. */
  readonly confirmations: number;
  /** Whether addresses have a memo. */
  readonly memo: 'none' | 'optional' | 'required';
  /** Whether deposits are credited. */
  readonly deposits: boolean;
  /** Whether withdrawals are possible. */
  readonly withdrawals: boolean;
  /** Maximum that an account withdraws in 24 hours, over all networks of the asset; 0 for no limit. */
  readonly dailyLimit: number | string;
  /** Maximum withdrawals of an account in an hour; 0 for no limit. */
  readonly hourlyCount: number;
  /** The time for which a new address cannot be used. */
  readonly addressCoolingMs: number;
  /** The time that withdrawals wait after a new device. */
  readonly newDeviceDelayMs: number;
  /** A withdrawal needs the approval of two operators if it is larger, counted with those of the same asset and account in 24 hours that no operator approved. */
  readonly approvalAbove: number | string;
  /** Ignored, so that a network of GET /api/networks can be sent back. */
  readonly typicalDepositMs?: number | null | undefined;
  /** Ignored, so that a network of GET /api/networks can be sent back. */
  readonly explorerUrl?: string | null | undefined;
  /** Why, for the audit and for a second operator. Required if one must approve it. */
  readonly reason?: string | null | undefined;
  /** Your password, required with a session unless you have turned on 2FA. */
  readonly password?: string | null | undefined;
  /** A 2FA code, required with a session if you have turned on 2FA. */
  readonly code?: string | null | undefined;
}

export interface SetCustodianKeyParameters {
  /** Ed25519 public key of the custodian: PEM, or base64 of 32 bytes. */
  readonly publicKey: string;
  /** Why, for the audit and for a second operator. Required if one must approve it. */
  readonly reason?: string | null | undefined;
  /** Your password, required with a session unless you have turned on 2FA. */
  readonly password?: string | null | undefined;
  /** A 2FA code, required with a session if you have turned on 2FA. */
  readonly code?: string | null | undefined;
}

export interface ListAllDepositsParameters {
  /** Return only entries of this account. */
  readonly account?: string | undefined;
  /** An asset from GET /api/assets. */
  readonly asset?: string | undefined;
  /** Return only deposits of this status; `pending` is any before the credit. */
  readonly depositStatus?:
    | 'pending'
    | 'credited'
    | 'reversed'
    | 'below_minimum'
    | 'review'
    | 'frozen'
    | 'debited'
    | 'released'
    | 'dismissed'
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

export interface ResolveDepositParameters {
  /** The `id` of a deposit. */
  readonly id: string;
  /** For a deposit in `review`: `credit` or `dismiss`. For a `frozen` one: `debit` takes it back, `release` leaves it with the account. */
  readonly resolution: 'credit' | 'dismiss' | 'debit' | 'release';
  /** The account to credit, if the address belongs to none. Only with `credit`. */
  readonly account?: string | null | undefined;
  /** Why, for the audit and for a second operator. Required if one must approve it. */
  readonly reason?: string | null | undefined;
  /** Your password, required with a session unless you have turned on 2FA. */
  readonly password?: string | null | undefined;
  /** A 2FA code, required with a session if you have turned on 2FA. */
  readonly code?: string | null | undefined;
}

export interface ListAllWithdrawalsParameters {
  /** Return only entries of this account. */
  readonly account?: string | undefined;
  /** An asset from GET /api/assets. */
  readonly asset?: string | undefined;
  /** Return only withdrawals of this status. */
  readonly withdrawalStatus?:
    | 'delayed'
    | 'awaiting_approval'
    | 'approved'
    | 'sending'
    | 'broadcast'
    | 'confirmed'
    | 'failed'
    | 'canceled'
    | 'rejected'
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

export interface ApproveWithdrawalParameters {
  /** The `id` of a withdrawal. */
  readonly id: string;
  /** Your password, required with a session unless you have turned on 2FA. */
  readonly password?: string | null | undefined;
  /** A 2FA code, required with a session if you have turned on 2FA. */
  readonly code?: string | null | undefined;
}

export interface RejectWithdrawalParameters {
  /** The `id` of a withdrawal. */
  readonly id: string;
  /** The reason, shown to the user. */
  readonly reason: string;
}

export interface CreateAssetParameters {
  readonly asset: string;
  readonly name: string;
  readonly decimals: number;
}

export interface ListMarketParameters {
  readonly symbol: string;
  /** `auction` opens the market by an auction; `online`, the default, at once. */
  readonly status?: 'online' | 'auction' | null | undefined;
  /** When the opening auction fills orders; without it an operator ends the auction. Only with the status `auction`. */
  readonly opensAt?: string | number | null | undefined;
  readonly tickSize: number | string;
  readonly stepSize: number | string;
  readonly minAmount?: number | string | null | undefined;
  readonly maxAmount: number | string;
  readonly minPrice?: number | string | null | undefined;
  readonly maxPrice: number | string;
  readonly minNotional: number | string;
  readonly makerFee: number | string;
  readonly takerFee: number | string;
  readonly referencePrice: number | string;
  readonly collar?: number | string | null | undefined;
  readonly staticBand?: number | string | null | undefined;
  readonly dynamicBand?: number | string | null | undefined;
  readonly auctionMs?: number | string | null | undefined;
}

export interface ChangeMarketParameters {
  /** With `true` nothing is changed: the response shows what the request would do. */
  readonly preview?: 'true' | 'false' | undefined;
  readonly symbol: string;
  readonly status?:
    | 'online'
    | 'post_only'
    | 'limit_only'
    | 'cancel_only'
    | 'halted'
    | 'delisted'
    | 'auction'
    | null
    | undefined;
  /** Why, for the audit and for a second operator. Required if one must approve it. */
  readonly reason?: string | null | undefined;
  readonly tickSize?: number | string | null | undefined;
  readonly stepSize?: number | string | null | undefined;
  readonly minPrice?: number | string | null | undefined;
  readonly maxPrice?: number | string | null | undefined;
  readonly minAmount?: number | string | null | undefined;
  readonly maxAmount?: number | string | null | undefined;
  readonly minNotional?: number | string | null | undefined;
  readonly makerFee?: number | string | null | undefined;
  readonly takerFee?: number | string | null | undefined;
  readonly referencePrice?: number | string | null | undefined;
  readonly collar?: number | string | null | undefined;
  readonly staticBand?: number | string | null | undefined;
  readonly dynamicBand?: number | string | null | undefined;
  readonly auctionMs?: number | string | null | undefined;
}

export interface GetAccountTimelineParameters {
  /** The account id. */
  readonly id: string;
  /** Return only entries of this kind. */
  readonly timelineKind?:
    | 'account'
    | 'fees'
    | 'limits'
    | 'keys'
    | 'roles'
    | 'notes'
    | 'transfers'
    | 'deposits'
    | 'withdrawals'
    | 'other'
    | undefined;
  /** Maximum number of records per page. */
  readonly limit?: number | undefined;
  /** The `nextCursor` of the previous page, unchanged, with the same parameters except `limit`. */
  readonly cursor?: string | undefined;
}

export interface ListNotesParameters {
  /** The account id. */
  readonly id: string;
}

export interface AddNoteParameters {
  /** The account id. */
  readonly id: string;
  /** The note. It stays in the log forever: write no names, addresses or other personal data. */
  readonly text: string;
}

export interface RemoveNoteParameters {
  /** The account id. */
  readonly id: string;
  /** The `id` of a note. */
  readonly noteId: string;
}

export interface ApproveRequestParameters {
  /** The `id` of a pending request for approval. */
  readonly id: string;
  /** Your password, required with a session unless you have turned on 2FA. */
  readonly password?: string | null | undefined;
  /** A 2FA code, required with a session if you have turned on 2FA. */
  readonly code?: string | null | undefined;
}

export interface RejectRequestParameters {
  /** The `id` of a pending request for approval. */
  readonly id: string;
  /** Why; the requester sees it. */
  readonly reason?: string | null | undefined;
}

export interface SetApprovalPolicyParameters {
  readonly actions: readonly (
    | 'adjustments'
    | 'withdrawals'
    | 'rules'
    | 'grants'
    | 'delisting'
    | 'tradeBusts'
    | 'policy'
  )[];
  readonly limits: readonly {
    readonly asset: string;
    readonly amount: number | string;
  }[];
  /** Why, for the audit and for a second operator. Required if one must approve it. */
  readonly reason?: string | null | undefined;
  /** Your password, required with a session unless you have turned on 2FA. */
  readonly password?: string | null | undefined;
  /** A 2FA code, required with a session if you have turned on 2FA. */
  readonly code?: string | null | undefined;
}

export interface SearchAllParameters {
  /** An id, email address, name, reference or hash of a transaction. */
  readonly search: string;
}

export interface ConfirmClockParameters {
  readonly wallClock: string | number;
}

export type UpgradeParameters = Readonly<Record<string, never>>;

export interface MakeProofParameters {
  /** Log position, or ISO 8601 time with a zone, that the proof is about. Default: the present. */
  readonly at?: string | null | undefined;
}

export interface GetAuditParameters {
  /** Return only entries of this account. */
  readonly account?: string | undefined;
  /** Return only entries with this `action`. */
  readonly action?: string | undefined;
  /** Return only entries about this account, market or asset, also those of its requests for approval. */
  readonly subject?: string | undefined;
  /** Return only entries with this `outcome`. */
  readonly outcome?: 'done' | 'repeated' | 'rejected' | 'sent_for_approval' | undefined;
  /** Return only records from this time on. ISO 8601 with a zone, or milliseconds since 1970. */
  readonly since?: string | number | undefined;
  /** Return only records up to this time. ISO 8601 with a zone, or milliseconds since 1970. */
  readonly until?: string | number | undefined;
  /** Maximum number of records per page. */
  readonly limit?: number | undefined;
  /** The `nextCursor` of the previous page, unchanged, with the same parameters except `limit`. */
  readonly cursor?: string | undefined;
}

export interface ListSurveillanceAlertsParameters {
  /** Return only alerts of this detector. */
  readonly detector?:
    | 'wash_trading'
    | 'spoofing'
    | 'quote_stuffing'
    | 'marking_the_close'
    | 'pump'
    | undefined;
  /** Return only alerts of this severity. */
  readonly severity?: 'low' | 'medium' | 'high' | undefined;
  /** A market from GET /api/markets. */
  readonly symbol?: string | undefined;
  /** Return only alerts that concern the user of this account. */
  readonly account?: string | undefined;
  /** Return only alerts whose case is open and assigned to no one, assigned, or closed. */
  readonly caseStatus?: 'open' | 'assigned' | 'closed' | undefined;
  /** Return only alerts assigned to this account. */
  readonly assignee?: string | undefined;
  /** Return only alerts whose pattern ends at this time or later. ISO 8601 with a zone, or milliseconds since 1970. */
  readonly since?: string | number | undefined;
  /** Return only alerts whose pattern ends up to this time. ISO 8601 with a zone, or milliseconds since 1970. */
  readonly until?: string | number | undefined;
  /** Maximum number of records per page. */
  readonly limit?: number | undefined;
  /** The `nextCursor` of the previous page, unchanged, with the same parameters except `limit`. */
  readonly cursor?: string | undefined;
}

export interface GetSurveillanceAlertParameters {
  /** The `id` of an alert. */
  readonly id: string;
}

export interface ReviewAlertParameters {
  /** The `id` of an alert. */
  readonly id: string;
  /** `closed` closes the case and needs a note; `open` reopens it. */
  readonly caseStatus?: 'open' | 'closed' | null | undefined;
  /** Account of the operator who investigates from then on; an empty text for no one. If it is left out, it stays as it is. */
  readonly assignee?: string | null | undefined;
  /** Findings of the operator. They stay in the log forever: write no names, addresses or other personal data. */
  readonly note?: string | null | undefined;
}

export interface GetAlertActivityParameters {
  /** The `id` of an alert. */
  readonly id: string;
}

export interface GetUserAuditParameters {
  /** Return only entries of this account. */
  readonly account?: string | undefined;
  /** Maximum number of records per page. */
  readonly limit?: number | undefined;
  /** The `nextCursor` of the previous page, unchanged, with the same parameters except `limit`. */
  readonly cursor?: string | undefined;
}

export interface CreateAccountReportParameters {
  /** The account that the report is about; absent for `volume`, `revenue`, `users` and `market_quality`, which are about the exchange. */
  readonly account?: string | null | undefined;
  /** The records that the report lists. */
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
  /** A statement is `html`, for printing, or `json`; all others are `csv` or `json`. */
  readonly format: 'csv' | 'json' | 'html';
  /** Beginning of the period. */
  readonly from: string | number;
  /** End of the period, which is not included; default: now. */
  readonly to?: string | number | null | undefined;
}

export interface ListAllReportsParameters {
  /** Return only reports about this account. */
  readonly account?: string | undefined;
}

export interface GetAnyReportParameters {
  /** The `reportId` of a report. */
  readonly id: string;
}

export interface DeleteAnyReportParameters {
  /** The `reportId` of a report. */
  readonly id: string;
}

export interface GetAnyReportFileParameters {
  /** The `reportId` of a report. */
  readonly id: string;
}
