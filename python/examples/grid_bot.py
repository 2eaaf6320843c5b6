"""Grid trading bot: places buys on the levels below the price and sells on those above.

When a buy fills it sells one level higher, when a sell fills it buys one level lower, so each round trip
earns one level. The default levels are so close that the sandbox trades at them within a minute; to earn
money a level must exceed twice the maker fee. Ctrl-C cancels its orders.

    npm start
    python examples/grid_bot.py [SYMBOL] [LOWEST] [HIGHEST] [LEVELS] [AMOUNT]
"""

from __future__ import annotations

import sys
import time
from decimal import Decimal
from typing import Literal

from bot import cancel_open_orders, connection, stop_event

from buttonwood import ButtonwoodError, Client

PREFIX = "grid-"
POLL_SECONDS = 0.2
SPACING = Decimal("0.0001")
"""Default distance of two levels, as a fraction of the last price; at least a tick."""

Side = Literal["buy", "sell"]


class Grid:
    def __init__(self, client: Client, symbol: str, levels: list[Decimal], amount: str) -> None:
        self._client = client
        self._symbol = symbol
        self._levels = levels
        self._amount = amount
        self._run = f"{time.time_ns():x}"
        self._placed = 0
        self._open: dict[str, tuple[Side, int]] = {}
        """Side and level by client order id, which is known before the exchange reports the order."""

    def begin(self, last: Decimal) -> None:
        """Places an order on every level but the one nearest to the price."""
        free = min(range(len(self._levels)), key=lambda index: abs(self._levels[index] - last))
        for index in range(len(self._levels)):
            if index != free:
                self._place("buy" if index < free else "sell", index)

    def ended(self, client_order_id: str | None, is_filled: bool) -> None:
        """Places the opposite order one level further after a fill."""
        order = self._open.pop(client_order_id or "", None)
        if order is None or not is_filled:
            return
        side, index = order
        print(f"{side} at {self._levels[index]:f} filled", flush=True)
        if side == "buy":
            self._place("sell", index + 1)
        else:
            self._place("buy", index - 1)

    def _place(self, side: Side, index: int) -> None:
        if not 0 <= index < len(self._levels):
            return
        price = self._levels[index]
        client_order_id = f"{PREFIX}{self._run}-{self._placed}"
        self._placed += 1
        self._open[client_order_id] = (side, index)
        try:
            self._client.place_order(
                symbol=self._symbol,
                side=side,
                type="limit",
                amount=self._amount,
                price=price,
                client_order_id=client_order_id,
            )
            print(f"{side} at {price:f} placed", flush=True)
        except ButtonwoodError as error:
            del self._open[client_order_id]
            print(f"{side} at {price:f}: {error}", file=sys.stderr)


def main(
    symbol: str = "BTC/USDT",
    lowest: str | None = None,
    highest: str | None = None,
    count: str = "31",
    amount: str = "0.01",
) -> None:
    stop = stop_event()
    # A grid level does not become stale, so an order may wait for a rate limit.
    with Client(**connection(), wait_to_place=True) as client, client.streams() as streams:
        (market,) = client.get_markets(symbol=symbol).markets
        half_range = max(market.last * SPACING, market.tick_size) * (int(count) - 1) / 2
        start = market.last - half_range if lowest is None else Decimal(lowest)
        end = market.last + half_range if highest is None else Decimal(highest)
        step = (end - start) / (int(count) - 1)
        levels = [
            (start + index * step) // market.tick_size * market.tick_size for index in range(int(count))
        ]
        cancel_open_orders(client, symbol, PREFIX)
        orders = streams.orders()
        grid = Grid(client, symbol, levels, amount)
        grid.begin(market.last)
        while not stop.is_set():
            try:
                message = orders.receive(POLL_SECONDS)
            except TimeoutError:
                continue
            for order in message.data.orders:
                if order.status != "open":
                    grid.ended(order.client_order_id, order.status == "filled")
        cancel_open_orders(client, symbol, PREFIX)


if __name__ == "__main__":
    main(*sys.argv[1:])
