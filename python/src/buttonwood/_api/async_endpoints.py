# Generated from the OpenAPI document by `npm run generate`. Do not edit.
"""A method for each endpoint."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Literal

from .._types import OMITTED, DeadlineTime, Number, Omitted, Result, Route, Time
from ..models import (
    AccountData,
    AccountList,
    ApiKeyData,
    ApiKeyPage,
    AssetData,
    AssetList,
    AuditEntryPage,
    BalanceList,
    CandleList,
    ChangeMarketData,
    CreateAccountData,
    CreateKeyData,
    CreateTransferData,
    DeadlineList,
    FillPage,
    GetClockData,
    GetCurrentKeyData,
    GetFeeTiersData,
    GetFeesData,
    GetLevel3Data,
    GetOrderbookData,
    GetStateData,
    GetStatusData,
    GetTimeData,
    InviteUserData,
    LedgerEntryPage,
    MarketData,
    MarketList,
    OperatorOrderList,
    Order,
    OrderList,
    OrderPage,
    PlaceOrderAttached,
    PlaceOrderRequest,
    PlaceOrdersData,
    PlacePairStopLoss,
    PlacePairTakeProfit,
    PortfolioPointList,
    PriceList,
    SetFeeTiersTier,
    TestOcoData,
    TestOrderData,
    TradePage,
    UpgradeData,
    UserEntryPage,
    UserList,
)
from . import routes


class AsyncEndpoints(ABC):
    """A method for each endpoint."""

    @abstractmethod
    async def _call(
        self, route: Route[Result], parameters: dict[str, object], deadline: DeadlineTime | None = None
    ) -> Result: ...

    async def get_markets(
        self,
        *,
        symbol: str | None = None,
    ) -> MarketList:
        """Markets, their rules and 24 h figures: `GET /api/markets`.

        Args:
            symbol: A market from GET /api/markets.
        """
        return await self._call(
            routes.GET_MARKETS,
            {
                "symbol": symbol,
            },
        )

    async def get_prices(
        self,
        *,
        symbol: str | None = None,
    ) -> PriceList:
        """Current prices and rolling 24 h figures: `GET /api/prices`.

        Args:
            symbol: A market from GET /api/markets.
        """
        return await self._call(
            routes.GET_PRICES,
            {
                "symbol": symbol,
            },
        )

    async def get_assets(
        self,
    ) -> AssetList:
        """All assets: `GET /api/assets`."""
        return await self._call(
            routes.GET_ASSETS,
            {},
        )

    async def get_orderbook(
        self,
        *,
        symbol: str,
        depth: int | None = None,
    ) -> GetOrderbookData:
        """A market's order book: `GET /api/orderbook`.

        Args:
            symbol: A market from GET /api/markets.
            depth: Maximum number of price levels per side.
        """
        return await self._call(
            routes.GET_ORDERBOOK,
            {
                "symbol": symbol,
                "depth": depth,
            },
        )

    async def get_level3(
        self,
        *,
        symbol: str,
        limit: int | None = None,
    ) -> GetLevel3Data:
        """A market's order book, order by order: `GET /api/level3`.

        Args:
            symbol: A market from GET /api/markets.
            limit: Maximum number of records per page.
        """
        return await self._call(
            routes.GET_LEVEL3,
            {
                "symbol": symbol,
                "limit": limit,
            },
        )

    async def get_trades(
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
        return await self._call(
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

    async def get_candles(
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
        return await self._call(
            routes.GET_CANDLES,
            {
                "symbol": symbol,
                "interval": interval,
                "since": since,
                "until": until,
                "limit": limit,
            },
        )

    async def get_time(
        self,
    ) -> GetTimeData:
        """The server's clock: `GET /api/time`."""
        return await self._call(
            routes.GET_TIME,
            {},
        )

    async def get_status(
        self,
    ) -> GetStatusData:
        """Status and release of the exchange: `GET /api/status`."""
        return await self._call(
            routes.GET_STATUS,
            {},
        )

    async def get_balances(
        self,
    ) -> BalanceList:
        """Balances of every asset that the account ever had: `GET /api/portfolio/balances`, `balances`."""
        return await self._call(
            routes.GET_BALANCES,
            {},
        )

    async def get_portfolio_history(
        self,
        *,
        interval: Literal["1s", "1m", "3m", "5m", "15m", "30m", "1h", "2h", "4h", "6h", "8h", "12h", "1d", "3d", "1w", "1M"] | None = None,
        since: Time | None = None,
        until: Time | None = None,
        limit: int | None = None,
    ) -> PortfolioPointList:
        """The account's balances at the end of each interval, oldest first: `GET /api/portfolio/history`.

        Args:
            interval: Length of a candle.
            since: Return only records from this time on. ISO 8601 with a zone, or milliseconds
                since 1970.
            until: Return only records up to this time. ISO 8601 with a zone, or milliseconds since
                1970.
            limit: Maximum number of records per page.
        """
        return await self._call(
            routes.GET_PORTFOLIO_HISTORY,
            {
                "interval": interval,
                "since": since,
                "until": until,
                "limit": limit,
            },
        )

    async def get_fees(
        self,
        *,
        symbol: str | None = None,
    ) -> GetFeesData:
        """The account's fee rates and fee tier: `GET /api/fees`.

        Args:
            symbol: A market from GET /api/markets.
        """
        return await self._call(
            routes.GET_FEES,
            {
                "symbol": symbol,
            },
        )

    async def place_order(
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
            deadline: Time after which the exchange does not execute the request, at most a minute
                ahead: an aware datetime, or milliseconds since 1970.
        """
        return await self._call(
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
            },
            deadline,
        )

    async def list_orders(
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
        """
        return await self._call(
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
            },
        )

    async def cancel_orders(
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
        return await self._call(
            routes.CANCEL_ORDERS,
            {
                "symbol": symbol,
                "ids": ids,
                "clientOrderId": client_order_id,
                "all": all,
            },
        )

    async def get_order(
        self,
        *,
        id: str,
        queue_ahead: bool | None = None,
    ) -> Order:
        """One of the account's orders: `GET /api/orders/{id}`, `order.get`.

        Args:
            id: The `orderId` of one of your orders.
            queue_ahead: With `true` the response shows the amount that is ahead of the order in
                the queue.
        """
        return await self._call(
            routes.GET_ORDER,
            {
                "id": id,
                "queueAhead": queue_ahead,
            },
        )

    async def cancel_order(
        self,
        *,
        id: str,
    ) -> Order:
        """Cancel an open order: `DELETE /api/orders/{id}`, `order.cancel`.

        Args:
            id: The `orderId` of one of your orders.
        """
        return await self._call(
            routes.CANCEL_ORDER,
            {
                "id": id,
            },
        )

    async def amend_order(
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
        deadline: DeadlineTime | None = None,
    ) -> Order:
        """Amend an open order: `PATCH /api/orders/{id}`, `order.amend`.

        Args:
            id: The `orderId` of one of your orders.
            amount: The new total amount, including the filled amount.
            price: The new limit price.
            trigger_price: The new trigger price.
            trailing_amount: The new distance of a trailing stop, as a price.
            trailing_percent: The new distance of a trailing stop, in percent.
            activation_price: The new activation price of a trailing stop that does not trail yet.
            display_amount: Amount of a limit order that the book shows.
            deadline: Time after which the exchange does not execute the request, at most a minute
                ahead: an aware datetime, or milliseconds since 1970.
        """
        return await self._call(
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
            },
            deadline,
        )

    async def get_fills(
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
        return await self._call(
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

    async def get_ledger(
        self,
        *,
        asset: str | None = None,
        order_id: str | None = None,
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
            since: Return only records from this time on. ISO 8601 with a zone, or milliseconds
                since 1970.
            until: Return only records up to this time. ISO 8601 with a zone, or milliseconds since
                1970.
            limit: Maximum number of records per page.
            cursor: The `nextCursor` of the previous page, unchanged, with the same parameters
                except `limit`.
            sort: `desc` for newest first, `asc` for oldest first.
        """
        return await self._call(
            routes.GET_LEDGER,
            {
                "asset": asset,
                "orderId": order_id,
                "since": since,
                "until": until,
                "limit": limit,
                "cursor": cursor,
                "sort": sort,
            },
        )

    async def place_orders(
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
        return await self._call(
            routes.PLACE_ORDERS,
            {
                "orders": orders,
            },
            deadline,
        )

    async def place_pair(
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
            deadline: Time after which the exchange does not execute the request, at most a minute
                ahead: an aware datetime, or milliseconds since 1970.
        """
        return await self._call(
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
            },
            deadline,
        )

    async def test_order(
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
        """
        return await self._call(
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
            },
        )

    async def test_oco(
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
        """
        return await self._call(
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
            },
        )

    async def cancel_after(
        self,
        *,
        timeout: int,
        symbol: str | None | Omitted = OMITTED,
    ) -> DeadlineList:
        """Cancel this key's open orders if it stops sending heartbeats (dead man's switch): `POST /api/orders/cancel-after`, `order.cancelAfter`."""
        return await self._call(
            routes.CANCEL_AFTER,
            {
                "timeout": timeout,
                "symbol": symbol,
            },
        )

    async def use_faucet(
        self,
        *,
        asset: Literal["USDT", "BTC", "ETH", "SOL"],
    ) -> BalanceList:
        """Get demo funds from the sandbox faucet: `POST /api/account/faucet`."""
        return await self._call(
            routes.USE_FAUCET,
            {
                "asset": asset,
            },
        )

    async def get_current_key(
        self,
    ) -> GetCurrentKeyData:
        """The API key of this request, its permissions and its limits: `GET /api/account/keys/current`."""
        return await self._call(
            routes.GET_CURRENT_KEY,
            {},
        )

    async def list_accounts(
        self,
        *,
        search: str | None = None,
    ) -> AccountList:
        """List or search accounts: `GET /api/admin/accounts`.

        Args:
            search: Return only accounts whose id contains this text, case-insensitive.
        """
        return await self._call(
            routes.LIST_ACCOUNTS,
            {
                "search": search,
            },
        )

    async def create_account(
        self,
        *,
        account_id: str,
        limit_class: int | None | Omitted = OMITTED,
    ) -> CreateAccountData:
        """Open an account: `POST /api/admin/accounts`."""
        return await self._call(
            routes.CREATE_ACCOUNT,
            {
                "accountId": account_id,
                "limitClass": limit_class,
            },
        )

    async def get_account(
        self,
        *,
        id: str,
    ) -> AccountData:
        """Get an account: `GET /api/admin/accounts/{id}`.

        Args:
            id: The account id.
        """
        return await self._call(
            routes.GET_ACCOUNT,
            {
                "id": id,
            },
        )

    async def change_account(
        self,
        *,
        id: str,
        frozen: bool | None | Omitted = OMITTED,
        fee_tier: Literal["volume"] | int | None | Omitted = OMITTED,
        limit_class: int | None | Omitted = OMITTED,
        reason: str | None | Omitted = OMITTED,
    ) -> AccountData:
        """Freeze or unfreeze an account, set its fee tier or rate-limit multiplier: `PATCH /api/admin/accounts/{id}`.

        Args:
            id: The account id.
        """
        return await self._call(
            routes.CHANGE_ACCOUNT,
            {
                "id": id,
                "frozen": frozen,
                "feeTier": fee_tier,
                "limitClass": limit_class,
                "reason": reason,
            },
        )

    async def get_account_balances(
        self,
        *,
        id: str,
    ) -> BalanceList:
        """Balances of an account: `GET /api/admin/accounts/{id}/balances`.

        Args:
            id: The account id.
        """
        return await self._call(
            routes.GET_ACCOUNT_BALANCES,
            {
                "id": id,
            },
        )

    async def list_open_orders_of(
        self,
        *,
        id: str,
    ) -> OperatorOrderList:
        """The open orders of an account: `GET /api/admin/accounts/{id}/orders`.

        Args:
            id: The account id.
        """
        return await self._call(
            routes.LIST_OPEN_ORDERS_OF,
            {
                "id": id,
            },
        )

    async def cancel_orders_of(
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
        return await self._call(
            routes.CANCEL_ORDERS_OF,
            {
                "id": id,
                "symbol": symbol,
                "ids": ids,
                "clientOrderId": client_order_id,
                "all": all,
            },
        )

    async def list_keys(
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
        return await self._call(
            routes.LIST_KEYS,
            {
                "id": id,
                "limit": limit,
                "cursor": cursor,
                "sort": sort,
            },
        )

    async def create_key(
        self,
        *,
        id: str,
        permissions: Sequence[Literal["read", "trade", "operate"]],
        label: str | None | Omitted = OMITTED,
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
            permissions: Permissions of the key. An `hmac` key cannot have `operate`.
            label: A name by which you recognize the key. Default: empty.
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
        return await self._call(
            routes.CREATE_KEY,
            {
                "id": id,
                "permissions": permissions,
                "label": label,
                "type": type,
                "addresses": addresses,
                "expiresAt": expires_at,
                "publicKey": public_key,
                "password": password,
                "code": code,
            },
        )

    async def revoke_key(
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
        return await self._call(
            routes.REVOKE_KEY,
            {
                "id": id,
                "apiKey": api_key,
            },
        )

    async def invite_user(
        self,
        *,
        id: str,
        email: str,
        permissions: Sequence[Literal["read", "trade", "operate"]],
        password: str | None | Omitted = OMITTED,
        code: str | None | Omitted = OMITTED,
    ) -> InviteUserData:
        """Invite a user to an account: `POST /api/admin/accounts/{id}/users`.

        Args:
            id: The account id.
            password: Your password, required with a session unless you have turned on 2FA.
            code: A 2FA code, required with a session if you have turned on 2FA.
        """
        return await self._call(
            routes.INVITE_USER,
            {
                "id": id,
                "email": email,
                "permissions": permissions,
                "password": password,
                "code": code,
            },
        )

    async def list_users(
        self,
        *,
        id: str,
    ) -> UserList:
        """Users of an account: `GET /api/admin/accounts/{id}/users`.

        Args:
            id: The account id.
        """
        return await self._call(
            routes.LIST_USERS,
            {
                "id": id,
            },
        )

    async def remove_user(
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
        return await self._call(
            routes.REMOVE_USER,
            {
                "id": id,
                "email": email,
                "password": password,
                "code": code,
            },
        )

    async def get_fee_tiers(
        self,
    ) -> GetFeeTiersData:
        """The fee tiers: `GET /api/admin/fee-tiers`."""
        return await self._call(
            routes.GET_FEE_TIERS,
            {},
        )

    async def set_fee_tiers(
        self,
        *,
        asset: str,
        tiers: Sequence[SetFeeTiersTier],
    ) -> GetFeeTiersData:
        """Replace the fee tiers: `POST /api/admin/fee-tiers`."""
        return await self._call(
            routes.SET_FEE_TIERS,
            {
                "asset": asset,
                "tiers": tiers,
            },
        )

    async def create_transfer(
        self,
        *,
        account: str,
        asset: str,
        amount: Number,
        reference: str,
        reason: str,
    ) -> CreateTransferData:
        """Credit or debit an account (external deposit or withdrawal): `POST /api/admin/transfers`."""
        return await self._call(
            routes.CREATE_TRANSFER,
            {
                "account": account,
                "asset": asset,
                "amount": amount,
                "reference": reference,
                "reason": reason,
            },
        )

    async def list_known_assets(
        self,
    ) -> AssetList:
        """All assets: `GET /api/admin/assets`."""
        return await self._call(
            routes.LIST_KNOWN_ASSETS,
            {},
        )

    async def create_asset(
        self,
        *,
        asset: str,
        name: str,
        decimals: int,
    ) -> AssetData:
        """Add an asset: `POST /api/admin/assets`."""
        return await self._call(
            routes.CREATE_ASSET,
            {
                "asset": asset,
                "name": name,
                "decimals": decimals,
            },
        )

    async def list_admin_markets(
        self,
    ) -> MarketList:
        """All markets: `GET /api/admin/markets`."""
        return await self._call(
            routes.LIST_ADMIN_MARKETS,
            {},
        )

    async def list_market(
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
        min_amount: Number | None | Omitted = OMITTED,
        min_price: Number | None | Omitted = OMITTED,
        collar: Number | None | Omitted = OMITTED,
    ) -> MarketData:
        """List a market: `POST /api/admin/markets`."""
        return await self._call(
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
                "minAmount": min_amount,
                "minPrice": min_price,
                "collar": collar,
            },
        )

    async def change_market(
        self,
        *,
        symbol: str,
        preview: bool | None = None,
        status: Literal["online", "post_only", "limit_only", "cancel_only", "halted", "delisted"] | None | Omitted = OMITTED,
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
    ) -> ChangeMarketData:
        """Change a market's status or its rules: `PATCH /api/admin/markets`.

        Args:
            preview: With `true` nothing is changed: the response shows what the request would do.
        """
        return await self._call(
            routes.CHANGE_MARKET,
            {
                "symbol": symbol,
                "preview": preview,
                "status": status,
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
            },
        )

    async def get_state(
        self,
    ) -> GetStateData:
        """Log position, state hash and ledger totals: `GET /api/admin/state`."""
        return await self._call(
            routes.GET_STATE,
            {},
        )

    async def get_clock(
        self,
    ) -> GetClockData:
        """The clock of the node that responds: `GET /api/admin/clock`."""
        return await self._call(
            routes.GET_CLOCK,
            {},
        )

    async def confirm_clock(
        self,
        *,
        wall_clock: Time,
    ) -> GetClockData:
        """Confirm the wall clock of the node's machine after it jumped: `POST /api/admin/clock/confirm`."""
        return await self._call(
            routes.CONFIRM_CLOCK,
            {
                "wallClock": wall_clock,
            },
        )

    async def upgrade(
        self,
    ) -> UpgradeData:
        """Upgrade the engine version: `POST /api/admin/upgrade`."""
        return await self._call(
            routes.UPGRADE,
            {},
        )

    async def get_audit(
        self,
        *,
        account: str | None = None,
        action: str | None = None,
        since: Time | None = None,
        until: Time | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> AuditEntryPage:
        """Audit of operator commands, newest first: `GET /api/admin/audit`.

        Args:
            account: Return only entries of this account.
            action: Return only entries with this `action`.
            since: Return only records from this time on. ISO 8601 with a zone, or milliseconds
                since 1970.
            until: Return only records up to this time. ISO 8601 with a zone, or milliseconds since
                1970.
            limit: Maximum number of records per page.
            cursor: The `nextCursor` of the previous page, unchanged, with the same parameters
                except `limit`.
        """
        return await self._call(
            routes.GET_AUDIT,
            {
                "account": account,
                "action": action,
                "since": since,
                "until": until,
                "limit": limit,
                "cursor": cursor,
            },
        )

    async def get_user_audit(
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
        return await self._call(
            routes.GET_USER_AUDIT,
            {
                "account": account,
                "limit": limit,
                "cursor": cursor,
            },
        )
