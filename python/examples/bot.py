"""Parts that the examples share."""

from __future__ import annotations

import json
import os
import signal
import threading
from pathlib import Path
from typing import Any

from buttonwood import Client
from buttonwood.models import Order

IDS_PER_REQUEST = 500
"""Maximum number of order ids that fit into one URL."""


def connection() -> dict[str, Any]:
    """Returns the address and key to trade with, as arguments of a client.

    They are BUTTONWOOD_URL, API_KEY and API_SECRET, which `source data/sandbox.env` sets, else the first key
    with the trade permission in sandbox.json of the data directory BUTTONWOOD_DATA (./data).
    """
    url = os.environ.get("BUTTONWOOD_URL")
    key, secret = os.environ.get("API_KEY"), os.environ.get("API_SECRET")
    # Without an address the key may be that of another service.
    if url and key and secret:
        return {"base_url": url, "api_key": key, "api_secret": secret}
    file = Path(os.environ.get("BUTTONWOOD_DATA", "data"), "sandbox.json")
    sandbox = json.loads(file.read_text())
    account = next(each for each in sandbox["accounts"] if "trade" in each["permissions"])
    return {
        "base_url": url or sandbox["baseUrl"],
        "api_key": account["apiKey"],
        "api_secret": account["apiSecret"],
    }


def stop_event() -> threading.Event:
    """Returns an event that is set on SIGINT and SIGTERM.

    A second signal is ignored, because a terminal and a parent process may both send one, and the bot
    must still cancel its orders.
    """
    stop = threading.Event()
    for each in (signal.SIGINT, signal.SIGTERM):
        signal.signal(each, lambda *_: stop.set())
    return stop


def list_open_orders(client: Client, symbol: str, prefix: str) -> list[Order]:
    """Lists the open orders of a market whose client order id has the prefix, those of one bot."""
    orders: list[Order] = []
    cursor: str | None = None
    while True:
        page = client.list_orders(symbol=symbol, status="open", limit=1000, cursor=cursor)
        orders += page.orders
        cursor = page.next_cursor
        if cursor is None:
            return [each for each in orders if (each.client_order_id or "").startswith(prefix)]


def cancel_open_orders(client: Client, symbol: str, prefix: str) -> None:
    """Cancels the open orders whose client order id has the prefix, and no others."""
    ids = [each.order_id for each in list_open_orders(client, symbol, prefix)]
    for start in range(0, len(ids), IDS_PER_REQUEST):
        client.cancel_orders(ids=",".join(ids[start : start + IDS_PER_REQUEST]))
