"""Calls of coroutines from threads without an event loop."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine
from typing import Any, TypeVar

from .errors import StreamClosedError

Value = TypeVar("Value")

_END_SECONDS = 1.0


class Portal:
    """An event loop in a thread of its own."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="buttonwood", daemon=True)
        self._thread.start()

    def call(self, coroutine: Coroutine[Any, Any, Value], timeout_seconds: float | None = None) -> Value:
        """Runs a coroutine in the loop and waits for its result.

        If the caller is interrupted, as by Ctrl-C, the coroutine is canceled.

        Raises:
            StreamClosedError: The portal was closed.
            TimeoutError: There is no result within the time.
        """
        if not self._thread.is_alive():
            coroutine.close()
            raise StreamClosedError("it was closed")

        async def limited() -> Value:
            try:
                return await asyncio.wait_for(coroutine, timeout_seconds)
            except asyncio.TimeoutError:
                raise TimeoutError(f"nothing within {timeout_seconds} s") from None

        future = asyncio.run_coroutine_threadsafe(limited(), self._loop)
        try:
            return future.result()
        except BaseException:
            future.cancel()
            raise

    def finish(self, last: Coroutine[Any, Any, None]) -> None:
        """Runs a last coroutine, waits for the calls of other threads, and ends the thread."""
        if not self._thread.is_alive():
            last.close()
            return

        async def finish() -> None:
            await last
            others = asyncio.all_tasks() - {asyncio.current_task()}
            if others:
                _, pending = await asyncio.wait(others, timeout=_END_SECONDS)
                for task in pending:
                    task.cancel()

        asyncio.run_coroutine_threadsafe(finish(), self._loop).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()
