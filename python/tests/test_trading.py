"""Orders over a socket to a real exchange behind a proxy that breaks connections."""

from __future__ import annotations

import asyncio
import contextlib
import random
import threading
import time
from collections.abc import Callable, Iterator
from decimal import Decimal
from typing import Any

import pytest
from servers import Exchange, Proxy, ScriptedSocket, await_end
from websockets.sync.server import ServerConnection

from buttonwood import (
    ApiRequestError,
    AsyncClient,
    Client,
    NotSentError,
    OutcomeUnknownError,
    StreamClosedError,
)
from buttonwood._json import write_json
from buttonwood._portal import Portal
from buttonwood._rest import Options
from buttonwood.models import PlaceOrderRequest, PlacePairStopLoss, PlacePairTakeProfit
from buttonwood.trading import MAX_IN_FLIGHT, AsyncTrading, Trading

SEED = random.SystemRandom().randrange(2**32)
ORDER: dict[str, Any] = {"symbol": "SOL/USDT", "side": "buy", "type": "limit", "amount": "0.1"}


@pytest.fixture
def trading(exchange: Exchange, alice: Client) -> Iterator[Trading]:
    with alice.trading() as trading:
        yield trading


def test_operations_are_those_of_rest(trading: Trading, alice: Client) -> None:
    assert trading.is_connected
    order = trading.place_order(**ORDER, price="10.50")
    assert order.price == Decimal("10.5")
    assert len(order.client_order_id or "") == 32
    assert trading.amend_order(id=order.order_id, price="11").price == 11
    assert trading.get_order(id=order.order_id) == alice.get_order(id=order.order_id)
    batch = trading.place_orders(
        orders=[PlaceOrderRequest(symbol="SOL/USDT", side="buy", type="limit", amount=1, price=9)]
    )
    assert batch.results[0].success
    pair = trading.place_pair(
        symbol="SOL/USDT",
        side="sell",
        amount=1,
        take_profit=PlacePairTakeProfit(price=9000),
        stop_loss=PlacePairStopLoss(trigger_price=1),
    )
    listed = trading.list_open_orders(symbol="SOL/USDT", sort="asc").orders
    assert listed == alice.list_orders(symbol="SOL/USDT", status="open", sort="asc").orders
    assert len(listed) == 2 + len(pair.orders)
    assert trading.get_balances() == alice.get_balances()
    assert trading.cancel_after(timeout=60, symbol="SOL/USDT").armed
    assert trading.cancel_after(timeout=0, symbol="SOL/USDT").armed == []
    assert trading.cancel_order(id=order.order_id).status == "canceled"
    assert len(trading.cancel_orders(all=True).orders) == 3


def test_rejections_and_wrong_numbers_raise(trading: Trading) -> None:
    with pytest.raises(ApiRequestError) as caught:
        trading.place_order(**ORDER, price="10.0001")
    assert (caught.value.status, caught.value.code) == (0, "INVALID_PRICE")
    assert caught.value.details["nearest"] == 10
    with pytest.raises(TypeError, match="price is the float"):
        trading.place_order(**ORDER, price=0.5)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="price"):
        trading.place_order(**ORDER, price="ten")


def test_orders_are_executed_in_the_sequence_of_the_calls(exchange: Exchange, alice: Client) -> None:
    count = 2 * MAX_IN_FLIGHT

    async def run() -> None:
        client = AsyncClient(exchange.url, **exchange.credentials("alice"))
        async with client, client.trading() as trading:
            tasks = [trading.place_order(**ORDER, price=10) for _ in range(200)]
            placed = await asyncio.gather(*tasks)
            ids = [int(each.order_id) for each in placed]
            assert ids == sorted(set(ids))
            # More than the exchange accepts at a time: the rest waits in the client.
            reads = await asyncio.gather(*(trading.get_order(id=str(ids[0])) for _ in range(count)))
            assert len(reads) == count

    asyncio.run(run())


def test_threads_share_a_socket(trading: Trading, alice: Client) -> None:
    def place() -> None:
        for _ in range(20):
            trading.place_order(**ORDER, price=10)

    threads = [threading.Thread(target=place) for _ in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(trading.list_open_orders(limit=1000).orders) == 100


def test_orders_are_placed_once_across_broken_connections(
    exchange: Exchange, alice: Client, proxy: Proxy
) -> None:
    source = random.Random(SEED)

    async def run() -> None:
        client = AsyncClient(proxy.url, **exchange.credentials("alice"), retries=100)
        async with client, client.trading() as trading:

            async def place(number: int) -> str:
                await asyncio.sleep(source.random())
                order = await trading.place_order(
                    **ORDER, price=10, client_order_id=f"python-cut-{SEED}-{number}"
                )
                return order.order_id

            placing = [asyncio.create_task(place(number)) for number in range(100)]
            for _ in range(4):
                proxy.drops_responses = True
                await asyncio.sleep(0.1 * source.random())
                await asyncio.to_thread(proxy.cut)
                proxy.drops_responses = False
                await asyncio.sleep(0.2)
            ids = await asyncio.gather(*placing)
            assert len(set(ids)) == 100, f"seed {SEED}"

    asyncio.run(run())
    orders = alice.list_orders(status="open", limit=1000).orders
    assert len(orders) == 100, f"seed {SEED}"
    assert proxy.connections > 2


def test_a_cancel_without_a_response_is_not_repeated(exchange: Exchange, alice: Client, proxy: Proxy) -> None:
    with Client(proxy.url, **exchange.credentials("alice")) as client, client.trading() as trading:
        order = trading.place_order(**ORDER, price=10)
        proxy.drops_responses = True
        failures: list[BaseException] = []

        def cancel() -> None:
            try:
                trading.cancel_order(id=order.order_id)
            except BaseException as error:
                failures.append(error)

        thread = threading.Thread(target=cancel)
        thread.start()
        while alice.get_order(id=order.order_id).status == "open":
            time.sleep(0.01)
        proxy.cut()
        thread.join()
        proxy.drops_responses = False
        (failure,) = failures
        assert isinstance(failure, OutcomeUnknownError)
        assert "may have taken effect" in str(failure)
        trading.when_connected()
        assert trading.get_order(id=order.order_id).status == "canceled"


def test_without_a_connection_an_operation_is_not_sent() -> None:
    async def run() -> None:
        options = Options(base_url="http://127.0.0.1:1", api_key="key", api_secret="secret")
        trading = AsyncTrading(options, send_timeout_seconds=0.1)
        with pytest.raises(NotSentError, match="no connection"):
            await trading.place_order(**ORDER, price=10)
        await trading.close()
        with pytest.raises(StreamClosedError):
            await trading.get_balances()
        with pytest.raises(StreamClosedError):
            await trading.when_connected()

    asyncio.run(run())


def test_an_operation_without_a_response_ends_in_time() -> None:
    given_up = threading.Event()

    def script(connection: ServerConnection, next_message: Callable[[], dict[str, Any]]) -> None:
        assert next_message() == {"op": "auth", "apiKey": "key", "apiSecret": "secret"}
        connection.send(write_json({"op": "authenticated"}, ()))
        assert next_message() == {"op": "order.cancel", "id": "1", "params": {"orderId": "7"}}
        assert given_up.wait(10)
        assert next_message() == {"op": "balances", "id": "2", "params": {}}
        # The first is too late for its caller, and does no harm to the next operation.
        late: dict[str, Any] = {"id": "1", "op": "order.cancel", "success": True, "data": {}}
        for message in (late, {"id": "2", "op": "balances", "success": True, "data": {"balances": []}}):
            connection.send(write_json(message, ()))
        await_end(connection)

    with ScriptedSocket(script) as server:
        client = Client(server.url, api_key="key", api_secret="secret", timeout_seconds=0.5)
        with client, client.trading() as trading:
            with pytest.raises(OutcomeUnknownError, match=r"within 0\.5 s"):
                trading.cancel_order(id="7")
            given_up.set()
            assert trading.get_balances().balances == []


def test_an_operation_whose_deadline_passes_in_the_queue_is_not_sent() -> None:
    def script(connection: ServerConnection, next_message: Callable[[], dict[str, Any]]) -> None:
        next_message()
        time.sleep(0.3)
        connection.send(write_json({"op": "authenticated"}, ()))
        sent = next_message()
        assert (sent["op"], sent["id"]) == ("order.amend", "1")
        assert sent["timestamp"] + sent["recvWindow"] == later
        data = {"id": "1", "success": False, "error": {"code": "ORDER_NOT_OPEN", "message": "m"}}
        connection.send(write_json(data, ()))
        await_end(connection)

    later = int(time.time() * 1000) + 20_000

    async def run(url: str) -> None:
        async with AsyncClient(url, api_key="key", api_secret="secret") as client:
            trading = client.trading()
            soon = int(time.time() * 1000) + 100
            results = await asyncio.gather(
                trading.place_order(**ORDER, price=10, deadline=soon),
                trading.amend_order(id="1", price=10, deadline=later),
                trading.amend_order(id="1", price=10, deadline=soon - 200),
                return_exceptions=True,
            )
            assert [type(each) for each in results] == [NotSentError, ApiRequestError, NotSentError]
            await trading.close()

    with ScriptedSocket(script) as server:
        asyncio.run(run(server.url))


def test_no_more_operations_are_in_flight_than_the_exchange_accepts() -> None:
    def script(connection: ServerConnection, next_message: Callable[[], dict[str, Any]]) -> None:
        next_message()
        connection.send(write_json({"op": "authenticated"}, ()))
        first = [next_message() for _ in range(MAX_IN_FLIGHT)]
        with pytest.raises(TimeoutError):
            connection.recv(timeout=0.2)
        for message in (*first, None):
            answer = message or next_message()
            data: dict[str, Any] = {"id": answer["id"], "success": True, "data": {"balances": []}}
            connection.send(write_json(data, ()))
        await_end(connection)

    async def run(url: str) -> None:
        client = AsyncClient(url, api_key="key", api_secret="secret")
        async with client, client.trading() as trading:
            await asyncio.gather(*(trading.get_balances() for _ in range(MAX_IN_FLIGHT + 1)))

    with ScriptedSocket(script) as server:
        asyncio.run(run(server.url))


def test_closing_ends_the_calls_of_other_threads() -> None:
    portal = Portal()
    failures: list[BaseException] = []
    started = threading.Event()

    async def wait() -> None:
        started.set()
        await asyncio.Event().wait()

    async def finish() -> None:
        pass

    def call() -> None:
        try:
            portal.call(wait())
        except BaseException as error:
            failures.append(error)

    thread = threading.Thread(target=call, daemon=True)
    thread.start()
    assert started.wait(10)
    portal.finish(finish())
    thread.join(10)
    assert not thread.is_alive()
    (failure,) = failures
    assert isinstance(failure, StreamClosedError)
    with pytest.raises(StreamClosedError):
        portal.call(wait())


def test_a_call_while_another_thread_closes_ends() -> None:
    async def finish() -> None:
        pass

    async def answer() -> int:
        return 1

    def call(portal: Portal, results: list[int]) -> None:
        with contextlib.suppress(StreamClosedError):
            while True:
                results.append(portal.call(answer()))

    for _ in range(20):
        portal = Portal()
        results: list[int] = []
        threads = [threading.Thread(target=call, args=(portal, results), daemon=True) for _ in range(3)]
        for thread in threads:
            thread.start()
        while not results:
            time.sleep(0.001)
        portal.finish(finish())
        for thread in threads:
            thread.join(10)
            assert not thread.is_alive()


def test_orders_are_canceled_on_disconnect_if_asked_to(exchange: Exchange, alice: Client) -> None:
    with alice.trading(cancel_on_disconnect=True) as trading:
        order = trading.place_order(**ORDER, price=10)
        assert alice.get_order(id=order.order_id).status == "open"
    until = time.monotonic() + 10
    while alice.get_order(id=order.order_id).status == "open":
        assert time.monotonic() < until
        time.sleep(0.01)
    assert alice.get_order(id=order.order_id).reason == "disconnected"


def test_an_interrupted_caller_leaves_the_socket_working(exchange: Exchange, alice: Client) -> None:
    async def run() -> None:
        client = AsyncClient(exchange.url, **exchange.credentials("alice"))
        async with client, client.trading() as trading:
            task = asyncio.create_task(trading.place_order(**ORDER, price=10))
            await asyncio.sleep(0)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            assert (await trading.place_order(**ORDER, price=11)).status == "open"

    asyncio.run(run())
