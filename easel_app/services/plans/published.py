"""What is published of the benchmark's results, and what it warns of."""

from __future__ import annotations

from functools import cache

from easel_app.services.plans.figures_views import PublishedPlans, Warn
from easel_app.settings import data_folder


@cache
def published() -> PublishedPlans:
    """The benchmark's published results."""
    return PublishedPlans.model_validate_json((data_folder() / "published" / "atpbench.json").read_bytes())


def judges_differ() -> Warn:
    """That scores of different judges are not to be compared, with the published case."""
    one, other = published().judges.rows
    text = (
        f"Absolute scores do not carry over between judges. Published: {one.planner} has an SR of {one.value:.2f} "
        f"under {one.under} and of {other.value:.2f} under {other.under}, on the same {published().judges.n} queries."
    )
    return Warn(code="judges_differ", text=text)


def one_voice(judge: str, model: str) -> Warn:
    """That a judge with one model in all three roles is no vote of three."""
    text = f"{judge} has {model} in all three roles: that is one opinion told three times, and no vote."
    return Warn(code="one_model", text=text)
