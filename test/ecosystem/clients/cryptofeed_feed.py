"""cryptofeed, which connects over TLS only: order books, trades, tickers and candles of several markets."""

import asyncio
from decimal import Decimal
from typing import Any

from bot import SOCKETS, URL, check, done, same
from cryptofeed import FeedHandler
from cryptofeed.connection import RestEndpoint, Routes, WebsocketEndpoint
from cryptofeed.defines import BID, CANDLES, L2_BOOK, TICKER, TRADES
from cryptofeed.exchanges import Binance

SYMBOLS = ["BTC-USDT", "ETH-USDT"]

# The places at which a user of the library sets another address.
Binance.websocket_endpoints = [WebsocketEndpoint(SOCKETS)]
Binance.rest_endpoints = [
    RestEndpoint(
        URL,
        routes=Routes(
            "/api/v3/exchangeInfo",
            l2book="/api/v3/depth?symbol={}&limit={}",
            authentication="/api/v3/userDataStream",
        ),
    )
]

seen: dict[str, set[str]] = {kind: set() for kind in (L2_BOOK, TRADES, TICKER, CANDLES)}
handler = FeedHandler(config={"log": {"disabled": True}})


def note(kind: str, symbol: str) -> None:
    seen[kind].add(symbol)
    if all(symbols == set(SYMBOLS) for symbols in seen.values()):
        asyncio.get_running_loop().stop()


async def on_book(book: Any, _: float) -> None:
    bid, ask = book.book.bids.index(0)[0], book.book.asks.index(0)[0]
    check(bid < ask, book)
    if book.delta is not None:
        check(all(isinstance(price, Decimal) for price, _ in book.delta[BID]))
        note(L2_BOOK, book.symbol)


async def on_trade(trade: Any, _: float) -> None:
    check(trade.side in ("buy", "sell") and trade.price > 0 and trade.amount > 0, trade)
    note(TRADES, trade.symbol)


async def on_ticker(ticker: Any, _: float) -> None:
    check(ticker.bid < ticker.ask, ticker)
    note(TICKER, ticker.symbol)


async def on_candle(candle: Any, _: float) -> None:
    check(candle.low <= min(candle.open, candle.close), candle)
    check(max(candle.open, candle.close) <= candle.high, candle)
    note(CANDLES, candle.symbol)


handler.add_feed(
    Binance(
        symbols=SYMBOLS,
        channels=[L2_BOOK, TRADES, TICKER, CANDLES],
        candle_closed_only=False,
        callbacks={L2_BOOK: on_book, TRADES: on_trade, TICKER: on_ticker, CANDLES: on_candle},
    )
)
handler.run()
for kind, symbols in seen.items():
    same(symbols, set(SYMBOLS))
    done(kind)
