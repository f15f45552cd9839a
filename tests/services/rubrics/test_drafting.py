"""Drafts: how they are written, what they lack, how far they are, and who may do what with them."""

from __future__ import annotations

import io
import struct
import threading
import zipfile
import zlib
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from easel_app.services.problems import Conflict, Forbidden, Invalid, NotFound, Refusal, TooLarge
from easel_app.services.reviewers import Person
from easel_app.services.rubrics import drafting
from easel_app.services.rubrics.authoring_views import DraftItem, DraftTask, DraftTurn, NewDraft, NewVersion
from easel_app.services.rubrics.drafting import MOST_DRAFT, DraftService
from easel_app.services.rubrics.drafts import missing, outcome_of, task_of, with_ids
from easel_app.services.studio import Studio
from easel_app.sources.fields import Picture
from tests.services.rubrics.draft_making import begun, changed, complete, drafts_of, person, png, request_id, tried

DIGEST = "a" * 64
PICTURE = Picture(digest=DIGEST, format="png", width=8, height=6)


@pytest.fixture
def drafts(studio: Studio) -> DraftService:
    return drafts_of(studio)


@pytest.fixture
def ada(studio: Studio) -> Person:
    return person(studio.rubrics, "Ada")


@pytest.fixture
def bob(studio: Studio) -> Person:
    return person(studio.rubrics, "Bob")


def test_a_draft_is_written_version_by_version_and_none_is_lost(drafts: DraftService, ada: Person, bob: Person) -> None:
    empty = drafts.make(ada, NewDraft(request_id="1"))
    assert (empty.stage, empty.version, empty.author) == ("draft", 1, "Ada")
    digest = drafts.upload(png()).digest
    whole = drafts.change(empty.draft_id, ada, NewVersion(request_id="2", based_on=1, task=complete(digest)))
    assert whole.version == 2 and not whole.missing and whole.may == ["edit"]
    assert whole.pictures[digest].model_dump() == {"digest": digest, "width": 8, "height": 6}
    assert drafts.version(empty.draft_id, 1) == empty.task and drafts.version(empty.draft_id, 2) == complete(digest)
    assert drafts.view(empty.draft_id, bob).why_not["edit"].startswith("Ada writes this task")
    (line,) = drafts.every(bob)
    assert (line.title, line.category, line.turns, line.items, line.version) == ("Prices", "region_switch", 1, 2, 2)
    assert drafts.every(bob, mine=True) == [] and drafts.every(ada, "draft", mine=True) == [line]
    assert drafts.every(ada, "accepted") == []


def test_a_request_that_is_sent_again_is_granted_once(drafts: DraftService, ada: Person, bob: Person) -> None:
    wish = NewDraft(request_id="same", task=DraftTask(turns=(DraftTurn(rubric=(DraftItem(), DraftItem())),)))
    first = drafts.make(ada, wish)
    assert drafts.make(ada, wish) == first, "with the ids that its items got"
    change = NewVersion(request_id="next", based_on=1, task=DraftTask(title="Renamed"))
    second = drafts.change(first.draft_id, ada, change)
    changed(drafts, second, ada)
    assert drafts.change(first.draft_id, ada, change).version == 3, "told of what there is now"
    assert len(drafts.every(ada)) == 1
    used: list[NewDraft | NewVersion] = [
        NewDraft(request_id="same"),
        NewDraft(request_id="next"),
        change.model_copy(update={"task": DraftTask(title="Other")}),
        NewVersion(request_id="same", based_on=3, task=wish.task),
    ]
    for again in used:
        with pytest.raises(Conflict) as caught:
            drafts.make(ada, again) if isinstance(again, NewDraft) else drafts.change(first.draft_id, ada, again)
        assert caught.value.code == "request_id_reused"
    assert drafts.make(bob, wish).draft_id != first.draft_id, "another person's requests are others"


def test_of_two_changes_at_once_one_wins_and_the_other_is_told(drafts: DraftService, ada: Person) -> None:
    draft, together = begun(drafts, ada), threading.Barrier(8)

    def change(title: str) -> str:
        together.wait()
        try:
            changed(drafts, draft, ada, title=title)
        except Conflict as conflict:
            assert conflict.code == "changed_meanwhile" and "last version is 2, not 1" in conflict.message
            return ""
        return title

    with ThreadPoolExecutor(8) as hands:
        won = [title for title in hands.map(change, map(str, range(8))) if title]
    assert len(won) == 1 and drafts.view(draft.draft_id, ada).task.title == won[0]


def test_two_of_the_same_request_at_once_make_one_draft(drafts: DraftService, ada: Person) -> None:
    with ThreadPoolExecutor(8) as hands:
        ids = set(hands.map(lambda _: drafts.make(ada, NewDraft(request_id="same")).draft_id, range(8)))
    assert len(ids) == 1 == len(drafts.every(ada))


def test_only_who_began_a_draft_changes_it(drafts: DraftService, ada: Person, bob: Person) -> None:
    draft = begun(drafts, ada)
    with pytest.raises(Forbidden, match="Ada writes this task"):
        changed(drafts, draft, bob)
    with pytest.raises(NotFound):
        drafts.view("nowhere", ada)
    with pytest.raises(NotFound):
        drafts.version(draft.draft_id, 2)


def test_a_stage_follows_from_the_trial_of_the_last_version(studio: Studio, drafts: DraftService, ada: Person) -> None:
    draft = begun(drafts, ada)
    assert tried(studio, drafts, draft, ada, (False, None, True)).stage == "trial"
    draft = changed(drafts, draft, ada)
    assert draft.stage == "draft" and len(draft.trials) == 1, "a new version is tried anew, the history stays"
    dropped = tried(studio, drafts, draft, ada, (False, True, True))
    assert dropped.stage == "dropped" and dropped.trials[-1].failures == 1
    assert "change" in dropped.why_not["try"] or "changed" in dropped.why_not["try"]
    draft = changed(drafts, dropped, ada)
    kept = tried(studio, drafts, draft, ada, (False, True, False))
    assert kept.stage == "review" and kept.trials[-1].outcome == "kept"
    assert [(m.state, m.score, m.passed) for m in kept.trials[-1].models] == [
        ("done", 0.0, False), ("done", 1.0, True), ("done", 0.0, False),
    ]  # fmt: skip
    assert [line.stage for line in drafts.every(ada)] == ["review"]
    assert [trial.outcome for trial in changed(drafts, kept, ada).trials] == ["open", "dropped", "kept"]


@pytest.mark.parametrize(
    ("changes", "where"),
    [
        ({"category": None}, ["category"]),
        ({"category": "temporal"}, ["turns"]),
        ({"domain": " "}, ["domain"]),
        ({"turns": [{}]}, ["turns.0.prompt", "turns.0.golden_answer", "turns.0.pictures", "turns.0.rubric"]),
        ({"turns": [{}, {}]}, ["turns", "turns.0.prompt", "turns.0.golden_answer", "turns.1.prompt",
                               "turns.1.golden_answer", "turns.0.pictures", "turns.0.rubric"]),
    ],
)  # fmt: skip
def test_what_is_missing_is_told_at_its_place(changes: dict[str, Any], where: list[str]) -> None:
    assert [each.where for each in missing(complete(DIGEST, **changes), {DIGEST: PICTURE})] == where


def test_a_rubric_is_complete_once_its_items_say_something_have_ids_and_one_is_critical() -> None:
    def told(*items: dict[str, Any]) -> list[str]:
        turn = {"prompt": "?", "golden_answer": "!", "pictures": [DIGEST], "rubric": items}
        return [each.where for each in missing(complete(DIGEST, turns=[turn]), {DIGEST: PICTURE})]

    assert told({"id": "a", "description": "x", "weight": 4}) == []
    assert told({"id": "a", "description": " \n", "weight": 4}) == ["turns.0.rubric.0.description"]
    assert told({"id": "a", "description": "x", "weight": 3, "critical": True}) == ["turns.0.rubric"]
    twice = {"id": "a", "description": "x", "weight": 4}
    assert told(twice, twice | {"id": "b"}, twice) == ["turns.0.rubric.2.id"]


def test_a_picture_whose_file_is_gone_is_asked_for_again(drafts: DraftService, ada: Person) -> None:
    draft = drafts.make(ada, NewDraft(request_id="1", task=complete(DIGEST)))
    assert [each.where for each in draft.missing] == ["turns.0.pictures.0"] and draft.pictures == {}


def _bomb() -> bytes:
    """A PNG that says it has 10^9 pixels."""
    head = struct.pack(">IIBBBBB", 40_000, 25_000, 8, 2, 0, 0, 0)
    chunk = b"IHDR" + head
    return b"\x89PNG\r\n\x1a\n" + struct.pack(">I", 13) + chunk + struct.pack(">I", zlib.crc32(chunk)) + png()[33:]


def _zip() -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("a.png", png())
    return file.getvalue()


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"", "the file is empty"),
        (_bomb(), "megapixels"),
        (_zip(), "no PNG, JPEG, WebP or GIF"),
        (b"\x89PNG\r\n\x1a\n" + _zip(), "damaged or cut off"),
        (b"<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>", "an SVG drawing"),
        (png()[:20], "damaged or cut off"),
        (bytes(33 * 1024 * 1024), "at most 33.6 MB"),
    ],
)
def test_what_is_no_picture_is_refused_in_one_sentence(drafts: DraftService, content: bytes, why: str) -> None:
    with pytest.raises(Invalid, match=why) as caught:
        drafts.upload(content)
    assert caught.value.message.endswith("choose another file.")


def test_hostile_texts_are_kept_as_they_are_but_for_what_cannot_be_stored(drafts: DraftService, ada: Person) -> None:
    text = "<script>alert(1)</script>\u202e{{x}} '); DROP TABLE task_drafts; -- "
    turn = DraftTurn(
        prompt="p" * 100_000, golden_answer=text + "\ud800\0", rubric=(DraftItem(id="a", description=text),)
    )
    draft = drafts.make(ada, NewDraft(request_id="1", task=DraftTask(title="<b>x</b>", turns=(turn,))))
    again = drafts.version(draft.draft_id, 1).turns[0]
    assert again.prompt == turn.prompt and again.golden_answer == text + "\N{REPLACEMENT CHARACTER}" * 2
    assert again.rubric[0].description == text
    assert drafts.every(ada)[0].title == "<b>x</b>"


def test_a_draft_is_bounded_as_a_whole(drafts: DraftService, ada: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    turns = tuple(DraftTurn(prompt="p" * 100_000, golden_answer="g" * 100_000) for _ in range(32))
    with pytest.raises(TooLarge, match="more than 4 MB"):
        drafts.make(ada, NewDraft(request_id="1", task=DraftTask(turns=turns)))
    assert drafts.every(ada) == [] and MOST_DRAFT == 4 * 2**20
    draft = drafts.make(ada, NewDraft(request_id="1", task=DraftTask(turns=turns[:20])))
    monkeypatch.setattr(drafting, "MOST_VERSIONS", 2)
    changed(drafts, draft, ada)
    with pytest.raises(Refusal, match="It has 2 versions, which is as many"):
        drafts.change(draft.draft_id, ada, NewVersion(request_id="2", based_on=2, task=DraftTask()))
    with pytest.raises(Conflict, match="its last version is 2, not 1000"):
        drafts.change(draft.draft_id, ada, NewVersion(request_id="2", based_on=1000, task=DraftTask()))


_text = st.text(max_size=20)
_line = st.text(st.characters(categories=("L", "N", "P")), min_size=1, max_size=10)
_item = st.builds(
    DraftItem, id=st.sampled_from(["", "a", "b", "ü b"]), description=_text, weight=st.integers(1, 5),
    critical=st.none() | st.booleans(), objectivity=st.sampled_from([None, "objective", "subjective"]),
    categories=st.lists(_line, max_size=2).map(tuple), final_answer=st.none() | st.booleans(),
)  # fmt: skip
_turn = st.builds(
    DraftTurn, prompt=_text, golden_answer=_text, tool_trajectory=_text,
    pictures=st.sampled_from([(), (DIGEST,), (DIGEST, DIGEST)]), rubric=st.lists(_item, max_size=3).map(tuple),
)  # fmt: skip
TASKS = st.builds(
    DraftTask, title=_line, category=st.sampled_from([None, "region_switch", "follow_up"]), domain=_line,
    turns=st.lists(_turn, min_size=1, max_size=3).map(tuple),
)  # fmt: skip


@given(TASKS, st.text(min_size=1, max_size=5))
def test_what_nothing_is_missing_from_becomes_a_task(task: DraftTask, request: str) -> None:
    named = with_ids(task, request)
    assert with_ids(named, "other") == named == with_ids(task, request)
    if not missing(named, {DIGEST: PICTURE}):
        made = task_of("t-v1", named, {DIGEST: PICTURE})
        assert [len(turn.rubric) for turn in made.turns] == [len(turn.rubric) for turn in task.turns]


@given(st.lists(st.sampled_from([True, False, None]), max_size=8), st.integers(0, 8))
def test_an_outcome_once_told_stays_whatever_the_others_do(passed: list[bool | None], least: int) -> None:
    outcome = outcome_of(passed, least)
    final = {outcome_of([p if p is not None else rest for p in passed], least) for rest in (True, False)}
    assert final == {outcome} if outcome != "open" else final == ({"kept", "dropped"} if least else {"kept"})


@pytest.mark.parametrize(
    ("passed", "least", "outcome"),
    [
        ([None, None], 0, "open"),
        ([False, None], 0, "open"),
        ([True, True], 0, "kept"),
        ([False, None], 1, "kept"),
        ([True, None], 1, "open"),
        ([True, None], 2, "dropped"),
    ],
)
def test_where_no_model_must_fail_a_trial_is_kept_once_all_are_done(
    passed: list[bool | None], least: int, outcome: str
) -> None:
    assert outcome_of(passed, least) == outcome


def test_ids_of_requests_do_not_leak_between_people() -> None:
    task = DraftTask(turns=(DraftTurn(rubric=(DraftItem(), DraftItem())),))
    a, b = with_ids(task, "1/r"), with_ids(task, "2/r")
    ids = [item.id for each in (a, b) for item in each.turns[0].rubric]
    assert len(set(ids)) == 4, request_id()
