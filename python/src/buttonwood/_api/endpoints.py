# Generated from the OpenAPI document by `npm run generate`. Do not edit.
"""A method for each endpoint."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Literal

from .._types import OMITTED, DeadlineTime, Number, Omitted, Result, Route, Time
from ..models import (
    Account,
    AccountData,
    AddFaultsData,
    AddFaultsFault,
    AddWithdrawalAddressData,
    ApiKeyData,
    ApiKeyPage,
    ApprovalData,
    ApprovalPolicyData,
    AssetData,
    AssetList,
    AuditEntryPage,
    BalanceList,
    BustedTradeData,
    BustedTradeList,
    CandleList,
    ChangeMakersMove,
    ChangeMarketData,
    CreateAccountData,
    CreateCheckpointData,
    CreateKeyData,
    CreateSubAccountData,
    CreateTransferData,
    CreateWebhookData,
    DeadlineList,
    DeliveryData,
    DeliveryList,
    Deposit,
    DepositAddressList,
    DepositData,
    DepositList,
    DepositPage,
    Fee,
    FillPage,
    GetAccountTimelineData,
    GetAlertActivityData,
    GetClockData,
    GetCurrentKeyData,
    GetCustodianData,
    GetDashboardData,
    GetFeeProgramsData,
    GetFeeScheduleData,
    GetFeeTiersData,
    GetFeesData,
    GetInclusionData,
    GetLevel3Data,
    GetLimitsData,
    GetLogHeadData,
    GetMakersData,
    GetOrderTimelineData,
    GetOrderbookData,
    GetRecordingsData,
    GetReferralsData,
    GetRolesData,
    GetSandboxClockData,
    GetStateData,
    GetStatusData,
    GetStatusHistoryData,
    GetSurveillanceAlertData,
    GetTimeData,
    GroupAccountData,
    GroupAccountList,
    InternalTransferPage,
    InviteUserData,
    LedgerEntryPage,
    LiabilityProof,
    LiabilityProofList,
    ListAccountsData,
    ListApprovalsData,
    ListCheckpointsData,
    ListFaultsData,
    ListNoticesData,
    ListSurveillanceAlertsData,
    ListWithdrawalsToApproveData,
    MarkNoticesReadData,
    MarketData,
    MarketList,
    NetworkList,
    NoteData,
    NoteList,
    OperatorMarketList,
    OperatorOrder,
    OperatorOrderList,
    OperatorOrderPage,
    Order,
    OrderList,
    OrderPage,
    PlaceOrderAttached,
    PlaceOrderRequest,
    PlaceOrdersData,
    PlacePairStopLoss,
    PlacePairTakeProfit,
    PortfolioPointList,
    Price,
    PriceAlertData,
    PriceAlertList,
    PriceList,
    ProfitAndLoss,
    RemoveFaultsData,
    Report,
    ReportList,
    RequestDepositAddressData,
    RequestWithdrawalData,
    SearchResultList,
    SetCustodianKeyData,
    SetFeeTiersTier,
    SetNetworkData,
    SetTradingLimitsOpenNotional,
    SetTradingStatusData,
    TestOcoData,
    TestOrderData,
    TradePage,
    TradingLimitsData,
    TransferInternallyData,
    UpgradeData,
    UserEntryPage,
    UserList,
    UserSessionList,
    WebhookData,
    WebhookList,
    WithdrawalAddressData,
    WithdrawalAddressList,
    WithdrawalData,
    WithdrawalPage,
)
from . import routes


class Endpoints(ABC):
    """A method for each endpoint."""

    @abstractmethod
    def _call(
        self, route: Route[Result], parameters: dict[str, object], deadline: DeadlineTime | None = None
    ) -> Result: ...

    def get_markets(
        self,
        *,
        symbol: str | None = None,
    ) -> MarketList:
        """Markets, their rules and 24 h figures: `GET /api/markets`.

        Args:
            symbol: A market from GET /api/markets.
        """
        return self._call(
            routes.GET_MARKETS,
            {
                "symbol": symbol,
            },
        )

    def get_prices(
        self,
        *,
        symbol: str | None = None,
    ) -> PriceList:
        """Current prices and rolling 24 h figures: `GET /api/prices`.

        Args:
            symbol: A market from GET /api/markets.
        """
        return self._call(
            routes.GET_PRICES,
            {
                "symbol": symbol,
            },
        )

    def get_assets(
        self,
    ) -> AssetList:
        """All assets: `GET /api/assets`."""
        return self._call(
            routes.GET_ASSETS,
            {},
        )

    def get_networks(
        self,
    ) -> NetworkList:
        """Networks on which assets are deposited and withdrawn: `GET /api/networks`."""
        return self._call(
            routes.GET_NETWORKS,
            {},
        )

    def get_fee_schedule(
        self,
    ) -> GetFeeScheduleData:
        """The fee schedule: rates of the markets, fee tiers and discount: `GET /api/fees/schedule`."""
        return self._call(
            routes.GET_FEE_SCHEDULE,
            {},
        )

    def get_orderbook(
        self,
        *,
        symbol: str,
        depth: int | None = None,
        at: Time | None = None,
    ) -> GetOrderbookData:
        """A market's order book: `GET /api/orderbook`.

        Args:
            symbol: A market from GET /api/markets.
            depth: Maximum number of price levels per side.
            at: Show the data as it was at this moment: a position of the log (less than
                100000000000), or a time as ISO 8601 with a zone or in milliseconds since 1970. Only
                in the sandbox, and not over `/ws`.
        """
        return self._call(
            routes.GET_ORDERBOOK,
            {
                "symbol": symbol,
                "depth": depth,
                "at": at,
            },
        )

    def get_level3(
        self,
        *,
        symbol: str,
        limit: int | None = None,
        at: Time | None = None,
    ) -> GetLevel3Data:
        """A market's order book, order by order: `GET /api/level3`.

        Args:
            symbol: A market from GET /api/markets.
            limit: Maximum number of records per page.
            at: Show the data as it was at this moment: a position of the log (less than
                100000000000), or a time as ISO 8601 with a zone or in milliseconds since 1970. Only
                in the sandbox, and not over `/ws`.
        """
        return self._call(
            routes.GET_LEVEL3,
            {
                "symbol": symbol,
                "limit": limit,
                "at": at,
            },
        )

    def get_trades(
        self,
        *,
        symbol: str,
        aggregate: bool | None = None,
        from_id: str | None = None,
        since: Time | None = None,
        until: Time | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        sort: Literal["desc", "asc"] | None = None,
    ) -> TradePage:
        """A market's trades, newest first: `GET /api/trades`.

        Args:
            symbol: A market from GET /api/markets.
            aggregate: With `true` the trades of one order at one price are one record.
            from_id: Return only trades with this id or a higher one.
            since: Return only records from this time on. ISO 8601 with a zone, or milliseconds
                since 1970.
            until: Return only records up to this time. ISO 8601 with a zone, or milliseconds since
                1970.
            limit: Maximum number of records per page.
            cursor: The `nextCursor` of the previous page, unchanged, with the same parameters
                except `limit`.
            sort: `desc` for newest first, `asc` for oldest first.
        """
        return self._call(
            routes.GET_TRADES,
            {
                "symbol": symbol,
                "aggregate": aggregate,
                "fromId": from_id,
                "since": since,
                "until": until,
                "limit": limit,
                "cursor": cursor,
                "sort": sort,
            },
        )

    def get_candles(
        self,
        *,
        symbol: str,
        interval: Literal["1s", "1m", "3m", "5m", "15m", "30m", "1h", "2h", "4h", "6h", "8h", "12h", "1d", "3d", "1w", "1M"] | None = None,
        since: Time | None = None,
        until: Time | None = None,
        limit: int | None = None,
    ) -> CandleList:
        """A market's candles, oldest first: `GET /api/candles`.

        Args:
            symbol: A market from GET /api/markets.
            interval: Length of a candle.
            since: Return only records from this time on. ISO 8601 with a zone, or milliseconds
                since 1970.
            until: Return only records up to this time. ISO 8601 with a zone, or milliseconds since
                1970.
            limit: Maximum number of records per page.
        """
        return self._call(
            routes.GET_CANDLES,
            {
                "symbol": symbol,
                "interval": interval,
                "since": since,
                "until": until,
                "limit": limit,
            },
        )

    def get_status_history(
        self,
    ) -> GetStatusHistoryData:
        """Incidents of the last 90 days, and response times: `GET /api/status/history`."""
        return self._call(
            routes.GET_STATUS_HISTORY,
            {},
        )

    def get_time(
        self,
    ) -> GetTimeData:
        """The server's clock: `GET /api/time`."""
        return self._call(
            routes.GET_TIME,
            {},
        )

    def get_status(
        self,
    ) -> GetStatusData:
        """Status, release, maintenance and announcements of the exchange: `GET /api/status`."""
        return self._call(
            routes.GET_STATUS,
            {},
        )

    def get_log_head(
        self,
    ) -> GetLogHeadData:
        """Position and chain hash of the log: `GET /api/log/head`."""
        return self._call(
            routes.GET_LOG_HEAD,
            {},
        )

    def list_proofs(
        self,
    ) -> LiabilityProofList:
        """The proofs of liabilities, newest first: `GET /api/proofs`."""
        return self._call(
            routes.LIST_PROOFS,
            {},
        )

    def get_balances(
        self,
        *,
        at: Time | None = None,
    ) -> BalanceList:
        """Balances of every asset that the account ever had: `GET /api/portfolio/balances`, `balances`.

        Args:
            at: Show the data as it was at this moment: a position of the log (less than
                100000000000), or a time as ISO 8601 with a zone or in milliseconds since 1970. Only
                in the sandbox, and not over `/ws`.
        """
        return self._call(
            routes.GET_BALANCES,
            {
                "at": at,
            },
        )

    def get_portfolio_history(
        self,
        *,
        interval: Literal["1s", "1m", "3m", "5m", "15m", "30m", "1h", "2h", "4h", "6h", "8h", "12h", "1d", "3d", "1w", "1M"] | None = None,
        since: Time | None = None,
        until: Time | None = None,
        limit: int | None = None,
        at: Time | None = None,
    ) -> PortfolioPointList:
        """The account's balances at the end of each interval, oldest first: `GET /api/portfolio/history`.

        Args:
            interval: Length of a candle.
            since: Return only records from this time on. ISO 8601 with a zone, or milliseconds
                since 1970.
            until: Return only records up to this time. ISO 8601 with a zone, or milliseconds since
                1970.
            limit: Maximum number of records per page.
            at: Show the data as it was at this moment: a position of the log (less than
                100000000000), or a time as ISO 8601 with a zone or in milliseconds since 1970. Only
                in the sandbox, and not over `/ws`.
        """
        return self._call(
            routes.GET_PORTFOLIO_HISTORY,
            {
                "interval": interval,
                "since": since,
                "until": until,
                "limit": limit,
                "at": at,
            },
        )

    def get_profit_and_loss(
        self,
        *,
        quote: str | None = None,
        method: Literal["fifo", "average"] | None = None,
        interval: Literal["1s", "1m", "3m", "5m", "15m", "30m", "1h", "2h", "4h", "6h", "8h", "12h", "1d", "3d", "1w", "1M"] | None = None,
        since: Time | None = None,
        until: Time | None = None,
        limit: int | None = None,
    ) -> ProfitAndLoss:
        """The account's profit and loss: costs, realized and unrealized gains, and return: `GET /api/portfolio/profit-and-loss`.

        Args:
            quote: The asset in which values are; default: the quote asset of the first market.
            method: The method by which costs are found: `fifo` sells the oldest units first,
                `average` pools them.
            interval: Length of a candle.
            since: Return only records from this time on. ISO 8601 with a zone, or milliseconds
                since 1970.
            until: Return only records up to this time. ISO 8601 with a zone, or milliseconds since
                1970.
            limit: Maximum number of records per page.
        """
        return self._call(
            routes.GET_PROFIT_AND_LOSS,
            {
                "quote": quote,
                "method": method,
                "interval": interval,
                "since": since,
                "until": until,
                "limit": limit,
            },
        )

    def get_fees(
        self,
        *,
        symbol: str | None = None,
    ) -> GetFeesData:
        """The account's fee rates, fee tier and discount: `GET /api/fees`.

        Args:
            symbol: A market from GET /api/markets.
        """
        return self._call(
            routes.GET_FEES,
            {
                "symbol": symbol,
            },
        )

    def get_limits(
        self,
    ) -> GetLimitsData:
        """Limits of the account, and what is used of them: `GET /api/limits`."""
        return self._call(
            routes.GET_LIMITS,
            {},
        )

    def get_inclusion(
        self,
        *,
        id: str,
    ) -> GetInclusionData:
        """Proof that the account's balances are in a proof of liabilities: `GET /api/proofs/{id}/inclusion`.

        Args:
            id: The `id` of a proof of liabilities.
        """
        return self._call(
            routes.GET_INCLUSION,
            {
                "id": id,
            },
        )

    def place_order(
        self,
        *,
        symbol: str,
        side: Literal["buy", "sell"],
        type: Literal["limit", "market", "stop", "stop_limit", "take_profit", "take_profit_limit", "trailing_stop"],
        amount: Number | None | Omitted = OMITTED,
        price: Number | None | Omitted = OMITTED,
        trigger_price: Number | None | Omitted = OMITTED,
        trailing_amount: Number | None | Omitted = OMITTED,
        trailing_percent: Number | None | Omitted = OMITTED,
        activation_price: Number | None | Omitted = OMITTED,
        display_amount: Number | None | Omitted = OMITTED,
        cost: Number | None | Omitted = OMITTED,
        attached: PlaceOrderAttached | None | Omitted = OMITTED,
        time_in_force: Literal["GTC", "IOC", "FOK", "GTD"] | None | Omitted = OMITTED,
        expires_at: Time | None | Omitted = OMITTED,
        post_only: bool | None | Omitted = OMITTED,
        client_order_id: str | None | Omitted = OMITTED,
        self_trade_prevention: Literal["expire_maker", "expire_taker", "expire_both", "decrement"] | None | Omitted = OMITTED,
        return_fills: bool | None | Omitted = OMITTED,
        return_receipt: bool | None | Omitted = OMITTED,
        deadline: DeadlineTime | None = None,
    ) -> Order:
        """Place an order: `POST /api/orders`, `order.place`.

        Args:
            symbol: A market from GET /api/markets.
            side: Whether to buy or sell the base asset.
            type: A limit order needs a `price`. A market order matches the book within the price
                band of the market (`collar`). Stop and take-profit orders are pending until the
                last price reaches `triggerPrice`. The trigger of a trailing stop follows the best
                last price since its placement.
            amount: Amount of the base asset, a multiple of the market's `stepSize`. Not together
                with `cost`.
            price: Limit price, a multiple of the market's `tickSize`. Only for order types with a
                limit.
            trigger_price: Last price that triggers a stop or take-profit order, a multiple of
                `tickSize`.
            trailing_amount: Distance of the trigger of a trailing stop from the best last price, a
                multiple of `tickSize`.
            trailing_percent: The same distance in percent of the best last price, 0.01 to 50 with
                at most two decimals.
            activation_price: Last price from which a trailing stop trails: at or above it for a
                sell, at or below it for a buy. Default: it trails at once.
            display_amount: Amount of a limit order that the book shows (iceberg). The rest follows
                part by part, each at the end of the queue. At most 100 parts.
            cost: Quote asset to spend, or to receive for a sell, instead of `amount`. Only for
                market orders.
            attached: Take profit and stop loss for the filled amount, placed on the other side
                when this order ends with a fill; both together are an OCO order. With `side` and
                `amount`, orders that are placed when this one is filled completely (one triggers
                the other). Only for limit and market orders.
            time_in_force: Time in force. Default GTC; IOC for market orders.
            expires_at: Expiry of a GTD order: ISO 8601 with a zone, or milliseconds since 1970.
            post_only: Reject the order if it would match immediately. Default false.
            client_order_id: Your own id. A repeated request with the same id places no second
                order.
            self_trade_prevention: Handling of a match between two of your own orders. Default
                expire_maker.
            return_fills: Whether the response has the `fills` of the order, at most its first
                1,000. Default false.
            return_receipt: Whether the response has the `receipt` of the order. Default false.
            deadline: Time after which the exchange does not execute the request, at most a minute
                ahead: an aware datetime, or milliseconds since 1970.
        """
        return self._call(
            routes.PLACE_ORDER,
            {
                "symbol": symbol,
                "side": side,
                "type": type,
                "amount": amount,
                "price": price,
                "triggerPrice": trigger_price,
                "trailingAmount": trailing_amount,
                "trailingPercent": trailing_percent,
                "activationPrice": activation_price,
                "displayAmount": display_amount,
                "cost": cost,
                "attached": attached,
                "timeInForce": time_in_force,
                "expiresAt": expires_at,
                "postOnly": post_only,
                "clientOrderId": client_order_id,
                "selfTradePrevention": self_trade_prevention,
                "returnFills": return_fills,
                "returnReceipt": return_receipt,
            },
            deadline,
        )

    def list_orders(
        self,
        *,
        symbol: str | None = None,
        side: Literal["buy", "sell"] | None = None,
        status: Literal["open", "filled", "canceled", "expired", "rejected", "cancelled", "closed"] | None = None,
        client_order_id: str | None = None,
        since: Time | None = None,
        until: Time | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        sort: Literal["desc", "asc"] | None = None,
        at: Time | None = None,
    ) -> OrderPage:
        """The account's orders, newest first: `GET /api/orders`, `orders.open`.

        Args:
            symbol: A market from GET /api/markets.
            side: Return only orders of this side.
            status: Return only orders of this status. `closed` means any final status; `cancelled`
                is an alias of `canceled`.
            client_order_id: Return only the order with this client order id.
            since: Return only records from this time on. ISO 8601 with a zone, or milliseconds
                since 1970.
            until: Return only records up to this time. ISO 8601 with a zone, or milliseconds since
                1970.
            limit: Maximum number of records per page.
            cursor: The `nextCursor` of the previous page, unchanged, with the same parameters
                except `limit`.
            sort: `desc` for newest first, `asc` for oldest first.
            at: Show the data as it was at this moment: a position of the log (less than
                100000000000), or a time as ISO 8601 with a zone or in milliseconds since 1970. Only
                in the sandbox, and not over `/ws`.
        """
        return self._call(
            routes.LIST_ORDERS,
            {
                "symbol": symbol,
                "side": side,
                "status": status,
                "clientOrderId": client_order_id,
                "since": since,
                "until": until,
                "limit": limit,
                "cursor": cursor,
                "sort": sort,
                "at": at,
            },
        )

    def cancel_orders(
        self,
        *,
        symbol: str | None = None,
        ids: str | None = None,
        client_order_id: str | None = None,
        all: Literal[True] | None = None,
    ) -> OrderList:
        """Cancel several orders: `DELETE /api/orders`, `order.cancelAll`.

        Args:
            symbol: Cancel the open orders of this market.
            ids: Cancel the open orders with these ids, separated by commas.
            client_order_id: Cancel the open order with this client order id.
            all: Cancel all open orders.
        """
        return self._call(
            routes.CANCEL_ORDERS,
            {
                "symbol": symbol,
                "ids": ids,
                "clientOrderId": client_order_id,
                "all": all,
            },
        )

    def get_order(
        self,
        *,
        id: str,
        queue_ahead: bool | None = None,
        at: Time | None = None,
    ) -> Order:
        """One of the account's orders: `GET /api/orders/{id}`, `order.get`.

        Args:
            id: The `orderId` of an order of the account.
            queue_ahead: With `true` the response shows the amount that is ahead of the order in
                the queue.
            at: Show the data as it was at this moment: a position of the log (less than
                100000000000), or a time as ISO 8601 with a zone or in milliseconds since 1970. Only
                in the sandbox, and not over `/ws`.
        """
        return self._call(
            routes.GET_ORDER,
            {
                "id": id,
                "queueAhead": queue_ahead,
                "at": at,
            },
        )

    def cancel_order(
        self,
        *,
        id: str,
        return_receipt: bool | None = None,
    ) -> Order:
        """Cancel an open order: `DELETE /api/orders/{id}`, `order.cancel`.

        Args:
            id: The `orderId` of an order of the account.
            return_receipt: With `true` the response has the `receipt` of the place of this request
                in the log.
        """
        return self._call(
            routes.CANCEL_ORDER,
            {
                "id": id,
                "returnReceipt": return_receipt,
            },
        )

    def amend_order(
        self,
        *,
        id: str,
        amount: Number | None | Omitted = OMITTED,
        price: Number | None | Omitted = OMITTED,
        trigger_price: Number | None | Omitted = OMITTED,
        trailing_amount: Number | None | Omitted = OMITTED,
        trailing_percent: Number | None | Omitted = OMITTED,
        activation_price: Number | None | Omitted = OMITTED,
        display_amount: Number | None | Omitted = OMITTED,
        return_receipt: bool | None | Omitted = OMITTED,
        deadline: DeadlineTime | None = None,
    ) -> Order:
        """Amend an open order: `PATCH /api/orders/{id}`, `order.amend`.

        Args:
            id: The `orderId` of an order of the account.
            amount: The new total amount, including the filled amount.
            price: The new limit price.
            trigger_price: The new trigger price.
            trailing_amount: The new distance of a trailing stop, as a price.
            trailing_percent: The new distance of a trailing stop, in percent.
            activation_price: The new activation price of a trailing stop that does not trail yet.
            display_amount: Amount of a limit order that the book shows.
            return_receipt: Whether the response has the `receipt` of this change. Default false.
            deadline: Time after which the exchange does not execute the request, at most a minute
                ahead: an aware datetime, or milliseconds since 1970.
        """
        return self._call(
            routes.AMEND_ORDER,
            {
                "id": id,
                "amount": amount,
                "price": price,
                "triggerPrice": trigger_price,
                "trailingAmount": trailing_amount,
                "trailingPercent": trailing_percent,
                "activationPrice": activation_price,
                "displayAmount": display_amount,
                "returnReceipt": return_receipt,
            },
            deadline,
        )

    def get_order_timeline(
        self,
        *,
        id: str,
    ) -> GetOrderTimelineData:
        """The life of one of your orders: its events, its place in the queue, and why it has not filled: `GET /api/orders/{id}/timeline`.

        Args:
            id: The `orderId` of an order of the account.
        """
        return self._call(
            routes.GET_ORDER_TIMELINE,
            {
                "id": id,
            },
        )

    def get_fills(
        self,
        *,
        symbol: str | None = None,
        order_id: str | None = None,
        since: Time | None = None,
        until: Time | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        sort: Literal["desc", "asc"] | None = None,
    ) -> FillPage:
        """The account's fills, newest first: `GET /api/fills`.

        Args:
            symbol: A market from GET /api/markets.
            order_id: Return only records of this order.
            since: Return only records from this time on. ISO 8601 with a zone, or milliseconds
                since 1970.
            until: Return only records up to this time. ISO 8601 with a zone, or milliseconds since
                1970.
            limit: Maximum number of records per page.
            cursor: The `nextCursor` of the previous page, unchanged, with the same parameters
                except `limit`.
            sort: `desc` for newest first, `asc` for oldest first.
        """
        return self._call(
            routes.GET_FILLS,
            {
                "symbol": symbol,
                "orderId": order_id,
                "since": since,
                "until": until,
                "limit": limit,
                "cursor": cursor,
                "sort": sort,
            },
        )

    def get_ledger(
        self,
        *,
        asset: str | None = None,
        order_id: str | None = None,
        type: Literal["trade", "fee", "hold", "release", "transfer", "deposit", "withdrawal", "withdrawal_fee", "custody_hold", "custody_release", "internal_transfer", "trade_bust", "trade_bust_fee", "rebate", "referral"] | None = None,
        since: Time | None = None,
        until: Time | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        sort: Literal["desc", "asc"] | None = None,
    ) -> LedgerEntryPage:
        """Every change of the account's available balances, newest first: `GET /api/ledger`.

        Args:
            asset: An asset from GET /api/assets.
            order_id: Return only records of this order.
            type: Return only entries of this type.
            since: Return only records from this time on. ISO 8601 with a zone, or milliseconds
                since 1970.
            until: Return only records up to this time. ISO 8601 with a zone, or milliseconds since
                1970.
            limit: Maximum number of records per page.
            cursor: The `nextCursor` of the previous page, unchanged, with the same parameters
                except `limit`.
            sort: `desc` for newest first, `asc` for oldest first.
        """
        return self._call(
            routes.GET_LEDGER,
            {
                "asset": asset,
                "orderId": order_id,
                "type": type,
                "since": since,
                "until": until,
                "limit": limit,
                "cursor": cursor,
                "sort": sort,
            },
        )

    def get_referrals(
        self,
        *,
        since: Time | None = None,
        until: Time | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        sort: Literal["desc", "asc"] | None = None,
    ) -> GetReferralsData:
        """What the account earned by referring others, newest first: `GET /api/referrals`.

        Args:
            since: Return only records from this time on. ISO 8601 with a zone, or milliseconds
                since 1970.
            until: Return only records up to this time. ISO 8601 with a zone, or milliseconds since
                1970.
            limit: Maximum number of records per page.
            cursor: The `nextCursor` of the previous page, unchanged, with the same parameters
                except `limit`.
            sort: `desc` for newest first, `asc` for oldest first.
        """
        return self._call(
            routes.GET_REFERRALS,
            {
                "since": since,
                "until": until,
                "limit": limit,
                "cursor": cursor,
                "sort": sort,
            },
        )

    def create_report(
        self,
        *,
        kind: Literal["orders", "fills", "ledger", "statement", "deposits", "withdrawals", "tax_fifo", "tax_average"],
        format: Literal["csv", "json", "html"],
        from_: Time,
        to: Time | None | Omitted = OMITTED,
    ) -> Report:
        """Create a report of orders, fills, the ledger, deposits, withdrawals or gains, or a statement: `POST /api/reports`.

        Args:
            kind: The records that the report lists.
            format: A statement is `html`, for printing, or `json`; all others are `csv` or `json`.
            from_: Beginning of the period.
            to: End of the period, which is not included; default: now.
        """
        return self._call(
            routes.CREATE_REPORT,
            {
                "kind": kind,
                "format": format,
                "from": from_,
                "to": to,
            },
        )

    def list_reports(
        self,
    ) -> ReportList:
        """Reports of the account, newest first: `GET /api/reports`."""
        return self._call(
            routes.LIST_REPORTS,
            {},
        )

    def get_report(
        self,
        *,
        id: str,
    ) -> Report:
        """A report and its progress: `GET /api/reports/{id}`.

        Args:
            id: The `reportId` of a report.
        """
        return self._call(
            routes.GET_REPORT,
            {
                "id": id,
            },
        )

    def delete_report(
        self,
        *,
        id: str,
    ) -> Report:
        """Remove a report and its file: `DELETE /api/reports/{id}`.

        Args:
            id: The `reportId` of a report.
        """
        return self._call(
            routes.DELETE_REPORT,
            {
                "id": id,
            },
        )

    def list_deposits(
        self,
        *,
        since: Time | None = None,
        until: Time | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        sort: Literal["desc", "asc"] | None = None,
    ) -> DepositPage:
        """Deposits of the account, newest first: `GET /api/deposits`.

        Args:
            since: Return only records from this time on. ISO 8601 with a zone, or milliseconds
                since 1970.
            until: Return only records up to this time. ISO 8601 with a zone, or milliseconds since
                1970.
            limit: Maximum number of records per page.
            cursor: The `nextCursor` of the previous page, unchanged, with the same parameters
                except `limit`.
            sort: `desc` for newest first, `asc` for oldest first.
        """
        return self._call(
            routes.LIST_DEPOSITS,
            {
                "since": since,
                "until": until,
                "limit": limit,
                "cursor": cursor,
                "sort": sort,
            },
        )

    def list_withdrawals(
        self,
        *,
        since: Time | None = None,
        until: Time | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        sort: Literal["desc", "asc"] | None = None,
    ) -> WithdrawalPage:
        """Withdrawals of the account, newest first: `GET /api/withdrawals`.

        Args:
            since: Return only records from this time on. ISO 8601 with a zone, or milliseconds
                since 1970.
            until: Return only records up to this time. ISO 8601 with a zone, or milliseconds since
                1970.
            limit: Maximum number of records per page.
            cursor: The `nextCursor` of the previous page, unchanged, with the same parameters
                except `limit`.
            sort: `desc` for newest first, `asc` for oldest first.
        """
        return self._call(
            routes.LIST_WITHDRAWALS,
            {
                "since": since,
                "until": until,
                "limit": limit,
                "cursor": cursor,
                "sort": sort,
            },
        )

    def request_withdrawal(
        self,
        *,
        address_id: str,
        amount: Number,
        client_id: str | None | Omitted = OMITTED,
        password: str | None | Omitted = OMITTED,
        code: str | None | Omitted = OMITTED,
    ) -> RequestWithdrawalData:
        """Withdraw to an address of the address book: `POST /api/withdrawals`.

        Args:
            address_id: The `id` of an address of the address book.
            amount: The amount that arrives; the fee is paid in addition.
            client_id: Your id of the withdrawal: repeating the request returns the first one.
            password: Your password, required with a session unless you have turned on 2FA.
            code: A 2FA code, required with a session if you have turned on 2FA.
        """
        return self._call(
            routes.REQUEST_WITHDRAWAL,
            {
                "addressId": address_id,
                "amount": amount,
                "clientId": client_id,
                "password": password,
                "code": code,
            },
        )

    def list_deposit_addresses(
        self,
    ) -> DepositAddressList:
        """Deposit addresses of the account: `GET /api/deposit-addresses`."""
        return self._call(
            routes.LIST_DEPOSIT_ADDRESSES,
            {},
        )

    def request_deposit_address(
        self,
        *,
        asset: str,
        network: str,
    ) -> RequestDepositAddressData:
        """Ask for a deposit address: `POST /api/deposit-addresses`.

        Args:
            asset: An asset with networks.
            network: A network of the asset, from GET /api/networks.
        """
        return self._call(
            routes.REQUEST_DEPOSIT_ADDRESS,
            {
                "asset": asset,
                "network": network,
            },
        )

    def list_withdrawal_addresses(
        self,
    ) -> WithdrawalAddressList:
        """Address book: the addresses to which the account may withdraw: `GET /api/withdrawal-addresses`."""
        return self._call(
            routes.LIST_WITHDRAWAL_ADDRESSES,
            {},
        )

    def add_withdrawal_address(
        self,
        *,
        asset: str,
        network: str,
        address: str,
        memo: str | None | Omitted = OMITTED,
        label: str | None | Omitted = OMITTED,
        password: str | None | Omitted = OMITTED,
        code: str | None | Omitted = OMITTED,
    ) -> AddWithdrawalAddressData:
        """Add an address to the address book: `POST /api/withdrawal-addresses`.

        Args:
            asset: An asset with networks.
            network: A network of the asset, from GET /api/networks.
            address: Address on the network.
            memo: Memo or tag; see the memo rule of the network.
            label: A name for the address. Also names a known address.
            password: Your password, required with a session unless you have turned on 2FA.
            code: A 2FA code, required with a session if you have turned on 2FA.
        """
        return self._call(
            routes.ADD_WITHDRAWAL_ADDRESS,
            {
                "asset": asset,
                "network": network,
                "address": address,
                "memo": memo,
                "label": label,
                "password": password,
                "code": code,
            },
        )

    def rename_withdrawal_address(
        self,
        *,
        id: str,
        label: str,
    ) -> WithdrawalAddressData:
        """Name an address of the address book: `PATCH /api/withdrawal-addresses/{id}`.

        Args:
            id: The `id` of an address of the address book.
            label: The new name; blank to remove it.
        """
        return self._call(
            routes.RENAME_WITHDRAWAL_ADDRESS,
            {
                "id": id,
                "label": label,
            },
        )

    def remove_withdrawal_address(
        self,
        *,
        id: str,
    ) -> WithdrawalAddressData:
        """Remove an address from the address book: `DELETE /api/withdrawal-addresses/{id}`.

        Args:
            id: The `id` of an address of the address book.
        """
        return self._call(
            routes.REMOVE_WITHDRAWAL_ADDRESS,
            {
                "id": id,
            },
        )

    def cancel_withdrawal(
        self,
        *,
        id: str,
    ) -> WithdrawalData:
        """Cancel a withdrawal: `DELETE /api/withdrawals/{id}`.

        Args:
            id: The `id` of a withdrawal.
        """
        return self._call(
            routes.CANCEL_WITHDRAWAL,
            {
                "id": id,
            },
        )

    def list_group(
        self,
    ) -> GroupAccountList:
        """The main account and its sub-accounts, with their balances: `GET /api/accounts`."""
        return self._call(
            routes.LIST_GROUP,
            {},
        )

    def create_sub_account(
        self,
        *,
        name: str,
    ) -> CreateSubAccountData:
        """Open a sub-account: `POST /api/accounts`.

        Args:
            name: Name of the sub-account, 1 to 50 characters, unique among yours.
        """
        return self._call(
            routes.CREATE_SUB_ACCOUNT,
            {
                "name": name,
            },
        )

    def change_sub_account(
        self,
        *,
        id: str,
        name: str | None | Omitted = OMITTED,
        closed: bool | None | Omitted = OMITTED,
    ) -> GroupAccountData:
        """Rename, close or reopen a sub-account: `PATCH /api/accounts/{id}`.

        Args:
            id: The account id.
            name: New name of the sub-account, 1 to 50 characters, unique among yours.
            closed: True closes the sub-account, false reopens it.
        """
        return self._call(
            routes.CHANGE_SUB_ACCOUNT,
            {
                "id": id,
                "name": name,
                "closed": closed,
            },
        )

    def list_internal_transfers(
        self,
        *,
        since: Time | None = None,
        until: Time | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        sort: Literal["desc", "asc"] | None = None,
    ) -> InternalTransferPage:
        """Transfers from and to the account, newest first: `GET /api/transfers`.

        Args:
            since: Return only records from this time on. ISO 8601 with a zone, or milliseconds
                since 1970.
            until: Return only records up to this time. ISO 8601 with a zone, or milliseconds since
                1970.
            limit: Maximum number of records per page.
            cursor: The `nextCursor` of the previous page, unchanged, with the same parameters
                except `limit`.
            sort: `desc` for newest first, `asc` for oldest first.
        """
        return self._call(
            routes.LIST_INTERNAL_TRANSFERS,
            {
                "since": since,
                "until": until,
                "limit": limit,
                "cursor": cursor,
                "sort": sort,
            },
        )

    def transfer_internally(
        self,
        *,
        to: str,
        asset: str,
        amount: Number,
        from_: str | None | Omitted = OMITTED,
        client_id: str | None | Omitted = OMITTED,
        password: str | None | Omitted = OMITTED,
        code: str | None | Omitted = OMITTED,
    ) -> TransferInternallyData:
        """Move money to another account: `POST /api/transfers`.

        Args:
            to: The account that receives: an account id, or the email of a user.
            asset: An asset from GET /api/assets.
            amount: Amount; without a fee.
            from_: The account that sends: by default that of the request. A main account may name
                one of its sub-accounts.
            client_id: Your id of the transfer: repeating the request returns the first one.
            password: Your password, required with a session unless you have turned on 2FA.
            code: A 2FA code, required with a session if you have turned on 2FA.
        """
        return self._call(
            routes.TRANSFER_INTERNALLY,
            {
                "to": to,
                "asset": asset,
                "amount": amount,
                "from": from_,
                "clientId": client_id,
                "password": password,
                "code": code,
            },
        )

    def place_orders(
        self,
        *,
        orders: Sequence[PlaceOrderRequest],
        deadline: DeadlineTime | None = None,
    ) -> PlaceOrdersData:
        """Place several orders in one request: `POST /api/orders/batch`, `order.batch`.

        Args:
            deadline: Time after which the exchange does not execute the request, at most a minute
                ahead: an aware datetime, or milliseconds since 1970.
        """
        return self._call(
            routes.PLACE_ORDERS,
            {
                "orders": orders,
            },
            deadline,
        )

    def place_pair(
        self,
        *,
        symbol: str,
        side: Literal["buy", "sell"],
        amount: Number,
        take_profit: PlacePairTakeProfit,
        stop_loss: PlacePairStopLoss,
        expires_at: Time | None | Omitted = OMITTED,
        client_order_id: str | None | Omitted = OMITTED,
        self_trade_prevention: Literal["expire_maker", "expire_taker", "expire_both", "decrement"] | None | Omitted = OMITTED,
        return_fills: bool | None | Omitted = OMITTED,
        return_receipt: bool | None | Omitted = OMITTED,
        deadline: DeadlineTime | None = None,
    ) -> OrderList:
        """Place an OCO order (one cancels the other): `POST /api/orders/oco`, `order.oco`.

        Args:
            symbol: A market from GET /api/markets.
            side: Whether to buy or sell the base asset.
            amount: Amount of the base asset, a multiple of the market's `stepSize`.
            take_profit: With only `price` a post-only limit order, which `displayAmount` makes an
                iceberg, else a take profit.
            stop_loss: A stop; with `price` a stop_limit; with `trailingAmount` or
                `trailingPercent` a trailing stop.
            expires_at: Expiry of a GTD order: ISO 8601 with a zone, or milliseconds since 1970.
            client_order_id: Your own id. A repeated request with the same id places no second
                order.
            self_trade_prevention: Handling of a match between two of your own orders. Default
                expire_maker.
            return_fills: Whether each order has its `fills`, at most its first 1,000. New orders
                have none; those of a repeated request may. Default false.
            return_receipt: Whether each order has the `receipt` of their place in the log. Default
                false.
            deadline: Time after which the exchange does not execute the request, at most a minute
                ahead: an aware datetime, or milliseconds since 1970.
        """
        return self._call(
            routes.PLACE_PAIR,
            {
                "symbol": symbol,
                "side": side,
                "amount": amount,
                "takeProfit": take_profit,
                "stopLoss": stop_loss,
                "expiresAt": expires_at,
                "clientOrderId": client_order_id,
                "selfTradePrevention": self_trade_prevention,
                "returnFills": return_fills,
                "returnReceipt": return_receipt,
            },
            deadline,
        )

    def test_order(
        self,
        *,
        symbol: str,
        side: Literal["buy", "sell"],
        type: Literal["limit", "market", "stop", "stop_limit", "take_profit", "take_profit_limit", "trailing_stop"],
        amount: Number | None | Omitted = OMITTED,
        price: Number | None | Omitted = OMITTED,
        trigger_price: Number | None | Omitted = OMITTED,
        trailing_amount: Number | None | Omitted = OMITTED,
        trailing_percent: Number | None | Omitted = OMITTED,
        activation_price: Number | None | Omitted = OMITTED,
        display_amount: Number | None | Omitted = OMITTED,
        cost: Number | None | Omitted = OMITTED,
        attached: PlaceOrderAttached | None | Omitted = OMITTED,
        time_in_force: Literal["GTC", "IOC", "FOK", "GTD"] | None | Omitted = OMITTED,
        expires_at: Time | None | Omitted = OMITTED,
        post_only: bool | None | Omitted = OMITTED,
        client_order_id: str | None | Omitted = OMITTED,
        self_trade_prevention: Literal["expire_maker", "expire_taker", "expire_both", "decrement"] | None | Omitted = OMITTED,
        return_fills: bool | None | Omitted = OMITTED,
        return_receipt: bool | None | Omitted = OMITTED,
    ) -> TestOrderData:
        """Test an order without placing it: `POST /api/orders/test`, `order.test`.

        Args:
            symbol: A market from GET /api/markets.
            side: Whether to buy or sell the base asset.
            type: A limit order needs a `price`. A market order matches the book within the price
                band of the market (`collar`). Stop and take-profit orders are pending until the
                last price reaches `triggerPrice`. The trigger of a trailing stop follows the best
                last price since its placement.
            amount: Amount of the base asset, a multiple of the market's `stepSize`. Not together
                with `cost`.
            price: Limit price, a multiple of the market's `tickSize`. Only for order types with a
                limit.
            trigger_price: Last price that triggers a stop or take-profit order, a multiple of
                `tickSize`.
            trailing_amount: Distance of the trigger of a trailing stop from the best last price, a
                multiple of `tickSize`.
            trailing_percent: The same distance in percent of the best last price, 0.01 to 50 with
                at most two decimals.
            activation_price: Last price from which a trailing stop trails: at or above it for a
                sell, at or below it for a buy. Default: it trails at once.
            display_amount: Amount of a limit order that the book shows (iceberg). The rest follows
                part by part, each at the end of the queue. At most 100 parts.
            cost: Quote asset to spend, or to receive for a sell, instead of `amount`. Only for
                market orders.
            attached: Take profit and stop loss for the filled amount, placed on the other side
                when this order ends with a fill; both together are an OCO order. With `side` and
                `amount`, orders that are placed when this one is filled completely (one triggers
                the other). Only for limit and market orders.
            time_in_force: Time in force. Default GTC; IOC for market orders.
            expires_at: Expiry of a GTD order: ISO 8601 with a zone, or milliseconds since 1970.
            post_only: Reject the order if it would match immediately. Default false.
            client_order_id: Your own id. A repeated request with the same id places no second
                order.
            self_trade_prevention: Handling of a match between two of your own orders. Default
                expire_maker.
            return_fills: Whether the response has the `fills` of the order, at most its first
                1,000. Default false.
            return_receipt: Whether the response has the `receipt` of the order. Default false.
        """
        return self._call(
            routes.TEST_ORDER,
            {
                "symbol": symbol,
                "side": side,
                "type": type,
                "amount": amount,
                "price": price,
                "triggerPrice": trigger_price,
                "trailingAmount": trailing_amount,
                "trailingPercent": trailing_percent,
                "activationPrice": activation_price,
                "displayAmount": display_amount,
                "cost": cost,
                "attached": attached,
                "timeInForce": time_in_force,
                "expiresAt": expires_at,
                "postOnly": post_only,
                "clientOrderId": client_order_id,
                "selfTradePrevention": self_trade_prevention,
                "returnFills": return_fills,
                "returnReceipt": return_receipt,
            },
        )

    def test_oco(
        self,
        *,
        symbol: str,
        side: Literal["buy", "sell"],
        amount: Number,
        take_profit: PlacePairTakeProfit,
        stop_loss: PlacePairStopLoss,
        expires_at: Time | None | Omitted = OMITTED,
        client_order_id: str | None | Omitted = OMITTED,
        self_trade_prevention: Literal["expire_maker", "expire_taker", "expire_both", "decrement"] | None | Omitted = OMITTED,
        return_fills: bool | None | Omitted = OMITTED,
        return_receipt: bool | None | Omitted = OMITTED,
    ) -> TestOcoData:
        """Test an OCO order without placing it: `POST /api/orders/oco/test`, `order.testOco`.

        Args:
            symbol: A market from GET /api/markets.
            side: Whether to buy or sell the base asset.
            amount: Amount of the base asset, a multiple of the market's `stepSize`.
            take_profit: With only `price` a post-only limit order, which `displayAmount` makes an
                iceberg, else a take profit.
            stop_loss: A stop; with `price` a stop_limit; with `trailingAmount` or
                `trailingPercent` a trailing stop.
            expires_at: Expiry of a GTD order: ISO 8601 with a zone, or milliseconds since 1970.
            client_order_id: Your own id. A repeated request with the same id places no second
                order.
            self_trade_prevention: Handling of a match between two of your own orders. Default
                expire_maker.
            return_fills: Whether each order has its `fills`, at most its first 1,000. New orders
                have none; those of a repeated request may. Default false.
            return_receipt: Whether each order has the `receipt` of their place in the log. Default
                false.
        """
        return self._call(
            routes.TEST_OCO,
            {
                "symbol": symbol,
                "side": side,
                "amount": amount,
                "takeProfit": take_profit,
                "stopLoss": stop_loss,
                "expiresAt": expires_at,
                "clientOrderId": client_order_id,
                "selfTradePrevention": self_trade_prevention,
                "returnFills": return_fills,
                "returnReceipt": return_receipt,
            },
        )

    def cancel_after(
        self,
        *,
        timeout: int,
        symbol: str | None | Omitted = OMITTED,
    ) -> DeadlineList:
        """Cancel this key's open orders if it stops sending heartbeats (dead man's switch): `POST /api/orders/cancel-after`, `order.cancelAfter`."""
        return self._call(
            routes.CANCEL_AFTER,
            {
                "timeout": timeout,
                "symbol": symbol,
            },
        )

    def use_faucet(
        self,
        *,
        asset: Literal["USDT", "BTC", "ETH", "SOL"],
    ) -> BalanceList:
        """Get demo funds from the sandbox faucet: `POST /api/account/faucet`."""
        return self._call(
            routes.USE_FAUCET,
            {
                "asset": asset,
            },
        )

    def get_current_key(
        self,
    ) -> GetCurrentKeyData:
        """The API key of this request, its permissions and its limits: `GET /api/account/keys/current`."""
        return self._call(
            routes.GET_CURRENT_KEY,
            {},
        )

    def list_webhooks(
        self,
    ) -> WebhookList:
        """Webhooks of the account, oldest first: `GET /api/webhooks`."""
        return self._call(
            routes.LIST_WEBHOOKS,
            {},
        )

    def create_webhook(
        self,
        *,
        url: str,
        events: Sequence[str],
        label: str | None | Omitted = OMITTED,
    ) -> CreateWebhookData:
        """Create a webhook: `POST /api/webhooks`.

        Args:
            url: Address of the receiver; it begins with `https://`.
            events: Names of events, or patterns such as `order.*`; `*` for all.
            label: A name by which you recognize the webhook. Default: empty.
        """
        return self._call(
            routes.CREATE_WEBHOOK,
            {
                "url": url,
                "events": events,
                "label": label,
            },
        )

    def change_webhook(
        self,
        *,
        id: str,
        url: str | Omitted = OMITTED,
        events: Sequence[str] | Omitted = OMITTED,
        label: str | Omitted = OMITTED,
        status: Literal["active", "paused"] | Omitted = OMITTED,
        skip_missed: bool | Omitted = OMITTED,
    ) -> WebhookData:
        """Change, pause or resume a webhook: `PATCH /api/webhooks/{id}`.

        Args:
            id: The `id` of one of your webhooks.
            url: Address of the receiver; it begins with `https://`.
            events: Names of events, or patterns such as `order.*`; `*` for all.
            label: A name by which you recognize the webhook.
            status: `active` also resumes a webhook that has failed.
            skip_missed: Whether to leave out the events up to now that were not delivered.
        """
        return self._call(
            routes.CHANGE_WEBHOOK,
            {
                "id": id,
                "url": url,
                "events": events,
                "label": label,
                "status": status,
                "skipMissed": skip_missed,
            },
        )

    def delete_webhook(
        self,
        *,
        id: str,
    ) -> WebhookData:
        """Delete a webhook: `DELETE /api/webhooks/{id}`.

        Args:
            id: The `id` of one of your webhooks.
        """
        return self._call(
            routes.DELETE_WEBHOOK,
            {
                "id": id,
            },
        )

    def get_webhook_secret(
        self,
        *,
        id: str,
        renew: bool,
    ) -> CreateWebhookData:
        """Show or renew the secret of a webhook: `POST /api/webhooks/{id}/secret`.

        Args:
            id: The `id` of one of your webhooks.
            renew: Whether to create another secret.
        """
        return self._call(
            routes.GET_WEBHOOK_SECRET,
            {
                "id": id,
                "renew": renew,
            },
        )

    def test_webhook(
        self,
        *,
        id: str,
    ) -> DeliveryData:
        """Send a test event to a webhook: `POST /api/webhooks/{id}/test`.

        Args:
            id: The `id` of one of your webhooks.
        """
        return self._call(
            routes.TEST_WEBHOOK,
            {
                "id": id,
            },
        )

    def list_deliveries(
        self,
        *,
        id: str,
        limit: int | None = None,
    ) -> DeliveryList:
        """Deliveries of a webhook, newest first: `GET /api/webhooks/{id}/deliveries`.

        Args:
            id: The `id` of one of your webhooks.
            limit: Maximum number of records per page.
        """
        return self._call(
            routes.LIST_DELIVERIES,
            {
                "id": id,
                "limit": limit,
            },
        )

    def list_price_alerts(
        self,
    ) -> PriceAlertList:
        """Price alerts of the account, newest first: `GET /api/alerts`."""
        return self._call(
            routes.LIST_PRICE_ALERTS,
            {},
        )

    def create_price_alert(
        self,
        *,
        symbol: str,
        direction: Literal["above", "below"],
        price: Number,
        note: str | None | Omitted = OMITTED,
    ) -> PriceAlertData:
        """Create a price alert: `POST /api/alerts`.

        Args:
            symbol: A market from GET /api/markets.
            direction: `above`: when the last price is at least `price`; `below`: when it is at
                most.
            price: The price at which it triggers.
            note: A text for yourself. Default: empty.
        """
        return self._call(
            routes.CREATE_PRICE_ALERT,
            {
                "symbol": symbol,
                "direction": direction,
                "price": price,
                "note": note,
            },
        )

    def delete_price_alert(
        self,
        *,
        id: str,
    ) -> PriceAlertData:
        """Delete a price alert: `DELETE /api/alerts/{id}`.

        Args:
            id: The `id` of one of your price alerts.
        """
        return self._call(
            routes.DELETE_PRICE_ALERT,
            {
                "id": id,
            },
        )

    def list_notices(
        self,
        *,
        limit: int | None = None,
    ) -> ListNoticesData:
        """Notices of the account, newest first: `GET /api/notices`.

        Args:
            limit: Maximum number of records per page.
        """
        return self._call(
            routes.LIST_NOTICES,
            {
                "limit": limit,
            },
        )

    def mark_notices_read(
        self,
        *,
        up_to: int,
    ) -> MarkNoticesReadData:
        """Mark notices as read: `POST /api/notices/read`.

        Args:
            up_to: Notices up to this id are marked as read.
        """
        return self._call(
            routes.MARK_NOTICES_READ,
            {
                "upTo": up_to,
            },
        )

    def list_accounts(
        self,
        *,
        search: str | None = None,
        include_balances: bool | None = None,
    ) -> ListAccountsData:
        """List or search accounts: `GET /api/admin/accounts`.

        Args:
            search: Return only accounts whose id contains this text, case-insensitive.
            include_balances: With `true` the response has the balances of the accounts.
        """
        return self._call(
            routes.LIST_ACCOUNTS,
            {
                "search": search,
                "includeBalances": include_balances,
            },
        )

    def create_account(
        self,
        *,
        account_id: str,
        limit_class: int | None | Omitted = OMITTED,
    ) -> CreateAccountData:
        """Open an account: `POST /api/admin/accounts`."""
        return self._call(
            routes.CREATE_ACCOUNT,
            {
                "accountId": account_id,
                "limitClass": limit_class,
            },
        )

    def get_account(
        self,
        *,
        id: str,
    ) -> AccountData:
        """Get an account: `GET /api/admin/accounts/{id}`.

        Args:
            id: The account id.
        """
        return self._call(
            routes.GET_ACCOUNT,
            {
                "id": id,
            },
        )

    def change_account(
        self,
        *,
        id: str,
        frozen: bool | None | Omitted = OMITTED,
        fee_tier: Literal["volume"] | int | None | Omitted = OMITTED,
        limit_class: int | None | Omitted = OMITTED,
        referrer: str | None | Omitted = OMITTED,
        reason: str | None | Omitted = OMITTED,
    ) -> AccountData:
        """Freeze or unfreeze an account, set its fee tier, rate-limit multiplier or referrer: `PATCH /api/admin/accounts/{id}`.

        Args:
            id: The account id.
            referrer: The account that referred this one; set once, permanently.
        """
        return self._call(
            routes.CHANGE_ACCOUNT,
            {
                "id": id,
                "frozen": frozen,
                "feeTier": fee_tier,
                "limitClass": limit_class,
                "referrer": referrer,
                "reason": reason,
            },
        )

    def get_account_balances(
        self,
        *,
        id: str,
    ) -> BalanceList:
        """Balances of an account: `GET /api/admin/accounts/{id}/balances`.

        Args:
            id: The account id.
        """
        return self._call(
            routes.GET_ACCOUNT_BALANCES,
            {
                "id": id,
            },
        )

    def list_account_orders(
        self,
        *,
        id: str,
        symbol: str | None = None,
        side: Literal["buy", "sell"] | None = None,
        status: Literal["open", "filled", "canceled", "expired", "rejected", "cancelled", "closed"] | None = None,
        client_order_id: str | None = None,
        since: Time | None = None,
        until: Time | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        sort: Literal["desc", "asc"] | None = None,
    ) -> OperatorOrderPage:
        """The orders of an account, newest first: `GET /api/admin/accounts/{id}/orders`.

        Args:
            id: The account id.
            symbol: A market from GET /api/markets.
            side: Return only orders of this side.
            status: Return only orders of this status. `closed` means any final status; `cancelled`
                is an alias of `canceled`.
            client_order_id: Return only the order with this client order id.
            since: Return only records from this time on. ISO 8601 with a zone, or milliseconds
                since 1970.
            until: Return only records up to this time. ISO 8601 with a zone, or milliseconds since
                1970.
            limit: Maximum number of records per page.
            cursor: The `nextCursor` of the previous page, unchanged, with the same parameters
                except `limit`.
            sort: `desc` for newest first, `asc` for oldest first.
        """
        return self._call(
            routes.LIST_ACCOUNT_ORDERS,
            {
                "id": id,
                "symbol": symbol,
                "side": side,
                "status": status,
                "clientOrderId": client_order_id,
                "since": since,
                "until": until,
                "limit": limit,
                "cursor": cursor,
                "sort": sort,
            },
        )

    def cancel_orders_of(
        self,
        *,
        id: str,
        symbol: str | None = None,
        ids: str | None = None,
        client_order_id: str | None = None,
        all: Literal[True] | None = None,
    ) -> OperatorOrderList:
        """Cancel orders of an account: `DELETE /api/admin/accounts/{id}/orders`.

        Args:
            id: The account id.
            symbol: Cancel the open orders of this market.
            ids: Cancel the open orders with these ids, separated by commas.
            client_order_id: Cancel the open order with this client order id.
            all: Cancel all open orders.
        """
        return self._call(
            routes.CANCEL_ORDERS_OF,
            {
                "id": id,
                "symbol": symbol,
                "ids": ids,
                "clientOrderId": client_order_id,
                "all": all,
            },
        )

    def get_account_order(
        self,
        *,
        id: str,
        order_id: str,
    ) -> OperatorOrder:
        """An order of an account: `GET /api/admin/accounts/{id}/orders/{orderId}`.

        Args:
            id: The account id.
            order_id: The `orderId` of an order of the account.
        """
        return self._call(
            routes.GET_ACCOUNT_ORDER,
            {
                "id": id,
                "orderId": order_id,
            },
        )

    def get_account_order_timeline(
        self,
        *,
        id: str,
        order_id: str,
    ) -> GetOrderTimelineData:
        """The life of an order of an account: `GET /api/admin/accounts/{id}/orders/{orderId}/timeline`.

        Args:
            id: The account id.
            order_id: The `orderId` of an order of the account.
        """
        return self._call(
            routes.GET_ACCOUNT_ORDER_TIMELINE,
            {
                "id": id,
                "orderId": order_id,
            },
        )

    def get_account_fills(
        self,
        *,
        id: str,
        symbol: str | None = None,
        order_id: str | None = None,
        since: Time | None = None,
        until: Time | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        sort: Literal["desc", "asc"] | None = None,
    ) -> FillPage:
        """The fills of an account, newest first: `GET /api/admin/accounts/{id}/fills`.

        Args:
            id: The account id.
            symbol: A market from GET /api/markets.
            order_id: Return only records of this order.
            since: Return only records from this time on. ISO 8601 with a zone, or milliseconds
                since 1970.
            until: Return only records up to this time. ISO 8601 with a zone, or milliseconds since
                1970.
            limit: Maximum number of records per page.
            cursor: The `nextCursor` of the previous page, unchanged, with the same parameters
                except `limit`.
            sort: `desc` for newest first, `asc` for oldest first.
        """
        return self._call(
            routes.GET_ACCOUNT_FILLS,
            {
                "id": id,
                "symbol": symbol,
                "orderId": order_id,
                "since": since,
                "until": until,
                "limit": limit,
                "cursor": cursor,
                "sort": sort,
            },
        )

    def get_account_ledger(
        self,
        *,
        id: str,
        asset: str | None = None,
        order_id: str | None = None,
        type: Literal["trade", "fee", "hold", "release", "transfer", "deposit", "withdrawal", "withdrawal_fee", "custody_hold", "custody_release", "internal_transfer", "trade_bust", "trade_bust_fee", "rebate", "referral"] | None = None,
        since: Time | None = None,
        until: Time | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        sort: Literal["desc", "asc"] | None = None,
    ) -> LedgerEntryPage:
        """Every change of an account's available balances, newest first: `GET /api/admin/accounts/{id}/ledger`.

        Args:
            id: The account id.
            asset: An asset from GET /api/assets.
            order_id: Return only records of this order.
            type: Return only entries of this type.
            since: Return only records from this time on. ISO 8601 with a zone, or milliseconds
                since 1970.
            until: Return only records up to this time. ISO 8601 with a zone, or milliseconds since
                1970.
            limit: Maximum number of records per page.
            cursor: The `nextCursor` of the previous page, unchanged, with the same parameters
                except `limit`.
            sort: `desc` for newest first, `asc` for oldest first.
        """
        return self._call(
            routes.GET_ACCOUNT_LEDGER,
            {
                "id": id,
                "asset": asset,
                "orderId": order_id,
                "type": type,
                "since": since,
                "until": until,
                "limit": limit,
                "cursor": cursor,
                "sort": sort,
            },
        )

    def list_account_withdrawal_addresses(
        self,
        *,
        id: str,
    ) -> WithdrawalAddressList:
        """The address book of an account: `GET /api/admin/accounts/{id}/withdrawal-addresses`.

        Args:
            id: The account id.
        """
        return self._call(
            routes.LIST_ACCOUNT_WITHDRAWAL_ADDRESSES,
            {
                "id": id,
            },
        )

    def list_keys(
        self,
        *,
        id: str,
        limit: int | None = None,
        cursor: str | None = None,
        sort: Literal["desc", "asc"] | None = None,
    ) -> ApiKeyPage:
        """API keys of an account, newest first: `GET /api/admin/accounts/{id}/keys`.

        Args:
            id: The account id.
            limit: Maximum number of records per page.
            cursor: The `nextCursor` of the previous page, unchanged, with the same parameters
                except `limit`.
            sort: `desc` for newest first, `asc` for oldest first.
        """
        return self._call(
            routes.LIST_KEYS,
            {
                "id": id,
                "limit": limit,
                "cursor": cursor,
                "sort": sort,
            },
        )

    def create_key(
        self,
        *,
        id: str,
        permissions: Sequence[Literal["read", "trade", "operate", "withdraw", "transfer", "support", "markets", "treasury", "compliance", "audit"]],
        label: str | None | Omitted = OMITTED,
        reason: str | None | Omitted = OMITTED,
        type: Literal["secret", "ed25519", "hmac"] | None | Omitted = OMITTED,
        addresses: Sequence[str] | None | Omitted = OMITTED,
        expires_at: Time | None | Omitted = OMITTED,
        public_key: str | None | Omitted = OMITTED,
        password: str | None | Omitted = OMITTED,
        code: str | None | Omitted = OMITTED,
    ) -> CreateKeyData:
        """Create an API key: `POST /api/admin/accounts/{id}/keys`.

        Args:
            id: The account id.
            permissions: Permissions of the key. An `hmac` key cannot have permissions of
                operators, such as `operate`.
            label: A name by which you recognize the key. Default: empty.
            reason: Why, for the audit and for a second operator. Required if one must approve it.
            type: The credential of the key: a secret that it sends, an Ed25519 key pair with which
                it signs requests, or a secret with which it signs payloads by HMAC-SHA256. Default
                `ed25519` with a `publicKey`, else `secret`.
            addresses: The only IP addresses and networks (CIDR) that may use the key. Default: any
                address.
            expires_at: Expiry, in the future: ISO 8601 with a zone, or milliseconds since 1970.
                Default: never.
            public_key: Ed25519 public key that checks the signatures of requests: PEM, or base64
                of its 32 bytes. Only for the type `ed25519`, which needs it.
            password: Your password, required with a session unless you have turned on 2FA.
            code: A 2FA code, required with a session if you have turned on 2FA.
        """
        return self._call(
            routes.CREATE_KEY,
            {
                "id": id,
                "permissions": permissions,
                "label": label,
                "reason": reason,
                "type": type,
                "addresses": addresses,
                "expiresAt": expires_at,
                "publicKey": public_key,
                "password": password,
                "code": code,
            },
        )

    def change_key(
        self,
        *,
        id: str,
        api_key: str,
        label: str | None | Omitted = OMITTED,
        reason: str | None | Omitted = OMITTED,
        addresses: Sequence[str] | None | Omitted = OMITTED,
        password: str | None | Omitted = OMITTED,
        code: str | None | Omitted = OMITTED,
    ) -> ApiKeyData:
        """Change the label and the IP allowlist of an API key: `PATCH /api/admin/accounts/{id}/keys/{apiKey}`.

        Args:
            id: The account id.
            api_key: The API key, without its secret.
            label: A new name by which you recognize the key. Default: unchanged.
            reason: Why, for the audit and for a second operator. Required if one must approve it.
            addresses: The only IP addresses and networks (CIDR) that may use the key from now on;
                empty for any. A key that may withdraw can only lose addresses. Default: unchanged.
            password: Your password, required with a session unless you have turned on 2FA.
            code: A 2FA code, required with a session if you have turned on 2FA.
        """
        return self._call(
            routes.CHANGE_KEY,
            {
                "id": id,
                "apiKey": api_key,
                "label": label,
                "reason": reason,
                "addresses": addresses,
                "password": password,
                "code": code,
            },
        )

    def revoke_key(
        self,
        *,
        id: str,
        api_key: str,
    ) -> ApiKeyData:
        """Revoke an API key: `DELETE /api/admin/accounts/{id}/keys/{apiKey}`.

        Args:
            id: The account id.
            api_key: The API key, without its secret.
        """
        return self._call(
            routes.REVOKE_KEY,
            {
                "id": id,
                "apiKey": api_key,
            },
        )

    def invite_user(
        self,
        *,
        id: str,
        email: str,
        permissions: Sequence[Literal["read", "trade", "operate", "withdraw", "transfer", "support", "markets", "treasury", "compliance", "audit"]],
        reason: str | None | Omitted = OMITTED,
        password: str | None | Omitted = OMITTED,
        code: str | None | Omitted = OMITTED,
    ) -> InviteUserData:
        """Invite a user to an account: `POST /api/admin/accounts/{id}/users`.

        Args:
            id: The account id.
            reason: Why, for the audit and for a second operator. Required if one must approve it.
            password: Your password, required with a session unless you have turned on 2FA.
            code: A 2FA code, required with a session if you have turned on 2FA.
        """
        return self._call(
            routes.INVITE_USER,
            {
                "id": id,
                "email": email,
                "permissions": permissions,
                "reason": reason,
                "password": password,
                "code": code,
            },
        )

    def list_users(
        self,
        *,
        id: str,
    ) -> UserList:
        """Users of an account: `GET /api/admin/accounts/{id}/users`.

        Args:
            id: The account id.
        """
        return self._call(
            routes.LIST_USERS,
            {
                "id": id,
            },
        )

    def remove_user(
        self,
        *,
        id: str,
        email: str,
        password: str | None | Omitted = OMITTED,
        code: str | None | Omitted = OMITTED,
    ) -> UserList:
        """Remove a user from an account: `POST /api/admin/accounts/{id}/users/{email}/remove`.

        Args:
            id: The account id.
            email: Email address of a user of the account.
            password: Your password, required with a session unless you have turned on 2FA.
            code: A 2FA code, required with a session if you have turned on 2FA.
        """
        return self._call(
            routes.REMOVE_USER,
            {
                "id": id,
                "email": email,
                "password": password,
                "code": code,
            },
        )

    def list_account_sessions(
        self,
        *,
        id: str,
    ) -> UserSessionList:
        """Sessions of the users of an account: `GET /api/admin/accounts/{id}/sessions`.

        Args:
            id: The account id.
        """
        return self._call(
            routes.LIST_ACCOUNT_SESSIONS,
            {
                "id": id,
            },
        )

    def end_account_session(
        self,
        *,
        id: str,
        session_id: str,
    ) -> UserSessionList:
        """End a session of a user: `DELETE /api/admin/accounts/{id}/sessions/{sessionId}`.

        Args:
            id: The account id.
            session_id: The `id` of one of your sessions.
        """
        return self._call(
            routes.END_ACCOUNT_SESSION,
            {
                "id": id,
                "sessionId": session_id,
            },
        )

    def get_fee_tiers(
        self,
    ) -> GetFeeTiersData:
        """The fee tiers: `GET /api/admin/fee-tiers`."""
        return self._call(
            routes.GET_FEE_TIERS,
            {},
        )

    def set_fee_tiers(
        self,
        *,
        asset: str,
        tiers: Sequence[SetFeeTiersTier],
        reason: str | None | Omitted = OMITTED,
    ) -> GetFeeTiersData:
        """Replace the fee tiers: `POST /api/admin/fee-tiers`.

        Args:
            reason: Why, for the audit and for a second operator. Required if one must approve it.
        """
        return self._call(
            routes.SET_FEE_TIERS,
            {
                "asset": asset,
                "tiers": tiers,
                "reason": reason,
            },
        )

    def get_fee_programs(
        self,
    ) -> GetFeeProgramsData:
        """The fee discount and the referral share: `GET /api/admin/fee-programs`."""
        return self._call(
            routes.GET_FEE_PROGRAMS,
            {},
        )

    def set_fee_discount(
        self,
        *,
        asset: str,
        min_balance: Number,
        rate: Number,
        reason: str | None | Omitted = OMITTED,
    ) -> GetFeeProgramsData:
        """Set or remove the fee discount of accounts that own an asset: `POST /api/admin/fee-discount`.

        Args:
            asset: The asset that an account must own.
            min_balance: Minimum that an account must own of it, available and held.
            rate: Part of the fee rates that is waived, from 0 to 1. 0 removes the discount.
            reason: Why, for the audit and for a second operator. Required if one must approve it.
        """
        return self._call(
            routes.SET_FEE_DISCOUNT,
            {
                "asset": asset,
                "minBalance": min_balance,
                "rate": rate,
                "reason": reason,
            },
        )

    def set_referral_share(
        self,
        *,
        share: Number,
        reason: str | None | Omitted = OMITTED,
    ) -> GetFeeProgramsData:
        """Set the share of fees that referrers receive: `POST /api/admin/referral-share`.

        Args:
            share: From 0 to 1. With 0 nothing is paid.
            reason: Why, for the audit and for a second operator. Required if one must approve it.
        """
        return self._call(
            routes.SET_REFERRAL_SHARE,
            {
                "share": share,
                "reason": reason,
            },
        )

    def get_trading_limits(
        self,
    ) -> TradingLimitsData:
        """The trading limits of accounts without their own: `GET /api/admin/trading-limits`."""
        return self._call(
            routes.GET_TRADING_LIMITS,
            {},
        )

    def set_trading_limits(
        self,
        *,
        order_rate: int | None | Omitted = OMITTED,
        orders_per_trade: int | None | Omitted = OMITTED,
        free_orders: int | None | Omitted = OMITTED,
        open_notional: Sequence[SetTradingLimitsOpenNotional] | None | Omitted = OMITTED,
        reason: str | None | Omitted = OMITTED,
    ) -> TradingLimitsData:
        """Replace the trading limits of accounts without their own: `POST /api/admin/trading-limits`.

        Args:
            order_rate: Orders and amendments per 10 seconds. Default: no limit.
            orders_per_trade: Orders and amendments per trade in each hour, beyond `freeOrders`.
                Default: no limit.
            free_orders: Orders and amendments per hour that need no trade. Send it with
                `ordersPerTrade`.
            open_notional: Limits of price × unfilled amount of all open orders, by quote asset.
                Default: none.
            reason: Why, for the audit and for a second operator. Required if one must approve it.
        """
        return self._call(
            routes.SET_TRADING_LIMITS,
            {
                "orderRate": order_rate,
                "ordersPerTrade": orders_per_trade,
                "freeOrders": free_orders,
                "openNotional": open_notional,
                "reason": reason,
            },
        )

    def set_account_trading_limits(
        self,
        *,
        id: str,
        order_rate: int | None | Omitted = OMITTED,
        orders_per_trade: int | None | Omitted = OMITTED,
        free_orders: int | None | Omitted = OMITTED,
        open_notional: Sequence[SetTradingLimitsOpenNotional] | None | Omitted = OMITTED,
        reason: str | None | Omitted = OMITTED,
        use_default: bool | None | Omitted = OMITTED,
    ) -> TradingLimitsData:
        """Set the trading limits of an account: `POST /api/admin/accounts/{id}/trading-limits`.

        Args:
            id: The account id.
            order_rate: Orders and amendments per 10 seconds. Default: no limit.
            orders_per_trade: Orders and amendments per trade in each hour, beyond `freeOrders`.
                Default: no limit.
            free_orders: Orders and amendments per hour that need no trade. Send it with
                `ordersPerTrade`.
            open_notional: Limits of price × unfilled amount of all open orders, by quote asset.
                Default: none.
            reason: Why, for the audit and for a second operator. Required if one must approve it.
            use_default: Removes the limits of the account, so that it has the default ones. Send
                no other limit.
        """
        return self._call(
            routes.SET_ACCOUNT_TRADING_LIMITS,
            {
                "id": id,
                "orderRate": order_rate,
                "ordersPerTrade": orders_per_trade,
                "freeOrders": free_orders,
                "openNotional": open_notional,
                "reason": reason,
                "useDefault": use_default,
            },
        )

    def set_trading_status(
        self,
        *,
        status: Literal["trading", "cancel_only", "halted"],
        reason: str,
        cancel_orders: bool | Omitted = OMITTED,
    ) -> SetTradingStatusData:
        """Halt all markets, or resume trading (kill switch): `POST /api/admin/trading-status`.

        Args:
            status: `cancel_only` and `halted` reject new orders and amendments in all markets;
                open orders can be canceled.
            reason: Shown to clients, and recorded in the audit trail.
            cancel_orders: Cancels all open orders. Not with `trading`.
        """
        return self._call(
            routes.SET_TRADING_STATUS,
            {
                "status": status,
                "reason": reason,
                "cancelOrders": cancel_orders,
            },
        )

    def schedule_maintenance(
        self,
        *,
        from_: Time,
        to: Time,
        mode: Literal["cancel_only", "halted"],
        message: str,
    ) -> SetTradingStatusData:
        """Announce a maintenance: `POST /api/admin/maintenance`.

        Args:
            from_: When it starts. A time that has passed starts it at once.
            to: When it ends.
            mode: The status of all markets.
            message: Shown to clients from now on.
        """
        return self._call(
            routes.SCHEDULE_MAINTENANCE,
            {
                "from": from_,
                "to": to,
                "mode": mode,
                "message": message,
            },
        )

    def cancel_maintenance(
        self,
        *,
        from_: Time,
    ) -> SetTradingStatusData:
        """Withdraw a maintenance, or end the current one: `POST /api/admin/maintenance/cancel`.

        Args:
            from_: When it starts or started.
        """
        return self._call(
            routes.CANCEL_MAINTENANCE,
            {
                "from": from_,
            },
        )

    def announce(
        self,
        *,
        severity: Literal["info", "warning"],
        title: str,
        text: str | None | Omitted = OMITTED,
        until: Time | None | Omitted = OMITTED,
    ) -> SetTradingStatusData:
        """Announce something to all clients: `POST /api/admin/announcements`.

        Args:
            severity: `warning` for what clients must know before they trade.
            title: The announcement in a line.
            text: More about it. Default: empty.
            until: When it is removed. Default: when it is withdrawn.
        """
        return self._call(
            routes.ANNOUNCE,
            {
                "severity": severity,
                "title": title,
                "text": text,
                "until": until,
            },
        )

    def withdraw_announcement(
        self,
        *,
        id: str,
    ) -> SetTradingStatusData:
        """Withdraw an announcement: `DELETE /api/admin/announcements/{id}`.

        Args:
            id: The `id` of an announcement.
        """
        return self._call(
            routes.WITHDRAW_ANNOUNCEMENT,
            {
                "id": id,
            },
        )

    def list_trade_busts(
        self,
    ) -> BustedTradeList:
        """Busted trades: `GET /api/admin/trade-busts`."""
        return self._call(
            routes.LIST_TRADE_BUSTS,
            {},
        )

    def bust_trade(
        self,
        *,
        symbol: str,
        trade_id: str,
        reason: str,
    ) -> BustedTradeData:
        """Bust a trade: `POST /api/admin/trade-busts`.

        Args:
            trade_id: Id of the trade, as in GET /api/trades.
            reason: For the second operator and the audit trail.
        """
        return self._call(
            routes.BUST_TRADE,
            {
                "symbol": symbol,
                "tradeId": trade_id,
                "reason": reason,
            },
        )

    def create_transfer(
        self,
        *,
        account: str,
        asset: str,
        amount: Number,
        reference: str,
        reason: str,
        password: str | None | Omitted = OMITTED,
        code: str | None | Omitted = OMITTED,
    ) -> CreateTransferData:
        """Credit or debit an account (external deposit or withdrawal): `POST /api/admin/transfers`.

        Args:
            password: Your password, required with a session unless you have turned on 2FA.
            code: A 2FA code, required with a session if you have turned on 2FA.
        """
        return self._call(
            routes.CREATE_TRANSFER,
            {
                "account": account,
                "asset": asset,
                "amount": amount,
                "reference": reference,
                "reason": reason,
                "password": password,
                "code": code,
            },
        )

    def get_custodian(
        self,
    ) -> GetCustodianData:
        """Keys of the custodian, and instructions that wait for it: `GET /api/admin/custodian`."""
        return self._call(
            routes.GET_CUSTODIAN,
            {},
        )

    def set_network(
        self,
        *,
        asset: str,
        network: str,
        decimals: int,
        min_deposit: Number,
        min_withdrawal: Number,
        withdrawal_fee: Number,
        confirmations: int,
        memo: Literal["none", "optional", "required"],
        deposits: bool,
        withdrawals: bool,
        daily_limit: Number,
        hourly_count: int,
        address_cooling_ms: int,
        new_device_delay_ms: int,
        approval_above: Number,
        typical_deposit_ms: int | None | Omitted = OMITTED,
        explorer_url: str | None | Omitted = OMITTED,
        reason: str | None | Omitted = OMITTED,
        password: str | None | Omitted = OMITTED,
        code: str | None | Omitted = OMITTED,
    ) -> SetNetworkData:
        """Add a network, or replace its rules: `POST /api/admin/networks`.

        Args:
            asset: An asset from GET /api/assets.
            network: Name: 1 to 32 of a-z, 0-9 and -.
            decimals: Decimals of amounts on the network, at most those of the asset.
            min_deposit: Minimum deposit; smaller ones are not credited.
            min_withdrawal: Minimum withdrawal, without the fee.
            withdrawal_fee: Fee of a withdrawal, in addition to its amount.
            confirmations: Confirmations at which a deposit is credited.
            memo: Whether addresses have a memo.
            deposits: Whether deposits are credited.
            withdrawals: Whether withdrawals are possible.
            daily_limit: Maximum that an account withdraws in 24 hours, over all networks of the
                asset; 0 for no limit.
            hourly_count: Maximum withdrawals of an account in an hour; 0 for no limit.
            address_cooling_ms: The time for which a new address cannot be used.
            new_device_delay_ms: The time that withdrawals wait after a new device.
            approval_above: A withdrawal needs the approval of two operators if it is larger,
                counted with those of the same asset and account in 24 hours that no operator
                approved.
            typical_deposit_ms: Ignored, so that a network of GET /api/networks can be sent back.
            explorer_url: Ignored, so that a network of GET /api/networks can be sent back.
            reason: Why, for the audit and for a second operator. Required if one must approve it.
            password: Your password, required with a session unless you have turned on 2FA.
            code: A 2FA code, required with a session if you have turned on 2FA.
        """
        return self._call(
            routes.SET_NETWORK,
            {
                "asset": asset,
                "network": network,
                "decimals": decimals,
                "minDeposit": min_deposit,
                "minWithdrawal": min_withdrawal,
                "withdrawalFee": withdrawal_fee,
                "confirmations": confirmations,
                "memo": memo,
                "deposits": deposits,
                "withdrawals": withdrawals,
                "dailyLimit": daily_limit,
                "hourlyCount": hourly_count,
                "addressCoolingMs": address_cooling_ms,
                "newDeviceDelayMs": new_device_delay_ms,
                "approvalAbove": approval_above,
                "typicalDepositMs": typical_deposit_ms,
                "explorerUrl": explorer_url,
                "reason": reason,
                "password": password,
                "code": code,
            },
        )

    def set_custodian_key(
        self,
        *,
        public_key: str,
        reason: str | None | Omitted = OMITTED,
        password: str | None | Omitted = OMITTED,
        code: str | None | Omitted = OMITTED,
    ) -> SetCustodianKeyData:
        """Set the key of the custodian: `POST /api/admin/custodian-key`.

        Args:
            public_key: Ed25519 public key of the custodian: PEM, or base64 of 32 bytes.
            reason: Why, for the audit and for a second operator. Required if one must approve it.
            password: Your password, required with a session unless you have turned on 2FA.
            code: A 2FA code, required with a session if you have turned on 2FA.
        """
        return self._call(
            routes.SET_CUSTODIAN_KEY,
            {
                "publicKey": public_key,
                "reason": reason,
                "password": password,
                "code": code,
            },
        )

    def list_deposits_in_review(
        self,
    ) -> DepositList:
        """Deposits that wait for a decision: `GET /api/admin/deposits`."""
        return self._call(
            routes.LIST_DEPOSITS_IN_REVIEW,
            {},
        )

    def list_all_deposits(
        self,
        *,
        account: str | None = None,
        asset: str | None = None,
        deposit_status: Literal["pending", "credited", "reversed", "below_minimum", "review", "frozen", "debited", "released", "dismissed"] | None = None,
        since: Time | None = None,
        until: Time | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        sort: Literal["desc", "asc"] | None = None,
    ) -> DepositPage:
        """Deposits of all accounts, newest first: `GET /api/admin/deposits/history`.

        Args:
            account: Return only entries of this account.
            asset: An asset from GET /api/assets.
            deposit_status: Return only deposits of this status; `pending` is any before the
                credit.
            since: Return only records from this time on. ISO 8601 with a zone, or milliseconds
                since 1970.
            until: Return only records up to this time. ISO 8601 with a zone, or milliseconds since
                1970.
            limit: Maximum number of records per page.
            cursor: The `nextCursor` of the previous page, unchanged, with the same parameters
                except `limit`.
            sort: `desc` for newest first, `asc` for oldest first.
        """
        return self._call(
            routes.LIST_ALL_DEPOSITS,
            {
                "account": account,
                "asset": asset,
                "depositStatus": deposit_status,
                "since": since,
                "until": until,
                "limit": limit,
                "cursor": cursor,
                "sort": sort,
            },
        )

    def resolve_deposit(
        self,
        *,
        id: str,
        resolution: Literal["credit", "dismiss", "debit", "release"],
        account: str | None | Omitted = OMITTED,
        reason: str | None | Omitted = OMITTED,
        password: str | None | Omitted = OMITTED,
        code: str | None | Omitted = OMITTED,
    ) -> DepositData:
        """Decide on a deposit: `POST /api/admin/deposits/{id}/resolve`.

        Args:
            id: The `id` of a deposit.
            resolution: For a deposit in `review`: `credit` or `dismiss`. For a `frozen` one:
                `debit` takes it back, `release` leaves it with the account.
            account: The account to credit, if the address belongs to none. Only with `credit`.
            reason: Why, for the audit and for a second operator. Required if one must approve it.
            password: Your password, required with a session unless you have turned on 2FA.
            code: A 2FA code, required with a session if you have turned on 2FA.
        """
        return self._call(
            routes.RESOLVE_DEPOSIT,
            {
                "id": id,
                "resolution": resolution,
                "account": account,
                "reason": reason,
                "password": password,
                "code": code,
            },
        )

    def list_withdrawals_to_approve(
        self,
    ) -> ListWithdrawalsToApproveData:
        """Withdrawals that wait for approval: `GET /api/admin/withdrawals`."""
        return self._call(
            routes.LIST_WITHDRAWALS_TO_APPROVE,
            {},
        )

    def list_all_withdrawals(
        self,
        *,
        account: str | None = None,
        asset: str | None = None,
        withdrawal_status: Literal["delayed", "awaiting_approval", "approved", "sending", "broadcast", "confirmed", "failed", "canceled", "rejected"] | None = None,
        since: Time | None = None,
        until: Time | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        sort: Literal["desc", "asc"] | None = None,
    ) -> WithdrawalPage:
        """Withdrawals of all accounts, newest first: `GET /api/admin/withdrawals/history`.

        Args:
            account: Return only entries of this account.
            asset: An asset from GET /api/assets.
            withdrawal_status: Return only withdrawals of this status.
            since: Return only records from this time on. ISO 8601 with a zone, or milliseconds
                since 1970.
            until: Return only records up to this time. ISO 8601 with a zone, or milliseconds since
                1970.
            limit: Maximum number of records per page.
            cursor: The `nextCursor` of the previous page, unchanged, with the same parameters
                except `limit`.
            sort: `desc` for newest first, `asc` for oldest first.
        """
        return self._call(
            routes.LIST_ALL_WITHDRAWALS,
            {
                "account": account,
                "asset": asset,
                "withdrawalStatus": withdrawal_status,
                "since": since,
                "until": until,
                "limit": limit,
                "cursor": cursor,
                "sort": sort,
            },
        )

    def approve_withdrawal(
        self,
        *,
        id: str,
        password: str | None | Omitted = OMITTED,
        code: str | None | Omitted = OMITTED,
    ) -> WithdrawalData:
        """Approve a withdrawal: `POST /api/admin/withdrawals/{id}/approve`.

        Args:
            id: The `id` of a withdrawal.
            password: Your password, required with a session unless you have turned on 2FA.
            code: A 2FA code, required with a session if you have turned on 2FA.
        """
        return self._call(
            routes.APPROVE_WITHDRAWAL,
            {
                "id": id,
                "password": password,
                "code": code,
            },
        )

    def reject_withdrawal(
        self,
        *,
        id: str,
        reason: str,
    ) -> WithdrawalData:
        """Reject a withdrawal: `POST /api/admin/withdrawals/{id}/reject`.

        Args:
            id: The `id` of a withdrawal.
            reason: The reason, shown to the user.
        """
        return self._call(
            routes.REJECT_WITHDRAWAL,
            {
                "id": id,
                "reason": reason,
            },
        )

    def list_known_assets(
        self,
    ) -> AssetList:
        """All assets: `GET /api/admin/assets`."""
        return self._call(
            routes.LIST_KNOWN_ASSETS,
            {},
        )

    def create_asset(
        self,
        *,
        asset: str,
        name: str,
        decimals: int,
    ) -> AssetData:
        """Add an asset: `POST /api/admin/assets`."""
        return self._call(
            routes.CREATE_ASSET,
            {
                "asset": asset,
                "name": name,
                "decimals": decimals,
            },
        )

    def list_admin_markets(
        self,
    ) -> OperatorMarketList:
        """All markets: `GET /api/admin/markets`."""
        return self._call(
            routes.LIST_ADMIN_MARKETS,
            {},
        )

    def list_market(
        self,
        *,
        symbol: str,
        tick_size: Number,
        step_size: Number,
        max_amount: Number,
        max_price: Number,
        min_notional: Number,
        maker_fee: Number,
        taker_fee: Number,
        reference_price: Number,
        status: Literal["online", "auction"] | None | Omitted = OMITTED,
        opens_at: Time | None | Omitted = OMITTED,
        min_amount: Number | None | Omitted = OMITTED,
        min_price: Number | None | Omitted = OMITTED,
        collar: Number | None | Omitted = OMITTED,
        static_band: Number | None | Omitted = OMITTED,
        dynamic_band: Number | None | Omitted = OMITTED,
        auction_ms: Number | None | Omitted = OMITTED,
    ) -> MarketData:
        """List a market: `POST /api/admin/markets`.

        Args:
            status: `auction` opens the market by an auction; `online`, the default, at once.
            opens_at: When the opening auction fills orders; without it an operator ends the
                auction. Only with the status `auction`.
        """
        return self._call(
            routes.LIST_MARKET,
            {
                "symbol": symbol,
                "tickSize": tick_size,
                "stepSize": step_size,
                "maxAmount": max_amount,
                "maxPrice": max_price,
                "minNotional": min_notional,
                "makerFee": maker_fee,
                "takerFee": taker_fee,
                "referencePrice": reference_price,
                "status": status,
                "opensAt": opens_at,
                "minAmount": min_amount,
                "minPrice": min_price,
                "collar": collar,
                "staticBand": static_band,
                "dynamicBand": dynamic_band,
                "auctionMs": auction_ms,
            },
        )

    def change_market(
        self,
        *,
        symbol: str,
        preview: bool | None = None,
        status: Literal["online", "post_only", "limit_only", "cancel_only", "halted", "delisted", "auction"] | None | Omitted = OMITTED,
        reason: str | None | Omitted = OMITTED,
        tick_size: Number | None | Omitted = OMITTED,
        step_size: Number | None | Omitted = OMITTED,
        min_price: Number | None | Omitted = OMITTED,
        max_price: Number | None | Omitted = OMITTED,
        min_amount: Number | None | Omitted = OMITTED,
        max_amount: Number | None | Omitted = OMITTED,
        min_notional: Number | None | Omitted = OMITTED,
        maker_fee: Number | None | Omitted = OMITTED,
        taker_fee: Number | None | Omitted = OMITTED,
        reference_price: Number | None | Omitted = OMITTED,
        collar: Number | None | Omitted = OMITTED,
        static_band: Number | None | Omitted = OMITTED,
        dynamic_band: Number | None | Omitted = OMITTED,
        auction_ms: Number | None | Omitted = OMITTED,
    ) -> ChangeMarketData:
        """Change a market's status or its rules: `PATCH /api/admin/markets`.

        Args:
            preview: With `true` nothing is changed: the response shows what the request would do.
            reason: Why, for the audit and for a second operator. Required if one must approve it.
        """
        return self._call(
            routes.CHANGE_MARKET,
            {
                "symbol": symbol,
                "preview": preview,
                "status": status,
                "reason": reason,
                "tickSize": tick_size,
                "stepSize": step_size,
                "minPrice": min_price,
                "maxPrice": max_price,
                "minAmount": min_amount,
                "maxAmount": max_amount,
                "minNotional": min_notional,
                "makerFee": maker_fee,
                "takerFee": taker_fee,
                "referencePrice": reference_price,
                "collar": collar,
                "staticBand": static_band,
                "dynamicBand": dynamic_band,
                "auctionMs": auction_ms,
            },
        )

    def get_account_timeline(
        self,
        *,
        id: str,
        timeline_kind: Literal["account", "fees", "limits", "keys", "roles", "notes", "transfers", "deposits", "withdrawals", "other"] | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> GetAccountTimelineData:
        """Timeline of a user, newest first: `GET /api/admin/accounts/{id}/timeline`.

        Args:
            id: The account id.
            timeline_kind: Return only entries of this kind.
            limit: Maximum number of records per page.
            cursor: The `nextCursor` of the previous page, unchanged, with the same parameters
                except `limit`.
        """
        return self._call(
            routes.GET_ACCOUNT_TIMELINE,
            {
                "id": id,
                "timelineKind": timeline_kind,
                "limit": limit,
                "cursor": cursor,
            },
        )

    def list_notes(
        self,
        *,
        id: str,
    ) -> NoteList:
        """Notes of operators about an account, newest first: `GET /api/admin/accounts/{id}/notes`.

        Args:
            id: The account id.
        """
        return self._call(
            routes.LIST_NOTES,
            {
                "id": id,
            },
        )

    def add_note(
        self,
        *,
        id: str,
        text: str,
    ) -> NoteData:
        """Add a note about an account: `POST /api/admin/accounts/{id}/notes`.

        Args:
            id: The account id.
            text: The note. It stays in the log forever: write no names, addresses or other
                personal data.
        """
        return self._call(
            routes.ADD_NOTE,
            {
                "id": id,
                "text": text,
            },
        )

    def remove_note(
        self,
        *,
        id: str,
        note_id: str,
    ) -> NoteData:
        """Remove a note about an account: `DELETE /api/admin/accounts/{id}/notes/{noteId}`.

        Args:
            id: The account id.
            note_id: The `id` of a note.
        """
        return self._call(
            routes.REMOVE_NOTE,
            {
                "id": id,
                "noteId": note_id,
            },
        )

    def get_roles(
        self,
    ) -> GetRolesData:
        """Roles of operators, and who has them: `GET /api/admin/roles`."""
        return self._call(
            routes.GET_ROLES,
            {},
        )

    def list_approvals(
        self,
    ) -> ListApprovalsData:
        """Requests for approval: `GET /api/admin/approvals`."""
        return self._call(
            routes.LIST_APPROVALS,
            {},
        )

    def approve_request(
        self,
        *,
        id: str,
        password: str | None | Omitted = OMITTED,
        code: str | None | Omitted = OMITTED,
    ) -> ApprovalData:
        """Approve a request of another operator: `POST /api/admin/approvals/{id}/approve`.

        Args:
            id: The `id` of a pending request for approval.
            password: Your password, required with a session unless you have turned on 2FA.
            code: A 2FA code, required with a session if you have turned on 2FA.
        """
        return self._call(
            routes.APPROVE_REQUEST,
            {
                "id": id,
                "password": password,
                "code": code,
            },
        )

    def reject_request(
        self,
        *,
        id: str,
        reason: str | None | Omitted = OMITTED,
    ) -> ApprovalData:
        """Reject a request for approval, or withdraw your own: `POST /api/admin/approvals/{id}/reject`.

        Args:
            id: The `id` of a pending request for approval.
            reason: Why; the requester sees it.
        """
        return self._call(
            routes.REJECT_REQUEST,
            {
                "id": id,
                "reason": reason,
            },
        )

    def get_approval_policy(
        self,
    ) -> ApprovalPolicyData:
        """The actions that need a second operator: `GET /api/admin/approval-policy`."""
        return self._call(
            routes.GET_APPROVAL_POLICY,
            {},
        )

    def set_approval_policy(
        self,
        *,
        actions: Sequence[Literal["adjustments", "withdrawals", "rules", "grants", "delisting", "tradeBusts", "policy"]],
        limits: Sequence[SetTradingLimitsOpenNotional],
        reason: str | None | Omitted = OMITTED,
        password: str | None | Omitted = OMITTED,
        code: str | None | Omitted = OMITTED,
    ) -> ApprovalPolicyData:
        """Ask a second operator to change the approval policy: `POST /api/admin/approval-policy`.

        Args:
            reason: Why, for the audit and for a second operator. Required if one must approve it.
            password: Your password, required with a session unless you have turned on 2FA.
            code: A 2FA code, required with a session if you have turned on 2FA.
        """
        return self._call(
            routes.SET_APPROVAL_POLICY,
            {
                "actions": actions,
                "limits": limits,
                "reason": reason,
                "password": password,
                "code": code,
            },
        )

    def search_all(
        self,
        *,
        search: str,
    ) -> SearchResultList:
        """Search accounts, orders, transfers, deposits and withdrawals: `GET /api/admin/search`.

        Args:
            search: An id, email address, name, reference or hash of a transaction.
        """
        return self._call(
            routes.SEARCH_ALL,
            {
                "search": search,
            },
        )

    def get_dashboard(
        self,
    ) -> GetDashboardData:
        """Figures of the exchange at a glance: `GET /api/admin/dashboard`."""
        return self._call(
            routes.GET_DASHBOARD,
            {},
        )

    def get_state(
        self,
    ) -> GetStateData:
        """Log position, state hash, ledger totals and coverage: `GET /api/admin/state`."""
        return self._call(
            routes.GET_STATE,
            {},
        )

    def get_clock(
        self,
    ) -> GetClockData:
        """The clock of the node that responds: `GET /api/admin/clock`."""
        return self._call(
            routes.GET_CLOCK,
            {},
        )

    def confirm_clock(
        self,
        *,
        wall_clock: Time,
    ) -> GetClockData:
        """Confirm the wall clock of the node's machine after it jumped: `POST /api/admin/clock/confirm`."""
        return self._call(
            routes.CONFIRM_CLOCK,
            {
                "wallClock": wall_clock,
            },
        )

    def upgrade(
        self,
    ) -> UpgradeData:
        """Upgrade the engine version: `POST /api/admin/upgrade`."""
        return self._call(
            routes.UPGRADE,
            {},
        )

    def make_proof(
        self,
        *,
        at: str | None | Omitted = OMITTED,
    ) -> LiabilityProof:
        """Make and publish a proof of liabilities: `POST /api/admin/proofs`.

        Args:
            at: Log position, or ISO 8601 time with a zone, that the proof is about. Default: the
                present.
        """
        return self._call(
            routes.MAKE_PROOF,
            {
                "at": at,
            },
        )

    def get_audit(
        self,
        *,
        account: str | None = None,
        action: str | None = None,
        subject: str | None = None,
        outcome: Literal["done", "repeated", "rejected", "sent_for_approval"] | None = None,
        since: Time | None = None,
        until: Time | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> AuditEntryPage:
        """Audit of operator commands, newest first: `GET /api/admin/audit`.

        Args:
            account: Return only entries of this account.
            action: Return only entries with this `action`.
            subject: Return only entries about this account, market or asset, also those of its
                requests for approval.
            outcome: Return only entries with this `outcome`.
            since: Return only records from this time on. ISO 8601 with a zone, or milliseconds
                since 1970.
            until: Return only records up to this time. ISO 8601 with a zone, or milliseconds since
                1970.
            limit: Maximum number of records per page.
            cursor: The `nextCursor` of the previous page, unchanged, with the same parameters
                except `limit`.
        """
        return self._call(
            routes.GET_AUDIT,
            {
                "account": account,
                "action": action,
                "subject": subject,
                "outcome": outcome,
                "since": since,
                "until": until,
                "limit": limit,
                "cursor": cursor,
            },
        )

    def list_surveillance_alerts(
        self,
        *,
        detector: Literal["wash_trading", "spoofing", "quote_stuffing", "marking_the_close", "pump"] | None = None,
        severity: Literal["low", "medium", "high"] | None = None,
        symbol: str | None = None,
        account: str | None = None,
        case_status: Literal["open", "assigned", "closed"] | None = None,
        assignee: str | None = None,
        since: Time | None = None,
        until: Time | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> ListSurveillanceAlertsData:
        """Alerts of market surveillance, newest first: `GET /api/admin/alerts`.

        Args:
            detector: Return only alerts of this detector.
            severity: Return only alerts of this severity.
            symbol: A market from GET /api/markets.
            account: Return only alerts that concern the user of this account.
            case_status: Return only alerts whose case is open and assigned to no one, assigned, or
                closed.
            assignee: Return only alerts assigned to this account.
            since: Return only alerts whose pattern ends at this time or later. ISO 8601 with a
                zone, or milliseconds since 1970.
            until: Return only alerts whose pattern ends up to this time. ISO 8601 with a zone, or
                milliseconds since 1970.
            limit: Maximum number of records per page.
            cursor: The `nextCursor` of the previous page, unchanged, with the same parameters
                except `limit`.
        """
        return self._call(
            routes.LIST_SURVEILLANCE_ALERTS,
            {
                "detector": detector,
                "severity": severity,
                "symbol": symbol,
                "account": account,
                "caseStatus": case_status,
                "assignee": assignee,
                "since": since,
                "until": until,
                "limit": limit,
                "cursor": cursor,
            },
        )

    def get_surveillance_alert(
        self,
        *,
        id: str,
    ) -> GetSurveillanceAlertData:
        """An alert of market surveillance with the reviews of its case, oldest first: `GET /api/admin/alerts/{id}`.

        Args:
            id: The `id` of an alert.
        """
        return self._call(
            routes.GET_SURVEILLANCE_ALERT,
            {
                "id": id,
            },
        )

    def review_alert(
        self,
        *,
        id: str,
        case_status: Literal["open", "closed"] | None | Omitted = OMITTED,
        assignee: str | None | Omitted = OMITTED,
        note: str | None | Omitted = OMITTED,
    ) -> GetSurveillanceAlertData:
        """Assign, comment on, close or reopen the case of an alert: `PATCH /api/admin/alerts/{id}`.

        Args:
            id: The `id` of an alert.
            case_status: `closed` closes the case and needs a note; `open` reopens it.
            assignee: Account of the operator who investigates from then on; an empty text for no
                one. If it is left out, it stays as it is.
            note: Findings of the operator. They stay in the log forever: write no names, addresses
                or other personal data.
        """
        return self._call(
            routes.REVIEW_ALERT,
            {
                "id": id,
                "caseStatus": case_status,
                "assignee": assignee,
                "note": note,
            },
        )

    def get_alert_activity(
        self,
        *,
        id: str,
    ) -> GetAlertActivityData:
        """Trades and orders behind an alert, oldest first: `GET /api/admin/alerts/{id}/activity`.

        Args:
            id: The `id` of an alert.
        """
        return self._call(
            routes.GET_ALERT_ACTIVITY,
            {
                "id": id,
            },
        )

    def get_user_audit(
        self,
        *,
        account: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> UserEntryPage:
        """Audit of sign-ins and permission changes, newest first: `GET /api/admin/audit/users`.

        Args:
            account: Return only entries of this account.
            limit: Maximum number of records per page.
            cursor: The `nextCursor` of the previous page, unchanged, with the same parameters
                except `limit`.
        """
        return self._call(
            routes.GET_USER_AUDIT,
            {
                "account": account,
                "limit": limit,
                "cursor": cursor,
            },
        )

    def create_account_report(
        self,
        *,
        kind: Literal["orders", "fills", "ledger", "statement", "deposits", "withdrawals", "tax_fifo", "tax_average", "volume", "revenue", "users", "market_quality"],
        format: Literal["csv", "json", "html"],
        from_: Time,
        account: str | None | Omitted = OMITTED,
        to: Time | None | Omitted = OMITTED,
    ) -> Report:
        """Create a report about an account or the exchange: `POST /api/admin/reports`.

        Args:
            kind: The records that the report lists.
            format: A statement is `html`, for printing, or `json`; all others are `csv` or `json`.
            from_: Beginning of the period.
            account: The account that the report is about; absent for `volume`, `revenue`, `users`
                and `market_quality`, which are about the exchange.
            to: End of the period, which is not included; default: now.
        """
        return self._call(
            routes.CREATE_ACCOUNT_REPORT,
            {
                "kind": kind,
                "format": format,
                "from": from_,
                "account": account,
                "to": to,
            },
        )

    def list_all_reports(
        self,
        *,
        account: str | None = None,
    ) -> ReportList:
        """Reports of all accounts and the exchange, newest first: `GET /api/admin/reports`.

        Args:
            account: Return only reports about this account.
        """
        return self._call(
            routes.LIST_ALL_REPORTS,
            {
                "account": account,
            },
        )

    def get_any_report(
        self,
        *,
        id: str,
    ) -> Report:
        """A report of any account and its progress: `GET /api/admin/reports/{id}`.

        Args:
            id: The `reportId` of a report.
        """
        return self._call(
            routes.GET_ANY_REPORT,
            {
                "id": id,
            },
        )

    def delete_any_report(
        self,
        *,
        id: str,
    ) -> Report:
        """Remove a report of any account and its file: `DELETE /api/admin/reports/{id}`.

        Args:
            id: The `reportId` of a report.
        """
        return self._call(
            routes.DELETE_ANY_REPORT,
            {
                "id": id,
            },
        )

    def get_sandbox_clock(
        self,
    ) -> GetSandboxClockData:
        """The sandbox's clock: `GET /api/sandbox/clock`."""
        return self._call(
            routes.GET_SANDBOX_CLOCK,
            {},
        )

    def set_sandbox_clock(
        self,
        *,
        mode: Literal["real", "frozen", "stepped", "scaled"] | None | Omitted = OMITTED,
        speed: Number | None | Omitted = OMITTED,
        advance_ms: int | None | Omitted = OMITTED,
        until: Time | None | Omitted = OMITTED,
    ) -> GetSandboxClockData:
        """Set and move the sandbox's clock: `POST /api/sandbox/clock`.

        Args:
            mode: The way the time moves from now on; by default as before.
            speed: Time of the exchange per real time. Required by `scaled`, and only for it.
            advance_ms: Moves the time on and plays what is due. With `stepped`: the time before
                each request, at least 1.
            until: Moves the time on to this time. Instead of `advanceMs`.
        """
        return self._call(
            routes.SET_SANDBOX_CLOCK,
            {
                "mode": mode,
                "speed": speed,
                "advanceMs": advance_ms,
                "until": until,
            },
        )

    def get_makers(
        self,
    ) -> GetMakersData:
        """The market makers' behavior: `GET /api/sandbox/makers`."""
        return self._call(
            routes.GET_MAKERS,
            {},
        )

    def change_makers(
        self,
        *,
        symbol: str | None | Omitted = OMITTED,
        running: bool | None | Omitted = OMITTED,
        spread: Number | None | Omitted = OMITTED,
        depth: Number | None | Omitted = OMITTED,
        volatility: Number | None | Omitted = OMITTED,
        flow: Number | None | Omitted = OMITTED,
        bias: Number | None | Omitted = OMITTED,
        move: ChangeMakersMove | Omitted = OMITTED,
    ) -> GetMakersData:
        """Change the market makers' behavior: `POST /api/sandbox/makers`.

        Args:
            symbol: The market; by default all.
            running: Whether they quote and trade. If not, their orders are canceled.
            spread: Multiplier of the distance between the best quotes.
            depth: Multiplier of the quoted amounts; 0 for no quotes.
            volatility: Multiplier of the moves of the fair price.
            flow: Multiplier of the amounts that their taker trades; 0 for none.
            bias: Sides of the taker: -1 only sells, 1 only buys.
            move: A steady move of the fair price by a fraction of it, such as -0.2, within a time.
        """
        return self._call(
            routes.CHANGE_MAKERS,
            {
                "symbol": symbol,
                "running": running,
                "spread": spread,
                "depth": depth,
                "volatility": volatility,
                "flow": flow,
                "bias": bias,
                "move": move,
            },
        )

    def list_checkpoints(
        self,
    ) -> ListCheckpointsData:
        """List checkpoints: `GET /api/sandbox/checkpoints`."""
        return self._call(
            routes.LIST_CHECKPOINTS,
            {},
        )

    def create_checkpoint(
        self,
        *,
        name: str,
    ) -> CreateCheckpointData:
        """Create a checkpoint: `POST /api/sandbox/checkpoints`.

        Args:
            name: The name of the checkpoint.
        """
        return self._call(
            routes.CREATE_CHECKPOINT,
            {
                "name": name,
            },
        )

    def delete_checkpoint(
        self,
        *,
        name: str,
    ) -> CreateCheckpointData:
        """Delete a checkpoint: `DELETE /api/sandbox/checkpoints/{name}`.

        Args:
            name: The name of a checkpoint.
        """
        return self._call(
            routes.DELETE_CHECKPOINT,
            {
                "name": name,
            },
        )

    def restore_checkpoint(
        self,
        *,
        name: str,
    ) -> CreateCheckpointData:
        """Restore a checkpoint: `POST /api/sandbox/restore`.

        Args:
            name: The name of the checkpoint.
        """
        return self._call(
            routes.RESTORE_CHECKPOINT,
            {
                "name": name,
            },
        )

    def add_faults(
        self,
        *,
        faults: Sequence[AddFaultsFault],
        api_key: str | None | Omitted = OMITTED,
        account: str | None | Omitted = OMITTED,
        seed: int | None | Omitted = OMITTED,
    ) -> AddFaultsData:
        """Install a script of faults: `POST /api/sandbox/faults`.

        Args:
            faults: The faults.
            api_key: Only for this API key.
            account: Only for the keys of this account.
            seed: Seed of the script's draws; by default derived from the sandbox's.
        """
        return self._call(
            routes.ADD_FAULTS,
            {
                "faults": faults,
                "apiKey": api_key,
                "account": account,
                "seed": seed,
            },
        )

    def list_faults(
        self,
        *,
        id: str | None = None,
        from_id: str | None = None,
        limit: int | None = None,
    ) -> ListFaultsData:
        """The scripts of faults, and the faults that have happened: `GET /api/sandbox/faults`.

        Args:
            id: Return only this script, and its faults.
            from_id: Return only faults with this number or a higher one.
            limit: Maximum number of records per page.
        """
        return self._call(
            routes.LIST_FAULTS,
            {
                "id": id,
                "fromId": from_id,
                "limit": limit,
            },
        )

    def remove_faults(
        self,
        *,
        id: str | None = None,
    ) -> RemoveFaultsData:
        """Remove a script of faults, or all: `DELETE /api/sandbox/faults`.

        Args:
            id: The script to remove; all without it.
        """
        return self._call(
            routes.REMOVE_FAULTS,
            {
                "id": id,
            },
        )

    def get_recordings(
        self,
    ) -> GetRecordingsData:
        """Recorded markets: `GET /api/sandbox/recordings`."""
        return self._call(
            routes.GET_RECORDINGS,
            {},
        )
