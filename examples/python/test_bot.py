"""Tests of bot.py against an exchange of their own: python -m pytest examples/python"""

from __future__ import annotations

from decimal import Decimal

from buttonwood.models import AddFaultsFault

from bot import buy
from conftest import Exchange


def test_buys_from_a_seller(exchange: Exchange) -> None:
    with exchange.client("bob") as seller, exchange.client("alice") as client:
        seller.place_order(symbol="BTC/USDT", side="sell", type="limit", amount="2", price="50000")
        order = buy(client, "0.5", "50000")
        assert (order.status, order.filled) == ("filled", Decimal("0.5"))


def test_an_order_whose_answer_was_lost_is_placed_once(exchange: Exchange) -> None:
    lost = AddFaultsFault(kind="answer_lost_after_commit", count=1, endpoints=["POST /api/orders"])
    exchange.operator.add_faults(faults=[lost])
    with exchange.client("alice") as client:
        order = buy(client, "0.5", "50000")
        assert [each.order_id for each in client.list_orders().orders] == [order.order_id]
    (fault,) = exchange.operator.list_faults().injected
    assert fault.kind == "answer_lost_after_commit"


def test_returns_to_a_checkpoint(exchange: Exchange) -> None:
    with exchange.client("alice") as client:
        # The orders of other tests are gone.
        assert not client.list_orders().orders
        first = buy(client, "0.5", "50000")
        exchange.operator.create_checkpoint(name="bought")
        client.cancel_order(id=first.order_id)
        exchange.operator.restore_checkpoint(name="bought")
        assert client.get_order(id=first.order_id).status == "open"


def test_gives_up_after_a_minute(exchange: Exchange) -> None:
    with exchange.client("alice") as client:
        order = buy(client, "0.5", "50000")
        exchange.advance(59)
        assert client.get_order(id=order.order_id).status == "open"
        exchange.advance(1)
        assert client.get_order(id=order.order_id).status == "expired"
