"""Trading over one authenticated socket."""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import Mapping
from types import TracebackType
from typing import Any

from ._api.async_operations import AsyncOperations
from ._api.operations import Operations
from ._api.routes import NUMBER_FIELDS
from ._decode import decode
from ._json import write_json
from ._portal import Portal
from ._rest import Options, with_client_order_id
from ._retry import Retries, backoff_seconds, is_transient
from ._socket import Outbox, SocketSettings, to_error
from ._times import RequestDeadline, read_deadline
from ._types import OMITTED, DeadlineTime, Result, Route
from .errors import (
    ApiRequestError,
    ButtonwoodError,
    InvalidResponseError,
    NotSentError,
    OutcomeUnknownError,
    StreamClosedError,
)

MAX_IN_FLIGHT = 1000
"""Maximum operations without a response that the exchange accepts from one connection."""
_SEND_TIMEOUT_SECONDS = 5.0
_BY_CLIENT_ORDER_ID = frozenset({"order.place", "order.oco"})
"""Operations that the exchange executes once for each client order id."""


class _Operation:
    """An operation without a response. It settles once; what comes later is ignored."""

    def __init__(self, name: str, params: str, deadline: RequestDeadline | None) -> None:
        self.name = name
        self.deadline = deadline
        self.params = params
        """JSON text of the parameters."""
        self.response: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._timer: asyncio.TimerHandle | None = None

    def message(self, operation_id: str) -> str:
        """Returns the message to send.

        Raises:
            NotSentError: The deadline has passed.
        """
        window = ""
        if self.deadline is not None:
            timestamp = time.time_ns() // 1_000_000
            window = f',"timestamp":{timestamp},"recvWindow":{self.deadline.recv_window(timestamp)}'
        return f'{{"op":"{self.name}","id":"{operation_id}"{window},"params":{self.params}}}'

    def limit(self, seconds: float, error: ButtonwoodError) -> None:
        """Fails after a time, which replaces an earlier limit."""
        self.stop_limit()
        self._timer = asyncio.get_running_loop().call_later(seconds, self.fail, error)

    def stop_limit(self) -> None:
        if self._timer is not None:
            self._timer.cancel()

    def succeed(self, data: object) -> None:
        if not self.response.done():
            self.response.set_result(data)

    def fail(self, error: ButtonwoodError) -> None:
        if not self.response.done():
            self.response.set_exception(error)


class AsyncTrading(AsyncOperations):
    """Trades over one authenticated socket, with the parameters and records of `AsyncClient`.

    Operations are sent at once, without waiting for the responses of earlier ones, and the exchange
    executes them in that order. If the connection ends before a response, reads and orders with a
    `client_order_id` are sent again after the reconnect: the exchange then answers with the order
    that it has. `place_order` generates a `client_order_id` if it has none. All other operations
    raise OutcomeUnknownError.

    Every method raises ApiRequestError if the exchange rejects the operation, NotSentError if there
    was no connection or the deadline has passed, OutcomeUnknownError if there was no response,
    StreamClosedError after the end of the socket or its key, TypeError for a float, and ValueError if
    a string given as a number is not one.
    """

    def __init__(
        self,
        options: Options,
        *,
        cancel_on_disconnect: bool = False,
        send_timeout_seconds: float = _SEND_TIMEOUT_SECONDS,
    ) -> None:
        """
        Args:
            cancel_on_disconnect: Whether the exchange cancels the open orders of a connection when it
                ends.
            send_timeout_seconds: Maximum time before an operation is sent, while there is no
                connection or too many are in flight.
        """
        self._options = options
        self._settings = SocketSettings(options)
        self._cancel_on_disconnect = cancel_on_disconnect
        self._send_timeout_seconds = send_timeout_seconds
        self._queue: OrderedDict[_Operation, None] = OrderedDict()
        """Operations that have not been sent, oldest first."""
        self._in_flight: dict[str, _Operation] = {}
        """By id. Operations whose caller no longer waits stay until the exchange responds."""
        self._outbox = Outbox()
        self._task: asyncio.Task[None] | None = None
        self._ready = asyncio.Event()
        """Set when connected, and at the end."""
        self._is_ready = False
        self._last_id = 0
        self._failures = 0
        self._retry_after_seconds = 0.0
        self._end: ButtonwoodError | None = None

    async def __aenter__(self) -> AsyncTrading:
        try:
            await self.when_connected()
        except BaseException:
            await self.close()
            raise
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()

    @property
    def is_connected(self) -> bool:
        """Whether an operation would be sent now."""
        return self._is_ready

    async def when_connected(self) -> None:
        """Connects, and returns once authenticated.

        Raises:
            ApiRequestError: The exchange rejects the credentials.
            StreamClosedError: The socket was closed, or its key has ended.
            UnreachableError: There was no connection within `connect_timeout_seconds`. Until it is
                closed, the socket continues to connect.
        """
        self._start()
        try:
            await asyncio.wait_for(self._ready.wait(), self._options.connect_timeout_seconds)
        except asyncio.TimeoutError:
            raise self._settings.not_connected() from None
        if self._end is not None:
            raise self._end

    async def close(self) -> None:
        """Closes the connection. Operations without a response fail."""
        self._finish(StreamClosedError("the socket was closed"))
        task, self._task = self._task, None
        if task is not None:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    async def _call(
        self,
        route: Route[Result],
        parameters: Mapping[str, object],
        deadline: DeadlineTime | None = None,
    ) -> Result:
        params = {name: value for name, value in parameters.items() if value is not OMITTED}
        # A query has no null.
        if route.method in ("GET", "DELETE"):
            params = {name: value for name, value in params.items() if value is not None}
        if "{id}" in route.path:
            params["orderId"] = params.pop("id")
        if route.operation == "order.place":
            params = with_client_order_id(params)
        has_id = route.operation in _BY_CLIENT_ORDER_ID and bool(params.get("clientOrderId"))
        retries = Retries(
            route.method,
            route.path,
            is_idempotent=route.method == "GET" or has_id,
            retries=self._options.retries,
            wait_to_place=self._options.wait_to_place,
        )
        text = write_json(params, NUMBER_FIELDS)
        limit = read_deadline(deadline, self._settings.url)
        while True:
            try:
                return decode(route.result, await self._request(route.operation, text, limit))
            except ButtonwoodError as error:
                wait_seconds = retries.wait_after(error)
            await asyncio.sleep(wait_seconds)

    async def _request(self, name: str, params: str, deadline: RequestDeadline | None) -> object:
        """Sends an operation as soon as possible, once, and returns `data` of the response."""
        self._start()
        operation = _Operation(name, params, deadline)
        # Raises now, also without a connection.
        operation.message("")
        self._queue[operation] = None
        operation.limit(self._send_timeout_seconds, self._not_sent())
        self._send_queued()
        try:
            return await operation.response
        finally:
            operation.stop_limit()
            self._queue.pop(operation, None)

    def _start(self) -> None:
        if self._end is not None:
            raise self._end
        if self._task is None:
            self._task = asyncio.create_task(self._run())

    async def _run(self) -> None:
        """Connects again and again, until the end."""
        try:
            while self._end is None:
                self._outbox = Outbox()
                await self._settings.run(self._outbox, self._opened, self._handle)
                self._disconnected()
                wait = max(backoff_seconds(self._failures), self._retry_after_seconds)
                self._failures += 1
                self._retry_after_seconds = 0.0
                await asyncio.sleep(wait)
        except ButtonwoodError as error:
            self._finish(error)
        except Exception as error:
            self._finish(InvalidResponseError(f"unexpected message: {error!r}"))

    def _opened(self) -> None:
        message = self._settings.auth_message()
        if self._cancel_on_disconnect:
            message["cancelOnDisconnect"] = True
        self._outbox.send(message)

    def _send_queued(self) -> None:
        if not self._is_ready:
            return
        timeout_seconds = self._options.timeout_seconds
        while self._queue and len(self._in_flight) < MAX_IN_FLIGHT:
            operation, _ = self._queue.popitem(last=False)
            if operation.response.done():
                continue
            operation_id = str(self._last_id + 1)
            try:
                text = operation.message(operation_id)
            except NotSentError as error:
                operation.fail(error)
                continue
            self._last_id += 1
            self._in_flight[operation_id] = operation
            self._outbox.send_operation(text)
            reason = f"there was no response within {timeout_seconds:g} s"
            operation.limit(timeout_seconds, self._outcome_unknown(reason))

    def _handle(self, message: dict[str, Any]) -> bool:
        operation = self._in_flight.pop(str(message.get("id")), None)
        if operation is not None:
            if message.get("success") is True:
                operation.succeed(message.get("data"))
            else:
                operation.fail(to_error(message))
            self._send_queued()
        elif message.get("op") == "authenticated":
            self._is_ready = True
            self._failures = 0
            self._ready.set()
            self._send_queued()
        elif message.get("op") == "error":
            return self._handle_error(to_error(message))
        return True

    def _handle_error(self, error: ApiRequestError) -> bool:
        """Handles an error that is no response; returns whether to keep the connection."""
        if is_transient(error.code) or error.code == "INTERNAL_ERROR":
            self._retry_after_seconds = error.retry_after_seconds or 0.0
            self._settings.report(error)
            return False
        if not self._is_ready:
            raise error
        if len(self._in_flight) == 1:
            # A message that the exchange cannot read has no id for it.
            _, operation = self._in_flight.popitem()
            operation.fail(error)
        return True

    def _disconnected(self) -> None:
        self._is_ready = False
        self._ready.clear()
        self._fail_in_flight("the connection ended before the response")

    def _finish(self, error: ButtonwoodError) -> None:
        if self._end is not None:
            return
        self._end = error
        self._is_ready = False
        self._fail_in_flight("the socket was closed before the response")
        for operation in self._queue:
            operation.fail(error)
        self._ready.set()

    def _fail_in_flight(self, reason: str) -> None:
        for operation in self._in_flight.values():
            operation.fail(self._outcome_unknown(reason))
        self._in_flight.clear()

    def _outcome_unknown(self, reason: str) -> OutcomeUnknownError:
        advice = "The operation may have taken effect: check before you send it again."
        return OutcomeUnknownError(self._settings.url, f"{reason}. {advice}")

    def _not_sent(self) -> NotSentError:
        reason = (
            f"{MAX_IN_FLIGHT} operations are in flight"
            if self._is_ready
            else "there is no connection to the exchange"
        )
        text = f"not sent within {self._send_timeout_seconds:g} s, because {reason}."
        return NotSentError(self._settings.url, text)


class Trading(Operations):
    """`AsyncTrading` for programs without asyncio. Threads may share it; a thread handles its socket."""

    def __init__(self, trading: AsyncTrading) -> None:
        self._trading = trading
        self._portal = Portal()

    def __enter__(self) -> Trading:
        try:
            self.when_connected()
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    @property
    def is_connected(self) -> bool:
        """Whether an operation would be sent now."""
        return self._trading.is_connected

    def when_connected(self) -> None:
        """Connects, and returns once authenticated.

        Raises:
            ApiRequestError: The exchange rejects the credentials.
            StreamClosedError: The socket was closed, or its key has ended.
            UnreachableError: There was no connection within `connect_timeout_seconds`. Until it is
                closed, the socket continues to connect.
        """
        self._portal.call(self._trading.when_connected())

    def close(self) -> None:
        """Closes the connection. Operations without a response fail."""
        self._portal.finish(self._trading.close())

    def _call(
        self,
        route: Route[Result],
        parameters: Mapping[str, object],
        deadline: DeadlineTime | None = None,
    ) -> Result:
        return self._portal.call(self._trading._call(route, parameters, deadline))
