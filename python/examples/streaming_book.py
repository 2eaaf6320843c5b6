"""Keeps a market's order book from its stream and prints the best levels. Ctrl-C ends it.

The book of single orders is checked with the exchange's checksum after every message.

    npm start
    python examples/streaming_book.py [SYMBOL]
"""

from __future__ import annotations

import asyncio
import contextlib
import sys

from bot import connection

from buttonwood import AsyncClient, AsyncStreams, Level3Book, OrderBook


async def show_levels(streams: AsyncStreams, symbol: str) -> None:
    book = OrderBook()
    async for _ in await streams.order_book(symbol, book=book):
        if book.best_bid and book.best_ask:
            (bid, bid_amount), (ask, ask_amount) = book.best_bid, book.best_ask
            print(f"{book.sequence}: {bid_amount:f} at {bid:f} / {ask_amount:f} at {ask:f}", flush=True)


async def check_orders(streams: AsyncStreams, symbol: str) -> None:
    book = Level3Book()
    async for message in await streams.level3(symbol, book=book):
        if message.op == "snapshot":
            print(f"checking the book from {book.sequence}", file=sys.stderr)


async def main(symbol: str = "BTC/USDT") -> None:
    async with AsyncClient(**connection()) as client, client.streams() as streams:
        await asyncio.gather(show_levels(streams, symbol), check_orders(streams, symbol))


if __name__ == "__main__":
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(main(*sys.argv[1:]))
