"""Make the pictures of the rubric sample again: `python -m tools.build_rubric_sample`.

`data/rubrics/sample.jsonl` is written by hand. The Python code in its answers' traces is ours too, and this is the one
place where it is run: each call in an empty folder that holds the pictures its model had been shown by then
(`original_image.png`, `original_image_2.png`, …). What a call prints must be what its trace says, and the files it
makes are the pictures that the trace shows; those whose pixels are the same already stay as they are.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

FOLDER = Path(__file__).resolve().parents[1] / "data" / "rubrics"
RUN = ("python_image_processing", "python_interpreter")


def main() -> None:
    """Run all code of the sample; exits with 1 if a trace tells something else than what happens."""
    parser = argparse.ArgumentParser(prog="python -m tools.build_rubric_sample", description="Make the pictures again.")
    parser.add_argument("--check", action="store_true", help="only say what would change")
    check = parser.parse_args().check
    named, changed, wrong = set(), [], []
    for where, call, shown in calls(FOLDER / "sample.jsonl"):
        with tempfile.TemporaryDirectory() as folder:
            printed, made = run(call["arguments"]["code"], shown, Path(folder))
            names = call.get("pictures", [])
            named.update(names)
            if printed != call["observation"]["stdout"]:
                wrong.append(f"{where}: the code prints {printed!r}, the trace says {call['observation']['stdout']!r}")
            if len(made) != len(names):
                wrong.append(f"{where}: the code makes {len(made)} pictures, the trace names {len(names)}")
                continue
            for new, name in zip(made, names, strict=True):
                if not same(new, FOLDER / name):
                    changed.append(name)
                    if not check:
                        shutil.copyfile(new, FOLDER / name)
    wrong += [
        f"{path.name}: no trace names it" for path in FOLDER.glob("pictures/*") if f"pictures/{path.name}" not in named
    ]
    print(f"{len(named)} pictures, {len(changed)} {'differ' if check else 'made anew'}", *changed, *wrong, sep="\n  ")
    if wrong or (check and changed):
        sys.exit(1)


def calls(path: Path) -> Iterator[tuple[str, dict[str, Any], list[Path]]]:
    """Each call that runs code: where it stands, the call, and the pictures that its model had been shown."""
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    tasks = {line["id"]: line for line in lines if line["type"] == "task"}
    for answer in (line for line in lines if line["type"] == "answer"):
        shown: list[Path] = []
        for number, (asked, turn) in enumerate(zip(tasks[answer["task_id"]]["turns"], answer["turns"], strict=True), 1):
            shown = shown + [path.parent / name for name in asked["pictures"]]
            for at, call in enumerate(turn.get("calls", []), 1):
                if call["name"] in RUN:
                    yield f"{answer['task_id']}, {answer['model']}, turn {number}, call {at}", call, shown


def run(code: str, shown: list[Path], folder: Path) -> tuple[str, list[Path]]:
    """What code prints, and the files that it makes, in the order of their names."""
    for number, picture in enumerate(shown, 1):
        shutil.copyfile(picture, folder / ("original_image.png" if number == 1 else f"original_image_{number}.png"))
    # one call fails on purpose: its answer recovers from it
    done = subprocess.run(
        [sys.executable, "-c", code], check=False, cwd=folder, capture_output=True, text=True, timeout=60
    )
    return done.stdout, sorted(folder.glob("transformed_image_*.png"))


def same(new: Path, old: Path) -> bool:
    """Whether two files show the same pixels; PNG files of one picture differ with the library that wrote them."""
    if not old.exists():
        return False
    with Image.open(new) as a, Image.open(old) as b:
        return a.size == b.size and np.array_equal(np.asarray(a.convert("RGB")), np.asarray(b.convert("RGB")))


if __name__ == "__main__":
    main()
