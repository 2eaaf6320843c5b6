"""freqtrade: lists markets, downloads data, tests a strategy on it, and trades live with a stop-loss on the exchange."""

import json
import re
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import ccxt
import ccxt.pro
from bot import API_KEY, API_SECRET, check, done, replace_urls, same

PAIR = "BTC/USDT"
LIMIT_S = 120
STRATEGY = '''
from datetime import timedelta
from freqtrade.strategy import IStrategy


class Always(IStrategy):
    """Buys at once, and sells after a while."""

    timeframe = "1m"
    can_short = False
    minimal_roi = {"0": 10}
    stoploss = -0.05
    startup_candle_count = 5
    process_only_new_candles = False
    order_types = {
        "entry": "market",
        "exit": "market",
        "stoploss": "limit",
        "stoploss_on_exchange": True,
        "stoploss_on_exchange_interval": 5,
    }

    def populate_indicators(self, dataframe, metadata):
        return dataframe

    def populate_entry_trend(self, dataframe, metadata):
        dataframe["enter_long"] = 1
        return dataframe

    def populate_exit_trend(self, dataframe, metadata):
        return dataframe

    def custom_exit(self, pair, trade, current_time, current_rate, current_profit, **kwargs):
        if current_time - trade.open_date_utc > timedelta(seconds=10):
            return "held long enough"
        return None
'''

folder = Path.cwd() / "freqtrade"
(folder / "strategies").mkdir(parents=True)
(folder / "strategies" / "always.py").write_text(STRATEGY)
exchange = ccxt.pro.binance({"apiKey": API_KEY, "secret": API_SECRET})
urls = replace_urls(exchange.urls["api"])
config: dict[str, Any] = {
    "dry_run": False,
    "dry_run_wallet": 100_000,
    "trading_mode": "spot",
    "stake_currency": "USDT",
    "stake_amount": 1000,
    "max_open_trades": 1,
    "db_url": f"sqlite:///{folder}/trades.sqlite",
    "user_data_dir": str(folder),
    "strategy": "Always",
    "dataformat_ohlcv": "json",
    "dataformat_trades": "json",
    "entry_pricing": {"price_side": "other", "use_order_book": True, "order_book_top": 1},
    "exit_pricing": {"price_side": "other", "use_order_book": True, "order_book_top": 1},
    "pairlists": [{"method": "StaticPairList"}],
    "exchange": {
        "name": "binance",
        "key": API_KEY,
        "secret": API_SECRET,
        "pair_whitelist": [PAIR],
        # Else it would download candles of Binance itself.
        "only_from_ccxt": True,
        "ccxt_config": {"urls": {"api": urls}},
    },
    "internals": {"process_throttle_secs": 1},
    "initial_state": "running",
}
path = folder / "config.json"
path.write_text(json.dumps(config))


def command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "freqtrade", *arguments, "--config", str(path)]


def run(*arguments: str) -> str:
    result = subprocess.run(command(*arguments), capture_output=True, text=True, timeout=LIMIT_S)
    check(result.returncode == 0, result.stdout, result.stderr)
    return result.stdout + result.stderr


listed = run("list-markets", "--print-json")
check('["BTC/USDT","ETH/BTC","ETH/USDT","SOL/USDT"]' in listed.replace(" ", ""), listed)
done("list-markets")

run("download-data", "--days", "2", "--timeframes", "1m", "1h")
for timeframe, width, count in (("1m", 60_000, 1440), ("1h", 3_600_000, 24)):
    candles = json.loads((folder / "data" / "binance" / f"BTC_USDT-{timeframe}.json").read_text())
    starts = [candle[0] for candle in candles]
    check(len(candles) >= count, timeframe, len(candles))
    same(starts, list(range(starts[0], starts[0] + width * len(starts), width)))
    check(all(low <= min(o, c) <= max(o, c) <= high for _, o, high, low, c, _ in candles))
done("download-data")

tested = run("backtesting", "--cache", "none", "--stake-amount", "1000")
trades = re.search(r"Total/Daily Avg Trades\s*[│|]\s*(\d+)", tested)
check(trades is not None and int(trades.group(1)) > 100, tested)
done("backtesting")


def read_trades() -> list[sqlite3.Row]:
    database = sqlite3.connect(f"file:{folder}/trades.sqlite?mode=ro", uri=True)
    database.row_factory = sqlite3.Row
    try:
        return database.execute("select * from trades order by id").fetchall()
    finally:
        database.close()


def read_orders() -> list[sqlite3.Row]:
    database = sqlite3.connect(f"file:{folder}/trades.sqlite?mode=ro", uri=True)
    database.row_factory = sqlite3.Row
    try:
        return database.execute("select * from orders order by id").fetchall()
    finally:
        database.close()


def wait_for(condition: Any) -> Any:
    until = time.monotonic() + LIMIT_S
    while time.monotonic() < until:
        check(live.poll() is None, log.read_text())
        try:
            found = condition()
        except sqlite3.OperationalError:
            found = None
        if found:
            return found
        time.sleep(0.2)
    raise AssertionError(log.read_text())


log = folder / "log.txt"
with log.open("w") as output:
    live = subprocess.Popen(command("trade"), stdout=output, stderr=output)
try:
    bot = ccxt.binance({"apiKey": API_KEY, "secret": API_SECRET})
    bot.urls["api"] = replace_urls(bot.urls["api"])
    # Its stop-loss is an order of the exchange while the position is open.
    opened = wait_for(lambda: bot.fetch_open_orders(PAIR))
    same([opened[0]["side"], opened[0]["info"]["type"]], ["sell", "STOP_LOSS_LIMIT"])
    trade = wait_for(read_trades)[0]
    check(abs(opened[0]["triggerPrice"] / trade["open_rate"] - 0.95) < 0.001, opened)
    done("stop-loss on the exchange")
    # It cancels the stop-loss, sells, and buys again.
    closed = wait_for(lambda: [each for each in read_trades() if not each["is_open"]])[0]
    same(closed["exit_reason"], "held long enough")
    sides = [(order["ft_order_side"], order["status"]) for order in read_orders()]
    check(("stoploss", "canceled") in sides and ("sell", "closed") in sides, sides)
    check(closed["close_rate"] > 0 and closed["fee_close_currency"] == "USDT", dict(closed))
    wait_for(lambda: len(read_trades()) > 1)
    done("live trading")
finally:
    live.send_signal(signal.SIGINT)
    try:
        live.wait(20)
    except subprocess.TimeoutExpired:
        live.kill()
problems = [line for line in log.read_text().splitlines() if re.search(r"ERROR|Traceback", line)]
same(problems, [])
done("no errors in its log")
