"""Streams against a real exchange behind a proxy that breaks connections, and against scripts."""

from __future__ import annotations

import asyncio
import random
import threading
import time
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest
from servers import Exchange, Proxy, ScriptedSocket, await_end
from websockets.sync.server import ServerConnection

from buttonwood import (
    ApiRequestError,
    AsyncClient,
    Client,
    InvalidResponseError,
    Level3Book,
    OrderBook,
    OutOfSyncError,
    QueuePosition,
    StreamClosedError,
    StreamMessage,
    Subscription,
)
from buttonwood._json import write_json
from buttonwood._types import Number
from buttonwood.channels import BookLevels, BookOrders, EveryMs
from buttonwood.streams import MAX_BUFFERED

SEED = random.SystemRandom().randrange(2**32)
SYMBOL = "ETH/USDT"
WAIT_SECONDS = 20.0
CRC = 0x58C14488
"""CRC-32 of `x:1:2`."""


def trade(maker: Client, taker: Client, amount: Number = "0.01") -> None:
    maker.place_order(symbol=SYMBOL, side="sell", type="limit", amount=amount, price=5000)
    taker.place_order(symbol=SYMBOL, side="buy", type="market", amount=amount)


def change_randomly(source: random.Random, client: Client, open_orders: list[str]) -> None:
    """Places, amends or cancels an order far from any price that trades."""
    if open_orders and source.random() < 0.3:
        client.cancel_order(id=open_orders.pop(source.randrange(len(open_orders))))
    elif open_orders and source.random() < 0.3:
        order_id = source.choice(open_orders)
        client.amend_order(id=order_id, amount=Decimal(source.randrange(1, 900)).scaleb(-3))
    else:
        is_buy = source.random() < 0.5
        price = Decimal(source.randrange(100, 130)) / 10 + (0 if is_buy else 9000)
        order = client.place_order(
            symbol=SYMBOL,
            side="buy" if is_buy else "sell",
            type="limit",
            amount=Decimal(source.randrange(900, 2000)).scaleb(-3),
            price=price,
        )
        open_orders.append(order.order_id)


@pytest.mark.parametrize("every_ms", [None, 50])
def test_books_equal_those_of_the_exchange_across_broken_connections(
    exchange: Exchange, alice: Client, proxy: Proxy, every_ms: EveryMs | None
) -> None:
    source = random.Random(SEED)
    open_orders: list[str] = []
    with Client(proxy.url) as client, client.streams() as streams:
        book, queues = OrderBook(), Level3Book()
        levels = streams.order_book(SYMBOL, book=book, every_ms=every_ms)
        orders = streams.level3(SYMBOL)
        for round_ in range(6):
            for step in range(25):
                change_randomly(source, alice, open_orders)
                # The changes that follow need another connection.
                if round_ % 2 and step == 12:
                    proxy.cut()
            shown = alice.get_orderbook(symbol=SYMBOL, depth=1000)
            while book.sequence < shown.sequence:
                levels.receive(WAIT_SECONDS)
            every = alice.get_level3(symbol=SYMBOL, limit=1000)
            while queues.sequence < every.sequence:
                queues.apply(orders.receive(WAIT_SECONDS))
            assert (book.bids, book.asks) == (shown.bids, shown.asks), f"seed {SEED}"
            assert (queues.bids, queues.asks) == (every.bids, every.asks), f"seed {SEED}"
            assert queues.checksum() == every.checksum, f"seed {SEED}"
            assert book.is_complete
    assert proxy.connections >= 4


def test_fills_and_trades_resume_without_a_gap_or_a_repetition(
    exchange: Exchange, alice: Client, bob: Client, proxy: Proxy
) -> None:
    source = random.Random(SEED)
    with Client(proxy.url, **exchange.credentials("bob")) as client, client.streams() as streams:
        subscriptions = streams.fills(), streams.trades(SYMBOL)
        for each in subscriptions:
            assert each.receive(WAIT_SECONDS).op == "snapshot"
        amounts = [Decimal(index + 1).scaleb(-4) for index in range(40)]
        for amount in amounts:
            trade(alice, bob, amount)
            if source.random() < 0.2:
                proxy.cut()
        fills: list[Decimal] = []
        while len(fills) < len(amounts):
            message = subscriptions[0].receive(WAIT_SECONDS)
            assert message.op == "update", f"seed {SEED}"
            fills += [each.amount for each in message.data.fills]
        trades: list[Decimal] = []
        while len(trades) < len(amounts):
            trades += [each.amount for each in subscriptions[1].receive(WAIT_SECONDS).data.trades]
    assert fills == amounts, f"seed {SEED}"
    assert trades == amounts, f"seed {SEED}"


def test_streams_survive_a_restart_of_the_exchange(exchange: Exchange, alice: Client, bob: Client) -> None:
    with Client(exchange.url, **exchange.credentials("bob")) as client, client.streams() as streams:
        fills, book, levels = streams.fills(), OrderBook(), streams.order_book(SYMBOL)
        fills.receive(WAIT_SECONDS)
        trade(alice, bob, "0.5")
        exchange.stop()
        exchange.start()
        trade(alice, bob, "0.25")
        found: list[Decimal] = []
        while len(found) < 2:
            found += [each.amount for each in fills.receive(WAIT_SECONDS).data.fills]
        assert found == [Decimal("0.5"), Decimal("0.25")]
        shown = alice.get_orderbook(symbol=SYMBOL)
        while book.sequence != shown.sequence:
            book.apply(levels.receive(WAIT_SECONDS))
        assert book.bids == shown.bids


def test_a_later_run_resumes_from_a_sequence(exchange: Exchange, alice: Client, bob: Client) -> None:
    with Client(exchange.url, **exchange.credentials("bob")) as client:
        with client.streams() as streams:
            sequence = streams.fills().receive(WAIT_SECONDS).sequence
        trade(alice, bob, "0.125")
        with client.streams() as streams:
            fills = streams.fills(sequence=sequence)
            message = fills.receive(WAIT_SECONDS)
            assert message.op == "update"
            assert message.prev_sequence == sequence
            assert [each.amount for each in message.data.fills] == [Decimal("0.125")]
            assert fills.sequence == message.sequence


def test_private_channels_report_orders_and_balances(exchange: Exchange, alice: Client) -> None:
    with alice.streams() as streams:
        orders, balances = streams.orders(queue_ahead=True), streams.balances()
        assert orders.receive(WAIT_SECONDS).data.orders == []
        before = {each.asset: each for each in balances.receive(WAIT_SECONDS).data.balances}
        order = alice.place_order(symbol=SYMBOL, side="buy", type="limit", amount="0.5", price=3000)
        (reported,) = orders.receive(WAIT_SECONDS).data.orders
        assert reported.order_id == order.order_id
        assert reported.queue_ahead is not None
        (changed,) = balances.receive(WAIT_SECONDS).data.balances
        assert changed.held - before["USDT"].held == 1500


def test_prices_and_candles_begin_with_their_current_values(exchange: Exchange) -> None:
    with Client(exchange.url) as client, client.streams() as streams:
        assert streams.prices(SYMBOL).receive(WAIT_SECONDS).data.symbol == SYMBOL
        candle = streams.candles(SYMBOL, "1d").receive(WAIT_SECONDS).data
        assert candle is not None
        assert candle.low <= candle.close <= candle.high


def test_rejected_subscriptions_raise_and_others_continue(exchange: Exchange) -> None:
    with Client(exchange.url) as client, client.streams() as streams:
        with pytest.raises(ApiRequestError, match="INVALID_SYMBOL"):
            streams.order_book("NO/SUCH")
        with pytest.raises(ApiRequestError, match="UNAUTHORIZED"):
            streams.fills()
        prices = streams.prices(SYMBOL)
        with pytest.raises(ValueError, match="already subscribed"):
            streams.prices(SYMBOL)
        assert prices.receive(WAIT_SECONDS).op == "snapshot"
        prices.close()
        assert list(prices) == []
        with pytest.raises(StreamClosedError):
            prices.receive()
        assert streams.prices(SYMBOL).receive(WAIT_SECONDS).op == "snapshot"


def test_the_end_of_a_key_ends_the_streams(exchange: Exchange) -> None:
    with Client(exchange.url, **exchange.credentials("operator")) as operator:
        created = operator.create_key(id="alice", permissions=["read"])
        key = created.key.api_key
        client = Client(exchange.url, api_key=key, api_secret=created.api_secret)
        with client, client.streams() as streams:
            fills = streams.fills()
            fills.receive(WAIT_SECONDS)
            operator.revoke_key(id="alice", api_key=key)
            with pytest.raises(StreamClosedError):
                fills.receive(WAIT_SECONDS)
            with pytest.raises(StreamClosedError):
                streams.orders()


def test_closing_ends_every_waiting_thread(exchange: Exchange) -> None:
    client = Client(exchange.url)
    streams = client.streams()
    prices = streams.trades(SYMBOL)
    seen: list[str] = []
    thread = threading.Thread(target=lambda: seen.extend(message.op for message in prices))
    thread.start()
    while not seen:
        time.sleep(0.005)
    streams.close()
    thread.join(WAIT_SECONDS)
    assert not thread.is_alive()
    with pytest.raises(StreamClosedError):
        streams.prices(SYMBOL)
    streams.close()


def test_a_canceled_subscribe_leaves_nothing_behind(exchange: Exchange) -> None:
    async def run() -> None:
        async with AsyncClient(exchange.url) as client, client.streams() as streams:
            task = asyncio.create_task(streams.prices(SYMBOL))
            await asyncio.sleep(0)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            prices = await streams.prices(SYMBOL)
            assert (await anext(prices)).op == "snapshot"

    asyncio.run(run())


def test_a_subscribe_that_was_canceled_is_undone_when_it_is_answered() -> None:
    requested, canceled = threading.Event(), threading.Event()

    def script(connection: ServerConnection, next_message: Callable[[], dict[str, Any]]) -> None:
        assert next_message()["channel"] == "trades"
        requested.set()
        assert canceled.wait(WAIT_SECONDS)
        send(connection, "snapshot", "trades", None, 1, {"trades": []})
        assert next_message() == {"op": "unsubscribe", "channel": "trades", "symbol": "A/B"}
        assert next_message() == {"op": "subscribe", "channel": "prices", "symbol": "A/B"}
        connection.send(
            write_json({"op": "snapshot", "channel": "prices", "symbol": "A/B", "data": PRICE}, ())
        )
        await_end(connection)

    async def run(url: str) -> None:
        async with AsyncClient(url) as client, client.streams() as streams:
            trades = asyncio.create_task(streams.trades("A/B"))
            await asyncio.to_thread(requested.wait, WAIT_SECONDS)
            trades.cancel()
            await asyncio.gather(trades, return_exceptions=True)
            canceled.set()
            assert (await anext(await streams.prices("A/B"))).data.symbol == "A/B"

    with ScriptedSocket(script) as server:
        asyncio.run(run(server.url))


def test_a_book_refuses_an_update_that_does_not_follow() -> None:
    book = OrderBook()
    levels = BookLevels(symbol="A/B", bids=[(Decimal(1), Decimal(2))], asks=[])
    book.apply(StreamMessage(op="snapshot", sequence=5, data=levels))
    book.apply(StreamMessage(op="update", prev_sequence=5, sequence=7, data=levels))
    with pytest.raises(OutOfSyncError, match="follows 8, but the book is at 7"):
        book.apply(StreamMessage(op="update", prev_sequence=8, sequence=9, data=levels))
    assert book.sequence == 7


def test_a_reader_that_falls_behind_misses_nothing_and_delays_no_one() -> None:
    """One subscription is not read: it unsubscribes at its limit, and resumes once it is read."""
    many = MAX_BUFFERED + 50
    done = 3 * MAX_BUFFERED

    def script(connection: ServerConnection, next_message: Callable[[], dict[str, Any]]) -> None:
        assert next_message()["channel"] == "trades"
        send(connection, "snapshot", "trades", None, 0, {"trades": []})
        assert next_message()["channel"] == "prices"
        for sequence in range(1, many + 1):
            send(connection, "update", "trades", sequence - 1, sequence, {"trades": []})
        connection.send(
            write_json({"op": "snapshot", "channel": "prices", "symbol": "A/B", "data": PRICE}, ())
        )
        assert next_message() == {"op": "unsubscribe", "channel": "trades", "symbol": "A/B"}
        resumed = next_message()
        assert resumed["sequence"] == MAX_BUFFERED - 1
        for sequence in range(MAX_BUFFERED, done + 1):
            send(connection, "update", "trades", sequence - 1, sequence, {"trades": []})
            # The limit holds again, so the rest waits for the reader.
            if sequence == 2 * MAX_BUFFERED - 1:
                break
        await_end(connection)

    with ScriptedSocket(script) as server, Client(server.url).streams() as streams:
        trades = streams.trades("A/B")
        # It arrives although the other subscription is full.
        assert streams.prices("A/B").receive(WAIT_SECONDS).data.symbol == "A/B"
        sequences = [trades.receive(WAIT_SECONDS).sequence for _ in range(2 * MAX_BUFFERED)]
        assert sequences == list(range(2 * MAX_BUFFERED))
        trades.close()


PRICE = {
    "symbol": "A/B",
    "price": 1,
    "bid": None,
    "bidAmount": None,
    "ask": None,
    "askAmount": None,
    "open": None,
    "high": None,
    "low": None,
    "change": 0,
    "percentage": 0,
    "vwap": None,
    "baseVolume": 0,
    "quoteVolume": 0,
    "status": "online",
    "auction": None,
    "trades": 0,
    "firstTradeId": None,
    "lastTradeId": None,
    "lastAmount": None,
    "previousClose": None,
    "openTime": "2026-01-04T00:00:00.000Z",
    "timestamp": "2026-01-05T12:00:00.000Z",
}


def send(
    connection: ServerConnection,
    op: str,
    channel: str,
    previous: int | None,
    sequence: int,
    data: dict[str, Any],
) -> None:
    message: dict[str, Any] = {"op": op, "channel": channel, "symbol": "A/B", "sequence": sequence}
    if previous is not None:
        message["prevSequence"] = previous
    connection.send(write_json({**message, "data": data}, ()))


def sequences(subscription: Subscription[Any], count: int) -> list[int | None]:
    return [subscription.receive(WAIT_SECONDS).sequence for _ in range(count)]


def test_a_message_after_a_gap_is_not_delivered() -> None:
    def script(connection: ServerConnection, next_message: Callable[[], dict[str, Any]]) -> None:
        next_message()
        send(connection, "snapshot", "trades", None, 1, {"trades": []})
        send(connection, "update", "trades", 1, 2, {"trades": []})
        send(connection, "update", "trades", 3, 4, {"trades": []})
        assert next_message()["op"] == "unsubscribe"
        # Late messages of the earlier subscription follow nothing.
        send(connection, "update", "trades", 4, 5, {"trades": []})
        assert next_message() == {"op": "subscribe", "channel": "trades", "symbol": "A/B", "sequence": 2}
        send(connection, "update", "trades", 2, 5, {"trades": []})
        await_end(connection)

    with ScriptedSocket(script) as server, Client(server.url).streams() as streams:
        trades = streams.trades("A/B")
        assert sequences(trades, 3) == [1, 2, 5]
        trades.close()


def send_three_trades(connection: ServerConnection, next_message: Callable[[], dict[str, Any]]) -> None:
    """They have arrived when the subscription to prices is confirmed."""
    assert next_message() == {"op": "subscribe", "channel": "trades", "symbol": "A/B", "sequence": 4}
    send(connection, "update", "trades", 4, 5, {"trades": []})
    assert next_message()["channel"] == "prices"
    for sequence in (6, 7):
        send(connection, "update", "trades", sequence - 1, sequence, {"trades": []})
    connection.send(write_json({"op": "snapshot", "channel": "prices", "symbol": "A/B", "data": PRICE}, ()))
    await_end(connection)


def test_the_sequence_is_that_of_the_last_message_read_and_closing_delivers_the_rest() -> None:
    with ScriptedSocket(send_three_trades) as server, Client(server.url).streams() as streams:
        trades = streams.trades("A/B", sequence=4)
        streams.prices("A/B")
        assert trades.sequence == 4
        assert trades.receive(WAIT_SECONDS).sequence == trades.sequence == 5
        streams.close()
        assert trades.sequence == 5
        assert [message.sequence for message in trades] == [6, 7]
        assert trades.sequence == 7
        with pytest.raises(StreamClosedError):
            trades.receive()
        trades.close()


def test_the_sequence_is_that_of_the_last_message_read_with_asyncio() -> None:
    async def run(url: str) -> None:
        async with AsyncClient(url) as client, client.streams() as streams:
            trades = await streams.trades("A/B", sequence=4)
            await streams.prices("A/B")
            assert trades.sequence == 4
            assert (await anext(trades)).sequence == trades.sequence == 5
            await streams.close()
            assert [message.sequence async for message in trades] == [6, 7]
            assert trades.sequence == 7

    with ScriptedSocket(send_three_trades) as server:
        asyncio.run(run(server.url))


def test_an_unknown_sequence_begins_again_from_a_snapshot() -> None:
    error = {"code": "INVALID_REQUEST", "message": "m", "details": {"field": "sequence"}}

    def first(connection: ServerConnection, next_message: Callable[[], dict[str, Any]]) -> None:
        next_message()
        send(connection, "snapshot", "trades", None, 9, {"trades": []})

    def second(connection: ServerConnection, next_message: Callable[[], dict[str, Any]]) -> None:
        assert next_message()["sequence"] == 9
        connection.send(write_json({"op": "error", "error": error}, ()))
        assert "sequence" not in next_message()
        send(connection, "snapshot", "trades", None, 1, {"trades": []})
        await_end(connection)

    with ScriptedSocket(first, second) as server, Client(server.url).streams() as streams:
        trades = streams.trades("A/B")
        assert sequences(trades, 2) == [9, 1]
        trades.close()


def test_a_temporary_end_of_a_subscription_is_repaired_on_the_same_connection() -> None:
    error = {"code": "OVERLOADED", "message": "m", "details": {}}

    def script(connection: ServerConnection, next_message: Callable[[], dict[str, Any]]) -> None:
        next_message()
        send(connection, "snapshot", "trades", None, 1, {"trades": []})
        ended = {"op": "error", "channel": "trades", "symbol": "A/B", "error": error}
        connection.send(write_json(ended, ()))
        assert next_message() == {"op": "subscribe", "channel": "trades", "symbol": "A/B", "sequence": 1}
        send(connection, "update", "trades", 1, 2, {"trades": []})
        ended["error"] = {**error, "code": "MARKET_UNAVAILABLE"}
        connection.send(write_json(ended, ()))
        await_end(connection)

    with ScriptedSocket(script) as server, Client(server.url).streams() as streams:
        trades = streams.trades("A/B")
        assert sequences(trades, 2) == [1, 2]
        with pytest.raises(ApiRequestError, match="MARKET_UNAVAILABLE"):
            trades.receive(WAIT_SECONDS)
        streams.close()


def test_a_message_that_is_not_the_exchanges_ends_the_streams() -> None:
    def script(connection: ServerConnection, next_message: Callable[[], dict[str, Any]]) -> None:
        next_message()
        connection.send("hello")

    with (
        ScriptedSocket(script) as server,
        Client(server.url).streams() as streams,
        pytest.raises(InvalidResponseError, match="unexpected message"),
    ):
        streams.trades("A/B")


def test_books_refuse_what_does_not_follow_or_does_not_match() -> None:
    def script(connection: ServerConnection, next_message: Callable[[], dict[str, Any]]) -> None:
        next_message()
        book = {"symbol": "A/B", "bids": [["x", 1, 2]], "asks": [], "checksum": 1, "complete": True}
        # The best ten orders may be among those of a later part.
        send(connection, "snapshot", "level3", None, 0, {**book, "complete": False})
        send(connection, "update", "level3", 0, 1, {**book, "bids": []})
        assert next_message()["op"] == "unsubscribe"
        assert next_message() == {"op": "subscribe", "channel": "level3", "symbol": "A/B"}
        send(connection, "snapshot", "level3", None, 2, {**book, "checksum": CRC})
        await_end(connection)

    with ScriptedSocket(script) as server, Client(server.url).streams() as streams:
        level3, book = streams.level3("A/B"), Level3Book()
        book.apply(level3.receive(WAIT_SECONDS))
        with pytest.raises(OutOfSyncError, match="differs"):
            book.apply(level3.receive(WAIT_SECONDS))
        level3.resubscribe()
        message = level3.receive(WAIT_SECONDS)
        book.apply(message)
        assert book.bids == [("x", Decimal(1), Decimal(2))]
        level3.close()


def test_a_subscription_with_a_book_begins_again_after_a_message_that_does_not_fit(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Again and again, with growing waits, and without an error for the reader."""
    failures: list[int] = []

    def note(count: int) -> float:
        failures.append(count)
        return 0.0

    monkeypatch.setattr("buttonwood.streams.backoff_seconds", note)

    def script(connection: ServerConnection, next_message: Callable[[], dict[str, Any]]) -> None:
        next_message()
        book = {"symbol": "A/B", "bids": [["x", 1, 2]], "asks": [], "complete": True}
        send(connection, "snapshot", "level3", None, 0, {**book, "checksum": CRC})
        send(connection, "update", "level3", 0, 1, {**book, "bids": [["x", 1, 3]], "checksum": CRC})
        for sequence in range(2, 6):
            assert next_message() == {"op": "unsubscribe", "channel": "level3", "symbol": "A/B"}
            # Late messages of the earlier subscription are ignored.
            send(connection, "update", "level3", 1, 2, {**book, "checksum": CRC})
            assert next_message() == {"op": "subscribe", "channel": "level3", "symbol": "A/B"}
            send(connection, "snapshot", "level3", None, sequence, {**book, "checksum": CRC - (sequence < 5)})
        send(connection, "update", "level3", 5, 6, {**book, "checksum": CRC})
        await_end(connection)

    book = Level3Book()
    with ScriptedSocket(script) as server, Client(server.url).streams() as streams:
        level3 = streams.level3("A/B", book=book)
        for expected in (0, 5, 6):
            assert level3.receive(WAIT_SECONDS).sequence == book.sequence == expected
            assert book.bids == [("x", Decimal(1), Decimal(2))]
        assert failures == [0, 1, 2, 3]
        streams.close()


def test_a_book_knows_the_place_of_an_order_with_the_exact_amount_ahead() -> None:
    amounts = [Decimal("0.00000001"), Decimal("9007199254740993"), Decimal("1E+22"), Decimal(1)]
    bids = [(each, Decimal(9), amount) for each, amount in zip("abcd", amounts, strict=True)]
    book = Level3Book()
    orders = BookOrders(
        symbol="A/B", bids=bids, asks=[("e", Decimal(10), Decimal(7))], checksum=0, complete=False
    )
    book.apply(StreamMessage(op="snapshot", sequence=1, data=orders))
    assert book.position("a") == QueuePosition(
        side="buy", price=Decimal(9), amount=amounts[0], orders_ahead=0, amount_ahead=Decimal(0)
    )
    found = book.position("d")
    assert found is not None
    assert (found.orders_ahead, found.amount_ahead) == (3, Decimal("10000009007199254740993.00000001"))
    asked = book.position("e")
    assert asked is not None
    assert (asked.side, asked.orders_ahead) == ("sell", 0)
    assert book.position("z") is None
