# Generated from the OpenAPI document by `npm run generate`. Do not edit.
"""Records of responses, and objects of requests."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Literal

from ._types import OMITTED, Number, Omitted, Time

__all__ = [
    "ErrorCode",
    "Account",
    "AccountData",
    "AccountName",
    "AccountOwner",
    "AccountTotals",
    "AddFaultsData",
    "AddFaultsDataScript",
    "AddFaultsDataScriptFault",
    "AddFaultsDataScriptFaultSchedule",
    "AddFaultsFault",
    "AddFaultsFaultSchedule",
    "AddWithdrawalAddressData",
    "AlertFill",
    "AlertReview",
    "ApiKey",
    "ApiKeyData",
    "ApiKeyPage",
    "Approval",
    "ApprovalData",
    "ApprovalDecision",
    "ApprovalLimit",
    "ApprovalPolicy",
    "ApprovalPolicyData",
    "Asset",
    "AssetData",
    "AssetGains",
    "AssetLiabilities",
    "AssetList",
    "AssetTotals",
    "AttachedOrders",
    "AuditEntry",
    "AuditEntryPage",
    "Balance",
    "BalanceList",
    "BustedTrade",
    "BustedTradeData",
    "BustedTradeList",
    "Candle",
    "CandleList",
    "ChangeMakersMove",
    "ChangeMarketData",
    "CreateAccountData",
    "CreateCheckpointData",
    "CreateKeyData",
    "CreateSubAccountData",
    "CreateTransferData",
    "CreateWebhookData",
    "DashboardFees",
    "DashboardMarket",
    "DashboardNode",
    "DashboardQueues",
    "DashboardSeries",
    "DashboardUsers",
    "DashboardVolume",
    "Deadline",
    "DeadlineList",
    "Delivery",
    "DeliveryData",
    "DeliveryList",
    "Deposit",
    "DepositAddress",
    "DepositAddressList",
    "DepositData",
    "DepositList",
    "DepositPage",
    "Detection",
    "DetectorStatus",
    "EndpointLimit",
    "ErrorObject",
    "ErrorResponse",
    "FailedDetector",
    "Fee",
    "FeeDiscount",
    "FeeTier",
    "Fill",
    "FillPage",
    "Flow",
    "GainsPoint",
    "GainsYear",
    "GetAccountTimelineData",
    "GetAlertActivityData",
    "GetClockData",
    "GetCurrentKeyData",
    "GetCustodianData",
    "GetDashboardData",
    "GetFeeProgramsData",
    "GetFeeScheduleData",
    "GetFeeTiersData",
    "GetFeesData",
    "GetInclusionData",
    "GetLevel3Data",
    "GetLimitsData",
    "GetLogHeadData",
    "GetMakersData",
    "GetMakersDataMaker",
    "GetOrderTimelineData",
    "GetOrderbookData",
    "GetRecordingsData",
    "GetRecordingsDataRecording",
    "GetReferralsData",
    "GetRolesData",
    "GetSandboxClockData",
    "GetStateData",
    "GetStatusData",
    "GetStatusDataAnnouncement",
    "GetStatusDataMaintenance",
    "GetStatusDataTrading",
    "GetStatusHistoryData",
    "GetStatusHistoryDataDay",
    "GetStatusHistoryDataIncident",
    "GetStatusHistoryDataResponseTimes",
    "GetSurveillanceAlertData",
    "GetTimeData",
    "GroupAccount",
    "GroupAccountData",
    "GroupAccountList",
    "IncludedBalance",
    "InternalTransfer",
    "InternalTransferPage",
    "InviteUserData",
    "LedgerEntry",
    "LedgerEntryPage",
    "LiabilityProof",
    "LiabilityProofList",
    "ListAccountsData",
    "ListApprovalsData",
    "ListCheckpointsData",
    "ListFaultsData",
    "ListFaultsDataInjected",
    "ListFaultsDataScript",
    "ListFaultsDataScriptFault",
    "ListFaultsDataScriptFaultSchedule",
    "ListNoticesData",
    "ListSurveillanceAlertsData",
    "ListWithdrawalsToApproveData",
    "LogArchive",
    "MarkNoticesReadData",
    "Market",
    "MarketAuction",
    "MarketData",
    "MarketList",
    "Network",
    "NetworkList",
    "Note",
    "NoteData",
    "NoteList",
    "Notice",
    "NotionalLimit",
    "OperatorMarket",
    "OperatorMarketAuction",
    "OperatorMarketList",
    "OperatorOrder",
    "OperatorOrderList",
    "OperatorOrderPage",
    "Order",
    "OrderFee",
    "OrderHold",
    "OrderLeg",
    "OrderList",
    "OrderPage",
    "OrderResponse",
    "OwnKey",
    "PlaceOrderAttached",
    "PlaceOrderAttachedOrder",
    "PlaceOrderAttachedStopLoss",
    "PlaceOrderAttachedTakeProfit",
    "PlaceOrderRequest",
    "PlaceOrdersData",
    "PlacePairStopLoss",
    "PlacePairTakeProfit",
    "PortfolioBalance",
    "PortfolioPoint",
    "PortfolioPointList",
    "Price",
    "PriceAlert",
    "PriceAlertData",
    "PriceAlertList",
    "PriceAuction",
    "PriceList",
    "ProfitAndLoss",
    "ProofNode",
    "QueuePoint",
    "Receipt",
    "RemoveFaultsData",
    "Report",
    "ReportList",
    "RequestDepositAddressData",
    "RequestWithdrawalData",
    "Role",
    "RoleAssignment",
    "SearchResult",
    "SearchResultList",
    "SetCustodianKeyData",
    "SetFeeTiersTier",
    "SetNetworkData",
    "SetTradingLimitsOpenNotional",
    "SetTradingStatusData",
    "SetTradingStatusDataAnnouncement",
    "SetTradingStatusDataMaintenance",
    "SetTradingStatusDataTrading",
    "SurveillanceAlert",
    "SurveillanceAlertFrom",
    "SurveillanceAlertTo",
    "TestOcoData",
    "TestOrderData",
    "TestedFill",
    "TestedOrder",
    "TimelineEvent",
    "Trade",
    "TradePage",
    "TradingLimits",
    "TradingLimitsData",
    "Transfer",
    "TransferInternallyData",
    "TriggeredOrder",
    "UpgradeData",
    "UsedLimits",
    "UsedNotional",
    "User",
    "UserEntry",
    "UserEntryPage",
    "UserList",
    "UserSession",
    "UserSessionList",
    "UserTimelineEntry",
    "Webhook",
    "WebhookData",
    "WebhookList",
    "WhyNotFilled",
    "Withdrawal",
    "WithdrawalAddress",
    "WithdrawalAddressData",
    "WithdrawalAddressList",
    "WithdrawalData",
    "WithdrawalLimit",
    "WithdrawalPage",
]

ErrorCode = Literal[
    "ACCOUNT_FROZEN",
    "ACCOUNT_LIMIT",
    "ADDRESS_COOLING",
    "APPROVAL_NOT_ALLOWED",
    "BROWSER_NOT_ALLOWED",
    "CLOCK_OFF",
    "DEPOSIT_CONFLICT",
    "DEPOSIT_NOT_IN_REVIEW",
    "DUPLICATE_CLIENT_ORDER_ID",
    "DUPLICATE_REFERENCE",
    "DUPLICATE_WITHDRAWAL",
    "INSUFFICIENT_BALANCE",
    "INSUFFICIENT_PERMISSIONS",
    "INTERNAL_ERROR",
    "INVALID_ADDRESS",
    "INVALID_AMOUNT",
    "INVALID_PRICE",
    "INVALID_REQUEST",
    "INVALID_SIDE",
    "INVALID_SYMBOL",
    "INVALID_TYPE",
    "IP_NOT_ALLOWED",
    "MARKET_UNAVAILABLE",
    "METHOD_NOT_ALLOWED",
    "MIN_NOTIONAL",
    "NETWORK_UNAVAILABLE",
    "NOT_FOUND",
    "NO_LIQUIDITY",
    "ORDER_NOT_FOUND",
    "ORDER_NOT_OPEN",
    "OUTCOME_UNKNOWN",
    "OVERLOADED",
    "PAYLOAD_TOO_LARGE",
    "POST_ONLY_WOULD_TAKE",
    "RATE_LIMIT_EXCEEDED",
    "STALE",
    "TOO_MANY_OPEN_ORDERS",
    "UNAUTHORIZED",
    "UNSUPPORTED_VERSION",
    "WITHDRAWALS_BLOCKED",
    "WITHDRAWAL_LIMIT",
    "WITHDRAWAL_NOT_PENDING",
    "auction",
    "awaiting_activation",
    "awaiting_trigger",
    "market_unavailable",
    "no_counter_orders",
    "orders_ahead",
    "price_not_reached",
    "triggered",
]
"""The possible values of `ApiRequestError.code`. New releases may add codes."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Account:
    account_id: str
    """Account id."""
    main: str | None
    """Main account of a sub-account; null for a main account."""
    name: str | None
    """Name of a sub-account; null for a main account."""
    frozen: bool
    """Whether the account is frozen and cannot trade."""
    closed: bool
    """Whether it is a sub-account that its owner has closed."""
    limit_class: int
    """Rate-limit multiplier."""
    fee_tier: int | str
    """Fee tier set by the operator, or `volume` if the 30-day volume decides."""
    tier: int
    """The fee tier in effect. Tier 0 has the rates of the market."""
    volume: Decimal | None
    """Its 30-day volume in the asset of the fee tiers; null if there are none."""
    surveillance_exempt: bool
    """Whether it is one of the sandbox's market makers or of `--surveillance-exempt`, or their
    sub-account."""
    referrer: str | None
    """The account that referred it; null for none."""
    open_orders: int
    """Number of open orders."""
    created_at: str
    """Time when the account was created."""
    trading_limits: TradingLimits


@dataclass(frozen=True, kw_only=True, slots=True)
class AccountData:
    account: Account


@dataclass(frozen=True, kw_only=True, slots=True)
class AccountName:
    account_id: str
    """Account id."""
    main: str | None
    """Main account of a sub-account; null for a main account."""
    name: str | None
    """Present name of a sub-account; null for a main account."""
    owner_name: str | None
    """Name of the first user of it or of its main account; null for none."""


@dataclass(frozen=True, kw_only=True, slots=True)
class AccountOwner:
    account_id: str
    """The main account of the user."""
    name: str
    """Name of the user."""
    email: str
    """Email address of the user."""
    permissions: list[Literal["read", "trade", "operate", "withdraw", "transfer", "support", "markets", "treasury", "compliance", "audit"]]
    second_factor: bool
    """Whether two-factor authentication (2FA) is on."""
    last_seen_at: str | None
    """Time of the last request of a session, a minute old at most; null without sessions."""


@dataclass(frozen=True, kw_only=True, slots=True)
class AccountTotals:
    account_id: str
    """The account."""
    balances: list[PortfolioBalance]
    """Balances, available and held, of every asset that the account has ever held."""


@dataclass(frozen=True, kw_only=True, slots=True)
class AddFaultsData:
    script: AddFaultsDataScript


@dataclass(frozen=True, kw_only=True, slots=True)
class AddFaultsDataScript:
    id: str
    """Id of the script."""
    api_key: str | None
    """The API key that it is for."""
    account: str | None
    """The account that it is for."""
    seed: int
    """Seed of its draws."""
    faults: list[AddFaultsDataScriptFault]


@dataclass(frozen=True, kw_only=True, slots=True)
class AddFaultsDataScriptFault:
    kind: Literal["answer_lost_after_commit", "answer_lost_before_commit", "delay", "status", "stream_gap", "stream_duplicate", "stream_reorder", "stream_disconnect", "stale_read", "slow_fill", "reject_all", "market_halt", "clock_skew", "maintenance"]
    """The kind of the fault."""
    probability: Decimal
    """The probability at each occasion, from 0 to 1."""
    count: int | None
    """Maximum number of times."""
    schedule: AddFaultsDataScriptFaultSchedule
    endpoints: list[str] | None
    ms: int | None
    """Milliseconds."""
    jitter: int | None
    """Maximum random addition, milliseconds."""
    before: bool
    """Whether a delay is on the way to the exchange."""
    status: int | None
    """HTTP status."""
    symbol: str | None
    """Market."""
    injected: int
    """Number of times that it has happened."""


@dataclass(frozen=True, kw_only=True, slots=True)
class AddFaultsDataScriptFaultSchedule:
    from_: str
    """When it begins to happen."""
    until: str | None
    """When it ends."""
    every_ms: int | None
    """Length of a period."""
    for_ms: int | None
    """The part of each period in which it happens."""


@dataclass(frozen=True, kw_only=True, slots=True)
class AddFaultsFault:
    kind: Literal["answer_lost_after_commit", "answer_lost_before_commit", "delay", "status", "stream_gap", "stream_duplicate", "stream_reorder", "stream_disconnect", "stale_read", "slow_fill", "reject_all", "market_halt", "clock_skew", "maintenance"]
    """The kind of the fault."""
    probability: Number | None | Omitted = OMITTED
    """The probability at each occasion, from 0 to 1; 1 by default."""
    count: int | None | Omitted = OMITTED
    """Maximum number of times."""
    schedule: AddFaultsFaultSchedule | None | Omitted = OMITTED
    """When it happens, by the exchange's clock."""
    endpoints: Sequence[str] | None | Omitted = OMITTED
    """Patterns of where it happens, such as `POST /api/orders`, `ws order.*` or `channel trades`,
    in which `*` stands for any text."""
    ms: int | None | Omitted = OMITTED
    """Milliseconds of `delay`, `slow_fill`, `market_halt` and `clock_skew`; only the last may be
    negative."""
    jitter: int | None | Omitted = OMITTED
    """Maximum random addition to a `delay`, milliseconds."""
    before: bool | None | Omitted = OMITTED
    """Whether a `delay` is on the way to the exchange."""
    status: Literal[418, 429, 500, 503] | None | Omitted = OMITTED
    """The HTTP status of `status`."""
    symbol: str | None | Omitted = OMITTED
    """The market of `market_halt`."""


@dataclass(frozen=True, kw_only=True, slots=True)
class AddFaultsFaultSchedule:
    """When it happens, by the exchange's clock."""

    from_: Time | None | Omitted = OMITTED
    """When the fault begins to happen; now by default."""
    until: Time | None | Omitted = OMITTED
    """When it ends."""
    every_ms: int | None | Omitted = OMITTED
    """Length of a period, counted from `from`: the fault happens once in each, or throughout
    `forMs` of each."""
    for_ms: int | None | Omitted = OMITTED
    """The first part of each period, in which the fault happens."""


@dataclass(frozen=True, kw_only=True, slots=True)
class AddWithdrawalAddressData:
    address: WithdrawalAddress
    created: bool
    """False if the address was known."""


@dataclass(frozen=True, kw_only=True, slots=True)
class AlertFill:
    trade_id: str
    """Trade id."""
    order_id: str
    """The order of this side."""
    account: str
    """Account of this side."""
    side: Literal["buy", "sell"]
    """Side of the account."""
    liquidity: Literal["maker", "taker"]
    """Whether its order was resting."""
    price: Decimal
    """Price."""
    amount: Decimal
    """Amount."""
    timestamp: str
    """Time of the trade."""


@dataclass(frozen=True, kw_only=True, slots=True)
class AlertReview:
    log_position: int
    """Position of its batch in the log."""
    timestamp: str
    """Time of the review."""
    case_status: Literal["open", "assigned", "closed"]
    """`open` if no one investigates, `assigned` if an operator does, or `closed`."""
    assignee: str | None
    """Account of the operator who investigates; null for no one."""
    note: str
    """Note of the operator; may be empty."""
    account: str | None
    """Account of the operator; null for the exchange itself."""
    api_key: str | None
    """API key that was used; null for a session."""
    user: str | None
    """Email address of the signed-in user; null for an API key, and once the user is removed."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ApiKey:
    api_key: str
    """API key, without its secret."""
    account_id: str
    """Account of the key."""
    label: str
    """Label of the key."""
    permissions: list[Literal["read", "trade", "operate", "withdraw", "transfer", "support", "markets", "treasury", "compliance", "audit"]]
    addresses: list[str]
    """IP allowlist; empty for any address."""
    created_at: str
    """Time when the key was created."""
    expires_at: str | None
    """Expiry; null for never."""
    revoked_at: str | None
    """Time when the key was revoked; null if it was not."""
    type: Literal["secret", "ed25519", "hmac"]
    """Type of the credential: a secret that is sent, or one that signs by Ed25519 or HMAC-SHA256."""
    public_key: str | None
    """Ed25519 public key that checks the signatures of requests, in base64; null if the key has a
    secret."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ApiKeyData:
    key: ApiKey


@dataclass(frozen=True, kw_only=True, slots=True)
class ApiKeyPage:
    keys: list[ApiKey]
    next_cursor: str | None
    """Send it as `cursor` to get the next page; null on the last page."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Approval:
    id: str
    """Request id."""
    status: Literal["pending", "approved", "rejected", "withdrawn", "expired"]
    """State of the request."""
    action: str
    """Name of the command that waits."""
    subject: str | None
    """Account, market or asset that it changes."""
    details: dict[str, Any]
    """Other fields of the command, with names of accounts, markets and assets and exact numbers."""
    current: dict[str, Any] | None
    """Present values of the fields that the command would change, like `details`; null if it
    replaces none, or has been decided."""
    accounts: list[AccountName]
    """The accounts whose ids `subject` and `details` contain."""
    account: str | None
    """Account of the operator; null for the exchange itself."""
    api_key: str | None
    """API key that was used; null for a session."""
    user: str | None
    """Email address of the signed-in user; null for an API key, and once the user is removed."""
    is_own: bool
    """Whether your account has made the request, so that you cannot approve it."""
    reason: str
    """Reason that was given."""
    requested_at: str
    """Time of the request."""
    expires_at: str
    """Time from which no one can approve it."""
    decision: ApprovalDecision | None
    """The decision; null while it is pending."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ApprovalData:
    approval: Approval


@dataclass(frozen=True, kw_only=True, slots=True)
class ApprovalDecision:
    account: str | None
    """Account of the operator; null for the exchange itself."""
    api_key: str | None
    """API key that was used; null for a session."""
    user: str | None
    """Email address of the signed-in user; null for an API key, and once the user is removed."""
    reason: str
    """Reason that was given."""
    timestamp: str
    """Time of the decision, or of the expiry."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ApprovalLimit:
    asset: str
    """Asset."""
    amount: Decimal
    """The largest credit or debit that needs no approval."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ApprovalPolicy:
    actions: list[Literal["adjustments", "withdrawals", "rules", "grants", "delisting", "tradeBusts", "policy"]]
    limits: list[ApprovalLimit]


@dataclass(frozen=True, kw_only=True, slots=True)
class ApprovalPolicyData:
    policy: ApprovalPolicy


@dataclass(frozen=True, kw_only=True, slots=True)
class Asset:
    asset: str
    """Asset symbol."""
    name: str
    """Display name."""
    decimals: int
    """Number of decimals."""


@dataclass(frozen=True, kw_only=True, slots=True)
class AssetData:
    asset: Asset


@dataclass(frozen=True, kw_only=True, slots=True)
class AssetGains:
    asset: str
    """Asset symbol."""
    amount: Decimal
    """Total balance, available and held."""
    average_cost: Decimal | None
    """cost / amount; null if there is none."""
    cost: Decimal
    """The cost of the amount."""
    price: Decimal | None
    """The last price; null if no market gives one."""
    value: Decimal | None
    """amount × price."""
    unrealized: Decimal | None
    """value - cost."""
    realized: Decimal
    """Gains less losses of everything that was sold, and income."""
    withdrawn_gain: Decimal
    """value - cost of everything that was withdrawn, at that time: neither realized nor unrealized."""
    has_unknown_cost: bool
    """Whether some of the amount had no price when it arrived: it counts as free."""


@dataclass(frozen=True, kw_only=True, slots=True)
class AssetLiabilities:
    asset: str
    """The asset."""
    decimals: int
    """Decimals of the asset's smallest unit, in which the amounts are."""
    tree_depth: int
    """Number of levels of its tree above the leaves."""
    tree: str
    """Hash of the tree's root. 64 hexadecimal digits."""
    total: str
    """Balances of all accounts together, available and held."""
    fees: str
    """Fees that the exchange has collected and holds."""
    external: str
    """The balance of everything outside: negative, what was deposited."""


@dataclass(frozen=True, kw_only=True, slots=True)
class AssetList:
    assets: list[Asset]


@dataclass(frozen=True, kw_only=True, slots=True)
class AssetTotals:
    asset: str
    """Asset symbol."""
    available: Decimal
    """Available balance over all accounts."""
    held: Decimal
    """Held balance over all accounts."""
    fees: Decimal
    """Fees collected by the exchange."""
    external: Decimal
    """External funds, as a liability: negative."""
    balances: bool
    """Whether the four amounts sum to zero, as they must."""
    liabilities: Decimal
    """Debts of the exchange: available and held balances of all accounts. Fees are its own."""
    holdings: Decimal | None
    """Coins at the custodian, on all networks; null if it has never reported any."""
    in_flight: Decimal
    """Withdrawals that the custodian has received and not confirmed."""
    holdings_reported_at: str | None
    """Time of the oldest of the newest reports of its networks; null without one."""
    unreported_networks: list[str]
    covered: bool | None
    """Whether holdings and withdrawals in flight are at least the liabilities."""


@dataclass(frozen=True, kw_only=True, slots=True)
class AttachedOrders:
    take_profit: OrderLeg | None
    """The take-profit leg."""
    stop_loss: OrderLeg | None
    """The stop-loss leg."""
    order: TriggeredOrder | None
    """The only attached order, if it is neither of them."""
    side: Literal["buy", "sell"] | None
    """Side of the attached orders; null for the side opposite to this order."""
    amount: Decimal | None
    """Amount of attached orders that are placed if this order is filled completely; null for those
    placed for its filled amount."""


@dataclass(frozen=True, kw_only=True, slots=True)
class AuditEntry:
    id: str
    """Entry id."""
    log_position: int
    """Position of the batch in the log."""
    index: int
    """Index in that batch, from 0."""
    timestamp: str
    """Time of the event."""
    account: str | None
    """Account that sent the command; null for the exchange itself."""
    api_key: str | None
    """API key that was used; null for a session."""
    user: str | None
    """Email address of the signed-in user; null for an API key, and if the log has the account
    only."""
    action: str
    """Command name."""
    subject: str | None
    """Account, market or asset that was changed."""
    outcome: Literal["done", "repeated", "rejected", "sent_for_approval"]
    """Outcome. `sent_for_approval` is a command that a second operator must approve; the next entry
    is the request."""
    rejection: int
    """Rejection code, 0 unless rejected."""
    details: dict[str, Any]
    """Other fields of the command, with names of accounts, markets and assets and exact numbers."""
    accounts: list[AccountName]
    """The accounts whose ids the other fields contain."""


@dataclass(frozen=True, kw_only=True, slots=True)
class AuditEntryPage:
    entries: list[AuditEntry]
    next_cursor: str | None
    """Send it as `cursor` to get the next page; null on the last page."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Balance:
    asset: str
    """Asset symbol."""
    total: Decimal
    """Total balance: exactly available + held."""
    available: Decimal
    """Balance available for orders and debits."""
    held: Decimal
    """Balance reserved for open orders."""


@dataclass(frozen=True, kw_only=True, slots=True)
class BalanceList:
    balances: list[Balance]


@dataclass(frozen=True, kw_only=True, slots=True)
class BustedTrade:
    id: str
    """Trade id."""
    symbol: str
    """Market symbol, BASE/QUOTE."""
    side: Literal["buy", "sell"]
    """Side of the taker."""
    price: Decimal
    """Price, which is the maker's."""
    amount: Decimal
    """Amount of the base asset."""
    maker: str
    """Account of the maker."""
    taker: str
    """Account of the taker."""
    timestamp: str
    """Time of the trade."""
    busted_at: str
    """Time of the bust."""


@dataclass(frozen=True, kw_only=True, slots=True)
class BustedTradeData:
    bust: BustedTrade


@dataclass(frozen=True, kw_only=True, slots=True)
class BustedTradeList:
    busts: list[BustedTrade]


@dataclass(frozen=True, kw_only=True, slots=True)
class Candle:
    timestamp: str
    """Start of the candle."""
    open: Decimal
    """Opening price."""
    high: Decimal
    """Highest price."""
    low: Decimal
    """Lowest price."""
    close: Decimal
    """Closing price."""
    volume: Decimal
    """Traded base asset."""
    quote_volume: Decimal
    """Traded quote asset."""
    trades: int
    """Number of trades."""
    taker_buy_volume: Decimal
    """The part of `volume` whose taker bought."""
    taker_buy_quote_volume: Decimal
    """The part of `quoteVolume` whose taker bought."""
    first_trade_id: str | None
    """Id of the first trade; null without trades."""
    last_trade_id: str | None
    """Id of the last trade; null without trades."""
    closed: bool
    """Whether its interval has ended."""


@dataclass(frozen=True, kw_only=True, slots=True)
class CandleList:
    candles: list[Candle]


@dataclass(frozen=True, kw_only=True, slots=True)
class ChangeMakersMove:
    """A steady move of the fair price by a fraction of it, such as -0.2, within a time."""

    change: Number
    duration_ms: int


@dataclass(frozen=True, kw_only=True, slots=True)
class ChangeMarketData:
    market: Market
    affected: int | None = None
    """Number of open orders affected. Only for previews and for delisting."""
    orders: list[OperatorOrder] | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class CreateAccountData:
    account: Account
    created: bool
    """False if it already existed."""


@dataclass(frozen=True, kw_only=True, slots=True)
class CreateCheckpointData:
    name: str
    """The name of the checkpoint."""
    position: int
    """Sequence of the last batch of the log."""
    timestamp: str
    """The exchange's time."""


@dataclass(frozen=True, kw_only=True, slots=True)
class CreateKeyData:
    key: ApiKey
    api_secret: str | None
    """The secret. The exchange keeps only its hash, or of an HMAC key the encrypted secret. Null if
    the key has a public key."""


@dataclass(frozen=True, kw_only=True, slots=True)
class CreateSubAccountData:
    account: GroupAccount
    created: bool
    """False if a sub-account had the name."""


@dataclass(frozen=True, kw_only=True, slots=True)
class CreateTransferData:
    transfer: Transfer
    created: bool
    """False if the reference already existed."""
    available: Decimal
    """The available balance afterwards."""


@dataclass(frozen=True, kw_only=True, slots=True)
class CreateWebhookData:
    webhook: Webhook
    secret: str
    """The secret that signs the requests, as libraries of Standard Webhooks expect it."""


@dataclass(frozen=True, kw_only=True, slots=True)
class DashboardFees:
    asset: str
    """Asset."""
    amount: Decimal
    """Change of the fee account since `feesSince`: fees less rebates and referral shares."""
    hours: list[Decimal]


@dataclass(frozen=True, kw_only=True, slots=True)
class DashboardMarket:
    symbol: str
    """Market symbol, BASE/QUOTE."""
    status: Literal["online", "post_only", "limit_only", "cancel_only", "halted", "delisted", "auction"]
    """Market status."""
    base: str
    """Base asset."""
    quote: str
    """Quote asset."""
    last: Decimal
    """Price of the last trade, or the reference price before the first."""
    percentage: Decimal
    """Change of the price in 24 hours, percent."""
    bid: Decimal | None
    """Best bid."""
    ask: Decimal | None
    """Best ask."""
    spread_basis_points: Decimal | None
    """Spread, hundredths of a percent of the middle."""
    bid_depth: Decimal | None
    """Amount of bids within 0.5 % of the middle, in the base asset."""
    ask_depth: Decimal | None
    """Amount of asks within 0.5 % of the middle, in the base asset."""
    two_sided_percent: Decimal | None
    """Share of samples with bids and asks while trading, in the last 24 hours or since the node
    started."""
    volume: Decimal
    """Volume of the last 24 hours in the quote asset."""
    trades: int
    """Trades of the last 24 hours."""


@dataclass(frozen=True, kw_only=True, slots=True)
class DashboardNode:
    name: str
    """Name of the node that answers."""
    node: str
    """State of this node: `ready`, `overloaded`, `unreachable` or `disk_full`."""
    log_position: int
    """The last batch of the log that this node has applied."""
    waiting_commands: int
    """Commands that wait for the log."""
    archivist_lag_ms: int
    """Lag of the archivist, milliseconds."""
    open_orders: int
    """Open orders of all accounts."""
    is_trading: bool
    """Whether any market accepts orders."""


@dataclass(frozen=True, kw_only=True, slots=True)
class DashboardQueues:
    deposits_to_review: int
    """Deposits that wait for a decision."""
    withdrawals_to_approve: int
    """Withdrawals that wait for approval."""
    instructions: int
    """Instructions that the custodian has not confirmed."""
    approvals: int
    """Requests that wait for a second operator."""
    alerts: int
    """Open alerts of surveillance, at most 100."""


@dataclass(frozen=True, kw_only=True, slots=True)
class DashboardSeries:
    every_ms: int
    """Interval of the samples, milliseconds."""
    orders_per_second: list[Decimal]
    order_median_ms: list[Decimal | None]
    order_p99_ms: list[Decimal | None]
    other_median_ms: list[Decimal | None]
    other_p99_ms: list[Decimal | None]
    archivist_lag_ms: list[Decimal]


@dataclass(frozen=True, kw_only=True, slots=True)
class DashboardUsers:
    registered: int
    """Users."""
    created: int
    """Users who were created in the last 24 hours."""
    created_by_day: list[int]
    """The last 30 days, today last."""
    active: int
    """Users whose sessions were used in the last 24 hours."""


@dataclass(frozen=True, kw_only=True, slots=True)
class DashboardVolume:
    asset: str
    """Quote asset."""
    volume: Decimal
    """Volume of the last 24 hours in markets of this quote asset."""
    hours: list[Decimal]


@dataclass(frozen=True, kw_only=True, slots=True)
class Deadline:
    symbol: str | None
    """Market; null for all markets."""
    cancel_at: str
    """Time when the orders are canceled."""


@dataclass(frozen=True, kw_only=True, slots=True)
class DeadlineList:
    armed: list[Deadline]


@dataclass(frozen=True, kw_only=True, slots=True)
class Delivery:
    event_id: str
    """The `webhook-id` of the request: the same for every attempt at an event."""
    event: str
    """Name of the event."""
    timestamp: str
    """Time of the attempt."""
    attempt: int
    """Number of the attempt, from 1."""
    accepted: bool
    """Whether the receiver responded with a status of 200 to 299."""
    status: int | None
    """HTTP status; null if there was no response."""
    error: str | None
    """The reason why it failed; null if it was accepted."""
    duration_ms: int
    """Duration of the attempt."""


@dataclass(frozen=True, kw_only=True, slots=True)
class DeliveryData:
    delivery: Delivery


@dataclass(frozen=True, kw_only=True, slots=True)
class DeliveryList:
    deliveries: list[Delivery]


@dataclass(frozen=True, kw_only=True, slots=True)
class Deposit:
    id: str
    """Deposit id."""
    account: str | None
    """Account id."""
    asset: str
    """Asset symbol."""
    network: str
    """Name of the network."""
    address: str
    """Address on the network."""
    memo: str | None
    """Memo or tag that belongs to the address; null for none."""
    transaction: str
    """Transaction id."""
    index: int
    """Place of the payment in its transaction."""
    amount: Decimal
    """Amount of the payment."""
    held: Decimal
    """The held part of a deposit that was reorganized after its credit."""
    status: Literal["seen", "confirming", "credited", "reversed", "below_minimum", "review", "frozen", "debited", "released", "dismissed"]
    """Status: see docs/trading/deposits-and-withdrawals.md."""
    confirmations: int
    """Confirmations so far."""
    required_confirmations: int
    """Confirmations at which it is credited."""
    created_at: str
    """Time of the first report."""
    updated_at: str
    """Time of the last change."""
    credited_at: str | None
    """Time of the credit; null if it was not credited."""


@dataclass(frozen=True, kw_only=True, slots=True)
class DepositAddress:
    asset: str
    """Asset symbol."""
    network: str
    """Name of the network."""
    address: str
    """Address on the network."""
    memo: str | None
    """Memo or tag that belongs to the address; null for none."""
    created_at: str
    """Time when the custodian gave the address."""


@dataclass(frozen=True, kw_only=True, slots=True)
class DepositAddressList:
    addresses: list[DepositAddress]


@dataclass(frozen=True, kw_only=True, slots=True)
class DepositData:
    deposit: Deposit


@dataclass(frozen=True, kw_only=True, slots=True)
class DepositList:
    deposits: list[Deposit]


@dataclass(frozen=True, kw_only=True, slots=True)
class DepositPage:
    deposits: list[Deposit]
    next_cursor: str | None
    """Send it as `cursor` to get the next page; null on the last page."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Detection:
    detectors: list[DetectorStatus]
    """All detectors."""
    from_: str | None
    """Time of the first command that this node has read since it started; null for none."""
    to: str | None
    """Time of the last command that it has read; null for none."""
    log_position: int
    """The last batch that it has read."""
    orders: int
    """Changes of orders that it has read."""
    trades: int
    """Trades that it has read."""


@dataclass(frozen=True, kw_only=True, slots=True)
class DetectorStatus:
    detector: Literal["wash_trading", "spoofing", "quote_stuffing", "marking_the_close", "pump"]
    """The detector."""
    severity: Literal["low", "medium", "high"]
    """Severity of its alerts."""
    is_running: bool
    """False if it failed and is off."""
    window_ms: int | None
    """Length of its windows, in milliseconds; null if it is off."""
    evaluated_to: str | None
    """End of the last window that it has evaluated; null before the first, or if it is off."""
    next_at: str | None
    """End of the present window, which the first command after it evaluates."""
    alerts: int
    """Alerts since this node started."""
    parameters: dict[str, Any]
    """The thresholds from which it reports a pattern; docs/operating/surveillance.md explains them."""


@dataclass(frozen=True, kw_only=True, slots=True)
class EndpointLimit:
    method: str
    """HTTP method."""
    path: str
    """Path as in the OpenAPI document."""
    limit: int | None
    """Maximum requests per minute; null if limits are off."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ErrorObject:
    code: ErrorCode
    """Error code, for programs."""
    message: str
    """Explanation and advice, for users."""
    details: dict[str, Any]
    """Details of the error, often `field`, `rule` and the `nearest` valid value."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ErrorResponse:
    success: Literal[False]
    error: ErrorObject


@dataclass(frozen=True, kw_only=True, slots=True)
class FailedDetector:
    detector: Literal["wash_trading", "spoofing", "quote_stuffing", "marking_the_close", "pump"]
    """The detector that is off."""
    log_position: int
    """The batch at which it failed."""
    error: str
    """Message of its error."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Fee:
    symbol: str
    """Market symbol, BASE/QUOTE."""
    maker_fee: Decimal
    """Maker fee rate, charged on the received asset: 0.001 is 0.1 %. A negative rate is a rebate on
    what the taker receives."""
    taker_fee: Decimal
    """Taker fee rate, charged on the received asset."""


@dataclass(frozen=True, kw_only=True, slots=True)
class FeeDiscount:
    asset: str
    """The asset that an account must own."""
    min_balance: Decimal
    """Minimum that an account must own of it, available and held."""
    rate: Decimal
    """Part of the fee rates that is waived: 0.25 is a quarter."""


@dataclass(frozen=True, kw_only=True, slots=True)
class FeeTier:
    tier: int
    """Tier number; tier 0 pays the rates of the market."""
    min_volume: Decimal
    """Minimum 30-day volume of the tier."""
    maker_fee: Decimal
    """Maker fee rate, charged on the received asset: 0.001 is 0.1 %. A negative rate is a rebate on
    what the taker receives."""
    taker_fee: Decimal
    """Taker fee rate, charged on the received asset."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Fill:
    id: str
    """Trade id."""
    order_id: str
    """Id of your order."""
    symbol: str
    """Market symbol, BASE/QUOTE."""
    side: Literal["buy", "sell"]
    """Side of your order."""
    price: Decimal
    """Price, which is the maker's."""
    amount: Decimal
    """Amount of the base asset."""
    cost: Decimal
    """Value in the quote asset, price × amount."""
    fee: OrderFee
    liquidity: Literal["maker", "taker"]
    """Whether your order was the maker or the taker."""
    timestamp: str
    """Time of the event."""
    busted_at: str | None = None
    """Only of a busted trade: when operators reversed it."""


@dataclass(frozen=True, kw_only=True, slots=True)
class FillPage:
    fills: list[Fill]
    next_cursor: str | None
    """Send it as `cursor` to get the next page; null on the last page."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Flow:
    timestamp: str
    """Time of the event."""
    asset: str
    """Asset symbol."""
    type: Literal["trade", "fee", "hold", "release", "transfer", "deposit", "withdrawal", "withdrawal_fee", "custody_hold", "custody_release", "internal_transfer", "trade_bust", "trade_bust_fee", "rebate", "referral", "opening_balance"]
    """Type of the ledger entry."""
    amount: Decimal
    """Negative if it left the account."""
    value: Decimal | None
    """Its value at that time; null if there was no price."""


@dataclass(frozen=True, kw_only=True, slots=True)
class GainsPoint:
    timestamp: str
    """Start of the interval. The point shows its end; that of the last interval shows now."""
    value: Decimal
    """Value of everything in the account, at the price of that time."""
    cost: Decimal
    """The cost of everything in the account."""
    realized: Decimal
    """Gains less losses of everything that was sold, and income."""
    unrealized: Decimal
    """value - cost."""
    withdrawn_gain: Decimal
    """value - cost of everything that was withdrawn, at that time: neither realized nor unrealized."""
    net_deposits: Decimal
    """Deposits less withdrawals, at their value at that time."""
    return_index: Decimal
    """Time-weighted return since the first deposit as a factor: 1.05 is +5 %. The return between
    two points is the quotient of their factors less 1."""


@dataclass(frozen=True, kw_only=True, slots=True)
class GainsYear:
    year: int
    """Calendar year (UTC)."""
    disposals: int
    """Number of disposals and of amounts of income."""
    proceeds: Decimal
    """Proceeds after fees."""
    cost: Decimal
    """Cost of what was disposed of."""
    gains: Decimal
    """Sum of the positive gains."""
    losses: Decimal
    """Sum of the negative gains."""
    income: Decimal
    """The part of the gains that was earned without giving anything."""
    has_unknown_cost: bool
    """Whether some of the cost or the proceeds is unknown."""


@dataclass(frozen=True, kw_only=True, slots=True)
class GetAccountTimelineData:
    accounts: list[str]
    """The main account of the user, then their sub-accounts."""
    names: list[AccountName]
    entries: list[UserTimelineEntry]
    next_cursor: str | None
    """Send it as `cursor` to get the next page; null on the last page."""


@dataclass(frozen=True, kw_only=True, slots=True)
class GetAlertActivityData:
    fills: list[AlertFill]
    orders: list[OperatorOrder]
    are_fills_complete: bool
    """Whether `fills` has everything."""
    are_orders_complete: bool
    """Whether `orders` has everything."""


@dataclass(frozen=True, kw_only=True, slots=True)
class GetClockData:
    timestamp: str
    """This node's time."""
    wall_clock: str
    """The time of the machine's clock."""
    offset_ms: int
    """How far the wall clock is ahead of this node, milliseconds."""
    is_off: bool
    """Whether the wall clock has jumped without being confirmed."""


@dataclass(frozen=True, kw_only=True, slots=True)
class GetCurrentKeyData:
    key: OwnKey
    account_id: str
    """The trading account of the key."""
    limit_class: int
    """Rate-limit multiplier of the account, included in the limits."""
    limits: list[EndpointLimit]
    """Rate limits of the endpoints that the key may call, shared by all keys of the account."""


@dataclass(frozen=True, kw_only=True, slots=True)
class GetCustodianData:
    host: str | None
    """Host that instructions are sent to; null if none is set."""
    exchange_key: str
    """Ed25519 public key with which the custodian checks requests of the exchange, base64 of 32
    bytes."""
    exchange_key_number: int
    """Number of that key, from 1 (`--signing-key`)."""
    next_exchange_key: str
    """Ed25519 public key with the next number: the custodian accepts it too before the exchange
    signs with it."""
    custodian_key: str | None
    """Ed25519 public key of the custodian; null before it is set."""
    key_number: int
    """Number of that key, from 1; 0 before it is set."""
    waiting: int
    """Instructions that the custodian has not accepted."""
    oldest_ms: int
    """Age of the oldest of them, milliseconds."""
    failures: int
    """Failed attempts in a row."""
    last_attempt: str | None
    """Time of the last attempt by the wall clock; null before the first."""
    error: str | None
    """Why the last attempt failed; null if it was accepted."""


@dataclass(frozen=True, kw_only=True, slots=True)
class GetDashboardData:
    timestamp: str
    """Time of the exchange."""
    started_at: str
    """Time from which this node has sampled."""
    fees_since: str
    """Time from which fees are counted: 24 hours ago; later only while the log before the start of
    this node is not read, or if it is not in files."""
    node: DashboardNode
    series: DashboardSeries
    markets: list[DashboardMarket]
    volumes: list[DashboardVolume]
    fees: list[DashboardFees]
    users: DashboardUsers
    queues: DashboardQueues


@dataclass(frozen=True, kw_only=True, slots=True)
class GetFeeProgramsData:
    discount: FeeDiscount | None
    """The discount of accounts that own an asset; null if there is none."""
    referral_share: Decimal
    """Share of its fees that the referrer of an account receives."""


@dataclass(frozen=True, kw_only=True, slots=True)
class GetFeeScheduleData:
    fees: list[Fee]
    tiers: list[FeeTier]
    volume_asset: str | None
    """The asset in which volume is counted; null if it is not counted."""
    volume_days: int
    """UTC days of the volume, including today."""
    discount: FeeDiscount | None
    """The discount of accounts that own an asset; null if there is none."""


@dataclass(frozen=True, kw_only=True, slots=True)
class GetFeeTiersData:
    tiers: list[FeeTier]
    volume_asset: str | None
    """The asset in which volume is counted; null if it is not counted."""


@dataclass(frozen=True, kw_only=True, slots=True)
class GetFeesData:
    fees: list[Fee]
    tier: int
    """The tier of the account. Tier 0 has the rates of the market."""
    is_tier_fixed: bool
    """Whether an operator has set the tier, whatever the volume."""
    tiers: list[FeeTier]
    volume_asset: str | None
    """The asset in which volume is counted; null if it is not counted."""
    volume_days: int
    """UTC days of the volume, including today."""
    discount: FeeDiscount | None
    """The discount of accounts that own an asset; null if there is none."""
    volume: Decimal | None
    """Volume over `volumeDays`; null if it is not counted."""
    has_discount: bool
    """Whether the account owns enough for it. Markets of the asset itself have no discount."""


@dataclass(frozen=True, kw_only=True, slots=True)
class GetInclusionData:
    proof: LiabilityProof
    account: str
    """The account."""
    balances: list[IncludedBalance]
    """Balances above zero."""


@dataclass(frozen=True, kw_only=True, slots=True)
class GetLevel3Data:
    symbol: str
    """Market symbol, BASE/QUOTE."""
    bids: list[tuple[str, Decimal, Decimal]]
    """Highest price first."""
    asks: list[tuple[str, Decimal, Decimal]]
    """Lowest price first."""
    sequence: int
    """The `sequence` of the order book."""
    checksum: int
    """CRC-32 of `id:price:amount` of the best ten bids and then the best ten asks, joined by `|`,
    with the numbers as they are here."""
    updated_at: str | None
    """Time of the last change of the book; null if none is known."""
    timestamp: str
    """When the response was created."""


@dataclass(frozen=True, kw_only=True, slots=True)
class GetLimitsData:
    limits: TradingLimits
    used: UsedLimits
    withdrawals: list[WithdrawalLimit]


@dataclass(frozen=True, kw_only=True, slots=True)
class GetLogHeadData:
    position: int
    """The last batch of the log."""
    log_hash: str
    """Chain hash of the log at that position. 64 hexadecimal digits."""
    timestamp: str
    """Time of that batch."""


@dataclass(frozen=True, kw_only=True, slots=True)
class GetMakersData:
    makers: list[GetMakersDataMaker]


@dataclass(frozen=True, kw_only=True, slots=True)
class GetMakersDataMaker:
    symbol: str
    """Market symbol, BASE/QUOTE."""
    running: bool
    """Whether they quote and trade."""
    spread: Decimal
    """Multiplier of the distance between the best quotes."""
    depth: Decimal
    """Multiplier of the quoted amounts."""
    volatility: Decimal
    """Multiplier of the moves of the fair price."""
    flow: Decimal
    """Multiplier of the amounts that their taker trades."""
    bias: Decimal
    """Sides of the taker: -1 only sells, 0 as its inventory wants, 1 only buys."""


@dataclass(frozen=True, kw_only=True, slots=True)
class GetOrderTimelineData:
    order: Order
    events: list[TimelineEvent]
    """Oldest first."""
    points: list[QueuePoint]
    """What was ahead of the order while it rested: a point for each change, or for some of them.
    Oldest first."""
    why_not_filled: WhyNotFilled | None
    """Why an open order has not filled, as of the present; null for one that has ended."""
    complete: bool
    """Whether the timeline goes up to the end of the order, or to the present. It ends early after
    1,000 events and after 1,000,000 commands."""
    position: int
    """Position of the log up to which the timeline goes."""
    timestamp: str
    """The time of that position."""


@dataclass(frozen=True, kw_only=True, slots=True)
class GetOrderbookData:
    symbol: str
    """Market symbol, BASE/QUOTE."""
    bids: list[tuple[Decimal, Decimal]]
    """Highest price first."""
    asks: list[tuple[Decimal, Decimal]]
    """Lowest price first."""
    sequence: int
    """Increases by one with every command that changes the book."""
    updated_at: str | None
    """Time of the last change of the book; null if none is known."""
    timestamp: str
    """When the response was created."""


@dataclass(frozen=True, kw_only=True, slots=True)
class GetRecordingsData:
    recordings: list[GetRecordingsDataRecording]


@dataclass(frozen=True, kw_only=True, slots=True)
class GetRecordingsDataRecording:
    symbol: str
    """Market symbol, BASE/QUOTE."""
    format: Literal["trades", "l2", "l3", "bitstamp", "aggTrades", "klines"]
    """The format of its files."""
    rows: int
    """Rows of its files."""
    starts_at: str
    """Time of the first row."""
    ends_at: str
    """Time of the last row; the end of the last kline."""
    played: int
    """Events played since the node started; a kline has up to four."""
    skipped: int
    """Events before the time at which the node started."""
    rejected: int
    """Orders of the recording that the exchange rejected."""
    ended: bool
    """Whether all was played. Its makers have then stopped."""


@dataclass(frozen=True, kw_only=True, slots=True)
class GetReferralsData:
    share: Decimal
    """Share of the fees that referrers receive."""
    is_referred: bool
    """Whether another account has referred this account."""
    accounts: int
    """Number of accounts that this account referred."""
    entries: list[LedgerEntry]
    next_cursor: str | None
    """Send it as `cursor` to get the next page; null on the last page."""


@dataclass(frozen=True, kw_only=True, slots=True)
class GetRolesData:
    roles: list[Role]
    operators: list[RoleAssignment]


@dataclass(frozen=True, kw_only=True, slots=True)
class GetSandboxClockData:
    mode: Literal["real", "frozen", "stepped", "scaled"]
    """How the time moves."""
    speed: Decimal
    """Time of the exchange per real time: 1 if real, 0 if frozen or stepped."""
    step_ms: int
    """Time before each request if stepped, else 0; milliseconds."""
    timestamp: str
    """The exchange's time."""
    next_event_at: str | None
    """When something happens by itself next: an expiry, a deadline, an update of the market makers."""


@dataclass(frozen=True, kw_only=True, slots=True)
class GetStateData:
    engine_version: int
    """Engine version in force, the same on every node."""
    newest_engine_version: int
    """Newest version that the responding node supports."""
    timestamp: str
    """Time of the response."""
    log_position: int
    """The last batch of the log that is included."""
    state_hash: str
    """SHA-256 of the complete state."""
    archivist_lag_ms: int
    """Lag of the archivist, milliseconds."""
    open_orders: int
    """Open orders of all accounts."""
    archive: LogArchive | None
    """The archive of the log; null if there is none."""
    assets: list[AssetTotals]


@dataclass(frozen=True, kw_only=True, slots=True)
class GetStatusData:
    status: Literal["ok", "overloaded", "stale"]
    """The status of the node that responds."""
    version: str
    """The release of the node that responds."""
    trading: GetStatusDataTrading
    maintenance: list[GetStatusDataMaintenance]
    """Announced maintenance and the current one, in order of time."""
    announcements: list[GetStatusDataAnnouncement]
    """Announcements of the operators that stand, the newest first."""


@dataclass(frozen=True, kw_only=True, slots=True)
class GetStatusDataAnnouncement:
    id: str
    """Id of the announcement."""
    severity: Literal["info", "warning"]
    """`warning` for what clients must know before they trade."""
    title: str
    """The announcement in a line."""
    text: str
    """More about it; may be empty."""
    timestamp: str
    """When it was made."""
    until: str | None
    """When it is removed; null until operators withdraw it."""


@dataclass(frozen=True, kw_only=True, slots=True)
class GetStatusDataMaintenance:
    from_: str
    """When it starts."""
    to: str
    """When it ends."""
    mode: Literal["cancel_only", "halted"]
    """The status of all markets in the meantime."""
    message: str
    """What the operator announced."""
    active: bool
    """Whether it is in progress."""


@dataclass(frozen=True, kw_only=True, slots=True)
class GetStatusDataTrading:
    status: Literal["trading", "cancel_only", "halted"]
    """The status of all markets together. Except while `trading`, new orders are rejected
    everywhere, and open ones can be canceled."""
    kill_switch: Literal["trading", "cancel_only", "halted"]
    """What operators set by the kill switch; maintenance may restrict trading although it is
    `trading`."""
    reason: str | None
    """Why trading is restricted, or the reason of the last change."""
    since: str | None
    """When an operator last changed it."""


@dataclass(frozen=True, kw_only=True, slots=True)
class GetStatusHistoryData:
    timestamp: str
    """The current time."""
    started_at: str
    """Since when the node that responds serves."""
    recorded_since: str
    """Since when the exchange exists: earlier days have no data."""
    archivist_lag_ms: int
    """How far the history lags behind, milliseconds."""
    days: list[GetStatusHistoryDataDay]
    """The last 90 days, today last."""
    incidents: list[GetStatusHistoryDataIncident]
    """At most 100, the newest first."""
    response_times: GetStatusHistoryDataResponseTimes


@dataclass(frozen=True, kw_only=True, slots=True)
class GetStatusHistoryDataDay:
    date: str
    """UTC day."""
    restricted_seconds: int
    """For how long all markets were restricted."""
    any_restricted_seconds: int
    """For how long any market was restricted."""
    deposits_suspended_seconds: int
    """For how long operators had suspended deposits of any network."""
    withdrawals_suspended_seconds: int
    """The same of withdrawals."""


@dataclass(frozen=True, kw_only=True, slots=True)
class GetStatusHistoryDataIncident:
    cause: Literal["halt", "maintenance", "market"]
    """`halt` of all markets, `maintenance`, or the status of one `market`."""
    symbol: str | None
    """The market; null for all."""
    status: Literal["cancel_only", "halted"]
    """The status in the meantime."""
    reason: str | None
    """What the operators announced."""
    from_: str
    """When it started."""
    to: str | None
    """When it ended; null while it lasts."""


@dataclass(frozen=True, kw_only=True, slots=True)
class GetStatusHistoryDataResponseTimes:
    every_ms: int
    """Interval of the samples, milliseconds."""
    median_ms: list[Decimal]
    """Median of the five minutes up to each of the last ten minutes’ samples, the oldest first."""
    p99_ms: list[Decimal]
    """The 99th percentile."""


@dataclass(frozen=True, kw_only=True, slots=True)
class GetSurveillanceAlertData:
    alert: SurveillanceAlert
    reviews: list[AlertReview]


@dataclass(frozen=True, kw_only=True, slots=True)
class GetTimeData:
    timestamp: str
    """The current time."""


@dataclass(frozen=True, kw_only=True, slots=True)
class GroupAccount:
    account_id: str
    """Account id."""
    name: str | None
    """Name of the sub-account; null for the main account."""
    is_main: bool
    """Whether it is the main account."""
    frozen: bool
    """Whether it is frozen and cannot trade."""
    closed: bool
    """Whether it is a sub-account that its owner has closed."""
    open_orders: int
    """Number of open orders."""
    created_at: str
    """Time when the account was created."""
    balances: list[Balance]


@dataclass(frozen=True, kw_only=True, slots=True)
class GroupAccountData:
    account: GroupAccount


@dataclass(frozen=True, kw_only=True, slots=True)
class GroupAccountList:
    accounts: list[GroupAccount]


@dataclass(frozen=True, kw_only=True, slots=True)
class IncludedBalance:
    asset: str
    """The asset."""
    amount: str
    """Your balance, available and held, in the smallest unit."""
    nonce: str
    """The secret number that hides your leaf from others. 64 hexadecimal digits."""
    index: int
    """Place of your leaf, from 0."""
    path: list[ProofNode]
    """The sibling of each node on the way to the root, lowest first."""


@dataclass(frozen=True, kw_only=True, slots=True)
class InternalTransfer:
    id: str
    """Transfer id."""
    from_: str
    """Account that sent it."""
    to: str
    """Account that received it."""
    asset: str
    """Asset symbol."""
    amount: Decimal
    """Amount."""
    client_id: str | None
    """The sender's id of the transfer; null for none, and after 25 hours."""
    timestamp: str
    """Time of the transfer."""


@dataclass(frozen=True, kw_only=True, slots=True)
class InternalTransferPage:
    transfers: list[InternalTransfer]
    next_cursor: str | None
    """Send it as `cursor` to get the next page; null on the last page."""


@dataclass(frozen=True, kw_only=True, slots=True)
class InviteUserData:
    email: str
    """Email address of the user."""
    link: str
    """The page where the user chooses a password."""


@dataclass(frozen=True, kw_only=True, slots=True)
class LedgerEntry:
    id: str
    """Entry id."""
    asset: str
    """Asset symbol."""
    type: Literal["trade", "fee", "hold", "release", "transfer", "deposit", "withdrawal", "withdrawal_fee", "custody_hold", "custody_release", "internal_transfer", "trade_bust", "trade_bust_fee", "rebate", "referral"]
    """Reason of the change of the available balance."""
    amount: Decimal
    """Change of the available balance; negative if it decreased."""
    before: Decimal
    """Available balance before."""
    after: Decimal
    """Available balance after, exactly before + amount."""
    reference: str
    """Id of the order (hold, release) or trade (trade, fee, rebate, referral, trade_bust,
    trade_bust_fee), or reference of the transfer."""
    timestamp: str
    """Time of the event."""


@dataclass(frozen=True, kw_only=True, slots=True)
class LedgerEntryPage:
    entries: list[LedgerEntry]
    next_cursor: str | None
    """Send it as `cursor` to get the next page; null on the last page."""


@dataclass(frozen=True, kw_only=True, slots=True)
class LiabilityProof:
    id: str
    """Id of the proof."""
    position: int
    """The last batch of the log that it includes."""
    timestamp: str
    """Time of that batch."""
    log_hash: str
    """Chain hash of the log at that position. 64 hexadecimal digits."""
    root: str
    """SHA-256 of everything above and of all assets. 64 hexadecimal digits."""
    assets: list[AssetLiabilities]
    """Every asset of the exchange."""


@dataclass(frozen=True, kw_only=True, slots=True)
class LiabilityProofList:
    proofs: list[LiabilityProof]


@dataclass(frozen=True, kw_only=True, slots=True)
class ListAccountsData:
    accounts: list[Account]
    owners: list[AccountOwner]
    balances: list[AccountTotals]


@dataclass(frozen=True, kw_only=True, slots=True)
class ListApprovalsData:
    pending: list[Approval]
    closed: list[Approval]


@dataclass(frozen=True, kw_only=True, slots=True)
class ListCheckpointsData:
    checkpoints: list[CreateCheckpointData]


@dataclass(frozen=True, kw_only=True, slots=True)
class ListFaultsData:
    scripts: list[ListFaultsDataScript]
    injected: list[ListFaultsDataInjected]
    happened: int
    """Number of faults that have happened."""
    dropped: int
    """Number of them that are no longer listed."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ListFaultsDataInjected:
    number: int
    """Number of the fault, from 1."""
    script_id: str
    """Id of the script."""
    fault: int
    """Place of the fault in its script, from 0."""
    kind: Literal["answer_lost_after_commit", "answer_lost_before_commit", "delay", "status", "stream_gap", "stream_duplicate", "stream_reorder", "stream_disconnect", "stale_read", "slow_fill", "reject_all", "market_halt", "clock_skew", "maintenance"]
    """The kind of the fault."""
    request_id: str | None
    """The X-Request-Id of the response, whether or not it was sent, or the id of an operation."""
    position: int
    """Log position after the request."""
    timestamp: str
    """When it happened, by the exchange's clock."""
    api_key: str | None
    """The API key."""
    account: str | None
    """The account."""
    endpoint: str
    """Endpoint, operation, channel or market."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ListFaultsDataScript:
    id: str
    """Id of the script."""
    api_key: str | None
    """The API key that it is for."""
    account: str | None
    """The account that it is for."""
    seed: int
    """Seed of its draws."""
    faults: list[ListFaultsDataScriptFault]


@dataclass(frozen=True, kw_only=True, slots=True)
class ListFaultsDataScriptFault:
    kind: Literal["answer_lost_after_commit", "answer_lost_before_commit", "delay", "status", "stream_gap", "stream_duplicate", "stream_reorder", "stream_disconnect", "stale_read", "slow_fill", "reject_all", "market_halt", "clock_skew", "maintenance"]
    """The kind of the fault."""
    probability: Decimal
    """The probability at each occasion, from 0 to 1."""
    count: int | None
    """Maximum number of times."""
    schedule: ListFaultsDataScriptFaultSchedule
    endpoints: list[str] | None
    ms: int | None
    """Milliseconds."""
    jitter: int | None
    """Maximum random addition, milliseconds."""
    before: bool
    """Whether a delay is on the way to the exchange."""
    status: int | None
    """HTTP status."""
    symbol: str | None
    """Market."""
    injected: int
    """Number of times that it has happened."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ListFaultsDataScriptFaultSchedule:
    from_: str
    """When it begins to happen."""
    until: str | None
    """When it ends."""
    every_ms: int | None
    """Length of a period."""
    for_ms: int | None
    """The part of each period in which it happens."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ListNoticesData:
    notices: list[Notice]
    unread: int
    """Number of notices that are not marked as read."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ListSurveillanceAlertsData:
    alerts: list[SurveillanceAlert]
    failed_detectors: list[FailedDetector]
    detection: Detection
    next_cursor: str | None
    """Send it as `cursor` to get the next page; null on the last page."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ListWithdrawalsToApproveData:
    withdrawals: list[Withdrawal]
    required_approvals: int
    """Number of operators who must approve each of them."""


@dataclass(frozen=True, kw_only=True, slots=True)
class LogArchive:
    url: str
    """The archive, without credentials."""
    position: int
    """The newest batch of the log that is there; 0 before the first."""
    timestamp: str | None
    """Time of that batch."""
    segments: int
    """Segments of the log that are there."""
    stored_bytes: int
    """Size of their objects."""
    waiting_bytes: int
    """Size of the segments that are due to move there."""
    error: str | None
    """The last failure; null after a success."""


@dataclass(frozen=True, kw_only=True, slots=True)
class MarkNoticesReadData:
    unread: int
    """Number of notices that are not marked as read."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Market:
    symbol: str
    """Market symbol, BASE/QUOTE."""
    base: str
    """Base asset, which is bought and sold."""
    quote: str
    """Quote asset, which prices are in."""
    status: Literal["online", "post_only", "limit_only", "cancel_only", "halted", "delisted", "auction"]
    """Market status, which decides which orders are accepted."""
    active: bool
    """Whether the market accepts orders that may trade at once."""
    tick_size: Decimal
    """Tick size: prices must be a multiple of it."""
    step_size: Decimal
    """Lot size: amounts must be a multiple of it."""
    min_amount: Decimal
    """Minimum amount of an order."""
    max_amount: Decimal
    """Maximum amount of an order."""
    min_price: Decimal
    """Minimum price of a limit order."""
    max_price: Decimal
    """Maximum price of a limit order."""
    min_notional: Decimal
    """Minimum value of an order, in the quote asset."""
    maker_fee: Decimal
    """Maker fee rate, charged on the received asset: 0.001 is 0.1 %. A negative rate is a rebate on
    what the taker receives."""
    taker_fee: Decimal
    """Taker fee rate, charged on the received asset."""
    collar: Decimal | None
    """Maximum distance of a market order from the last price, as a fraction of it; null if
    unlimited."""
    static_band: Decimal | None
    """Maximum distance of a trade from the static reference price, as a fraction of it; null
    without a static band."""
    dynamic_band: Decimal | None
    """Maximum distance of a trade from the last price, as a fraction of it; null without a dynamic
    band."""
    auction_ms: Decimal | None
    """Length of the call phase of an auction in milliseconds; null if only an operator ends it."""
    auction: MarketAuction | None
    """The auction that a market is in."""
    order_types: list[Literal["limit", "market", "stop", "stop_limit", "take_profit", "take_profit_limit", "trailing_stop"]]
    """Order types that the market accepts now."""
    time_in_force: list[Literal["GTC", "IOC", "FOK", "GTD"]]
    listed_at: str
    """Time when the market was listed."""
    last: Decimal
    """Price of the last trade; the reference price before the first trade."""
    high: Decimal | None
    """Highest price of the last 24 h; null without trades."""
    low: Decimal | None
    """Lowest price of the last 24 h; null without trades."""
    change: Decimal
    """Price change over the last 24 h."""
    percentage: Decimal
    """Price change over the last 24 h in percent, rounded to four decimals."""
    base_volume: Decimal
    """Traded base asset of the last 24 h."""
    quote_volume: Decimal
    """Traded quote asset of the last 24 h."""


@dataclass(frozen=True, kw_only=True, slots=True)
class MarketAuction:
    """The auction that a market is in."""

    cause: Literal["opening", "operator", "volatility"]
    """Why the market is in an auction: it opens, an operator has called it, or a trade would have
    left the price bands."""
    ends_at: str | None
    """When the auction fills orders; null if an operator ends it."""
    extended: bool
    """Whether the auction was extended because its price was far outside the bands."""
    price: Decimal | None
    """The price at which the auction would fill orders now; null if none cross."""
    amount: Decimal
    """The amount that it would fill, of the base asset."""
    surplus: Decimal
    """The amount at this price that would find no other side."""
    surplus_side: Literal["buy", "sell"] | None
    """The side of the surplus; null without one."""


@dataclass(frozen=True, kw_only=True, slots=True)
class MarketData:
    market: Market


@dataclass(frozen=True, kw_only=True, slots=True)
class MarketList:
    markets: list[Market]


@dataclass(frozen=True, kw_only=True, slots=True)
class Network:
    asset: str
    """Asset symbol."""
    network: str
    """Name of the network."""
    decimals: int
    """Decimals of amounts on the network."""
    min_deposit: Decimal
    """Minimum deposit; smaller ones are not credited."""
    min_withdrawal: Decimal
    """Minimum withdrawal, without the fee."""
    withdrawal_fee: Decimal
    """Fee of a withdrawal, in addition to its amount."""
    confirmations: int
    """Confirmations at which a deposit is credited."""
    memo: Literal["none", "optional", "required"]
    """Whether addresses have a memo."""
    deposits: bool
    """Whether deposits are credited."""
    withdrawals: bool
    """Whether withdrawals are possible."""
    daily_limit: Decimal
    """Maximum withdrawn by an account in 24 hours; 0 for no limit."""
    hourly_count: int
    """Maximum withdrawals of an account in an hour; 0 for no limit."""
    address_cooling_ms: int
    """The time for which a new address cannot be used."""
    new_device_delay_ms: int
    """The time that withdrawals wait after a new device."""
    approval_above: Decimal
    """Larger withdrawals need the approval of two operators."""
    typical_deposit_ms: int | None
    """Median time from the first report of a deposit to its credit, of the newest 100; null with
    fewer than 3, or while unknown."""
    explorer_url: str | None
    """Address of a transaction at a block explorer, with `{transaction}` for its id; null if the
    operator has set none."""


@dataclass(frozen=True, kw_only=True, slots=True)
class NetworkList:
    networks: list[Network]


@dataclass(frozen=True, kw_only=True, slots=True)
class Note:
    id: str
    """Note id."""
    text: str
    """The note."""
    timestamp: str
    """Time of the note."""
    account: str | None
    """Account of the operator; null for the exchange itself."""
    api_key: str | None
    """API key that was used; null for a session."""
    user: str | None
    """Email address of the signed-in user; null for an API key, and once the user is removed."""


@dataclass(frozen=True, kw_only=True, slots=True)
class NoteData:
    note: Note


@dataclass(frozen=True, kw_only=True, slots=True)
class NoteList:
    notes: list[Note]


@dataclass(frozen=True, kw_only=True, slots=True)
class Notice:
    id: int
    """Notice id, increasing."""
    event: str
    """Name of the event."""
    timestamp: str
    """Time of the event."""
    read: bool
    """Whether it is marked as read."""
    data: dict[str, Any]
    """The record of the event."""


@dataclass(frozen=True, kw_only=True, slots=True)
class NotionalLimit:
    asset: str
    """Quote asset."""
    amount: Decimal
    """Maximum of price × unfilled amount of all open orders."""


@dataclass(frozen=True, kw_only=True, slots=True)
class OperatorMarket:
    symbol: str
    """Market symbol, BASE/QUOTE."""
    base: str
    """Base asset, which is bought and sold."""
    quote: str
    """Quote asset, which prices are in."""
    status: Literal["online", "post_only", "limit_only", "cancel_only", "halted", "delisted", "auction"]
    """Market status, which decides which orders are accepted."""
    active: bool
    """Whether the market accepts orders that may trade at once."""
    tick_size: Decimal
    """Tick size: prices must be a multiple of it."""
    step_size: Decimal
    """Lot size: amounts must be a multiple of it."""
    min_amount: Decimal
    """Minimum amount of an order."""
    max_amount: Decimal
    """Maximum amount of an order."""
    min_price: Decimal
    """Minimum price of a limit order."""
    max_price: Decimal
    """Maximum price of a limit order."""
    min_notional: Decimal
    """Minimum value of an order, in the quote asset."""
    maker_fee: Decimal
    """Maker fee rate, charged on the received asset: 0.001 is 0.1 %. A negative rate is a rebate on
    what the taker receives."""
    taker_fee: Decimal
    """Taker fee rate, charged on the received asset."""
    collar: Decimal | None
    """Maximum distance of a market order from the last price, as a fraction of it; null if
    unlimited."""
    static_band: Decimal | None
    """Maximum distance of a trade from the static reference price, as a fraction of it; null
    without a static band."""
    dynamic_band: Decimal | None
    """Maximum distance of a trade from the last price, as a fraction of it; null without a dynamic
    band."""
    auction_ms: Decimal | None
    """Length of the call phase of an auction in milliseconds; null if only an operator ends it."""
    auction: OperatorMarketAuction | None
    """The auction that a market is in."""
    order_types: list[Literal["limit", "market", "stop", "stop_limit", "take_profit", "take_profit_limit", "trailing_stop"]]
    """Order types that the market accepts now."""
    time_in_force: list[Literal["GTC", "IOC", "FOK", "GTD"]]
    listed_at: str
    """Time when the market was listed."""
    last: Decimal
    """Price of the last trade; the reference price before the first trade."""
    high: Decimal | None
    """Highest price of the last 24 h; null without trades."""
    low: Decimal | None
    """Lowest price of the last 24 h; null without trades."""
    change: Decimal
    """Price change over the last 24 h."""
    percentage: Decimal
    """Price change over the last 24 h in percent, rounded to four decimals."""
    base_volume: Decimal
    """Traded base asset of the last 24 h."""
    quote_volume: Decimal
    """Traded quote asset of the last 24 h."""
    reference_price: Decimal
    """Price that bounds market orders and triggers before the first trade."""


@dataclass(frozen=True, kw_only=True, slots=True)
class OperatorMarketAuction:
    """The auction that a market is in."""

    cause: Literal["opening", "operator", "volatility"]
    """Why the market is in an auction: it opens, an operator has called it, or a trade would have
    left the price bands."""
    ends_at: str | None
    """When the auction fills orders; null if an operator ends it."""
    extended: bool
    """Whether the auction was extended because its price was far outside the bands."""
    price: Decimal | None
    """The price at which the auction would fill orders now; null if none cross."""
    amount: Decimal
    """The amount that it would fill, of the base asset."""
    surplus: Decimal
    """The amount at this price that would find no other side."""
    surplus_side: Literal["buy", "sell"] | None
    """The side of the surplus; null without one."""


@dataclass(frozen=True, kw_only=True, slots=True)
class OperatorMarketList:
    markets: list[OperatorMarket]


@dataclass(frozen=True, kw_only=True, slots=True)
class OperatorOrder:
    account_id: str
    """Account of the order."""
    order_id: str
    """Order id."""
    symbol: str
    """Market symbol, BASE/QUOTE."""
    side: Literal["buy", "sell"]
    """Whether the base asset is bought or sold."""
    amount: Decimal
    """Amount of the base asset."""
    price: Decimal | None
    """Limit price; for a market order its average price, null before a fill."""
    status: Literal["open", "filled", "canceled", "expired", "rejected"]
    """Order status. Only an open order can be canceled."""
    timestamp: str
    """Time when the order was placed."""
    type: Literal["limit", "market", "stop", "stop_limit", "take_profit", "take_profit_limit", "trailing_stop"]
    """Order type."""
    time_in_force: Literal["GTC", "IOC", "FOK", "GTD"]
    """Time in force."""
    expires_at: str | None
    """Expiry of a GTD order."""
    post_only: bool
    """Whether the order was to be rejected rather than match immediately."""
    client_order_id: str | None
    """Client order id."""
    trigger_price: Decimal | None
    """Trigger price of a stop or take-profit order; the current one of a trailing stop, null before
    its activation."""
    cost: Decimal
    """Quote asset exchanged in its fills."""
    filled: Decimal
    """Filled amount; always amount - remaining."""
    remaining: Decimal
    """Unfilled amount."""
    average: Decimal | None
    """Average price, cost ÷ filled; null before a fill."""
    fees: list[OrderFee]
    """Fees of its fills, one entry per asset; empty before a fill. Rebates are only in the fills."""
    self_trade_prevention: Literal["expire_maker", "expire_taker", "expire_both", "decrement"]
    """Self-trade prevention: what happens when it would match an own order."""
    reason: Literal["requested", "time_in_force", "expired", "self_trade", "amended", "cancel_after", "operator", "delisted", "collar", "no_liquidity", "market_unavailable", "post_only_would_take", "linked", "insufficient_balance", "too_small", "disconnected", "volatility_halt"] | None
    """Reason why it ended or changed other than by a fill."""
    last_fill_at: str | None
    """Time of its last fill."""
    updated_at: str
    """Time of its last change."""
    attached: AttachedOrders | None
    """Attached take profit and stop loss, placed when this order ends with a fill."""
    parent_order_id: str | None
    """The order that this one was attached to."""
    oco_order_id: str | None
    """The other order of its OCO order, open or not; null for orders placed with engine version 1."""
    trailing_amount: Decimal | None
    """Distance of a trailing stop from the best last price."""
    trailing_percent: Decimal | None
    """The same distance in percent, if it was given so."""
    activation_price: Decimal | None
    """Last price from which a trailing stop trails."""
    display_amount: Decimal | None
    """Amount of an iceberg that the book shows."""


@dataclass(frozen=True, kw_only=True, slots=True)
class OperatorOrderList:
    orders: list[OperatorOrder]


@dataclass(frozen=True, kw_only=True, slots=True)
class OperatorOrderPage:
    orders: list[OperatorOrder]
    next_cursor: str | None
    """Send it as `cursor` to get the next page; null on the last page."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Order:
    order_id: str
    """Order id."""
    symbol: str
    """Market symbol, BASE/QUOTE."""
    side: Literal["buy", "sell"]
    """Whether the base asset is bought or sold."""
    amount: Decimal
    """Amount of the base asset."""
    price: Decimal | None
    """Limit price; for a market order its average price, null before a fill."""
    status: Literal["open", "filled", "canceled", "expired", "rejected"]
    """Order status. Only an open order can be canceled."""
    timestamp: str
    """Time when the order was placed."""
    type: Literal["limit", "market", "stop", "stop_limit", "take_profit", "take_profit_limit", "trailing_stop"]
    """Order type."""
    time_in_force: Literal["GTC", "IOC", "FOK", "GTD"]
    """Time in force."""
    expires_at: str | None
    """Expiry of a GTD order."""
    post_only: bool
    """Whether the order was to be rejected rather than match immediately."""
    client_order_id: str | None
    """Client order id."""
    trigger_price: Decimal | None
    """Trigger price of a stop or take-profit order; the current one of a trailing stop, null before
    its activation."""
    cost: Decimal
    """Quote asset exchanged in its fills."""
    filled: Decimal
    """Filled amount; always amount - remaining."""
    remaining: Decimal
    """Unfilled amount."""
    average: Decimal | None
    """Average price, cost ÷ filled; null before a fill."""
    fees: list[OrderFee]
    """Fees of its fills, one entry per asset; empty before a fill. Rebates are only in the fills."""
    self_trade_prevention: Literal["expire_maker", "expire_taker", "expire_both", "decrement"]
    """Self-trade prevention: what happens when it would match an own order."""
    reason: Literal["requested", "time_in_force", "expired", "self_trade", "amended", "cancel_after", "operator", "delisted", "collar", "no_liquidity", "market_unavailable", "post_only_would_take", "linked", "insufficient_balance", "too_small", "disconnected", "volatility_halt"] | None
    """Reason why it ended or changed other than by a fill."""
    last_fill_at: str | None
    """Time of its last fill."""
    updated_at: str
    """Time of its last change."""
    attached: AttachedOrders | None
    """Attached take profit and stop loss, placed when this order ends with a fill."""
    parent_order_id: str | None
    """The order that this one was attached to."""
    oco_order_id: str | None
    """The other order of its OCO order, open or not; null for orders placed with engine version 1."""
    trailing_amount: Decimal | None
    """Distance of a trailing stop from the best last price."""
    trailing_percent: Decimal | None
    """The same distance in percent, if it was given so."""
    activation_price: Decimal | None
    """Last price from which a trailing stop trails."""
    display_amount: Decimal | None
    """Amount of an iceberg that the book shows."""
    queue_ahead: Decimal | None = None
    """Amount ahead of it in the queue of its price; null if it does not rest in the book."""
    fills: list[Fill] | None = None
    """Fills of the order, earliest first, if they were requested; in an update of the channel
    `orders`, those since the last one."""
    receipt: Receipt | None = None
    """Place in the log of the command that placed, amended or canceled the order, if it was
    requested; null if a repeated request found the order placed before."""


@dataclass(frozen=True, kw_only=True, slots=True)
class OrderFee:
    asset: str
    """The received asset; the given one for a rebate."""
    cost: Decimal
    """Fee in that asset; negative for a rebate."""


@dataclass(frozen=True, kw_only=True, slots=True)
class OrderHold:
    asset: str
    """Asset that the open order would hold."""
    amount: Decimal
    """Amount that it would hold."""


@dataclass(frozen=True, kw_only=True, slots=True)
class OrderLeg:
    order_id: str | None
    """Order id that the leg has once it is placed or has ended; null for orders placed with engine
    version 1."""
    price: Decimal | None
    """Limit price of the leg."""
    trigger_price: Decimal | None
    """Last price that triggers the leg."""
    trailing_amount: Decimal | None
    """Distance of a trailing stop from the best last price."""
    trailing_percent: Decimal | None
    """The same distance in percent, if it was given so."""
    activation_price: Decimal | None
    """Last price from which a trailing stop trails."""


@dataclass(frozen=True, kw_only=True, slots=True)
class OrderList:
    orders: list[Order]


@dataclass(frozen=True, kw_only=True, slots=True)
class OrderPage:
    orders: list[Order]
    next_cursor: str | None
    """Send it as `cursor` to get the next page; null on the last page."""


@dataclass(frozen=True, kw_only=True, slots=True)
class OrderResponse:
    success: Literal[True]
    data: Order


@dataclass(frozen=True, kw_only=True, slots=True)
class OwnKey:
    id: str
    """API key, without its secret."""
    label: str
    """Label of the key."""
    permissions: list[Literal["read", "trade", "operate", "withdraw", "transfer", "support", "markets", "treasury", "compliance", "audit"]]
    addresses: list[str]
    """IP allowlist; empty for any address."""
    created_at: str
    """Time when the key was created."""
    expires_at: str | None
    """Expiry; null for never."""
    type: Literal["secret", "ed25519", "hmac"]
    """Type of the credential: a secret that is sent, or one that signs by Ed25519 or HMAC-SHA256."""
    public_key: str | None
    """Ed25519 public key that checks the signatures of requests, in base64; null if the key has a
    secret."""
    last_used_at: str | None
    """Time of its last authorized request; null for never."""
    status: Literal["active", "expired", "revoked"]
    """Status of the key."""


@dataclass(frozen=True, kw_only=True, slots=True)
class PlaceOrderAttached:
    """Take profit and stop loss for the filled amount, placed on the other side when this order
    ends with a fill; both together are an OCO order. With `side` and `amount`, orders that are
    placed when this one is filled completely (one triggers the other). Only for limit and market
    orders."""

    take_profit: PlaceOrderAttachedTakeProfit | None | Omitted = OMITTED
    """`price` alone is a post-only limit order, `triggerPrice` alone a take_profit, both a
    take_profit_limit."""
    stop_loss: PlaceOrderAttachedStopLoss | None | Omitted = OMITTED
    """`triggerPrice` alone is a stop, with `price` a stop_limit; `trailingAmount` or
    `trailingPercent` make it a trailing stop."""
    order: PlaceOrderAttachedOrder | None | Omitted = OMITTED
    """A limit or market order instead of a take profit and stop loss; it may match at once. With
    `side` and `amount`."""
    side: Literal["buy", "sell"] | None | Omitted = OMITTED
    """Side of the attached orders. Default: the other side. With `amount`."""
    amount: Number | None | Omitted = OMITTED
    """Amount of the attached orders, which are then placed only if this order is filled completely.
    Default: the filled amount. With `side`."""


@dataclass(frozen=True, kw_only=True, slots=True)
class PlaceOrderAttachedOrder:
    """A limit or market order instead of a take profit and stop loss; it may match at once. With
    `side` and `amount`."""

    type: Literal["limit", "market"]
    """Order type."""
    price: Number | None | Omitted = OMITTED
    """Limit price of a limit order."""
    time_in_force: Literal["GTC", "IOC", "FOK"] | None | Omitted = OMITTED
    """Time in force. Default GTC; IOC for a market order."""


@dataclass(frozen=True, kw_only=True, slots=True)
class PlaceOrderAttachedStopLoss:
    """`triggerPrice` alone is a stop, with `price` a stop_limit; `trailingAmount` or
    `trailingPercent` make it a trailing stop."""

    price: Number | None | Omitted = OMITTED
    """Limit price of the leg."""
    trigger_price: Number | None | Omitted = OMITTED
    """Last price that triggers the leg."""
    trailing_amount: Number | None | Omitted = OMITTED
    """Distance of the trigger from the best last price."""
    trailing_percent: Number | None | Omitted = OMITTED
    """The same distance in percent."""
    activation_price: Number | None | Omitted = OMITTED
    """Last price from which the leg trails."""


@dataclass(frozen=True, kw_only=True, slots=True)
class PlaceOrderAttachedTakeProfit:
    """`price` alone is a post-only limit order, `triggerPrice` alone a take_profit, both a
    take_profit_limit."""

    price: Number | None | Omitted = OMITTED
    """Limit price of the leg."""
    trigger_price: Number | None | Omitted = OMITTED
    """Last price that triggers the leg."""


@dataclass(frozen=True, kw_only=True, slots=True)
class PlaceOrderRequest:
    symbol: str
    """A market from GET /api/markets."""
    side: Literal["buy", "sell"]
    """Whether to buy or sell the base asset."""
    type: Literal["limit", "market", "stop", "stop_limit", "take_profit", "take_profit_limit", "trailing_stop"]
    """A limit order needs a `price`. A market order matches the book within the price band of the
    market (`collar`). Stop and take-profit orders are pending until the last price reaches
    `triggerPrice`. The trigger of a trailing stop follows the best last price since its placement."""
    amount: Number | None | Omitted = OMITTED
    """Amount of the base asset, a multiple of the market's `stepSize`. Not together with `cost`."""
    price: Number | None | Omitted = OMITTED
    """Limit price, a multiple of the market's `tickSize`. Only for order types with a limit."""
    trigger_price: Number | None | Omitted = OMITTED
    """Last price that triggers a stop or take-profit order, a multiple of `tickSize`."""
    trailing_amount: Number | None | Omitted = OMITTED
    """Distance of the trigger of a trailing stop from the best last price, a multiple of
    `tickSize`."""
    trailing_percent: Number | None | Omitted = OMITTED
    """The same distance in percent of the best last price, 0.01 to 50 with at most two decimals."""
    activation_price: Number | None | Omitted = OMITTED
    """Last price from which a trailing stop trails: at or above it for a sell, at or below it for a
    buy. Default: it trails at once."""
    display_amount: Number | None | Omitted = OMITTED
    """Amount of a limit order that the book shows (iceberg). The rest follows part by part, each at
    the end of the queue. At most 100 parts."""
    cost: Number | None | Omitted = OMITTED
    """Quote asset to spend, or to receive for a sell, instead of `amount`. Only for market orders."""
    attached: PlaceOrderAttached | None | Omitted = OMITTED
    """Take profit and stop loss for the filled amount, placed on the other side when this order
    ends with a fill; both together are an OCO order. With `side` and `amount`, orders that are
    placed when this one is filled completely (one triggers the other). Only for limit and market
    orders."""
    time_in_force: Literal["GTC", "IOC", "FOK", "GTD"] | None | Omitted = OMITTED
    """Time in force. Default GTC; IOC for market orders."""
    expires_at: Time | None | Omitted = OMITTED
    """Expiry of a GTD order: ISO 8601 with a zone, or milliseconds since 1970."""
    post_only: bool | None | Omitted = OMITTED
    """Reject the order if it would match immediately. Default false."""
    client_order_id: str | None | Omitted = OMITTED
    """Your own id. A repeated request with the same id places no second order."""
    self_trade_prevention: Literal["expire_maker", "expire_taker", "expire_both", "decrement"] | None | Omitted = OMITTED
    """Handling of a match between two of your own orders. Default expire_maker."""
    return_fills: bool | None | Omitted = OMITTED
    """Whether the response has the `fills` of the order, at most its first 1,000. Default false."""
    return_receipt: bool | None | Omitted = OMITTED
    """Whether the response has the `receipt` of the order. Default false."""


@dataclass(frozen=True, kw_only=True, slots=True)
class PlaceOrdersData:
    results: list[OrderResponse | ErrorResponse]
    """An envelope for each order."""


@dataclass(frozen=True, kw_only=True, slots=True)
class PlacePairStopLoss:
    """A stop; with `price` a stop_limit; with `trailingAmount` or `trailingPercent` a trailing
    stop."""

    price: Number | None | Omitted = OMITTED
    """Limit price, a multiple of the market's `tickSize`. Only for order types with a limit."""
    trigger_price: Number | None | Omitted = OMITTED
    """Last price that triggers a stop or take-profit order, a multiple of `tickSize`."""
    trailing_amount: Number | None | Omitted = OMITTED
    """Distance of the trigger of a trailing stop from the best last price, a multiple of
    `tickSize`."""
    trailing_percent: Number | None | Omitted = OMITTED
    """The same distance in percent of the best last price, 0.01 to 50 with at most two decimals."""
    activation_price: Number | None | Omitted = OMITTED
    """Last price from which a trailing stop trails: at or above it for a sell, at or below it for a
    buy. Default: it trails at once."""


@dataclass(frozen=True, kw_only=True, slots=True)
class PlacePairTakeProfit:
    """With only `price` a post-only limit order, which `displayAmount` makes an iceberg, else a
    take profit."""

    price: Number | None | Omitted = OMITTED
    """Limit price, a multiple of the market's `tickSize`. Only for order types with a limit."""
    trigger_price: Number | None | Omitted = OMITTED
    """Last price that triggers a stop or take-profit order, a multiple of `tickSize`."""
    display_amount: Number | None | Omitted = OMITTED
    """Amount of a limit order that the book shows (iceberg). The rest follows part by part, each at
    the end of the queue. At most 100 parts."""


@dataclass(frozen=True, kw_only=True, slots=True)
class PortfolioBalance:
    asset: str
    """Asset symbol."""
    total: Decimal
    """Total balance at the end of the interval."""


@dataclass(frozen=True, kw_only=True, slots=True)
class PortfolioPoint:
    timestamp: str
    """Start of the interval."""
    balances: list[PortfolioBalance]
    """Balances of every asset that the account has ever held."""


@dataclass(frozen=True, kw_only=True, slots=True)
class PortfolioPointList:
    points: list[PortfolioPoint]


@dataclass(frozen=True, kw_only=True, slots=True)
class Price:
    symbol: str
    """Market symbol, BASE/QUOTE."""
    status: Literal["online", "post_only", "limit_only", "cancel_only", "halted", "delisted", "auction"]
    """Market status, which decides which orders are accepted."""
    auction: PriceAuction | None
    """The auction that a market is in."""
    price: Decimal
    """Price of the last trade; the reference price before the first trade."""
    bid: Decimal | None
    """Best bid price; null without bids."""
    bid_amount: Decimal | None
    """Amount at the best bid."""
    ask: Decimal | None
    """Best ask price; null without asks."""
    ask_amount: Decimal | None
    """Amount at the best ask."""
    open: Decimal | None
    """First price of the last 24 h; null without trades."""
    high: Decimal | None
    """Highest price of the last 24 h; null without trades."""
    low: Decimal | None
    """Lowest price of the last 24 h; null without trades."""
    change: Decimal
    """Price change over the last 24 h."""
    percentage: Decimal
    """Price change over the last 24 h in percent, rounded to four decimals."""
    vwap: Decimal | None
    """Volume-weighted average price of the last 24 h; null without trades."""
    base_volume: Decimal
    """Traded base asset of the last 24 h."""
    quote_volume: Decimal
    """Traded quote asset of the last 24 h."""
    trades: int
    """Number of trades of the last 24 h."""
    first_trade_id: str | None
    """Id of the first trade of the last 24 h; null without trades."""
    last_trade_id: str | None
    """Id of the last trade of the last 24 h; null without trades."""
    last_amount: Decimal | None
    """Amount of the last trade of the last 24 h; null without trades."""
    previous_close: Decimal | None
    """Price of the last trade before the last 24 h; null without one."""
    open_time: str
    """Time from which the figures of the last 24 h count trades: the start of a minute, up to 60 s
    less than 24 h ago."""
    timestamp: str
    """Time of this record."""


@dataclass(frozen=True, kw_only=True, slots=True)
class PriceAlert:
    id: str
    """Alert id."""
    symbol: str
    """Market symbol, BASE/QUOTE."""
    direction: Literal["above", "below"]
    """Whether the price must rise or fall to the price."""
    price: Decimal
    """The price."""
    note: str
    """A text for yourself."""
    created_at: str
    """Time when the alert was created."""
    triggered_at: str | None
    """Time when the price was reached; null before."""


@dataclass(frozen=True, kw_only=True, slots=True)
class PriceAlertData:
    alert: PriceAlert


@dataclass(frozen=True, kw_only=True, slots=True)
class PriceAlertList:
    alerts: list[PriceAlert]


@dataclass(frozen=True, kw_only=True, slots=True)
class PriceAuction:
    """The auction that a market is in."""

    cause: Literal["opening", "operator", "volatility"]
    """Why the market is in an auction: it opens, an operator has called it, or a trade would have
    left the price bands."""
    ends_at: str | None
    """When the auction fills orders; null if an operator ends it."""
    extended: bool
    """Whether the auction was extended because its price was far outside the bands."""
    price: Decimal | None
    """The price at which the auction would fill orders now; null if none cross."""
    amount: Decimal
    """The amount that it would fill, of the base asset."""
    surplus: Decimal
    """The amount at this price that would find no other side."""
    surplus_side: Literal["buy", "sell"] | None
    """The side of the surplus; null without one."""


@dataclass(frozen=True, kw_only=True, slots=True)
class PriceList:
    prices: list[Price]


@dataclass(frozen=True, kw_only=True, slots=True)
class ProfitAndLoss:
    quote: str
    """The asset in which values are."""
    method: Literal["fifo", "average"]
    """The method by which costs are found."""
    is_complete: bool
    """False while more of a long ledger is to be read: send the request again."""
    timestamp: str
    """Time up to which the ledger is included."""
    kept_since: str | None
    """The time from which the ledger is kept; null if no history was deleted."""
    value: Decimal
    """Value of everything in the account, at the price of that time."""
    cost: Decimal
    """The cost of everything in the account."""
    realized: Decimal
    """Gains less losses of everything that was sold, and income."""
    unrealized: Decimal
    """value - cost."""
    withdrawn_gain: Decimal
    """value - cost of everything that was withdrawn, at that time: neither realized nor unrealized."""
    net_deposits: Decimal
    """Deposits less withdrawals, at their value at that time."""
    deposited: Decimal
    """Value of all deposits at their time."""
    withdrawn: Decimal
    """Value of all withdrawals at their time."""
    fees: Decimal
    """Fees of trades and withdrawals less rebates, at their value at that time."""
    return_index: Decimal
    """Time-weighted return since the first deposit as a factor: 1.05 is +5 %. The return between
    two points is the quotient of their factors less 1."""
    assets: list[AssetGains]
    """Every asset that the account ever had."""
    points: list[GainsPoint]
    """Oldest first."""
    flows: list[Flow]
    """Deposits, withdrawals and transfers since the first point, oldest first; of more than 500 the
    newest."""
    years: list[GainsYear]
    """Oldest first."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ProofNode:
    hash: str
    """Hash of the node. 64 hexadecimal digits."""
    sum: str
    """Sum of the leaves below it."""


@dataclass(frozen=True, kw_only=True, slots=True)
class QueuePoint:
    position: int
    """Position of the log: the batch of commands with which it happened."""
    timestamp: str
    """Time from which it is so."""
    levels_ahead: int
    """Number of better prices on its side of the book."""
    amount_ahead: Decimal
    """Amount at better prices, and ahead of it in the queue of its price."""
    queue_ahead: Decimal
    """Amount ahead of it in the queue of its price."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Receipt:
    position: int
    """Position of the batch in the log."""
    index: int
    """Index of the command in that batch, from 0."""
    timestamp: str
    """Time of that batch."""
    log_hash: str
    """Chain hash of the log at that position. 64 hexadecimal digits."""


@dataclass(frozen=True, kw_only=True, slots=True)
class RemoveFaultsData:
    removed: int
    """Number of scripts removed."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Report:
    report_id: str
    """Report id."""
    account: str | None
    """The account that it is about; null for the exchange."""
    kind: Literal["orders", "fills", "ledger", "statement", "deposits", "withdrawals", "tax_fifo", "tax_average", "volume", "revenue", "users", "market_quality"]
    """The records that it lists."""
    format: Literal["csv", "json", "html"]
    """Format of its file."""
    from_: str
    """Beginning of the period."""
    to: str
    """End of the period, which is not included."""
    status: Literal["queued", "running", "done", "failed"]
    """Only a report that is `done` has a file."""
    progress_percent: int
    """Progress, from 0 to 100."""
    created_at: str
    """Time of the request."""
    finished_at: str | None
    """When it was done or failed; null before."""
    log_position: int
    """The last batch of the log that it includes; 0 before it runs."""
    rows: int
    """Records in the file; 0 until it is done."""
    bytes: int
    """Size of the file; 0 until it is done."""
    sha256: str | None
    """SHA-256 of the file in hexadecimal; null until it is done."""
    error: str | None
    """Why it failed; null otherwise."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ReportList:
    reports: list[Report]


@dataclass(frozen=True, kw_only=True, slots=True)
class RequestDepositAddressData:
    address: DepositAddress | None
    """The address; null while the custodian is asked."""


@dataclass(frozen=True, kw_only=True, slots=True)
class RequestWithdrawalData:
    withdrawal: Withdrawal
    created: bool
    """False if the `clientId` was known."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Role:
    name: str
    """Name of the role."""
    permissions: list[Literal["read", "trade", "operate", "withdraw", "transfer", "support", "markets", "treasury", "compliance", "audit"]]
    tasks: str
    """Tasks of the role."""


@dataclass(frozen=True, kw_only=True, slots=True)
class RoleAssignment:
    account: str
    """Account."""
    user: str | None
    """Email address of a user; null for an API key."""
    api_key: str | None
    """API key; null for a user."""
    permissions: list[Literal["read", "trade", "operate", "withdraw", "transfer", "support", "markets", "treasury", "compliance", "audit"]]


@dataclass(frozen=True, kw_only=True, slots=True)
class SearchResult:
    kind: Literal["account", "key", "order", "trade", "transfer", "address", "deposit", "withdrawal"]
    """The kind of record."""
    id: str
    """Its id; for a key the API key."""
    account: str | None
    """Its account; null for a deposit of no account."""
    owner_name: str | None
    """Name of the first user of the account."""
    owner_email: str | None
    """Email address of that user."""
    status: str | None
    """`active`, `frozen`, `closed` or `revoked`, or the status of an order, deposit or withdrawal."""
    symbol: str | None
    """Market of an order."""
    side: str | None
    """Side of an order."""
    asset: str | None
    """Asset of a transfer, deposit or withdrawal."""
    amount: Decimal | None
    """Its amount; negative for a debit."""
    reference: str | None
    """Its client order id, reference or transaction, the order of a trade, or the label of a key."""
    timestamp: str
    """Time of its creation."""


@dataclass(frozen=True, kw_only=True, slots=True)
class SearchResultList:
    results: list[SearchResult]


@dataclass(frozen=True, kw_only=True, slots=True)
class SetCustodianKeyData:
    key_number: int
    """Number of the key, from 1."""


@dataclass(frozen=True, kw_only=True, slots=True)
class SetFeeTiersTier:
    min_volume: Number
    maker_fee: Number
    taker_fee: Number


@dataclass(frozen=True, kw_only=True, slots=True)
class SetNetworkData:
    network: Network
    created: bool
    """False if the network existed."""


@dataclass(frozen=True, kw_only=True, slots=True)
class SetTradingLimitsOpenNotional:
    asset: str
    amount: Number


@dataclass(frozen=True, kw_only=True, slots=True)
class SetTradingStatusData:
    trading: SetTradingStatusDataTrading
    maintenance: list[SetTradingStatusDataMaintenance]
    """Announced maintenance and the current one, in order of time."""
    announcements: list[SetTradingStatusDataAnnouncement]
    """Announcements of the operators that stand, the newest first."""


@dataclass(frozen=True, kw_only=True, slots=True)
class SetTradingStatusDataAnnouncement:
    id: str
    """Id of the announcement."""
    severity: Literal["info", "warning"]
    """`warning` for what clients must know before they trade."""
    title: str
    """The announcement in a line."""
    text: str
    """More about it; may be empty."""
    timestamp: str
    """When it was made."""
    until: str | None
    """When it is removed; null until operators withdraw it."""


@dataclass(frozen=True, kw_only=True, slots=True)
class SetTradingStatusDataMaintenance:
    from_: str
    """When it starts."""
    to: str
    """When it ends."""
    mode: Literal["cancel_only", "halted"]
    """The status of all markets in the meantime."""
    message: str
    """What the operator announced."""
    active: bool
    """Whether it is in progress."""


@dataclass(frozen=True, kw_only=True, slots=True)
class SetTradingStatusDataTrading:
    status: Literal["trading", "cancel_only", "halted"]
    """The status of all markets together. Except while `trading`, new orders are rejected
    everywhere, and open ones can be canceled."""
    kill_switch: Literal["trading", "cancel_only", "halted"]
    """What operators set by the kill switch; maintenance may restrict trading although it is
    `trading`."""
    reason: str | None
    """Why trading is restricted, or the reason of the last change."""
    since: str | None
    """When an operator last changed it."""


@dataclass(frozen=True, kw_only=True, slots=True)
class SurveillanceAlert:
    id: str
    """Alert id, the same at every replay of the log."""
    detector: Literal["wash_trading", "spoofing", "quote_stuffing", "marking_the_close", "pump"]
    """The detector that found it."""
    severity: Literal["low", "medium", "high"]
    """Severity, which the detector decides: patterns that move prices are `high`."""
    symbol: str
    """Market symbol, BASE/QUOTE."""
    accounts: list[str]
    """The users concerned."""
    from_: SurveillanceAlertFrom
    to: SurveillanceAlertTo
    figures: dict[str, Any]
    """The counts that led to the alert; docs/operating/surveillance.md explains them."""
    log_position: int
    """The batch with which it was found, after the end of its window."""
    case_status: Literal["open", "assigned", "closed"]
    """`open` if no one investigates, `assigned` if an operator does, or `closed`."""
    assignee: str | None
    """Account of the operator who investigates; null for no one."""
    reviewed_at: str | None
    """Time of the latest review; null before the first."""


@dataclass(frozen=True, kw_only=True, slots=True)
class SurveillanceAlertFrom:
    log_position: int
    """Position of its batch in the log."""
    index: int
    """Index in that batch, from 0."""
    timestamp: str
    """Time of the command."""


@dataclass(frozen=True, kw_only=True, slots=True)
class SurveillanceAlertTo:
    log_position: int
    """Position of its batch in the log."""
    index: int
    """Index in that batch, from 0."""
    timestamp: str
    """Time of the command."""


@dataclass(frozen=True, kw_only=True, slots=True)
class TestOcoData:
    orders: list[TestedOrder]
    hold: OrderHold | None
    """The balance that would be held; null if nothing would stay open."""


@dataclass(frozen=True, kw_only=True, slots=True)
class TestOrderData:
    order: TestedOrder
    """An order as it would be after matching."""
    fills: list[TestedFill]
    """Fills that the order would have at once."""
    hold: OrderHold | None
    """The balance that would be held; null if nothing would stay open."""


@dataclass(frozen=True, kw_only=True, slots=True)
class TestedFill:
    price: Decimal
    """Price, which is the maker's."""
    amount: Decimal
    """Amount of the base asset."""
    cost: Decimal
    """Value in the quote asset, price × amount."""
    fee: OrderFee


@dataclass(frozen=True, kw_only=True, slots=True)
class TestedOrder:
    """An order as it would be after matching."""

    order_id: str | None
    """Null; the order id if the same `clientOrderId` has already placed the order."""
    symbol: str
    """Market symbol, BASE/QUOTE."""
    side: Literal["buy", "sell"]
    """Whether the base asset is bought or sold."""
    amount: Decimal
    """Amount of the base asset."""
    price: Decimal | None
    """Limit price; for a market order its average price, null before a fill."""
    status: Literal["open", "filled", "canceled", "expired", "rejected"]
    """Order status. Only an open order can be canceled."""
    timestamp: str
    """Time when the order was placed."""
    type: Literal["limit", "market", "stop", "stop_limit", "take_profit", "take_profit_limit", "trailing_stop"]
    """Order type."""
    time_in_force: Literal["GTC", "IOC", "FOK", "GTD"]
    """Time in force."""
    expires_at: str | None
    """Expiry of a GTD order."""
    post_only: bool
    """Whether the order was to be rejected rather than match immediately."""
    client_order_id: str | None
    """Client order id."""
    trigger_price: Decimal | None
    """Trigger price of a stop or take-profit order; the current one of a trailing stop, null before
    its activation."""
    cost: Decimal
    """Quote asset exchanged in its fills."""
    filled: Decimal
    """Filled amount; always amount - remaining."""
    remaining: Decimal
    """Unfilled amount."""
    average: Decimal | None
    """Average price, cost ÷ filled; null before a fill."""
    fees: list[OrderFee]
    """Fees of its fills, one entry per asset; empty before a fill. Rebates are only in the fills."""
    self_trade_prevention: Literal["expire_maker", "expire_taker", "expire_both", "decrement"]
    """Self-trade prevention: what happens when it would match an own order."""
    reason: Literal["requested", "time_in_force", "expired", "self_trade", "amended", "cancel_after", "operator", "delisted", "collar", "no_liquidity", "market_unavailable", "post_only_would_take", "linked", "insufficient_balance", "too_small", "disconnected", "volatility_halt"] | None
    """Reason why it ended or changed other than by a fill."""
    last_fill_at: str | None
    """Time of its last fill."""
    updated_at: str
    """Time of its last change."""
    attached: AttachedOrders | None
    """Attached take profit and stop loss, placed when this order ends with a fill."""
    parent_order_id: str | None
    """The order that this one was attached to."""
    oco_order_id: str | None
    """The other order of its OCO order, open or not; null for orders placed with engine version 1."""
    trailing_amount: Decimal | None
    """Distance of a trailing stop from the best last price."""
    trailing_percent: Decimal | None
    """The same distance in percent, if it was given so."""
    activation_price: Decimal | None
    """Last price from which a trailing stop trails."""
    display_amount: Decimal | None
    """Amount of an iceberg that the book shows."""


@dataclass(frozen=True, kw_only=True, slots=True)
class TimelineEvent:
    position: int
    """Position of the log: the batch of commands with which it happened."""
    timestamp: str
    """Time of the event."""
    kind: Literal["placed", "activated", "triggered", "amended", "fill", "rested", "replenished", "market_status", "filled", "canceled", "expired", "rejected"]
    """`rested`: it came to the end of the queue of its price. `replenished`: the next part of an
    iceberg did. `activated`: a trailing stop began to follow the price. `market_status`: the status
    of the market changed. The last event of an order that ended is its status."""
    price: Decimal | None
    """Price of the fill; otherwise the limit price."""
    amount: Decimal
    """Amount of the fill; otherwise that of the order."""
    filled: Decimal
    """Amount filled up to this event, which is included."""
    trigger_price: Decimal | None
    """Trigger price, null for an order without one."""
    reason: Literal["requested", "time_in_force", "expired", "self_trade", "amended", "cancel_after", "operator", "delisted", "collar", "no_liquidity", "market_unavailable", "post_only_would_take", "linked", "insufficient_balance", "too_small", "disconnected", "volatility_halt"] | None
    """Reason of an amendment, or of the end."""
    trade_id: str | None
    """Trade of a fill."""
    liquidity: Literal["maker", "taker"] | None
    """Whether it was the maker or the taker of a fill."""
    counterparty_side: Literal["buy", "sell"] | None
    """Side of the other order of a fill."""
    market_status: Literal["online", "post_only", "limit_only", "cancel_only", "halted", "delisted", "auction"]
    """Status of the market."""
    levels_ahead: int | None
    """Number of better prices on its side of the book."""
    amount_ahead: Decimal | None
    """Amount at better prices, and ahead of it in the queue of its price."""
    queue_ahead: Decimal | None
    """Amount ahead of it in the queue of its price."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Trade:
    id: str
    """Trade id."""
    symbol: str
    """Market symbol, BASE/QUOTE."""
    side: Literal["buy", "sell"]
    """Side of the taker."""
    price: Decimal
    """Price, which is the maker's."""
    amount: Decimal
    """Amount of the base asset."""
    timestamp: str
    """Time of the event."""
    busted_at: str | None = None
    """Only of a busted trade: when operators reversed it."""
    first_trade_id: str | None = None
    """Id of the first of the aggregated trades."""
    last_trade_id: str | None = None
    """Id of the last of the aggregated trades."""


@dataclass(frozen=True, kw_only=True, slots=True)
class TradePage:
    trades: list[Trade]
    next_cursor: str | None
    """Send it as `cursor` to get the next page; null on the last page."""


@dataclass(frozen=True, kw_only=True, slots=True)
class TradingLimits:
    is_default: bool
    """Whether these are the limits of accounts without their own."""
    order_rate: int | None
    """Orders and amendments per 10 seconds; null for no limit."""
    orders_per_trade: int | None
    """Orders and amendments per trade in each hour, beyond `freeOrders`; null for no limit."""
    free_orders: int | None
    """Orders and amendments per hour that need no trade."""
    open_notional: list[NotionalLimit]


@dataclass(frozen=True, kw_only=True, slots=True)
class TradingLimitsData:
    limits: TradingLimits


@dataclass(frozen=True, kw_only=True, slots=True)
class Transfer:
    id: str
    """Transfer id."""
    account: str
    """Account whose balance changed."""
    asset: str
    """Asset symbol."""
    amount: Decimal
    """Amount; positive for a credit, negative for a debit."""
    reference: str
    """Unique reference, so that a repeated request makes no second transfer."""
    timestamp: str
    """Time of the event."""


@dataclass(frozen=True, kw_only=True, slots=True)
class TransferInternallyData:
    transfer: InternalTransfer
    created: bool
    """False if the `clientId` was known."""


@dataclass(frozen=True, kw_only=True, slots=True)
class TriggeredOrder:
    order_id: str | None
    """Order id that it has once it is placed or has ended; null in tests of orders."""
    type: Literal["limit", "market"]
    """Order type."""
    price: Decimal | None
    """Limit price of a limit order."""
    time_in_force: Literal["GTC", "IOC", "FOK"]
    """Time in force."""


@dataclass(frozen=True, kw_only=True, slots=True)
class UpgradeData:
    engine_version: int
    """Engine version in force, the same on every node."""
    newest_engine_version: int
    """Newest version that the responding node supports."""


@dataclass(frozen=True, kw_only=True, slots=True)
class UsedLimits:
    orders: int
    """Orders and amendments in the current 10 seconds, if they are limited."""
    orders_reset_at: str
    """Time at which `orders` starts again."""
    hourly_orders: int
    """Orders and amendments in the current hour, if they are limited."""
    hourly_trades: int
    """Trades in the current hour, if orders per trade are limited."""
    hourly_reset_at: str
    """Time at which the counts of the hour start again."""
    open_notional: list[UsedNotional]


@dataclass(frozen=True, kw_only=True, slots=True)
class UsedNotional:
    asset: str
    """Quote asset."""
    used: Decimal
    """price × unfilled amount of all open orders."""


@dataclass(frozen=True, kw_only=True, slots=True)
class User:
    email: str
    """Email address, which the user signs in with."""
    name: str
    """Name of the user."""
    permissions: list[Literal["read", "trade", "operate", "withdraw", "transfer", "support", "markets", "treasury", "compliance", "audit"]]
    second_factor: bool
    """Whether two-factor authentication (2FA) is on."""
    created_at: str
    """Time when the user was created."""


@dataclass(frozen=True, kw_only=True, slots=True)
class UserEntry:
    id: str
    """Entry id."""
    timestamp: str
    """Time of the event."""
    person_id: str
    """User id; never reused. Empty for an action of an API key."""
    email: str
    """Email address of the user at that time; empty for an action of an API key."""
    account: str
    """Trading account of the user."""
    action: Literal["signed_up", "invited", "permissions_changed", "removed", "signed_in", "sign_in_failed", "signed_out", "sessions_ended", "password_changed", "password_reset", "email_change_requested", "email_change_canceled", "email_changed", "second_factor_on", "second_factor_off", "recovery_codes_renewed", "anti_phishing_code_set", "anti_phishing_code_removed", "passkey_added", "passkey_removed", "key_made", "key_changed", "key_revoked", "address_named"]
    """Action."""
    by: str | None
    """Email address or API key of the actor; null for the exchange itself."""
    address: str | None
    """IP address of the request."""
    details: str | None
    """Permissions, API key, passkey label, method of a sign-in, id of a withdrawal address or new
    email address, depending on the action."""


@dataclass(frozen=True, kw_only=True, slots=True)
class UserEntryPage:
    entries: list[UserEntry]
    next_cursor: str | None
    """Send it as `cursor` to get the next page; null on the last page."""


@dataclass(frozen=True, kw_only=True, slots=True)
class UserList:
    users: list[User]


@dataclass(frozen=True, kw_only=True, slots=True)
class UserSession:
    id: str
    """Session id."""
    email: str
    """Email address of the user."""
    created_at: str
    """Time of the sign-in."""
    last_seen_at: str
    """Time of the last request, a minute old at most."""
    address: str
    """Network address of the sign-in."""
    user_agent: str
    """The browser, as it describes itself."""


@dataclass(frozen=True, kw_only=True, slots=True)
class UserSessionList:
    sessions: list[UserSession]


@dataclass(frozen=True, kw_only=True, slots=True)
class UserTimelineEntry:
    log_position: int
    """Position of its batch in the log."""
    index: int
    """Index of its command in that batch, from 0."""
    timestamp: str
    """Time of the command or change."""
    kind: Literal["account", "fees", "limits", "keys", "roles", "notes", "transfers", "deposits", "withdrawals", "other"]
    """The subject of the entry."""
    command: AuditEntry | None
    """The command, as the audit has it; null for a change of a deposit or withdrawal."""
    deposit: Deposit | None
    """The deposit after a change; otherwise null."""
    withdrawal: Withdrawal | None
    """The withdrawal after a change; otherwise null."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Webhook:
    id: str
    """Webhook id."""
    url: str
    """Address of the receiver."""
    label: str
    """Label of the webhook."""
    events: list[str]
    status: Literal["active", "paused", "failed"]
    """Status. `failed`: nothing was accepted for three days; resume it once the receiver works."""
    created_at: str
    """Time when the webhook was created."""
    failing_since: str | None
    """Time since which every attempt has failed; null if the last one succeeded."""
    attempts: int
    """Number of failed attempts in a row."""
    last_error: str | None
    """The reason why the last attempt failed; null if it succeeded."""


@dataclass(frozen=True, kw_only=True, slots=True)
class WebhookData:
    webhook: Webhook


@dataclass(frozen=True, kw_only=True, slots=True)
class WebhookList:
    webhooks: list[Webhook]


@dataclass(frozen=True, kw_only=True, slots=True)
class WhyNotFilled:
    code: Literal["market_unavailable", "auction", "awaiting_activation", "awaiting_trigger", "triggered", "orders_ahead", "no_counter_orders", "price_not_reached"]
    """The first condition that keeps the order from a fill."""
    text: str
    """The condition in words."""
    levels_ahead: int | None
    """Number of better prices on its side of the book."""
    amount_ahead: Decimal | None
    """Amount at better prices, and ahead of it in the queue of its price."""
    queue_ahead: Decimal | None
    """Amount ahead of it in the queue of its price."""
    market_status: Literal["online", "post_only", "limit_only", "cancel_only", "halted", "delisted", "auction"]
    """Status of the market."""
    last_price: Decimal | None
    """Price of the last trade; null before the first."""
    trigger_price: Decimal | None
    """Trigger price."""
    activation_price: Decimal | None
    """Activation price of a trailing stop."""
    counter_price: Decimal | None
    """Best price of the other side of the book."""
    distance_percent: Decimal | None
    """Distance in percent: of the best price of the other side from the limit price or, before a
    trigger or an activation, of its price from that of the last trade."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Withdrawal:
    id: str
    """Withdrawal id."""
    account: str
    """Account id."""
    asset: str
    """Asset symbol."""
    network: str
    """Name of the network."""
    address: str
    """Address on the network."""
    memo: str | None
    """Memo or tag that belongs to the address; null for none."""
    amount: Decimal
    """The amount that arrives."""
    fee: Decimal
    """Fee, held and paid in addition."""
    client_id: str | None
    """Your id of the withdrawal; null for none."""
    status: Literal["delayed", "awaiting_approval", "approved", "sending", "broadcast", "confirmed", "failed", "canceled", "rejected"]
    """Status: see docs/trading/deposits-and-withdrawals.md."""
    waits_until: str | None
    """End of the delay after a new device; null without one."""
    approvals: list[str]
    transaction: str | None
    """Transaction id; null before the broadcast."""
    reason: str | None
    """The reason why it failed or was rejected; otherwise null."""
    created_at: str
    """Time of the request."""
    updated_at: str
    """Time of the last change."""


@dataclass(frozen=True, kw_only=True, slots=True)
class WithdrawalAddress:
    id: str
    """Id of the address."""
    asset: str
    """Asset symbol."""
    network: str
    """Name of the network."""
    address: str
    """Address on the network."""
    memo: str | None
    """Memo or tag that belongs to the address; null for none."""
    label: str | None
    """Your name of the address; null for none, or while names cannot be read."""
    created_at: str
    """Time when the address was added."""
    usable_at: str
    """Time from which withdrawals to it are possible."""


@dataclass(frozen=True, kw_only=True, slots=True)
class WithdrawalAddressData:
    address: WithdrawalAddress


@dataclass(frozen=True, kw_only=True, slots=True)
class WithdrawalAddressList:
    addresses: list[WithdrawalAddress]


@dataclass(frozen=True, kw_only=True, slots=True)
class WithdrawalData:
    withdrawal: Withdrawal


@dataclass(frozen=True, kw_only=True, slots=True)
class WithdrawalLimit:
    asset: str
    """Asset symbol."""
    network: str
    """Name of the network."""
    daily_limit: Decimal
    """Maximum withdrawn in 24 hours."""
    used: Decimal
    """Withdrawn in the last 24 hours, over all networks of the asset."""
    remaining: Decimal
    """The rest of the limit: what can be withdrawn now."""


@dataclass(frozen=True, kw_only=True, slots=True)
class WithdrawalPage:
    withdrawals: list[Withdrawal]
    next_cursor: str | None
    """Send it as `cursor` to get the next page; null on the last page."""
