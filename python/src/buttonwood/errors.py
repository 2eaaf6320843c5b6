"""Errors that the package raises."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


class ButtonwoodError(Exception):
    """Base class of all errors."""


class ApiRequestError(ButtonwoodError):
    """The exchange answered a request with an error."""

    def __init__(
        self,
        status: int,
        code: str,
        message: str,
        details: Mapping[str, Any],
        request_id: str | None = None,
        retry_after_seconds: float | None = None,
    ) -> None:
        super().__init__(f"{message} ({code})")
        self.status = status
        """HTTP status; 0 on a stream."""
        self.code = code
        """One of `buttonwood.models.ErrorCode`; new releases may add codes."""
        self.message = message
        self.details = details
        self.request_id = request_id
        """Id of the request in the operator's logs."""
        self.retry_after_seconds = retry_after_seconds
        """Seconds to wait before a retry, if the exchange sent them."""

    def __reduce__(self) -> tuple[Any, ...]:
        arguments = (
            self.status,
            self.code,
            self.message,
            self.details,
            self.request_id,
            self.retry_after_seconds,
        )
        return type(self), arguments


class InvalidResponseError(ButtonwoodError):
    """A response has another form than this release of the package expects. Upgrade it."""


class ApprovalRequiredError(ButtonwoodError):
    """The exchange has not carried out the request: an operator of another account must approve it first."""

    def __init__(self, approval: dict[str, Any]) -> None:
        super().__init__(f"waits for the approval of another operator: request {approval.get('id')}")
        self.approval = approval

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.approval,)


class UnreachableError(ButtonwoodError):
    """There was no response, or no first connection of a socket. Whether a request took effect is unknown,
    unless it is a NotSentError."""

    def __init__(self, url: str, reason: str) -> None:
        super().__init__(f"{url}: {reason}")
        self.url = url
        self._reason = reason

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.url, self._reason)


class OutcomeUnknownError(UnreachableError):
    """An operation was sent over a socket that ended before the response, or did not respond in time."""


class NotSentError(UnreachableError):
    """A request was not sent, because its deadline had passed or a socket had no connection in time. It has
    not taken effect."""


class ClientClosedError(ButtonwoodError):
    """The client was closed before the request. It was not sent."""


class StreamClosedError(ButtonwoodError):
    """A socket has ended permanently: it was closed, or its key has ended."""


class OutOfSyncError(ButtonwoodError):
    """A message does not follow the last one of an order book, or its checksum differs."""
