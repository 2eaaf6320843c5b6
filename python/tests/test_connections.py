"""Connections that cannot be made, that end, and certificates."""

from __future__ import annotations

import asyncio
import ipaddress
import logging
import socket
import ssl
import threading
from collections.abc import Callable
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID
from servers import Exchange, ScriptedSocket, await_end
from websockets.sync.server import ServerConnection

from buttonwood import ApiRequestError, AsyncClient, Client, StreamClosedError, UnreachableError
from buttonwood._json import write_json

NOWHERE = "http://127.0.0.1:1"
CREDENTIALS: dict[str, Any] = {"api_key": "key", "api_secret": "secret"}


def portals() -> list[threading.Thread]:
    return [each for each in threading.enumerate() if each.name == "buttonwood"]


def warnings(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [
        each.getMessage()
        for each in caplog.records
        if (each.name, each.levelno) == ("buttonwood", logging.WARNING)
    ]


def test_a_wrong_address_is_logged_and_raised(caplog: pytest.LogCaptureFixture) -> None:
    client = Client(NOWHERE, **CREDENTIALS, connect_timeout_seconds=0.5)
    reason = r"ws://127\.0\.0\.1:1/ws: no connection within 0\.5 s: .*Connect call failed"
    for channel in ("orders", "fills"):
        with (
            pytest.raises(UnreachableError, match=reason),
            client.streams() as streams,
        ):
            getattr(streams, channel)()
    with pytest.raises(UnreachableError, match=reason), client.trading():
        pass
    # Each attempt has its reason: 3 times the first, and at least one more after a backoff of at most 0.25 s.
    assert len(warnings(caplog)) >= 6
    for warning in warnings(caplog):
        assert "ws://127.0.0.1:1/ws" in warning
        assert "Connect call failed" in warning
        assert "secret" not in warning


def test_a_server_that_does_not_respond_is_given_up() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"http://127.0.0.1:{silent.getsockname()[1]}"
        client = Client(url, **CREDENTIALS, connect_timeout_seconds=0.1)
        with pytest.raises(UnreachableError, match="does not respond"), client.trading():
            pass
        with pytest.raises(UnreachableError, match="does not respond"), client.streams() as streams:
            streams.prices("A/B")


def test_a_failed_start_leaves_no_thread(exchange: Exchange) -> None:
    before = portals()
    with (
        pytest.raises(UnreachableError),
        Client(NOWHERE, **CREDENTIALS, connect_timeout_seconds=0.1).trading(),
    ):
        pass
    with (
        pytest.raises(ApiRequestError, match="UNAUTHORIZED"),
        Client(exchange.url, **CREDENTIALS).trading(),
    ):
        pass
    assert portals() == before


def test_a_failed_start_leaves_no_task() -> None:
    async def run() -> None:
        trading = AsyncClient(NOWHERE, **CREDENTIALS, connect_timeout_seconds=0.1).trading()
        with pytest.raises(UnreachableError):
            await trading.__aenter__()
        assert asyncio.all_tasks() == {asyncio.current_task()}
        trading = AsyncClient(NOWHERE, **CREDENTIALS).trading()
        starting = asyncio.create_task(trading.__aenter__())
        await asyncio.sleep(0.01)
        starting.cancel()
        await asyncio.gather(starting, return_exceptions=True)
        assert asyncio.all_tasks() == {asyncio.current_task()}

    asyncio.run(run())


def confirm_trades(connection: ServerConnection, next_message: Callable[[], dict[str, Any]]) -> None:
    assert next_message()["channel"] == "trades"
    data: dict[str, Any] = {"op": "snapshot", "channel": "trades", "symbol": "A/B", "sequence": 1}
    connection.send(write_json({**data, "data": {"trades": []}}, ()))


def test_the_end_of_a_connection_is_logged_and_the_next_is_waited_for(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """The limit holds for the first connection only."""

    def slow(connection: ServerConnection, next_message: Callable[[], dict[str, Any]]) -> None:
        assert next_message()["channel"] == "trades"
        await_end(connection)

    def first(connection: ServerConnection, next_message: Callable[[], dict[str, Any]]) -> None:
        confirm_trades(connection, next_message)
        assert next_message()["channel"] == "prices"

    with (
        ScriptedSocket(first, slow) as server,
        Client(server.url, connect_timeout_seconds=0.3).streams() as streams,
    ):
        trades = streams.trades("A/B")
        assert trades.receive(10).op == "snapshot"
        subscribing = threading.Thread(target=lambda: ends.append(_end(lambda: streams.prices("A/B"))))
        ends: list[BaseException] = []
        subscribing.start()
        subscribing.join(1)
        assert subscribing.is_alive()
        streams.close()
        subscribing.join(10)
        assert [type(each) for each in ends] == [StreamClosedError]
    assert warnings(caplog)[0].endswith("the exchange closed the connection. Connecting again.")


def _end(call: Callable[[], object]) -> BaseException:
    with pytest.raises(BaseException) as caught:  # noqa: PT011
        call()
    return caught.value


@pytest.fixture
def certificate(tmp_path: Path) -> Path:
    """A certificate and its key in one file, which no store trusts."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "127.0.0.1")])
    now = datetime.now(timezone.utc)
    built = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(
            x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]), critical=False
        )
        .sign(key, hashes.SHA256())
    )
    file = tmp_path / "certificate.pem"
    private = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    file.write_bytes(private + built.public_bytes(Encoding.PEM))
    return file


def serve_trades(connection: ServerConnection, next_message: Callable[[], dict[str, Any]]) -> None:
    confirm_trades(connection, next_message)
    await_end(connection)


def test_requests_and_sockets_trust_the_same_certificates(
    certificate: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(certificate)
    original = ssl.create_default_context

    def system_store(**options: Any) -> ssl.SSLContext:
        """Stands for the system's store with this certificate; with options it is another store."""
        return original(**options) if options else original(cafile=str(certificate))

    def use(client: Client) -> None:
        with client, client.streams() as streams:
            assert client.get_time().timestamp == "2026-01-05T12:00:00.000Z"
            assert streams.trades("A/B").receive(10).op == "snapshot"

    with ScriptedSocket(serve_trades, serve_trades, tls=tls) as server:
        stranger = Client(server.url, retries=0)
        with stranger, pytest.raises(UnreachableError, match="CERTIFICATE_VERIFY_FAILED"):
            stranger.get_time()
        with stranger.streams() as streams, pytest.raises(StreamClosedError, match="self-signed"):
            streams.trades("A/B")
        use(Client(server.url, ssl_context=original(cafile=str(certificate))))
        monkeypatch.setattr(ssl, "create_default_context", system_store)
        use(Client(server.url))
