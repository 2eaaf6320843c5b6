"""A bot that buys at a price for at most a minute, by the exchange's clock."""

from __future__ import annotations

from datetime import datetime, timedelta

from buttonwood import Client
from buttonwood.models import Order


def buy(client: Client, amount: str, price: str) -> Order:
    now = datetime.fromisoformat(client.get_time().timestamp.replace("Z", "+00:00"))
    return client.place_order(
        symbol="BTC/USDT",
        side="buy",
        type="limit",
        amount=amount,
        price=price,
        time_in_force="GTD",
        expires_at=now + timedelta(minutes=1),
    )
