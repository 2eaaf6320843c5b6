"""ccxt.pro.binance: streams of market data, user data, and orders over the WebSocket API."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import ccxt
import ccxt.pro
from bot import (
    AMOUNT,
    API_KEY,
    API_SECRET,
    check,
    decimal,
    done,
    far_below,
    replace_urls,
    same,
)

SYMBOL = "BTC/USDT"
OTHER = "ETH/USDT"


def new_bot() -> Any:
    bot = ccxt.pro.binance({"apiKey": API_KEY, "secret": API_SECRET})
    bot.urls["api"] = replace_urls(bot.urls["api"])
    return bot


async def watch_books(bot: Any) -> None:
    last = 0
    for _ in range(5):
        book = await bot.watch_order_book(SYMBOL)
        bids, asks = [price for price, _ in book["bids"]], [price for price, _ in book["asks"]]
        check(bids == sorted(bids, reverse=True) and asks == sorted(asks), book)
        check(bids[0] < asks[0] and book["nonce"] >= last, book)
        last = book["nonce"]
    reference = await bot.fetch_order_book(SYMBOL, 100)
    while (book := await bot.watch_order_book(SYMBOL))["nonce"] < reference["nonce"]:
        pass
    # What the stream has built is what the exchange answers at the same change.
    if book["nonce"] == reference["nonce"]:
        same(list(book["bids"])[:50], reference["bids"][:50])
    both = await bot.watch_order_book_for_symbols([SYMBOL, OTHER])
    check(both["symbol"] in (SYMBOL, OTHER), both)
    await bot.un_watch_order_book(SYMBOL)
    done("order books")


async def watch_market_data(bot: Any) -> None:
    trades = await bot.watch_trades(SYMBOL)
    for trade in trades:
        same(trade["symbol"], SYMBOL)
        check(trade["side"] in ("buy", "sell") and trade["price"] > 0, trade)
        same(decimal(trade["cost"]), decimal(trade["price"]) * decimal(trade["amount"]))
    fetched = await bot.fetch_trades(SYMBOL, trades[0]["timestamp"] - 5000)
    check(trades[0]["id"] in {trade["id"] for trade in fetched}, trades, fetched)
    ticker = await bot.watch_ticker(SYMBOL)
    check(ticker["low"] <= ticker["last"] <= ticker["high"], ticker)
    check(ticker["quoteVolume"] > 0 and ticker["open"] > 0, ticker)
    full = await bot.watch_ticker(SYMBOL, {"name": "ticker"})
    check(full["bid"] < full["ask"] and full["bidVolume"] > 0, full)
    tickers = await bot.watch_tickers([SYMBOL, OTHER])
    check(set(tickers) <= {SYMBOL, OTHER}, tickers)
    best = await bot.watch_bids_asks([SYMBOL])
    check(best[SYMBOL]["bid"] < best[SYMBOL]["ask"], best)
    candles = await bot.watch_ohlcv(SYMBOL, "1m")
    start, opened, high, low, closed, volume = candles[-1]
    check(start % 60_000 == 0 and low <= min(opened, closed), candles)
    check(max(opened, closed) <= high and volume >= 0, candles)
    symbols = [[SYMBOL, "1m"], [OTHER, "5m"]]
    check(await bot.watch_ohlcv_for_symbols(symbols))
    done("market data")


class Watched:
    """What a stream of the account has delivered. Only one that is always waited for misses nothing."""

    def __init__(self, watch: Callable[[], Awaitable[list[Any]]]) -> None:
        self.items: list[Any] = []
        self.task = asyncio.ensure_future(self.collect(watch))

    async def collect(self, watch: Callable[[], Awaitable[list[Any]]]) -> None:
        while True:
            # The library later changes what it has delivered.
            self.items.extend(dict(item) for item in await watch())

    async def find(self, **fields: Any) -> Any:
        while True:
            for item in self.items:
                if all(item[name] == value for name, value in fields.items()):
                    return item
            await asyncio.sleep(0.01)


async def watch_own_orders(bot: Any) -> None:
    balances = asyncio.ensure_future(bot.watch_balance())
    trades = Watched(lambda: bot.watch_my_trades(SYMBOL))
    orders = Watched(lambda: bot.watch_orders(SYMBOL))
    await asyncio.sleep(1)
    price = float(far_below((await bot.fetch_ticker(SYMBOL))["bid"]))
    placed = await bot.create_order(SYMBOL, "limit", "buy", float(AMOUNT), price)
    opened = await orders.find(id=placed["id"], status="open")
    same([opened["price"], opened["amount"], opened["filled"]], [price, float(AMOUNT), 0])
    held = (await balances)["USDT"]["used"]
    check(decimal(held) >= decimal(price) * AMOUNT, held, price)
    await bot.cancel_order(placed["id"], SYMBOL)
    await orders.find(id=placed["id"], status="canceled")
    bought = await bot.create_order(SYMBOL, "market", "buy", float(AMOUNT))
    for fill in bought["trades"]:
        trade = await trades.find(id=fill["id"], order=bought["id"], takerOrMaker="taker")
        same([trade["price"], trade["amount"]], [fill["price"], fill["amount"]])
        same(trade["fee"], fill["fee"])
    filled = await orders.find(id=bought["id"], status="closed")
    same([filled["filled"], filled["cost"]], [bought["filled"], bought["cost"]])
    # The balance that the events describe becomes the one that the exchange answers.
    expected = (await bot.fetch_balance())["BTC"]["total"]
    while bot.balance["spot"]["BTC"]["total"] != expected:
        await bot.watch_balance()
    for watched in (trades, orders):
        watched.task.cancel()
    done("user data")


async def trade_over_sockets(bot: Any) -> None:
    price = float(far_below((await bot.fetch_ticker(SYMBOL))["last"]))
    placed = await bot.create_order_ws(SYMBOL, "limit", "buy", float(AMOUNT), price)
    same([placed["status"], placed["price"]], ["open", price])
    opened = await bot.fetch_open_orders_ws(SYMBOL)
    same([order["id"] for order in opened], [placed["id"]])
    edited = await bot.edit_order_ws(
        placed["id"], SYMBOL, "limit", "buy", float(AMOUNT * 2), price - 1
    )
    same([edited["amount"], edited["price"]], [float(AMOUNT * 2), price - 1])
    same((await bot.fetch_order_ws(edited["id"], SYMBOL))["status"], "open")
    same((await bot.cancel_order_ws(edited["id"], SYMBOL))["status"], "canceled")
    bought = await bot.create_order_ws(SYMBOL, "market", "buy", float(AMOUNT))
    same([bought["status"], bought["filled"]], ["closed", float(AMOUNT)])
    trades = await bot.fetch_my_trades_ws(SYMBOL)
    own = [trade for trade in trades if trade["order"] == bought["id"]]
    same(sum(decimal(trade["amount"]) for trade in own), AMOUNT)
    # This version of the library does not parse the answer of spot accounts.
    answer = (await bot.fetch_balance_ws())["info"]["balances"]
    same(answer, (await bot.fetch_balance())["info"]["balances"])
    check(len(await bot.fetch_ohlcv_ws(SYMBOL, "1m", None, 5)) == 5)
    check(len(await bot.fetch_trades_ws(SYMBOL, None, 5)) == 5)
    await bot.create_order_ws(SYMBOL, "limit", "buy", float(AMOUNT), price)
    await bot.cancel_all_orders_ws(SYMBOL)
    same(await bot.fetch_open_orders_ws(SYMBOL), [])
    try:
        await bot.cancel_order_ws("987654321", SYMBOL)
    except ccxt.OrderNotFound:
        done("orders over sockets")


async def main() -> None:
    bot = new_bot()
    try:
        await bot.load_markets()
        for part in (watch_books, watch_market_data, watch_own_orders, trade_over_sockets):
            await asyncio.wait_for(part(bot), 60)
    finally:
        await bot.close()


if __name__ == "__main__":
    asyncio.run(main())
