# Generated from the OpenAPI document by `npm run generate`. Do not edit.
"""Endpoints and their results."""

from __future__ import annotations

from .. import models
from .._types import Route

NUMBER_FIELDS = frozenset(
    {
        "activationPrice",
        "amount",
        "collar",
        "cost",
        "decimals",
        "displayAmount",
        "limitClass",
        "makerFee",
        "maxAmount",
        "maxPrice",
        "minAmount",
        "minNotional",
        "minPrice",
        "minVolume",
        "price",
        "referencePrice",
        "stepSize",
        "takerFee",
        "tickSize",
        "timeout",
        "trailingAmount",
        "trailingPercent",
        "triggerPrice",
    }
)
"""Fields of requests that are numbers."""

GET_MARKETS = Route(
    "GET",
    "/api/markets",
    models.GetMarketsResult,
)
GET_PRICES = Route(
    "GET",
    "/api/prices",
    models.GetPricesResult,
)
GET_ASSETS = Route(
    "GET",
    "/api/assets",
    models.GetAssetsResult,
)
GET_ORDERBOOK = Route(
    "GET",
    "/api/orderbook",
    models.GetOrderbookResult,
)
GET_LEVEL3 = Route(
    "GET",
    "/api/level3",
    models.GetLevel3Result,
)
GET_TRADES = Route(
    "GET",
    "/api/trades",
    models.GetTradesResult,
)
GET_CANDLES = Route(
    "GET",
    "/api/candles",
    models.GetCandlesResult,
)
GET_TIME = Route(
    "GET",
    "/api/time",
    models.GetTimeResult,
)
GET_STATUS = Route(
    "GET",
    "/api/status",
    models.GetStatusResult,
)
GET_BALANCES = Route(
    "GET",
    "/api/portfolio/balances",
    models.GetBalancesResult,
    operation="balances",
)
GET_PORTFOLIO_HISTORY = Route(
    "GET",
    "/api/portfolio/history",
    models.GetPortfolioHistoryResult,
)
GET_FEES = Route(
    "GET",
    "/api/fees",
    models.GetFeesResult,
)
PLACE_ORDER = Route(
    "POST",
    "/api/orders",
    models.Order,
    operation="order.place",
)
LIST_ORDERS = Route(
    "GET",
    "/api/orders",
    models.ListOrdersResult,
    operation="orders.open",
)
CANCEL_ORDERS = Route(
    "DELETE",
    "/api/orders",
    models.CancelOrdersResult,
    operation="order.cancelAll",
)
GET_ORDER = Route(
    "GET",
    "/api/orders/{id}",
    models.Order,
    operation="order.get",
)
CANCEL_ORDER = Route(
    "DELETE",
    "/api/orders/{id}",
    models.Order,
    operation="order.cancel",
)
AMEND_ORDER = Route(
    "PATCH",
    "/api/orders/{id}",
    models.Order,
    operation="order.amend",
)
GET_FILLS = Route(
    "GET",
    "/api/fills",
    models.GetFillsResult,
)
GET_LEDGER = Route(
    "GET",
    "/api/ledger",
    models.GetLedgerResult,
)
PLACE_ORDERS = Route(
    "POST",
    "/api/orders/batch",
    models.PlaceOrdersResult,
    operation="order.batch",
)
PLACE_PAIR = Route(
    "POST",
    "/api/orders/oco",
    models.PlacePairResult,
    operation="order.oco",
)
TEST_ORDER = Route(
    "POST",
    "/api/orders/test",
    models.TestOrderResult,
    operation="order.test",
)
TEST_OCO = Route(
    "POST",
    "/api/orders/oco/test",
    models.TestOcoResult,
)
CANCEL_AFTER = Route(
    "POST",
    "/api/orders/cancel-after",
    models.CancelAfterResult,
    operation="order.cancelAfter",
)
USE_FAUCET = Route(
    "POST",
    "/api/account/faucet",
    models.UseFaucetResult,
)
LIST_ACCOUNTS = Route(
    "GET",
    "/api/admin/accounts",
    models.ListAccountsResult,
)
CREATE_ACCOUNT = Route(
    "POST",
    "/api/admin/accounts",
    models.CreateAccountResult,
)
GET_ACCOUNT = Route(
    "GET",
    "/api/admin/accounts/{id}",
    models.GetAccountResult,
)
CHANGE_ACCOUNT = Route(
    "PATCH",
    "/api/admin/accounts/{id}",
    models.ChangeAccountResult,
)
GET_ACCOUNT_BALANCES = Route(
    "GET",
    "/api/admin/accounts/{id}/balances",
    models.GetAccountBalancesResult,
)
LIST_OPEN_ORDERS_OF = Route(
    "GET",
    "/api/admin/accounts/{id}/orders",
    models.ListOpenOrdersOfResult,
)
CANCEL_ORDERS_OF = Route(
    "DELETE",
    "/api/admin/accounts/{id}/orders",
    models.CancelOrdersOfResult,
)
LIST_KEYS = Route(
    "GET",
    "/api/admin/accounts/{id}/keys",
    models.ListKeysResult,
)
CREATE_KEY = Route(
    "POST",
    "/api/admin/accounts/{id}/keys",
    models.CreateKeyResult,
)
REVOKE_KEY = Route(
    "DELETE",
    "/api/admin/accounts/{id}/keys/{apiKey}",
    models.RevokeKeyResult,
)
INVITE_USER = Route(
    "POST",
    "/api/admin/accounts/{id}/users",
    models.InviteUserResult,
)
LIST_USERS = Route(
    "GET",
    "/api/admin/accounts/{id}/users",
    models.ListUsersResult,
)
REMOVE_USER = Route(
    "POST",
    "/api/admin/accounts/{id}/users/{email}/remove",
    models.RemoveUserResult,
)
GET_FEE_TIERS = Route(
    "GET",
    "/api/admin/fee-tiers",
    models.GetFeeTiersResult,
)
SET_FEE_TIERS = Route(
    "POST",
    "/api/admin/fee-tiers",
    models.SetFeeTiersResult,
)
CREATE_TRANSFER = Route(
    "POST",
    "/api/admin/transfers",
    models.CreateTransferResult,
)
LIST_KNOWN_ASSETS = Route(
    "GET",
    "/api/admin/assets",
    models.ListKnownAssetsResult,
)
CREATE_ASSET = Route(
    "POST",
    "/api/admin/assets",
    models.CreateAssetResult,
)
LIST_ADMIN_MARKETS = Route(
    "GET",
    "/api/admin/markets",
    models.ListAdminMarketsResult,
)
LIST_MARKET = Route(
    "POST",
    "/api/admin/markets",
    models.ListMarketResult,
)
CHANGE_MARKET = Route(
    "PATCH",
    "/api/admin/markets",
    models.ChangeMarketResult,
    query=("preview",),
)
GET_STATE = Route(
    "GET",
    "/api/admin/state",
    models.GetStateResult,
)
GET_CLOCK = Route(
    "GET",
    "/api/admin/clock",
    models.GetClockResult,
)
CONFIRM_CLOCK = Route(
    "POST",
    "/api/admin/clock/confirm",
    models.ConfirmClockResult,
)
UPGRADE = Route(
    "POST",
    "/api/admin/upgrade",
    models.UpgradeResult,
)
GET_AUDIT = Route(
    "GET",
    "/api/admin/audit",
    models.GetAuditResult,
)
GET_USER_AUDIT = Route(
    "GET",
    "/api/admin/audit/users",
    models.GetUserAuditResult,
)
