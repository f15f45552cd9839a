"""What callers see of how models did with their tools: figures, comparisons, traces."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, Field

from easel_app.rubrics.records import Conditions
from easel_app.services.prose import Node
from easel_app.services.rubrics.scores import Group, Mean
from easel_app.services.rubrics.views import CallView, Critical, JudgeView, PictureView


class Repeats(BaseModel):
    """What repeated attempts at the same tasks say."""

    k: int = Field(description="Attempts drawn.")
    tasks: int = Field(description="Tasks with at least k scored attempts; only they enter.")
    left_out: int = Field(description="Tasks with fewer scored attempts than k, but with one at least.")
    pass_at_k: Mean = Field(description="pass@k: at least one of k attempts passes.")
    pass_hat_k: Mean = Field(description="pass^k: all of k attempts pass.")


class Rounds(BaseModel):
    """Answers of as many rounds: a round may hold no call, one, or several."""

    rounds: int = Field(description="Rounds of all turns.")
    answers: int = Field(description="Answers of as many rounds.")
    calls: float = Field(description="Their calls, on average.")


class ToolFigures(BaseModel):
    """How a model used its tools, each figure with an interval by resampling tasks."""

    proactivity: Mean = Field(description="Share of answers with at least one call.")
    success_rate: Mean = Field(description="Share of calls that succeed; `n` counts calls.")
    volume: Mean = Field(description="Calls per answer.")
    rounds: Mean = Field(description="Rounds per answer, where they are on record.")
    calls: int = Field(description="Calls.")
    successes: int = Field(description="Calls that succeeded.")
    by_tool: dict[str, int] = Field(
        description="Calls by the tool's name as it was sent, most first; rare names together as `(other names)`."
    )
    succeeded: dict[str, int] = Field(description="Calls that succeeded, by the same names.")
    failures: dict[str, int] = Field(description="Calls that did not, by why, most first.")
    pictures: int = Field(description="Pictures that the calls made.")
    image_calls: int = Field(description="Calls of the image tool: what `operations` counts among.")
    operations: dict[str, int] = Field(
        description="Image calls that hold an operation, by its kind; all eight kinds. One call may hold several."
    )
    occurrences: dict[str, int] = Field(description="Places in their code that hold it, by kind.")
    no_operation: int = Field(description="Image calls without any.")
    unparsed: int = Field(description="Image calls whose code is no Python, so that their operations are a guess.")
    images_read: int = Field(
        description="Image calls whose code was read so far: while it is below `image_calls`, ask again for the rest."
    )
    by_rounds: list[Rounds] = Field(description="Rounds against calls, by rising rounds, where rounds are on record.")
    endings: dict[str, int] = Field(description="Turns by how they ended, where it is on record.")


class Cell(BaseModel):
    """One group of a model's answers."""

    key: str = Field(description="Such as `follow_up`, `multi-turn` or `finance`.")
    group: Group = Field(description="What its answers score.")
    proactivity: float | None = Field(description="Share of its answers with at least one call.")
    success_rate: float | None = Field(description="Share of its calls that succeed.")
    volume: float | None = Field(description="Calls per answer.")


class JudgedBy(BaseModel):
    """A judge that has looked at a player's answers."""

    judging_id: str = Field(description="Which judging.")
    judge: str = Field(description="The judge's name.")
    answers: int = Field(description="Answers on which it has a verdict.")


class Player(BaseModel):
    """One model under one set of conditions."""

    player: str = Field(description="Whose answers: the model's name, with what sets a variant of it apart.")
    conditions: Conditions | None = Field(
        description="How its answers were made, what differs among them being null; null where nothing is known."
    )
    mixed: bool = Field(description="Whether its answers were made under different conditions.")
    differing: list[str] = Field(
        description="What differs, such as `prompt`; `unknown` where it is not known of some. Empty unless mixed."
    )
    first: int = Field(description="Its earliest answer, which keeps its place among players whoever else joins.")
    origins: list[str] = Field(description="The tool runs that made them; empty for answers from elsewhere.")
    answers: int = Field(description="Its answers.")
    attempts: int = Field(description="The most attempts at one task.")
    scored: int = Field(description="Answers whose every item has a verdict; only they enter the means.")
    judged_by: list[JudgedBy] = Field(description="Judges that have looked at them, most answers first.")
    incomplete: int = Field(description="Answers with a verdict on some items only.")
    unscored: int = Field(description="Answers without any verdict, or without a rubric.")
    no_critical: int = Field(description="Scored answers to tasks without a critical item, which always pass.")
    ars: Mean = Field(description="Average rubric score.")
    apr: Mean = Field(description="Average pass rate.")
    categories: list[Cell] = Field(description="By what the tasks test.")
    domains: list[Cell] = Field(description="By the tasks' field.")
    turn_kinds: list[Cell] = Field(description="Single-turn and multi-turn tasks.")
    repeats: list[Repeats] = Field(
        description="For k = 1 to the most scored attempts at a task, beyond 8 not for each; empty below 2."
    )
    tools: ToolFigures = Field(description="How it used its tools.")
    errors: dict[str, int] = Field(description="Why reviewers say that its answers miss items, by kind.")
    votes_with_errors: int = Field(description="Votes behind `errors`.")


class Analysis(BaseModel):
    """How the models of a set did with their tools."""

    set_id: str = Field(description="Which set.")
    sample: bool = Field(description="Whether the set was made up, so that no figure of it means anything.")
    by: str = Field(description="Whose verdicts: a judging, or `people`.")
    judge: str | None = Field(description="The judge's name; null for people.")
    critical: Critical = Field(description="What makes an item critical.")
    resamples: int = Field(description="Resamples of tasks behind each interval.")
    versions: list[str] = Field(description="Versions of the figures.")
    tasks: int = Field(description="Tasks of the set.")
    players: list[Player] = Field(description="In alphabetical order.")


class Side(BaseModel):
    """One player's answer in a comparison."""

    answer: int | None = Field(description="Names the answer in requests; null where it has none.")
    status: Literal["scored", "incomplete", "unscored", "hidden", "none"] = Field(
        description="`hidden`: it waits for a blind vote, so its score is not told; `none`: there is no answer."
    )
    score: float | None = Field(description="Rubric score of the first attempt; null where it is not scored.")
    passed: bool | None = Field(description="Whether it passes.")
    calls: int = Field(description="Tool calls.")
    rounds: int | None = Field(description="Rounds of all turns.")


class Compared(BaseModel):
    """One task in a comparison."""

    task_id: str = Field(description="Which task.")
    category: str | None = Field(description="What it tests.")
    domain: str | None = Field(description="Its field.")
    turns: int = Field(description="Its turns.")
    prompt: str = Field(description="The beginning of its first prompt; untrusted.")
    a: Side = Field(description="The one player's answer.")
    b: Side = Field(description="The other one's.")


class PlayerComparison(BaseModel):
    """Two players, task by task, by their first attempts; what later attempts add is in an analysis's `repeats`.

    The figures at the top are of all tasks, hidden ones too.
    """

    set_id: str = Field(description="Which set.")
    a: str = Field(description="The one player.")
    b: str = Field(description="The other one.")
    by: str = Field(description="Whose verdicts: a judging, or `people`.")
    judge: str | None = Field(description="The judge's name; null for people.")
    critical: Critical = Field(description="What makes an item critical.")
    difference: Mean = Field(description="Mean of b's score less a's over tasks that both have scored.")
    pass_difference: Mean = Field(description="The same of passing.")
    both: int = Field(description="Tasks that both pass.")
    only_a: int = Field(description="Tasks that only a passes.")
    only_b: int = Field(description="Tasks that only b passes.")
    neither: int = Field(description="Tasks that neither passes.")
    p_value: float | None = Field(description="Exact McNemar test on passing; null where no task differs.")
    hidden: int = Field(description="Tasks whose score is not told, since an answer waits for a blind vote.")
    tasks: list[Compared] = Field(description="In the set's order.")


class AnswerLine(BaseModel):
    """An answer in a list."""

    answer: int = Field(description="Names it in requests.")
    task_id: str = Field(description="Which task.")
    category: str | None = Field(description="What it tests.")
    player: str = Field(description="Whose answer.")
    attempt: int = Field(description="Counted from 1.")
    calls: int = Field(description="Tool calls.")
    pictures: int = Field(description="Pictures that they made.")
    status: Literal["scored", "incomplete", "unscored", "hidden"] = Field(description="As in a comparison.")
    score: float | None = Field(description="Rubric score.")
    passed: bool | None = Field(description="Whether it passes.")


class Answers(BaseModel):
    """Answers of a set, a page of them."""

    answers: list[AnswerLine] = Field(description="In the order of the tasks, so many at most as were asked for.")
    total: int = Field(description="All that fit.")


class Step(BaseModel):
    """One round of a trace: what the model said, and the calls that it made."""

    round: int | None = Field(description="Which round; null where the data do not tell.")
    remark: str = Field(description="What it said beside its calls; untrusted.")
    calls: list[TraceCall] = Field(description="Its calls.")


class TraceCall(CallView):
    """A call in a trace."""

    call: int = Field(description="Counted from 1 over the turn; names it in links.")
    latency: float | None = Field(description="Seconds until it came back.")


class TraceTurn(BaseModel):
    """One turn of a trace."""

    turn: int = Field(description="Counted from 1.")
    prompt: list[Node] = Field(description="What the model was asked, as a tree of elements.")
    golden_answer: list[Node] | None = Field(description="What an expert answered.")
    tool_trajectory: str | None = Field(description="The expert's chain of tools.")
    pictures: list[PictureView] = Field(description="Shown with the prompt.")
    steps: list[Step] = Field(description="In order.")
    answer: list[Node] = Field(description="The model's answer; untrusted.")
    written: str = Field(description="The answer as the model wrote it; untrusted.")
    ended: str | None = Field(description="How the turn ended, where it is on record.")
    rounds: int | None = Field(description="Rounds of the model.")


class TraceItem(BaseModel):
    """A rubric item with what is said of it."""

    turn: int = Field(description="Of which turn.")
    item_id: str = Field(description="Unique within its turn.")
    description: str = Field(description="The criterion; untrusted.")
    weight: int = Field(description="1 to 5.")
    critical: bool = Field(description="By the rule that was asked for.")
    verdict: Literal["met", "not_met", "hidden"] | None = Field(
        description="Whose was asked for; `hidden` while it waits for a blind vote; null without any."
    )
    said: JudgeView | None = Field(description="What the judge says; null where it is hidden or there is none.")


class Attempt(BaseModel):
    """One of several answers of a player to a task."""

    attempt: int = Field(description="Counted from 1.")
    answer: int = Field(description="Names it in requests.")


class Trace(BaseModel):
    """One answer, step by step."""

    answer: int = Field(description="Names it in requests.")
    set_id: str = Field(description="Of which set.")
    sample: bool = Field(description="Whether the set was made up.")
    task_id: str = Field(description="Which task.")
    category: str | None = Field(description="What it tests.")
    domain: str | None = Field(description="Its field.")
    player: str = Field(description="Whose answer.")
    attempt: int = Field(description="Counted from 1.")
    attempts: list[Attempt] = Field(description="All attempts of the player at the task, this one too.")
    conditions: Conditions | None = Field(description="How it was made; null where that is not known.")
    origin: str = Field(description="The tool run that made it; empty for an answer from elsewhere.")
    status: Literal["scored", "incomplete", "unscored", "hidden"] = Field(description="As in a comparison.")
    score: float | None = Field(description="Rubric score.")
    passed: bool | None = Field(description="Whether it passes.")
    turns: list[TraceTurn] = Field(description="The conversation.")
    items: list[TraceItem] = Field(description="The rubric.")
    previous: int | None = Field(description="The player's answer to the task before; null at the first.")
    following: int | None = Field(description="The player's answer to the task after; null at the last.")
    hidden: int = Field(description="Items whose verdict is not told, since they wait for a blind vote.")
    by: str = Field(description="Whose verdicts: a judging, or `people`.")
    judge: str | None = Field(description="The judge's name; null for people.")
    critical: Critical = Field(description="What makes an item critical.")


class Hit(BaseModel):
    """A place in a trace that holds what is searched for."""

    answer: int = Field(
        description="Names the answer in requests; of a prompt, which all answers share, the first one that fits."
    )
    task_id: str = Field(description="Which task.")
    player: str = Field(description="Whose answer.")
    attempt: int = Field(description="Counted from 1.")
    turn: int = Field(description="Counted from 1.")
    call: int | None = Field(description="Which call of the turn; null in a prompt, an answer or a remark.")
    round: int | None = Field(description="Which round of the turn, where it is on record.")
    where: Literal["prompt", "answer", "remark", "code", "arguments", "observation"] = Field(description="Of what.")
    before: str = Field(description="Text before it, on one line; untrusted.")
    found: str = Field(description="What was found, as it is written there.")
    after: str = Field(description="Text after it.")


class Hits(BaseModel):
    """What a search found."""

    hits: list[Hit] = Field(description="In the order of the tasks, so many at most as were asked for.")
    total: int = Field(description="Places counted: all that there are, unless `more`.")
    more: bool = Field(description="Whether there are more places than were counted.")


Step.model_rebuild()
