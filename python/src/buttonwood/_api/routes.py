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
    models.MarketList,
)
GET_PRICES = Route(
    "GET",
    "/api/prices",
    models.PriceList,
)
GET_ASSETS = Route(
    "GET",
    "/api/assets",
    models.AssetList,
)
GET_ORDERBOOK = Route(
    "GET",
    "/api/orderbook",
    models.GetOrderbookData,
)
GET_LEVEL3 = Route(
    "GET",
    "/api/level3",
    models.GetLevel3Data,
)
GET_TRADES = Route(
    "GET",
    "/api/trades",
    models.TradePage,
)
GET_CANDLES = Route(
    "GET",
    "/api/candles",
    models.CandleList,
)
GET_TIME = Route(
    "GET",
    "/api/time",
    models.GetTimeData,
)
GET_STATUS = Route(
    "GET",
    "/api/status",
    models.GetStatusData,
)
GET_BALANCES = Route(
    "GET",
    "/api/portfolio/balances",
    models.BalanceList,
    operation="balances",
)
GET_PORTFOLIO_HISTORY = Route(
    "GET",
    "/api/portfolio/history",
    models.PortfolioPointList,
)
GET_FEES = Route(
    "GET",
    "/api/fees",
    models.GetFeesData,
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
    models.OrderPage,
    operation="orders.open",
)
CANCEL_ORDERS = Route(
    "DELETE",
    "/api/orders",
    models.OrderList,
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
    models.FillPage,
)
GET_LEDGER = Route(
    "GET",
    "/api/ledger",
    models.LedgerEntryPage,
)
PLACE_ORDERS = Route(
    "POST",
    "/api/orders/batch",
    models.PlaceOrdersData,
    operation="order.batch",
)
PLACE_PAIR = Route(
    "POST",
    "/api/orders/oco",
    models.OrderList,
    operation="order.oco",
)
TEST_ORDER = Route(
    "POST",
    "/api/orders/test",
    models.TestOrderData,
    operation="order.test",
)
TEST_OCO = Route(
    "POST",
    "/api/orders/oco/test",
    models.TestOcoData,
    operation="order.testOco",
)
CANCEL_AFTER = Route(
    "POST",
    "/api/orders/cancel-after",
    models.DeadlineList,
    operation="order.cancelAfter",
)
USE_FAUCET = Route(
    "POST",
    "/api/account/faucet",
    models.BalanceList,
)
GET_CURRENT_KEY = Route(
    "GET",
    "/api/account/keys/current",
    models.GetCurrentKeyData,
)
LIST_ACCOUNTS = Route(
    "GET",
    "/api/admin/accounts",
    models.AccountList,
)
CREATE_ACCOUNT = Route(
    "POST",
    "/api/admin/accounts",
    models.CreateAccountData,
)
GET_ACCOUNT = Route(
    "GET",
    "/api/admin/accounts/{id}",
    models.AccountData,
)
CHANGE_ACCOUNT = Route(
    "PATCH",
    "/api/admin/accounts/{id}",
    models.AccountData,
)
GET_ACCOUNT_BALANCES = Route(
    "GET",
    "/api/admin/accounts/{id}/balances",
    models.BalanceList,
)
LIST_OPEN_ORDERS_OF = Route(
    "GET",
    "/api/admin/accounts/{id}/orders",
    models.OperatorOrderList,
)
CANCEL_ORDERS_OF = Route(
    "DELETE",
    "/api/admin/accounts/{id}/orders",
    models.OperatorOrderList,
)
LIST_KEYS = Route(
    "GET",
    "/api/admin/accounts/{id}/keys",
    models.ApiKeyPage,
)
CREATE_KEY = Route(
    "POST",
    "/api/admin/accounts/{id}/keys",
    models.CreateKeyData,
)
REVOKE_KEY = Route(
    "DELETE",
    "/api/admin/accounts/{id}/keys/{apiKey}",
    models.ApiKeyData,
)
INVITE_USER = Route(
    "POST",
    "/api/admin/accounts/{id}/users",
    models.InviteUserData,
)
LIST_USERS = Route(
    "GET",
    "/api/admin/accounts/{id}/users",
    models.UserList,
)
REMOVE_USER = Route(
    "POST",
    "/api/admin/accounts/{id}/users/{email}/remove",
    models.UserList,
)
GET_FEE_TIERS = Route(
    "GET",
    "/api/admin/fee-tiers",
    models.GetFeeTiersData,
)
SET_FEE_TIERS = Route(
    "POST",
    "/api/admin/fee-tiers",
    models.GetFeeTiersData,
)
CREATE_TRANSFER = Route(
    "POST",
    "/api/admin/transfers",
    models.CreateTransferData,
)
LIST_KNOWN_ASSETS = Route(
    "GET",
    "/api/admin/assets",
    models.AssetList,
)
CREATE_ASSET = Route(
    "POST",
    "/api/admin/assets",
    models.AssetData,
)
LIST_ADMIN_MARKETS = Route(
    "GET",
    "/api/admin/markets",
    models.MarketList,
)
LIST_MARKET = Route(
    "POST",
    "/api/admin/markets",
    models.MarketData,
)
CHANGE_MARKET = Route(
    "PATCH",
    "/api/admin/markets",
    models.ChangeMarketData,
    query=("preview",),
)
GET_STATE = Route(
    "GET",
    "/api/admin/state",
    models.GetStateData,
)
GET_CLOCK = Route(
    "GET",
    "/api/admin/clock",
    models.GetClockData,
)
CONFIRM_CLOCK = Route(
    "POST",
    "/api/admin/clock/confirm",
    models.GetClockData,
)
UPGRADE = Route(
    "POST",
    "/api/admin/upgrade",
    models.UpgradeData,
)
GET_AUDIT = Route(
    "GET",
    "/api/admin/audit",
    models.AuditEntryPage,
)
GET_USER_AUDIT = Route(
    "GET",
    "/api/admin/audit/users",
    models.UserEntryPage,
)
