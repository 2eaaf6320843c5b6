"""Client of the Buttonwood exchange: REST, streams, and orders over a socket."""

from ._types import OMITTED, DeadlineTime, Number, Time
from .channels import StreamMessage
from .client import AsyncClient, Client
from .errors import (
    ApiRequestError,
    ApprovalRequiredError,
    ButtonwoodError,
    ClientClosedError,
    InvalidResponseError,
    NotSentError,
    OutcomeUnknownError,
    OutOfSyncError,
    StreamClosedError,
    UnreachableError,
)
from .order_book import Level3Book, OrderBook, QueuePosition
from .streams import AsyncStreams, AsyncSubscription, Streams, Subscription
from .trading import AsyncTrading, Trading

__all__ = [
    "OMITTED",
    "ApiRequestError",
    "ApprovalRequiredError",
    "AsyncClient",
    "AsyncStreams",
    "AsyncSubscription",
    "AsyncTrading",
    "ButtonwoodError",
    "Client",
    "ClientClosedError",
    "DeadlineTime",
    "InvalidResponseError",
    "Level3Book",
    "NotSentError",
    "Number",
    "OrderBook",
    "OutOfSyncError",
    "OutcomeUnknownError",
    "QueuePosition",
    "StreamClosedError",
    "StreamMessage",
    "Streams",
    "Subscription",
    "Time",
    "Trading",
    "UnreachableError",
]
