"""CCXT's own tests of an exchange, which its Python package includes, with ccxt.binance and replaced URLs."""

import asyncio
import importlib
from typing import Any

import ccxt.pro
from bot import API_KEY, API_SECRET, done, replace_urls
from ccxt.test.exchange.base.test_market import test_market

SYMBOL = "BTC/USDT"

# The methods whose tests take the exchange, what to skip, and these arguments.
REST: dict[str, tuple[Any, ...]] = {
    "fetch_currencies": (),
    "fetch_status": (),
    "fetch_ticker": (SYMBOL,),
    "fetch_tickers": (SYMBOL,),
    "fetch_last_prices": (SYMBOL,),
    "fetch_order_book": (SYMBOL,),
    "fetch_l2_order_book": (SYMBOL,),
    "fetch_trades": (SYMBOL,),
    "fetch_ohlcv": (SYMBOL,),
    "fetch_trading_fee": (SYMBOL,),
    "fetch_trading_fees": (),
    "fetch_balance": (),
    "fetch_orders": (SYMBOL,),
    "fetch_open_orders": (SYMBOL,),
    "fetch_closed_orders": (SYMBOL,),
    "fetch_my_trades": (SYMBOL,),
    "features": (),
}
STREAMS: dict[str, tuple[Any, ...]] = {
    "watch_ticker": (SYMBOL,),
    "watch_tickers": (SYMBOL,),
    "watch_bids_asks": (SYMBOL,),
    "watch_trades": (SYMBOL,),
    "watch_trades_for_symbols": ([SYMBOL, "ETH/USDT"],),
    "watch_order_book": (SYMBOL,),
    "watch_order_book_for_symbols": ([SYMBOL, "ETH/USDT"],),
    "watch_ohlcv": (SYMBOL,),
    "watch_ohlcv_for_symbols": (SYMBOL,),
}
# Order books of Binance Spot have no time before their first change.
BOOK = {"timestamp": True, "datetime": True}
SKIPPED: dict[str, Any] = {
    "fetch_order_book": BOOK,
    "fetch_l2_order_book": BOOK,
    "watch_order_book": BOOK,
    "watch_order_book_for_symbols": BOOK,
}


async def run_test(bot: Any, folder: str, method: str, arguments: tuple[Any, ...]) -> str | None:
    """Returns the failure of a test, if it fails."""
    name = f"test_{method}"
    test = getattr(importlib.import_module(f"{folder}.{name}"), name)
    try:
        await asyncio.wait_for(test(bot, SKIPPED.get(method, {}), *arguments), 120)
    except Exception as error:
        return f"{method}: {type(error).__name__} {str(error)[:1500]}"
    return None


def new_bot() -> Any:
    bot = ccxt.pro.binance({"apiKey": API_KEY, "secret": API_SECRET})
    bot.urls["api"] = replace_urls(bot.urls["api"])
    return bot


async def test_stream(markets: Any, method: str, arguments: tuple[Any, ...]) -> str | None:
    # Of its own, because two methods of one bot that watch the same order book disturb each other.
    bot = new_bot()
    try:
        bot.set_markets(markets)
        return await run_test(bot, "ccxt.pro.test.Exchange", method, arguments)
    finally:
        await bot.close()


async def main() -> None:
    bot = new_bot()
    try:
        markets = await bot.load_markets()
        # The test of all markets at once would expect derivatives too.
        for market in markets.values():
            test_market(bot, {}, "loadMarkets", market)
        folder = "ccxt.test.exchange.async"
        rest = [await run_test(bot, folder, *test) for test in REST.items()]
    finally:
        await bot.close()
    # Each of them watches for 15 seconds.
    streams = await asyncio.gather(*(test_stream(markets, *test) for test in STREAMS.items()))
    failures = [failure for failure in (*rest, *streams) if failure is not None]
    if failures:
        raise AssertionError("\n".join(failures))
    done("CCXT's tests of REST")
    done("CCXT's tests of streams")


asyncio.run(main())
