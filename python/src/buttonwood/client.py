"""Clients of the REST API."""

from __future__ import annotations

import asyncio
import ssl
import time
from collections.abc import Mapping
from types import TracebackType
from typing import TYPE_CHECKING

import httpx

from ._api.async_endpoints import AsyncEndpoints
from ._api.endpoints import Endpoints
from ._rest import Call, Options, Rest
from ._retry import DEFAULT_RETRIES
from ._signing import DEFAULT_RECV_WINDOW_MS
from ._types import DeadlineTime, Result, Route
from .errors import ButtonwoodError
from .streams import AsyncStreams, Streams
from .trading import AsyncTrading, Trading

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey


class _BaseClient:
    def __init__(
        self,
        base_url: str,
        *,
        api_key: str | None = None,
        api_secret: str | None = None,
        private_key: str | bytes | Ed25519PrivateKey | None = None,
        recv_window_ms: int = DEFAULT_RECV_WINDOW_MS,
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
            timeout_seconds: Maximum wait for a response.
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
            timeout_seconds=timeout_seconds,
            connect_timeout_seconds=connect_timeout_seconds,
            retries=retries,
            wait_to_place=wait_to_place,
            ssl_context=ssl_context,
        )
        self._rest = Rest(self._options)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._options.base_url!r})"

    def _request(self, http: httpx.Client | httpx.AsyncClient, call: Call) -> httpx.Request:
        headers = self._rest.headers(call)
        return http.build_request(call.method, call.url, headers=headers, content=call.body or None)


class Client(_BaseClient, Endpoints):
    """Client of the REST API, with one method per endpoint. Threads may share it.

    Reads are retried if there is no response, or if the exchange is overloaded or limits the rate.
    `place_order` is retried if there is no response: its `client_order_id`, generated if not given,
    makes sure that the order is placed once. No other request is retried.

    Every method raises ApiRequestError if the exchange rejects the request, UnreachableError if there
    is no response, NotSentError if the deadline has passed, TypeError for a float, and ValueError if a
    string given as a number is not one.
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
        """Closes the connections."""
        if self._http is not None:
            self._http.close()

    def trading(self, *, cancel_on_disconnect: bool = False) -> Trading:
        """Opens a socket that trades with the credentials of this client. Close it after use."""
        return Trading(AsyncTrading(self._options, cancel_on_disconnect=cancel_on_disconnect))

    def streams(self) -> Streams:
        """Opens streams with the credentials of this client. Close them after use."""
        return Streams(AsyncStreams(self._options))

    def _call(
        self,
        route: Route[Result],
        parameters: Mapping[str, object],
        deadline: DeadlineTime | None = None,
    ) -> Result:
        call = self._rest.prepare(route, parameters, deadline)
        if self._http is None:
            self._http = httpx.Client(**self._rest.http_options())
        while True:
            try:
                return self._rest.read(route, self._send(self._http, call))
            except ButtonwoodError as error:
                wait_seconds = call.retries.wait_after(error)
            time.sleep(wait_seconds)

    def _send(self, http: httpx.Client, call: Call) -> httpx.Response:
        try:
            return http.send(self._request(http, call))
        except httpx.HTTPError as error:
            raise self._rest.unreachable(error) from error


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
        """Closes the connections."""
        if self._http is not None:
            await self._http.aclose()

    def trading(self, *, cancel_on_disconnect: bool = False) -> AsyncTrading:
        """Opens a socket that trades with the credentials of this client. Close it after use."""
        return AsyncTrading(self._options, cancel_on_disconnect=cancel_on_disconnect)

    def streams(self) -> AsyncStreams:
        """Opens streams with the credentials of this client. Close them after use."""
        return AsyncStreams(self._options)

    async def _call(
        self,
        route: Route[Result],
        parameters: Mapping[str, object],
        deadline: DeadlineTime | None = None,
    ) -> Result:
        call = self._rest.prepare(route, parameters, deadline)
        if self._http is None:
            self._http = httpx.AsyncClient(**self._rest.http_options())
        while True:
            try:
                return self._rest.read(route, await self._send(self._http, call))
            except ButtonwoodError as error:
                wait_seconds = call.retries.wait_after(error)
            await asyncio.sleep(wait_seconds)

    async def _send(self, http: httpx.AsyncClient, call: Call) -> httpx.Response:
        try:
            return await http.send(self._request(http, call))
        except httpx.HTTPError as error:
            raise self._rest.unreachable(error) from error
