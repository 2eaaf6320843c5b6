"""Places an order far below the market, lists it, amends it and cancels it.

npm start
python examples/quickstart.py [SYMBOL]
"""

from __future__ import annotations

import sys

from bot import connection

from buttonwood import Client


def main(symbol: str = "BTC/USDT") -> None:
    with Client(**connection()) as client:
        (market,) = client.get_markets(symbol=symbol).markets
        # Half the last price, as a multiple of the tick size.
        price = (market.last / 2) // market.tick_size * market.tick_size
        amount = (market.min_notional * 100 / price) // market.step_size * market.step_size
        order = client.place_order(symbol=symbol, side="buy", type="limit", amount=amount, price=price)
        print(f"placed {order.order_id}: {order.amount:f} at {order.price:f}, {order.status}")
        order = client.amend_order(id=order.order_id, price=price - market.tick_size)
        print(f"amended to {order.price:f}")
        print(f"open orders: {len(client.list_orders(symbol=symbol, status='open').orders)}")
        order = client.cancel_order(id=order.order_id)
        print(f"canceled: {order.status}")


if __name__ == "__main__":
    main(*sys.argv[1:])
