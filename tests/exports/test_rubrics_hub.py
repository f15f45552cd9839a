"""A rubric set in Hugging Face layout: the tables hold what the set holds, and the card counts it truly."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import yaml

from easel_app.exports.parquet import GROUP_BYTES, Column, Table, feature_of, yaml_of
from easel_app.exports.rubrics.columns import PARTS, TASKS
from easel_app.exports.rubrics.content import Content
from easel_app.exports.rubrics.layout import write_layout
from easel_app.rubrics.reading import from_disk
from easel_app.rubrics.records import Task, Turn
from easel_app.services.problems import NotFound
from easel_app.services.rubrics.rows import row_of_task
from easel_app.services.studio import Studio
from easel_app.settings import data_folder
from easel_app.store.sets import SetRecord
from tests.exports.reviewing import HOSTILE, empty_studio, make_reviewed
from tests.services.rubrics.making import SET, make_set

JSON = dict[str, Any]
OWN_LAYOUT = {
    **dict.fromkeys(("id", "turncase", "prompt_category", "eval_focus"), "string"),
    **dict.fromkeys(("num_turns", "num_images"), "int32"),
    **dict.fromkeys(("turn_prompts", "turn_golden_answers", "turn_tool_trajectories", "rubrics_by_turn"), "[string]"),
    "images": "[image]",
    "images_by_turn": "[[image]]",
}
"""The columns of ScaleAI/VisualToolBench, as its card and files have them."""


class Made:
    """The sample, written."""

    def __init__(self, studio: Studio, set_id: str, folder: Path) -> None:
        self.studio, self.folder = studio, folder
        self.content = Content(studio.rubrics, set_id)
        self.tally = write_layout(folder, self.content)
        self.card = (folder / "README.md").read_text()

    def rows(self, name: str) -> list[JSON]:
        return list(pq.read_table(self.folder / name / "test.parquet").to_pylist())


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Made]:
    studio = empty_studio(tmp_path_factory.mktemp("hub"))
    sample = from_disk(data_folder() / "rubrics" / "sample.jsonl", root=data_folder())
    report = studio.rubrics.intake.take_in(sample)
    assert report.set_id
    yield Made(studio, report.set_id, tmp_path_factory.mktemp("layout"))
    studio.close()


def test_tasks_have_the_columns_of_the_benchmark_s_own_data_set(made: Made) -> None:
    assert {column.name: column.type for column in TASKS} == OWN_LAYOUT
    schema = pq.read_schema(made.folder / "tasks" / "test.parquet")
    image = pa.struct([("bytes", pa.binary()), ("path", pa.string())])
    assert schema.field("images_by_turn").type == pa.list_(pa.list_(image))
    assert schema.field("num_turns").type == pa.int32()


def test_tasks_are_imported_again_as_equal_ones(made: Made, tmp_path: Path) -> None:
    other = empty_studio(tmp_path)
    report = other.rubrics.intake.take_in(from_disk(made.folder / "tasks"), name="Again")
    assert report.state == "imported" and report.set_id
    assert list(Content(other.rubrics, report.set_id).tasks()) == list(made.content.tasks())
    again = made.studio.rubrics.intake.take_in(from_disk(made.folder / "tasks"), name=made.content.record.name)
    assert again.added.records == 0 and again.there.tasks == report.added.tasks
    other.close()


def test_pictures_are_their_files_under_the_names_that_calls_have(made: Made) -> None:
    tasks, answers = made.rows("tasks"), made.rows("answers")
    shown = 0
    for row in tasks:
        assert [image for turn in row["images_by_turn"] for image in turn] == row["images"]
        assert len(row["images"]) == row["num_images"]
    for row in [*tasks, *answers]:
        for image in row["images"]:
            assert hashlib.sha256(image["bytes"]).hexdigest() == Path(image["path"]).stem
            shown += 1
    for row in answers:
        named = [name for call in json.loads(row["calls"]) for name in call["pictures"]]
        assert named == [image["path"] for image in row["images"]]
    assert shown > 20


def test_answers_verdicts_votes_and_labels_are_those_of_the_set(made: Made) -> None:
    rubrics, set_id = made.studio.rubrics, made.content.record.id
    turns = [(a.task_id, a.model, a.attempt, t.text, t.rounds) for a in made.content.answers() for t in a.turns]
    names = ("task_id", "model", "attempt", "text", "rounds")
    assert [tuple(row[name] for name in names) for row in made.rows("answers")] == turns
    votes = rubrics.reviews.votes(set_id)
    for name in ("reviewer", "role", "verdict", "confidence", "note", "error", "blind", "at"):
        assert [row[name] for row in made.rows("votes")] == [getattr(vote, name) for vote in votes]
    verdicts = [row for judging in made.content.judges for _, row in made.content.verdicts(judging)]
    for name in ("verdict", "reason", "evidence", "unscored"):
        assert [row[name] for row in made.rows("verdicts")] == [getattr(verdict, name) for verdict in verdicts]
    labels = made.rows("consensus")
    assert len(labels) == rubrics.store.counts(set_id)["pairs"]
    settled = rubrics.verdicts.verdicts(set_id, None)
    assert sum(label["verdict"] is not None for label in labels) == sum(v is not None for v in settled.values())
    assert set(json.loads(labels[0]["judges"])) == set(made.content.judges.values())


def test_the_card_counts_what_is_there_and_says_loudly_that_it_is_a_sample(made: Made) -> None:
    _, head, body = made.card.split("---\n", 2)
    front = yaml.safe_load(head)
    assert front["pretty_name"].startswith("SAMPLE") and "sample" in front["tags"]
    assert "# SAMPLE" in body and "**SAMPLE DATA.**" in body
    assert [config["config_name"] for config in front["configs"]] == [part.name for part in PARTS]
    assert [config.get("default", False) for config in front["configs"]] == [True, *[False] * 4]
    for config, info in zip(front["configs"], front["dataset_info"], strict=True):
        name = config["config_name"]
        assert info["config_name"] == name
        file = pq.ParquetFile(made.folder / config["data_files"][0]["path"])
        assert info["splits"][0]["num_examples"] == file.metadata.num_rows == made.tally.rows[name] > 0
        assert [feature["name"] for feature in info["features"]] == file.schema_arrow.names
        features = json.loads(file.schema_arrow.metadata[b"huggingface"])["info"]["features"]
        (part,) = [part for part in PARTS if part.name == name]
        assert features == {column.name: feature_of(column.type) for column in part.columns}
    counts = made.studio.rubrics.store.counts(made.content.record.id)
    for words, count in (
        ("tasks", counts["tasks"]), ("rubric items", counts["items"]), ("answers", counts["answers"]),
        ("pairs of an answer and a rubric item", counts["pairs"]), ("judges", 2),
        ("votes", len(made.rows("votes"))), ("verdicts", len(made.rows("verdicts"))),
    ):  # fmt: skip
        assert f"| {words} | {count} |" in body
    about = made.content.record.about
    assert about["licence"] and f"| licence | {about['licence']} |" in body


def test_a_set_without_votes_has_no_table_of_them_and_its_words_begin_no_markup(tmp_path: Path) -> None:
    studio = empty_studio(tmp_path / "data")
    make_set(studio.rubrics, tasks=1)
    name = "<img src=x> | [a](javascript:b) `c`"
    studio.rubrics.store.create(SetRecord("bare", name, False, {"source": HOSTILE, "extra": [1]}, "2026-01-01"))
    (tmp_path / "made").mkdir()
    tally = write_layout(tmp_path / "made", Content(studio.rubrics, SET))
    assert set(tally.rows) == {"tasks", "answers", "consensus"}
    assert {path.name for path in (tmp_path / "made").iterdir()} == {*tally.rows, "README.md"}
    card = (tmp_path / "made" / "README.md").read_text()
    assert "SAMPLE" not in card and "| votes | 0 |" in card and "find out before you publish" in card
    (tmp_path / "bare").mkdir()
    with pytest.raises(NotFound, match="no task"):
        write_layout(tmp_path / "bare", Content(studio.rubrics, "bare"))
    studio.rubrics.store.add_tasks("bare", [row_of_task(Task(id="h", turns=(Turn(prompt=HOSTILE),)))])
    write_layout(tmp_path / "bare", Content(studio.rubrics, "bare"))
    _, head, body = (tmp_path / "bare" / "README.md").read_text().split("---\n", 2)
    assert "<img" not in body and not re.search(r"(?<!\\)\[a\]", body) and r"\[a](javascript:b)" in body
    assert yaml.safe_load(head)["pretty_name"] == name
    studio.close()


def test_reviewed_and_withdrawn_votes_say_what_counts(tmp_path: Path) -> None:
    studio = empty_studio(tmp_path / "data")
    make_reviewed(studio.rubrics)
    (tmp_path / "made").mkdir()
    write_layout(tmp_path / "made", Content(studio.rubrics, SET))
    votes = pq.read_table(tmp_path / "made" / "votes" / "test.parquet").to_pylist()
    assert [vote["enters_agreement"] for vote in votes] == [True, True, False, True, *[False] * 5]
    assert [vote["current"] for vote in votes] == [True, True, True, False, True, True, False, False, True]
    studio.close()


def test_a_table_is_written_in_groups_that_are_bounded_by_all_they_hold(tmp_path: Path) -> None:
    columns = [Column("text", "string", ""), Column("images", "[[image]]", ""), Column("n", "int32", "")]
    half = GROUP_BYTES // 2
    picture = {"bytes": b"x" * half, "path": "a"}
    with Table(tmp_path / "a.parquet", columns) as table:
        table.add({"text": "x" * half, "images": [[picture], []], "n": n} for n in range(3))
        table.add({"text": None, "images": None, "n": None} for _ in range(3))
    file = pq.ParquetFile(tmp_path / "a.parquet")
    assert [file.metadata.row_group(at).num_rows for at in range(file.num_row_groups)] == [1, 1, 1, 3]
    assert (table.rows, file.metadata.num_rows) == (6, 6)
    assert table.bytes > 6 * half


@pytest.mark.parametrize(
    ("kind", "read"),
    [
        ("int64", {"dtype": "int64"}),
        ("[image]", {"sequence": "image"}),
        ("[[image]]", {"sequence": {"sequence": "image"}}),
    ],
)
def test_a_column_s_type_stands_in_the_card_as_datasets_reads_it(kind: str, read: JSON) -> None:
    lines = "\n".join(yaml_of(Column("c", kind, ""), "  "))
    assert yaml.safe_load(lines) == [{"name": "c", **read}]
