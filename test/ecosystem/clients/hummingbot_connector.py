"""hummingbot: its connector for Binance, run by its own clock, as a strategy uses it."""

import asyncio
from collections.abc import Callable
from decimal import Decimal
from typing import Any

from bot import (
    AMOUNT,
    API_KEY,
    API_SECRET,
    SOCKETS,
    TAKER_FEE,
    TICK,
    URL,
    check,
    decimal,
    done,
    same,
    same_but_cut_off,
)
from hummingbot.connector.exchange.binance import binance_constants
from hummingbot.connector.exchange.binance.binance_exchange import BinanceExchange
from hummingbot.core.clock import Clock, ClockMode
from hummingbot.core.data_type.common import OrderType
from hummingbot.core.event.event_forwarder import EventForwarder
from hummingbot.core.event.events import MarketEvent

# The addresses that docs/bots has for this file of the connector.
binance_constants.REST_URL = f"{URL}/api/"
binance_constants.WSS_URL = f"{SOCKETS}/ws"
binance_constants.WSS_API_URL = f"{SOCKETS}/ws-api/v3"

PAIR = "BTC-USDT"
LIMIT_S = 60
EVENTS = [
    MarketEvent.BuyOrderCreated,
    MarketEvent.OrderCancelled,
    MarketEvent.OrderFilled,
    MarketEvent.BuyOrderCompleted,
    MarketEvent.OrderFailure,
]


class Session:
    def __init__(self) -> None:
        self.connector = BinanceExchange(API_KEY, API_SECRET, trading_pairs=[PAIR])
        self.events: list[tuple[str, Any]] = []
        # The connector keeps only weak references.
        self.listeners = [self.listen(kind) for kind in EVENTS]

    def listen(self, kind: MarketEvent) -> EventForwarder:
        listener = EventForwarder(lambda event: self.events.append((kind.name, event)))
        self.connector.add_listener(kind, listener)
        return listener

    async def wait(self, what: str, condition: Callable[[], bool]) -> None:
        for _ in range(LIMIT_S * 20):
            if condition():
                return
            await asyncio.sleep(0.05)
        raise AssertionError(what, self.connector.status_dict, self.events)

    async def event(self, name: str, order_id: str) -> Any:
        def find() -> list[Any]:
            return [each for kind, each in self.events if kind == name and each.order_id == order_id]

        await self.wait(f"{name} of {order_id}", lambda: len(find()) > 0)
        return find()[0]

    async def read_markets(self) -> None:
        await self.wait("ready", lambda: self.connector.ready)
        rule = self.connector.trading_rules[PAIR]
        same([rule.min_price_increment, rule.min_notional_size > 0], [TICK, True])
        book = self.connector.get_order_book(PAIR)
        first = book.last_diff_uid
        await self.wait("changes of the book", lambda: book.last_diff_uid > first)
        check(book.get_price(False) < book.get_price(True), book.get_price(False))
        await self.wait("a trade", lambda: book.last_trade_price > 0)
        check((await self.connector.get_last_traded_prices([PAIR]))[PAIR] > 0)

    async def place_limit_order(self) -> None:
        before = self.connector.get_available_balance("USDT")
        price = self.connector.get_price(PAIR, False) * Decimal("0.9")
        order_id = self.connector.buy(PAIR, AMOUNT, OrderType.LIMIT, price)
        same([order_id[:10], len(order_id)], ["x-MG43PCSN", 32])
        created = await self.event("BuyOrderCreated", order_id)
        check(created.exchange_order_id.isdigit(), created)
        held = decimal(created.price) * AMOUNT
        await self.wait(
            "the hold", lambda: self.connector.get_available_balance("USDT") == before - held
        )
        self.connector.cancel(PAIR, order_id)
        await self.event("OrderCancelled", order_id)
        await self.wait(
            "the funds", lambda: self.connector.get_available_balance("USDT") == before
        )

    async def place_market_order(self) -> None:
        before = self.connector.get_balance("BTC")
        order_id = self.connector.buy(PAIR, AMOUNT, OrderType.MARKET)
        filled = await self.event("OrderFilled", order_id)
        completed = await self.event("BuyOrderCompleted", order_id)
        same(completed.base_asset_amount, AMOUNT)
        (fee,) = filled.trade_fee.flat_fees
        same(fee.token, "BTC")
        same_but_cut_off([fee.amount], filled.amount * TAKER_FEE)
        await self.wait(
            "the balance",
            lambda: self.connector.get_balance("BTC") == before + AMOUNT * (1 - TAKER_FEE),
        )

    async def poll(self) -> None:
        """Does at once what the connector does every few seconds, in case its stream has missed something."""
        order_id = self.connector.buy(
            PAIR, AMOUNT, OrderType.LIMIT_MAKER, self.connector.get_price(PAIR, False) * Decimal("0.9")
        )
        await self.event("BuyOrderCreated", order_id)
        (order,) = self.connector.in_flight_orders.values()
        update = await self.connector._request_order_status(order)
        same([update.client_order_id, update.new_state.name], [order_id, "OPEN"])
        same(await self.connector._all_trade_updates_for_order(order), [])
        await self.connector._update_order_fills_from_trades()
        await self.connector._update_balances()
        (result,) = await self.connector.cancel_all(LIMIT_S)
        same([result.order_id, result.success], [order_id, True])

    async def run(self) -> None:
        await self.read_markets()
        done("market data")
        await self.place_limit_order()
        done("limit orders")
        await self.place_market_order()
        done("market orders")
        await self.poll()
        done("polling")
        same([each for kind, each in self.events if kind == "OrderFailure"], [])


async def main() -> None:
    session = Session()
    with Clock(ClockMode.REALTIME) as clock:
        clock.add_iterator(session.connector)
        ticking = asyncio.create_task(clock.run())
        try:
            await session.run()
        finally:
            ticking.cancel()
            await session.connector.stop_network()


asyncio.run(main())
