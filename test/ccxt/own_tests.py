"""CCXT's own tests of an exchange, which its Python package includes, applied to the class of this project.

The class runs in another process (own-tests-bot.ts): methods are forwarded to it line by line.
"""

import asyncio
import importlib
import json
import os
import sys
from typing import Any

from ccxt.async_support.base.exchange import Exchange

SYMBOL = "BTC/USDT"
SYMBOLS = [SYMBOL, "ETH/USDT"]

# The arguments of each test after the exchange and what to skip.
REST: dict[str, tuple[Any, ...]] = {
    "load_markets": (),
    "after_construct": (),
    "features": (),
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
    "fetch_ledger": ("USDT",),
}
STREAMS: dict[str, tuple[Any, ...]] = {
    "watch_ticker": (SYMBOL,),
    "watch_tickers": (SYMBOL,),
    "watch_bids_asks": (SYMBOL,),
    "watch_trades": (SYMBOL,),
    "watch_trades_for_symbols": (SYMBOLS,),
    "watch_order_book": (SYMBOL,),
    "watch_order_book_for_symbols": (SYMBOLS,),
    "watch_ohlcv": (SYMBOL,),
    "watch_ohlcv_for_symbols": (SYMBOL,),
    "watch_balance": ("USDT",),
    "watch_orders": (SYMBOL,),
    "watch_my_trades": (SYMBOL,),
}
SKIPPED: dict[str, Any] = {
    # Four assets, which the API can neither deposit nor withdraw.
    "fetch_currencies": {"amountOfCurrencies": True, "activeMajorCurrencies": True},
    # It has `hold` and `release` too.
    "fetch_ledger": {"type": True},
}


class ForwardingExchange(Exchange):
    """Forwards the methods that the class has, and is CCXT's base class otherwise."""

    def __init__(self) -> None:
        super().__init__({"id": "buttonwood"})
        self.waiting: dict[int, asyncio.Future[Any]] = {}
        self.requests = 0
        self.child: Any = None
        self.started = Exchange.milliseconds()

    def milliseconds(self) -> int:
        """Five times as fast, because each test of a stream watches for 15 seconds of this clock."""
        return self.started + 5 * (Exchange.milliseconds() - self.started)

    async def start(self) -> None:
        command = os.environ["BOT_COMMAND"].split("\n")
        pipe = asyncio.subprocess.PIPE
        self.child = await asyncio.create_subprocess_exec(
            *command, stdin=pipe, stdout=pipe, limit=2**26
        )
        self.reading = asyncio.create_task(self.read())
        for name, value in (await self.forward("describe")).items():
            setattr(self, name, value)
        own_names = {name.replace("_", ""): name for name in dir(self)}
        for name, value in self.has.items():
            if value is True and name.lower() in own_names:
                setattr(self, own_names[name.lower()], self.forwarding(name))

    async def read(self) -> None:
        while line := await self.child.stdout.readline():
            answer = json.loads(line)
            waiting = self.waiting.pop(answer["id"])
            if "error" in answer:
                waiting.set_exception(AssertionError(answer["error"]))
            else:
                waiting.set_result(answer["result"])

    def forwarding(self, method: str) -> Any:
        return lambda *arguments: self.forward(method, *arguments)

    async def forward(self, method: str, *arguments: Any) -> Any:
        self.requests += 1
        future: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self.waiting[self.requests] = future
        request = {"id": self.requests, "method": method, "arguments": arguments}
        self.child.stdin.write(json.dumps(request).encode() + b"\n")
        return await future

    async def stop(self) -> None:
        self.child.stdin.close()
        await self.child.wait()
        await self.reading
        await self.close()


async def run_test(
    exchange: Any, folder: str, method: str, arguments: tuple[Any, ...]
) -> str | None:
    """Returns the failure of a test, if it fails."""
    name = f"test_{method}"
    test = getattr(importlib.import_module(f"{folder}.{name}"), name)
    try:
        await asyncio.wait_for(test(exchange, SKIPPED.get(method, {}), *arguments), 60)
    except Exception as error:
        return f"{method}: {type(error).__name__} {str(error)[:1500]}"
    print(f"done: {method}", flush=True)
    return None


async def main() -> None:
    exchange = ForwardingExchange()
    await exchange.start()
    folder = "ccxt.test.exchange.async"
    rest = [await run_test(exchange, folder, *test) for test in REST.items()]
    # All at the same time, over one connection.
    folder = "ccxt.pro.test.Exchange"
    streams = await asyncio.gather(
        *(run_test(exchange, folder, *test) for test in STREAMS.items())
    )
    await exchange.stop()
    failures = [failure for failure in (*rest, *streams) if failure is not None]
    if failures:
        sys.exit("\n".join(failures))


asyncio.run(main())
