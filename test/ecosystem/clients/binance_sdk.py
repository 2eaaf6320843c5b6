"""binance-sdk-spot, whose models check the types of every answer: REST, streams and the WebSocket API."""

import asyncio
import logging
from typing import Any

from binance_common.configuration import (
    ConfigurationRestAPI,
    ConfigurationWebSocketAPI,
    ConfigurationWebSocketStreams,
)
from binance_common.errors import Error
from binance_sdk_spot.spot import Spot
from bot import AMOUNT, API_KEY, API_SECRET, SOCKETS, URL, check, decimal, done, far_below, same

SYMBOL = "BTCUSDT"
KEYS = {"api_key": API_KEY, "api_secret": API_SECRET}
LIMIT_S = 30


class Failures(logging.Handler):
    """The library logs what its models reject."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.records: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.records.append(record.getMessage())


failures = Failures()
logging.getLogger().addHandler(failures)


def use_rest(api: Any) -> Any:
    (info,) = api.exchange_info(symbol=SYMBOL).data().symbols
    same([info.base_asset, info.quote_asset, info.status], ["BTC", "USDT", "TRADING"])
    book = api.depth(SYMBOL, limit=5).data()
    same([len(book.bids), len(book.asks)], [5, 5])
    check(decimal(book.bids[0][0]) < decimal(book.asks[0][0]), book)
    same(len(api.klines(SYMBOL, "1m", limit=3).data()), 3)
    same(len(api.get_trades(SYMBOL, limit=3).data()), 3)
    same(len(api.agg_trades(SYMBOL, limit=3).data()), 3)
    check(decimal(api.avg_price(SYMBOL).data().price) > 0)
    for call in (api.ticker24hr, api.ticker, api.ticker_price, api.ticker_book_ticker):
        same(call(symbol=SYMBOL).data().actual_instance.symbol, SYMBOL)
    price = far_below(book.bids[0][0])
    order = {"symbol": SYMBOL, "side": "BUY", "type": "LIMIT", "time_in_force": "GTC"}
    amounts = {"quantity": float(AMOUNT), "price": float(price)}
    placed = api.new_order(**order, **amounts).data()
    same([placed.status, decimal(placed.price), placed.fills], ["NEW", price, []])
    (opened,) = api.get_open_orders(symbol=SYMBOL).data()
    same([opened.order_id, decimal(opened.orig_qty)], [placed.order_id, AMOUNT])
    amended = api.order_amend_keep_priority(
        symbol=SYMBOL, order_id=placed.order_id, new_qty=float(AMOUNT / 2)
    )
    same(decimal(amended.data().amended_order.qty), AMOUNT / 2)
    canceled = api.delete_order(SYMBOL, order_id=placed.order_id).data()
    same(canceled.status, "CANCELED")
    same(api.get_order(SYMBOL, order_id=placed.order_id).data().status, "CANCELED")
    bought = api.new_order(SYMBOL, "BUY", "MARKET", quantity=float(AMOUNT)).data()
    same([bought.status, decimal(bought.executed_qty)], ["FILLED", AMOUNT])
    own = api.my_trades(SYMBOL, order_id=bought.order_id).data()
    same([trade.id for trade in own], [fill.trade_id for fill in bought.fills])
    account = api.get_account().data()
    check(account.can_trade and account.balances, account)
    commission = api.account_commission(SYMBOL).data().standard_commission
    same(decimal(commission.taker), decimal("0.001"))
    check(api.rate_limit_order().data())
    check(any(each.order_id == bought.order_id for each in api.all_orders(SYMBOL).data()))
    try:
        api.delete_order(SYMBOL, order_id=987654321)
    except Error as error:
        check("Unknown order sent." in str(error), error)
    else:
        raise AssertionError("an unknown order was canceled")
    done("REST")
    return price


async def watch_market(client: Any) -> None:
    received: dict[str, asyncio.Future[Any]] = {}
    loop = asyncio.get_running_loop()
    await client.create_connection()

    def watch(name: str, stream: Any) -> None:
        received[name] = loop.create_future()
        future = received[name]
        stream.on("message", lambda data: None if future.done() else future.set_result(data))

    try:
        watch("trade", await client.trade(symbol="btcusdt"))
        watch("kline", await client.kline(symbol="btcusdt", interval="1m"))
        watch("ticker", await client.ticker(symbol="btcusdt"))
        watch("book", await client.book_ticker(symbol="btcusdt"))
        watch("depth", await client.diff_book_depth(symbol="btcusdt"))
        await asyncio.wait_for(asyncio.gather(*received.values()), LIMIT_S)
        check(decimal(received["trade"].result().p) > 0)
        same(received["kline"].result().k.i, "1m")
        same(received["ticker"].result().s, SYMBOL)
        best = received["book"].result()
        check(decimal(best.b) < decimal(best.a), best)
        depth = received["depth"].result()
        check(depth.U <= depth.u, depth)
    finally:
        await client.close_connection(close_session=True)
    done("streams")


async def use_socket_api(client: Any, price: Any) -> None:
    events: asyncio.Queue[Any] = asyncio.Queue()
    await client.create_connection()
    try:
        subscribed = await client.user_data_stream_subscribe_signature()
        subscribed.stream.on("message", events.put_nowait)
        placed = await client.order_place(
            SYMBOL,
            "BUY",
            "LIMIT",
            time_in_force="GTC",
            quantity=float(AMOUNT),
            price=float(price),
            new_order_resp_type="FULL",
        )
        order = placed.data().result
        same([order.status, decimal(order.price)], ["NEW", price])
        event = (await asyncio.wait_for(events.get(), LIMIT_S)).actual_instance
        same([event.i, event.X, decimal(event.p)], [order.order_id, "NEW", price])
        (opened,) = (await client.open_orders_status(symbol=SYMBOL)).data().result
        same(opened.order_id, order.order_id)
        canceled = await client.order_cancel(SYMBOL, order_id=order.order_id)
        same(canceled.data().result.status, "CANCELED")
        same(len((await client.depth(SYMBOL, limit=5)).data().result.bids), 5)
        check((await client.account_status()).data().result.balances)
        check((await client.my_trades(SYMBOL)).data().result)
    finally:
        await client.close_connection(close_session=True)
    done("WebSocket API")


async def main() -> None:
    spot = Spot(
        config_rest_api=ConfigurationRestAPI(**KEYS, base_path=URL),
        config_ws_api=ConfigurationWebSocketAPI(**KEYS, stream_url=f"{SOCKETS}/ws-api/v3"),
        config_ws_streams=ConfigurationWebSocketStreams(stream_url=SOCKETS),
    )
    price = use_rest(spot.rest_api)
    await watch_market(spot.websocket_streams)
    await use_socket_api(spot.websocket_api, price)
    same(failures.records, [])


asyncio.run(main())
