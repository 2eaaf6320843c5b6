"""Signatures of requests with an Ed25519 key (docs/trading/signing.md of the exchange)."""

from __future__ import annotations

import base64
import threading
import time
from typing import TYPE_CHECKING

from ._times import RequestDeadline

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

DEFAULT_RECV_WINDOW_MS = 5000


class Signer:
    """Signs requests, and the `auth` messages of streams."""

    def __init__(
        self, api_key: str, private_key: str | bytes | Ed25519PrivateKey, recv_window_ms: int
    ) -> None:
        self._api_key = api_key
        self._key = load_key(private_key) if isinstance(private_key, (str, bytes)) else private_key
        self._recv_window_ms = recv_window_ms
        self._lock = threading.Lock()
        self._last_ms = 0
        self._same_ms = 0

    def headers(
        self, method: str, target: str, body: bytes, deadline: RequestDeadline | None
    ) -> dict[str, str]:
        """Returns the headers of a request.

        Args:
            target: Path and query as sent.
            deadline: End of the receive window, in place of that of the options.

        Raises:
            NotSentError: The deadline has passed.
        """
        timestamp, window, signature = self._sign(method, target, body, deadline)
        return {
            "X-API-Timestamp": str(timestamp),
            "X-API-Recv-Window": str(window),
            "X-API-Signature": signature,
        }

    def auth_message(self) -> dict[str, object]:
        """Returns the message that authenticates a connection."""
        timestamp, window, signature = self._sign("AUTH", "/ws", b"", None)
        return {
            "op": "auth",
            "apiKey": self._api_key,
            "timestamp": timestamp,
            "recvWindow": window,
            "signature": signature,
        }

    def _sign(
        self, method: str, target: str, body: bytes, deadline: RequestDeadline | None
    ) -> tuple[int, int, str]:
        with self._lock:
            timestamp = time.time_ns() // 1_000_000
            window = self._recv_window_ms if deadline is None else deadline.recv_window(timestamp)
            # A request is accepted once: two that are equal must differ in something that they sign.
            self._same_ms = self._same_ms + 1 if timestamp == self._last_ms else 0
            self._last_ms = timestamp
            window = max(1, window - self._same_ms)
        lines = ["buttonwood-v1", method, target, self._api_key, str(timestamp), str(window), ""]
        signature = self._key.sign("\n".join(lines).encode() + body)
        return timestamp, window, base64.b64encode(signature).decode()


def load_key(pem: str | bytes) -> Ed25519PrivateKey:
    """Reads a private key in PEM. Errors never contain any part of the key."""
    try:
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
        from cryptography.hazmat.primitives.serialization import load_pem_private_key
    except ImportError:
        raise ImportError(
            'private_key needs the package cryptography: pip install "buttonwood[signing]"'
        ) from None
    try:
        key = load_pem_private_key(pem.encode() if isinstance(pem, str) else pem, password=None)
    except (ValueError, TypeError):
        key = None
    if not isinstance(key, Ed25519PrivateKey):
        raise ValueError(
            "private_key is no Ed25519 private key in PEM. "
            "Create one with: openssl genpkey -algorithm ed25519"
        ) from None
    return key
