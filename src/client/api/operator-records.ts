// Generated from the OpenAPI document by `npm run generate`. Do not edit.

import type {
  AttachedOrders,
  Deposit,
  OrderFee,
  PortfolioBalance,
  TradingLimits,
  Withdrawal,
} from './records.ts';

export interface OperatorMarket<N = number> {
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
  /** Price that bounds market orders and triggers before the first trade. */
  readonly referencePrice: N;
}

export interface OperatorOrder<N = number> {
  /** Account of the order. */
  readonly accountId: string;
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
}

export interface Account<N = number> {
  /** Account id. */
  readonly accountId: string;
  /** Main account of a sub-account; null for a main account. */
  readonly main: string | null;
  /** Name of a sub-account; null for a main account. */
  readonly name: string | null;
  /** Whether the account is frozen and cannot trade. */
  readonly frozen: boolean;
  /** Whether it is a sub-account that its owner has closed. */
  readonly closed: boolean;
  /** Rate-limit multiplier. */
  readonly limitClass: number;
  /** Fee tier set by the operator, or `volume` if the 30-day volume decides. */
  readonly feeTier: number | string;
  /** The fee tier in effect. Tier 0 has the rates of the market. */
  readonly tier: number;
  /** Its 30-day volume in the asset of the fee tiers; null if there are none. */
  readonly volume: N | null;
  /** Whether it is one of the sandbox's market makers or of `--surveillance-exempt`, or their sub-account. */
  readonly surveillanceExempt: boolean;
  /** The account that referred it; null for none. */
  readonly referrer: string | null;
  /** Number of open orders. */
  readonly openOrders: number;
  /** Time when the account was created. */
  readonly createdAt: string;
  readonly tradingLimits: TradingLimits<N>;
}

export interface ApiKey {
  /** API key, without its secret. */
  readonly apiKey: string;
  /** Account of the key. */
  readonly accountId: string;
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
  /** Time when the key was revoked; null if it was not. */
  readonly revokedAt: string | null;
  /** Type of the credential: a secret that is sent, or one that signs by Ed25519 or HMAC-SHA256. */
  readonly type: 'secret' | 'ed25519' | 'hmac';
  /** Ed25519 public key that checks the signatures of requests, in base64; null if the key has a secret. */
  readonly publicKey: string | null;
}

export interface Transfer<N = number> {
  /** Transfer id. */
  readonly id: string;
  /** Account whose balance changed. */
  readonly account: string;
  /** Asset symbol. */
  readonly asset: string;
  /** Amount; positive for a credit, negative for a debit. */
  readonly amount: N;
  /** Unique reference, so that a repeated request makes no second transfer. */
  readonly reference: string;
  /** Time of the event. */
  readonly timestamp: string;
}

export interface AccountName {
  /** Account id. */
  readonly accountId: string;
  /** Main account of a sub-account; null for a main account. */
  readonly main: string | null;
  /** Present name of a sub-account; null for a main account. */
  readonly name: string | null;
  /** Name of the first user of it or of its main account; null for none. */
  readonly ownerName: string | null;
}

export interface AssetTotals<N = number> {
  /** Asset symbol. */
  readonly asset: string;
  /** Available balance over all accounts. */
  readonly available: N;
  /** Held balance over all accounts. */
  readonly held: N;
  /** Fees collected by the exchange. */
  readonly fees: N;
  /** External funds, as a liability: negative. */
  readonly external: N;
  /** Whether the four amounts sum to zero, as they must. */
  readonly balances: boolean;
  /** Debts of the exchange: available and held balances of all accounts. Fees are its own. */
  readonly liabilities: N;
  /** Coins at the custodian, on all networks; null if it has never reported any. */
  readonly holdings: N | null;
  /** Withdrawals that the custodian has received and not confirmed. */
  readonly inFlight: N;
  /** Time of the oldest of the newest reports of its networks; null without one. */
  readonly holdingsReportedAt: string | null;
  readonly unreportedNetworks: readonly string[];
  /** Whether holdings and withdrawals in flight are at least the liabilities. */
  readonly covered: boolean | null;
}

export interface LogArchive {
  /** The archive, without credentials. */
  readonly url: string;
  /** The newest batch of the log that is there; 0 before the first. */
  readonly position: number;
  /** Time of that batch. */
  readonly timestamp: string | null;
  /** Segments of the log that are there. */
  readonly segments: number;
  /** Size of their objects. */
  readonly storedBytes: number;
  /** Size of the segments that are due to move there. */
  readonly waitingBytes: number;
  /** The last failure; null after a success. */
  readonly error: string | null;
}

export interface AuditEntry {
  /** Entry id. */
  readonly id: string;
  /** Position of the batch in the log. */
  readonly logPosition: number;
  /** Index in that batch, from 0. */
  readonly index: number;
  /** Time of the event. */
  readonly timestamp: string;
  /** Account that sent the command; null for the exchange itself. */
  readonly account: string | null;
  /** API key that was used; null for a session. */
  readonly apiKey: string | null;
  /** Email address of the signed-in user; null for an API key, and if the log has the account only. */
  readonly user: string | null;
  /** Command name. */
  readonly action: string;
  /** Account, market or asset that was changed. */
  readonly subject: string | null;
  /** Outcome. `sent_for_approval` is a command that a second operator must approve; the next entry is the request. */
  readonly outcome: 'done' | 'repeated' | 'rejected' | 'sent_for_approval';
  /** Rejection code, 0 unless rejected. */
  readonly rejection: number;
  /** Other fields of the command, with names of accounts, markets and assets and exact numbers. */
  readonly details: Readonly<Record<string, unknown>>;
  /** The accounts whose ids the other fields contain. */
  readonly accounts: readonly AccountName[];
}

export interface User {
  /** Email address, which the user signs in with. */
  readonly email: string;
  /** Name of the user. */
  readonly name: string;
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
  /** Time when the user was created. */
  readonly createdAt: string;
}

export interface AccountOwner {
  /** The main account of the user. */
  readonly accountId: string;
  /** Name of the user. */
  readonly name: string;
  /** Email address of the user. */
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
  /** Whether two-factor authentication (2FA) is on. */
  readonly secondFactor: boolean;
  /** Time of the last request of a session, a minute old at most; null without sessions. */
  readonly lastSeenAt: string | null;
}

export interface AccountTotals<N = number> {
  /** The account. */
  readonly accountId: string;
  /** Balances, available and held, of every asset that the account has ever held. */
  readonly balances: readonly PortfolioBalance<N>[];
}

export interface UserEntry {
  /** Entry id. */
  readonly id: string;
  /** Time of the event. */
  readonly timestamp: string;
  /** User id; never reused. Empty for an action of an API key. */
  readonly personId: string;
  /** Email address of the user at that time; empty for an action of an API key. */
  readonly email: string;
  /** Trading account of the user. */
  readonly account: string;
  /** Action. */
  readonly action:
    | 'signed_up'
    | 'invited'
    | 'permissions_changed'
    | 'removed'
    | 'signed_in'
    | 'sign_in_failed'
    | 'signed_out'
    | 'sessions_ended'
    | 'password_changed'
    | 'password_reset'
    | 'email_change_requested'
    | 'email_change_canceled'
    | 'email_changed'
    | 'second_factor_on'
    | 'second_factor_off'
    | 'recovery_codes_renewed'
    | 'anti_phishing_code_set'
    | 'anti_phishing_code_removed'
    | 'passkey_added'
    | 'passkey_removed'
    | 'key_made'
    | 'key_changed'
    | 'key_revoked'
    | 'address_named';
  /** Email address or API key of the actor; null for the exchange itself. */
  readonly by: string | null;
  /** IP address of the request. */
  readonly address: string | null;
  /** Permissions, API key, passkey label, method of a sign-in, id of a withdrawal address or new email address, depending on the action. */
  readonly details: string | null;
}

export interface SurveillanceAlert {
  /** Alert id, the same at every replay of the log. */
  readonly id: string;
  /** The detector that found it. */
  readonly detector: 'wash_trading' | 'spoofing' | 'quote_stuffing' | 'marking_the_close' | 'pump';
  /** Severity, which the detector decides: patterns that move prices are `high`. */
  readonly severity: 'low' | 'medium' | 'high';
  /** Market symbol, BASE/QUOTE. */
  readonly symbol: string;
  /** The users concerned. */
  readonly accounts: readonly string[];
  readonly from: {
    /** Position of its batch in the log. */
    readonly logPosition: number;
    /** Index in that batch, from 0. */
    readonly index: number;
    /** Time of the command. */
    readonly timestamp: string;
  };
  readonly to: {
    /** Position of its batch in the log. */
    readonly logPosition: number;
    /** Index in that batch, from 0. */
    readonly index: number;
    /** Time of the command. */
    readonly timestamp: string;
  };
  /** The counts that led to the alert; docs/operating/surveillance.md explains them. */
  readonly figures: Readonly<Record<string, unknown>>;
  /** The batch with which it was found, after the end of its window. */
  readonly logPosition: number;
  /** `open` if no one investigates, `assigned` if an operator does, or `closed`. */
  readonly caseStatus: 'open' | 'assigned' | 'closed';
  /** Account of the operator who investigates; null for no one. */
  readonly assignee: string | null;
  /** Time of the latest review; null before the first. */
  readonly reviewedAt: string | null;
}

export interface AlertFill<N = number> {
  /** Trade id. */
  readonly tradeId: string;
  /** The order of this side. */
  readonly orderId: string;
  /** Account of this side. */
  readonly account: string;
  /** Side of the account. */
  readonly side: 'buy' | 'sell';
  /** Whether its order was resting. */
  readonly liquidity: 'maker' | 'taker';
  /** Price. */
  readonly price: N;
  /** Amount. */
  readonly amount: N;
  /** Time of the trade. */
  readonly timestamp: string;
}

export interface AlertReview {
  /** Position of its batch in the log. */
  readonly logPosition: number;
  /** Time of the review. */
  readonly timestamp: string;
  /** `open` if no one investigates, `assigned` if an operator does, or `closed`. */
  readonly caseStatus: 'open' | 'assigned' | 'closed';
  /** Account of the operator who investigates; null for no one. */
  readonly assignee: string | null;
  /** Note of the operator; may be empty. */
  readonly note: string;
  /** Account of the operator; null for the exchange itself. */
  readonly account: string | null;
  /** API key that was used; null for a session. */
  readonly apiKey: string | null;
  /** Email address of the signed-in user; null for an API key, and once the user is removed. */
  readonly user: string | null;
}

export interface UserTimelineEntry<N = number> {
  /** Position of its batch in the log. */
  readonly logPosition: number;
  /** Index of its command in that batch, from 0. */
  readonly index: number;
  /** Time of the command or change. */
  readonly timestamp: string;
  /** The subject of the entry. */
  readonly kind:
    | 'account'
    | 'fees'
    | 'limits'
    | 'keys'
    | 'roles'
    | 'notes'
    | 'transfers'
    | 'deposits'
    | 'withdrawals'
    | 'other';
  /** The command, as the audit has it; null for a change of a deposit or withdrawal. */
  readonly command: AuditEntry | null;
  /** The deposit after a change; otherwise null. */
  readonly deposit: Deposit<N> | null;
  /** The withdrawal after a change; otherwise null. */
  readonly withdrawal: Withdrawal<N> | null;
}

export interface SearchResult<N = number> {
  /** The kind of record. */
  readonly kind:
    | 'account'
    | 'key'
    | 'order'
    | 'trade'
    | 'transfer'
    | 'address'
    | 'deposit'
    | 'withdrawal';
  /** Its id; for a key the API key. */
  readonly id: string;
  /** Its account; null for a deposit of no account. */
  readonly account: string | null;
  /** Name of the first user of the account. */
  readonly ownerName: string | null;
  /** Email address of that user. */
  readonly ownerEmail: string | null;
  /** `active`, `frozen`, `closed` or `revoked`, or the status of an order, deposit or withdrawal. */
  readonly status: string | null;
  /** Market of an order. */
  readonly symbol: string | null;
  /** Side of an order. */
  readonly side: string | null;
  /** Asset of a transfer, deposit or withdrawal. */
  readonly asset: string | null;
  /** Its amount; negative for a debit. */
  readonly amount: N | null;
  /** Its client order id, reference or transaction, the order of a trade, or the label of a key. */
  readonly reference: string | null;
  /** Time of its creation. */
  readonly timestamp: string;
}

export interface UserSession {
  /** Session id. */
  readonly id: string;
  /** Email address of the user. */
  readonly email: string;
  /** Time of the sign-in. */
  readonly createdAt: string;
  /** Time of the last request, a minute old at most. */
  readonly lastSeenAt: string;
  /** Network address of the sign-in. */
  readonly address: string;
  /** The browser, as it describes itself. */
  readonly userAgent: string;
}

export interface FailedDetector {
  /** The detector that is off. */
  readonly detector: 'wash_trading' | 'spoofing' | 'quote_stuffing' | 'marking_the_close' | 'pump';
  /** The batch at which it failed. */
  readonly logPosition: number;
  /** Message of its error. */
  readonly error: string;
}

export interface DetectorStatus {
  /** The detector. */
  readonly detector: 'wash_trading' | 'spoofing' | 'quote_stuffing' | 'marking_the_close' | 'pump';
  /** Severity of its alerts. */
  readonly severity: 'low' | 'medium' | 'high';
  /** False if it failed and is off. */
  readonly isRunning: boolean;
  /** Length of its windows, in milliseconds; null if it is off. */
  readonly windowMs: number | null;
  /** End of the last window that it has evaluated; null before the first, or if it is off. */
  readonly evaluatedTo: string | null;
  /** End of the present window, which the first command after it evaluates. */
  readonly nextAt: string | null;
  /** Alerts since this node started. */
  readonly alerts: number;
  /** The thresholds from which it reports a pattern; docs/operating/surveillance.md explains them. */
  readonly parameters: Readonly<Record<string, unknown>>;
}

export interface Detection {
  /** All detectors. */
  readonly detectors: readonly DetectorStatus[];
  /** Time of the first command that this node has read since it started; null for none. */
  readonly from: string | null;
  /** Time of the last command that it has read; null for none. */
  readonly to: string | null;
  /** The last batch that it has read. */
  readonly logPosition: number;
  /** Changes of orders that it has read. */
  readonly orders: number;
  /** Trades that it has read. */
  readonly trades: number;
}

export interface ApprovalDecision {
  /** Account of the operator; null for the exchange itself. */
  readonly account: string | null;
  /** API key that was used; null for a session. */
  readonly apiKey: string | null;
  /** Email address of the signed-in user; null for an API key, and once the user is removed. */
  readonly user: string | null;
  /** Reason that was given. */
  readonly reason: string;
  /** Time of the decision, or of the expiry. */
  readonly timestamp: string;
}

export interface Approval {
  /** Request id. */
  readonly id: string;
  /** State of the request. */
  readonly status: 'pending' | 'approved' | 'rejected' | 'withdrawn' | 'expired';
  /** Name of the command that waits. */
  readonly action: string;
  /** Account, market or asset that it changes. */
  readonly subject: string | null;
  /** Other fields of the command, with names of accounts, markets and assets and exact numbers. */
  readonly details: Readonly<Record<string, unknown>>;
  /** Present values of the fields that the command would change, like `details`; null if it replaces none, or has been decided. */
  readonly current: Readonly<Record<string, unknown>> | null;
  /** The accounts whose ids `subject` and `details` contain. */
  readonly accounts: readonly AccountName[];
  /** Account of the operator; null for the exchange itself. */
  readonly account: string | null;
  /** API key that was used; null for a session. */
  readonly apiKey: string | null;
  /** Email address of the signed-in user; null for an API key, and once the user is removed. */
  readonly user: string | null;
  /** Whether your account has made the request, so that you cannot approve it. */
  readonly isOwn: boolean;
  /** Reason that was given. */
  readonly reason: string;
  /** Time of the request. */
  readonly requestedAt: string;
  /** Time from which no one can approve it. */
  readonly expiresAt: string;
  /** The decision; null while it is pending. */
  readonly decision: ApprovalDecision | null;
}

export interface ApprovalLimit<N = number> {
  /** Asset. */
  readonly asset: string;
  /** The largest credit or debit that needs no approval. */
  readonly amount: N;
}

export interface ApprovalPolicy<N = number> {
  readonly actions: readonly (
    | 'adjustments'
    | 'withdrawals'
    | 'rules'
    | 'grants'
    | 'delisting'
    | 'tradeBusts'
    | 'policy'
  )[];
  readonly limits: readonly ApprovalLimit<N>[];
}

export interface Role {
  /** Name of the role. */
  readonly name: string;
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
  /** Tasks of the role. */
  readonly tasks: string;
}

export interface RoleAssignment {
  /** Account. */
  readonly account: string;
  /** Email address of a user; null for an API key. */
  readonly user: string | null;
  /** API key; null for a user. */
  readonly apiKey: string | null;
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
}

export interface Note {
  /** Note id. */
  readonly id: string;
  /** The note. */
  readonly text: string;
  /** Time of the note. */
  readonly timestamp: string;
  /** Account of the operator; null for the exchange itself. */
  readonly account: string | null;
  /** API key that was used; null for a session. */
  readonly apiKey: string | null;
  /** Email address of the signed-in user; null for an API key, and once the user is removed. */
  readonly user: string | null;
}

export interface BustedTrade<N = number> {
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
  /** Account of the maker. */
  readonly maker: string;
  /** Account of the taker. */
  readonly taker: string;
  /** Time of the trade. */
  readonly timestamp: string;
  /** Time of the bust. */
  readonly bustedAt: string;
}

export interface DashboardNode {
  /** Name of the node that answers. */
  readonly name: string;
  /** State of this node: `ready`, `overloaded`, `unreachable` or `disk_full`. */
  readonly node: string;
  /** The last batch of the log that this node has applied. */
  readonly logPosition: number;
  /** Commands that wait for the log. */
  readonly waitingCommands: number;
  /** Lag of the archivist, milliseconds. */
  readonly archivistLagMs: number;
  /** Open orders of all accounts. */
  readonly openOrders: number;
  /** Whether any market accepts orders. */
  readonly isTrading: boolean;
}

export interface DashboardSeries<N = number> {
  /** Interval of the samples, milliseconds. */
  readonly everyMs: number;
  readonly ordersPerSecond: readonly N[];
  readonly orderMedianMs: readonly (N | null)[];
  readonly orderP99Ms: readonly (N | null)[];
  readonly otherMedianMs: readonly (N | null)[];
  readonly otherP99Ms: readonly (N | null)[];
  readonly archivistLagMs: readonly N[];
}

export interface DashboardMarket<N = number> {
  /** Market symbol, BASE/QUOTE. */
  readonly symbol: string;
  /** Market status. */
  readonly status:
    | 'online'
    | 'post_only'
    | 'limit_only'
    | 'cancel_only'
    | 'halted'
    | 'delisted'
    | 'auction';
  /** Base asset. */
  readonly base: string;
  /** Quote asset. */
  readonly quote: string;
  /** Price of the last trade, or the reference price before the first. */
  readonly last: N;
  /** Change of the price in 24 hours, percent. */
  readonly percentage: N;
  /** Best bid. */
  readonly bid: N | null;
  /** Best ask. */
  readonly ask: N | null;
  /** Spread, hundredths of a percent of the middle. */
  readonly spreadBasisPoints: N | null;
  /** Amount of bids within 0.5 % of the middle, in the base asset. */
  readonly bidDepth: N | null;
  /** Amount of asks within 0.5 % of the middle, in the base asset. */
  readonly askDepth: N | null;
  /** Share of samples with bids and asks while trading, in the last 24 hours or since the node started. */
  readonly twoSidedPercent: N | null;
  /** Volume of the last 24 hours in the quote asset. */
  readonly volume: N;
  /** Trades of the last 24 hours. */
  readonly trades: number;
}

export interface DashboardVolume<N = number> {
  /** Quote asset. */
  readonly asset: string;
  /** Volume of the last 24 hours in markets of this quote asset. */
  readonly volume: N;
  readonly hours: readonly N[];
}

export interface DashboardFees<N = number> {
  /** Asset. */
  readonly asset: string;
  /** Change of the fee account since `feesSince`: fees less rebates and referral shares. */
  readonly amount: N;
  readonly hours: readonly N[];
}

export interface DashboardUsers {
  /** Users. */
  readonly registered: number;
  /** Users who were created in the last 24 hours. */
  readonly created: number;
  /** The last 30 days, today last. */
  readonly createdByDay: readonly number[];
  /** Users whose sessions were used in the last 24 hours. */
  readonly active: number;
}

export interface DashboardQueues {
  /** Deposits that wait for a decision. */
  readonly depositsToReview: number;
  /** Withdrawals that wait for approval. */
  readonly withdrawalsToApprove: number;
  /** Instructions that the custodian has not confirmed. */
  readonly instructions: number;
  /** Requests that wait for a second operator. */
  readonly approvals: number;
  /** Open alerts of surveillance, at most 100. */
  readonly alerts: number;
}
