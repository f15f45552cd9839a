"""Link previews: what a chat or a search engine shows of a link to the studio."""

from __future__ import annotations

import html
import re
from collections.abc import Mapping
from typing import NamedTuple
from urllib.parse import quote

from easel_app.services.problems import Refusal
from easel_app.services.studio import Studio
from easel_app.services.views import SessionSummary

DESCRIPTION = "Paint a canvas stroke by stroke to match a reference, with people and AI agents on one budget."
SIDE = 512
"""Width in px that a preview's picture should have at least; smaller ones are shown as a stamp or not at all."""


class Card(NamedTuple):
    """A preview."""

    title: str = "Easel Studio"
    description: str = DESCRIPTION
    picture: str = ""
    """Path of the picture below the page, or empty."""


PLAIN = Card()


def card_of(studio: Studio, query: Mapping[str, str]) -> Card:
    """The preview of what a link shows: one session at a step, several side by side, or the studio itself."""
    ids = [name for name in query.get("compare", "").split(",") if name][:4] or [query.get("session", "")]
    try:
        found = [studio.sessions.summary(session_id) for session_id in ids if session_id]
        if not found:
            return PLAIN
        task = studio.tasks.get(found[0].task_id)
    except Refusal:  # a link that leads nowhere: the page says so
        return PLAIN
    step = query.get("step", "")
    at = f"step={step}&" if re.fullmatch("[0-9]{1,5}", step) and int(step) <= found[0].step else ""
    scale = min(8, max(1, SIDE // task.width))
    picture = f"api/sessions/{quote(found[0].session_id)}/canvas.png?{at}scale={scale}"
    if len(found) > 1:
        players = " and ".join(f"{entry.player.name} ({entry.score:.3f})" for entry in found)
        return Card(f"{task.title}, side by side", f"Painted stroke by stroke by {players}.", picture)
    return Card(f"{task.title}, painted by {found[0].player.name}", _said(found[0]), picture)


def _said(session: SessionSummary) -> str:
    name = session.metric.partition("/")[0]
    state = "so far" if session.status == "open" else "in the end"
    return f"{session.step} steps, {name} {session.score:.3f} {state}. Replay it stroke by stroke in Easel Studio."


def tags(card: Card, base: str) -> str:
    """The card as markup for <head>; `base` is the absolute address of the page, with a slash at its end."""
    facts = {"og:title": card.title, "og:description": card.description, "og:site_name": "Easel Studio"}
    if card.picture:
        facts |= {"og:image": base + card.picture, "og:type": "article"}
    named = {"description": card.description, "twitter:card": "summary_large_image" if card.picture else "summary"}
    return "".join(
        f'<meta {kind}="{name}" content="{html.escape(value)}">'
        for kind, group in (("property", facts), ("name", named))
        for name, value in group.items()
    )
