"""Files of rubric data for tests, in each of the formats that are imported."""

from __future__ import annotations

import base64
import io
import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from PIL import Image

from easel_app.rubrics.reading import RubricSource
from easel_app.sources.found import Found, Problem

Row = dict[str, Any]
CELL = pa.struct([("bytes", pa.binary()), ("path", pa.string())])
SCHEMA = pa.schema(
    [
        *[(name, pa.string()) for name in ("id", "turncase")],
        ("num_turns", pa.int64()),
        *[(name, pa.string()) for name in ("prompt_category", "eval_focus")],
        *[(name, pa.list_(pa.string())) for name in ("turn_prompts", "turn_golden_answers", "turn_tool_trajectories")],
        ("rubrics_by_turn", pa.list_(pa.string())),
        ("images", pa.list_(CELL)),
        ("images_by_turn", pa.list_(pa.list_(CELL))),
        ("num_images", pa.int64()),
    ]
)
"""The columns of the data set's present revision."""


def picture(seed: int = 0, kind: str = "PNG", size: tuple[int, int] = (5, 4)) -> bytes:
    """A small picture file, another one for each seed."""
    file = io.BytesIO()
    Image.new("RGB", size, (seed % 256, seed // 256 % 256, 99)).save(file, kind)
    return file.getvalue()


def url(content: bytes, kind: str = "image/png") -> str:
    return f"data:{kind};base64,{base64.b64encode(content).decode()}"


def item(weight: Any = 3, **more: Any) -> Row:
    """A rubric item as the benchmark's files hold it."""
    return {
        "description": "Names the colour.",
        "weight": weight,
        "objective/subjective": "objective",
        "explicit/implicit": "explicit",
        "category": ["truthfulness"],
        "critical": "no",
        **more,
    }


def row(task_id: str = "t1", turns: int = 1, **more: Any) -> Row:
    """A row of the data set without pictures."""
    return {
        "id": task_id,
        "turncase": "single-turn" if turns == 1 else "multi-turn",
        "num_turns": turns,
        "prompt_category": "chemistry",
        "eval_focus": "region_switch",
        "turn_prompts": [f"What is at {n}?" for n in range(turns)],
        "turn_golden_answers": [f"It is {n}." for n in range(turns)],
        "turn_tool_trajectories": ['[{"tool": "crop"}]'] * turns,
        "rubrics_by_turn": [json.dumps({f"i{n}-a": item(), f"i{n}-b": item(5)}) for n in range(turns)],
        **more,
    }


def cells(*contents: bytes | None, path: str = "image.png") -> list[Row]:
    return [{"bytes": content, "path": path} for content in contents]


def parquet(path: Path, rows: Sequence[Row], schema: pa.Schema = SCHEMA, **how: Any) -> Path:
    """A parquet file of rows, its missing columns null."""
    size = how.pop("row_group_size", 100)
    table = pa.Table.from_pylist([{name: each.get(name) for name in schema.names} for each in rows], schema=schema)
    pq.write_table(table, path, row_group_size=size, **how)
    return path


def task(task_id: str = "t1", turns: int = 1, **more: Any) -> Row:
    """A task in our own format, two items a turn."""
    made = [
        {
            "prompt": f"What is at {n}?",
            "golden_answer": "Blue.",
            "rubric": [
                {"id": "a", "description": "Names the colour.", "weight": 3},
                {"id": "b", "description": "Is brief.", "weight": 5, "objectivity": "subjective", "critical": True},
            ],
        }
        for n in range(turns)
    ]
    return {"type": "task", "id": task_id, "category": "temporal", "domain": "sports", "turns": made, **more}


def answer(task_id: str = "t1", model: str = "m", turns: int = 1, **more: Any) -> Row:
    said = [{"text": f"Blue at {n}.", "calls": [{"name": "calculator", "arguments": {}}]} for n in range(turns)]
    return {"type": "answer", "task_id": task_id, "model": model, "turns": said, **more}


def verdict(task_id: str = "t1", model: str = "m", item_id: str = "a", **more: Any) -> Row:
    about = {"type": "verdict", "task_id": task_id, "model": model, "item_id": item_id}
    return {**about, "judge": "j", "verdict": "met", "reason": "It does.", **more}


def vote(task_id: str = "t1", model: str = "m", item_id: str = "a", **more: Any) -> Row:
    about = {"type": "vote", "task_id": task_id, "model": model, "item_id": item_id}
    return {**about, "reviewer": "r", "verdict": "met", "blind": True, "at": "2026-05-04T10:00:00Z", **more}


def response(task_id: str = "t1", turns: int = 1, **more: Any) -> Row:
    """A model's answer as the authors' scripts write it."""
    calls = [{"function_name": "calculator", "function_args": {"expression": "1"}, "observation": {"result": 1}}]
    said = [
        {
            "turn_number": n,
            "prompt": f"What is at {n}?",
            "image": None,
            "model_answer": f"Blue at {n}.",
            "golden_answer": "Blue.",
            "tool_trajectory": "[]",
            "rubrics": json.dumps({f"i{n}-a": item(), f"i{n}-b": item(5)}),
            "num_tool_calls": 2,
            "tool_use_list": calls,
            "content_list": [{"step": 0, "content": None}],
        }
        for n in range(turns)
    ]
    about = {"id": task_id, "task_id": task_id, "eval_focus": "temporal", "prompt_category": "sports"}
    if turns == 1:
        return {**about, **{name: each for name, each in said[0].items() if name != "turn_number"}, **more}
    return {**about, "turns": said, "total_turns": turns, **more}


def judged(verdicts: Mapping[str, Any] | Sequence[Mapping[str, Any]], task_id: str = "t1") -> Row:
    """A judge's output as the authors' scripts write it; a verdict that is a text becomes the reply that says it."""

    def entry(item_id: str, said: Any) -> Row:
        text = json.dumps({"explanation": "So it is.", "judge_result": said}) if isinstance(said, str) else said
        return {"rubric_id": item_id, "judge_result": text}

    turns = [verdicts] if isinstance(verdicts, Mapping) else verdicts
    results = [[entry(*each) for each in turn.items()] for turn in turns]
    about = {"task_id": task_id, "turncase": "", "eval_focus": "temporal", "prompt_category": "sports"}
    return {**about, "judge_result": results[0] if isinstance(verdicts, Mapping) else results, "score": 1}


def lines(path: Path, entries: Iterable[Any]) -> Path:
    """A file of JSON lines; what is bytes or text is written as it is."""
    with path.open("wb") as file:
        for each in entries:
            text = each if isinstance(each, str | bytes) else json.dumps(each)
            file.write((text.encode() if isinstance(text, str) else text) + b"\n")
    return path


def source(path: Path, **how: Any) -> RubricSource:
    return RubricSource([path], path.name, **how)


def read(path: Path, **how: Any) -> tuple[list[Found], list[Problem]]:
    """What reading a file finds, and what is wrong with it."""
    found = list(source(path, **how).read())
    return [each for each in found if isinstance(each, Found)], [each for each in found if isinstance(each, Problem)]


def told(problems: Iterable[Problem]) -> list[str]:
    """Problems as a person reads them."""
    return [f"{problem.place}: {fault.what}" for problem in problems for fault in problem.faults]
