"""python-binance: its client over REST, its sockets, and orders over the WebSocket API."""

import asyncio
from typing import Any

from binance import AsyncClient, BinanceSocketManager, Client
from binance.exceptions import BinanceAPIException
from bot import (
    AMOUNT,
    API_KEY,
    API_SECRET,
    SOCKETS,
    TAKER_FEE,
    URL,
    check,
    decimal,
    done,
    far_below,
    same,
    same_but_cut_off,
)

SYMBOL = "BTCUSDT"


class UrlsOfSandbox:
    """What a user of the library changes."""

    API_URL = f"{URL}/api"
    MARGIN_API_URL = f"{URL}/sapi"
    WS_API_URL = f"{SOCKETS}/ws-api/v3"


class SandboxClient(UrlsOfSandbox, Client):
    pass


class AsyncSandboxClient(UrlsOfSandbox, AsyncClient):
    pass


class SandboxSockets(BinanceSocketManager):
    STREAM_URL = f"{SOCKETS}/"


def free(client: Client, asset: str) -> Any:
    return decimal(client.get_asset_balance(asset)["free"])


def trade(client: Client) -> None:
    info = client.get_symbol_info(SYMBOL)
    same(info["filters"][0]["filterType"], "PRICE_FILTER")
    same(info["filters"][0]["tickSize"], "0.01000000")
    book = client.get_order_book(symbol=SYMBOL, limit=5)
    same([len(book["bids"]), len(book["asks"])], [5, 5])
    check(decimal(book["bids"][0][0]) < decimal(book["asks"][0][0]), book)
    best = client.get_orderbook_ticker(symbol=SYMBOL)
    check(decimal(best["bidPrice"]) < decimal(best["askPrice"]), best)
    klines = client.get_historical_klines(SYMBOL, Client.KLINE_INTERVAL_1MINUTE, "30 minutes ago UTC")
    starts = [kline[0] for kline in klines]
    same(starts, list(range(starts[0], starts[0] + 60_000 * len(starts), 60_000)))
    check(len(klines) in (30, 31) and all(len(kline) == 12 for kline in klines), klines[:2])
    trades = client.get_aggregate_trades(symbol=SYMBOL, limit=10)
    check([each["a"] for each in trades] == sorted(each["a"] for each in trades), trades)
    same(client.get_account_status()["data"], "Normal")
    price = far_below(best["bidPrice"])
    before = free(client, "USDT")
    placed = client.order_limit_buy(symbol=SYMBOL, quantity=f"{AMOUNT}", price=f"{price}")
    same([placed["status"], decimal(placed["price"]), placed["fills"]], ["NEW", price, []])
    same(free(client, "USDT"), before - price * AMOUNT)
    (opened,) = client.get_open_orders(symbol=SYMBOL)
    same([opened["orderId"], opened["origQty"]], [placed["orderId"], "0.01000000"])
    canceled = client.cancel_order(symbol=SYMBOL, orderId=placed["orderId"])
    same([canceled["status"], canceled["origClientOrderId"]], ["CANCELED", placed["clientOrderId"]])
    same(client.get_order(symbol=SYMBOL, orderId=placed["orderId"])["status"], "CANCELED")
    same(client.create_test_order(symbol=SYMBOL, side="BUY", type="MARKET", quantity="0.01"), {})
    bitcoin = free(client, "BTC")
    bought = client.order_market_buy(symbol=SYMBOL, quantity=f"{AMOUNT}")
    same([bought["status"], decimal(bought["executedQty"])], ["FILLED", AMOUNT])
    same(sum(decimal(fill["qty"]) for fill in bought["fills"]), AMOUNT)
    fees = [decimal(fill["commission"]) for fill in bought["fills"]]
    same_but_cut_off(fees, AMOUNT * TAKER_FEE)
    same(free(client, "BTC"), bitcoin + AMOUNT * (1 - TAKER_FEE))
    own = client.get_my_trades(symbol=SYMBOL, orderId=bought["orderId"])
    costs = [decimal(each["quoteQty"]) for each in own]
    same_but_cut_off(costs, decimal(bought["cummulativeQuoteQty"]))
    same([each["id"] for each in own], [fill["tradeId"] for fill in bought["fills"]])
    try:
        client.cancel_order(symbol=SYMBOL, orderId=987654321)
    except BinanceAPIException as error:
        same([error.code, error.message], [-2011, "Unknown order sent."])
    else:
        raise AssertionError("an unknown order was canceled")
    done("REST")


async def receive(socket: Any, matches: Any) -> dict[str, Any]:
    while True:
        message = await asyncio.wait_for(socket.recv(), 30)
        check(message.get("e") != "error", message)
        if matches(message):
            return message


async def watch_market(manager: BinanceSocketManager) -> None:
    names = ["btcusdt@aggTrade", "btcusdt@bookTicker", "btcusdt@kline_1m", "btcusdt@depth"]
    seen: dict[str, Any] = {}
    async with manager.multiplex_socket(names) as socket:
        while len(seen) < len(names):
            message = await asyncio.wait_for(socket.recv(), 30)
            seen[message["stream"]] = message["data"]
    same(sorted(seen), sorted(names))
    check(decimal(seen[names[0]]["p"]) > 0 and seen[names[0]]["s"] == SYMBOL, seen)
    check(decimal(seen[names[1]]["b"]) < decimal(seen[names[1]]["a"]), seen)
    same(seen[names[2]]["k"]["i"], "1m")
    check(seen[names[3]]["U"] <= seen[names[3]]["u"], seen)
    async with manager.trade_socket(SYMBOL) as socket:
        message = await receive(socket, lambda each: each["e"] == "trade")
        check(message["t"] > 0 and isinstance(message["m"], bool), message)
    done("streams")


async def watch_user(client: AsyncClient, manager: BinanceSocketManager) -> None:
    price = far_below((await client.get_symbol_ticker(symbol=SYMBOL))["price"])
    async with manager.user_socket() as socket:
        placed = await client.ws_order_limit_buy(
            symbol=SYMBOL, quantity=f"{AMOUNT}", price=f"{price}"
        )
        same([placed["status"], decimal(placed["price"])], ["NEW", price])
        report = await receive(socket, lambda each: each["e"] == "executionReport")
        same([report["i"], report["x"], report["X"]], [placed["orderId"], "NEW", "NEW"])
        same([decimal(report["p"]), decimal(report["q"])], [price, AMOUNT])
        position = await receive(socket, lambda each: each["e"] == "outboundAccountPosition")
        check("USDT" in {balance["a"] for balance in position["B"]}, position)
        opened = await client.ws_get_open_orders(symbol=SYMBOL)
        same([order["orderId"] for order in opened], [placed["orderId"]])
        await client.ws_cancel_order(symbol=SYMBOL, orderId=placed["orderId"])
        report = await receive(socket, lambda each: each["e"] == "executionReport")
        same([report["i"], report["x"]], [placed["orderId"], "CANCELED"])
        bought = await client.ws_order_market_buy(symbol=SYMBOL, quantity=f"{AMOUNT}")
        report = await receive(socket, lambda each: each.get("x") == "TRADE")
        same([report["i"], report["N"], report["m"]], [bought["orderId"], "BTC", False])
        check(report["t"] in {fill["tradeId"] for fill in bought["fills"]}, report, bought)
    done("user data and orders over sockets")


async def use_sockets() -> None:
    client = await AsyncSandboxClient.create(API_KEY, API_SECRET)
    manager = SandboxSockets(client)
    try:
        await watch_market(manager)
        await watch_user(client, manager)
    finally:
        await client.close_connection()


trade(SandboxClient(API_KEY, API_SECRET))
asyncio.run(use_sockets())
