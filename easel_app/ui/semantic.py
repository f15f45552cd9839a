"""The Semantic tab: tasks that ask for a meaning (outline, word, maze) on the canvas of the Paint tab.

Like the Paint tab it talks to the REST surface and the event stream by itself.
"""

from __future__ import annotations

from easel_app.ui.components import screen
from easel_app.ui.page import Assets, Tab

TAB = Tab(
    key="semantic",
    label="Semantic tasks",
    styles=("stage.css", "semantic.css"),
    modules=(
        "semantic.js",
        "canvas.js",
        "charts.js",
        "copy.js",
        "curve.js",
        "difference.js",
        "easel.js",
        "evidence.js",
        "layout.js",
        "mask.js",
        "players.js",
        "sheet.js",
        "tasks.js",
        "paint/aim.js",
        "paint/colour.js",
        "paint/ending.js",
        "paint/eyedropper.js",
        "paint/handles.js",
        "paint/notice.js",
        "paint/overlays.js",
        "paint/pointer.js",
        "paint/preview.js",
        "paint/stage.js",
        "paint/view.js",
        "semantic/*.js",
        "session/*.js",
    ),
    fetches=("api/tasks?category=semantic",),
)


def build(assets: Assets) -> None:
    """Draw the tab inside the Blocks that is being built."""
    screen(assets, "semantic", styles=TAB.styles)
