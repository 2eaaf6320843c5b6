"""Market maker: quotes a post-only bid and ask around the mid price of other orders.

The quotes are skewed against the inventory, so that it returns to what it was at the start. The default
spread is one that the sandbox trades at; to earn money it must exceed the maker fee. If the bot stops, the
exchange cancels its orders after 30 s (dead man's switch). Ctrl-C cancels them at once.

    npm start
    python examples/market_maker.py [SYMBOL] [AMOUNT] [SECONDS BETWEEN UPDATES] [HALF SPREAD]
"""

from __future__ import annotations

import sys
import threading
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal

from bot import cancel_open_orders, connection, list_open_orders, stop_event

from buttonwood import ButtonwoodError, Client, OrderBook, Subscription
from buttonwood.channels import BookLevels
from buttonwood.models import Market, Order, PlaceOrderRequest

MAX_SKEW = Decimal("0.5")
"""Maximum shift of the quotes, as a part of half the spread: less than 1, so that none crosses the middle."""
SKEW_ORDERS = 20
"""Orders by which the inventory has changed at the maximum shift."""
CANCEL_AFTER_SECONDS = 30
PREFIX = "mm-"


class MarketMaker:
    def __init__(self, client: Client, market: Market, amount: str, half_spread: Decimal) -> None:
        self._client = client
        self._market = market
        self._amount = amount
        self._half_spread = half_spread
        self._start = self._inventory()
        self._book = OrderBook()
        self._lock = threading.Lock()
        self._count = 0

    def follow(self, messages: Subscription[BookLevels]) -> None:
        """Keeps the book until the stream is closed."""
        for message in messages:
            with self._lock:
                self._book.apply(message)

    def refresh(self) -> None:
        """Replaces the quotes unless they are already as wanted."""
        own = list_open_orders(self._client, self._market.symbol, PREFIX)
        middle = self._middle(own)
        center = middle * (1 - MAX_SKEW * self._half_spread * self._skew())
        bid = self._round(center * (1 - self._half_spread), ROUND_FLOOR)
        ask = self._round(center * (1 + self._half_spread), ROUND_CEILING)
        quotes = {(each.side, each.price) for each in own if each.filled == 0}
        if quotes >= {("buy", bid), ("sell", ask)}:
            return
        cancel_open_orders(self._client, self._market.symbol, PREFIX)
        results = self._client.place_orders(
            orders=[
                PlaceOrderRequest(
                    symbol=self._market.symbol,
                    side="buy" if price == bid else "sell",
                    type="limit",
                    amount=self._amount,
                    price=price,
                    post_only=True,
                    client_order_id=self._next_id(),
                )
                for price in (bid, ask)
            ]
        ).results
        for result in results:
            if result.success is False:
                print(result.error.message, file=sys.stderr)
        print(f"{bid:f} / {ask:f}", flush=True)

    def _middle(self, own: list[Order]) -> Decimal:
        """Returns the middle between the best prices of others, or the last price."""

        def best(levels: list[tuple[Decimal, Decimal]]) -> Decimal | None:
            for price, total in levels:
                if total > sum(each.remaining for each in own if each.price == price):
                    return price
            return None

        with self._lock:
            bid, ask = best(self._book.bids), best(self._book.asks)
        if bid is not None and ask is not None:
            return (bid + ask) / 2
        return self._client.get_prices(symbol=self._market.symbol).prices[0].price

    def _skew(self) -> Decimal:
        """Returns how far the inventory is from its start, from -1 (sold) to 1 (bought)."""
        bought = self._inventory() - self._start
        return max(Decimal(-1), min(Decimal(1), bought / (SKEW_ORDERS * Decimal(self._amount))))

    def _inventory(self) -> Decimal:
        """Returns the total of the base asset."""
        totals = {each.asset: each.total for each in self._client.get_balances().balances}
        return totals.get(self._market.base, Decimal(0))

    def _round(self, price: Decimal, rounding: str) -> Decimal:
        """Rounds to a multiple of the tick size."""
        ticks = (price / self._market.tick_size).to_integral_value(rounding)
        return ticks * self._market.tick_size

    def _next_id(self) -> str:
        self._count += 1
        return f"{PREFIX}{id(self):x}-{self._count}"


def main(
    symbol: str = "BTC/USDT", amount: str = "0.01", seconds: str = "4", half_spread: str = "0.0001"
) -> None:
    stop = stop_event()
    with Client(**connection()) as client, client.streams() as streams:
        (market,) = client.get_markets(symbol=symbol).markets
        maker = MarketMaker(client, market, amount, Decimal(half_spread))
        levels = streams.order_book(symbol)
        threading.Thread(target=maker.follow, args=(levels,), daemon=True).start()
        while not stop.is_set():
            try:
                client.cancel_after(timeout=CANCEL_AFTER_SECONDS, symbol=symbol)
                maker.refresh()
            except ButtonwoodError as error:
                print(error, file=sys.stderr)
            stop.wait(float(seconds))
        cancel_open_orders(client, symbol, PREFIX)
        client.cancel_after(timeout=0, symbol=symbol)


if __name__ == "__main__":
    main(*sys.argv[1:])
