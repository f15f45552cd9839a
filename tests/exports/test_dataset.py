"""A data set holds what the logs hold, counted truly, whole or not at all."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest
import yaml

from easel_app.exports.card import Tally
from easel_app.exports.dataset import Chosen, write_dataset
from easel_app.exports.parquet import GROUP_ROWS, Table, feature_of
from easel_app.exports.service import line_of
from easel_app.exports.tables import ACTIONS, SESSIONS
from easel_app.painting import png
from easel_app.painting.stroke import STROKE_FIELDS
from easel_app.painting.tasks import digest
from easel_app.services.problems import Conflict, NotFound
from easel_app.services.studio import Studio
from easel_app.settings import Settings
from easel_app.store.runs import RunRecord
from tests.exports.conftest import SUBMIT, House, begin, play, strokes

ENDED = {"painted", "maze", "fork", "model"}
JSON = dict[str, Any]


def written(house: House, folder: Path, chosen: Chosen = Chosen(), **more: Any) -> Tally:  # noqa: B008
    studio = house.studio
    return write_dataset(folder, chosen, studio.sessions, studio.tasks, studio.runs, **more)


@pytest.fixture(scope="module")
def whole(house: House, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sets") / "whole"
    written(house, folder)
    return folder


def rows(folder: Path, name: str) -> list[JSON]:
    return list(pq.read_table(folder / "data" / f"{name}.parquet").to_pylist())


def test_one_row_a_session_that_has_ended_with_its_pictures(house: House, whole: Path) -> None:
    found = {row["session_id"]: row for row in rows(whole, "sessions")}
    assert set(found) == {house.ids[name] for name in ENDED}
    for name in ENDED:
        task, session, actions = house.recorded(name)
        view = house.studio.sessions.view(session.id).model_dump(mode="json")
        row = found[session.id]
        assert (png.decode(row["reference"]["bytes"]) == task.reference).all()
        assert digest(png.decode(row["canvas"]["bytes"])) == actions[-1].canvas_digest
        assert row["intact"]
        assert row["curve"] == view["curve"]
        assert row["steps"] == view["step"]
        assert row["actions"] == len(actions)
        assert row["final"] == view["score"]
        for figure in ("at_half", "auc", "best", "best_step", "final_best_gap", "exact_repeat_rate", "skill"):
            assert row[figure] == view["trajectory"][figure]
        for figure in view["conduct"]:
            assert row[figure] == view["conduct"][figure]
        assert row["ranked"] == view["ranked"]
        assert row["parent_id"] == session.parent_id
        assert row["picture_licence"] == task.source.licence


def test_one_row_an_action_with_every_number_as_it_was_sent(house: House, whole: Path) -> None:
    found = rows(whole, "actions")
    for name in ENDED:
        _, session, actions = house.recorded(name)
        mine = [row for row in found if row["session_id"] == session.id]
        assert len(mine) == len(actions)
        for row, action in zip(mine, actions, strict=True):
            assert {name: row[name] for name in STROKE_FIELDS if row[name] is not None} == action.params
            for field in ("seq", "step", "kind", "outcome", "message", "canvas_digest", "actor", "guest", "at"):
                assert row[field] == getattr(action, field)
            assert json.loads(row["scores"]) == action.scores
            assert row["inherited"] == (action.session_id != session.id)
            assert row["ssim"] == action.scores.get("ssim")
    assert len(found) == sum(len(house.recorded(name)[2]) for name in ENDED)


def test_the_logs_are_those_that_the_studio_exports_and_can_be_played_again(
    house: House, whole: Path, tmp_path: Path
) -> None:
    assert {path.stem for path in (whole / "logs").iterdir()} == {house.ids[name] for name in ENDED}
    again = Studio(Settings(data_dir=tmp_path))
    try:
        for name in ENDED:
            content = (whole / "logs" / f"{house.ids[name]}.jsonl").read_bytes()
            assert content.decode() == "".join(map(line_of, house.log(name)))
            imported = again.imports.take_in(content)
            _, copies = again.sessions.records(imported.session_id)
            for copy, action in zip(copies, house.recorded(name)[2], strict=True):
                assert (copy.scores, copy.canvas_digest) == (action.scores, action.canvas_digest)
    finally:
        again.close()


def test_the_schema_tells_datasets_which_columns_are_pictures(whole: Path) -> None:
    for name, columns in (("sessions", SESSIONS), ("actions", ACTIONS)):
        file = pq.ParquetFile(whole / "data" / f"{name}.parquet")
        features = json.loads(file.schema_arrow.metadata[b"huggingface"])["info"]["features"]
        assert features == {column.name: feature_of(column.type) for column in columns}
        assert {name for name, kind in features.items() if kind["_type"] == "Image"} <= {"reference", "canvas"}
        group = file.metadata.row_group(0)
        assert {group.column(at).compression for at in range(group.num_columns)} == {"ZSTD"}


def test_the_card_counts_what_is_there_and_names_sources_and_versions(house: House, whole: Path) -> None:
    text = (whole / "README.md").read_text()
    _, head, body = text.split("---\n", 2)
    front = yaml.safe_load(head)
    sessions, actions = rows(whole, "sessions"), rows(whole, "actions")
    counts = {"sessions": len(sessions), "actions": len(actions)}
    for config, info in zip(front["configs"], front["dataset_info"], strict=True):
        name = config["config_name"]
        assert info["config_name"] == name
        assert [config["data_files"][0]["path"]] == [f"data/{name}.parquet"]
        assert info["splits"][0]["num_examples"] == counts[name]
        columns = pq.read_schema(whole / "data" / f"{name}.parquet").names
        assert [entry["name"] for entry in info["features"]] == columns
    assert f"| actions | {len(actions)} |" in body
    assert f"| sessions, all of them ended | {len(sessions)} |" in body
    for kind, count in Counter(row["player_kind"] for row in sessions).items():
        assert f"| sessions, player `{kind}` | {count} |" in body
    assert "| sessions left out, for their task has another picture today or is gone | 1 |" in body
    for version in ("similarity/1", "maze/1", "brush/1", "trajectory/1", "conduct/1"):
        assert f"`{version}`" in body
    for row in sessions:
        line = next(line for line in body.splitlines() if line.startswith(f"| `{row['task_id']}` |"))
        assert row["picture_origin"] in line
        assert row["picture_licence"] in line
        assert "ours, drawn by code" in line
    assert "these scores are not EASEL scores" in body


def test_a_set_of_a_task_a_player_a_run(house: House, tmp_path: Path) -> None:
    def of(**chosen: str) -> set[str]:
        folder = tmp_path / "-".join(chosen)
        written(house, folder, Chosen(**chosen))
        return {row["session_id"] for row in rows(folder, "sessions")}

    ids = house.ids
    assert of(task="programmatic-05") == {ids["painted"], ids["fork"]}
    assert of(player="Second hand") == {ids["fork"]}
    assert of(task="programmatic-05", player="Second hand") == {ids["fork"]}


def test_a_set_of_a_run_names_the_run(tmp_path: Path) -> None:
    from easel_app.services.views import NewSession
    from easel_app.store.records import RunPlace

    studio = Studio(Settings(data_dir=tmp_path / "data"))
    try:
        studio.runs.begin(RunRecord("run-1", {}, "2026-01-01T00:00:00.000+00:00"))
        wish = NewSession.model_validate(
            {"task_id": "programmatic-05", "player": {"kind": "painter", "name": "p"}, "protocol": "studio"}
        )
        inside = studio.sessions.begin(wish, RunPlace("run-1", 1)).session_id
        outside = begin(studio, "programmatic-05", "painter", "p").session_id
        for session_id in (inside, outside):
            play(studio, session_id, [*strokes(2), SUBMIT])
        chosen = Chosen(run="run-1")
        write_dataset(tmp_path / "set", chosen, studio.sessions, studio.tasks, studio.runs)
        assert [(row["session_id"], row["run_id"]) for row in rows(tmp_path / "set", "sessions")] == [(inside, "run-1")]
    finally:
        studio.close()


def test_a_canvas_that_the_log_no_longer_gives_is_left_empty_and_said(house: House) -> None:
    from dataclasses import replace

    from easel_app.exports.tables import session_row

    task, session, actions = house.recorded("painted")
    other = replace(actions[-1], canvas_digest="0" * 64)
    row = session_row(task, session, [*actions[:-1], other], None)
    assert row["canvas"] is None
    assert row["intact"] is False


def test_a_folder_that_holds_something_is_refused_and_stays_as_it_is(house: House, tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(Conflict, match="not an empty folder"):
        written(house, tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]
    with pytest.raises(Conflict):
        written(house, tmp_path / "mine.txt")


def test_an_empty_folder_is_filled(house: House, tmp_path: Path) -> None:
    folder = tmp_path / "empty"
    folder.mkdir()
    assert written(house, folder).sessions == len(ENDED)
    assert (folder / "README.md").is_file()


@pytest.mark.parametrize("chosen", [{"player": "Nobody"}, {"task": "natural-01"}, {"player": "Owner"}])
def test_a_set_of_nothing_is_refused_and_leaves_nothing(house: House, tmp_path: Path, chosen: dict[str, str]) -> None:
    with pytest.raises(NotFound, match="No ended session"):
        written(house, tmp_path / "set", Chosen(**chosen))
    assert not list(tmp_path.iterdir())


def test_an_export_that_is_broken_off_leaves_nothing(house: House, tmp_path: Path) -> None:
    def stop(count: int) -> None:
        if count == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        written(house, tmp_path / "set", told=stop)
    assert not list(tmp_path.iterdir())


def test_rows_are_written_in_groups(tmp_path: Path) -> None:
    values: JSON = {column.name: None for column in ACTIONS}
    with Table(tmp_path / "a.parquet", ACTIONS) as table:
        table.add({**values, "seq": number} for number in range(GROUP_ROWS * 2 + 5))
        assert len(table._rows) == 5
    file = pq.ParquetFile(tmp_path / "a.parquet")
    assert [file.metadata.row_group(at).num_rows for at in range(file.num_row_groups)] == [GROUP_ROWS, GROUP_ROWS, 5]
    assert (np.diff(file.read(["seq"])["seq"].to_numpy()) == 1).all()


def test_what_a_caller_asks_for_is_no_markup_in_the_card() -> None:
    words = Chosen(player="</a> ![x](http://evil) `` | \n# x").words()
    assert not set("<>[](){}!|#\n") & set(words)
    assert words.count("`") == 2
