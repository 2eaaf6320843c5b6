"""JSON in which numbers keep their digits: they are never converted to floats."""

from __future__ import annotations

import json
import re
from collections.abc import Collection
from dataclasses import fields, is_dataclass
from datetime import datetime
from decimal import Decimal
from functools import cache
from typing import Any, NoReturn

from ._times import time_text
from ._types import OMITTED

_NUMBER = re.compile(r"-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?", re.ASCII)


def _reject_constant(text: str) -> NoReturn:
    raise ValueError(f"{text} is not JSON")


def read_json(text: str | bytes) -> Any:
    """Parses JSON; numbers with a fraction or an exponent are `Decimal`, others `int`.

    Raises:
        ValueError: The text is not JSON.
    """
    return json.loads(text, parse_float=Decimal, parse_constant=_reject_constant)


def write_json(value: object, number_fields: Collection[str], name: str = "") -> str:
    """Writes JSON in which strings in number fields become numbers with the same digits.

    Args:
        value: A value of dictionaries, sequences and dataclasses. The fields of dataclasses are
            converted to camel case; omitted values are left out.
        number_fields: Names of fields that are numbers.
        name: Name of the field that has the value.

    Raises:
        TypeError: A number is a float or a bool, or a value has no form in JSON.
        ValueError: A string in a number field is not a number, a number is not finite, or a datetime
            has no time zone.
    """
    if isinstance(value, (bool, datetime)) and name in number_fields:
        raise TypeError(f"{name} is {value!r}, which is not a number.")
    if value is None or isinstance(value, bool):
        return json.dumps(value)
    if isinstance(value, int):
        return str(int(value))
    if isinstance(value, str):
        return _number_text(name, value) if name in number_fields else json.dumps(value)
    if isinstance(value, datetime):
        return json.dumps(time_text(value))
    if isinstance(value, Decimal):
        return _number_text(name, decimal_text(value))
    if isinstance(value, float):
        raise TypeError(f"{name} is the float {value!r}, which is not exact. Pass a string or a Decimal.")
    if is_dataclass(value) and not isinstance(value, type):
        names = _field_names(type(value))
        value = {camel: getattr(value, snake) for snake, camel in names}
    if isinstance(value, dict):
        items = value.items()
        members = (
            f"{json.dumps(str(key))}:{write_json(each, number_fields, str(key))}"
            for key, each in items
            if each is not OMITTED
        )
        return "{" + ",".join(members) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ",".join(write_json(each, number_fields, name) for each in value) + "]"
    raise TypeError(f"{name} is {value!r}, which cannot be sent.")


def decimal_text(value: Decimal) -> str:
    """Returns the digits without an exponent, such as `0.00000001`."""
    return format(value, "f")


def to_camel(name: str) -> str:
    """Converts a name to that of the API: `order_id` to `orderId`."""
    first, *rest = name.split("_")
    return first + "".join(part[:1].upper() + part[1:] for part in rest)


@cache
def _field_names(kind: Any) -> tuple[tuple[str, str], ...]:
    return tuple((field.name, to_camel(field.name)) for field in fields(kind))


def _number_text(name: str, text: str) -> str:
    if _NUMBER.fullmatch(text) is None:
        raise ValueError(f'{name} is "{text}", which is not a number such as 0.015.')
    return text
