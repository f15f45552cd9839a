"""A small finished data set, and a model that writes texts on its strokes."""

from __future__ import annotations

import base64
import itertools
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from easel_app.engine import StepEngine
from easel_app.exports.parquet import Table
from easel_app.painting import png
from easel_app.painting.tasks import digest
from easel_app.trajectories.folder import CARD, PARTS, Folder, Part, Shard, sha256
from easel_app.trajectories.reading import DataSet, strokes_of
from easel_app.trajectories.recipe import PoolWish, Recipe, SampleWish
from easel_app.trajectories.records import FileNote, Manifest, versions
from easel_app.trajectories.tables import REFERENCES, TRAJECTORIES, sample_columns
from tests.endpoint import Answer, Body, Headers, completion
from tests.endpoint import digest as seen
from tests.endpoint.painter import pictures

SIZE, STROKES, SHARD = 32, 8, 4
STEPS = {"C1": (0, 1, 2, 5), "C2": (1, 6)}
"""Steps that become samples; 1 is in both subsets."""
A_REFERENCE = 5
"""Strokes of a reference that get a text."""
Row = Mapping[str, Any]


def references(count: int) -> list[dict[str, Any]]:
    """References that differ: a square on a ground."""
    rows = []
    for number in range(count):
        pixels = np.full((SIZE, SIZE, 3), (7 * number % 256, 200, 40), np.uint8)
        pixels[4 : 12 + number % 16, 6:20] = (250, number % 256, 90)
        source = {
            "title": f"Square {number}",
            "origin": "tests",
            "author": "tests",
            "licence": "Apache-2.0",
            "detail": "",
        }
        key = digest(pixels)[:16]
        image = {"bytes": png.encode(pixels), "path": f"{key}.png"}
        rows.append({"reference_key": key, "family": "geometry", **source, "image": image})
    return rows


def finished_data(path: Path, count: int = 8, images: bool = True) -> DataSet:
    """A data set of `count` references in shards of four, its strokes drawn from a seed."""
    rng, folder = np.random.default_rng(1), Folder(path)
    recipe = Recipe(
        pool=PoolWish(references=count, size=SIZE, families={"geometry": 1.0}, validation=0.0),
        samples=SampleWish(c1_all=3, c1_until=6, c1_some=1, c2=2),
        painter="random",
        strokes=STROKES,
        images=images,
        shard=SHARD,
    )
    files, rows = {}, references(count)
    total = -(-count // SHARD)
    for number in range(total):
        shard = Shard("train", number, total)
        mine = rows[number * SHARD : (number + 1) * SHARD]
        painted = [_painted(row, rng) for row in mine]
        samples = [
            _sample(row, made, subset, step, images)
            for row, made in zip(mine, painted, strict=True)
            for subset, step in places()
        ]
        tables: dict[Part, tuple[Any, Any]] = {
            "references": (REFERENCES, mine),
            "trajectories": (TRAJECTORIES, [_trajectory(row, made) for row, made in zip(mine, painted, strict=True)]),
            "samples": (sample_columns(images), samples),
        }
        for part, (columns, content) in tables.items():
            place = folder.file(shard, part)
            place.parent.mkdir(parents=True, exist_ok=True)
            with Table(place, columns) as table:
                table.add(content)
            files[shard.file(part)] = FileNote(sha256=sha256(place), bytes=place.stat().st_size, rows=len(content))
    manifest = Manifest(
        recipe=recipe,
        versions=versions(recipe),
        references={"train": count},
        terms=(),
        skipped={},
        trajectories=count,
        strokes=count * STROKES,
        distinct=count * STROKES,
        falling=0,
        samples={"train": {"C1": count * len(STEPS["C1"]), "C2": count * len(STEPS["C2"])}},
        mean_similarity=0.5,
        bytes={part: sum(note.bytes for name, note in files.items() if name.startswith(part)) for part in PARTS},
        sample_bytes={"pictured": 1000.0, "bare": 10.0},
        files=files,
    )
    folder.manifest.write_text(manifest.model_dump_json())
    (path / CARD).write_text("# A set of the tests")
    return DataSet(path)


def places() -> list[tuple[str, int]]:
    """Subset and step of each sample of a reference."""
    return [(subset, step) for subset, steps in STEPS.items() for step in steps]


def _painted(row: Row, rng: np.random.Generator) -> tuple[np.ndarray[Any, Any], list[Any], list[float]]:
    actions = rng.integers(0, 1001, (STROKES, 13))
    engine = StepEngine(png.decode(row["image"]["bytes"]))
    canvases, curve = [engine.canvas.copy()], [engine.scores().similarity]
    for stroke in strokes_of(actions):
        curve.append(engine.step(stroke).similarity)
        canvases.append(engine.canvas.copy())
    return actions, canvases, curve


def _trajectory(row: Row, painted: Any) -> dict[str, Any]:
    actions, canvases, curve = painted
    return {
        **{name: row[name] for name in ("reference_key", "family")},
        **{"painter": "random/1", "seed": 1, "actions": actions.ravel().tolist(), "similarity": curve},
        "canvas_sha256": digest(canvases[-1]),
    }


def _sample(row: Row, painted: Any, subset: str, step: int, images: bool) -> dict[str, Any]:
    actions, canvases, curve = painted
    sample = {
        **{name: row[name] for name in ("reference_key", "family")},
        **{"subset": subset, "step": step, "strokes": STROKES, "action": actions[step].tolist()},
        **{"similarity": curve[step], "similarity_after": curve[step + 1]},
    }
    if images:
        sample |= {"reference": row["image"], "canvas": {"bytes": png.encode(canvases[step]), "path": "canvas.png"}}
    return sample


def sentence(body: Body) -> str:
    """What the model says of a request: a text that depends on all that it shows and on nothing else."""
    words = ("ochre", "violet", "teal", "crimson", "olive", "umber", "coral", "indigo")
    colours = [words[byte % len(words)] for byte in seen(body)[:4]]
    first = f"The {colours[0]} field in the middle is still missing its {colours[1]} edge."
    return f"{first} A broad {colours[2]} stroke from the left covers what is {colours[3]} there."


def writer(number: int, body: Body, headers: Headers) -> Answer:
    """A model without fault."""
    return completion(body, {"content": sentence(body)})


def shown(body: Body) -> list[np.ndarray[Any, Any]]:
    """The pictures of a request."""
    return [png.decode(base64.b64decode(url.partition(",")[2])) for url in pictures(body)]


def action_of(body: Body) -> list[int]:
    """The stroke of a request."""
    texts = [part["text"] for part in body["messages"][1]["content"] if part["type"] == "text"]
    (found,) = [text for text in texts if text.startswith("The next stroke")]
    numbers: dict[str, int] = json.loads(found.partition("\n")[2])
    return list(numbers.values())


def in_turn(*saying: Any) -> Any:
    """A script that says these in turn, the last one for good: a text, or a script."""
    turns = itertools.chain(saying[:-1], itertools.repeat(saying[-1]))

    def script(number: int, body: Body, headers: Headers) -> Answer:
        said = next(turns)
        return completion(body, {"content": said}) if isinstance(said, str) else said(number, body, headers)

    return script
