"""One authenticated connection to `/ws`."""

from __future__ import annotations

import asyncio
import logging
import ssl
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import quote

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidURI

from ._json import read_json, write_json
from ._rest import Options
from .errors import ApiRequestError, StreamClosedError, UnreachableError

CREDENTIALS_ENDED = 4001
"""WebSocket close code: the key was revoked or has expired."""
_PING_SECONDS = 10.0
_SEND_INTERVAL_SECONDS = 0.025
"""Minimum interval between messages: 40 per second, of 50 that the exchange accepts."""
_MAX_MESSAGE_BYTES = 16 * 1024 * 1024
_CLOSE_SECONDS = 1.0
_logger = logging.getLogger("buttonwood")


class _Connect(connect):
    def process_redirect(self, exc: Exception) -> Exception | str:
        # A redirect would send the credentials to another server.
        return exc


class Outbox:
    """Texts to send, in order. Those that are paced count against the exchange's limit of messages."""

    def __init__(self) -> None:
        self._queue: asyncio.Queue[tuple[str, bool]] = asyncio.Queue()

    def send(self, message: Mapping[str, object]) -> None:
        sent = {name: value for name, value in message.items() if value is not None}
        self._queue.put_nowait((write_json(sent, ()), True))

    def send_operation(self, text: str) -> None:
        """Sends an operation, which does not count against the limit of messages."""
        self._queue.put_nowait((text, False))

    async def drain_to(self, socket: ClientConnection) -> None:
        """Sends until the connection ends."""
        while True:
            text, is_paced = await self._queue.get()
            try:
                await socket.send(text)
            except ConnectionClosed:
                return
            if is_paced:
                await asyncio.sleep(_SEND_INTERVAL_SECONDS)


class SocketSettings:
    """Address and credentials of connections."""

    def __init__(self, options: Options) -> None:
        account = "" if options.account is None else f"?account={quote(options.account, safe='')}"
        self.url = f"{options.base_url.rstrip('/').replace('http', 'ws', 1)}/ws{account}"
        self.has_key = options.api_key is not None
        self._options = options
        self._signer = options.signer()
        self._tls = options.tls() if self.url.startswith("wss:") else None
        self._last_failure = "the server does not respond"

    def auth_message(self) -> dict[str, object]:
        """Returns the message that authenticates a connection: with a signature, else with a secret."""
        if self._signer is not None:
            return self._signer.auth_message()
        return {
            "op": "auth",
            "apiKey": self._options.api_key,
            "apiSecret": self._options.api_secret,
        }

    def report(self, failure: BaseException | str) -> None:
        """Logs why a connection failed or ended; another attempt follows."""
        self._last_failure = str(failure) or type(failure).__name__
        _logger.warning("%s: %s. Connecting again.", self.url, self._last_failure.rstrip("."))

    def not_connected(self) -> UnreachableError:
        """Returns the error of a first connection that has not come about in time."""
        seconds = self._options.connect_timeout_seconds
        return UnreachableError(self.url, f"no connection within {seconds:g} s: {self._last_failure}")

    async def run(
        self,
        outbox: Outbox,
        on_open: Callable[[], None],
        on_message: Callable[[dict[str, Any]], bool],
    ) -> None:
        """Connects, and handles messages until the connection ends, however it does, which is logged.

        Dead peers are detected by pings.

        Args:
            on_open: Called when the connection has opened.
            on_message: Handles a message; returns whether to keep the connection. Reports why not.

        Raises:
            StreamClosedError: The key has ended, or the certificate of the exchange is not trusted.
        """
        try:
            async with _Connect(
                self.url,
                ping_interval=_PING_SECONDS,
                ping_timeout=_PING_SECONDS,
                close_timeout=_CLOSE_SECONDS,
                max_size=_MAX_MESSAGE_BYTES,
                compression=None,
                ssl=self._tls,
            ) as socket:
                on_open()
                sender = asyncio.create_task(outbox.drain_to(socket))
                try:
                    async for text in socket:
                        if not on_message(read_json(text)):
                            return
                    self.report("the exchange closed the connection")
                finally:
                    sender.cancel()
                    await socket.close()
        except ConnectionClosed as error:
            if error.rcvd is not None and error.rcvd.code == CREDENTIALS_ENDED:
                raise StreamClosedError(error.rcvd.reason or "the key has ended") from error
            self.report(error)
        except InvalidURI as error:
            raise StreamClosedError(f"{self.url} is not the URL of an exchange") from error
        except ssl.SSLCertVerificationError as error:
            raise StreamClosedError(f"{self.url}: {error.verify_message}") from error
        # websockets 14 has no error of its own for a connection that ends during the handshake.
        except (OSError, EOFError, asyncio.TimeoutError, InvalidHandshake) as error:
            self.report(error)


def to_error(message: Mapping[str, Any]) -> ApiRequestError:
    """Returns the error in a message."""
    error = message["error"]
    details = error.get("details", {})
    seconds = message.get("retryAfter", details.get("retryAfter"))
    return ApiRequestError(
        0,
        error["code"],
        error["message"],
        details,
        None,
        None if seconds is None else float(seconds),
    )
