"""The Plan inspection tab: people read interleaved tool plans as documents and judge them; figures beside it.

It asks the REST surface by itself; whoever votes proves by a token of their own who they are.
"""

from __future__ import annotations

from easel_app.ui.components import screen
from easel_app.ui.page import Assets, Tab

_PARTS = (
    *("api", "article", "ballot", "bar", "cards", "chart", "codetext", "desk", "facts", "find", "keys", "look"),
    *("minimap", "pane", "parts", "problems", "query", "reports", "sieve", "stops", "votes", "words"),
)
"""Modules of the inspection itself; the list, other views and dialogs are fetched when they are opened."""
_SHARED = ("ending", "mark", "prose", "telling", "who", "words", "zoom", "api")
"""Modules of the Rubric review tab that serve here, too."""
TAB = Tab(
    key="plans",
    label="Plan inspection",
    styles=("prose.css", "rubrics.css", "agreement.css", "plans.css", "planlists.css"),
    modules=(
        *("plans.js", "outbox.js", "session/api.js", "session/backoff.js", "watch/menu.js"),
        *(f"plans/{name}.js" for name in _PARTS),
        *(f"rubrics/{name}.js" for name in _SHARED),
    ),
    fetches=("api/plans/sets",),
)


def build(assets: Assets) -> None:
    """Draw the tab inside the Blocks that is being built."""
    screen(assets, "plans", styles=TAB.styles)
