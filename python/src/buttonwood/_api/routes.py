# Generated from the OpenAPI document by `npm run generate`. Do not edit.
"""Endpoints and their results."""

from __future__ import annotations

from .. import models
from .._types import Route

NUMBER_FIELDS = frozenset(
    {
        "activationPrice",
        "addressCoolingMs",
        "advanceMs",
        "amount",
        "approvalAbove",
        "auctionMs",
        "bias",
        "change",
        "collar",
        "confirmations",
        "cost",
        "count",
        "dailyLimit",
        "decimals",
        "depth",
        "displayAmount",
        "durationMs",
        "dynamicBand",
        "everyMs",
        "flow",
        "forMs",
        "freeOrders",
        "hourlyCount",
        "index",
        "jitter",
        "limitClass",
        "makerFee",
        "maxAmount",
        "maxPrice",
        "minAmount",
        "minBalance",
        "minDeposit",
        "minNotional",
        "minPrice",
        "minVolume",
        "minWithdrawal",
        "ms",
        "newDeviceDelayMs",
        "orderRate",
        "ordersPerTrade",
        "price",
        "probability",
        "rate",
        "referencePrice",
        "report",
        "seed",
        "share",
        "speed",
        "spread",
        "staticBand",
        "stepSize",
        "takerFee",
        "tickSize",
        "timeout",
        "trailingAmount",
        "trailingPercent",
        "triggerPrice",
        "typicalDepositMs",
        "upTo",
        "volatility",
        "withdrawal",
        "withdrawalFee",
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
GET_NETWORKS = Route(
    "GET",
    "/api/networks",
    models.NetworkList,
)
GET_FEE_SCHEDULE = Route(
    "GET",
    "/api/fees/schedule",
    models.GetFeeScheduleData,
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
GET_STATUS_HISTORY = Route(
    "GET",
    "/api/status/history",
    models.GetStatusHistoryData,
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
GET_LOG_HEAD = Route(
    "GET",
    "/api/log/head",
    models.GetLogHeadData,
)
LIST_PROOFS = Route(
    "GET",
    "/api/proofs",
    models.LiabilityProofList,
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
GET_PROFIT_AND_LOSS = Route(
    "GET",
    "/api/portfolio/profit-and-loss",
    models.ProfitAndLoss,
)
GET_FEES = Route(
    "GET",
    "/api/fees",
    models.GetFeesData,
)
GET_LIMITS = Route(
    "GET",
    "/api/limits",
    models.GetLimitsData,
)
GET_INCLUSION = Route(
    "GET",
    "/api/proofs/{id}/inclusion",
    models.GetInclusionData,
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
GET_ORDER_TIMELINE = Route(
    "GET",
    "/api/orders/{id}/timeline",
    models.GetOrderTimelineData,
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
GET_REFERRALS = Route(
    "GET",
    "/api/referrals",
    models.GetReferralsData,
)
CREATE_REPORT = Route(
    "POST",
    "/api/reports",
    models.Report,
)
LIST_REPORTS = Route(
    "GET",
    "/api/reports",
    models.ReportList,
)
GET_REPORT = Route(
    "GET",
    "/api/reports/{id}",
    models.Report,
)
DELETE_REPORT = Route(
    "DELETE",
    "/api/reports/{id}",
    models.Report,
)
LIST_DEPOSITS = Route(
    "GET",
    "/api/deposits",
    models.DepositPage,
)
LIST_WITHDRAWALS = Route(
    "GET",
    "/api/withdrawals",
    models.WithdrawalPage,
)
REQUEST_WITHDRAWAL = Route(
    "POST",
    "/api/withdrawals",
    models.RequestWithdrawalData,
)
LIST_DEPOSIT_ADDRESSES = Route(
    "GET",
    "/api/deposit-addresses",
    models.DepositAddressList,
)
REQUEST_DEPOSIT_ADDRESS = Route(
    "POST",
    "/api/deposit-addresses",
    models.RequestDepositAddressData,
)
LIST_WITHDRAWAL_ADDRESSES = Route(
    "GET",
    "/api/withdrawal-addresses",
    models.WithdrawalAddressList,
)
ADD_WITHDRAWAL_ADDRESS = Route(
    "POST",
    "/api/withdrawal-addresses",
    models.AddWithdrawalAddressData,
)
RENAME_WITHDRAWAL_ADDRESS = Route(
    "PATCH",
    "/api/withdrawal-addresses/{id}",
    models.WithdrawalAddressData,
)
REMOVE_WITHDRAWAL_ADDRESS = Route(
    "DELETE",
    "/api/withdrawal-addresses/{id}",
    models.WithdrawalAddressData,
)
CANCEL_WITHDRAWAL = Route(
    "DELETE",
    "/api/withdrawals/{id}",
    models.WithdrawalData,
)
LIST_GROUP = Route(
    "GET",
    "/api/accounts",
    models.GroupAccountList,
)
CREATE_SUB_ACCOUNT = Route(
    "POST",
    "/api/accounts",
    models.CreateSubAccountData,
)
CHANGE_SUB_ACCOUNT = Route(
    "PATCH",
    "/api/accounts/{id}",
    models.GroupAccountData,
)
LIST_INTERNAL_TRANSFERS = Route(
    "GET",
    "/api/transfers",
    models.InternalTransferPage,
)
TRANSFER_INTERNALLY = Route(
    "POST",
    "/api/transfers",
    models.TransferInternallyData,
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
LIST_WEBHOOKS = Route(
    "GET",
    "/api/webhooks",
    models.WebhookList,
)
CREATE_WEBHOOK = Route(
    "POST",
    "/api/webhooks",
    models.CreateWebhookData,
)
CHANGE_WEBHOOK = Route(
    "PATCH",
    "/api/webhooks/{id}",
    models.WebhookData,
)
DELETE_WEBHOOK = Route(
    "DELETE",
    "/api/webhooks/{id}",
    models.WebhookData,
)
GET_WEBHOOK_SECRET = Route(
    "POST",
    "/api/webhooks/{id}/secret",
    models.CreateWebhookData,
)
TEST_WEBHOOK = Route(
    "POST",
    "/api/webhooks/{id}/test",
    models.DeliveryData,
)
LIST_DELIVERIES = Route(
    "GET",
    "/api/webhooks/{id}/deliveries",
    models.DeliveryList,
)
LIST_PRICE_ALERTS = Route(
    "GET",
    "/api/alerts",
    models.PriceAlertList,
)
CREATE_PRICE_ALERT = Route(
    "POST",
    "/api/alerts",
    models.PriceAlertData,
)
DELETE_PRICE_ALERT = Route(
    "DELETE",
    "/api/alerts/{id}",
    models.PriceAlertData,
)
LIST_NOTICES = Route(
    "GET",
    "/api/notices",
    models.ListNoticesData,
)
MARK_NOTICES_READ = Route(
    "POST",
    "/api/notices/read",
    models.MarkNoticesReadData,
)
LIST_ACCOUNTS = Route(
    "GET",
    "/api/admin/accounts",
    models.ListAccountsData,
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
LIST_ACCOUNT_ORDERS = Route(
    "GET",
    "/api/admin/accounts/{id}/orders",
    models.OperatorOrderPage,
)
CANCEL_ORDERS_OF = Route(
    "DELETE",
    "/api/admin/accounts/{id}/orders",
    models.OperatorOrderList,
)
GET_ACCOUNT_ORDER = Route(
    "GET",
    "/api/admin/accounts/{id}/orders/{orderId}",
    models.OperatorOrder,
)
GET_ACCOUNT_ORDER_TIMELINE = Route(
    "GET",
    "/api/admin/accounts/{id}/orders/{orderId}/timeline",
    models.GetOrderTimelineData,
)
GET_ACCOUNT_FILLS = Route(
    "GET",
    "/api/admin/accounts/{id}/fills",
    models.FillPage,
)
GET_ACCOUNT_LEDGER = Route(
    "GET",
    "/api/admin/accounts/{id}/ledger",
    models.LedgerEntryPage,
)
LIST_ACCOUNT_WITHDRAWAL_ADDRESSES = Route(
    "GET",
    "/api/admin/accounts/{id}/withdrawal-addresses",
    models.WithdrawalAddressList,
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
CHANGE_KEY = Route(
    "PATCH",
    "/api/admin/accounts/{id}/keys/{apiKey}",
    models.ApiKeyData,
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
LIST_ACCOUNT_SESSIONS = Route(
    "GET",
    "/api/admin/accounts/{id}/sessions",
    models.UserSessionList,
)
END_ACCOUNT_SESSION = Route(
    "DELETE",
    "/api/admin/accounts/{id}/sessions/{sessionId}",
    models.UserSessionList,
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
GET_FEE_PROGRAMS = Route(
    "GET",
    "/api/admin/fee-programs",
    models.GetFeeProgramsData,
)
SET_FEE_DISCOUNT = Route(
    "POST",
    "/api/admin/fee-discount",
    models.GetFeeProgramsData,
)
SET_REFERRAL_SHARE = Route(
    "POST",
    "/api/admin/referral-share",
    models.GetFeeProgramsData,
)
GET_TRADING_LIMITS = Route(
    "GET",
    "/api/admin/trading-limits",
    models.TradingLimitsData,
)
SET_TRADING_LIMITS = Route(
    "POST",
    "/api/admin/trading-limits",
    models.TradingLimitsData,
)
SET_ACCOUNT_TRADING_LIMITS = Route(
    "POST",
    "/api/admin/accounts/{id}/trading-limits",
    models.TradingLimitsData,
)
SET_TRADING_STATUS = Route(
    "POST",
    "/api/admin/trading-status",
    models.SetTradingStatusData,
)
SCHEDULE_MAINTENANCE = Route(
    "POST",
    "/api/admin/maintenance",
    models.SetTradingStatusData,
)
CANCEL_MAINTENANCE = Route(
    "POST",
    "/api/admin/maintenance/cancel",
    models.SetTradingStatusData,
)
ANNOUNCE = Route(
    "POST",
    "/api/admin/announcements",
    models.SetTradingStatusData,
)
WITHDRAW_ANNOUNCEMENT = Route(
    "DELETE",
    "/api/admin/announcements/{id}",
    models.SetTradingStatusData,
)
LIST_TRADE_BUSTS = Route(
    "GET",
    "/api/admin/trade-busts",
    models.BustedTradeList,
)
BUST_TRADE = Route(
    "POST",
    "/api/admin/trade-busts",
    models.BustedTradeData,
)
CREATE_TRANSFER = Route(
    "POST",
    "/api/admin/transfers",
    models.CreateTransferData,
)
GET_CUSTODIAN = Route(
    "GET",
    "/api/admin/custodian",
    models.GetCustodianData,
)
SET_NETWORK = Route(
    "POST",
    "/api/admin/networks",
    models.SetNetworkData,
)
SET_CUSTODIAN_KEY = Route(
    "POST",
    "/api/admin/custodian-key",
    models.SetCustodianKeyData,
)
LIST_DEPOSITS_IN_REVIEW = Route(
    "GET",
    "/api/admin/deposits",
    models.DepositList,
)
LIST_ALL_DEPOSITS = Route(
    "GET",
    "/api/admin/deposits/history",
    models.DepositPage,
)
RESOLVE_DEPOSIT = Route(
    "POST",
    "/api/admin/deposits/{id}/resolve",
    models.DepositData,
)
LIST_WITHDRAWALS_TO_APPROVE = Route(
    "GET",
    "/api/admin/withdrawals",
    models.ListWithdrawalsToApproveData,
)
LIST_ALL_WITHDRAWALS = Route(
    "GET",
    "/api/admin/withdrawals/history",
    models.WithdrawalPage,
)
APPROVE_WITHDRAWAL = Route(
    "POST",
    "/api/admin/withdrawals/{id}/approve",
    models.WithdrawalData,
)
REJECT_WITHDRAWAL = Route(
    "POST",
    "/api/admin/withdrawals/{id}/reject",
    models.WithdrawalData,
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
    models.OperatorMarketList,
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
GET_ACCOUNT_TIMELINE = Route(
    "GET",
    "/api/admin/accounts/{id}/timeline",
    models.GetAccountTimelineData,
)
LIST_NOTES = Route(
    "GET",
    "/api/admin/accounts/{id}/notes",
    models.NoteList,
)
ADD_NOTE = Route(
    "POST",
    "/api/admin/accounts/{id}/notes",
    models.NoteData,
)
REMOVE_NOTE = Route(
    "DELETE",
    "/api/admin/accounts/{id}/notes/{noteId}",
    models.NoteData,
)
GET_ROLES = Route(
    "GET",
    "/api/admin/roles",
    models.GetRolesData,
)
LIST_APPROVALS = Route(
    "GET",
    "/api/admin/approvals",
    models.ListApprovalsData,
)
APPROVE_REQUEST = Route(
    "POST",
    "/api/admin/approvals/{id}/approve",
    models.ApprovalData,
)
REJECT_REQUEST = Route(
    "POST",
    "/api/admin/approvals/{id}/reject",
    models.ApprovalData,
)
GET_APPROVAL_POLICY = Route(
    "GET",
    "/api/admin/approval-policy",
    models.ApprovalPolicyData,
)
SET_APPROVAL_POLICY = Route(
    "POST",
    "/api/admin/approval-policy",
    models.ApprovalPolicyData,
)
SEARCH_ALL = Route(
    "GET",
    "/api/admin/search",
    models.SearchResultList,
)
GET_DASHBOARD = Route(
    "GET",
    "/api/admin/dashboard",
    models.GetDashboardData,
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
MAKE_PROOF = Route(
    "POST",
    "/api/admin/proofs",
    models.LiabilityProof,
)
GET_AUDIT = Route(
    "GET",
    "/api/admin/audit",
    models.AuditEntryPage,
)
LIST_SURVEILLANCE_ALERTS = Route(
    "GET",
    "/api/admin/alerts",
    models.ListSurveillanceAlertsData,
)
GET_SURVEILLANCE_ALERT = Route(
    "GET",
    "/api/admin/alerts/{id}",
    models.GetSurveillanceAlertData,
)
REVIEW_ALERT = Route(
    "PATCH",
    "/api/admin/alerts/{id}",
    models.GetSurveillanceAlertData,
)
GET_ALERT_ACTIVITY = Route(
    "GET",
    "/api/admin/alerts/{id}/activity",
    models.GetAlertActivityData,
)
GET_USER_AUDIT = Route(
    "GET",
    "/api/admin/audit/users",
    models.UserEntryPage,
)
CREATE_ACCOUNT_REPORT = Route(
    "POST",
    "/api/admin/reports",
    models.Report,
)
LIST_ALL_REPORTS = Route(
    "GET",
    "/api/admin/reports",
    models.ReportList,
)
GET_ANY_REPORT = Route(
    "GET",
    "/api/admin/reports/{id}",
    models.Report,
)
DELETE_ANY_REPORT = Route(
    "DELETE",
    "/api/admin/reports/{id}",
    models.Report,
)
GET_SANDBOX_CLOCK = Route(
    "GET",
    "/api/sandbox/clock",
    models.GetSandboxClockData,
)
SET_SANDBOX_CLOCK = Route(
    "POST",
    "/api/sandbox/clock",
    models.GetSandboxClockData,
)
GET_MAKERS = Route(
    "GET",
    "/api/sandbox/makers",
    models.GetMakersData,
)
CHANGE_MAKERS = Route(
    "POST",
    "/api/sandbox/makers",
    models.GetMakersData,
)
LIST_CHECKPOINTS = Route(
    "GET",
    "/api/sandbox/checkpoints",
    models.ListCheckpointsData,
)
CREATE_CHECKPOINT = Route(
    "POST",
    "/api/sandbox/checkpoints",
    models.CreateCheckpointData,
)
DELETE_CHECKPOINT = Route(
    "DELETE",
    "/api/sandbox/checkpoints/{name}",
    models.CreateCheckpointData,
)
RESTORE_CHECKPOINT = Route(
    "POST",
    "/api/sandbox/restore",
    models.CreateCheckpointData,
)
ADD_FAULTS = Route(
    "POST",
    "/api/sandbox/faults",
    models.AddFaultsData,
)
LIST_FAULTS = Route(
    "GET",
    "/api/sandbox/faults",
    models.ListFaultsData,
)
REMOVE_FAULTS = Route(
    "DELETE",
    "/api/sandbox/faults",
    models.RemoveFaultsData,
)
GET_RECORDINGS = Route(
    "GET",
    "/api/sandbox/recordings",
    models.GetRecordingsData,
)
