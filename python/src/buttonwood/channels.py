"""Messages of the channels of `/ws`."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Generic, Literal, TypeVar

from .models import (
    Balance,
    Deposit,
    Fill,
    GetStatusDataAnnouncement,
    GetStatusDataMaintenance,
    GetStatusDataTrading,
    Market,
    Order,
    Trade,
    Withdrawal,
)

Data = TypeVar("Data")
EveryMs = Literal[50, 100, 250, 1000]
"""How often merged changes are sent, milliseconds."""
Interval = Literal[
    "1s",
    "1m",
    "3m",
    "5m",
    "15m",
    "30m",
    "1h",
    "2h",
    "4h",
    "6h",
    "8h",
    "12h",
    "1d",
    "3d",
    "1w",
    "1M",
]


@dataclass(frozen=True, kw_only=True, slots=True)
class StreamMessage(Generic[Data]):
    op: Literal["snapshot", "update"]
    """A snapshot is the whole state. It comes first, and again if missed messages are no longer
    available, or after a reconnect of a book, prices or candles."""
    data: Data
    prev_sequence: int | None = None
    """Sequence of the preceding message. Prices and candles have no sequences."""
    sequence: int | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class BookLevels:
    """Levels of an order book; an update has the changed levels, with amount 0 for removed ones."""

    symbol: str
    bids: list[tuple[Decimal, Decimal]]
    """Price and total amount."""
    asks: list[tuple[Decimal, Decimal]]
    complete: bool | None = None
    """False while parts of a long book are still to come, absent afterwards."""


@dataclass(frozen=True, kw_only=True, slots=True)
class BookOrders:
    """Orders of a book; an update has the changed orders."""

    symbol: str
    bids: list[tuple[str, Decimal, Decimal]]
    """Public id, price and amount. A known order keeps its place, a new one is the last at its
    price."""
    asks: list[tuple[str, Decimal, Decimal]]
    checksum: int
    """CRC-32 of the best ten orders of each side."""
    removed: list[str] | None = None
    """Ids of orders to remove first. Absent in a snapshot."""
    complete: bool | None = None
    """False while parts of a long book are still to come, absent afterwards."""


@dataclass(frozen=True, kw_only=True, slots=True)
class MarketStatus:
    symbol: str
    status: str
    """The status in force."""


@dataclass(frozen=True, kw_only=True, slots=True)
class MarketStatuses:
    """Restrictions of all markets, and statuses: of all markets in a snapshot, of those that changed
    in an update."""

    trading: GetStatusDataTrading
    maintenance: list[GetStatusDataMaintenance]
    announcements: list[GetStatusDataAnnouncement]
    markets: list[MarketStatus]
    listings: list[Market] | None = None
    """Markets that are new or whose rules have changed; absent if there are none, and from snapshots."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Trades:
    trades: list[Trade]
    busts: list[Trade] | None = None
    """Earlier trades that operators have reversed; absent if there are none."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Orders:
    orders: list[Order]


@dataclass(frozen=True, kw_only=True, slots=True)
class Fills:
    fills: list[Fill]
    busts: list[Fill] | None = None
    """Fills of trades that operators have reversed; absent if there are none."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Balances:
    balances: list[Balance]


@dataclass(frozen=True, kw_only=True, slots=True)
class Deposits:
    deposits: list[Deposit]


@dataclass(frozen=True, kw_only=True, slots=True)
class Withdrawals:
    withdrawals: list[Withdrawal]
