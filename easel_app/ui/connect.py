"""The Connect tab: a session for an agent, how to reach it, a painter to try, and runs of models."""

from __future__ import annotations

from easel_app.ui.components import screen
from easel_app.ui.page import Assets, Tab

TAB = Tab(
    key="connect",
    label="Connect an agent",
    styles=("connect.css",),
    modules=(
        "connect.js",
        "canvas.js",
        "charts.js",
        "copy.js",
        "mask.js",
        "players.js",
        "sheet.js",
        "tasks.js",
        "connect/*.js",
        "session/*.js",
    ),
    fetches=("api/tasks",),
)


def build(assets: Assets) -> None:
    """Draw the tab inside the Blocks that is being built."""
    screen(assets, "connect", styles=TAB.styles)
