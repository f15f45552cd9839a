"""The Author view as a person sees it, and files that are no pictures."""

from __future__ import annotations

import io
import zipfile
import zlib
from dataclasses import dataclass
from typing import Any

from playwright.sync_api import FilePayload, Locator, expect

from tests.browser.easel import HTTP
from tests.browser.grading import API, Grading


@dataclass(frozen=True)
class House:
    """A studio with drafts at several stages."""

    tokens: dict[str, str]
    drafts: dict[str, str]
    """Ids by name."""


class Authoring(Grading):
    """One page of the studio with the Author view."""

    def ready(self) -> None:
        self.page.locator(".s-rubrics:not([aria-busy])").wait_for()

    def be(self, house: House, name: str, draft: str | None = None, more: str = "") -> Authoring:
        """Be somebody, and look at a draft of the house or at the list."""
        known = {f"{self.url}/": {"name": name, "tokens": {name: house.tokens[name]}}}
        self.page.evaluate("known => localStorage.setItem('es-reviewers', JSON.stringify(known))", known)
        at = f"&draft={house.drafts.get(draft, draft)}" if draft else ""
        self.page.goto(f"{self.url}/?tab=rubrics&show=author{at}{more}")
        self.find(".desk-head [data-stage], .drafts, .author-empty").first.wait_for()
        return self

    def field(self, name: str) -> Locator:
        return self.find(f'[data-field="{name}"]').first

    def act(self, name: str) -> Locator:
        return self.find(f'[data-act="{name}"]:visible').first

    def items(self) -> Locator:
        """The rows of criteria, without the free one."""
        return self.find(".item:not(.free)")

    def item(self, at: int) -> Locator:
        return self.find(".item").nth(at)

    def tiles(self) -> Locator:
        return self.find(".tile-of[data-digest]")

    def choose(self, *files: tuple[str, str, bytes]) -> None:
        """Choose files of a name, a kind and a content as pictures."""
        self.find('.turn-pictures input[type="file"]').set_input_files(
            [FilePayload(name=name, mimeType=kind, buffer=content) for name, kind, content in files]
        )

    @property
    def state(self) -> Locator:
        return self.find(".save-state")

    def save(self, version: int) -> None:
        """Save by key, and wait until a version is stored."""
        self.press("ControlOrMeta+s")
        expect(self.state).to_have_text(f"Saved as version {version}")

    def stored(self, house: House, name: str = "Ann") -> dict[str, Any]:
        """The draft on show, as the server has it."""
        headers = {"Authorization": f"Bearer {house.tokens[name]}"}
        return dict(HTTP.get(f"{self.url}{API}/drafts/{self.link('draft')}", headers=headers).raise_for_status().json())

    def wide(self) -> bool:
        """Whether the page scrolls to the side."""
        return bool(self.page.evaluate("document.documentElement.scrollWidth > innerWidth"))


def huge() -> bytes:
    """A PNG that says it has 10^9 pixels."""
    size = (40_000).to_bytes(4, "big") + (25_000).to_bytes(4, "big")

    def chunk(kind: bytes, data: bytes) -> bytes:
        return len(data).to_bytes(4, "big") + kind + data + zlib.crc32(kind + data).to_bytes(4, "big")

    head = chunk(b"IHDR", size + bytes([8, 2, 0, 0, 0]))
    return b"\x89PNG\r\n\x1a\n" + head + chunk(b"IDAT", zlib.compress(b"0")) + chunk(b"IEND", b"")


def zipped() -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("a.txt", "not a picture")
    return file.getvalue()
