"""Prints the balances of an account and their value at the last prices.

An asset is valued by its market with the chosen currency, or by two markets with a common asset, such as
SOL/USDT and BTC/USDT. Values are exact, because they are fractions until they are printed.

    npm start
    python examples/portfolio.py [CURRENCY]
"""

from __future__ import annotations

import sys
from collections import defaultdict
from fractions import Fraction

from bot import connection

from buttonwood import Client

DECIMALS = 22
Rates = dict[str, dict[str, Fraction]]


def find_rate(rates: Rates, asset: str, currency: str) -> Fraction | None:
    """Returns the price of an asset in a currency, None if no markets lead there."""
    if asset == currency:
        return Fraction(1)
    direct = rates[asset].get(currency)
    if direct is not None:
        return direct
    for between, rate in rates[asset].items():
        second = rates[between].get(currency)
        if second is not None:
            return rate * second
    return None


def to_text(value: Fraction) -> str:
    """Returns a decimal, cut off after 22 places."""
    whole, fraction = divmod(int(value * 10**DECIMALS), 10**DECIMALS)
    return f"{whole}.{fraction:0{DECIMALS}}".rstrip("0").rstrip(".")


def main(currency: str = "USDT") -> None:
    with Client(**connection()) as client:
        balances = client.get_balances().balances
        prices = client.get_prices().prices
    rates: Rates = defaultdict(dict)
    for each in prices:
        base, quote = each.symbol.split("/")
        rates[base][quote] = Fraction(each.price)
        rates[quote][base] = 1 / Fraction(each.price)
    if currency not in rates:
        sys.exit(f"No market has {currency}. Use one of {', '.join(sorted(rates))}.")
    rows = [["ASSET", "TOTAL", "AVAILABLE", "HELD", f"PRICE ({currency})", f"VALUE ({currency})"]]
    total = Fraction(0)
    unpriced = []
    for balance in balances:
        amounts = [f"{each:f}" for each in (balance.total, balance.available, balance.held)]
        rate = find_rate(rates, balance.asset, currency)
        if rate is None:
            unpriced.append(balance.asset)
            rows.append([balance.asset, *amounts, "no price", ""])
            continue
        value = Fraction(balance.total) * rate
        total += value
        rows.append([balance.asset, *amounts, to_text(rate), to_text(value)])
    rows.append(["", "", "", "", "total", to_text(total)])
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for row in rows:
        print("  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)))
    if unpriced:
        print(f"Not included, because no market has a price in {currency}: {', '.join(unpriced)}.")


if __name__ == "__main__":
    main(*sys.argv[1:])
