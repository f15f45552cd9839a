"""An endpoint that gives pictures for calls, and every fault that one can have, over real HTTP on loopback."""

from __future__ import annotations

import base64
import io
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread
from typing import Any

import orjson
from PIL import Image

Give = Callable[[dict[str, Any]], "Given"]


@dataclass
class Given:
    """An answer."""

    body: bytes = b""
    kind: str = "image/png"
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    endless: bool = False
    """Whether it never ends, byte by byte."""
    flood: bool = False
    """Whether it never ends, as fast as it can."""


def png(shade: int = 200, size: tuple[int, int] = (8, 6)) -> bytes:
    """A picture file."""
    file = io.BytesIO()
    Image.new("RGB", size, (shade, 40, 40)).save(file, "PNG")
    return file.getvalue()


def good(asked: dict[str, Any]) -> Given:
    """A picture."""
    return Given(png())


def as_json(asked: dict[str, Any]) -> Given:
    """A picture in JSON, as a data URL for edits."""
    text = base64.b64encode(png(90)).decode()
    image = f"data:image/png;base64,{text}" if asked["tool"] == "edit" else text
    return Given(orjson.dumps({"image": image}), "application/json; charset=utf-8")


@dataclass
class Pictures:
    """One that runs."""

    url: str
    asked: list[dict[str, Any]] = field(default_factory=list)
    give: Give = good
    """May be changed at any time."""


@contextmanager
def pictures() -> Iterator[Pictures]:
    """An endpoint that gives what `give` says."""
    over = Event()

    class Handler(BaseHTTPRequestHandler):
        def log_message(self, *_: Any) -> None:
            pass

        def do_GET(self) -> None:
            running.asked.append({"tool": "GET"})  # only who follows a redirect comes here
            self.send_error(404)

        def do_POST(self) -> None:
            asked = orjson.loads(self.rfile.read(int(self.headers["content-length"])))
            running.asked.append(asked)
            given = running.give(asked)
            self.send_response(given.status)
            self.send_header("content-type", given.kind)
            for name, value in given.headers.items():
                self.send_header(name, value)
            if not (given.endless or given.flood):
                self.send_header("content-length", str(len(given.body)))
            self.end_headers()
            try:
                self.wfile.write(given.body)
                while given.endless and not over.wait(0.02):
                    self.wfile.write(b" ")
                while given.flood and not over.is_set():
                    self.wfile.write(b"\0" * 1_000_000)
            except OSError:
                pass  # the client has gone

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    running = Pictures(f"http://127.0.0.1:{server.server_address[1]}/picture")
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield running
    finally:
        over.set()
        server.shutdown()
        server.server_close()
        thread.join()
