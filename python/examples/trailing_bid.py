"""Trailing bid: keeps a buy order a fraction below the last price.

It trades over a socket, and prints the round trip of each operation. After a fill it places the next order.
The default is so close that the sandbox trades at it within a minute. Ctrl-C cancels its order.

    npm start
    python examples/trailing_bid.py [SYMBOL] [AMOUNT] [FRACTION BELOW THE LAST PRICE]
"""

from __future__ import annotations

import sys
import time
from decimal import Decimal

from bot import connection, stop_event

from buttonwood import ApiRequestError, ButtonwoodError, Client, Trading
from buttonwood.models import Order

POLL_SECONDS = 0.2


class TrailingBid:
    def __init__(self, trading: Trading, symbol: str, amount: str, tick_size: Decimal) -> None:
        self._trading = trading
        self._symbol = symbol
        self._amount = amount
        self._tick_size = tick_size
        self._order: Order | None = None

    def follow(self, last: Decimal, fraction: Decimal) -> None:
        """Moves the order to its distance from the last price, at least a tick."""
        target = last - max(last * fraction, self._tick_size)
        price = (target / self._tick_size).to_integral_value() * self._tick_size
        if self._order is not None and (price == self._order.price or self._amend(self._order, price)):
            return
        start = time.perf_counter()
        self._order = self._trading.place_order(
            symbol=self._symbol, side="buy", type="limit", amount=self._amount, price=price
        )
        print(f"placed at {price:f} in {milliseconds(start)} ms", flush=True)

    def cancel(self) -> None:
        if self._order is None:
            return
        try:
            self._trading.cancel_order(id=self._order.order_id)
        except ApiRequestError as error:
            # It was filled just before.
            if error.code != "ORDER_NOT_OPEN":
                raise

    def _amend(self, order: Order, price: Decimal) -> bool:
        """Returns whether the order is still open."""
        start = time.perf_counter()
        try:
            order = self._trading.amend_order(id=order.order_id, price=price)
            print(f"amended to {price:f} in {milliseconds(start)} ms", flush=True)
        except ButtonwoodError:
            # It was filled, or the response was lost. Its record shows which; reads are repeated.
            order = self._trading.get_order(id=order.order_id)
        self._order = order if order.status == "open" else None
        return self._order is not None


def milliseconds(start: float) -> int:
    return int((time.perf_counter() - start) * 1000) + 1


def main(symbol: str = "BTC/USDT", amount: str = "0.01", fraction: str = "0.00005") -> None:
    stop = stop_event()
    with Client(**connection()) as client, client.trading() as trading, client.streams() as streams:
        (market,) = client.get_markets(symbol=symbol).markets
        bid = TrailingBid(trading, symbol, amount, market.tick_size)
        prices = streams.prices(symbol)
        while not stop.is_set():
            try:
                last = prices.receive(POLL_SECONDS).data.price
                bid.follow(last, Decimal(fraction))
            except TimeoutError:
                continue
            except ButtonwoodError as error:
                print(error, file=sys.stderr)
        bid.cancel()


if __name__ == "__main__":
    main(*sys.argv[1:])
