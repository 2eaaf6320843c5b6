"""Clients of the REST API."""

from __future__ import annotations

import asyncio
import contextlib
import ssl
import threading
import time
from collections.abc import Mapping
from types import TracebackType
from typing import TYPE_CHECKING, BinaryIO

import httpx

from . import models
from ._api.async_endpoints import AsyncEndpoints
from ._api.endpoints import Endpoints
from ._rest import Call, Options, Rest
from ._retry import DEFAULT_RETRIES
from ._signing import DEFAULT_RECV_WINDOW_MS
from ._types import DeadlineTime, Result, Route
from .errors import ButtonwoodError, ClientClosedError
from .streams import AsyncStreams, Streams
from .trading import AsyncTrading, Trading

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey


_REPORT_FILE = Route("GET", "/api/reports/{id}/file", models.Report)
_ANY_REPORT_FILE = Route("GET", "/api/admin/reports/{id}/file", models.Report)


class _BaseClient:
    def __init__(
        self,
        base_url: str,
        *,
        api_key: str | None = None,
        api_secret: str | None = None,
        private_key: str | bytes | Ed25519PrivateKey | None = None,
        recv_window_ms: int = DEFAULT_RECV_WINDOW_MS,
        account: str | None = None,
        timeout_seconds: float = 30.0,
        connect_timeout_seconds: float = 10.0,
        retries: int = DEFAULT_RETRIES,
        wait_to_place: bool = False,
        ssl_context: ssl.SSLContext | None = None,
    ) -> None:
        """
        Args:
            base_url: URL of the exchange, such as `http://127.0.0.1:3000`; may have a path.
            api_key: API key; market data needs none.
            api_secret: Secret of the key.
            private_key: Ed25519 key, in PEM or loaded, which signs requests instead of a secret.
            recv_window_ms: Time for which a signed request is accepted, from 100 to 60,000.
            account: The account that the key must belong to, such as the id of a sub-account. A wrong key
                is then rejected, and does nothing.
            timeout_seconds: Maximum time of an attempt, until its response is complete. `Client` checks
                it with each part of the body; each wait before, such as for the connection or for the
                first byte, is limited to it.
            connect_timeout_seconds: Maximum wait for the first connection of `streams()` and
                `trading()`. Later they reconnect as long as it takes.
            retries: Maximum retries of reads and of `place_order`.
            wait_to_place: Whether orders are retried after RATE_LIMIT_EXCEEDED and OVERLOADED, up to
                a minute later, when their price may be stale. By default the error is raised at
                once.
            ssl_context: Certificates to trust; by default those of the system's store.
        """
        self._options = Options(
            base_url=base_url,
            api_key=api_key,
            api_secret=api_secret,
            private_key=private_key,
            recv_window_ms=recv_window_ms,
            account=account,
            timeout_seconds=timeout_seconds,
            connect_timeout_seconds=connect_timeout_seconds,
            retries=retries,
            wait_to_place=wait_to_place,
            ssl_context=ssl_context,
        )
        self._rest = Rest(self._options)
        self._is_closed = False
        # A signal handler may close the client in the midst of a call.
        self._lock = threading.RLock()

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._options.base_url!r})"

    def _closed_during(self, error: RuntimeError) -> Exception:
        """Returns the error of a request during which the client was closed."""
        return self._rest.unreachable(error) if self._is_closed else error

    def _report_file(self, report_id: str, any_account: bool) -> tuple[Route[models.Report], Call]:
        route = _ANY_REPORT_FILE if any_account else _REPORT_FILE
        return route, self._rest.prepare(route, {"id": report_id}, None)

    def _request(self, http: httpx.Client | httpx.AsyncClient, call: Call) -> httpx.Request:
        headers = self._rest.headers(call)
        return http.build_request(call.method, call.url, headers=headers, content=call.body or None)


class Client(_BaseClient, Endpoints):
    """Client of the REST API, with one method per endpoint. Threads may share it.

    Reads are retried if there is no response, or if the exchange is overloaded or limits the rate.
    `place_order` is retried if there is no response: its `client_order_id`, generated if not given,
    makes sure that the order is placed once. No other request is retried.

    Every method raises ApiRequestError if the exchange rejects the request, UnreachableError if there
    is no response, NotSentError if the deadline has passed, ClientClosedError after `close`, TypeError
    for a float, and ValueError if a string given as a number is not one.
    """

    _http: httpx.Client | None = None

    def __enter__(self) -> Client:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Closes the connections. Calls then raise ClientClosedError."""
        with self._lock:
            self._is_closed = True
        if self._http is not None:
            self._http.close()

    def trading(self, *, cancel_on_disconnect: bool = False) -> Trading:
        """Opens a socket that trades with the credentials of this client. Close it after use."""
        return Trading(AsyncTrading(self._options, cancel_on_disconnect=cancel_on_disconnect))

    def streams(self) -> Streams:
        """Opens streams with the credentials of this client. Close them after use."""
        return Streams(AsyncStreams(self._options))

    def download_report(self, *, id: str, to: BinaryIO, any_account: bool = False) -> int:
        """Writes the file of a report to a binary file as it arrives, so that any size fits in memory.

        The report must be `done`. Its `bytes` and `sha256` are those of the file. Nothing is written if the
        exchange rejects the request. The download is not retried.

        Args:
            id: Report id.
            to: File to write to, open in binary mode.
            any_account: Whether an operator downloads a report of another account.

        Returns:
            The number of bytes.
        """
        route, call = self._report_file(id, any_account)
        http = self._open()
        size = 0
        try:
            with contextlib.closing(http.send(self._request(http, call), stream=True)) as response:
                if response.status_code != 200:
                    self._rest.read(route, response, response.read())
                for part in response.iter_bytes():
                    to.write(part)
                    size += len(part)
        except httpx.HTTPError as error:
            raise self._rest.unreachable(error) from error
        except RuntimeError as error:
            raise self._closed_during(error) from error
        return size

    def _call(
        self,
        route: Route[Result],
        parameters: Mapping[str, object],
        deadline: DeadlineTime | None = None,
    ) -> Result:
        call = self._rest.prepare(route, parameters, deadline)
        while True:
            try:
                return self._rest.read(route, *self._send(call))
            except ButtonwoodError as error:
                wait_seconds = call.retries.wait_after(error)
            time.sleep(wait_seconds)

    def _send(self, call: Call) -> tuple[httpx.Response, bytes]:
        http = self._open()
        request = self._request(http, call)
        parts = []
        end = time.monotonic() + self._options.timeout_seconds
        try:
            with contextlib.closing(http.send(request, stream=True)) as response:
                for part in response.iter_bytes():
                    parts.append(part)
                    if time.monotonic() > end:
                        raise httpx.ReadTimeout("the response is incomplete", request=request)
            return response, b"".join(parts)
        except httpx.HTTPError as error:
            raise self._rest.unreachable(error) from error
        except RuntimeError as error:
            raise self._closed_during(error) from error

    def _open(self) -> httpx.Client:
        with self._lock:
            if self._is_closed:
                raise ClientClosedError("the client was closed")
            if self._http is None:
                self._http = httpx.Client(timeout=self._options.timeout_seconds, **self._rest.http_options())
            return self._http


class AsyncClient(_BaseClient, AsyncEndpoints):
    """Client of the REST API for asyncio, with the methods, retries and errors of `Client`."""

    _http: httpx.AsyncClient | None = None

    async def __aenter__(self) -> AsyncClient:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Closes the connections. Calls then raise ClientClosedError."""
        self._is_closed = True
        if self._http is not None:
            await self._http.aclose()

    def trading(self, *, cancel_on_disconnect: bool = False) -> AsyncTrading:
        """Opens a socket that trades with the credentials of this client. Close it after use."""
        return AsyncTrading(self._options, cancel_on_disconnect=cancel_on_disconnect)

    def streams(self) -> AsyncStreams:
        """Opens streams with the credentials of this client. Close them after use."""
        return AsyncStreams(self._options)

    async def download_report(self, *, id: str, to: BinaryIO, any_account: bool = False) -> int:
        """Writes the file of a report to a binary file as it arrives: see `Client.download_report`."""
        route, call = self._report_file(id, any_account)
        http = self._open()
        limit = self._options.timeout_seconds
        size = 0
        try:
            response = await asyncio.wait_for(http.send(self._request(http, call), stream=True), limit)
            async with contextlib.aclosing(response):
                if response.status_code != 200:
                    self._rest.read(route, response, await asyncio.wait_for(response.aread(), limit))
                parts = response.aiter_bytes()
                while (part := await asyncio.wait_for(anext(parts, None), limit)) is not None:
                    to.write(part)
                    size += len(part)
        except (httpx.HTTPError, asyncio.TimeoutError) as error:
            raise self._rest.unreachable(error) from error
        except RuntimeError as error:
            raise self._closed_during(error) from error
        return size

    async def _call(
        self,
        route: Route[Result],
        parameters: Mapping[str, object],
        deadline: DeadlineTime | None = None,
    ) -> Result:
        call = self._rest.prepare(route, parameters, deadline)
        while True:
            try:
                return self._rest.read(route, *await self._send(call))
            except ButtonwoodError as error:
                wait_seconds = call.retries.wait_after(error)
            await asyncio.sleep(wait_seconds)

    async def _send(self, call: Call) -> tuple[httpx.Response, bytes]:
        http = self._open()
        request = self._request(http, call)
        try:
            response = await asyncio.wait_for(http.send(request), self._options.timeout_seconds)
        except (httpx.HTTPError, asyncio.TimeoutError) as error:
            raise self._rest.unreachable(error) from error
        except RuntimeError as error:
            raise self._closed_during(error) from error
        return response, response.content

    def _open(self) -> httpx.AsyncClient:
        if self._is_closed:
            raise ClientClosedError("the client was closed")
        if self._http is None:
            # The time of an attempt is limited as a whole.
            self._http = httpx.AsyncClient(timeout=None, **self._rest.http_options())
        return self._http
