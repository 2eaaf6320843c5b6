"""Rules of retries, without waiting or sending anything."""

from __future__ import annotations

import random

from .errors import ApiRequestError, ButtonwoodError, NotSentError, UnreachableError

DEFAULT_RETRIES = 3
_PLACEMENTS = frozenset({"/api/orders", "/api/orders/batch", "/api/orders/oco"})
_TRANSIENT_CODES = frozenset({"OUTCOME_UNKNOWN", "OVERLOADED", "RATE_LIMIT_EXCEEDED", "STALE"})
_CREDENTIAL_CODES = frozenset({"UNAUTHORIZED", "INSUFFICIENT_PERMISSIONS", "IP_NOT_ALLOWED"})
"""Errors of the credentials, which are checked before a request takes effect."""
_PASSED_DEADLINE = "recvWindow"
"""Rule of the error for a request after its receive window, which is checked before it takes effect."""
_MIN_BACKOFF_SECONDS = 0.25
_MAX_RECONNECT_SECONDS = 30.0
_MAX_WAIT_SECONDS = 60.0
"""Length of a rate-limit window. Instead of waiting longer, the client raises the error."""


def is_transient(code: str) -> bool:
    """Whether an error code is transient."""
    return code in _TRANSIENT_CODES


def backoff_seconds(failures: int) -> float:
    """Returns the wait before another attempt to connect. `failures` are those since a success."""
    wait = min(_MIN_BACKOFF_SECONDS * 2.0 ** min(failures, 16), _MAX_RECONNECT_SECONDS)
    return wait * random.uniform(0.5, 1)


class Retries:
    """The attempts of one request."""

    def __init__(
        self, method: str, path: str, *, is_idempotent: bool, retries: int, wait_to_place: bool
    ) -> None:
        """
        Args:
            is_idempotent: Whether the request has the same effect when sent twice.
            retries: Maximum retries.
            wait_to_place: Whether orders wait for a rate limit or the end of an overload.
        """
        waits = method == "GET" or (wait_to_place and method == "POST" and path in _PLACEMENTS)
        self._after_no_response = retries if is_idempotent else 0
        self._after_rejection = retries if waits else 0
        self._failures = 0
        self._unknown: ButtonwoodError | None = None

    def wait_after(self, error: ButtonwoodError) -> float:
        """Returns the seconds to wait before the next attempt.

        Raises:
            ButtonwoodError: The error, if there is no further attempt. If an earlier attempt may
                have taken effect and the error does not settle it, the error of that attempt.
        """
        wait = self._wait(error)
        if wait is None:
            raise error if _is_decision(error) else self._unknown or error
        is_unknown = not isinstance(error, ApiRequestError) or error.code == "OUTCOME_UNKNOWN"
        if is_unknown:
            self._unknown = error
        limit = self._after_no_response if is_unknown else self._after_rejection
        if self._failures >= limit or wait > _MAX_WAIT_SECONDS:
            raise self._unknown or error
        self._failures += 1
        return wait

    def _wait(self, error: ButtonwoodError) -> float | None:
        """Returns the wait before the next attempt; None if the error is permanent."""
        backoff = _MIN_BACKOFF_SECONDS * 2.0**self._failures * random.uniform(0.5, 1)
        # It has waited for a connection already, and the price of an order may be stale.
        if isinstance(error, NotSentError):
            return None
        if isinstance(error, UnreachableError):
            return backoff
        if not isinstance(error, ApiRequestError) or not is_transient(error.code):
            return None
        return backoff if error.retry_after_seconds is None else error.retry_after_seconds


def _is_decision(error: ButtonwoodError) -> bool:
    """Whether the exchange has decided about the request, so that no earlier attempt took effect."""
    return (
        isinstance(error, ApiRequestError)
        and error.code not in _CREDENTIAL_CODES
        and error.details.get("rule") != _PASSED_DEADLINE
    )
