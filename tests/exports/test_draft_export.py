"""Accepted tasks in the data set's schema: what is exported is imported as the tasks that were accepted."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from easel_app.exports.rubrics.draft_export import AcceptedTasks
from easel_app.exports.whole import write_package, write_whole
from easel_app.rubrics.reading import Found, RubricSource, from_disk
from easel_app.rubrics.records import Category, Task
from easel_app.services.reviewers import Person
from easel_app.services.rubrics.authoring_views import Draft
from easel_app.services.rubrics.drafting import DraftService
from easel_app.services.rubrics.drafts import SINGLE_TURN
from easel_app.services.rubrics.reviewing_drafts import DraftReviews
from easel_app.services.rubrics.rows import task_of
from easel_app.services.studio import Studio
from easel_app.settings import Settings
from tests.services.rubrics.draft_making import begun, changed, drafts_of, person, png, said, tried

House = tuple[Studio, DraftService, tuple[Person, Person, Person]]
_places = itertools.count()


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    studio = Studio(Settings(data_dir=tmp_path_factory.mktemp("drafts")))
    ada, bob, eve = (person(studio.rubrics, name) for name in ("Ada", "Bob", "Eve"))
    yield studio, drafts_of(studio), (ada, bob, eve)
    studio.close()


@pytest.fixture(scope="module")
def places(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("exported")


def accepted(house: House, draft: Draft) -> Task:
    """The task that a draft has become, after two reviews."""
    studio, drafts, (ada, *reviewers) = house
    tried(studio, drafts, draft, ada, (False, False, True))
    for who in reviewers:
        DraftReviews(drafts).decide(draft.draft_id, who, said(draft))
    row = studio.rubrics.store.task(drafts.book.set_id, drafts.accepted()[draft.draft_id])
    assert row
    return task_of(row, studio.rubrics.store.items_of(row.id))


def read(source: RubricSource) -> list[Any]:
    found = list(source.read())
    assert all(isinstance(each, Found) and not each.notes for each in found), found
    return [each.record for each in found if isinstance(each, Found)]


_text = st.text(min_size=1, max_size=20).filter(str.strip)
_line = st.text(st.characters(categories=("L", "N", "P")), min_size=1, max_size=10)
_item = st.fixed_dictionaries(
    {"id": st.text(max_size=3).map(str.strip).filter(lambda text: "\n" not in text), "description": _text},
    optional={
        "weight": st.integers(1, 5),
        "critical": st.booleans(),
        "objectivity": st.sampled_from(["objective", "subjective"]),
        "explicitness": st.sampled_from(["explicit", "implicit"]),
        "categories": st.lists(_line, max_size=2),
        "final_answer": st.booleans(),
    },
)
_parts: dict[str, st.SearchStrategy[Any]] = {
    "prompt": _text,
    "golden_answer": _text,
    "rubric": st.lists(_item, max_size=3, unique_by=lambda item: item["id"] or object()),
    "pictures": st.lists(st.sampled_from(["red", "green"]), max_size=3),
}
_turn = st.fixed_dictionaries(_parts, optional={"tool_trajectory": st.text(max_size=20)})


@settings(max_examples=30)
@given(turns=st.lists(_turn, min_size=2, max_size=3), category=st.sampled_from(Category), domain=_line)
def test_what_is_exported_is_read_back_as_the_same_tasks(
    house: House, places: Path, turns: list[dict[str, Any]], category: Category, domain: str
) -> None:
    studio, drafts, (ada, *_) = house
    turns = turns[:1] if category in SINGLE_TURN else turns
    turns[0] = turns[0] | {"pictures": [*turns[0]["pictures"], "red"]}
    turns[-1] = turns[-1] | {"rubric": [*turns[-1]["rubric"], {"id": "last one", "description": "x", "weight": 4}]}
    for turn in turns:
        turn["pictures"] = [drafts.upload(png(colour)).digest for colour in turn["pictures"]]
    draft = begun(drafts, ada, turns=turns, category=category, domain=domain)
    assert draft.missing == []
    made, tasks = accepted(house, draft), AcceptedTasks(studio.rubrics, drafts, draft.draft_id)
    place = places / str(next(_places))
    write_whole(place.with_suffix(".json"), tasks.json())
    write_package(place, tasks.files())
    assert read(from_disk(place.with_suffix(".json"))) == read(from_disk(place)) == [made]


def test_the_rows_have_the_columns_of_the_data_set(house: House) -> None:
    studio, drafts, (ada, *_) = house
    draft = begun(drafts, ada)
    accepted(house, draft)
    (row,) = AcceptedTasks(studio.rubrics, drafts, draft.draft_id).rows()
    assert list(row) == [
        "id", "turncase", "num_turns", "prompt_category", "eval_focus", "turn_prompts", "turn_golden_answers",
        "turn_tool_trajectories", "rubrics_by_turn", "images", "images_by_turn", "num_images",
    ]  # fmt: skip
    assert [row[name] for name in ("id", "turncase", "num_images")] == [f"{draft.draft_id}-v1", "single-turn", 1]
    assert json.loads(row["rubrics_by_turn"][0])["total"]["weight"] == 5
    assert row["images"][0].startswith("data:image/png;base64,")


def test_only_what_is_accepted_now_is_exported(house: House) -> None:
    studio, drafts, (ada, *_) = house
    draft, waiting = begun(drafts, ada), begun(drafts, ada)
    accepted(house, draft)
    tried(studio, drafts, waiting, ada, (False, False, True))
    ids = [row["id"] for row in AcceptedTasks(studio.rubrics, drafts).rows()]
    assert f"{draft.draft_id}-v1" in ids and f"{waiting.draft_id}-v1" not in ids
    changed(drafts, draft, ada)
    none = AcceptedTasks(studio.rubrics, drafts, draft.draft_id)
    assert len(none) == 0 and json.loads(b"".join(none.json())) == []


def test_a_picture_whose_file_is_gone_is_named_and_stops_nothing(house: House, places: Path) -> None:
    studio, drafts, (ada, *_) = house
    digest = drafts.upload(png("blue")).digest
    turn = begun(drafts, ada).task.turns[0].model_copy(update={"pictures": (digest,)})
    made = accepted(house, begun(drafts, ada, turns=(turn,)))
    (file,) = studio.rubrics.pictures._folder.glob(f"*/{digest}")
    file.unlink()
    rows = {row["id"]: row for row in AcceptedTasks(studio.rubrics, drafts).rows()}
    assert rows[made.id]["images"] == [f"{digest}.png"]
    write_package(places / "gone", AcceptedTasks(studio.rubrics, drafts).files())
    assert not (places / "gone" / "images" / f"{digest}.png").exists()
