from __future__ import annotations

from collections.abc import Iterator

import pytest
from servers import Exchange, Proxy, ScriptedHttp

from buttonwood import Client


@pytest.fixture(scope="session")
def exchange(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Exchange]:
    """A sandbox that all tests share."""
    exchange = Exchange(tmp_path_factory.mktemp("exchange"))
    yield exchange
    exchange.stop()


@pytest.fixture
def alice(exchange: Exchange) -> Iterator[Client]:
    with Client(exchange.url, **exchange.credentials("alice")) as client:
        client.cancel_orders(all=True)
        yield client
        client.cancel_orders(all=True)


@pytest.fixture
def bob(exchange: Exchange) -> Iterator[Client]:
    with Client(exchange.url, **exchange.credentials("bob")) as client:
        client.cancel_orders(all=True)
        yield client
        client.cancel_orders(all=True)


@pytest.fixture
def proxy(exchange: Exchange) -> Iterator[Proxy]:
    with Proxy(exchange.port) as proxy:
        yield proxy


@pytest.fixture
def scripted() -> Iterator[ScriptedHttp]:
    server = ScriptedHttp()
    yield server
    server.close()
