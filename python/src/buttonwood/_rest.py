"""The REST API without I/O: requests to send, and the meaning of responses."""

from __future__ import annotations

import asyncio
import re
import secrets
import ssl
import time
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlencode

import httpx

from ._api.routes import NUMBER_FIELDS, PLACE_ORDER
from ._decode import decode
from ._json import decimal_text, read_json, write_json
from ._retry import DEFAULT_RETRIES, Retries
from ._signing import DEFAULT_RECV_WINDOW_MS, Signer
from ._times import RequestDeadline, read_deadline, time_text
from ._types import OMITTED, DeadlineTime, Result, Route
from .errors import ApiRequestError, ApprovalRequiredError, UnreachableError

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

_SEGMENT = re.compile(r"\{(\w+)\}")
_CREDENTIAL = re.compile("[!-~]+")


@dataclass(frozen=True, kw_only=True)
class Options:
    """Options of every connection to the exchange."""

    base_url: str
    """URL of the exchange, such as `http://127.0.0.1:3000`; may have a path and a trailing slash."""
    api_key: str | None = None
    api_secret: str | None = None
    private_key: str | bytes | Ed25519PrivateKey | None = None
    """Signs requests with this Ed25519 key, in PEM or loaded, instead of sending a secret."""
    recv_window_ms: int = DEFAULT_RECV_WINDOW_MS
    """Time for which a signed request is accepted, milliseconds from 100 to 60,000."""
    account: str | None = None
    """The account that the key must belong to. A wrong key is then rejected, and does nothing."""
    timeout_seconds: float = 30.0
    """Maximum time of an attempt; see `Client`."""
    connect_timeout_seconds: float = 10.0
    """Maximum wait for the first connection of a socket."""
    retries: int = DEFAULT_RETRIES
    """Maximum retries of idempotent requests."""
    wait_to_place: bool = False
    """Whether orders are retried after RATE_LIMIT_EXCEEDED and OVERLOADED, up to a minute later, when
    their price may be stale. By default they are not, and the error is raised at once."""
    ssl_context: ssl.SSLContext | None = None
    """Certificates to trust; by default those of the system's store."""

    def __post_init__(self) -> None:
        """
        Raises:
            ValueError: The key, the secret or the account cannot be sent in a header. The message contains
                none of them.
        """
        for name in ("api_key", "api_secret", "account"):
            value = getattr(self, name)
            if value is not None and not (isinstance(value, str) and _CREDENTIAL.fullmatch(value)):
                raise ValueError(
                    f"{name} must be a text of printable ASCII characters without spaces and line breaks."
                )

    def __repr__(self) -> str:
        return f"Options(base_url={self.base_url!r}, api_key={self.api_key!r})"

    def tls(self) -> ssl.SSLContext:
        """Returns the settings of TLS, the same for requests and sockets."""
        return self.ssl_context or ssl.create_default_context()

    def signer(self) -> Signer | None:
        """Returns the signer of the private key, None without one."""
        if self.api_key is None or self.private_key is None:
            return None
        return Signer(self.api_key, self.private_key, self.recv_window_ms)


def with_client_order_id(parameters: Mapping[str, object]) -> dict[str, object]:
    """Returns the parameters of an order, with a random client order id if they have none."""
    given = parameters.get("clientOrderId", OMITTED)
    is_given = given is not None and given is not OMITTED
    return {**parameters, "clientOrderId": given if is_given else secrets.token_hex(16)}


class Rest:
    """Builds requests and reads responses."""

    def __init__(self, options: Options) -> None:
        self.base_url = options.base_url.rstrip("/")
        self._options = options
        self._signer = options.signer()
        self._headers = {"Accept": "application/json"}
        if options.api_key is not None:
            self._headers["Authorization"] = f"Bearer {options.api_key}"
        if options.api_secret is not None:
            self._headers["X-API-Secret"] = options.api_secret
        if options.account is not None:
            self._headers["X-Account"] = options.account

    def prepare(
        self, route: Route[Any], parameters: Mapping[str, object], deadline: DeadlineTime | None
    ) -> Call:
        """Returns a call of an endpoint.

        Raises:
            TypeError: A number is a float or a bool, or the deadline is neither a datetime nor an int.
            ValueError: A string given as a number is not one, a path parameter is empty, or a datetime
                has no time zone.
        """
        is_placing = route == PLACE_ORDER
        sent = with_client_order_id(parameters) if is_placing else dict(parameters)
        sent = {name: value for name, value in sent.items() if value is not OMITTED}
        path = _SEGMENT.sub(lambda match: _segment(match[1], sent.pop(match[1], "")), route.path)
        has_body = route.method in ("POST", "PATCH")
        names = [name for name in sent if not has_body or name in route.query]
        query = {name: sent.pop(name) for name in names}
        search = urlencode({name: _text(each) for name, each in query.items() if each is not None})
        return Call(
            method=route.method,
            url=httpx.URL(f"{self.base_url}{path}{'?' if search else ''}{search}"),
            body=write_json(sent, NUMBER_FIELDS).encode() if has_body else b"",
            retries=Retries(
                route.method,
                route.path,
                is_idempotent=route.method == "GET" or is_placing,
                retries=self._options.retries,
                wait_to_place=self._options.wait_to_place,
            ),
            deadline=read_deadline(deadline, self.base_url),
        )

    def headers(self, call: Call) -> dict[str, str]:
        """Returns the headers of one attempt; a signature is for one attempt only.

        Raises:
            NotSentError: The deadline has passed.
        """
        headers = dict(self._headers)
        if call.body:
            headers["Content-Type"] = "application/json"
        if self._signer is not None:
            target = call.url.raw_path.decode("ascii")
            headers.update(self._signer.headers(call.method, target, call.body, call.deadline))
        elif call.deadline is not None:
            timestamp = time.time_ns() // 1_000_000
            headers["X-API-Timestamp"] = str(timestamp)
            headers["X-API-Recv-Window"] = str(call.deadline.recv_window(timestamp))
        return headers

    def read(self, route: Route[Result], response: httpx.Response, content: bytes) -> Result:
        """Returns the result in a response with this content.

        Raises:
            ApiRequestError: The exchange rejected the request.
            ApprovalRequiredError: Another operator must approve the request.
            UnreachableError: The response is not from an exchange.
        """
        try:
            envelope = read_json(content)
        except ValueError:
            envelope = None
        if isinstance(envelope, dict):
            if envelope.get("success") is True and response.status_code == 202:
                raise ApprovalRequiredError(envelope.get("data", {}).get("approval", {}))
            if envelope.get("success") is True:
                return decode(route.result, envelope.get("data"))
            error = envelope.get("error")
            if isinstance(error, dict) and isinstance(error.get("code"), str):
                seconds = response.headers.get("retry-after", "")
                raise ApiRequestError(
                    response.status_code,
                    error["code"],
                    error.get("message", ""),
                    error.get("details", {}),
                    response.headers.get("x-request-id"),
                    float(seconds) if seconds.isdecimal() else None,
                )
        reason = f"the server (HTTP {response.status_code}) is not a Buttonwood exchange. Check the URL."
        raise UnreachableError(self.base_url, reason)

    def unreachable(self, error: Exception) -> UnreachableError:
        """Returns the error of a request without a response."""
        if isinstance(error, (httpx.TimeoutException, asyncio.TimeoutError)):
            return UnreachableError(self.base_url, f"no response within {self._options.timeout_seconds:g} s.")
        return UnreachableError(self.base_url, str(error) or type(error).__name__)

    def http_options(self) -> dict[str, Any]:
        """Returns the options of the HTTP client. A redirect would send the secret elsewhere."""
        return {
            "verify": self._options.tls(),
            "follow_redirects": False,
        }


@dataclass(frozen=True, kw_only=True)
class Call:
    """A call of an endpoint, in one or more attempts."""

    method: str
    url: httpx.URL
    body: bytes
    retries: Retries
    deadline: RequestDeadline | None


def _segment(name: str, value: object) -> str:
    text = _text(value)
    # An empty value, . and .. would name another path.
    if re.fullmatch(r"\.{0,2}", text):
        raise ValueError(f'{name} must not be "{text}".')
    return quote(text, safe="")


def _text(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        raise TypeError(f"{value!r} is a float, which is not exact. Pass a string or a Decimal.")
    if isinstance(value, datetime):
        return time_text(value)
    return decimal_text(value) if isinstance(value, Decimal) else str(value)
