"""The About tab: what the studio measures and by which rules, told by the code itself.

Each section is made of the docstrings and constants of what does it: the page cannot say anything else than the code.
"""

from __future__ import annotations

import inspect
import re
from typing import Any, NamedTuple

from markdown_it import MarkdownIt
from pydantic import BaseModel

from easel_app import __version__
from easel_app.engine import RENDERER, contact, discs, mask
from easel_app.handwriting import crop, decoding, reading
from easel_app.painting import collision, credit
from easel_app.painting.brush import RADIUS
from easel_app.painting.families import maze as mazes
from easel_app.painting.families.registry import FAMILIES
from easel_app.scoring import (
    BRUSH_COLOUR,
    agreement,
    conduct,
    gap_pairing,
    handwriting,
    image_operations,
    ink,
    judge_agreement,
    judge_effect,
    judge_free,
    leaderboard,
    maze,
    number_agreement,
    outline,
    plan,
    plan_table,
    rank_correlation,
    rubric,
    set_overlap,
    similarity,
    tier_agreement,
    tool_use,
    trajectory,
    uncertainty,
)
from easel_app.services.rubrics import consensus
from easel_app.services.views import ConductView, NewSession, TrajectoryView
from easel_app.ui.components import static
from easel_app.ui.page import Assets, Tab

TAB = Tab(key="about", label="About", styles=("about.css",))
INTRODUCTION = f"""
# About the studio

Easel Studio {__version__} lets people and AI agents paint a canvas stroke by stroke under one budget. It follows EASEL
([arXiv 2608.25417](https://arxiv.org/abs/2608.25417)) wherever the paper says how; what it leaves open is chosen here,
and each choice has a name and a version. Renderer, metric and task set are recorded with every session, and scores of
other versions are never mixed. Our tasks, renderer, brush, masks, mazes and reader are our own: figures are
EASEL-style, not EASEL's. Rubrics, their scores and the use of tools follow VisualToolBench
([arXiv 2510.12712](https://arxiv.org/abs/2510.12712)) in the same way: prompts, reading of verdicts and statistics are
our own. Plans and their scores follow ATP-Bench ([arXiv 2603.29902](https://arxiv.org/abs/2603.29902)): what it does
not state, such as how a score of 1 counts, has a name of ours wherever it shows.

What follows are the rules as they stand in the code, section by section; capital letters name its constants.
"""
BRUSH = f"The brush is opaque dark blue, sRGB {BRUSH_COLOUR}; its radius is 0.5 + {RADIUS} W / 4 px on W px of canvas."


class Section(NamedTuple):
    """One part of the page."""

    version: str
    title: str
    sources: tuple[Any, ...]
    """Modules and functions whose docstrings it is."""
    facts: tuple[str, ...] = ()
    """Constants in words, and what a caller is told of each part."""


def _fields(model: type[BaseModel]) -> tuple[str, ...]:
    """The parts of a record, as the API describes them."""
    return tuple(f"`{field.alias or name}`: {field.description}" for name, field in model.model_fields.items())


SECTIONS = (
    Section(
        outline.METRIC,
        "Outlines",
        (outline, ink.ink),
        (
            f"GAP: {outline.GAP:.0%} of the canvas width.",
            f"SINGLE: a single line is at most {outline.SINGLE:g} brush widths wide.",
            "Paper hangs together by its four neighbours, ink by its eight.",
            BRUSH,
        ),
    ),
    Section(
        handwriting.METRIC,
        "Handwriting",
        (handwriting, handwriting.positional_match, handwriting.alignment, reading, crop, decoding),
        (
            f"Readings of less confidence than {reading.FLOOR} are none.",
            f"Mirror writing reads in the mirror with a confidence that is {reading.MARGIN} higher and at least "
            f"{reading.MIRROR_FLOOR}, and holds {reading.MIRROR_LETTERS} letters or more.",
            f"The rules are `{reading.VERSION}`; the reader's name with its version is part of each score.",
        ),
    ),
    Section(
        maze.METRIC,
        "Mazes",
        (maze, contact, collision, mazes),
        (
            f"MARK: the marks of start and goal have a radius of {maze.MARK:.0%} of a cell's side.",
            *(
                f"{size} px: {layout.cells} × {layout.cells} cells of {layout.pitch} px from wall to wall, walls "
                f"{layout.wall} px thick, a margin of {layout.margin} px."
                for size, layout in mazes.LAYOUTS.items()
            ),
            "What is ink is said under Outlines.",
            BRUSH,
        ),
    ),
    Section(conduct.VERSION, "How a player went about it", (conduct,), _fields(ConductView)),
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
    Section(trajectory.VERSION, "The way to a score", (trajectory,), _fields(TrajectoryView)),
    Section(
        leaderboard.VERSION,
        "Where players stand",
        (leaderboard, uncertainty.mean_intervals),
        (
            "A rank needs an ended session of every task in scope, by one protocol, renderer and version of metrics.",
            "Never ranked: practice, own pictures, sessions that another helped in, that go on from another one, or "
            "whose task has another picture today; imported ones only where they are asked for, and marked.",
            f"RESAMPLES: {uncertainty.RESAMPLES}.",
        ),
    ),
    Section(credit.VERSION, "What a stroke is worth", (credit,)),
    Section(
        rubric.VERSION,
        "Rubric scores",
        (rubric, consensus.consensus),
        (f"CRITICAL_WEIGHT: {rubric.CRITICAL_WEIGHT}; the data set's own flag is an alternative, and labelled so.",),
    ),
    Section(tool_use.VERSION, "Use of tools", (tool_use,)),
    Section(image_operations.VERSION, "Operations on pictures", (image_operations,)),
    Section(
        agreement.VERSION,
        "How far to trust a judge",
        (agreement, judge_agreement, consensus.blind, judge_effect, uncertainty.cluster_intervals),
        (f"FEW: below {uncertainty.FEW} tasks an interval is a rough guess.", f"RESAMPLES: {uncertainty.RESAMPLES}."),
    ),
    Section(
        plan.VERSION,
        "Scores of plans",
        (plan, plan_table),
        tuple(f"FS {tier.label}: {tier.meaning}" for tier in reversed(plan.TIERS)),
    ),
    Section(set_overlap.VERSION, "Tools and images against the reference answer", (set_overlap,)),
    Section(judge_free.VERSION, "Plans without a judge", (judge_free,)),
    Section(rank_correlation.VERSION, "Whether two lists order alike", (rank_correlation,)),
    Section(
        gap_pairing.VERSION,
        "Inspectors beside people",
        (gap_pairing, tier_agreement, number_agreement),
    ),
    Section(
        RENDERER,
        "From strokes to pixels",
        (mask, discs),
        (
            f"T_STEP {discs.T_STEP}, OPACITY_STEP 1/{1 / discs.OPACITY_STEP:g}, RADIUS_STEP {discs.RADIUS_STEP} px, "
            f"SPACING {discs.SPACING}: discs lie at most so far apart in the curve's parameter, in opacity, in radius, "
            "and sqrt(SPACING · radius) px along the curve.",
            "Radius in px = 0.5 + radius · W / 4; radius and opacity are linear in t.",
            "canvas ← (colour · mask + canvas · (255 − mask) + 127) // 255, in integers.",
        ),
    ),
)
TASKS = f"""
## Tasks and rules

{(NewSession.model_fields["protocol"].description or "")}

The five semantic tasks have budgets of 64, 64, 128, 128 and 128 steps; together with the 110 reconstructions a full run
is 11,392 steps, as published. More of their kinds are generated, each named by family, size and seed, such as
`maze-512-101`: {", ".join(f"`{name}` ({', '.join(map(str, family.sizes))} px)" for name, family in FAMILIES.items())}.
The published ones are `circle-64-1`, `apple-256-3`, `maze-256-1` and `maze-512-7` of their families. An outline counts
as solved from 0.9 on, a word and a way only when they are whole.
"""


def page() -> str:
    """The page as HTML."""
    parts = [INTRODUCTION, TASKS]
    for section in SECTIONS:
        parts.append(f"\n## {section.title} `{section.version}`\n")
        parts += [_markdown(inspect.getdoc(source) or "") for source in section.sources]
        parts.append("\n".join(f"- {fact}" for fact in section.facts))
    # Gradio evaluates ${…} and {{…}} in a template
    text = MarkdownIt("commonmark", {"html": False}).enable("table").render("\n\n".join(parts))
    return re.sub(r"(\$(?=\{)|\{(?=\{))", lambda found: f"&#{ord(found[0])};", text)


def _markdown(docstring: str) -> str:
    """A docstring as Markdown: what it says, without the list of arguments; indented blocks are code there too."""
    return re.split(r"\n(?:Args|Returns|Raises|Example):\n", docstring)[0].replace("::\n", ":\n")


def build(assets: Assets) -> None:
    """Draw the tab inside the Blocks that is being built."""
    sheets = "".join(f'<link rel="stylesheet" href="{assets.url(f"css/{name}")}">' for name in TAB.styles)
    static(f'{sheets}<article class="es es-about">{page()}</article>', elem_id="es-about")
