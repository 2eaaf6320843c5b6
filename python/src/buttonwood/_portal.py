"""Calls of coroutines from threads without an event loop."""

from __future__ import annotations

import asyncio
import concurrent.futures
import threading
from collections.abc import Coroutine
from typing import Any, TypeVar

from .errors import StreamClosedError

Value = TypeVar("Value")

_END_SECONDS = 1.0


class Portal:
    """An event loop in a thread of its own."""

    def __init__(self) -> None:
        # A signal handler may close it in the midst of a call.
        self._lock = threading.RLock()
        self._is_open = True
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="buttonwood", daemon=True)
        self._thread.start()

    @property
    def is_finished(self) -> bool:
        """Whether the thread has ended."""
        return not self._thread.is_alive()

    def call(self, coroutine: Coroutine[Any, Any, Value], timeout_seconds: float | None = None) -> Value:
        """Runs a coroutine in the loop and waits for its result.

        If the caller is interrupted, as by Ctrl-C, the coroutine is canceled.

        Raises:
            StreamClosedError: The portal was closed, before or during the call.
            TimeoutError: There is no result within the time.
        """

        async def limited() -> Value:
            try:
                return await asyncio.wait_for(coroutine, timeout_seconds)
            except asyncio.TimeoutError:
                raise TimeoutError(f"nothing within {timeout_seconds} s") from None

        # A loop that has been stopped would never run it.
        with self._lock:
            future = asyncio.run_coroutine_threadsafe(limited(), self._loop) if self._is_open else None
        if future is None:
            coroutine.close()
            self._thread.join()
            raise StreamClosedError("it was closed")
        try:
            return future.result()
        except concurrent.futures.CancelledError:
            raise StreamClosedError("it was closed") from None
        except BaseException:
            future.cancel()
            raise

    def finish(self, last: Coroutine[Any, Any, None]) -> None:
        """Runs a last coroutine, waits for the calls of other threads, and ends the thread."""

        async def finish() -> None:
            await last
            others = asyncio.all_tasks() - {asyncio.current_task()}
            if others:
                _, pending = await asyncio.wait(others, timeout=_END_SECONDS)
                for task in pending:
                    task.cancel()

        with self._lock:
            was_open, self._is_open = self._is_open, False
            future = asyncio.run_coroutine_threadsafe(finish(), self._loop) if was_open else None
        if future is None:
            last.close()
            self._thread.join()
            return
        try:
            future.result()
        finally:
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join()
            self._loop.close()
