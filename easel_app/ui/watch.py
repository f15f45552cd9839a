"""The Watch tab: all sessions on a wall, and one of them with everything that happened in it.

Both follow the REST surface's event streams by themselves; anyone who has the link may watch.
"""

from __future__ import annotations

from easel_app.ui.components import screen
from easel_app.ui.page import Assets, Tab

TAB = Tab(
    key="watch",
    label="Watch",
    styles=("watch.css",),
    modules=(
        "watch.js",
        "canvas.js",
        "charts.js",
        "copy.js",
        "curve.js",
        "difference.js",
        "evidence.js",
        "layout.js",
        "mask.js",
        "players.js",
        "sheet.js",
        "tasks.js",
        "replay/*.js",
        "session/*.js",
        "watch/*.js",
    ),
)


def build(assets: Assets) -> None:
    """Draw the tab inside the Blocks that is being built."""
    screen(assets, "watch", styles=TAB.styles)
