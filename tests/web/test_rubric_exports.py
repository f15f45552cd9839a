"""A rubric set as a file over HTTP."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterator
from typing import get_args

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from easel_app.exports.outgoing import TYPES
from easel_app.exports.rubrics.service import Name, RubricExports
from easel_app.services.studio import Studio
from easel_app.web import errors, rubric_exports
from tests.exports.reviewing import empty_studio, make_reviewed
from tests.services.rubrics.making import SET

PATH = f"/api/rubrics/sets/{SET}/export"


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Studio]:
    studio = empty_studio(tmp_path_factory.mktemp("rubric-exports"))
    make_reviewed(studio.rubrics)
    yield studio
    studio.close()


@pytest.fixture(scope="module")
def reader(house: Studio) -> Iterator[TestClient]:
    """The routes alone."""
    app = FastAPI()
    errors.install(app)
    app.include_router(rubric_exports.router(house), prefix="/api")
    with TestClient(app, raise_server_exceptions=False) as client:
        yield client


@pytest.mark.parametrize("name", get_args(Name))
def test_each_is_a_file_to_be_kept_that_holds_what_the_service_makes(
    house: Studio, reader: TestClient, name: Name
) -> None:
    answer = reader.get(f"{PATH}/{name}")
    assert answer.status_code == 200
    assert answer.headers["content-type"].partition(";")[0] == TYPES[name.rpartition(".")[2]]
    assert answer.headers["content-disposition"] == f'attachment; filename="{SET}-{name}"'
    assert answer.headers["cache-control"] == "no-store"
    assert answer.content == b"".join(RubricExports(house.rubrics).export(SET, name).pieces)


def test_the_archive_is_whole(reader: TestClient) -> None:
    with zipfile.ZipFile(io.BytesIO(reader.get(f"{PATH}/set.zip").content)) as archive:
        assert archive.testzip() is None
        lines = [json.loads(line) for line in archive.read("set.jsonl").splitlines()]
    assert [line["type"] for line in lines[:4]] == ["set", "task", "task", "task"]


def test_a_reader_who_leaves_half_way_harms_nobody(reader: TestClient) -> None:
    for _ in range(3):
        with reader.stream("GET", f"{PATH}/set.zip") as answer:
            next(answer.iter_raw(64))
    assert reader.get(f"{PATH}/verdicts.csv").status_code == 200


@pytest.mark.parametrize("name", get_args(Name))
@pytest.mark.parametrize("set_id", ["nowhere", "a%0d%0aSet-Cookie: x", "..%2f..", "x" * 120])
def test_no_set_is_a_404(reader: TestClient, set_id: str, name: str) -> None:
    answer = reader.get(f"/api/rubrics/sets/{set_id}/export/{name}")
    assert answer.status_code == 404


@pytest.mark.parametrize("name", ["verdicts.xml", "set", "votes.jsonl", "x" * 300])
def test_no_other_file_is_made(reader: TestClient, name: str) -> None:
    answer = reader.get(f"{PATH}/{name}")
    assert answer.status_code == 422
    assert answer.json()["error"]["field"] == "path.name"
