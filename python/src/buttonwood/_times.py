"""Times of requests, and deadlines of orders."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta, timezone

from ._types import DeadlineTime
from .errors import NotSentError

_MAX_WINDOW_MS = 60_000
_EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)


@dataclass(frozen=True)
class RequestDeadline:
    """The time after which the orders of a request are not executed."""

    time_ms: int
    """Milliseconds since 1970."""
    url: str
    """Address of the exchange, for the error."""

    def recv_window(self, timestamp_ms: int) -> int:
        """Returns the receive window of an attempt with this timestamp, 1 to 60,000 ms.

        Raises:
            NotSentError: The deadline has passed.
        """
        window = min(_MAX_WINDOW_MS, self.time_ms - timestamp_ms)
        if window < 1:
            raise NotSentError(self.url, "The deadline of the request has passed. It was not sent.")
        return window


def read_deadline(deadline: DeadlineTime | None, url: str) -> RequestDeadline | None:
    """Returns the deadline of a request, rounded down to milliseconds.

    Raises:
        TypeError: It is neither a datetime nor an int.
        ValueError: The datetime has no time zone.
    """
    if deadline is None:
        return None
    if isinstance(deadline, datetime):
        return RequestDeadline((_aware(deadline) - _EPOCH) // timedelta(milliseconds=1), url)
    if isinstance(deadline, bool) or not isinstance(deadline, int):
        raise TypeError(
            f"deadline is {deadline!r}. Pass an aware datetime, or milliseconds since 1970 as an int."
        )
    return RequestDeadline(deadline, url)


def time_text(time: datetime) -> str:
    """Returns a time as the exchange writes it, in UTC and rounded down to milliseconds.

    Raises:
        ValueError: The datetime has no time zone.
    """
    utc = _aware(time).astimezone(timezone.utc).replace(tzinfo=None)
    return f"{utc.isoformat(timespec='milliseconds')}Z"


def _aware(time: datetime) -> datetime:
    if time.utcoffset() is None:
        raise ValueError(f"{time!r} has no time zone. Pass one that has, such as datetime.now(timezone.utc).")
    return time
