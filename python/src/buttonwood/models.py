# Generated from the OpenAPI document by `npm run generate`. Do not edit.
"""Records of responses, and objects of requests."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Literal

from ._types import OMITTED, Number, Omitted, Time

__all__ = [
    "ErrorCode",
    "Account",
    "AccountData",
    "AccountList",
    "ApiKey",
    "ApiKeyData",
    "ApiKeyPage",
    "Asset",
    "AssetData",
    "AssetList",
    "AssetTotals",
    "AttachedOrders",
    "AuditEntry",
    "AuditEntryPage",
    "Balance",
    "BalanceList",
    "Candle",
    "CandleList",
    "ChangeMarketData",
    "CreateAccountData",
    "CreateKeyData",
    "CreateTransferData",
    "Deadline",
    "DeadlineList",
    "EndpointLimit",
    "ErrorObject",
    "ErrorResponse",
    "Fee",
    "FeeTier",
    "Fill",
    "FillPage",
    "GetClockData",
    "GetCurrentKeyData",
    "GetFeeTiersData",
    "GetFeesData",
    "GetLevel3Data",
    "GetOrderbookData",
    "GetStateData",
    "GetStatusData",
    "GetTimeData",
    "InviteUserData",
    "LedgerEntry",
    "LedgerEntryPage",
    "Market",
    "MarketData",
    "MarketList",
    "OperatorOrder",
    "OperatorOrderList",
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
    "PriceList",
    "SetFeeTiersTier",
    "TestOcoData",
    "TestOrderData",
    "TestedFill",
    "TestedOrder",
    "Trade",
    "TradePage",
    "Transfer",
    "TriggeredOrder",
    "UpgradeData",
    "User",
    "UserEntry",
    "UserEntryPage",
    "UserList",
]

ErrorCode = Literal[
    "ACCOUNT_FROZEN",
    "BROWSER_NOT_ALLOWED",
    "CLOCK_OFF",
    "DUPLICATE_CLIENT_ORDER_ID",
    "DUPLICATE_REFERENCE",
    "INSUFFICIENT_BALANCE",
    "INSUFFICIENT_PERMISSIONS",
    "INTERNAL_ERROR",
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
]
"""The possible values of `ApiRequestError.code`. New releases may add codes."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Account:
    account_id: str
    """Account id."""
    frozen: bool
    """Whether the account is frozen and cannot trade."""
    limit_class: int
    """Rate-limit multiplier."""
    fee_tier: int | str
    """Fee tier set by the operator, or `volume` if the 30-day volume decides."""
    open_orders: int
    """Number of open orders."""
    created_at: str
    """Time when the account was created."""


@dataclass(frozen=True, kw_only=True, slots=True)
class AccountData:
    account: Account


@dataclass(frozen=True, kw_only=True, slots=True)
class AccountList:
    accounts: list[Account]


@dataclass(frozen=True, kw_only=True, slots=True)
class ApiKey:
    api_key: str
    """API key, without its secret."""
    account_id: str
    """Account of the key."""
    label: str
    """Label of the key."""
    permissions: list[Literal["read", "trade", "operate"]]
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
    action: str
    """Command name."""
    subject: str | None
    """Account, market or asset that was changed."""
    outcome: Literal["done", "repeated", "rejected"]
    """Outcome."""
    rejection: int
    """Rejection code, 0 unless rejected."""
    details: dict[str, Any]
    """Other fields of the command, with names of accounts, markets and assets and exact numbers."""


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
class CreateKeyData:
    key: ApiKey
    api_secret: str | None
    """The secret. The exchange keeps only its hash, or of an HMAC key the encrypted secret. Null if
    the key has a public key."""


@dataclass(frozen=True, kw_only=True, slots=True)
class CreateTransferData:
    transfer: Transfer
    created: bool
    """False if the reference already existed."""
    available: Decimal
    """The available balance afterwards."""


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
class Fee:
    symbol: str
    """Market symbol, BASE/QUOTE."""
    maker_fee: Decimal
    """Maker fee rate, charged on the received asset: 0.001 is 0.1 %."""
    taker_fee: Decimal
    """Taker fee rate, charged on the received asset."""


@dataclass(frozen=True, kw_only=True, slots=True)
class FeeTier:
    tier: int
    """Tier number; tier 0 pays the rates of the market."""
    min_volume: Decimal
    """Minimum 30-day volume of the tier."""
    maker_fee: Decimal
    """Maker fee rate, charged on the received asset: 0.001 is 0.1 %."""
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


@dataclass(frozen=True, kw_only=True, slots=True)
class FillPage:
    fills: list[Fill]
    next_cursor: str | None
    """Send it as `cursor` to get the next page; null on the last page."""


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
class GetFeeTiersData:
    tiers: list[FeeTier]
    volume_asset: str | None
    """The asset in which volume is counted; null if it is not counted."""


@dataclass(frozen=True, kw_only=True, slots=True)
class GetFeesData:
    fees: list[Fee]
    tier: int
    """The tier of the account. Tier 0 has the rates of the market."""
    tiers: list[FeeTier]
    volume_asset: str | None
    """The asset in which volume is counted; null if it is not counted."""
    volume: Decimal | None
    """Volume over `volumeDays`; null if it is not counted."""
    volume_days: int
    """UTC days, including today."""


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
class GetStateData:
    engine_version: int
    """Engine version in force, the same on every node."""
    newest_engine_version: int
    """Newest version that the responding node supports."""
    log_position: int
    """The last batch of the log that is included."""
    state_hash: str
    """SHA-256 of the complete state."""
    archivist_lag_ms: int
    """Lag of the archivist, milliseconds."""
    open_orders: int
    """Open orders of all accounts."""
    assets: list[AssetTotals]


@dataclass(frozen=True, kw_only=True, slots=True)
class GetStatusData:
    status: Literal["ok", "overloaded", "stale"]
    """The status of the node that responds."""
    version: str
    """The release of the node that responds."""


@dataclass(frozen=True, kw_only=True, slots=True)
class GetTimeData:
    timestamp: str
    """The current time."""


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
    type: Literal["trade", "fee", "hold", "release", "transfer"]
    """Reason of the change of the available balance."""
    amount: Decimal
    """Change of the available balance; negative if it decreased."""
    before: Decimal
    """Available balance before."""
    after: Decimal
    """Available balance after, exactly before + amount."""
    reference: str
    """Id of the order (hold, release) or trade (trade, fee), or reference of the transfer."""
    timestamp: str
    """Time of the event."""


@dataclass(frozen=True, kw_only=True, slots=True)
class LedgerEntryPage:
    entries: list[LedgerEntry]
    next_cursor: str | None
    """Send it as `cursor` to get the next page; null on the last page."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Market:
    symbol: str
    """Market symbol, BASE/QUOTE."""
    base: str
    """Base asset, which is bought and sold."""
    quote: str
    """Quote asset, which prices are in."""
    status: Literal["online", "post_only", "limit_only", "cancel_only", "halted", "delisted"]
    """Market status, which decides which orders are accepted."""
    active: bool
    """Whether the market accepts orders that trade."""
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
    """Maker fee rate, charged on the received asset: 0.001 is 0.1 %."""
    taker_fee: Decimal
    """Taker fee rate, charged on the received asset."""
    collar: Decimal | None
    """Maximum distance of a market order from the last price, as a fraction of it; null if
    unlimited."""
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
class MarketData:
    market: Market


@dataclass(frozen=True, kw_only=True, slots=True)
class MarketList:
    markets: list[Market]


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
    """Fees of its fills, one entry per asset; empty before a fill."""
    self_trade_prevention: Literal["expire_maker", "expire_taker", "expire_both", "decrement"]
    """Self-trade prevention: what happens when it would match an own order."""
    reason: Literal["requested", "time_in_force", "expired", "self_trade", "amended", "cancel_after", "operator", "delisted", "collar", "no_liquidity", "market_unavailable", "post_only_would_take", "linked", "insufficient_balance", "too_small", "disconnected"] | None
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
    """Fees of its fills, one entry per asset; empty before a fill."""
    self_trade_prevention: Literal["expire_maker", "expire_taker", "expire_both", "decrement"]
    """Self-trade prevention: what happens when it would match an own order."""
    reason: Literal["requested", "time_in_force", "expired", "self_trade", "amended", "cancel_after", "operator", "delisted", "collar", "no_liquidity", "market_unavailable", "post_only_would_take", "linked", "insufficient_balance", "too_small", "disconnected"] | None
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


@dataclass(frozen=True, kw_only=True, slots=True)
class OrderFee:
    asset: str
    """The received asset."""
    cost: Decimal
    """Fee in that asset."""


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
    permissions: list[Literal["read", "trade", "operate"]]
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
class PriceList:
    prices: list[Price]


@dataclass(frozen=True, kw_only=True, slots=True)
class SetFeeTiersTier:
    min_volume: Number
    maker_fee: Number
    taker_fee: Number


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
    """Fees of its fills, one entry per asset; empty before a fill."""
    self_trade_prevention: Literal["expire_maker", "expire_taker", "expire_both", "decrement"]
    """Self-trade prevention: what happens when it would match an own order."""
    reason: Literal["requested", "time_in_force", "expired", "self_trade", "amended", "cancel_after", "operator", "delisted", "collar", "no_liquidity", "market_unavailable", "post_only_would_take", "linked", "insufficient_balance", "too_small", "disconnected"] | None
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
class User:
    email: str
    """Email address, which the user signs in with."""
    name: str
    """Name of the user."""
    permissions: list[Literal["read", "trade", "operate"]]
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
    """User id; never reused."""
    email: str
    """Email address of the user at that time."""
    account: str
    """Trading account of the user."""
    action: Literal["signed_up", "invited", "permissions_changed", "removed", "signed_in", "signed_out", "sessions_ended", "password_changed", "password_reset", "second_factor_on", "second_factor_off", "recovery_codes_renewed", "passkey_added", "passkey_removed", "key_made", "key_revoked"]
    """Action."""
    by: str | None
    """Email address or API key of the actor; null for the exchange itself."""
    address: str | None
    """IP address of the request."""
    details: str | None
    """Permissions, API key or passkey label, depending on the action."""


@dataclass(frozen=True, kw_only=True, slots=True)
class UserEntryPage:
    entries: list[UserEntry]
    next_cursor: str | None
    """Send it as `cursor` to get the next page; null on the last page."""


@dataclass(frozen=True, kw_only=True, slots=True)
class UserList:
    users: list[User]
