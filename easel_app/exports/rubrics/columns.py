"""The tables of a rubric set in Hugging Face layout: their columns, and their rows.

`tasks` has the columns of VisualToolBench's own data set (revision of 1,204 rows), so that whatever reads that reads
this, our import among them.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from easel_app.exports.packages import file_of
from easel_app.exports.parquet import Column
from easel_app.exports.rubrics.content import Content, judged
from easel_app.exports.rubrics.labels import labels
from easel_app.exports.rubrics.statements import votes
from easel_app.rubrics.records import RubricItem
from easel_app.sources.fields import Picture

Row = dict[str, Any]
FLAG = {True: "yes", False: "no", None: None}
PAIR = (
    Column("task_id", "string", "The task."),
    Column("model", "string", "Who answered."),
    Column("attempt", "int64", "Which answer of that model, from 1."),
    Column("turn", "int64", "The turn, from 1."),
    Column("item_id", "string", "The rubric item of that turn."),
)
TASKS = (
    Column("id", "string", "Unique within the set."),
    Column("turncase", "string", "single-turn or multi-turn."),
    Column("num_turns", "int32", "Turns of the conversation."),
    Column("prompt_category", "string", "Its field."),
    Column("eval_focus", "string", "What it tests."),
    Column("turn_prompts", "[string]", "What the model is asked, turn by turn."),
    Column("turn_golden_answers", "[string]", "What an expert answered."),
    Column("turn_tool_trajectories", "[string]", "The expert's chain of tools."),
    Column("rubrics_by_turn", "[string]", "Each turn's rubric as JSON: item id to description, weight and marks."),
    Column("images", "[image]", "All pictures in the order of the turns."),
    Column("images_by_turn", "[[image]]", "The same, turn by turn."),
    Column("num_images", "int32", "Pictures of all turns."),
)
ANSWERS = (
    *PAIR[:4],
    Column("text", "string", "The answer to that turn, Markdown."),
    Column("calls", "string", "Tool calls as JSON: name, arguments, observation, file names of pictures."),
    Column("rounds", "int64", "Rounds of the model, each of any number of calls; null when not known."),
    Column("images", "[image]", "Pictures that the calls made, in their order; their paths are the names in calls."),
)
VERDICTS = (
    Column("judge", "string", "The judge."),
    *PAIR,
    Column("verdict", "string", "met or not_met; null when the judge gave none."),
    Column("reason", "string", "Why, in the judge's words."),
    Column("evidence", "string", "What the judge quotes from the answer."),
    Column("unscored", "string", "Why there is no verdict; empty when there is."),
    Column("at", "string", "When, ISO 8601."),
)
VOTES = (
    Column("reviewer", "string", "Who voted."),
    *PAIR,
    Column("role", "string", "review, or adjudication of a disagreement."),
    Column("verdict", "string", "met, not_met or cannot_assess; null takes the earlier vote back."),
    Column("confidence", "int64", "1 low, 2 medium, 3 high."),
    Column("note", "string", "What decided it."),
    Column("error", "string", "Why the answer misses the item."),
    Column("blind", "bool", "Cast before anything was revealed to the reviewer."),
    Column("current", "bool", "Whether it is the reviewer's last word in that role."),
    Column("enters_agreement", "bool", "Whether agreement is computed from it: blind, decided, and not taken back."),
    Column("at", "string", "When, ISO 8601."),
)
CONSENSUS = (
    *PAIR,
    Column("verdict", "string", "What people settled on: met or not_met; null while they have not."),
    Column("by", "string", "adjudication, majority, tie, or none when nobody has voted."),
    Column("votes", "int64", "People who say met or not met now."),
    Column("blind_met", "int64", "People who said so before anything was revealed to them."),
    Column("blind_not_met", "int64", "The same."),
    Column("blind_cannot_assess", "int64", "The same."),
    Column("judges", "string", "Each judge's verdict as JSON; null when it gave none."),
)


class Part(NamedTuple):
    """A table of the data set."""

    name: str
    columns: Sequence[Column]
    rows: Callable[[Content], Iterable[Row]]
    meaning: str


def _tasks(content: Content) -> Iterator[Row]:
    for task in content.tasks():
        pictures = [[_image(content, picture) for picture in turn.pictures] for turn in task.turns]
        flat = [picture for turn in pictures for picture in turn]
        yield {
            "id": task.id,
            "turncase": task.turn_kind,
            "num_turns": len(task.turns),
            "prompt_category": task.domain,
            "eval_focus": task.category,
            "turn_prompts": [turn.prompt for turn in task.turns],
            "turn_golden_answers": [turn.golden_answer for turn in task.turns],
            "turn_tool_trajectories": [turn.tool_trajectory for turn in task.turns],
            "rubrics_by_turn": [json.dumps(rubric_of(turn.rubric), ensure_ascii=False) for turn in task.turns],
            "images": flat,
            "images_by_turn": pictures,
            "num_images": len(flat),
        }


def _answers(content: Content) -> Iterator[Row]:
    for answer in content.answers():
        for number, turn in enumerate(answer.turns, 1):
            calls = [
                {**call.model_dump(mode="json"), "pictures": [file_of(picture) for picture in call.pictures]}
                for call in turn.calls
            ]
            yield {
                **{name: getattr(answer, name) for name in ("task_id", "model", "attempt")},
                "turn": number,
                "text": turn.text,
                "calls": json.dumps(calls, ensure_ascii=False),
                "rounds": turn.rounds,
                "images": [_image(content, picture) for call in turn.calls for picture in call.pictures],
            }


def _verdicts(content: Content) -> Iterator[Row]:
    names = ("verdict", "reason", "evidence", "unscored", "at")
    for judging_id, judge in content.judges.items():
        for pair, row in content.verdicts(judging_id):
            yield {"judge": judge, **judged(pair), **{name: getattr(row, name) for name in names}}


def _votes(content: Content) -> Iterator[Row]:
    names = ("reviewer", "role", "verdict", "confidence", "note", "error", "blind", "at")
    for pair, row, standing in votes(content):
        yield judged(pair) | {name: getattr(row, name) for name in names} | standing


def _consensus(content: Content) -> Iterator[Row]:
    for label in labels(content):
        row = label.row()
        yield row | {"judges": json.dumps(row["judges"], ensure_ascii=False)}


def rubric_of(items: Sequence[RubricItem]) -> dict[str, Row]:
    """A turn's rubric in the benchmark's words: item id to description, weight and marks."""
    return {item.id: _item(item) for item in items}


def _item(item: RubricItem) -> Row:
    found = {
        "description": item.description,
        "weight": item.weight,
        "objective/subjective": item.objectivity,
        "explicit/implicit": item.explicitness,
        "category": list(item.categories),
        "critical": FLAG[item.critical],
        "final_answer": FLAG[item.final_answer],
    }
    return {name: value for name, value in found.items() if value is not None}


def _image(content: Content, picture: Picture) -> Row:
    """A picture with its name; without bytes where its file is no longer in the data folder."""
    return {"bytes": content.picture(picture.digest), "path": file_of(picture)}


PARTS = (
    Part("tasks", TASKS, _tasks, "one a task, in the columns of VisualToolBench's own data set"),
    Part("answers", ANSWERS, _answers, "one a turn of a model's answer, with its tool calls"),
    Part("verdicts", VERDICTS, _verdicts, "one for each item of an answer that a judge was asked about"),
    Part("votes", VOTES, _votes, "one a vote of a person, those that were changed later too"),
    Part("consensus", CONSENSUS, _consensus, "one for each item of an answer, with what people settled on"),
)
