"""The sample set is there from the first look on, whatever was cut off before; ids of sets are of one name only."""

from __future__ import annotations

import pytest

from easel_app.services.problems import Conflict
from easel_app.services.rubrics import rubrics
from easel_app.services.rubrics.views import NewQueue
from easel_app.services.studio import Studio
from easel_app.services.taking_in import intake
from easel_app.services.taking_in.intake import set_id_of
from easel_app.settings import Settings
from easel_app.store.rubrics import RubricStore
from easel_app.store.sets import SetRecord


def whole(studio: Studio) -> bool:
    found = studio.rubrics.set(set_id_of(rubrics.SAMPLE))
    return (found.tasks, found.answers, len(found.queues), found.unfinished) == (12, 36, 1, None)


def test_the_sample_comes_in_once(settings: Settings) -> None:
    for _ in range(2):
        studio = Studio(settings)
        assert len(studio.rubrics.sets()) == 1 and whole(studio)
        studio.close()


@pytest.mark.parametrize("where", ["add_answers", "make"])
def test_a_sample_that_was_cut_off_is_completed(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    def cut(*given: object, **named: object) -> None:
        raise OSError("no space left on the disk")

    studio = Studio(settings)
    with monkeypatch.context() as patched:
        patched.setattr(*((RubricStore, where) if where == "add_answers" else (studio.rubrics.queues, where)), cut)
        studio.rubrics.sets()
    assert whole(studio), "the next look tries again"
    studio.close()


def test_somebodys_own_sample_keeps_ours_from_nothing(studio: Studio) -> None:
    studio.rubrics.store.create(SetRecord("mine", "Mine", True, {}, "now"))
    assert {found.set_id for found in studio.rubrics.sets()} == {"mine", set_id_of(rubrics.SAMPLE)}


def test_a_set_whose_id_another_has_is_refused(studio: Studio, monkeypatch: pytest.MonkeyPatch) -> None:
    taken = studio.rubrics.sets()[0]
    monkeypatch.setattr(intake, "set_id_of", lambda name: taken.set_id)
    source = rubrics.from_disk(rubrics.data_folder() / "rubrics" / "sample.jsonl", root=rubrics.data_folder())
    with pytest.raises(Conflict, match="one id"):
        studio.rubrics.intake.take_in(source, name="Another")


def test_the_sample_queue_is_not_made_twice(studio: Studio) -> None:
    sample = studio.rubrics.sets()[0]
    studio.rubrics.queues.make(NewQueue(set_id=sample.set_id, name="Mine", size=3))
    studio.rubrics.library.first_look._done = False
    assert len(studio.rubrics.sets()[0].queues) == 2
