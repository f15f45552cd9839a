"""The Rubric review tab: people grade models' answers blind, criterion by criterion; agreement and scores beside it.

It asks the REST surface by itself; whoever votes proves by a token of their own who they are.
"""

from __future__ import annotations

from easel_app.ui.components import screen
from easel_app.ui.page import Assets, Tab

_PARTS = (
    *("api", "answer", "ballot", "desk", "drafts", "ending", "filters", "mark", "pictures", "progress"),
    *("prose", "reveal", "review", "rulings", "telling", "trace", "votes", "walk", "who", "words", "zoom"),
)
"""Modules of the review itself; other views and dialogs are fetched when they are opened."""
TAB = Tab(
    key="rubrics",
    label="Rubric review",
    styles=("prose.css", "rubrics.css", "agreement.css", "analysis.css", "author.css"),
    modules=(
        *("rubrics.js", "outbox.js", "session/api.js", "session/backoff.js", "watch/menu.js"),
        *(f"rubrics/{name}.js" for name in _PARTS),
    ),
    fetches=("api/rubrics/sets",),
)


def build(assets: Assets) -> None:
    """Draw the tab inside the Blocks that is being built."""
    screen(assets, "rubrics", styles=TAB.styles)
