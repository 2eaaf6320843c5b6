"""binance-connector: REST, streams of market data, a listen key, and the WebSocket API."""

import json
import queue
from typing import Any

from binance.error import ClientError
from binance.spot import Spot
from binance.websocket.spot.websocket_api import SpotWebsocketAPIClient
from binance.websocket.spot.websocket_stream import SpotWebsocketStreamClient
from bot import (
    AMOUNT,
    API_KEY,
    API_SECRET,
    SOCKETS,
    URL,
    check,
    decimal,
    done,
    far_below,
    same,
    same_but_cut_off,
)

SYMBOL = "BTCUSDT"
LIMIT_ORDER = {"symbol": SYMBOL, "side": "BUY", "type": "LIMIT", "timeInForce": "GTC"}
LIMIT_S = 30


class Messages:
    """What a socket has received."""

    def __init__(self) -> None:
        self.received: queue.Queue[Any] = queue.Queue()

    def note(self, _: Any, message: str) -> None:
        self.received.put(json.loads(message))

    def find(self, **fields: Any) -> Any:
        while True:
            message = self.received.get(timeout=LIMIT_S)
            check("error" not in message, message)
            # A stream of all markets delivers a list.
            if isinstance(message, list):
                message = {"all": message}
            if all(message.get(name) == value for name, value in fields.items()):
                return message


def use_rest(client: Spot) -> Any:
    check(client.time()["serverTime"] > 0)
    same(client.ping(), {})
    (info,) = client.exchange_info(SYMBOL)["symbols"]
    same([info["baseAsset"], info["permissionSets"]], ["BTC", [["SPOT"]]])
    book = client.depth(SYMBOL, limit=10)
    check(decimal(book["bids"][0][0]) < decimal(book["asks"][0][0]), book)
    for prices in (client.ticker_price(SYMBOL), client.ticker_price(symbols=[SYMBOL])[0]):
        same(prices["symbol"], SYMBOL)
    check(len(client.klines(SYMBOL, "1m", limit=3)) == 3)
    check(decimal(client.avg_price(SYMBOL)["price"]) > 0)
    same(client.rolling_window_ticker(SYMBOL, windowSize="1h")["symbol"], SYMBOL)
    same(len(client.trades(SYMBOL, limit=4)), 4)
    same(len(client.agg_trades(SYMBOL, limit=4)), 4)
    same(len(client.historical_trades(SYMBOL, limit=4)), 4)
    price = far_below(book["bids"][0][0])
    placed = client.new_order(**LIMIT_ORDER, quantity=f"{AMOUNT}", price=f"{price}")
    same([placed["status"], decimal(placed["price"])], ["NEW", price])
    replaced = client.cancel_and_replace(
        **LIMIT_ORDER,
        cancelReplaceMode="STOP_ON_FAILURE",
        cancelOrderId=placed["orderId"],
        quantity=f"{AMOUNT * 2}",
        price=f"{price - 1}",
    )
    same([replaced["cancelResult"], replaced["newOrderResult"]], ["SUCCESS", "SUCCESS"])
    (opened,) = client.get_open_orders(SYMBOL)
    same(opened["orderId"], replaced["newOrderResponse"]["orderId"])
    (canceled,) = client.cancel_open_orders(SYMBOL)
    same([canceled["orderId"], canceled["status"]], [opened["orderId"], "CANCELED"])
    bought = client.new_order(symbol=SYMBOL, side="BUY", type="MARKET", quoteOrderQty=700)
    spent = decimal(bought["cummulativeQuoteQty"])
    check(690 < spent <= 700 and bought["status"] == "FILLED", bought)
    own = client.my_trades(SYMBOL, orderId=bought["orderId"])
    same_but_cut_off([decimal(trade["quoteQty"]) for trade in own], spent)
    oco = client.new_oco_order(
        symbol=SYMBOL,
        side="SELL",
        quantity=f"{AMOUNT}",
        aboveType="LIMIT_MAKER",
        abovePrice=f"{price * 2}",
        belowType="STOP_LOSS_LIMIT",
        belowPrice=f"{price - 10}",
        belowStopPrice=f"{price}",
        belowTimeInForce="GTC",
    )
    same([oco["contingencyType"], oco["listOrderStatus"]], ["OCO", "EXECUTING"])
    same(len(client.get_oco_open_orders()), 1)
    ended = client.cancel_oco_order(SYMBOL, orderListId=oco["orderListId"])
    same([ended["listOrderStatus"], len(ended["orders"])], ["ALL_DONE", 2])
    (fees,) = client.trade_fee(symbol=SYMBOL)
    same(decimal(fees["takerCommission"]), decimal("0.001"))
    check(client.account()["canTrade"] and client.get_order_rate_limit())
    try:
        client.cancel_order(SYMBOL, orderId=987654321)
    except ClientError as error:
        same([error.error_code, error.error_message], [-2011, "Unknown order sent."])
    else:
        raise AssertionError("an unknown order was canceled")
    done("REST")
    return price


def watch_market() -> None:
    messages = Messages()
    client = SpotWebsocketStreamClient(stream_url=SOCKETS, on_message=messages.note)
    try:
        client.agg_trade(symbol="btcusdt")
        client.kline(symbol="btcusdt", interval="1m")
        client.partial_book_depth(symbol="btcusdt", level=5, speed=100)
        client.mini_ticker()
        trade = messages.find(e="aggTrade")
        check(trade["s"] == SYMBOL and decimal(trade["p"]) > 0, trade)
        same(messages.find(e="kline")["k"]["i"], "1m")
        depth: Any = {}
        while "bids" not in depth:
            depth = messages.find()
        same(len(depth["bids"]), 5)
        tickers: Any = []
        while not tickers:
            tickers = messages.find().get("all", [])
        check({ticker["e"] for ticker in tickers} == {"24hrMiniTicker"}, tickers)
    finally:
        client.stop()
    done("streams")


def watch_user(rest: Spot, price: Any) -> None:
    listen_key = rest.new_listen_key()["listenKey"]
    messages = Messages()
    stream = SpotWebsocketStreamClient(stream_url=SOCKETS, on_message=messages.note)
    try:
        stream.user_data(listen_key=listen_key)
        same(messages.find(result=None)["result"], None)
        placed = rest.new_order(**LIMIT_ORDER, quantity=f"{AMOUNT}", price=f"{price}")
        report = messages.find(e="executionReport", i=placed["orderId"])
        same([report["x"], report["c"]], ["NEW", placed["clientOrderId"]])
        rest.renew_listen_key(listen_key)
        rest.cancel_order(SYMBOL, orderId=placed["orderId"])
        report = messages.find(e="executionReport", x="CANCELED")
        same([report["i"], report["C"]], [placed["orderId"], placed["clientOrderId"]])
        rest.close_listen_key(listen_key)
    finally:
        stream.stop()
    done("user data")


def use_socket_api(price: Any) -> None:
    messages = Messages()
    url = f"{SOCKETS}/ws-api/v3"
    client = SpotWebsocketAPIClient(
        stream_url=url, api_key=API_KEY, api_secret=API_SECRET, on_message=messages.note
    )
    try:
        client.account(id="account")
        balances = messages.find(id="account")["result"]["balances"]
        check(any(balance["asset"] == "USDT" for balance in balances), balances)
        client.new_order(
            id="new",
            symbol=SYMBOL,
            side="BUY",
            type="LIMIT",
            timeInForce="GTC",
            quantity=float(AMOUNT),
            price=f"{price}",
            newOrderRespType="RESULT",
        )
        placed = messages.find(id="new")["result"]
        same([placed["status"], decimal(placed["price"])], ["NEW", price])
        client.get_open_orders(id="open", symbol=SYMBOL)
        (opened,) = messages.find(id="open")["result"]
        same(opened["orderId"], placed["orderId"])
        client.cancel_order(id="cancel", symbol=SYMBOL, orderId=placed["orderId"])
        same(messages.find(id="cancel")["result"]["status"], "CANCELED")
        client.order_book(id="book", symbol=SYMBOL, limit=5)
        same(len(messages.find(id="book")["result"]["bids"]), 5)
    finally:
        client.stop()
    done("WebSocket API")


rest = Spot(api_key=API_KEY, api_secret=API_SECRET, base_url=URL)
far_price = use_rest(rest)
watch_market()
watch_user(rest, far_price)
use_socket_api(far_price)
