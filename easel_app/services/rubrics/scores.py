"""What models score on a rubric set, by a judge or by people, and how they used their tools."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping
from functools import cache
from statistics import fmean
from typing import Any

from pydantic import BaseModel, Field

from easel_app.scoring.image_functions import KINDS
from easel_app.scoring.rubric import CRITICAL_WEIGHT, VERSION, GroupScore, domain, score_benchmark
from easel_app.scoring.uncertainty import mean_interval
from easel_app.services.rubrics.consensus import by_pair, current
from easel_app.services.rubrics.library import RubricLibrary
from easel_app.services.rubrics.tool_figures import FigureService, Tally, Used
from easel_app.services.rubrics.verdicts_by import Scored, VerdictsBy
from easel_app.services.rubrics.views import Critical
from easel_app.settings import data_folder
from easel_app.store.reviews import ReviewStore

Row = dict[str, Any]


class Mean(BaseModel):
    """A mean over answers."""

    value: float | None = Field(description="Null when no answer is scored.")
    low: float | None = Field(description="Lower end of the 95 % interval, by resampling tasks; null below two tasks.")
    high: float | None = Field(description="Upper end.")
    n: int = Field(description="Scored answers.")


class Group(BaseModel):
    """Both means over a group of tasks."""

    ars: Mean = Field(description="Average rubric score.")
    apr: Mean = Field(description="Average pass rate.")
    total: int = Field(description="Answers of the group, scored or not.")


class ToolUseView(BaseModel):
    """How a model used its tools."""

    calls: int = Field(description="Tool calls.")
    successes: int = Field(description="Calls that were valid and gave something.")
    proactivity: float | None = Field(description="Share of answers with at least one call.")
    success_rate: float | None = Field(description="Share of calls that succeed; null without calls.")
    volume: float | None = Field(description="Calls per answer.")
    by_tool: dict[str, int] = Field(description="Calls by the tool's name as it was sent.")
    operations: dict[str, dict[str, int]] = Field(
        description="Image operations by kind: `calls` that hold it, `occurrences` in their code."
    )


class ModelScore(BaseModel):
    """What one model scores."""

    model: str = Field(description="The model.")
    answers: int = Field(description="Its answers.")
    scored: int = Field(description="Answers whose every item has a verdict; only they enter the means.")
    incomplete: int = Field(description="Answers with a verdict on some items only.")
    unscored: int = Field(description="Answers without any verdict, or without a rubric.")
    no_critical: int = Field(description="Scored answers to tasks without a critical item, which always pass.")
    ars: Mean = Field(description="Average rubric score.")
    apr: Mean = Field(description="Average pass rate.")
    bounds: tuple[float, float] | None = Field(
        description="ARS of all answers with a rubric, if what is open were all not met, and all met."
    )
    by_domain: dict[str, Group] = Field(description="By the tasks' field.")
    by_category: dict[str, Group] = Field(description="By what the tasks test.")
    by_turn_kind: dict[str, Group] = Field(description="Single-turn and multi-turn tasks.")
    tools: ToolUseView = Field(description="How it used its tools.")
    errors: dict[str, int] = Field(description="Why reviewers say that its answers miss items, by kind: current votes.")


class ScoreTable(BaseModel):
    """What the models of a set score."""

    set_id: str = Field(description="Which set.")
    by: str = Field(description="Whose verdicts: a judging, or `people`.")
    judge: str | None = Field(description="The judge's name; null for people.")
    critical: Critical = Field(description="What makes an item critical: its weight, or the data set's own flag.")
    version: str = Field(description="Version of the scores.")
    disagreeing_flags: int = Field(description="Items whose flag and weight disagree on whether they are critical.")
    models: list[ModelScore] = Field(description="In alphabetical order.")


class PublishedScore(BaseModel):
    """One row of the published results."""

    model: str = Field(description="As it is printed.")
    apr_percent: float = Field(description="Average pass rate overall, in percent, as it is printed.")
    released: str = Field(description="When the model came out.")


class PublishedScores(BaseModel):
    """The benchmark's published results, for reference: never in one table with ours."""

    title: str = Field(description="The paper.")
    source: str = Field(description="Where the figures stand.")
    url: str = Field(description="Where to read it.")
    status: str = Field(description="How the values were taken over.")
    warning: str = Field(description="Why they are not comparable with ours.")
    licence: str = Field(description="What may be done with them.")
    judge_alignment: str = Field(description="What is published of the judge's agreement with people.")
    rows: list[PublishedScore] = Field(description="Best first.")


@cache
def published() -> PublishedScores:
    """The benchmark's published results."""
    return PublishedScores.model_validate_json((data_folder() / "published" / "visualtoolbench.json").read_bytes())


class ScoreService:
    """Tells what the models of sets score."""

    def __init__(
        self, library: RubricLibrary, reviews: ReviewStore, verdicts: VerdictsBy, figures: FigureService
    ) -> None:
        self._library, self._reviews = library, reviews
        self._verdicts, self._figures = verdicts, figures

    def table(self, set_id: str, by: str | None, critical: Critical) -> ScoreTable:
        """What the models of a set score.

        Args:
            set_id: which set.
            by: a judging or `people`; None: the first judging, or people where there is none.
            critical: what makes an item critical.

        Raises:
            NotFound: no such set or judging.
        """
        meant = self._verdicts.by(set_id, by, critical)
        items = self._library.store.items(set_id)
        whole = self._verdicts.scored(meant)
        scored: dict[str, list[Scored]] = defaultdict(list)
        for one in whole:
            scored[one.answer.model].append(one)
        figures = self._figures.figures(set_id, [one.answer for one in whole], wait=None)
        errors = self._errors(set_id)
        return ScoreTable(
            set_id=set_id,
            by=meant.name,
            judge=meant.judge,
            critical=critical,
            version=VERSION,
            disagreeing_flags=sum(item.critical not in (None, item.weight >= CRITICAL_WEIGHT) for item in items),
            models=[
                _model(name, scored[name], _tools(figures.players[name], scored[name], figures.used), errors[name])
                for name in sorted(scored)
            ],
        )

    def _errors(self, set_id: str) -> Mapping[str, Counter[str]]:
        models = {key.id: key.model for key in self._library.store.answer_keys(set_id)}
        found: dict[str, Counter[str]] = defaultdict(Counter)
        for (answer, _), votes in by_pair(self._reviews.votes(set_id)).items():
            found[models[answer]].update(vote.error for vote in current(votes) if vote.error and vote.role == "review")
        return found


def _model(name: str, scored: list[Scored], tools: ToolUseView, errors: Counter[str]) -> ModelScore:
    rows = [_row(one) for one in scored]
    means = score_benchmark(rows)
    whole = _group(rows, GroupScore(means.ars, means.apr, means.n_scored, means.n_total))
    bounds = [one.score.score_bounds for one in scored if one.score.score_bounds]
    return ModelScore(
        model=name,
        answers=means.n_total,
        scored=means.n_scored,
        incomplete=means.n_incomplete,
        unscored=means.n_unscored,
        no_critical=sum(one.score.score is not None and one.score.n_critical == 0 for one in scored),
        ars=whole.ars,
        apr=whole.apr,
        bounds=(fmean(low for low, _ in bounds), fmean(high for _, high in bounds)) if bounds else None,
        by_domain=_groups(rows, "prompt_category", means.by_domain, domain),
        by_category=_groups(rows, "eval_focus", means.by_eval_focus, str.strip),
        by_turn_kind=_groups(rows, "turncase", means.by_turn_kind, str.strip),
        tools=tools,
        errors=dict(errors),
    )


def _tools(tally: Tally, scored: list[Scored], used: Mapping[int, Used]) -> ToolUseView:
    calls, answers = tally.names.total(), len(scored)
    return ToolUseView(
        calls=calls,
        successes=tally.succeeded.total(),
        proactivity=sum(used[one.answer.id].calls > 0 for one in scored) / answers,
        success_rate=tally.succeeded.total() / calls if calls else None,
        volume=calls / answers,
        by_tool=dict(sorted(tally.names.items())),
        operations={kind: {"calls": tally.operations[kind], "occurrences": tally.occurrences[kind]} for kind in KINDS},
    )


def _row(one: Scored) -> Row:
    """An answer as `score_benchmark` takes it."""
    return {
        "task_id": one.task.task_id,
        "prompt_category": one.task.domain,
        "eval_focus": one.task.category,
        "turncase": "single-turn" if one.task.turns == 1 else "multi-turn",
        "status": one.score.status,
        "score": one.score.score,
        "pass": one.score.passed if one.score.status == "scored" else None,
    }


def _groups(
    rows: list[Row], key: str, groups: Mapping[str, GroupScore], label: Callable[[str], str]
) -> dict[str, Group]:
    def members(name: str) -> list[Row]:
        return [row for row in rows if row[key] and label(row[key]) == name]

    return {name: _group(members(name), means) for name, means in groups.items()}


def _group(rows: list[Row], means: GroupScore) -> Group:
    """The two means of some answers with their intervals; answers to one task are one cluster."""
    return Group(ars=_mean(rows, "score"), apr=_mean(rows, "pass"), total=means.n_total)


def _mean(rows: list[Row], key: str) -> Mean:
    """The mean over tasks of their answers' means, so that a task counts once however often it was tried."""
    by_task: dict[str, list[float]] = defaultdict(list)
    for row in rows:
        if row["score"] is not None:
            by_task[row["task_id"]].append(float(row[key]))
    ends = mean_interval(list(by_task.values()), bounds=(0, 1))
    n = sum(map(len, by_task.values()))
    value = fmean(map(fmean, by_task.values())) if by_task else None
    return Mean(value=value, low=ends.low if ends else None, high=ends.high if ends else None, n=n)
