"""Requests, retries and errors of both clients, against a scripted server."""

from __future__ import annotations

import asyncio
import contextlib
import copy
import json
import pickle
import socket
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta, timezone
from decimal import Decimal
from typing import Any

import httpx
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from servers import ScriptedHttp

from buttonwood import (
    ApiRequestError,
    AsyncClient,
    ButtonwoodError,
    Client,
    ClientClosedError,
    InvalidResponseError,
    NotSentError,
    OutcomeUnknownError,
    OutOfSyncError,
    StreamClosedError,
    UnreachableError,
)
from buttonwood._rest import Options
from buttonwood._retry import Retries
from buttonwood._socket import SocketSettings

TIME = {"timestamp": "2026-01-05T12:00:00.000Z"}
ORDER: dict[str, Any] = {"symbol": "A/B", "side": "buy", "type": "limit", "amount": "1.50", "price": 2}

Call = Callable[..., Any]


@pytest.fixture(params=["sync", "async"])
def call(request: pytest.FixtureRequest, scripted: ScriptedHttp, monkeypatch: pytest.MonkeyPatch) -> Call:
    """Calls a method of either client by its name; waits between attempts take no time."""
    monkeypatch.setattr("buttonwood.client.time.sleep", lambda seconds: waits.append(seconds))
    waits.clear()

    async def sleep(seconds: float) -> None:
        waits.append(seconds)

    monkeypatch.setattr("buttonwood.client.asyncio.sleep", sleep)

    def call_sync(method: str, options: dict[str, Any], **parameters: Any) -> Any:
        with Client(scripted.url, **options) as client:
            return getattr(client, method)(**parameters)

    def call_async(method: str, options: dict[str, Any], **parameters: Any) -> Any:
        async def run() -> Any:
            async with AsyncClient(scripted.url, **options) as client:
                return await getattr(client, method)(**parameters)

        return asyncio.run(run())

    return call_sync if request.param == "sync" else call_async


waits: list[float] = []


def sent_body(scripted: ScriptedHttp, index: int = -1) -> Any:
    return json.loads(scripted.requests[index][3])


def test_credentials_query_and_path_are_sent(call: Call, scripted: ScriptedHttp) -> None:
    scripted.responses = [scripted.failure(404, "ORDER_NOT_FOUND", X_Request_Id="abc")]
    with pytest.raises(ApiRequestError) as caught:
        call("get_order", {"api_key": "key", "api_secret": "secret"}, id="a/b ?", queue_ahead=True)
    assert (caught.value.status, caught.value.code, caught.value.request_id) == (
        404,
        "ORDER_NOT_FOUND",
        "abc",
    )
    method, path, headers, body = scripted.requests[0]
    assert (method, path, body) == ("GET", "/api/orders/a%2Fb%20%3F?queueAhead=true", b"")
    assert headers["authorization"] == "Bearer key"
    assert headers["x-api-secret"] == "secret"


@pytest.mark.parametrize("order_id", ["", ".", ".."])
def test_an_id_that_would_name_another_path_is_refused(
    call: Call, scripted: ScriptedHttp, order_id: str
) -> None:
    with pytest.raises(ValueError, match="id must not be"):
        call("cancel_order", {}, id=order_id)
    assert scripted.requests == []


def test_numbers_are_sent_with_their_digits(call: Call, scripted: ScriptedHttp) -> None:
    scripted.responses = [scripted.failure(400, "INVALID_PRICE")]
    with pytest.raises(ApiRequestError):
        call("place_order", {}, **ORDER, expires_at="2026-01-05T12:00:00Z", trigger_price=None)
    body = scripted.requests[0][3]
    assert b'"amount":1.50,"price":2,' in body
    assert b'"triggerPrice":null,' in body
    assert b'"expiresAt":"2026-01-05T12:00:00Z",' in body
    assert b"cost" not in body
    with pytest.raises(TypeError, match="price is the float"):
        call("place_order", {}, **{**ORDER, "price": 0.1})


PLACING: list[tuple[str, dict[str, Any]]] = [
    ("place_order", ORDER),
    ("place_orders", {"orders": []}),
    ("place_pair", {"symbol": "A/B", "side": "sell", "amount": 1, "take_profit": {}, "stop_loss": {}}),
    ("amend_order", {"id": "1", "price": 2}),
]


@pytest.mark.parametrize(("method", "parameters"), PLACING)
@pytest.mark.parametrize("is_signed", [False, True])
def test_orders_and_amendments_have_a_deadline(
    call: Call, scripted: ScriptedHttp, method: str, parameters: dict[str, Any], is_signed: bool
) -> None:
    credentials = {"private_key": Ed25519PrivateKey.generate()} if is_signed else {"api_secret": "secret"}
    options: dict[str, Any] = {"api_key": "key", **credentials}
    scripted.responses = [scripted.failure(400, "INVALID_PRICE")]

    def window(deadline: datetime | int) -> tuple[int, int]:
        with pytest.raises(ApiRequestError):
            call(method, options, **parameters, deadline=deadline)
        headers = scripted.requests[-1][2]
        return int(headers["x-api-timestamp"]), int(headers["x-api-recv-window"])

    soon = datetime.now(timezone(timedelta(hours=2))) + timedelta(seconds=20)
    soon_ms = int(soon.timestamp() * 1000)
    for deadline in (soon, soon_ms):
        timestamp, recv_window = window(deadline)
        assert abs(timestamp - time.time() * 1000) < 5000
        # Of signed requests of one millisecond each has another window.
        assert 0 <= soon_ms - (timestamp + recv_window) <= 2
    # It ends when the deadline does, or after the maximum.
    assert window(soon + timedelta(days=1))[1] == 60_000
    for passed in (datetime.now(timezone.utc), int(time.time() * 1000) - 1000, 0):
        before = len(scripted.requests)
        with pytest.raises(NotSentError, match="deadline"):
            call(method, options, **parameters, deadline=passed)
        assert len(scripted.requests) == before


@pytest.mark.parametrize(
    ("deadline", "expected"),
    [
        (time.time() + 1, TypeError),
        (True, TypeError),
        ("2100-01-01", TypeError),
        (datetime.now(), ValueError),
    ],
)
def test_a_deadline_that_is_not_exact_is_refused(
    call: Call, scripted: ScriptedHttp, deadline: Any, expected: type[Exception]
) -> None:
    with pytest.raises(expected, match=r"deadline is|time zone"):
        call("place_order", {}, **ORDER, deadline=deadline)
    assert scripted.requests == []


def test_an_order_whose_deadline_passed_after_an_attempt_has_an_unknown_outcome(
    call: Call, scripted: ScriptedHttp, monkeypatch: pytest.MonkeyPatch
) -> None:
    scripted.responses = [None]
    clock = iter([1_000_000_000, 3_000_000_000])
    monkeypatch.setattr("buttonwood._rest.time.time_ns", lambda: next(clock))
    with pytest.raises(UnreachableError) as caught:
        call("place_order", {}, **ORDER, deadline=2_000)
    assert not isinstance(caught.value, NotSentError)
    assert len(scripted.requests) == 1


def test_times_are_sent_as_the_exchange_writes_them(call: Call, scripted: ScriptedHttp) -> None:
    scripted.responses = [scripted.failure(400, "INVALID_REQUEST")]
    noon = datetime(2026, 1, 5, 13, 0, 0, 123999, timezone(timedelta(hours=1)))
    with pytest.raises(ApiRequestError):
        call("get_fills", {}, since=noon, until=1767614400000)
    path = scripted.requests[-1][1]
    assert path == "/api/fills?since=2026-01-05T12%3A00%3A00.123Z&until=1767614400000"
    with pytest.raises(ApiRequestError):
        call("place_order", {}, **ORDER, expires_at=noon)
    assert sent_body(scripted)["expiresAt"] == "2026-01-05T12:00:00.123Z"
    for method, parameters in (
        ("get_fills", {"since": noon}),
        ("place_order", {**ORDER, "expires_at": noon}),
    ):
        naive = {
            name: noon.replace(tzinfo=None) if each is noon else each for name, each in parameters.items()
        }
        with pytest.raises(ValueError, match="has no time zone"):
            call(method, {}, **naive)
    assert len(scripted.requests) == 2


def test_reads_are_repeated_after_lost_and_transient_responses(call: Call, scripted: ScriptedHttp) -> None:
    scripted.responses = [
        None,
        scripted.failure(503, "OVERLOADED"),
        scripted.failure(429, "RATE_LIMIT_EXCEEDED", Retry_After="7"),
        scripted.success(TIME),
    ]
    assert call("get_time", {}).timestamp == TIME["timestamp"]
    assert len(scripted.requests) == 4
    assert 0.125 <= waits[0] <= 0.25
    assert 0.25 <= waits[1] <= 0.5
    assert waits[2] == 7


def test_reads_end_with_the_last_error_after_the_retries(call: Call, scripted: ScriptedHttp) -> None:
    scripted.responses = [None]
    with pytest.raises(UnreachableError):
        call("get_time", {"retries": 2})
    assert len(scripted.requests) == 3


def test_a_wait_of_more_than_a_window_is_left_to_the_caller(call: Call, scripted: ScriptedHttp) -> None:
    scripted.responses = [scripted.failure(429, "RATE_LIMIT_EXCEEDED", Retry_After="61")]
    with pytest.raises(ApiRequestError) as caught:
        call("get_time", {})
    assert caught.value.retry_after_seconds == 61
    assert len(scripted.requests) == 1


@pytest.mark.parametrize("given", [None, "mine"])
def test_an_order_is_repeated_with_one_client_order_id(
    call: Call, scripted: ScriptedHttp, given: str | None
) -> None:
    scripted.responses = [
        None,
        scripted.failure(504, "OUTCOME_UNKNOWN"),
        scripted.failure(400, "INSUFFICIENT_BALANCE"),
    ]
    with pytest.raises(ApiRequestError, match="INSUFFICIENT_BALANCE"):
        call("place_order", {}, **ORDER, client_order_id=given)
    ids = {sent_body(scripted, index)["clientOrderId"] for index in range(3)}
    assert len(scripted.requests) == 3
    assert len(ids) == 1
    assert given in (None, *ids)
    assert len(ids.pop()) == (32 if given is None else 4)


def test_an_order_does_not_wait_for_a_limit_unless_asked_to(call: Call, scripted: ScriptedHttp) -> None:
    for code in ("RATE_LIMIT_EXCEEDED", "OVERLOADED"):
        scripted.responses = [scripted.failure(429, code, Retry_After="1")]
        with pytest.raises(ApiRequestError, match=code):
            call("place_order", {}, **ORDER)
    assert len(scripted.requests) == 2
    scripted.responses = [
        scripted.failure(429, "RATE_LIMIT_EXCEEDED", Retry_After="1"),
        scripted.failure(400, "INVALID_PRICE"),
    ]
    with pytest.raises(ApiRequestError, match="INVALID_PRICE"):
        call("place_order", {"wait_to_place": True}, **ORDER)
    assert waits == [1]


def test_all_other_requests_are_sent_once(call: Call, scripted: ScriptedHttp) -> None:
    scripted.responses = [None]
    calls: list[tuple[str, dict[str, Any]]] = [
        ("cancel_order", {"id": "1"}),
        ("amend_order", {"id": "1", "price": 1}),
        ("cancel_orders", {"all": True}),
        ("place_orders", {"orders": []}),
        ("cancel_after", {"timeout": 5}),
    ]
    for method, parameters in calls:
        before = len(scripted.requests)
        with pytest.raises(UnreachableError):
            call(method, {}, **parameters)
        assert len(scripted.requests) == before + 1


def test_an_unsettled_order_ends_with_the_unknown_outcome(call: Call, scripted: ScriptedHttp) -> None:
    scripted.responses = [None, scripted.failure(401, "UNAUTHORIZED")]
    with pytest.raises(UnreachableError):
        call("place_order", {}, **ORDER)
    # The receive window is checked before the order is looked up.
    scripted.responses = [None, scripted.failure(400, "INVALID_REQUEST", {"rule": "recvWindow"})]
    with pytest.raises(UnreachableError):
        call("place_order", {}, **ORDER)
    # Had the order been placed, the retry would have returned it.
    scripted.responses = [None, scripted.failure(400, "INVALID_REQUEST", {"rule": "unknownParameter"})]
    with pytest.raises(ApiRequestError, match="INVALID_REQUEST"):
        call("place_order", {}, **ORDER)


@pytest.mark.parametrize("body", [b"", b"<html>", b"[]", b'{"success":false}', b'{"success":true'])
def test_a_server_that_is_no_exchange_is_reported(call: Call, scripted: ScriptedHttp, body: bytes) -> None:
    scripted.responses = [(502, {}, body)]
    with pytest.raises(UnreachableError, match="HTTP 502"):
        call("get_time", {"retries": 0})


def test_a_redirect_is_not_followed(call: Call, scripted: ScriptedHttp) -> None:
    scripted.responses = [(307, {"Location": "/api/other"}, b"")]
    with pytest.raises(UnreachableError, match="HTTP 307"):
        call("get_time", {"retries": 0, "api_secret": "secret"})
    assert [path for _, path, _, _ in scripted.requests] == ["/api/time"]


def test_a_result_of_another_form_is_reported_and_not_repeated(call: Call, scripted: ScriptedHttp) -> None:
    scripted.responses = [scripted.success({"time": 1})]
    with pytest.raises(InvalidResponseError, match="timestamp"):
        call("get_time", {})
    assert len(scripted.requests) == 1


def test_a_server_that_does_not_answer_is_given_up() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"http://127.0.0.1:{silent.getsockname()[1]}"
        client = Client(url, timeout_seconds=0.05, retries=0)
        with client, pytest.raises(UnreachableError, match=r"no response within 0\.05 s"):
            client.get_time()


@pytest.fixture
def dripping() -> Iterator[str]:
    """URL of a server whose response never ends, and of which a part arrives every 20 ms."""

    def run() -> None:
        with contextlib.suppress(OSError):
            connection, _ = listener.accept()
            with connection:
                connection.recv(65536)
                connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n")
                while True:
                    connection.sendall(b" ")
                    time.sleep(0.02)

    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=run)
        thread.start()
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        thread.join(10)
    assert not thread.is_alive()


def test_a_response_that_does_not_end_is_given_up(dripping: str) -> None:
    client = Client(dripping, timeout_seconds=0.3, retries=0)
    began = time.monotonic()
    with client, pytest.raises(UnreachableError, match=r"no response within 0\.3 s"):
        client.get_time()
    assert 0.3 <= time.monotonic() - began < 5


def test_a_response_that_does_not_end_is_given_up_with_asyncio(dripping: str) -> None:
    async def run() -> None:
        client = AsyncClient(dripping, timeout_seconds=0.3, retries=0)
        began = time.monotonic()
        async with client:
            with pytest.raises(UnreachableError, match=r"no response within 0\.3 s"):
                await client.get_time()
        assert 0.3 <= time.monotonic() - began < 5

    asyncio.run(run())


def test_calls_after_close_are_refused(scripted: ScriptedHttp) -> None:
    scripted.responses = [scripted.success(TIME)]
    for used in (False, True):
        client = Client(scripted.url)
        if used:
            client.get_time()
        client.close()
        client.close()
        with pytest.raises(ClientClosedError):
            client.get_time()

    async def run() -> None:
        for used in (False, True):
            client = AsyncClient(scripted.url)
            if used:
                await client.get_time()
            await client.close()
            await client.close()
            with pytest.raises(ClientClosedError):
                await client.get_time()

    asyncio.run(run())
    assert len(scripted.requests) == 2


def test_a_call_while_the_client_is_closed_has_an_error_of_the_package(scripted: ScriptedHttp) -> None:
    scripted.responses = [None]
    client = Client(scripted.url)

    def call() -> None:
        # The response is lost, and the client is closed before the next attempt.
        with pytest.raises(UnreachableError):
            client.place_order(**ORDER)

    thread = threading.Thread(target=call)
    thread.start()
    while not scripted.requests:
        time.sleep(0.001)
    client.close()
    thread.join(10)
    assert not thread.is_alive()
    assert len(scripted.requests) == 1


def test_threads_share_one_http_client(scripted: ScriptedHttp, monkeypatch: pytest.MonkeyPatch) -> None:
    scripted.responses = [scripted.success(TIME)]
    created: list[httpx.Client] = []
    original = httpx.Client

    def create(**options: Any) -> httpx.Client:
        time.sleep(0.05)
        created.append(original(**options))
        return created[-1]

    monkeypatch.setattr(httpx, "Client", create)
    with Client(scripted.url) as client:
        threads = [threading.Thread(target=client.get_time) for _ in range(5)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert len(created) == 1
    assert created[0].is_closed


@pytest.mark.parametrize(
    "error",
    [
        ApiRequestError(400, "INVALID_PRICE", "m", {"nearest": Decimal("1.5")}, "id", 2.5),
        UnreachableError("http://a", "no response"),
        NotSentError("http://a", "late"),
        OutcomeUnknownError("http://a", "lost"),
        ClientClosedError("closed"),
        StreamClosedError("closed"),
        InvalidResponseError("new"),
        OutOfSyncError("gap"),
    ],
)
def test_errors_survive_pickling_and_copying(error: ButtonwoodError) -> None:
    for other in (pickle.loads(pickle.dumps(error)), copy.copy(error)):
        assert type(other) is type(error)
        assert str(other) == str(error)
        assert vars(other) == vars(error)


def test_an_operation_that_was_not_sent_is_not_repeated() -> None:
    retries = Retries("GET", "/api/orders", is_idempotent=True, retries=3, wait_to_place=False)
    error = NotSentError("ws://a", "no connection")
    with pytest.raises(NotSentError):
        retries.wait_after(error)


def test_secrets_are_in_no_text() -> None:
    client = Client("http://a", api_key="key", api_secret="hidden")
    assert "hidden" not in repr(client)
    assert "hidden" not in repr(client._options)


@pytest.mark.parametrize("name", ["api_key", "api_secret"])
@pytest.mark.parametrize(
    "wrong", ["{}\n", " {}", "{} ", "a {}", "{}\r\nX: 1", "{}\x7f", "{}\u00e9", "\ud800{}", ""]
)
@pytest.mark.parametrize("kind", [Client, AsyncClient])
def test_credentials_that_no_header_can_have_are_refused_without_showing_them(
    kind: type[Client] | type[AsyncClient], wrong: str, name: str
) -> None:
    credentials: dict[str, Any] = {"api_key": "key", "api_secret": "secret", name: wrong.format("hidden")}
    with pytest.raises(ValueError, match=f"^{name} must be") as caught:
        kind("http://a", **credentials)
    trace = "".join(traceback.format_exception(caught.value))
    assert "hidden" not in trace
    assert "hidden" not in repr((caught.value.args, caught.value.__cause__, caught.value.__context__))


def test_requests_and_sockets_name_the_account_of_the_options(call: Call, scripted: ScriptedHttp) -> None:
    scripted.responses = [ScriptedHttp.success(TIME)]
    call("get_time", {})
    call("get_time", {"account": "sub_1"})
    assert [headers.get("x-account") for _, _, headers, _ in scripted.requests] == [None, "sub_1"]
    options = Options(base_url="https://a.example/", account="sub&1")
    assert SocketSettings(options).url == "wss://a.example/ws?account=sub%261"
    with pytest.raises(ValueError, match="account"):
        Options(base_url="http://127.0.0.1:1", account="a\nb")
