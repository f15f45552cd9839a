"""What the browser gets before Gradio's own JavaScript runs.

Gradio 6 puts `css=`, `head=` and `theme=` into the page's JSON config and injects them from JavaScript, about
half a second after first paint. Whatever must be there at first paint (tokens, dark mode, the chosen tab, the
header's outline) is therefore written into the HTML on its way out, together with the content policy.
"""

from __future__ import annotations

import hashlib
import html
import re
import secrets
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import parse_qsl

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from easel_app.ui.card import PLAIN, Card, tags

BRAND = (
    '<svg viewBox="0 0 24 24" aria-hidden="true"><path d="M3.5 18.5C5 8 12 3.5 20.5 5.5" fill="none"'
    ' stroke="var(--accent)" stroke-width="5" stroke-linecap="round"/><path d="M8 20.5c1.2-5.5 5-8.6 11-9"'
    ' fill="none" stroke="currentColor" stroke-width="2.2" stroke-linecap="round"/></svg>Easel Studio'
)
STYLES = ("tokens.css", "frame.css", "controls.css", "dialogs.css")
"""Style sheets of every screen, in order; a tab adds its own."""
MODULES = ("nav.js", "mount.js", "dom.js", "keys.js", "tabs.js")
"""Modules of every screen."""

# Gradio compiles templates and js_on_load with Function(), hence 'unsafe-eval'; it sets style attributes,
# hence 'unsafe-inline' for styles. Inline scripts are named by a nonce: markup that slips in runs no handlers.
POLICY = (
    "default-src 'self'; script-src 'self' 'unsafe-eval' 'nonce-{nonce}'; style-src 'self' 'unsafe-inline';"
    " img-src 'self' data: blob:; font-src 'self' data:; connect-src 'self'; worker-src 'self' blob:;"
    " object-src 'none'; base-uri 'self'; form-action 'self'; frame-ancestors 'self' {embedders}"
)
# Link previews: the template speaks of Gradio and names pictures on other hosts.
CARD_TAGS = re.compile(rb'<meta\s+(?:property|name)="(?:og|twitter):[^>]*>\s*')


class Tab(NamedTuple):
    """One section of the studio: its id in the URL, its label, and what its first screen needs at once.

    `styles` are files under `static/css/`, `modules` patterns of files under `static/`, fetched beside Gradio's
    bundle instead of after it and after each other; `fetches` are addresses relative to the page whose answers the
    screen asks for first.
    """

    key: str
    label: str
    styles: tuple[str, ...] = ()
    modules: tuple[str, ...] = ()
    fetches: tuple[str, ...] = ()


class Assets:
    """Files of the `static` folder under an address that changes with their content, so cached for ever."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        files = sorted(path for path in folder.rglob("*") if path.is_file())
        digest = hashlib.sha256()
        for path in files:
            digest.update(path.relative_to(folder).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
        self.version = digest.hexdigest()[:10]

    @property
    def prefix(self) -> str:
        """Path of the mount. Never plain `/static`: that would hide Gradio's own `/static/js`."""
        return f"/static/{self.version}"

    def url(self, name: str) -> str:
        """Address of a file, relative to the page's <base href="./">: a proxy's prefix needs no code."""
        return f"static/{self.version}/{name}"

    def names(self, *patterns: str) -> list[str]:
        """Files that match any of the patterns, such as `paint/*.js`, in their order."""
        found = (path for pattern in patterns for path in sorted(self.folder.glob(pattern)))
        return [path.relative_to(self.folder).as_posix() for path in found]

    def text(self, name: str) -> str:
        """Content of a text file."""
        return (self.folder / name).read_text(encoding="utf-8")


class Immutable(StaticFiles):
    """Static files under a content hash; relative imports between modules inherit the hash."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        """Serve a file and let the browser keep it."""
        response = await super().get_response(path, scope)
        response.headers["cache-control"] = "public, max-age=31536000, immutable"
        return response


def head(assets: Assets, tab: Tab) -> str:
    """Tags for <head>: styles, the script that decides light or dark, early fetches of the first screen."""
    styles = "".join(f'<link rel="stylesheet" href="{assets.url(f"css/{name}")}">' for name in (*STYLES, *tab.styles))
    modules = "".join(
        f'<link rel="modulepreload" href="{assets.url(name)}">' for name in assets.names(*MODULES, *tab.modules)
    )
    fetches = "".join(
        f'<link rel="preload" as="fetch" crossorigin="anonymous" href="{html.escape(address)}">'
        for address in tab.fetches
    )
    return (
        f'<link rel="icon" type="image/svg+xml" href="{assets.url("favicon.svg")}">{styles}'
        f"<script data-icons='{assets.url('icons.svg')}'>{assets.text('boot.js')}</script>{modules}{fetches}"
        f'<script type="module" src="{assets.url("nav.js")}"></script>'
    )


def splash(tabs: Sequence[Tab]) -> str:
    """The header, drawn by the server; nav.js removes it when Gradio's own has been drawn."""
    labels = "".join(f"<span data-tab-id={tab.key}>{html.escape(tab.label)}</span>" for tab in tabs)
    brand = f'<span class="es-brand">{BRAND}</span>'
    return f'<div id="es-splash" aria-hidden="true">{brand}<div>{labels}</div></div>'


class FirstPaint:
    """ASGI middleware that rewrites the HTML page of Gradio, and only that.

    Args:
        app: the application behind.
        assets: our static files.
        tabs: the sections in order; the first is the default.
        embedders: origins that may show the page in a frame, separated by blanks.
        card: finds the preview of a link by its query; may read the store.
    """

    def __init__(
        self,
        app: ASGIApp,
        *,
        assets: Assets,
        tabs: Sequence[Tab],
        embedders: str = "",
        card: Callable[[Mapping[str, str]], Card] | None = None,
    ) -> None:
        self.app = app
        self.heads = {tab.key: head(assets, tab).encode() for tab in tabs}
        self.default = tabs[0].key
        self.splash = splash(tabs).encode()
        self.embedders, self.card = embedders, card

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass everything through, and the page with our head, header and policy."""
        if scope["type"] != "http" or scope["method"] != "GET" or not _is_page(scope):
            await self.app(scope, receive, send)
            return
        # Gradio compresses its page by itself, and compressed bytes cannot be edited.
        headers = [(key, value) for key, value in scope["headers"] if key != b"accept-encoding"]
        query = dict(parse_qsl(scope["query_string"].decode("latin-1")))
        chosen = self.heads.get(query.get("tab", ""), self.heads[self.default])
        card = await run_in_threadpool(self.card, query) if self.card and len(query) > 1 else PLAIN
        chosen = tags(card, str(Request(scope).base_url)).encode() + chosen
        start: Message = {}
        body: list[bytes] = []

        async def capture(message: Message) -> None:
            if message["type"] == "http.response.start":
                start.update(message)
                return
            body.append(message.get("body", b""))
            if message.get("more_body"):
                return
            nonce = secrets.token_urlsafe(16)
            page = b"".join(body)
            if start["status"] == 200 and b"</head>" in page:
                page = self._rewritten(page, chosen, nonce)
            kept = [
                (key, value)
                for key, value in start["headers"]
                if key.lower() not in (b"content-length", b"cache-control")
            ]
            policy = POLICY.format(nonce=nonce, embedders=self.embedders).strip()
            kept += [
                (b"content-length", str(len(page)).encode()),
                (b"cache-control", b"no-cache"),
                (b"content-security-policy", policy.encode()),
            ]
            await send({**start, "headers": kept})
            await send({"type": "http.response.body", "body": page})

        await self.app({**scope, "headers": headers}, receive, capture)

    def _rewritten(self, page: bytes, chosen: bytes, nonce: str) -> bytes:
        page = CARD_TAGS.sub(b"", page)
        # The last opening tag: the config and comments before it may hold the same text.
        before, tag, after = page.rpartition(b"<gradio-app")
        page = before + self.splash + tag + after
        page = page.replace(b"</head>", chosen + b"</head>", 1)
        return page.replace(b"<script", b'<script nonce="%s"' % nonce.encode())


def _is_page(scope: Scope) -> bool:
    path: Any = scope["path"]
    root: str = scope.get("root_path", "")
    return (path.removeprefix(root) or "/") == "/"


class PlainHeaders:
    """ASGI middleware: two headers for every answer, so that no browser guesses types or tells our URLs.

    The address of a painting stands in the query, hence `referrer-policy`.
    """

    HEADERS = ((b"x-content-type-options", b"nosniff"), (b"referrer-policy", b"same-origin"))

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Add the headers that the answer does not carry yet."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def add(message: Message) -> None:
            if message["type"] == "http.response.start":
                present = {key.lower() for key, _ in message.get("headers", [])}
                missing = [pair for pair in self.HEADERS if pair[0] not in present]
                message = {**message, "headers": [*message.get("headers", []), *missing]}
            await send(message)

        await self.app(scope, receive, add)
