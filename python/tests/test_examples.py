"""The examples as programs against a real exchange."""

from __future__ import annotations

import importlib
import lzma
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import pytest
from servers import Exchange, without_settings

from buttonwood import Client

EXAMPLES = Path(__file__).parents[1] / "examples"


class Program:
    def __init__(self, exchange: Exchange, name: str, *arguments: str) -> None:
        env = {
            **without_settings(os.environ),
            "BUTTONWOOD_DATA": str(exchange.data),
            "BUTTONWOOD_URL": exchange.url,
        }
        command = [sys.executable, str(EXAMPLES / f"{name}.py"), *arguments]
        self._process = subprocess.Popen(command, env=env, stdout=subprocess.PIPE, text=True)

    def line(self) -> str:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        assert line, "it ended"
        return line.rstrip()

    def rest(self) -> list[str]:
        output, _ = self._process.communicate(timeout=30)
        assert self._process.returncode == 0
        return output.splitlines()

    def interrupt(self, signals: int = 2) -> None:
        """Stops it as Ctrl-C does: a terminal signals both a program and its parent."""
        for _ in range(signals):
            self._process.send_signal(signal.SIGINT)
        assert self._process.wait(30) == 0

    def end(self) -> None:
        self._process.kill()
        self._process.wait()
        if self._process.stdout is not None:
            self._process.stdout.close()


@contextmanager
def running(exchange: Exchange, name: str, *arguments: str) -> Iterator[Program]:
    program = Program(exchange, name, *arguments)
    try:
        yield program
    finally:
        program.end()


@pytest.fixture(autouse=True)
def price(alice: Client, bob: Client) -> None:
    """A trade gives the market a price."""
    alice.place_order(symbol="SOL/USDT", side="sell", type="limit", amount="0.1", price=260)
    bob.place_order(symbol="SOL/USDT", side="buy", type="limit", amount="0.1", price=260)


def take(client: Client, amount: str, *, is_buy: bool) -> None:
    client.place_order(symbol="SOL/USDT", side="buy" if is_buy else "sell", type="market", amount=amount)


def open_orders(client: Client) -> list[tuple[str, Decimal | None]]:
    orders = client.list_orders(status="open", sort="asc").orders
    return [(each.side, each.price) for each in orders]


def test_the_quickstart_places_amends_and_cancels(exchange: Exchange, alice: Client) -> None:
    with running(exchange, "quickstart", "SOL/USDT") as program:
        lines = program.rest()
    assert re.fullmatch(r"placed \d+: [\d.]+ at 130, open", lines[0])
    assert lines[1:] == ["amended to 129.99", "open orders: 1", "canceled: canceled"]
    assert open_orders(alice) == []


def test_the_examples_run_with_the_variables_of_the_sandbox(
    exchange: Exchange, alice: Client, tmp_path: Path
) -> None:
    program = f"'{sys.executable}' '{EXAMPLES}/quickstart.py' SOL/USDT"
    result = subprocess.run(
        ["sh", "-c", f". '{exchange.data}/sandbox.env' && {program}"],
        cwd=tmp_path,
        env=without_settings(os.environ),
        capture_output=True,
        text=True,
        timeout=30,
    )
    assert result.stderr == ""
    assert result.stdout.splitlines()[-1] == "canceled: canceled"


def test_the_portfolio_is_worth_the_sum_of_its_parts(exchange: Exchange, alice: Client) -> None:
    with running(exchange, "portfolio", "USDT") as program:
        lines = program.rest()
    prices = {each.symbol: each.price for each in alice.get_prices().prices}
    total = Fraction(0)
    balances = alice.get_balances().balances
    for balance, line in zip(balances, lines[1:-1], strict=True):
        price = prices.get(f"{balance.asset}/USDT", Decimal(1))
        cells = line.split()
        assert cells[:5] == [
            balance.asset,
            f"{balance.total:f}",
            f"{balance.available:f}",
            f"{balance.held:f}",
            f"{price:f}",
        ]
        assert Fraction(cells[5]) == Fraction(balance.total) * Fraction(price)
        total += Fraction(cells[5])
    assert Fraction(lines[-1].split()[1]) == total


def test_the_portfolio_names_the_currencies_that_it_knows(exchange: Exchange) -> None:
    with running(exchange, "portfolio", "NONE") as program, pytest.raises(AssertionError):
        program.rest()


def test_the_streaming_book_shows_every_change(exchange: Exchange, alice: Client) -> None:
    alice.place_order(symbol="SOL/USDT", side="buy", type="limit", amount=2, price="250.5")
    alice.place_order(symbol="SOL/USDT", side="sell", type="limit", amount=3, price="270.5")
    with running(exchange, "streaming_book", "SOL/USDT") as program:
        assert program.line().endswith(": 2 at 250.5 / 3 at 270.5")
        alice.place_order(symbol="SOL/USDT", side="buy", type="limit", amount=1, price=251)
        assert program.line().endswith(": 1 at 251 / 3 at 270.5")
        # It has nothing to cancel, so that a second signal may end it at once.
        program.interrupt(signals=1)


def test_the_market_maker_quotes_again_after_a_fill_and_cancels_at_the_end(
    exchange: Exchange, alice: Client, bob: Client
) -> None:
    mine = alice.place_order(symbol="SOL/USDT", side="buy", type="limit", amount=1, price=200)
    with running(exchange, "market_maker", "SOL/USDT", "0.5", "0.05") as program:
        bid, ask = (Decimal(each) for each in program.line().split(" / "))
        assert Decimal("259") < bid < 260 < ask < Decimal("261")
        take(bob, "0.2", is_buy=False)
        bid, ask = (Decimal(each) for each in program.line().split(" / "))
        assert open_orders(alice)[1:] == [("buy", bid), ("sell", ask)]
        armed = alice.cancel_after(timeout=0, symbol="BTC/USDT").armed
        assert [each.symbol for each in armed] == ["SOL/USDT"]
        program.interrupt()
    assert [each.order_id for each in alice.list_orders(status="open").orders] == [mine.order_id]
    assert alice.cancel_after(timeout=0, symbol="BTC/USDT").armed == []


def test_the_market_maker_quotes_with_any_inventory(exchange: Exchange, alice: Client) -> None:
    """Most of it in one asset shifts the quotes; they must not match the middle."""
    for symbol in ("BTC/USDT", "SOL/USDT"):
        with running(exchange, "market_maker", symbol, "0.5", "0.05") as program:
            bid, ask = (Decimal(each) for each in program.line().split(" / "))
            assert open_orders(alice) == [("buy", bid), ("sell", ask)]
            program.interrupt()


def test_the_grid_bot_places_the_opposite_order_after_a_fill(
    exchange: Exchange, alice: Client, bob: Client
) -> None:
    with running(exchange, "grid_bot", "SOL/USDT", "240", "280", "5", "2") as program:
        placed = [program.line() for _ in range(4)]
        assert placed == [
            f"{each}.00 placed" for each in ("buy at 240", "buy at 250", "sell at 270", "sell at 280")
        ]
        take(bob, "2", is_buy=False)
        assert program.line() == "buy at 250.00 filled"
        assert program.line() == "sell at 260.00 placed"
        take(bob, "2", is_buy=True)
        assert program.line() == "sell at 260.00 filled"
        assert program.line() == "buy at 250.00 placed"
        program.interrupt()
    assert open_orders(alice) == []


def test_the_trailing_bid_follows_the_price(exchange: Exchange, alice: Client, bob: Client) -> None:
    with running(exchange, "trailing_bid", "SOL/USDT", "1", "0.1") as program:
        assert re.fullmatch(r"placed at 234\.0 in \d+ ms", program.line())
        alice.place_order(symbol="SOL/USDT", side="sell", type="limit", amount="0.1", price=250)
        bob.place_order(symbol="SOL/USDT", side="buy", type="limit", amount="0.1", price=250)
        assert re.fullmatch(r"amended to 225\.0 in \d+ ms", program.line())
        # It is filled, and another one is placed at the next price.
        take(bob, "1", is_buy=False)
        assert re.fullmatch(r"placed at 202\.5 in \d+ ms", program.line())
        program.interrupt()
    assert open_orders(alice) == []


def test_the_trailing_bid_ends_without_an_error_if_it_was_just_filled(
    alice: Client, bob: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(EXAMPLES)
    trailing_bid = importlib.import_module("trailing_bid")
    with alice.trading() as trading:
        bid = trailing_bid.TrailingBid(trading, "SOL/USDT", "1", Decimal("0.1"))
        bid.follow(Decimal(260), Decimal("0.1"))
        take(bob, "1", is_buy=False)
        bid.cancel()
        bid.follow(Decimal(260), Decimal("0.2"))
        assert len(open_orders(alice)) == 1
        bid.cancel()
        assert open_orders(alice) == []


def test_the_replay_reproduces_the_recorded_trades(exchange: Exchange, alice: Client, tmp_path: Path) -> None:
    """One recorded trade was with an order that is not in the recording."""
    sample = EXAMPLES.parents[1] / "examples" / "replay" / "sample-flow.txt"
    packed = tmp_path / "flow.xz"
    packed.write_bytes(lzma.compress(sample.read_bytes()))
    # The second one finds the market and an empty book.
    for arguments in ((), (str(packed),)):
        with running(exchange, "replay", *arguments) as program:
            lines = program.rest()
        assert re.fullmatch(r"orders sent: 19, \d+ per second", lines[0])
        assert lines[1:] == [
            "rejected: 1 MIN_NOTIONAL",
            "trades: 11 made, 12 recorded, 11 equal",
            "the books balance",
        ]
    book = alice.get_orderbook(symbol="BTC/USD")
    assert (book.bids, book.asks) == ([], [])


def test_the_replay_leaves_a_market_in_use_alone(exchange: Exchange, alice: Client) -> None:
    with running(exchange, "replay") as program:
        program.rest()
    with Client(exchange.url, **exchange.credentials("operator")) as operator:
        operator.create_transfer(
            account="alice", asset="USD", amount=1000, reference="for-the-replay", reason="test"
        )
    alice.place_order(symbol="BTC/USD", side="buy", type="limit", amount=1, price=100)
    with running(exchange, "replay") as program, pytest.raises(AssertionError):
        program.rest()
