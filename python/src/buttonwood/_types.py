"""Types that requests share."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from enum import Enum
from typing import Generic, TypeAlias, TypeVar

Result = TypeVar("Result")

Number: TypeAlias = Decimal | int | str
"""An exact number. A string is sent as the number with the same digits; a float is rejected."""

Time: TypeAlias = datetime | int | str
"""An aware datetime, milliseconds since 1970, or an ISO 8601 text with a zone."""

DeadlineTime: TypeAlias = datetime | int
"""An aware datetime, or milliseconds since 1970."""


class Omitted(Enum):
    """The type of `OMITTED`."""

    OMITTED = "omitted"


OMITTED = Omitted.OMITTED
"""The default of parameters that are not sent, unlike `None`, which is sent as `null`."""


@dataclass(frozen=True)
class Route(Generic[Result]):
    """An endpoint."""

    method: str
    path: str
    """Path with its parameters, such as `/api/orders/{id}`."""
    result: type[Result]
    query: tuple[str, ...] = ()
    """Query parameters of requests with a body; without a body all parameters are."""
    operation: str = ""
    """Operation of `/ws` with the same effect, if there is one."""
