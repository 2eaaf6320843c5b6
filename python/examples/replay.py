"""Replays a recorded order flow into a market of its own, and compares the trades with the recorded ones.

A recording has lines of `timestamp_ms event {json}`, as Bitstamp's live order feed: `order_created`
becomes an order, `order_deleted` a cancel, the first `order_book` seeds the book, and `trade` is compared.
The operator's key in sandbox.json lists the market BTC/USD and creates the accounts.

    npm start
    python examples/replay.py [RECORDING]    # plain, .gz or .xz; default: a small one
"""

from __future__ import annotations

import gzip
import json
import lzma
import os
import re
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any, Literal

from buttonwood import ApiRequestError, Client
from buttonwood.models import Fill

SYMBOL = "BTC/USD"
SAMPLE = Path(__file__).parents[2] / "examples" / "replay" / "sample-flow.txt"
CENT, SATOSHI = Decimal("0.01"), Decimal("0.00000001")
ACCOUNTS_PER_SIDE = 4
"""An account can have 2,000 open orders."""
RATE_LIMIT_MULTIPLIER = 1000
FUNDS = {"buy": ("USD", 10**12), "sell": ("BTC", 10**9)}

Side = Literal["buy", "sell"]
Trade = tuple[Decimal, Decimal]
"""Price and amount."""


@dataclass(frozen=True)
class Level:
    side: Side
    price: Decimal
    amount: Decimal


@dataclass(frozen=True)
class Event:
    kind: str
    """`order_created`, `order_deleted`, `order_book` or `trade`."""
    levels: list[Level]
    order_id: str = ""


def read_events(path: Path) -> Iterator[Event]:
    """Yields the events of a recording that a replay needs.

    Raises:
        ValueError: A line is not an event.
    """
    openers: dict[str, Any] = {".gz": gzip.open, ".xz": lzma.open}
    with openers.get(path.suffix, open)(path, "rt") as lines:
        has_book = False
        for number, line in enumerate(lines, 1):
            found = re.fullmatch(r"\d+ (\w+) (.*)\n?", line)
            if found is None:
                raise ValueError(f"line {number} of {path} is not `timestamp_ms event {{json}}`")
            kind, data = found[1], json.loads(found[2], parse_float=Decimal)
            # Only the first snapshot seeds the book; the rest is up to the exchange.
            if kind == "order_changed" or (kind == "order_book" and has_book):
                continue
            has_book = has_book or kind == "order_book"
            yield to_event(kind, data)


def to_event(kind: str, data: Any) -> Event:
    if kind == "order_book":
        sides: tuple[tuple[Side, str], ...] = (("buy", "bids"), ("sell", "asks"))
        return Event(kind, [to_level(side, *each) for side, name in sides for each in data[name]])
    side: Side = "sell" if data.get("order_type") == 1 else "buy"
    return Event(kind, [to_level(side, data["price"], data["amount"])], str(data["id"]))


def to_level(side: Side, price: object, amount: object) -> Level:
    # The feed has doubles, 236.61 as 236.61000000000001; rounding to the market's decimals restores them.
    return Level(side, Decimal(str(price)).quantize(CENT), Decimal(str(amount)).quantize(SATOSHI))


@dataclass
class RestingOrder:
    client: Client
    order_id: str
    level: Level
    remaining: Decimal


class OrderFlow:
    """Sends an order flow to the exchange, one request at a time, and collects the trades."""

    def __init__(self, traders: dict[Side, list[Client]]) -> None:
        self.sent = 0
        self.rejected: Counter[str] = Counter()
        self.trades: list[Trade] = []
        self._traders = traders
        self._resting: dict[str, RestingOrder] = {}
        """By recorded id, earliest first."""
        self._known: set[str] = set()

    def apply(self, event: Event) -> None:
        if event.kind == "order_created":
            self._known.add(event.order_id)
            self._place(event.order_id, event.levels[0])
        elif event.kind == "order_deleted":
            # Orders from before the recording are known only as part of a seeded level.
            level = event.levels[0]
            self._cancel(event.order_id if event.order_id in self._known else seed_id(level))
        elif event.kind == "order_book":
            for level in event.levels:
                self._seed(level)

    def clear(self) -> None:
        """Cancels all resting orders."""
        for each in list(self._resting):
            self._cancel(each)

    def _seed(self, level: Level) -> None:
        """Places an order for the part of a level that is from before the recording."""
        resting = (each.remaining for each in self._at(level.side, level.price))
        missing = level.amount - sum(resting, Decimal(0))
        if missing > 0:
            self._place(seed_id(level), Level(level.side, level.price, missing))

    def _place(self, known_id: str, level: Level) -> None:
        self.sent += 1
        clients = self._traders[level.side]
        client = clients[self.sent % len(clients)]
        try:
            order = client.place_order(
                symbol=SYMBOL,
                side=level.side,
                type="limit",
                amount=level.amount,
                price=level.price,
                return_fills=True,
            )
        except ApiRequestError as error:
            self.rejected[error.code] += 1
            return
        self._note_fills(level.side, order.fills or [])
        if order.status == "open":
            self._resting[known_id] = RestingOrder(client, order.order_id, level, order.remaining)

    def _note_fills(self, taker_side: Side, fills: Iterable[Fill]) -> None:
        """Finds the maker of each fill: the earliest order at its price."""
        for fill in fills:
            self.trades.append((fill.price, fill.amount))
            maker = next(iter(self._at("sell" if taker_side == "buy" else "buy", fill.price)), None)
            if maker is None or maker.remaining < fill.amount:
                raise RuntimeError(
                    f"{fill} is not with an order of the replay: does someone else trade {SYMBOL}?"
                )
            maker.remaining -= fill.amount
            if maker.remaining == 0:
                self._resting = {name: each for name, each in self._resting.items() if each is not maker}

    def _at(self, side: Side, price: Decimal) -> list[RestingOrder]:
        found = self._resting.values()
        return [each for each in found if each.level.side == side and each.level.price == price]

    def _cancel(self, known_id: str) -> None:
        order = self._resting.pop(known_id, None)
        if order is not None:
            order.client.cancel_order(id=order.order_id)


def seed_id(level: Level) -> str:
    return f"{level.side} {level.price}"


def prepare_market(operator: Client) -> None:
    """Lists the market, unless it exists.

    Raises:
        SystemExit: It has orders, which would trade with those of the replay.
    """
    if any(each.symbol == SYMBOL for each in operator.get_markets().markets):
        book = operator.get_orderbook(symbol=SYMBOL)
        if book.bids or book.asks:
            sys.exit(f"{SYMBOL} has resting orders. Replay into an exchange where it is not traded.")
        return
    known = {each.asset for each in operator.list_known_assets().assets}
    for asset, name, decimals in (("BTC", "Bitcoin", 8), ("USD", "US dollar", 10)):
        if asset not in known:
            operator.create_asset(asset=asset, name=name, decimals=decimals)
    operator.list_market(
        symbol=SYMBOL,
        tick_size=CENT,
        step_size=SATOSHI,
        max_amount=10**6,
        max_price=10**6,
        min_notional=CENT,
        maker_fee=0,
        taker_fee=0,
        reference_price="236.47",
    )


def open_traders(operator: Client, base_url: str) -> dict[Side, list[Client]]:
    """Creates the accounts of one replay. Buyers never sell, so that no order meets one of its account."""
    run = int(time.time() * 1000)
    return {
        "buy": [open_trader(operator, base_url, run, "buy", each) for each in range(ACCOUNTS_PER_SIDE)],
        "sell": [open_trader(operator, base_url, run, "sell", each) for each in range(ACCOUNTS_PER_SIDE)],
    }


def open_trader(operator: Client, base_url: str, run: int, side: Side, number: int) -> Client:
    account = f"replay-{run}-{side}-{number}"
    asset, amount = FUNDS[side]
    operator.create_account(account_id=account, limit_class=RATE_LIMIT_MULTIPLIER)
    operator.create_transfer(
        account=account, asset=asset, amount=amount, reference=account, reason="replay of a recording"
    )
    created = operator.create_key(id=account, permissions=["read", "trade"])
    return Client(base_url, api_key=created.key.api_key, api_secret=created.api_secret, wait_to_place=True)


def count_matches(made: list[Trade], recorded: list[Trade]) -> int:
    """Returns how many recorded trades were reproduced; each executed trade counts once."""
    return (Counter(made) & Counter(recorded)).total()


def operator_connection() -> dict[str, Any]:
    """Returns the address and the key of the operator in sandbox.json, as arguments of a client."""
    file = Path(os.environ.get("BUTTONWOOD_DATA", "data"), "sandbox.json")
    sandbox = json.loads(file.read_text())
    account = next(each for each in sandbox["accounts"] if "operate" in each["permissions"])
    return {
        "base_url": os.environ.get("BUTTONWOOD_URL") or sandbox["baseUrl"],
        "api_key": account["apiKey"],
        "api_secret": account["apiSecret"],
    }


def main(recording: str = str(SAMPLE)) -> None:
    settings = operator_connection()
    with Client(**settings) as operator:
        prepare_market(operator)
        traders = open_traders(operator, settings["base_url"])
        flow, recorded = OrderFlow(traders), list[Trade]()
        began = time.monotonic()
        for event in read_events(Path(recording)):
            if event.kind == "trade":
                recorded += [(each.price, each.amount) for each in event.levels]
            else:
                flow.apply(event)
        seconds = time.monotonic() - began
        flow.clear()
        balances = all(each.balances for each in operator.get_state().assets)
        for side in traders.values():
            for trader in side:
                trader.close()
    matched = count_matches(flow.trades, recorded)
    rejected = ", ".join(f"{times} {code}" for code, times in flow.rejected.items())
    print(f"orders sent: {flow.sent}, {flow.sent / seconds:.0f} per second")
    print(f"rejected: {rejected or 'none'}")
    print(f"trades: {len(flow.trades)} made, {len(recorded)} recorded, {matched} equal")
    print(f"the books {'balance' if balances else 'DO NOT BALANCE'}")


if __name__ == "__main__":
    main(*sys.argv[1:])
