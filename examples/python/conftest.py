"""An exchange for the tests of a bot. Needs Node, the npm package buttonwood, and its Python client.

Copy this file next to your tests.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from buttonwood import Client


class Exchange:
    """A sandbox on a free port. Its time stands still until a test moves it."""

    def __init__(self, directory: Path, *flags: str) -> None:
        command = ["npx", "buttonwood", "start", "--port", "0", "--data", str(directory)]
        command += ["--clock", "frozen", "--makers", "off", "--rate-limits", "off", *flags]
        # Settings of another exchange must not apply to this one.
        env = {name: value for name, value in os.environ.items() if not name.startswith("BUTTONWOOD_")}
        # A session of its own, so that all its processes end together.
        self._process = subprocess.Popen(
            command, env=env, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, start_new_session=True
        )
        assert self._process.stdout is not None
        if not any(line.startswith(b"Buttonwood sandbox at") for line in self._process.stdout):
            raise RuntimeError("the exchange did not start; its message is above")
        credentials = json.loads((directory / "sandbox.json").read_text())
        self.url: str = credentials["baseUrl"]
        self._accounts: list[dict[str, Any]] = credentials["accounts"]
        self.operator = self.client("operator")

    def keys(self, name: str) -> dict[str, Any]:
        """Returns apiKey and apiSecret of alice, bob or operator; binance has those for its dialect."""
        return next(account for account in self._accounts if account["name"] == name)

    def client(self, name: str) -> Client:
        """Returns a client of alice, bob or operator."""
        keys = self.keys(name)
        return Client(self.url, api_key=keys["apiKey"], api_secret=keys["apiSecret"])

    def advance(self, seconds: float) -> None:
        """Moves the time on. Everything that is due happens before this returns."""
        self.operator.set_sandbox_clock(advance_ms=round(seconds * 1000))

    def stop(self) -> None:
        """Ends it at once; its data is not needed any more."""
        self.operator.close()
        os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        if self._process.stdout is not None:
            self._process.stdout.close()


@pytest.fixture(scope="session")
def sandbox(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Exchange]:
    sandbox = Exchange(tmp_path_factory.mktemp("exchange"))
    sandbox.operator.create_checkpoint(name="start")
    yield sandbox
    sandbox.stop()


@pytest.fixture
def exchange(sandbox: Exchange) -> Exchange:
    """The exchange as it was at the start: the same orders, balances and time for each test."""
    sandbox.operator.restore_checkpoint(name="start")
    return sandbox
