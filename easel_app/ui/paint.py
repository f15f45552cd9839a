"""The Paint tab: one screen that talks to the REST surface and the event stream by itself.

No Gradio event carries a stroke: twenty of them in a burst arrive out of order, and a queued one may be lost.
"""

from __future__ import annotations

from easel_app.ui.components import screen
from easel_app.ui.page import Assets, Tab

TAB = Tab(
    key="paint",
    label="Paint",
    styles=("stage.css", "paint.css"),
    modules=(
        "paint.js",
        "canvas.js",
        "charts.js",
        "copy.js",
        "curve.js",
        "difference.js",
        "easel.js",
        "layout.js",
        "mask.js",
        "sheet.js",
        "tasks.js",
        "paint/*.js",
        "session/*.js",
    ),
    fetches=("api/tasks",),
)


def build(assets: Assets) -> None:
    """Draw the tab inside the Blocks that is being built."""
    screen(assets, "paint", styles=TAB.styles)
