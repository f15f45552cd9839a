"""What a caller sees of results: our leaderboard, and the published one that stands apart from it."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from easel_app.painting.protocol import ProtocolName


class MeanView(BaseModel):
    """A mean over tasks with its 95 % interval; null where not defined."""

    mean: float | None = Field(description="Mean over the tasks; a task that was repeated counts once.")
    low: float | None = Field(description="Lower end of the 95 % interval; null for fewer than two tasks.")
    high: float | None = Field(description="Upper end of it.")


class CategoryMean(MeanView):
    """The same over the tasks of one category."""

    n: int = Field(description="Tasks of the category that count.")


class ResultRow(BaseModel):
    """Where one player stands. Figures are means over tasks, each task by the mean of its sessions; null if undefined.

    One player with other settings, that is in another run, is another row; so are imported sessions.
    """

    key: str = Field(description="Name of the row in links; the same whenever it is asked for.")
    rank: int | None = Field(
        description="From 1, shared by equals. Null unless every task of the scope is done, and for anchors and people."
    )
    name: str = Field(description="How to show the player.")
    kind: Literal["human", "agent", "painter", "people", "anchor"] = Field(
        description="`people`: all people together, the human baseline. `anchor`: a control on the same tasks."
    )
    model: str | None = Field(description="Model behind an agent.")
    run_id: str | None = Field(description="The run that all sessions of the row are of; null for other sessions.")
    imported: bool = Field(description="Whether the sessions were imported: that this player made them is a claim.")
    sessions: int = Field(description="Ended sessions that count; 0 for an anchor.")
    unfinished: int = Field(
        0, description="Sessions in scope that have begun and not ended: they count nowhere, so read them beside this."
    )
    n: int = Field(description="Tasks with one.")
    coverage: float = Field(description="Their share of the tasks in scope, [0, 1].")
    complete: bool = Field(description="Whether it is all of them; no other row is ranked.")
    final: MeanView = Field(
        description="Score after the last step, which ranks. Over the semantic tasks it mixes metrics: an order only."
    )
    at_half: float | None = Field(description="Score at half of the budget, @50%.")
    auc: float | None = Field(description="Mean score over all steps.")
    best: float | None = Field(description="Largest score after any step.")
    final_best_gap: float | None = Field(description="best - final, never negative.")
    edge_iou: float | None = Field(description="Edge IoU of the last canvas.")
    exact_repeat_rate: float | None = Field(description="Share of strokes equal to the one before.")
    near_repeat_rate: float | None = Field(description="Share that differs by at most 0.02 in every number.")
    invalid_rate: float | None = Field(description="Share of the steps whose action could not be read.")
    skill: float | None = Field(description="0 at the mean fill, 1 at the data policy of each task; our own number.")
    categories: dict[str, CategoryMean] = Field(description="`final` by category; empty for the semantic tasks.")
    tasks: dict[str, float] = Field(description="Score of each semantic task that is done; empty for reconstructions.")
    maze_invalid_rate: float | None = Field(
        description="Share of the steps in mazes that were rejected at a wall or could not be read."
    )
    maze_undos: float | None = Field(description="Undo steps, summed over the mazes.")
    other_undos: float | None = Field(description="Undo steps, summed over the other semantic tasks.")
    submit_percent: float | None = Field(
        description="Steps used at the submit over the budget, times 100; 100 where it was spent. Semantic tasks only."
    )
    draw_undo_loops: float | None = Field(
        description="Undo steps right after the stroke that they take back, summed over the semantic tasks."
    )
    curve: list[float] = Field(
        description="Mean score at 0, 1, … 100 % of the budget, to six decimals; empty for an anchor."
    )


class ProtocolCount(BaseModel):
    """How many sessions there are by one protocol."""

    protocol: ProtocolName = Field(description="Rules of the sessions.")
    sessions: int = Field(description="Ended sessions, as all other filters have it.")


class VersionCount(BaseModel):
    """How many sessions there are of one renderer and metric."""

    renderer: str = Field(description="Name and version of what turned strokes into pixels.")
    metric: str = Field(description="Name and version of the score.")
    sessions: int = Field(description="Ended sessions, as all other filters have it.")


class Results(BaseModel):
    """A leaderboard, over sessions of one protocol, one renderer and one version of each metric."""

    category: str = Field(description="What is in scope: `all` reconstructions, one category, or `semantic`.")
    protocol: ProtocolName = Field(description="Rules of all sessions that count.")
    renderer: str = Field(description="Name and version of what turned their strokes into pixels.")
    metric: str = Field(description="Name and version of their score; several, with commas, for semantic tasks.")
    tasks: int = Field(description="Tasks in scope.")
    pending: int = Field(description="Sessions of an older version still to be counted: ask again while there are any.")
    players: list[ResultRow] = Field(
        description="Complete rows by `final`, then the others by coverage and `final`; at most 200."
    )
    left_out: int = Field(description="Rows after those; the CSV file has all.")
    anchors: list[ResultRow] = Field(
        description="What controls score on the same tasks; none for semantic tasks, or other versions than today's."
    )
    protocols: list[ProtocolCount] = Field(description="Sessions by protocol.")
    versions: list[VersionCount] = Field(description="Sessions by renderer and metric.")


class _Fact(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class PublishedRow(_Fact):
    """One model's printed scores."""

    model: str = Field(description="As printed.")
    programmatic: float = Field(description="Final, category Programmatic.")
    spatial: float = Field(description="Final, category Spatial Geometry.")
    abstract: float = Field(description="Final, category Abstract/Cartoon.")
    natural: float = Field(description="Final, category Natural Images.")
    final: float = Field(description="Final over all.")
    at_half: float = Field(description="@50%.")
    auc: float = Field(description="AUC.")
    best: float = Field(description="Best.")
    final_best_gap: float = Field(description="Final-best gap.")
    warnings: list[str] = Field(description="What in the printed row does not add up.")


class PublishedAnchor(_Fact):
    """One control's printed scores."""

    name: str = Field(description="The control.")
    final: float = Field(description="Final over all.")
    edge_iou: float = Field(description="Edge IoU.")


class PublishedSemantic(_Fact):
    """One model's printed scores on the semantic tasks."""

    model: str = Field(description="As printed.")
    circle_outline: float = Field(description="Dice of the circle.")
    apple_outline: float = Field(description="Dice of the left apple.")
    hello: float = Field(description="Letters of hello in their place.")
    simple_maze: float = Field(description="Progress in the simple maze.")
    harder_maze: float = Field(description="Progress in the harder maze.")
    maze_invalid_rate: float = Field(description="Share of invalid actions in mazes.")
    maze_undos: int = Field(description="Undo actions in mazes.")
    other_undos: int = Field(description="Undo actions in the other tasks.")
    submit_percent: float = Field(description="Submit step over the budget, times 100.")


class Published(_Fact):
    """The benchmark's published results, for reference: never in one table with ours."""

    title: str = Field(description="Title of the paper.")
    source: str = Field(description="Where the numbers are printed.")
    url: str = Field(description="Address of the paper.")
    status: str = Field(description="How sure the numbers are.")
    warning: str = Field(description="Why they cannot be compared with ours.")
    licence: str = Field(description="Terms of the numbers.")
    rows: list[PublishedRow] = Field(description="Reconstructions, in the order of the paper.")
    anchors: list[PublishedAnchor] = Field(description="Controls on the paper's own pictures.")
    semantic: list[PublishedSemantic] = Field(description="Semantic tasks.")
