"""Conversion of parsed JSON to the records of `buttonwood.models`."""

from __future__ import annotations

import types
from collections.abc import Callable
from dataclasses import MISSING, fields, is_dataclass
from decimal import Decimal
from functools import cache
from typing import Any, Literal, TypeVar, Union, cast, get_args, get_origin, get_type_hints

from ._json import to_camel
from .errors import InvalidResponseError

Record = TypeVar("Record")


def decode(kind: type[Record], value: object) -> Record:
    """Converts parsed JSON to a type. Unknown fields are ignored, unknown texts are kept.

    Raises:
        InvalidResponseError: A field is missing, or has another type.
    """
    return cast("Record", _converter(cast("Any", kind))(value))


@cache
def _converter(kind: Any) -> Callable[[Any], Any]:
    origin = get_origin(kind)
    if origin in (Union, types.UnionType):
        return _union(get_args(kind))
    if origin is list:
        (part,) = get_args(kind)
        convert = _converter(part)
        return lambda value: [convert(each) for each in _expect(list, value)]
    if origin is tuple:
        converters = [_converter(part) for part in get_args(kind)]
        return lambda value: tuple(
            convert(each) for convert, each in zip(converters, _expect(list, value), strict=False)
        )
    if is_dataclass(kind):
        return _record(kind)
    if kind is Decimal:
        return _decimal
    if kind in (int, str, bool):
        return lambda value: _expect(kind, value)
    return lambda value: value


def _expect(kind: type[Any], value: Any) -> Any:
    if isinstance(value, kind) and not (kind is int and isinstance(value, bool)):
        return value
    raise InvalidResponseError(f"the response has {value!r} instead of a value of type {kind.__name__}")


def _decimal(value: Any) -> Decimal:
    if isinstance(value, Decimal):
        return value
    return Decimal(_expect(int, value))


def _record(kind: Any) -> Callable[[Any], Any]:
    hints = get_type_hints(kind)
    plan = [
        (each.name, to_camel(each.name), _converter(hints[each.name]), each.default is MISSING)
        for each in fields(kind)
    ]

    def convert(value: Any) -> Any:
        members = _expect(dict, value)
        values = {}
        for name, key, converter, is_needed in plan:
            if key in members:
                values[name] = converter(members[key])
            elif is_needed:
                raise InvalidResponseError(f"the response has no {key} in {kind.__name__}")
        return kind(**values)

    return convert


def _union(kinds: tuple[Any, ...]) -> Callable[[Any], Any]:
    records = [kind for kind in kinds if is_dataclass(kind)]
    others = [_converter(kind) for kind in kinds if kind is not type(None) and kind not in records]

    def convert(value: Any) -> Any:
        if value is None and type(None) in kinds:
            return None
        if isinstance(value, dict) and records:
            return _converter(_choose(records, value))(value)
        for converter in others:
            try:
                return converter(value)
            except InvalidResponseError:
                continue
        raise InvalidResponseError(f"the response has an unexpected {value!r}")

    return convert


def _choose(records: list[Any], members: dict[str, Any]) -> Any:
    """Returns the record whose constant fields have the values of the members."""
    for kind in records:
        constants = {
            to_camel(name): get_args(hint)
            for name, hint in get_type_hints(kind).items()
            if get_origin(hint) is Literal and len(get_args(hint)) == 1
        }
        if all(members.get(key) in values for key, values in constants.items()):
            return kind
    raise InvalidResponseError("the response has an object of an unknown kind")
