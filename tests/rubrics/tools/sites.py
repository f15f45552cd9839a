"""Web sites of this machine for the tests of tools, each of whose pages does what it likes with the connection."""

from __future__ import annotations

import gzip
import json
import socket
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Answer = Callable[["Request"], None]


class Request(BaseHTTPRequestHandler):
    """A request, with what answers it."""

    server: Server
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        site = self.server.site
        site.asked.append(self)
        self.close_connection = True
        site.pages.get(self.path.partition("?")[0], missing)(self)

    def send(self, body: bytes, status: int = 200, length: int | None = None, **headers: str) -> None:
        """Answer; the names of headers have _ for -."""
        self.send_response(status)
        for name, value in {"content_length": str(len(body) if length is None else length), **headers}.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None: ...


class Site:
    """Pages by path, and what was asked of them."""

    def __init__(self, pages: Mapping[str, Answer]) -> None:
        self.pages = dict(pages)
        self.asked: list[Request] = []
        self.over = threading.Event()
        self.address = ""
        self.port = 0


class Server(ThreadingHTTPServer):
    daemon_threads = True
    site: Site

    def handle_error(self, request: Any, client_address: Any) -> None: ...  # clients hang up, as they should


@contextmanager
def serving(pages: Mapping[str, Answer]) -> Iterator[Site]:
    """A site on a free port of this machine."""
    site = Site(pages)
    with Server(("127.0.0.1", 0), Request) as server:
        server.site, site.port = site, server.server_port
        site.address = f"http://127.0.0.1:{site.port}"
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield site
        finally:
            site.over.set()
            server.shutdown()
            thread.join()


@contextmanager
def listening() -> Iterator[tuple[int, list[bytes]]]:
    """A port that takes one connection, and the first bytes that come; nothing is ever answered."""
    heard: list[bytes] = []
    with socket.create_server(("127.0.0.1", 0)) as server:

        def take() -> None:
            try:
                connection, _ = server.accept()
            except OSError:
                return
            with connection:
                heard.append(connection.recv(4096))

        thread = threading.Thread(target=take)
        thread.start()
        try:
            yield server.getsockname()[1], heard
        finally:
            server.shutdown(socket.SHUT_RDWR)
            thread.join()


def missing(request: Request) -> None:
    request.send(b"no such page", 404)


def page(body: str | bytes, kind: str = "text/html; charset=utf-8", **headers: str) -> Answer:
    """A page that is what it says."""
    content = body if isinstance(body, bytes) else body.encode()
    return lambda request: request.send(content, content_type=kind, **headers)


def zipped(body: bytes) -> Answer:
    return page(gzip.compress(body), content_encoding="gzip")


def moved(where: str, status: int = 302) -> Answer:
    return lambda request: request.send(b"", status, location=where)


def answers(value: Any, status: int = 200) -> Answer:
    """JSON."""
    return lambda request: request.send(json.dumps(value).encode(), status, content_type="application/json")


def dripping(request: Request) -> None:
    """A byte at a time, for as long as anybody listens."""
    request.send(b"<p>", length=10**9, content_type="text/html")
    while not request.server.site.over.wait(0.01):
        request.wfile.write(b"x")
        request.wfile.flush()
