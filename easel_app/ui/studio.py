"""The studio's page: Gradio at the root of the application, dressed by our own shell.

To add a tab, write a module with `TAB` and `build(assets)` and name it in `TABS`.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path

os.environ["GRADIO_ANALYTICS_ENABLED"] = "False"  # read by Gradio while it is imported

import gradio as gr
from fastapi import FastAPI
from starlette.middleware.gzip import GZipMiddleware

from easel_app.services.studio import Studio
from easel_app.settings import static_folder
from easel_app.ui import about, connect, paint, plans, results, rubrics, semantic, watch
from easel_app.ui.card import card_of
from easel_app.ui.components import header
from easel_app.ui.page import Assets, FirstPaint, Immutable, PlainHeaders, Tab
from easel_app.ui.theme import studio_theme

TABS: tuple[tuple[Tab, Callable[[Assets], None]], ...] = (
    (paint.TAB, paint.build),
    (semantic.TAB, semantic.build),
    (watch.TAB, watch.build),
    (results.TAB, results.build),
    (rubrics.TAB, rubrics.build),
    (plans.TAB, plans.build),
    (connect.TAB, connect.build),
    (about.TAB, about.build),
)
"""The sections of the studio, in order; the first is the default."""


def build(assets: Assets) -> gr.Blocks:
    """The Blocks of all tabs."""
    blocks = gr.Blocks(title="Easel Studio", fill_width=True, analytics_enabled=False, delete_cache=(3600, 3600))
    with blocks:
        header(assets)
        # "wrap" switches Gradio's "…" menu off; the bar scrolls sideways instead (css/frame.css)
        with gr.Tabs(elem_id="es-tabs", selected=TABS[0][0].key, overflow_behavior="wrap"):
            for tab, content in TABS:
                with gr.Tab(tab.label, id=tab.key, elem_id=f"es-tab-{tab.key}"):
                    content(assets)
    return blocks


def mount(app: FastAPI, studio: Studio, *, embedders: str = "", blocked_paths: Sequence[Path] = ()) -> FastAPI:
    """Put the page on an application whose own routes are already there.

    Args:
        app: the application; its routes keep the right of way, Gradio takes what is left of "/".
        studio: whose sessions link previews tell of.
        embedders: origins that may show the page in a frame, separated by blanks (a hub, say).
        blocked_paths: folders that Gradio must never serve, such as the data folder.

    Returns:
        The same application.
    """
    assets = Assets(static_folder())
    app.mount(assets.prefix, Immutable(directory=assets.folder))

    gr.mount_gradio_app(
        app,
        build(assets),
        path="/",
        theme=studio_theme(),
        favicon_path=str(assets.folder / "favicon.svg"),
        footer_links=[],
        allowed_paths=[],
        blocked_paths=[str(path) for path in blocked_paths],
        max_file_size="8mb",
        show_error=False,  # a traceback belongs in the log, not in a stranger's browser
        enable_monitoring=False,
        mcp_server=False,
        run_history=False,
        ssr_mode=False,
        pwa=False,
    )  # strict_cors, on by default, is not an argument here
    app.add_middleware(
        FirstPaint,
        assets=assets,
        tabs=[tab for tab, _ in TABS],
        embedders=embedders,
        card=lambda query: card_of(studio, query),
    )
    # for our files and the API: Gradio compresses only its own; event streams and pictures are left alone
    app.add_middleware(GZipMiddleware)
    app.add_middleware(PlainHeaders)
    return app
