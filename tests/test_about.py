"""The About page says what the code says: every version, every rule, and nothing that Gradio would evaluate."""

from __future__ import annotations

import inspect
import re

from easel_app.engine import RENDERER
from easel_app.painting import credit
from easel_app.painting.env import find_task
from easel_app.painting.families.registry import generated
from easel_app.painting.scores import METRICS
from easel_app.scoring import (
    agreement,
    conduct,
    gap_pairing,
    image_operations,
    judge_free,
    leaderboard,
    maze,
    outline,
    plan,
    rank_correlation,
    rubric,
    set_overlap,
    tool_use,
    trajectory,
)
from easel_app.ui.about import SECTIONS, page


def plain(text: str) -> str:
    words = re.sub(r"<[^>]+>", "", text).replace("&quot;", '"').replace("&gt;", ">").replace("&amp;", "&")
    return " ".join(words.split())


def test_every_version_that_a_session_records_has_a_section() -> None:
    versions = {*METRICS.values(), trajectory.VERSION, conduct.VERSION, RENDERER}
    versions |= {leaderboard.VERSION, credit.VERSION}
    versions |= {rubric.VERSION, tool_use.VERSION, image_operations.VERSION, agreement.VERSION}
    versions |= {module.VERSION for module in (plan, set_overlap, judge_free, rank_correlation, gap_pairing)}
    assert {section.version for section in SECTIONS} == versions
    assert all(f"<code>{version}</code></h2>" in page() for version in versions)


def test_the_rules_are_those_of_the_modules() -> None:
    told = plain(page())
    for module in (outline, maze):
        rules = re.findall(r"^\d\. (.+(?:\n   .+)*)", inspect.getdoc(module) or "", re.MULTILINE)
        assert len(rules) == 5
        for rule in rules:
            assert plain(rule.replace("`", "").replace("*", "")) in told


def test_nothing_in_it_is_a_template() -> None:
    assert "${" not in page() and "{{" not in page() and "<script" not in page()


def test_the_published_ones_are_the_instances_that_it_names() -> None:
    for task_id, name in {
        "circle-outline": "circle-64-1", "apple-outline": "apple-256-3", "simple-maze": "maze-256-1",
        "harder-maze": "maze-512-7",
    }.items():  # fmt: skip
        published, made = find_task(task_id), generated(name)
        assert published and made and published.digest == made.digest and f"<code>{name}</code>" in page()
