"""ccxt.binance over REST, with replaced URLs: `ccxt_rest.py sync` or `async`."""

import asyncio
import inspect
import sys
import time
from typing import Any

import ccxt
import ccxt.async_support
from bot import (
    AMOUNT,
    API_KEY,
    API_SECRET,
    TAKER_FEE,
    UNIT,
    check,
    decimal,
    done,
    far_below,
    replace_urls,
    same,
    same_but_cut_off,
)

SYMBOL = "BTC/USDT"


def new_bot(library: Any, **settings: Any) -> Any:
    bot = library.binance({"apiKey": API_KEY, "secret": API_SECRET, **settings})
    bot.urls["api"] = replace_urls(bot.urls["api"])
    return bot


async def settle(value: Any) -> Any:
    """Returns the result of a call of either library."""
    return await value if inspect.isawaitable(value) else value


async def read_markets(bot: Any) -> None:
    markets = await settle(bot.load_markets())
    same(sorted(markets), ["BTC/USDT", "ETH/BTC", "ETH/USDT", "SOL/USDT"])
    market = markets[SYMBOL]
    same([market["base"], market["quote"], market["type"]], ["BTC", "USDT", "spot"])
    check(market["active"] and market["spot"] and not market["margin"], market)
    same(market["precision"]["price"], 0.01)
    same(market["limits"]["cost"]["min"], 0.01)
    currencies = await settle(bot.fetch_currencies())
    check({"BTC", "ETH", "SOL", "USDT"} <= set(currencies), currencies)
    same((await settle(bot.fetch_status()))["status"], "ok")
    fees = await settle(bot.fetch_trading_fees())
    same(fees[SYMBOL]["taker"], 0.001)
    same((await settle(bot.fetch_trading_fee(SYMBOL)))["taker"], 0.001)
    check(abs(await settle(bot.fetch_time()) - time.time() * 1000) < 5000)
    done("markets")


async def read_market_data(bot: Any) -> None:
    book = await settle(bot.fetch_order_book(SYMBOL, 20))
    bids, asks = [price for price, _ in book["bids"]], [price for price, _ in book["asks"]]
    check(bids == sorted(set(bids), reverse=True) and asks == sorted(set(asks)), book)
    check(bids and asks and bids[0] < asks[0] and book["nonce"] > 0, book)
    ticker = await settle(bot.fetch_ticker(SYMBOL))
    check(ticker["low"] <= ticker["last"] <= ticker["high"], ticker)
    check(ticker["bid"] < ticker["ask"] and ticker["baseVolume"] > 0, ticker)
    check(ticker["low"] <= ticker["vwap"] <= ticker["high"], ticker)
    check(abs(ticker["change"] - (ticker["last"] - ticker["open"])) < 0.011, ticker)
    tickers = await settle(bot.fetch_tickers())
    same(sorted(tickers), ["BTC/USDT", "ETH/BTC", "ETH/USDT", "SOL/USDT"])
    same(sorted(await settle(bot.fetch_tickers(["ETH/USDT", SYMBOL]))), [SYMBOL, "ETH/USDT"])
    best = (await settle(bot.fetch_bids_asks([SYMBOL])))[SYMBOL]
    check(0 < best["bid"] < best["ask"] and best["bidVolume"] > 0, best)
    last = (await settle(bot.fetch_last_prices([SYMBOL])))[SYMBOL]
    check(abs(last["price"] / ticker["last"] - 1) < 0.05, last, ticker)
    await read_trades(bot)
    await read_candles(bot)
    done("market data")


async def read_trades(bot: Any) -> None:
    trades = await settle(bot.fetch_trades(SYMBOL, limit=50))
    same(len(trades), 50)
    check(all(a["timestamp"] <= b["timestamp"] for a, b in zip(trades, trades[1:])), trades)
    check(all(trade["side"] in ("buy", "sell") for trade in trades), trades)
    check(all(abs(t["cost"] - t["price"] * t["amount"]) < 1e-6 for t in trades), trades)
    first = trades[10]["timestamp"]
    later = await settle(bot.fetch_trades(SYMBOL, first, 5))
    check(len(later) == 5 and later[0]["timestamp"] >= first, later)
    single = {"fetchTradesMethod": "publicGetTrades"}
    check(len(await settle(bot.fetch_trades(SYMBOL, None, 5, single))) == 5)


async def read_candles(bot: Any) -> None:
    for interval, width in (("1m", 60_000), ("1h", 3_600_000), ("1d", 86_400_000)):
        candles = await settle(bot.fetch_ohlcv(SYMBOL, interval, limit=10))
        check(candles, interval)
        for time_ms, opened, high, low, closed, volume in candles:
            check(time_ms % width == 0 and volume >= 0, candles)
            check(low <= min(opened, closed) and max(opened, closed) <= high, candles)
        starts = [candle[0] for candle in candles]
        same(starts, list(range(starts[0], starts[0] + width * len(starts), width)))
        again = await settle(bot.fetch_ohlcv(SYMBOL, interval, starts[0], 1))
        same(again[0][0], starts[0])


async def place_limit_order(bot: Any) -> None:
    before = await settle(bot.fetch_balance())
    price = float(far_below((await settle(bot.fetch_ticker(SYMBOL)))["bid"]))
    amount = float(AMOUNT)
    placed = await settle(bot.create_order(SYMBOL, "limit", "buy", amount, price))
    same([placed["status"], placed["filled"], placed["price"]], ["open", 0, price])
    same([placed["side"], placed["type"], placed["amount"]], ["buy", "limit", amount])
    opened = await settle(bot.fetch_open_orders(SYMBOL))
    same([order["id"] for order in opened], [placed["id"]])
    during = await settle(bot.fetch_balance())
    held = decimal(during["USDT"]["used"]) - decimal(before["USDT"]["used"])
    same(held, decimal(price) * AMOUNT)
    edited = await settle(
        bot.edit_order(placed["id"], SYMBOL, "limit", "buy", amount * 2, price - 1)
    )
    same([edited["status"], edited["amount"], edited["price"]], ["open", amount * 2, price - 1])
    fetched = await settle(bot.fetch_order(edited["id"], SYMBOL))
    same([fetched["status"], fetched["remaining"]], ["open", amount * 2])
    canceled = await settle(bot.cancel_order(edited["id"], SYMBOL))
    same(canceled["status"], "canceled")
    same(await settle(bot.fetch_open_orders(SYMBOL)), [])
    same((await settle(bot.fetch_order(edited["id"], SYMBOL)))["status"], "canceled")
    after = await settle(bot.fetch_balance())
    same(after["USDT"], before["USDT"])
    for _ in range(2):
        await settle(bot.create_order(SYMBOL, "limit", "buy", amount, price))
    same(len(await settle(bot.cancel_all_orders(SYMBOL))), 2)
    done("limit orders")


async def place_market_orders(bot: Any) -> None:
    before = await settle(bot.fetch_balance())
    bought = await settle(bot.create_order(SYMBOL, "market", "buy", float(AMOUNT)))
    same([bought["status"], decimal(bought["filled"])], ["closed", AMOUNT])
    check(bought["cost"] > 0 and bought["trades"], bought)
    trades = await settle(bot.fetch_my_trades(SYMBOL, params={"orderId": bought["id"]}))
    same(sum(decimal(trade["amount"]) for trade in trades), AMOUNT)
    same_but_cut_off([decimal(trade["cost"]) for trade in trades], decimal(bought["cost"]))
    same({trade["takerOrMaker"] for trade in trades}, {"taker"})
    same_but_cut_off([decimal(trade["fee"]["cost"]) for trade in trades], AMOUNT * TAKER_FEE)
    same({trade["fee"]["currency"] for trade in trades}, {"BTC"})
    same([trade["id"] for trade in bought["trades"]], [trade["id"] for trade in trades])
    after = await settle(bot.fetch_balance())
    gained = decimal(after["BTC"]["total"]) - decimal(before["BTC"]["total"])
    same(gained, AMOUNT * (1 - TAKER_FEE))
    spent = decimal(before["USDT"]["total"]) - decimal(after["USDT"]["total"])
    check(abs(spent - decimal(bought["cost"])) <= UNIT, spent, bought)
    by_cost = await settle(bot.create_market_buy_order_with_cost(SYMBOL, 500))
    check(499 < by_cost["cost"] <= 500 and by_cost["status"] == "closed", by_cost)
    sold = await settle(bot.create_order(SYMBOL, "market", "sell", float(AMOUNT)))
    same([sold["status"], sold["side"]], ["closed", "sell"])
    same({trade["fee"]["currency"] for trade in sold["trades"]}, {"USDT"})
    closed = await settle(bot.fetch_closed_orders(SYMBOL))
    check({bought["id"], sold["id"]} <= {order["id"] for order in closed}, closed)
    done("market orders")


async def place_special_orders(bot: Any) -> None:
    amount = float(AMOUNT)
    ticker = await settle(bot.fetch_ticker(SYMBOL))
    low = float(far_below(ticker["bid"]))
    stop = await settle(
        bot.create_order(SYMBOL, "limit", "sell", amount, low - 10, {"stopLossPrice": low})
    )
    fetched = await settle(bot.fetch_order(stop["id"], SYMBOL))
    same([fetched["status"], fetched["triggerPrice"]], ["open", low])
    same((await settle(bot.cancel_order(stop["id"], SYMBOL)))["status"], "canceled")
    maker = await settle(
        bot.create_order(SYMBOL, "limit", "buy", amount, low, {"postOnly": True})
    )
    same((await settle(bot.cancel_order(maker["id"], SYMBOL)))["status"], "canceled")
    immediate = await settle(
        bot.create_order(SYMBOL, "limit", "buy", amount, low, {"timeInForce": "IOC"})
    )
    same([immediate["status"], immediate["filled"]], ["expired", 0])
    tested = await settle(bot.create_order(SYMBOL, "limit", "buy", amount, low, {"test": True}))
    same(tested["id"], None)
    name = f"own-{time.time_ns()}"
    await settle(bot.create_order(SYMBOL, "limit", "buy", amount, low, {"clientOrderId": name}))
    named = await settle(bot.fetch_order(None, SYMBOL, {"origClientOrderId": name}))
    same(named["clientOrderId"], name)
    await settle(bot.cancel_order(None, SYMBOL, {"origClientOrderId": name}))
    same(await settle(bot.fetch_open_orders(SYMBOL)), [])
    done("special orders")


async def reject(library: Any, bot: Any) -> None:
    """Every mistake is the exception that bots expect."""

    async def fails(kind: type[Exception], call: Any) -> None:
        try:
            result = await settle(call())
        except kind:
            return
        raise AssertionError("no", kind, result)

    price = float(far_below((await settle(bot.fetch_ticker(SYMBOL)))["bid"]))
    ask = (await settle(bot.fetch_ticker(SYMBOL)))["ask"]
    order = (SYMBOL, "limit", "buy")
    await fails(ccxt.InsufficientFunds, lambda: bot.create_order(*order, 90_000, price))
    await fails(ccxt.BadRequest, lambda: bot.create_order(*order, 0.00000001, price))
    await fails(ccxt.OrderNotFound, lambda: bot.cancel_order("987654321", SYMBOL))
    await fails(ccxt.OrderNotFound, lambda: bot.fetch_order("987654321", SYMBOL))
    crossing = {"postOnly": True}
    await fails(
        ccxt.OrderImmediatelyFillable, lambda: bot.create_order(*order, 0.01, ask * 1.01, crossing)
    )
    await fails(ccxt.BadSymbol, lambda: bot.public_get_depth({"symbol": "NONE"}))
    thief = new_bot(library)
    thief.secret = API_SECRET[::-1]
    try:
        await fails(ccxt.AuthenticationError, thief.fetch_balance)
    finally:
        if hasattr(thief, "close"):
            await settle(thief.close())
    done("rejections")


async def main(library: Any) -> None:
    bot = new_bot(library)
    try:
        await read_markets(bot)
        await read_market_data(bot)
        await place_limit_order(bot)
        await place_market_orders(bot)
        await place_special_orders(bot)
        await reject(library, bot)
    finally:
        if hasattr(bot, "close"):
            await settle(bot.close())


if __name__ == "__main__":
    asyncio.run(main(ccxt if sys.argv[1] == "sync" else ccxt.async_support))
