"""Memory of an import of pictures by the gigabyte. Run: python -m benchmarks rubric_import [--large].

The tables have the layout of the benchmark's data set as its library wrote it when it was published: 100 rows to a row
group, each picture in two columns, and of each column all pictures of a row group in a single page, for the size of a
page is looked at only once for many rows. The pictures are JPEG headers with noise behind them, which does not pack.
"""

from __future__ import annotations

import argparse
import io
import json
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from PIL import Image

MOST_MEMORY = 500
"""MB that an import may take, whatever its size."""
MOST_GROWTH = 1.25
"""Memory of the largest import over that of the smallest."""
SIZES, LARGE = (60, 600), 2000
"""MB of a table."""
ROW, GROUP = 5.0, 100
"""MB of a row in both columns; rows of a row group."""
CELL = pa.struct([("bytes", pa.binary()), ("path", pa.string())])
SCHEMA = pa.schema(
    [
        *[(name, pa.string()) for name in ("id", "turncase", "prompt_category", "eval_focus")],
        *[(name, pa.list_(pa.string())) for name in ("turn_prompts", "turn_golden_answers", "rubrics_by_turn")],
        ("images", pa.list_(CELL)),
        ("images_by_turn", pa.list_(pa.list_(CELL))),
    ]
)


def rows(first: int, count: int) -> pa.Table:
    """Rows of single-turn tasks with two pictures each."""
    rng, header = np.random.default_rng(first), io.BytesIO()
    Image.new("RGB", (1600, 1200)).save(header, "JPEG")
    made = []
    for number in range(first, first + count):
        pictures = [
            {"bytes": header.getvalue() + rng.bytes(int(ROW * 1e6 / 4)), "path": f"image_{at}.jpg"} for at in range(2)
        ]
        rubric = {f"{number}-{at}": {"description": f"Says {at}.", "weight": 1 + at % 5} for at in range(6)}
        made.append(
            {
                "id": f"task-{number}",
                "turncase": "single-turn",
                "prompt_category": "medical",
                "eval_focus": "region_switch",
                "turn_prompts": ["What is the difference between the two?"],
                "turn_golden_answers": ["None."],
                "rubrics_by_turn": [json.dumps(rubric)],
                "images": pictures,
                "images_by_turn": [pictures],
            }
        )
    return pa.Table.from_pylist(made, schema=SCHEMA)


def write(path: Path, size: int) -> int:
    """Write a table of about that many MB; returns how many rows it has."""
    count = max(1, int(size / ROW))
    with pq.ParquetWriter(path, SCHEMA) as writer:
        for first in range(0, count, GROUP):
            writer.write_table(rows(first, min(GROUP, count - first)), row_group_size=GROUP)
    return count


def take_in(path: Path, folder: Path) -> None:
    """Import a table into a data folder; prints how many tasks came in, and the memory and time that it took."""
    from easel_app.rubrics.reading import from_disk
    from easel_app.services.rubrics.intake import RubricIntake
    from easel_app.services.studio import Studio
    from easel_app.settings import Settings

    studio = Studio(Settings(data_dir=folder))
    rubrics = studio.rubrics
    intake = RubricIntake(rubrics.store, rubrics.judgings, rubrics.pictures, rubrics.votes)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    start = time.process_time()
    report = intake.take_in(from_disk(path), name="bench")
    seconds = time.process_time() - start
    studio.close()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps([report.added.tasks, before, peak, seconds]))


def main() -> bool:
    """Print memory by size of the table; True when it is small enough and does not grow."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--large", action="store_true", help=f"a table of {LARGE} MB, too")
    large = parser.parse_known_args()[0].large
    peaks, complete = [], True
    print(f"\nImport of tables of pictures, row groups of {GROUP} rows of {ROW:.0f} MB, each column one page:")
    print(f"{'MB':>6} {'rows':>5} {'before, MB':>11} {'peak, MB':>9} {'CPU, s':>7}")
    for size in (*SIZES, LARGE) if large else SIZES:
        with tempfile.TemporaryDirectory() as name:
            folder, path = Path(name), Path(name, "test-00000-of-00001.parquet")
            # each in a process of its own: what one needs to make a table is not what the other is measured by
            made = int(_child("write", str(path), str(size)))
            tasks, before, peak, seconds = json.loads(_child("import", str(path), str(folder / "data")))
            shutil.rmtree(folder / "data")
        print(f"{size:>6} {tasks:>5} {before:>11.0f} {peak:>9.0f} {seconds:>7.1f}")
        peaks.append(peak)
        complete &= tasks == made
    print(f"limit {MOST_MEMORY} MB; the largest takes {peaks[-1] / peaks[0]:.2f} times the smallest's")
    return complete and max(peaks) <= MOST_MEMORY and peaks[-1] <= MOST_GROWTH * peaks[0]


def _child(*arguments: str) -> str:
    command = [sys.executable, "-m", "benchmarks.rubric_import", *arguments]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout  # noqa: S603


if __name__ == "__main__":
    if sys.argv[1:2] == ["write"]:
        print(write(Path(sys.argv[2]), int(sys.argv[3])))
    elif sys.argv[1:2] == ["import"]:
        take_in(Path(sys.argv[2]), Path(sys.argv[3]))
    else:
        raise SystemExit(0 if main() else 1)
