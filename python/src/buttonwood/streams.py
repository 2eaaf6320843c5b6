"""Streams of market data, and of an account's orders, fills and balances."""

from __future__ import annotations

import asyncio
import contextlib
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from types import TracebackType
from typing import Any, Generic, TypeVar, cast

from ._decode import decode
from ._portal import Portal
from ._rest import Options
from ._retry import backoff_seconds, is_transient
from ._socket import Outbox, SocketSettings, to_error
from .channels import (
    Balances,
    BookLevels,
    BookOrders,
    Deposits,
    EveryMs,
    Fills,
    Interval,
    MarketStatuses,
    Orders,
    StreamMessage,
    Trades,
    Withdrawals,
)
from .errors import (
    ApiRequestError,
    ButtonwoodError,
    InvalidResponseError,
    OutOfSyncError,
    StreamClosedError,
    UnreachableError,
)
from .models import Candle, Price
from .order_book import Level3Book, OrderBook

Data = TypeVar("Data")

MAX_BUFFERED = 1000
"""Messages that a subscription keeps until they are read. With more it unsubscribes, and resumes once
they are read."""
_RESUMABLE = frozenset({"trades", "orders", "fills", "balances", "deposits", "withdrawals"})
"""Channels that replay messages after a sequence."""


_Key = tuple[str, str, str, int]


def _topic_key(topic: Mapping[str, Any]) -> _Key:
    """Returns the key of a topic, which its messages share."""
    every_ms = int(topic.get("everyMs") or 0)
    return topic["channel"], topic.get("symbol") or "", topic.get("interval") or "", every_ms


class AsyncSubscription(Generic[Data], AsyncIterator[StreamMessage[Data]]):
    """Messages of one topic, across reconnects. A message after a gap is never delivered."""

    def __init__(
        self,
        streams: AsyncStreams,
        topic: dict[str, object],
        convert: Callable[[Any], Data],
        apply: Callable[[StreamMessage[Data]], None] | None,
    ) -> None:
        self.key = _topic_key(topic)
        self.stage = "waiting"
        """`waiting` to be requested, `requested`, `live`, `paused` after a transient error, `full`, or
        `ended`."""
        self.was_live = False
        """Whether the exchange has ever confirmed it."""
        self.failures = 0
        """Errors since the last confirmation."""
        self.confirmed: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._streams = streams
        self._topic = topic
        self._convert = convert
        self._apply = apply
        self._mismatches = 0
        """Messages that did not fit the book, since one that did."""
        self._wire_sequence = cast("int | None", topic.pop("sequence", None))
        """Sequence of the last message that arrived, which the next one must follow."""
        self._read_sequence = self._wire_sequence
        self._messages: deque[StreamMessage[Data]] = deque()
        self._arrival = asyncio.Event()
        self._end: ButtonwoodError | None = None
        self._is_closed = False
        self._timer: asyncio.TimerHandle | None = None

    @property
    def sequence(self) -> int | None:
        """Sequence of the last message that was returned, to resume from in a later run."""
        return self._read_sequence

    async def __anext__(self) -> StreamMessage[Data]:
        while True:
            message = self.poll()
            if message is not None:
                return message
            if self._is_closed:
                raise StopAsyncIteration
            if self._end is not None:
                raise self._end
            self._arrival.clear()
            await self._arrival.wait()

    def poll(self) -> StreamMessage[Data] | None:
        """Returns the next message that has arrived, None if there is none."""
        while self._messages:
            message = self._messages.popleft()
            if not self._messages and self.stage == "full":
                self._streams._request_again(self)
            try:
                if self._apply is not None:
                    self._apply(message)
            except OutOfSyncError:
                self._resynchronize()
            else:
                self._mismatches = 0
                self._read_sequence = message.sequence
                return message
        return None

    def _resynchronize(self) -> None:
        """Subscribes again from a snapshot, with backoff: a book that never agrees must not exhaust the
        limit of messages."""
        self._messages.clear()
        self._wire_sequence = None
        wait = backoff_seconds(self._mismatches)
        self._mismatches += 1
        self._streams._resubscribe_later(self, wait)

    async def close(self) -> None:
        """Unsubscribes, and ends the iteration after the messages that have arrived."""
        self._streams._unsubscribe(self)
        self.finish(None)

    async def resubscribe(self) -> None:
        """Drops what has arrived, and subscribes again from a new snapshot."""
        self._messages.clear()
        self._wire_sequence = None
        if self.stage == "live":
            self._streams._resubscribe(self)
        elif self.stage == "full":
            self._streams._request_again(self)

    def request(self) -> dict[str, object]:
        """Returns the subscribe message, which resumes after the last sequence."""
        sequence = self._wire_sequence if self.key[0] in _RESUMABLE else None
        return {"op": "subscribe", **self._topic, "sequence": sequence}

    def unsubscribe_request(self) -> dict[str, object]:
        channel, symbol, interval, every_ms = self.key
        return {
            "op": "unsubscribe",
            "channel": channel,
            "symbol": symbol or None,
            "interval": interval or None,
            "everyMs": every_ms or None,
        }

    def await_snapshot(self) -> None:
        """Makes updates of an earlier subscription of a book follow nothing."""
        if self.key[0] not in _RESUMABLE:
            self._wire_sequence = None

    def pause(self, wait_seconds: float, on_over: Callable[[], None]) -> None:
        """Pauses before the next subscribe message."""

        def end_pause() -> None:
            if self.stage == "paused":
                self.stage = "waiting"
                on_over()

        self.stop_pause()
        self.stage = "paused"
        self._timer = asyncio.get_running_loop().call_later(wait_seconds, end_pause)

    def stop_pause(self) -> None:
        if self._timer is not None:
            self._timer.cancel()

    def forget(self) -> bool:
        """Drops the sequence, so that it subscribes from a new snapshot; returns False if it cannot."""
        if not self.was_live or self._wire_sequence is None:
            return False
        self._wire_sequence = None
        return True

    def follows(self, message: Mapping[str, Any]) -> bool:
        """Whether a message follows the last one; a late message of an earlier subscription does not."""
        if message["op"] == "snapshot":
            return True
        if message.get("sequence") is None:
            return self.stage == "live"
        return bool(message.get("prevSequence") == self._wire_sequence)

    def confirm(self) -> None:
        self.stage = "live"
        self.was_live = True
        self.failures = 0
        if not self.confirmed.done():
            self.confirmed.set_result(None)

    def take(self, message: Mapping[str, Any]) -> bool:
        """Keeps a message for the reader; returns False if there are too many."""
        if len(self._messages) >= MAX_BUFFERED:
            return False
        self._wire_sequence = message.get("sequence")
        self._messages.append(
            StreamMessage(
                op=message["op"],
                data=self._convert(message["data"]),
                prev_sequence=message.get("prevSequence"),
                sequence=self._wire_sequence,
            )
        )
        self._arrival.set()
        return True

    def finish(self, error: ButtonwoodError | None) -> None:
        """Ends it after the messages that have arrived, with an error unless it was closed."""
        self.stop_pause()
        self.stage = "ended"
        self._is_closed = self._is_closed or error is None
        self._end = self._end or error
        self._arrival.set()
        if not self.confirmed.done():
            self.confirmed.set_exception(error or StreamClosedError("the subscription was closed"))
            # Read here, because its caller may have been canceled.
            self.confirmed.exception()


class AsyncStreams:
    """Streams of an exchange over one connection, which reconnects automatically.

    Subscriptions then resume: trades, orders, fills and balances with all missed messages, books,
    prices and candles from a new snapshot.
    """

    def __init__(self, options: Options) -> None:
        self._settings = SocketSettings(options)
        self._connect_timeout_seconds = options.connect_timeout_seconds
        self._was_ready = False
        """Whether there has ever been a connection."""
        self._subscriptions: dict[_Key, AsyncSubscription[Any]] = {}
        self._outbox = Outbox()
        self._task: asyncio.Task[None] | None = None
        self._is_ready = False
        self._requested: AsyncSubscription[Any] | None = None
        """The subscription being requested. One at a time, so that an error can only concern it."""
        self._failures = 0
        self._retry_after_seconds = 0.0
        self._end: ButtonwoodError | None = None

    async def __aenter__(self) -> AsyncStreams:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()

    async def order_book(
        self, symbol: str, *, book: OrderBook | None = None, every_ms: EveryMs | None = None
    ) -> AsyncSubscription[BookLevels]:
        """Subscribes to the levels of an order book.

        Args:
            every_ms: Merges the changes of so many milliseconds into one update, as in all methods that
                take it. By default each change is sent at once.
            book: Each message is applied to it before it is returned. After one that does not fit, the
                subscription begins again from a snapshot.

        Raises:
            ApiRequestError: The exchange rejects the subscription, as all others may.
            StreamClosedError: The streams were closed.
            UnreachableError: There was no connection within `connect_timeout_seconds`, and never before.
        """
        topic: dict[str, object] = {"channel": "orderbook", "symbol": symbol, "everyMs": every_ms}
        return await self._subscribe(topic, BookLevels, book.apply if book else None)

    async def level3(self, symbol: str, *, book: Level3Book | None = None) -> AsyncSubscription[BookOrders]:
        """Subscribes to the orders of an order book.

        Args:
            book: Each message is applied to it before it is returned. After one that does not fit, or
                whose checksum differs, the subscription begins again from a snapshot.
        """
        topic: dict[str, object] = {"channel": "level3", "symbol": symbol}
        return await self._subscribe(topic, BookOrders, book.apply if book else None)

    async def trades(
        self, symbol: str, *, sequence: int | None = None, every_ms: EveryMs | None = None
    ) -> AsyncSubscription[Trades]:
        """Subscribes to trades, or to all trades since a sequence."""
        topic: dict[str, object] = {"channel": "trades", "symbol": symbol, "everyMs": every_ms}
        return await self._subscribe({**topic, "sequence": sequence}, Trades)

    async def prices(self, symbol: str, *, every_ms: EveryMs | None = None) -> AsyncSubscription[Price]:
        """Subscribes to the record of `get_prices`."""
        topic: dict[str, object] = {"channel": "prices", "symbol": symbol, "everyMs": every_ms}
        return await self._subscribe(topic, Price)

    async def markets(self) -> AsyncSubscription[MarketStatuses]:
        """Subscribes to the statuses of all markets: halts, auctions and maintenance."""
        return await self._subscribe({"channel": "markets"}, MarketStatuses)

    async def candles(
        self, symbol: str, interval: Interval, *, every_ms: EveryMs | None = None
    ) -> AsyncSubscription[Candle | None]:
        """Subscribes to the current candle; None before the first trade."""
        topic: dict[str, object] = {"channel": "candles", "symbol": symbol, "interval": interval}
        topic["everyMs"] = every_ms
        return await self._subscribe(topic, cast("type[Candle | None]", Candle | None))

    async def orders(
        self, *, sequence: int | None = None, queue_ahead: bool = False
    ) -> AsyncSubscription[Orders]:
        """Subscribes to the account's orders, with the amount ahead of each if `queue_ahead`."""
        topic: dict[str, object] = {"channel": "orders", "sequence": sequence}
        if queue_ahead:
            topic["queueAhead"] = True
        return await self._subscribe(topic, Orders)

    async def fills(self, *, sequence: int | None = None) -> AsyncSubscription[Fills]:
        """Subscribes to the account's fills."""
        return await self._subscribe({"channel": "fills", "sequence": sequence}, Fills)

    async def balances(self, *, sequence: int | None = None) -> AsyncSubscription[Balances]:
        """Subscribes to the account's balances."""
        return await self._subscribe({"channel": "balances", "sequence": sequence}, Balances)

    async def deposits(self, *, sequence: int | None = None) -> AsyncSubscription[Deposits]:
        """Subscribes to the account's deposits."""
        return await self._subscribe({"channel": "deposits", "sequence": sequence}, Deposits)

    async def withdrawals(self, *, sequence: int | None = None) -> AsyncSubscription[Withdrawals]:
        """Subscribes to the account's withdrawals."""
        return await self._subscribe({"channel": "withdrawals", "sequence": sequence}, Withdrawals)

    async def close(self) -> None:
        """Closes the connection, and ends all subscriptions after the messages that have arrived."""
        self._finish(None)
        task, self._task = self._task, None
        if task is not None:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    async def _subscribe(
        self,
        topic: dict[str, object],
        kind: type[Data],
        apply: Callable[[StreamMessage[Data]], None] | None = None,
    ) -> AsyncSubscription[Data]:
        if self._end is not None:
            raise self._end
        subscription = AsyncSubscription(self, topic, lambda data: decode(kind, data), apply)
        if subscription.key in self._subscriptions:
            name = " ".join(str(part) for part in subscription.key if part)
            raise ValueError(f"{name} is already subscribed")
        self._subscriptions[subscription.key] = subscription
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._run())
        self._request_next()
        try:
            await self._wait_for_confirmation(subscription)
        except (asyncio.CancelledError, UnreachableError):
            self._unsubscribe(subscription)
            raise
        return subscription

    async def _wait_for_confirmation(self, subscription: AsyncSubscription[Any]) -> None:
        """Waits until the exchange confirms, as long as it takes once there has been a connection."""
        confirmed = subscription.confirmed
        await asyncio.wait({confirmed}, timeout=self._connect_timeout_seconds)
        if not confirmed.done() and not self._was_ready:
            raise self._settings.not_connected()
        await asyncio.shield(confirmed)

    async def _run(self) -> None:
        """Connects again and again, as long as there are subscriptions."""
        try:
            while self._subscriptions and self._end is None:
                self._outbox = Outbox()
                await self._settings.run(self._outbox, self._opened, self._handle)
                self._is_ready = False
                self._requested = None
                for subscription in self._subscriptions.values():
                    subscription.stop_pause()
                    # A full one still waits for its reader.
                    if subscription.stage != "full":
                        subscription.stage = "waiting"
                wait = max(backoff_seconds(self._failures), self._retry_after_seconds)
                self._failures += 1
                self._retry_after_seconds = 0.0
                if self._subscriptions and self._end is None:
                    await asyncio.sleep(wait)
        except ButtonwoodError as error:
            self._finish(error)
        except Exception as error:
            self._finish(InvalidResponseError(f"unexpected message: {error!r}"))
        finally:
            self._is_ready = False

    def _opened(self) -> None:
        if self._settings.has_key:
            self._outbox.send(self._settings.auth_message())
        else:
            self._set_ready()

    def _set_ready(self) -> None:
        self._is_ready = True
        self._was_ready = True
        self._request_next()

    def _request_next(self) -> None:
        if not self._is_ready or self._requested is not None:
            return
        for subscription in self._subscriptions.values():
            if subscription.stage == "waiting":
                subscription.stage = "requested"
                self._requested = subscription
                self._outbox.send(subscription.request())
                return

    def _handle(self, message: dict[str, Any]) -> bool:
        op = message.get("op")
        if op == "authenticated":
            self._set_ready()
        elif op in ("snapshot", "update"):
            self._deliver(message)
        elif op == "error" and "channel" in message:
            self._subscription_ended(_topic_key(message), to_error(message))
        elif op == "error":
            return self._request_failed(to_error(message))
        return self._end is None

    def _deliver(self, message: dict[str, Any]) -> None:
        key = _topic_key(message)
        subscription = self._subscriptions.get(key)
        requested = self._requested
        is_abandoned = requested is not None and requested is not subscription
        if requested is not None and is_abandoned and requested.key == key and requested.follows(message):
            # Unsubscribed before the exchange answered.
            self._outbox.send(requested.unsubscribe_request())
            self._requested = None
            self._request_next()
            return
        if subscription is None or subscription.stage not in ("requested", "live"):
            return
        if not subscription.follows(message):
            if subscription.stage == "live":
                self._resubscribe(subscription)
            return
        if subscription.stage == "requested":
            subscription.confirm()
            if self._requested is subscription:
                self._requested = None
            self._failures = 0
            self._request_next()
        if not subscription.take(message):
            self._outbox.send(subscription.unsubscribe_request())
            subscription.await_snapshot()
            subscription.stage = "full"

    def _resubscribe(self, subscription: AsyncSubscription[Any]) -> None:
        """Unsubscribes and subscribes again, as after a gap in the sequence."""
        self._outbox.send(subscription.unsubscribe_request())
        subscription.await_snapshot()
        self._request_again(subscription)

    def _resubscribe_later(self, subscription: AsyncSubscription[Any], wait_seconds: float) -> None:
        if subscription.stage == "live":
            self._outbox.send(subscription.unsubscribe_request())
        if subscription.stage in ("live", "full"):
            subscription.pause(wait_seconds, self._request_next)

    def _request_again(self, subscription: AsyncSubscription[Any]) -> None:
        subscription.stage = "waiting"
        self._request_next()

    def _subscription_ended(self, key: _Key, error: ApiRequestError) -> None:
        """Handles the end of one subscription. The connection and all other subscriptions continue."""
        requested = self._requested
        is_answer = requested is not None and requested.key == key
        subscription = requested if is_answer else self._subscriptions.get(key)
        if is_answer:
            self._requested = None
        # If it is still waiting, the error ended an earlier subscription of the same topic.
        is_known = subscription is not None and self._subscriptions.get(key) is subscription
        if subscription is not None and is_known and subscription.stage in ("requested", "live"):
            self._recover(subscription, error)
        self._request_next()

    def _recover(self, subscription: AsyncSubscription[Any], error: ApiRequestError) -> None:
        """Subscribes again after a transient error, with backoff; ends it after a permanent one."""
        if error.details.get("field") == "sequence" and subscription.forget():
            subscription.stage = "waiting"
        elif _may_recover(subscription, error):
            wait = max(backoff_seconds(subscription.failures), error.retry_after_seconds or 0.0)
            subscription.failures += 1
            subscription.pause(wait, self._request_next)
        else:
            self._drop(subscription, error)

    def _request_failed(self, error: ApiRequestError) -> bool:
        """Handles an error without a channel; returns whether to keep the connection."""
        requested = self._requested
        if _may_recover(requested, error):
            self._retry_after_seconds = error.retry_after_seconds or 0.0
            self._settings.report(error)
            return False
        if not self._is_ready:
            raise error
        if requested is not None:
            self._requested = None
            if error.details.get("field") == "sequence" and requested.forget():
                requested.stage = "waiting"
            else:
                self._drop(requested, error)
            self._request_next()
        return True

    def _drop(self, subscription: AsyncSubscription[Any], error: ButtonwoodError) -> None:
        if self._subscriptions.get(subscription.key) is subscription:
            del self._subscriptions[subscription.key]
            subscription.finish(error)

    def _unsubscribe(self, subscription: AsyncSubscription[Any]) -> None:
        if self._subscriptions.get(subscription.key) is not subscription:
            return
        del self._subscriptions[subscription.key]
        subscription.stop_pause()
        if subscription.stage == "live":
            self._outbox.send(subscription.unsubscribe_request())

    def _finish(self, error: ButtonwoodError | None) -> None:
        """Ends the streams and all subscriptions, with an error unless they were closed."""
        self._end = self._end or error or StreamClosedError("the streams were closed")
        for subscription in self._subscriptions.values():
            subscription.finish(error)
        self._subscriptions.clear()


def _may_recover(subscription: AsyncSubscription[Any] | None, error: ApiRequestError) -> bool:
    # An internal error of a topic that has worked before may mean that the exchange is shutting down.
    was_live = subscription is not None and subscription.was_live
    return is_transient(error.code) or (was_live and error.code == "INTERNAL_ERROR")


class Subscription(Generic[Data], Iterator[StreamMessage[Data]]):
    """Messages of one topic, across reconnects. A message after a gap is never delivered."""

    def __init__(self, portal: Portal, subscription: AsyncSubscription[Data]) -> None:
        self._portal = portal
        self._subscription = subscription
        self._sequence = subscription.sequence

    @property
    def sequence(self) -> int | None:
        """Sequence of the last message that was returned, to resume from in a later run."""
        return self._sequence

    def __next__(self) -> StreamMessage[Data]:
        try:
            return self.receive()
        except StreamClosedError:
            if self._subscription._is_closed:
                raise StopIteration from None
            raise

    def receive(self, timeout_seconds: float | None = None) -> StreamMessage[Data]:
        """Returns the next message.

        Raises:
            TimeoutError: No message arrived within the time.
            StreamClosedError: The subscription was closed.
        """

        async def receive() -> StreamMessage[Data]:
            try:
                return await self._subscription.__anext__()
            except StopAsyncIteration:
                raise StreamClosedError("the subscription was closed") from None

        try:
            message = self._portal.call(receive(), timeout_seconds)
        except StreamClosedError:
            # After the end of the thread this one has the subscription for itself.
            last = self._subscription.poll() if self._portal.is_finished else None
            if last is None:
                raise
            message = last
        self._sequence = message.sequence
        return message

    def close(self) -> None:
        """Unsubscribes, and ends the iteration after the messages that have arrived."""
        with contextlib.suppress(StreamClosedError):
            self._portal.call(self._subscription.close())

    def resubscribe(self) -> None:
        """Drops what has arrived, and subscribes again from a new snapshot."""
        self._portal.call(self._subscription.resubscribe())


class Streams:
    """`AsyncStreams` for programs without asyncio. Its connection is handled by a thread."""

    def __init__(self, streams: AsyncStreams) -> None:
        self._streams = streams
        self._portal = Portal()

    def __enter__(self) -> Streams:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def order_book(
        self, symbol: str, *, book: OrderBook | None = None, every_ms: EveryMs | None = None
    ) -> Subscription[BookLevels]:
        """Subscribes to the levels of an order book.

        Args:
            every_ms: Merges the changes of so many milliseconds into one update, as in all methods that
                take it. By default each change is sent at once.
            book: Each message is applied to it before it is returned. After one that does not fit, the
                subscription begins again from a snapshot.

        Raises:
            ApiRequestError: The exchange rejects the subscription, as all others may.
            StreamClosedError: The streams were closed.
            UnreachableError: There was no connection within `connect_timeout_seconds`, and never before.
        """
        call = self._streams.order_book(symbol, book=book, every_ms=every_ms)
        return self._wrap(self._portal.call(call))

    def level3(self, symbol: str, *, book: Level3Book | None = None) -> Subscription[BookOrders]:
        """Subscribes to the orders of an order book.

        Args:
            book: Each message is applied to it before it is returned. After one that does not fit, or
                whose checksum differs, the subscription begins again from a snapshot.
        """
        return self._wrap(self._portal.call(self._streams.level3(symbol, book=book)))

    def trades(
        self, symbol: str, *, sequence: int | None = None, every_ms: EveryMs | None = None
    ) -> Subscription[Trades]:
        """Subscribes to trades, or to all trades since a sequence."""
        call = self._streams.trades(symbol, sequence=sequence, every_ms=every_ms)
        return self._wrap(self._portal.call(call))

    def prices(self, symbol: str, *, every_ms: EveryMs | None = None) -> Subscription[Price]:
        """Subscribes to the record of `get_prices`."""
        return self._wrap(self._portal.call(self._streams.prices(symbol, every_ms=every_ms)))

    def markets(self) -> Subscription[MarketStatuses]:
        """Subscribes to the statuses of all markets: halts, auctions and maintenance."""
        return self._wrap(self._portal.call(self._streams.markets()))

    def candles(
        self, symbol: str, interval: Interval, *, every_ms: EveryMs | None = None
    ) -> Subscription[Candle | None]:
        """Subscribes to the current candle; None before the first trade."""
        call = self._streams.candles(symbol, interval, every_ms=every_ms)
        return self._wrap(self._portal.call(call))

    def orders(self, *, sequence: int | None = None, queue_ahead: bool = False) -> Subscription[Orders]:
        """Subscribes to the account's orders, with the amount ahead of each if `queue_ahead`."""
        call = self._streams.orders(sequence=sequence, queue_ahead=queue_ahead)
        return self._wrap(self._portal.call(call))

    def fills(self, *, sequence: int | None = None) -> Subscription[Fills]:
        """Subscribes to the account's fills."""
        return self._wrap(self._portal.call(self._streams.fills(sequence=sequence)))

    def balances(self, *, sequence: int | None = None) -> Subscription[Balances]:
        """Subscribes to the account's balances."""
        return self._wrap(self._portal.call(self._streams.balances(sequence=sequence)))

    def deposits(self, *, sequence: int | None = None) -> Subscription[Deposits]:
        """Subscribes to the account's deposits."""
        return self._wrap(self._portal.call(self._streams.deposits(sequence=sequence)))

    def withdrawals(self, *, sequence: int | None = None) -> Subscription[Withdrawals]:
        """Subscribes to the account's withdrawals."""
        return self._wrap(self._portal.call(self._streams.withdrawals(sequence=sequence)))

    def close(self) -> None:
        """Closes the connection, and ends all subscriptions after the messages that have arrived."""
        self._portal.finish(self._streams.close())

    def _wrap(self, subscription: AsyncSubscription[Data]) -> Subscription[Data]:
        return Subscription(self._portal, subscription)
