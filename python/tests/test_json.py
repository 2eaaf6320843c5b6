"""Numbers keep their digits in both directions."""

from __future__ import annotations

import json
import random
from dataclasses import dataclass
from datetime import datetime, timezone
from decimal import Decimal

import pytest

from buttonwood import OMITTED
from buttonwood._decode import decode
from buttonwood._json import read_json, to_camel, write_json
from buttonwood.errors import InvalidResponseError
from buttonwood.models import (
    Balance,
    OrderList,
    PlaceOrderAttached,
    PlaceOrderAttachedStopLoss,
    PlaceOrdersData,
)

SEED = random.SystemRandom().randrange(2**32)


def random_digits(source: random.Random) -> str:
    whole = str(source.randrange(10 ** source.randrange(1, 30)))
    fraction = "".join(source.choices("0123456789", k=source.randrange(0, 30)))
    return f"{source.choice(['', '-'])}{whole}{'.' if fraction else ''}{fraction}"


def test_numbers_of_any_length_survive_a_round_trip() -> None:
    source = random.Random(SEED)
    for _ in range(2000):
        digits = random_digits(source)
        for value in (digits, Decimal(digits)):
            text = write_json({"amount": value}, {"amount"})
            assert text == f'{{"amount":{digits}}}', f"seed {SEED}"
            assert Decimal(read_json(text)["amount"]) == Decimal(digits), f"seed {SEED}"


def test_texts_and_structures_equal_those_of_the_json_module() -> None:
    value = {"a": ['"\\\n\u0000é😀', True, None, {"b": []}], "n": 10**40, "": ""}
    assert json.loads(write_json(value, ())) == value


@pytest.mark.parametrize("text", ["", "1.", ".5", "1e", "0x1", "NaN", "1 ", "\u0661", "01", "--1", '1,"x":2'])
def test_a_text_that_is_no_number_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="amount"):
        write_json({"amount": text}, {"amount"})


@pytest.mark.parametrize("text", ["NaN", "Infinity", "-Infinity"])
def test_numbers_that_are_not_finite_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match="amount"):
        write_json({"amount": Decimal(text)}, {"amount"})
    with pytest.raises(ValueError, match="not JSON"):
        read_json(text)


def test_a_float_is_refused() -> None:
    with pytest.raises(TypeError, match=r"amount is the float 0\.1"):
        write_json({"orders": [{"amount": 0.1}]}, {"amount"})


@pytest.mark.parametrize("wrong", [True, False, datetime(2026, 1, 5, tzinfo=timezone.utc)])
def test_what_is_no_number_is_refused(wrong: object) -> None:
    with pytest.raises(TypeError, match="amount is"):
        write_json({"orders": [{"amount": wrong}]}, {"amount"})
    assert write_json({"post": True}, {"amount"}) == '{"post":true}'


def test_small_numbers_have_no_exponent() -> None:
    assert write_json({"amount": Decimal("1E-8")}, ()) == '{"amount":0.00000001}'


def test_dataclasses_become_camel_case_without_omitted_fields() -> None:
    attached = PlaceOrderAttached(stop_loss=PlaceOrderAttachedStopLoss(trigger_price="100.50", price=None))
    text = write_json({"attached": attached, "left": OMITTED}, {"triggerPrice", "price"})
    assert text == '{"attached":{"stopLoss":{"price":null,"triggerPrice":100.50}}}'
    assert to_camel("get_level3") == "getLevel3"
    assert to_camel("from_") == "from"


def test_amounts_are_decimals_however_they_are_written() -> None:
    text = '{"asset":"BTC","total":2,"available":0.1,"held":123456789012345678901234567890}'
    balance = decode(Balance, read_json(text))
    assert balance.total == 2
    assert isinstance(balance.total, Decimal)
    assert str(balance.available) == "0.1"
    assert str(balance.held) == "123456789012345678901234567890"


def test_unknown_fields_are_ignored_and_missing_ones_reported() -> None:
    text = '{"asset":"BTC","total":2,"available":1,"held":1,"new":{}}'
    assert decode(Balance, read_json(text)).asset == "BTC"
    with pytest.raises(InvalidResponseError, match="held in Balance"):
        decode(Balance, {"asset": "BTC", "total": 1, "available": 1})
    for wrong in ('"2"', "null", "true", "[]"):
        text = f'{{"asset":"BTC","total":{wrong},"available":1,"held":1}}'
        with pytest.raises(InvalidResponseError):
            decode(Balance, read_json(text))
    with pytest.raises(InvalidResponseError):
        decode(OrderList, {"orders": {}})


def test_variants_are_told_apart_by_their_constants() -> None:
    error = {"code": "NEW_CODE", "message": "m", "details": {"price": Decimal("1.5")}}
    result = decode(PlaceOrdersData, {"results": [{"success": False, "error": error}]})
    (failure,) = result.results
    assert failure.success is False
    assert str(failure.error.code) == "NEW_CODE"
    assert failure.error.details == {"price": Decimal("1.5")}
    with pytest.raises(InvalidResponseError, match="unknown kind"):
        decode(PlaceOrdersData, {"results": [{"success": 2}]})


@dataclass(frozen=True, kw_only=True, slots=True)
class Mixed:
    value: str | int | None = None


def test_a_union_of_scalars_takes_each_and_nothing_else() -> None:
    assert [decode(Mixed, {"value": each}).value for each in ("a", 1, None)] == ["a", 1, None]
    with pytest.raises(InvalidResponseError, match="unexpected"):
        decode(Mixed, {"value": []})
