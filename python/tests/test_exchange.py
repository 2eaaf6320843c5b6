"""The REST clients against a real exchange."""

from __future__ import annotations

import asyncio
import hashlib
import io
import random
import time
from datetime import datetime, timedelta, timezone
from decimal import Decimal
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
)
from servers import Exchange, Proxy

from buttonwood import ApiRequestError, AsyncClient, Client
from buttonwood.models import (
    Order,
    PlaceOrderAttached,
    PlaceOrderAttachedStopLoss,
    PlaceOrderRequest,
    PlacePairStopLoss,
    PlacePairTakeProfit,
)

SEED = random.SystemRandom().randrange(2**32)


def place(client: Client, price: str, amount: str = "0.01", side: str = "buy") -> Order:
    return client.place_order(
        symbol="BTC/USDT",
        side="buy" if side == "buy" else "sell",
        type="limit",
        amount=amount,
        price=price,
    )


def test_an_order_is_placed_amended_listed_and_canceled(alice: Client) -> None:
    order = place(alice, "45000.10", "0.01000001")
    assert (order.status, order.amount, order.price) == ("open", Decimal("0.01000001"), Decimal("45000.1"))
    assert len(order.client_order_id or "") == 32
    assert alice.amend_order(id=order.order_id, amount=Decimal("0.008")).remaining == Decimal("0.008")
    assert [each.order_id for each in alice.list_orders(status="open").orders] == [order.order_id]
    assert alice.get_order(id=order.order_id, queue_ahead=True).queue_ahead == 0
    assert alice.cancel_order(id=order.order_id).status == "canceled"


def test_amounts_stay_exact(alice: Client) -> None:
    source = random.Random(SEED)
    for _ in range(20):
        amount = Decimal(source.randrange(10**5, 10**8)).scaleb(-8)
        price = Decimal(source.randrange(10**5, 5 * 10**6)).scaleb(-2)
        order = place(alice, f"{price}", f"{amount:f}")
        assert (order.amount, order.price) == (amount, price), f"seed {SEED}"
    held = next(each.held for each in alice.get_balances().balances if each.asset == "USDT")
    orders = alice.list_orders(status="open", limit=100).orders
    assert held == sum(each.amount * (each.price or 0) for each in orders), f"seed {SEED}"


def test_fills_and_the_ledger_have_exact_costs(alice: Client, bob: Client) -> None:
    maker = place(alice, "50000.03", "0.00000033", "sell")
    taker = bob.place_order(symbol="BTC/USDT", side="buy", type="market", amount="0.00000033")
    assert (taker.status, taker.cost) == ("filled", Decimal("0.0165000099"))
    (fill,) = bob.get_fills(order_id=taker.order_id).fills
    assert fill.price * fill.amount == taker.cost
    entries = alice.get_ledger(order_id=maker.order_id).entries
    assert {each.asset for each in entries} == {"BTC", "USDT"}
    assert sum(each.amount for each in entries if each.asset == "BTC") == Decimal("-0.00000033")


def test_batches_answer_each_order(alice: Client) -> None:
    orders = [
        PlaceOrderRequest(symbol="BTC/USDT", side="buy", type="limit", amount=1, price="1.01"),
        PlaceOrderRequest(symbol="BTC/USDT", side="buy", type="limit", amount=1, price="1.001"),
    ]
    placed, refused = alice.place_orders(orders=orders).results
    assert placed.success is True
    assert placed.data.price == Decimal("1.01")
    assert refused.success is False
    assert refused.error.code == "INVALID_PRICE"
    assert refused.error.details["nearest"] == 1


def test_objects_in_requests_reach_the_exchange(alice: Client) -> None:
    order = alice.place_order(
        symbol="BTC/USDT",
        side="buy",
        type="limit",
        amount=1,
        price=40000,
        attached=PlaceOrderAttached(stop_loss=PlaceOrderAttachedStopLoss(trigger_price="39000.5")),
    )
    assert order.attached is not None
    assert order.attached.stop_loss is not None
    assert order.attached.stop_loss.trigger_price == Decimal("39000.5")
    pair = alice.place_pair(
        symbol="BTC/USDT",
        side="sell",
        amount="0.5",
        take_profit=PlacePairTakeProfit(price="900000"),
        stop_loss=PlacePairStopLoss(trigger_price="30000"),
    )
    assert [each.amount for each in pair.orders] == [Decimal("0.5")] * 2


def test_pages_follow_their_cursor(alice: Client) -> None:
    placed = [place(alice, "10").order_id for _ in range(7)]
    found = []
    cursor: str | None = None
    while True:
        page = alice.list_orders(status="open", limit=3, sort="asc", cursor=cursor)
        found += [each.order_id for each in page.orders]
        cursor = page.next_cursor
        if cursor is None:
            break
    assert found == placed


def test_a_repeated_client_order_id_places_nothing(alice: Client) -> None:
    orders = [
        alice.place_order(
            symbol="BTC/USDT", side="buy", type="limit", amount=1, price=10, client_order_id="python-1"
        )
        for _ in range(2)
    ]
    assert orders[0].order_id == orders[1].order_id


def test_a_rejection_has_the_code_of_the_exchange(alice: Client, exchange: Exchange) -> None:
    with pytest.raises(ApiRequestError) as caught:
        place(alice, "45000.123")
    error = caught.value
    assert (error.status, error.code) == (400, "INVALID_PRICE")
    assert error.details["nearest"] == Decimal("45000.12")
    assert error.request_id
    with Client(exchange.url) as stranger, pytest.raises(ApiRequestError) as caught:
        stranger.get_balances()
    assert (caught.value.status, caught.value.code) == (401, "UNAUTHORIZED")


def test_market_data_needs_no_key(exchange: Exchange, alice: Client, bob: Client) -> None:
    place(alice, "50000", side="sell")
    place(bob, "50000")
    with Client(exchange.url) as client:
        markets = client.get_markets().markets
        assert {each.symbol for each in markets} >= {"BTC/USDT", "ETH/USDT"}
        assert all(isinstance(each.tick_size, Decimal) for each in markets)
        assert client.get_prices(symbol="BTC/USDT").prices[0].symbol == "BTC/USDT"
        assert len(client.get_candles(symbol="BTC/USDT", interval="1h", limit=1).candles) == 1
        assert client.get_trades(symbol="BTC/USDT", limit=2, aggregate=True).trades
        assert client.get_status().status


def test_operators_have_their_endpoints(exchange: Exchange) -> None:
    with Client(exchange.url, **exchange.credentials("operator")) as operator:
        transfer = operator.create_transfer(
            account="bob", asset="USDT", amount="1.25", reference="python-1", reason="test"
        ).transfer
        assert transfer.amount == Decimal("1.25")
        preview = operator.change_market(symbol="BTC/USDT", preview=True, min_notional="0.02")
        assert preview.market.min_notional == Decimal("0.01")
        assert preview.affected == 0
        assert operator.get_audit(limit=1).entries


def test_no_order_is_executed_after_its_deadline(
    exchange: Exchange, alice: Client, proxy: Proxy, private_key: Ed25519PrivateKey, signing_key: str
) -> None:
    keys: list[dict[str, Any]] = [
        exchange.credentials("alice"),
        {"api_key": signing_key, "private_key": private_key},
    ]
    order: dict[str, Any] = {"symbol": "BTC/USDT", "side": "buy", "type": "limit", "amount": 1, "price": 10}
    for key in keys:
        with Client(proxy.url, **key) as client, client.trading() as trading:
            for each in (client, trading):
                proxy.request_delay_seconds = 0.0
                soon = datetime.now(timezone.utc) + timedelta(seconds=20)
                placed = each.place_order(**order, deadline=soon)
                assert each.amend_order(id=placed.order_id, price=11, deadline=soon).price == 11
                batch = each.place_orders(orders=[PlaceOrderRequest(**order)], deadline=soon)
                assert batch.results[0].success
                alice.cancel_orders(all=True)
                proxy.request_delay_seconds = 0.4
                late = int(time.time() * 1000) + 200
                with pytest.raises(ApiRequestError) as caught:
                    each.place_order(**order, deadline=late)
                assert caught.value.details["rule"] == "recvWindow"
                assert alice.list_orders(status="open").orders == []


def test_times_may_be_datetimes(alice: Client, bob: Client) -> None:
    place(alice, "50000", side="sell")
    place(bob, "50000")
    (fill,) = bob.get_fills(limit=1).fills
    at = datetime.fromisoformat(fill.timestamp.replace("Z", "+00:00"))
    assert bob.get_fills(since=at, until=at, limit=1).fills == [fill]
    assert bob.get_fills(since=at + timedelta(milliseconds=1)).fills == []
    expires_at = datetime.now(timezone.utc).replace(microsecond=0) + timedelta(hours=1)
    order = alice.place_order(
        symbol="BTC/USDT",
        side="buy",
        type="limit",
        amount=1,
        price=10,
        time_in_force="GTD",
        expires_at=expires_at,
    )
    assert order.expires_at == f"{expires_at:%Y-%m-%dT%H:%M:%S}.000Z"


def test_the_asyncio_client_has_the_same_methods(exchange: Exchange, alice: Client) -> None:
    async def run() -> None:
        async with AsyncClient(exchange.url, **exchange.credentials("alice")) as client:
            placed = await asyncio.gather(
                *(
                    client.place_order(symbol="BTC/USDT", side="buy", type="limit", amount=1, price=price)
                    for price in range(1, 21)
                )
            )
            assert sorted(each.price or 0 for each in placed) == list(range(1, 21))
            canceled = (await client.cancel_orders(all=True)).orders
            assert {each.order_id for each in canceled} == {each.order_id for each in placed}

    asyncio.run(run())
    names = {name for name in dir(Client) if not name.startswith("_")}
    assert names == {name for name in dir(AsyncClient) if not name.startswith("_")}


def test_the_file_of_a_report_is_downloaded_byte_for_byte(exchange: Exchange, alice: Client) -> None:
    report = alice.create_report(kind="ledger", format="json", from_="2020-01-01T00:00:00Z")
    until = time.monotonic() + 60
    while report.status != "done":
        assert report.status != "failed", report.error
        assert time.monotonic() < until
        time.sleep(0.02)
        report = alice.get_report(id=report.report_id)
    file = io.BytesIO()
    assert alice.download_report(id=report.report_id, to=file) == report.bytes > 0
    assert hashlib.sha256(file.getvalue()).hexdigest() == report.sha256

    async def run() -> bytes:
        async with AsyncClient(exchange.url, **exchange.credentials("operator")) as operator:
            copy = io.BytesIO()
            size = await operator.download_report(id=report.report_id, to=copy, any_account=True)
            assert size == report.bytes
            # The operator's key has no permission to read reports of its own account.
            with pytest.raises(ApiRequestError) as forbidden:
                await operator.download_report(id=report.report_id, to=copy)
            assert forbidden.value.code == "INSUFFICIENT_PERMISSIONS"
            return copy.getvalue()

    assert asyncio.run(run()) == file.getvalue()
    with pytest.raises(ApiRequestError) as missing:
        alice.download_report(id="0" * 24, to=file)
    assert missing.value.code == "NOT_FOUND"
    assert len(file.getvalue()) == report.bytes


@pytest.fixture(scope="module")
def private_key() -> Ed25519PrivateKey:
    return Ed25519PrivateKey.generate()


@pytest.fixture(scope="module")
def signing_key(exchange: Exchange, private_key: Ed25519PrivateKey) -> str:
    """A key of alice that signs."""
    public = private_key.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    with Client(exchange.url, **exchange.credentials("operator")) as operator:
        created = operator.create_key(id="alice", permissions=["read", "trade"], public_key=public.decode())
    return created.key.api_key


def test_requests_are_signed(
    exchange: Exchange, signing_key: str, private_key: Ed25519PrivateKey, alice: Client
) -> None:
    pem = private_key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    for key in (private_key, pem, pem.decode()):
        with Client(exchange.url, api_key=signing_key, private_key=key) as client:
            order = place(client, "40000")
            assert client.amend_order(id=order.order_id, price="41000").price == 41000
            # A query with characters that must be encoded is signed as it is sent.
            found = client.list_orders(symbol="BTC/USDT", status="open").orders
            assert [each.order_id for each in found] == [order.order_id]
            assert client.cancel_order(id=order.order_id).status == "canceled"


def test_equal_requests_of_one_millisecond_are_different_requests(
    exchange: Exchange, signing_key: str, private_key: Ed25519PrivateKey, alice: Client
) -> None:
    async def run() -> None:
        async with AsyncClient(exchange.url, api_key=signing_key, private_key=private_key) as client:
            canceled = await asyncio.gather(*(client.cancel_orders(all=True) for _ in range(30)))
            assert len(canceled) == 30

    asyncio.run(run())


def test_sockets_are_authenticated_by_a_signature(
    exchange: Exchange, signing_key: str, private_key: Ed25519PrivateKey, alice: Client
) -> None:
    client = Client(exchange.url, api_key=signing_key, private_key=private_key)
    with client, client.trading() as trading, client.streams() as streams:
        orders = streams.orders()
        assert orders.receive(10).op == "snapshot"
        order = trading.place_order(symbol="BTC/USDT", side="buy", type="limit", amount=1, price=10)
        assert orders.receive(10).data.orders[0].order_id == order.order_id


def test_wrong_keys_are_reported_without_their_content(exchange: Exchange, signing_key: str) -> None:
    other = Ed25519PrivateKey.generate()
    with Client(exchange.url, api_key=signing_key, private_key=other) as client:
        with pytest.raises(ApiRequestError, match="UNAUTHORIZED"):
            client.get_balances()
        with client.streams() as streams, pytest.raises(ApiRequestError, match="UNAUTHORIZED"):
            streams.fills()
        with pytest.raises(ApiRequestError, match="UNAUTHORIZED"), client.trading():
            pass
    with pytest.raises(ValueError, match="openssl genpkey") as caught:
        Client(exchange.url, api_key="key", private_key="-----BEGIN PRIVATE KEY-----\nc2VjcmV0\n")
    assert "c2VjcmV0" not in str(caught.value)
