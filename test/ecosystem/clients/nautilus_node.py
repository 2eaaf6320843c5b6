"""nautilus_trader: a live node with its Binance adapter; a strategy that trades, watched by the node's own books.

Its argument is the type of the key: HMAC or Ed25519.
"""

import sys
import threading
from datetime import timedelta
from decimal import Decimal
from typing import Any

from bot import API_KEY, API_SECRET, SOCKETS, URL, check, done, same
from nautilus_trader.adapters.binance import (
    BINANCE,
    BinanceDataClientConfig,
    BinanceExecClientConfig,
    BinanceKeyType,
    BinanceLiveDataClientFactory,
    BinanceLiveExecClientFactory,
)
from nautilus_trader.config import (
    InstrumentProviderConfig,
    LiveExecEngineConfig,
    LoggingConfig,
    StrategyConfig,
    TradingNodeConfig,
)
from nautilus_trader.live.node import TradingNode
from nautilus_trader.model.data import BarType
from nautilus_trader.model.enums import BookType, OrderSide, OrderStatus
from nautilus_trader.model.identifiers import InstrumentId, TraderId
from nautilus_trader.trading.strategy import Strategy

ID = InstrumentId.from_str("BTCUSDT.BINANCE")
LIMIT_S = 90


class Bot(Strategy):
    """Waits for data of every kind, then places a limit order, cancels it, and buys at the market."""

    def __init__(self) -> None:
        super().__init__(StrategyConfig(strategy_id="bot"))
        self.seen: set[str] = set()
        self.events: list[str] = []
        self.limit: Any = None
        self.purchase: Any = None
        self.ended = threading.Event()

    def on_start(self) -> None:
        self.instrument = self.cache.instrument(ID)
        self.subscribe_quote_ticks(ID)
        self.subscribe_trade_ticks(ID)
        self.subscribe_order_book_deltas(ID, book_type=BookType.L2_MBP)
        bars = BarType.from_str("BTCUSDT.BINANCE-1-MINUTE-LAST-EXTERNAL")
        self.request_bars(bars, start=self.clock.utc_now() - timedelta(hours=1))

    def on_quote_tick(self, quote: Any) -> None:
        check(quote.bid_price < quote.ask_price, quote)
        self.note("quotes")

    def on_trade_tick(self, trade: Any) -> None:
        check(trade.price > 0 and trade.size > 0, trade)
        self.note("trades")

    def on_order_book_deltas(self, deltas: Any) -> None:
        book = self.cache.order_book(ID)
        if book.best_bid_price() is not None and book.best_ask_price() is not None:
            check(book.best_bid_price() < book.best_ask_price(), book)
            self.note("books")

    def on_historical_data(self, data: Any) -> None:
        check(data.low <= data.open <= data.high, data)
        self.note("bars")

    def note(self, kind: str) -> None:
        self.seen.add(kind)
        if self.limit is None and {"quotes", "trades", "books", "bars"} <= self.seen:
            self.place_limit_order()

    def place_limit_order(self) -> None:
        bid = self.cache.quote_tick(ID).bid_price
        price = self.instrument.make_price(bid * Decimal("0.9"))
        self.limit = self.order_factory.limit(
            ID, OrderSide.BUY, self.instrument.make_qty(Decimal("0.01")), price
        )
        self.submit_order(self.limit)

    def on_event(self, event: Any) -> None:
        if hasattr(event, "client_order_id"):
            self.events.append(type(event).__name__)

    def on_order_accepted(self, event: Any) -> None:
        if event.client_order_id == self.limit.client_order_id:
            self.cancel_order(self.limit)

    def on_order_canceled(self, event: Any) -> None:
        self.purchase = self.order_factory.market(
            ID, OrderSide.BUY, self.instrument.make_qty(Decimal("0.01"))
        )
        self.submit_order(self.purchase)

    def on_order_filled(self, event: Any) -> None:
        if self.purchase.status == OrderStatus.FILLED:
            self.ended.set()

    def on_order_rejected(self, event: Any) -> None:
        self.events.append(f"rejected: {event.reason}")
        self.ended.set()


keys = {
    "api_key": API_KEY,
    "api_secret": API_SECRET,
    "key_type": BinanceKeyType(sys.argv[1]),
}
urls = {"base_url_http": URL, "base_url_ws": SOCKETS}
instruments = InstrumentProviderConfig(load_all=True)
node = TradingNode(
    TradingNodeConfig(
        trader_id=TraderId("BOT-001"),
        logging=LoggingConfig(log_level="WARNING"),
        exec_engine=LiveExecEngineConfig(reconciliation=True),
        data_clients={
            BINANCE: BinanceDataClientConfig(**keys, **urls, instrument_provider=instruments)
        },
        exec_clients={
            BINANCE: BinanceExecClientConfig(**keys, **urls, instrument_provider=instruments)
        },
        timeout_connection=30,
        timeout_reconciliation=30,
        timeout_portfolio=30,
        timeout_disconnection=5,
        timeout_post_stop=1,
    )
)
bot = Bot()
node.trader.add_strategy(bot)
node.add_data_client_factory(BINANCE, BinanceLiveDataClientFactory)
node.add_exec_client_factory(BINANCE, BinanceLiveExecClientFactory)
node.build()
loop = node.get_event_loop()


def stop_at_end() -> None:
    bot.ended.wait(LIMIT_S)
    loop.call_soon_threadsafe(node.stop)


threading.Thread(target=stop_at_end, daemon=True).start()
node.run()
same(bot.seen, {"quotes", "trades", "books", "bars"})
done("market data")
same(bot.limit.status, OrderStatus.CANCELED)
done("limit orders")
same([bot.purchase.status, str(bot.purchase.filled_qty)], [OrderStatus.FILLED, "0.01000000"])
check(bot.purchase.avg_px > 0 and bot.purchase.commissions(), bot.purchase)
done("market orders")
node.dispose()
