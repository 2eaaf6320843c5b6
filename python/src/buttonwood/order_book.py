"""Order books kept current by the messages of streams."""

from __future__ import annotations

import zlib
from bisect import bisect_left, insort
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from decimal import Context, Decimal
from itertools import chain, islice
from typing import Literal

from ._json import decimal_text
from .channels import BookLevels, BookOrders, StreamMessage
from .errors import OutOfSyncError

_CHECKED_ORDERS = 10
_EXACT = Context(prec=100)
"""Adds amounts without rounding: numbers of the exchange have at most 40 digits."""


@dataclass(frozen=True, kw_only=True, slots=True)
class QueuePosition:
    """An order's place in a book."""

    side: Literal["buy", "sell"]
    price: Decimal
    amount: Decimal
    """Remaining amount; of an iceberg the part that is shown."""
    orders_ahead: int
    """Number of orders at the same price that trade before it."""
    amount_ahead: Decimal
    """Their total amount."""


class OrderBook:
    """A market's order book, kept current by applying every message of the channel `orderbook`.

    Its levels equal those of `get_orderbook` at the same sequence.
    """

    def __init__(self) -> None:
        self.sequence = -1
        """-1 before the first message."""
        self.is_complete = False
        """Whether all levels have arrived: a book of more than 1,000 levels per side comes in parts."""
        self._bids = _Levels(-1)
        self._asks = _Levels(1)

    @property
    def bids(self) -> list[tuple[Decimal, Decimal]]:
        """Price and total amount of each level, best first."""
        return list(self._bids)

    @property
    def asks(self) -> list[tuple[Decimal, Decimal]]:
        """Price and total amount of each level, best first."""
        return list(self._asks)

    @property
    def best_bid(self) -> tuple[Decimal, Decimal] | None:
        return next(iter(self._bids), None)

    @property
    def best_ask(self) -> tuple[Decimal, Decimal] | None:
        return next(iter(self._asks), None)

    def apply(self, message: StreamMessage[BookLevels]) -> None:
        """Applies a message.

        Raises:
            OutOfSyncError: An update does not follow the last message.
        """
        self.sequence = _next_sequence(message.op, message.prev_sequence, message.sequence, self.sequence)
        if message.op == "snapshot":
            self._bids, self._asks = _Levels(-1), _Levels(1)
        if message.data.complete is not None:
            self.is_complete = message.data.complete
        for side, levels in ((self._bids, message.data.bids), (self._asks, message.data.asks)):
            for price, amount in levels:
                side.put(price, amount)


class Level3Book:
    """A market's order book order by order, kept current by the messages of the channel `level3`.

    After every message its best orders are compared with the checksum of the exchange.
    """

    def __init__(self) -> None:
        self.sequence = -1
        """-1 before the first message."""
        self.is_complete = False
        """Whether all orders have arrived: a book of more than 1,000 orders per side comes in parts."""
        self._bids = _Queues(-1)
        self._asks = _Queues(1)

    @property
    def bids(self) -> list[tuple[str, Decimal, Decimal]]:
        """Public id, price and amount of each order, in the sequence in which they trade."""
        return list(self._bids)

    @property
    def asks(self) -> list[tuple[str, Decimal, Decimal]]:
        """Public id, price and amount of each order, in the sequence in which they trade."""
        return list(self._asks)

    def position(self, public_id: str) -> QueuePosition | None:
        """Returns the place of an order; None if the book does not have it."""
        return self._bids.position(public_id, "buy") or self._asks.position(public_id, "sell")

    def apply(self, message: StreamMessage[BookOrders]) -> None:
        """Applies a message.

        Raises:
            OutOfSyncError: An update does not follow the last message, or the checksum differs. Call
                `resubscribe` of the subscription for a new snapshot, or let the subscription apply the
                messages (`Streams.level3`).
        """
        self.sequence = _next_sequence(message.op, message.prev_sequence, message.sequence, self.sequence)
        data = message.data
        if message.op == "snapshot":
            self._bids, self._asks = _Queues(-1), _Queues(1)
        if data.complete is not None:
            self.is_complete = data.complete
        for side, orders in ((self._bids, data.bids), (self._asks, data.asks)):
            for public_id in data.removed or ():
                side.remove(public_id)
            for order in orders:
                side.put(*order)
        # Between two parts of a long book, so many orders may have gone that the best ten are still to come.
        shown = min(len(list(islice(side, _CHECKED_ORDERS))) for side in (self._bids, self._asks))
        if (self.is_complete or shown == _CHECKED_ORDERS) and self.checksum() != data.checksum:
            raise OutOfSyncError(f"the book of {data.symbol} differs from the exchange's at {self.sequence}")

    def checksum(self) -> int:
        """Returns the CRC-32 of the best ten bids and the best ten asks."""
        best = chain(islice(self._bids, _CHECKED_ORDERS), islice(self._asks, _CHECKED_ORDERS))
        texts = (f"{each}:{decimal_text(price)}:{decimal_text(amount)}" for each, price, amount in best)
        return zlib.crc32("|".join(texts).encode())


def _next_sequence(op: str, previous: int | None, sequence: int | None, known: int) -> int:
    if sequence is None:
        raise OutOfSyncError("the message is not of a book")
    if op == "update" and previous != known:
        raise OutOfSyncError(f"the update follows {previous}, but the book is at {known}")
    return sequence


class _Prices:
    """Prices of one side, best first."""

    def __init__(self, sign: int) -> None:
        """`sign` is 1 if the lowest price is the best, else -1."""
        self._sign = sign
        self._keys: list[Decimal] = []
        """Prices times the sign, ascending."""

    def __iter__(self) -> Iterator[Decimal]:
        return map(self._flip, self._keys)

    def add(self, price: Decimal) -> None:
        insort(self._keys, self._flip(price))

    def remove(self, price: Decimal) -> None:
        del self._keys[bisect_left(self._keys, self._flip(price))]

    def _flip(self, price: Decimal) -> Decimal:
        # Unlike a unary minus, copy_negate never rounds to the precision of the context.
        return price if self._sign > 0 else price.copy_negate()


class _Levels:
    """Amounts by price."""

    def __init__(self, sign: int) -> None:
        self._prices = _Prices(sign)
        self._amounts: dict[Decimal, Decimal] = {}

    def __iter__(self) -> Iterator[tuple[Decimal, Decimal]]:
        return ((price, self._amounts[price]) for price in self._prices)

    def put(self, price: Decimal, amount: Decimal) -> None:
        """Sets the amount of a level; 0 removes it."""
        if amount:
            if price not in self._amounts:
                self._prices.add(price)
            self._amounts[price] = amount
        elif self._amounts.pop(price, None) is not None:
            self._prices.remove(price)


class _Queues:
    """Orders by price, and at one price in the sequence in which they trade."""

    def __init__(self, sign: int) -> None:
        self._prices = _Prices(sign)
        self._queues: dict[Decimal, dict[str, Decimal]] = {}
        self._price_by_id: dict[str, Decimal] = {}

    def __iter__(self) -> Iterator[tuple[str, Decimal, Decimal]]:
        for price in self._prices:
            for public_id, amount in self._queues[price].items():
                yield public_id, price, amount

    def put(self, public_id: str, price: Decimal, amount: Decimal) -> None:
        if price not in self._queues:
            self._prices.add(price)
            self._queues[price] = {}
        self._queues[price][public_id] = amount
        self._price_by_id[public_id] = price

    def position(self, public_id: str, side: Literal["buy", "sell"]) -> QueuePosition | None:
        price = self._price_by_id.get(public_id)
        if price is None:
            return None
        queue = self._queues[price]
        ahead = list(queue).index(public_id)
        return QueuePosition(
            side=side,
            price=price,
            amount=queue[public_id],
            orders_ahead=ahead,
            amount_ahead=_total(islice(queue.values(), ahead)),
        )

    def remove(self, public_id: str) -> None:
        """Removes an order, unless it is unknown."""
        price = self._price_by_id.pop(public_id, None)
        if price is None:
            return
        del self._queues[price][public_id]
        if not self._queues[price]:
            del self._queues[price]
            self._prices.remove(price)


def _total(amounts: Iterable[Decimal]) -> Decimal:
    total = Decimal(0)
    for amount in amounts:
        total = _EXACT.add(total, amount)
    return total
