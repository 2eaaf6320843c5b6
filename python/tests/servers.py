"""Servers for tests: a sandbox, a proxy whose connections can be cut, and scripted exchanges."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import socket
import ssl
import subprocess
import threading
import time
from collections.abc import Callable, Mapping
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import TracebackType
from typing import Any

import httpx
from websockets.exceptions import ConnectionClosedOK
from websockets.http11 import Request, Response
from websockets.sync.server import ServerConnection, serve

TREE = Path(__file__).parents[2]
START_SECONDS = 60.0


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


def without_settings(environment: Mapping[str, str]) -> dict[str, str]:
    """Returns an environment without settings of an exchange or of programs that use one."""
    names = ("BUTTONWOOD_", "API_KEY", "API_SECRET")
    return {name: value for name, value in environment.items() if not name.startswith(names)}


class Exchange:
    """A sandbox without market makers and rate limits, in a process."""

    def __init__(self, directory: Path) -> None:
        self.data = directory / "data"
        self.port = int(os.environ.get("TEST_PORT", 0)) or free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self._log = directory / "exchange.log"
        self._process: subprocess.Popen[bytes] | None = None
        self.start()
        found = json.loads((self.data / "sandbox.json").read_text())
        self._accounts: list[dict[str, Any]] = found["accounts"]

    def credentials(self, name: str) -> dict[str, Any]:
        """Returns the first key of an account, as arguments of a client."""
        account = next(each for each in self._accounts if each["name"] == name)
        return {"api_key": account["apiKey"], "api_secret": account["apiSecret"]}

    def start(self) -> None:
        env = {
            **without_settings(os.environ),
            "PORT": str(self.port),
            "BUTTONWOOD_DATA": str(self.data),
            "BUTTONWOOD_RATE_LIMITS": "off",
            "BUTTONWOOD_MAKERS": "off",
        }
        command = ["node", "bin/buttonwood.mjs", "start"]
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                command, cwd=TREE, env=env, stdin=subprocess.DEVNULL, stdout=log, stderr=log
            )
        until = time.monotonic() + START_SECONDS
        while True:
            with contextlib.suppress(httpx.HTTPError):
                httpx.get(self.url)
                return
            if self._process.poll() is not None or time.monotonic() > until:
                self.stop()
                raise RuntimeError(f"the exchange did not start: {self._log.read_text()}")
            time.sleep(0.05)

    def stop(self) -> None:
        if self._process is not None and self._process.poll() is None:
            self._process.send_signal(signal.SIGTERM)
            self._process.wait()


class Proxy:
    """A TCP proxy in a thread."""

    def __init__(self, port: int) -> None:
        self._target = port
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._writers: set[asyncio.StreamWriter] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self.connections = 0
        self.drops_responses = False
        """Whether what the exchange sends is lost."""
        self.request_delay_seconds = 0.0
        """Delay of what clients send."""
        self._thread.start()
        self._server = self._call(asyncio.start_server(self._accept, "127.0.0.1", 0))
        self.port = int(self._server.sockets[0].getsockname()[1])
        self.url = f"http://127.0.0.1:{self.port}"

    def __enter__(self) -> Proxy:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        async def close() -> None:
            self._server.close()
            self._cut()
            await asyncio.gather(*self._tasks, return_exceptions=True)

        self._call(close())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def cut(self) -> None:
        """Ends all connections."""

        async def cut() -> None:
            self._cut()

        self._call(cut())

    def _cut(self) -> None:
        for writer in self._writers:
            writer.transport.abort()

    def _call(self, coroutine: Any) -> Any:
        return asyncio.run_coroutine_threadsafe(coroutine, self._loop).result()

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        try:
            other_reader, other_writer = await asyncio.open_connection("127.0.0.1", self._target)
        except OSError:
            writer.transport.abort()
            return
        writers = {writer, other_writer}
        self._writers |= writers
        try:
            await asyncio.gather(
                self._copy(reader, other_writer, lambda: False, lambda: self.request_delay_seconds),
                self._copy(other_reader, writer, lambda: self.drops_responses, lambda: 0.0),
            )
        finally:
            self._writers -= writers

    async def _copy(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        drops: Callable[[], bool],
        delay_seconds: Callable[[], float],
    ) -> None:
        with contextlib.suppress(OSError):
            while data := await reader.read(65536):
                await asyncio.sleep(delay_seconds())
                if not drops():
                    writer.write(data)
                    await writer.drain()
        writer.close()


class ScriptedHttp:
    """An HTTP server that gives scripted responses."""

    def __init__(self) -> None:
        self.requests: list[tuple[str, str, dict[str, str], bytes]] = []
        """Method, path, headers and body."""
        self.responses: list[tuple[int, dict[str, str], bytes] | None] = []
        """Status, headers and body; None closes the connection. The last one repeats."""
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def handle_any(self) -> None:
                size = int(self.headers.get("Content-Length", 0))
                headers = {name.lower(): value for name, value in self.headers.items()}
                outer.requests.append((self.command, self.path, headers, self.rfile.read(size)))
                many = len(outer.responses) > 1
                response = outer.responses.pop(0) if many else outer.responses[0]
                self.close_connection = True
                if response is None:
                    return
                status, more, body = response
                self.send_response(status)
                for name, value in {**more, "Content-Length": str(len(body)), "Connection": "close"}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(body)

            do_GET = do_POST = do_PATCH = do_DELETE = handle_any

            def log_message(self, format: str, *args: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,))
        self._thread.start()
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    def close(self) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    @staticmethod
    def success(data: object) -> tuple[int, dict[str, str], bytes]:
        return 200, {}, json.dumps({"success": True, "data": data}).encode()

    @staticmethod
    def failure(
        status: int, code: str, details: Mapping[str, object] | None = None, **headers: str
    ) -> tuple[int, dict[str, str], bytes]:
        body = {"success": False, "error": {"code": code, "message": code, "details": details or {}}}
        return (
            status,
            {name.replace("_", "-"): value for name, value in headers.items()},
            json.dumps(body).encode(),
        )


Script = Callable[[ServerConnection, Callable[[], dict[str, Any]]], None]


class ScriptedSocket:
    """A WebSocket server that runs the next script for each connection.

    A script gets the connection and a function that returns the next message. Pings are answered.
    """

    def __init__(self, *scripts: Script, tls: ssl.SSLContext | None = None) -> None:
        self._scripts = list(scripts)
        self.failures: list[BaseException] = []
        self._server = serve(
            self._handle, "127.0.0.1", 0, compression=None, ssl=tls, process_request=self._respond
        )
        self._thread = threading.Thread(target=self._server.serve_forever)
        self._thread.start()
        scheme = "https" if tls else "http"
        self.url = f"{scheme}://127.0.0.1:{self._server.socket.getsockname()[1]}"

    def __enter__(self) -> ScriptedSocket:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._server.shutdown()
        self._thread.join()
        if error is None and self.failures:
            raise self.failures[0]

    def _respond(self, connection: ServerConnection, request: Request) -> Response | None:
        """Answers requests of REST."""
        if request.path == "/ws":
            return None
        data = {"success": True, "data": {"timestamp": "2026-01-05T12:00:00.000Z"}}
        return connection.respond(HTTPStatus.OK, json.dumps(data))

    def _handle(self, connection: ServerConnection) -> None:
        if not self._scripts:
            return
        script = self._scripts.pop(0)
        try:
            script(connection, lambda: json.loads(connection.recv(timeout=10)))
        except BaseException as error:
            self.failures.append(error)


def await_end(connection: ServerConnection) -> None:
    """Ignores messages until the client closes the connection."""
    with contextlib.suppress(ConnectionClosedOK):
        while True:
            connection.recv(timeout=10)
