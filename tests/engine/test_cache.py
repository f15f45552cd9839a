"""No visitor waits for the compiler: what `warm` compiled is all that is ever needed, and it is found on disk."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from easel_app.engine import warm
from easel_app.engine.kernel import CACHE_FOLDER, KERNEL_FOLDERS
from easel_app.painting.painters import warming

PROGRAM = """
import json, sys
import numpy as np
from numba.core import event

compiled = []

class Listener(event.Listener):
    def on_start(self, e):
        compiled.append(str(e.data["dispatcher"]))
    def on_end(self, e):
        pass

event.register("numba:compile", Listener())
from easel_app.engine import StepEngine, composite, stroke_mask, warm
from easel_app.painting.painters import able, painter, warming
if "--warm" in sys.argv:
    warm()
    warming.warm()
rng = np.random.default_rng(0)
reference = rng.integers(0, 256, (48, 48, 3)).astype(np.uint8)
read_only = reference[:, :, ::-1]
read_only.flags.writeable = False
engine = StepEngine(reference)
for stroke in rng.random((5, 13)):
    engine.step(stroke)
    engine.step(stroke.tolist())
    engine.step(stroke.astype(np.float32))
    composite(reference, stroke_mask(stroke, 48), np.array([1, 2, 3], np.uint8))
    composite(reference, engine.mask, read_only[0, 0])
engine.load(read_only)
engine.load(engine.canvas, engine.box)
StepEngine(read_only, engine.canvas)
for name in able(None):
    for picture in (reference, read_only):
        hired = painter(name, picture, 3)
        for canvas in (engine.canvas, read_only, reference.copy()):
            engine.step(hired.next(canvas, 0))
            engine.step(hired.next(engine.canvas, 1))
print(json.dumps(compiled))
"""


def run(*options: str) -> list[str]:
    command = [sys.executable, "-c", PROGRAM, *options]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=Path(__file__).parents[2])
    compiled: list[str] = json.loads(done.stdout)
    return compiled


def compile_all() -> None:
    warm()
    warming.warm()


def test_a_process_started_after_warm_never_compiles() -> None:
    compile_all()
    assert run() == []
    assert run("--warm") == []


def test_machine_code_is_kept_in_a_folder_named_by_all_sources() -> None:
    compile_all()
    assert CACHE_FOLDER.name.startswith("easel-")
    kept = {path.name.split(".")[0] for path in CACHE_FOLDER.rglob("*.nbi")}
    for folder in KERNEL_FOLDERS:
        assert kept & {path.stem for path in folder.glob("*.py")}, "engine and painters share one folder"
    assert kept <= {path.stem for folder in KERNEL_FOLDERS for path in folder.glob("*.py")}
