"""The Results tab: where players stand, with how sure that is, and what is published elsewhere, apart from it.

It asks the REST surface by itself; anyone may look.
"""

from __future__ import annotations

from easel_app.ui.components import screen
from easel_app.ui.page import Assets, Tab

TAB = Tab(
    key="results",
    label="Results",
    styles=("results.css",),
    modules=("results.js", "charts.js", "players.js", "results/*.js", "session/api.js", "session/library.js"),
)


def build(assets: Assets) -> None:
    """Draw the tab inside the Blocks that is being built."""
    screen(assets, "results", styles=TAB.styles)
