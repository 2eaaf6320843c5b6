"""Settings and checks that the programs of all clients share."""

import os
from decimal import ROUND_DOWN, Decimal
from typing import Any

URL = os.environ["EXCHANGE_URL"]
"""The dialect's address, such as http://127.0.0.1:8080/binance."""
SOCKETS = URL.replace("http", "ws", 1)
API_KEY = os.environ["API_KEY"]
API_SECRET = os.environ["API_SECRET"]

TICK = Decimal("0.01")
AMOUNT = Decimal("0.01")
"""The amount of every order, in BTC."""
TAKER_FEE = Decimal("0.001")
UNIT = Decimal("1e-8")
"""The smallest amount that the dialect shows."""


def check(condition: Any, *values: Any) -> None:
    """Fails with the values. Unlike `assert`, it also runs with `python -O`."""
    if not condition:
        raise AssertionError(*values)


def same(actual: Any, expected: Any) -> None:
    check(actual == expected, actual, "is not", expected)


def same_but_cut_off(parts: list[Decimal], whole: Decimal) -> None:
    """Compares the sum of amounts with the whole. What lies beyond the eighth decimal is cut off, of each part and of the whole."""
    difference = whole - sum(parts)
    check(0 <= difference < UNIT * len(parts), parts, "is not", whole)


def done(part: str) -> None:
    """Notes a part that was exercised. The test expects every part."""
    print(f"done: {part}", flush=True)


def far_below(price: Any) -> Decimal:
    """A price at which a purchase stays open."""
    return (Decimal(str(price)) * Decimal("0.9")).quantize(TICK, ROUND_DOWN)


def decimal(number: Any) -> Decimal:
    return Decimal(str(number))


def replace_urls(urls: Any) -> Any:
    """Replaces the host of every URL of Binance."""
    if isinstance(urls, dict):
        return {name: replace_urls(value) for name, value in urls.items()}
    if not isinstance(urls, str):
        return urls
    scheme, _, rest = urls.partition("://")
    _, slash, path = rest.partition("/")
    return (SOCKETS if scheme.startswith("ws") else URL) + slash + path
