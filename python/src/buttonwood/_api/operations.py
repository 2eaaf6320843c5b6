# Generated from the OpenAPI document by `npm run generate`. Do not edit.
"""A method for each operation of `/ws`."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Literal

from .._types import OMITTED, DeadlineTime, Number, Omitted, Result, Route, Time
from ..models import (
    BalanceList,
    DeadlineList,
    Order,
    OrderList,
    OrderPage,
    PlaceOrderAttached,
    PlaceOrderRequest,
    PlaceOrdersData,
    PlacePairStopLoss,
    PlacePairTakeProfit,
    TestOcoData,
    TestOrderData,
)
from . import routes


class Operations(ABC):
    """A method for each operation of `/ws`."""

    @abstractmethod
    def _call(
        self, route: Route[Result], parameters: dict[str, object], deadline: DeadlineTime | None = None
    ) -> Result: ...

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

    def list_open_orders(
        self,
        *,
        symbol: str | None = None,
        side: Literal["buy", "sell"] | None = None,
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
