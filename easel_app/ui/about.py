"""The About tab: what the studio measures and by which rules, told by the code itself.

Each section is the docstring of the module that does it, so the page cannot say anything else than the code.
"""

from __future__ import annotations

import inspect
import re
from types import ModuleType
from typing import NamedTuple

from markdown_it import MarkdownIt

from easel_app import __version__
from easel_app.engine import RENDERER, mask
from easel_app.handwriting import reading
from easel_app.painting import collision
from easel_app.painting.brush import RADIUS
from easel_app.painting.families import maze as mazes
from easel_app.scoring import BRUSH_COLOUR, conduct, handwriting, maze, outline, similarity, trajectory
from easel_app.ui.components import static
from easel_app.ui.page import Assets, Tab

TAB = Tab(key="about", label="About", styles=("about.css",))
INTRODUCTION = f"""
# About the studio

Easel Studio {__version__} lets people and AI agents paint a canvas stroke by stroke under one budget. It follows EASEL
([arXiv 2608.25417](https://arxiv.org/abs/2608.25417)) wherever the paper says how; what it leaves open is chosen here,
and each choice has a name and a version, which is recorded with every session. Scores of other versions are never
mixed.
Our tasks, renderer, brush, masks, mazes and reader are our own: figures are EASEL-style, not EASEL's.
"""


BRUSH = f"The brush is opaque dark blue, sRGB {BRUSH_COLOUR}; its radius is 0.5 + {RADIUS} W / 4 px on W px of canvas."


class Section(NamedTuple):
    """One part of the page."""

    version: str
    title: str
    modules: tuple[ModuleType, ...]
    facts: tuple[str, ...] = ()
    """Its constants, in words."""


SECTIONS = (
    Section(
        outline.METRIC,
        "Outlines",
        (outline,),
        (
            f"Gap tolerance: {outline.GAP:.0%} of the canvas width.",
            f"A single line is at most {outline.SINGLE:g} brush widths wide.",
            BRUSH,
        ),
    ),
    Section(handwriting.METRIC, "Handwriting", (handwriting, reading)),
    Section(
        maze.METRIC,
        "Mazes",
        (maze, collision, mazes),
        (f"The marks of start and goal have a radius of {maze.MARK:.0%} of a cell's side.", BRUSH),
    ),
    Section(
        similarity.METRIC,
        "Similarity of a reconstruction",
        (similarity,),
        (
            f"SSIM: scikit-image, RGB in [0, 1], uniform window of {similarity.WINDOW} px, data range 1.",
            "L1: mean absolute difference over pixels and channels.",
            "Edge IoU: scikit-image's Canny with its defaults (sigma 1) on the luma 0.2126 R + 0.7152 G + 0.0722 B; "
            "exact pixels; 1 when both edge maps are empty.",
        ),
    ),
    Section(trajectory.VERSION, "The way to a score", (trajectory,)),
    Section(conduct.VERSION, "How a player went about it", (conduct,)),
    Section(RENDERER, "From strokes to pixels", (mask,)),
)


def page() -> str:
    """The page as HTML."""
    parts = [INTRODUCTION]
    for section in SECTIONS:
        parts.append(f"\n## {section.title} `{section.version}`\n")
        parts += [_markdown(inspect.getdoc(module) or "") for module in section.modules]
        parts.append("\n".join(f"- {fact}" for fact in section.facts))
    # Gradio evaluates ${…} and {{…}} in a template
    text = MarkdownIt("commonmark", {"html": False}).enable("table").render("\n\n".join(parts))
    return re.sub(r"(\$(?=\{)|\{(?=\{))", lambda found: f"&#{ord(found[0])};", text)


def _markdown(docstring: str) -> str:
    """A docstring as Markdown: indented blocks are code there too, `Example:` blocks are left out."""
    return re.sub(r"\nExample:\n(?: .*\n?)+", "\n", docstring).replace("::\n", ":\n")


def build(assets: Assets) -> None:
    """Draw the tab inside the Blocks that is being built."""
    sheets = "".join(f'<link rel="stylesheet" href="{assets.url(f"css/{name}")}">' for name in TAB.styles)
    static(f'{sheets}<article class="es es-about">{page()}</article>', elem_id="es-about")
