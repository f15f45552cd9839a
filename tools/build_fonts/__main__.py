"""Build `benchmarks/handwriting/fonts.npz` and its SOURCES.md.

Run: `npm install hersheytext@2.0.0 @fontsource/<each of choice.py>` in a folder, then
`python -m tools.build_fonts FOLDER/node_modules`.
"""

from __future__ import annotations

import argparse
import json
import string
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np

from . import allographs, plotter, skeleton
from .choice import SETS
from .glyph import Glyph

OUT = Path(__file__).parents[2] / "benchmarks" / "handwriting"
LETTERS = string.ascii_lowercase + string.ascii_uppercase
UNIT = 256
"""Steps of a coordinate in an x-height."""
LICENCES = {"OFL-1.1", "Apache-2.0", "MIT"}
HEAD = """# Sources of the glyphs

Written by `python -m tools.build_fonts`; do not edit by hand. `fonts.npz` holds the middle lines of the letters of
these fonts as quadratic curves in whole 1/256 of an x-height: changed from the originals, and under none of their
reserved names. The lines stay under the licence of their font: SIL Open Font License 1.1 (https://openfontlicense.org),
Apache License 2.0 (https://www.apache.org/licenses/LICENSE-2.0) or MIT License, as listed. Fonts named EMS are plotter
fonts from npm `hersheytext` 2.0.0 (SVG by Windell H. Oskay, drawn by Sheldon B. Michaels); those named sparing were
drawn for this project; all others come from npm `@fontsource`.

The reader was tuned on fonts of the sets `*/tune` only. Its numbers are told for fonts of the sets `*/test`. The
plotter fonts were looked at once, when the recogniser and the rules of `rules/1` were chosen.
"""


def main() -> None:
    """Read each font, write the bank and the list of sources."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("modules", type=Path, help="node_modules with the fonts")
    modules = parser.parse_args().modules
    fonts, rows, curves, glyphs = [], [], [], []
    first = 0
    for kind, names in SETS.items():
        for name in names:
            found, source = load(modules, kind, name)
            if source["licence"] not in LICENCES:
                raise SystemExit(
                    f"{name} is under {source['licence']}, which we may not ship: take it out of choice.py"
                )
            fonts.append({"name": name, "set": kind})
            rows.append([name, kind, source["version"], source["licence"], source["author"]])
            for letter, glyph in found.items():
                glyphs.append([len(fonts) - 1, ord(letter), first, len(glyph.curves), round(glyph.advance * UNIT)])
                curves.append(np.round(glyph.curves * UNIT).astype(np.int16))
                first += len(glyph.curves)
            print(f"{name}: {len(found)} letters, {sum(len(g.curves) for g in found.values()) / len(found):.1f} curves")
    np.savez_compressed(
        OUT / "fonts.npz",
        fonts=np.frombuffer(json.dumps(fonts).encode(), np.uint8),
        glyphs=np.array(glyphs, np.int32),
        curves=np.concatenate(curves),
    )
    table = ["| font | set | version | licence | author |", "| --- | --- | --- | --- | --- |"]
    table += [f"| {' | '.join(row)} |" for row in rows]
    (OUT / "SOURCES.md").write_text(HEAD + "\n" + "\n".join(table) + "\n")


def load(modules: Path, kind: str, name: str) -> tuple[dict[str, Glyph], dict[str, str]]:
    """Glyphs of a font, and who made it under which licence."""
    if kind.startswith("plotter"):
        file = modules / "hersheytext" / "svg_fonts" / f"{name}.svg"
        text = next(e.text or "" for e in ElementTree.parse(file).iter() if e.tag.endswith("metadata"))  # noqa: S314
        facts = dict(line.split(":", 1) for line in text.splitlines() if ":" in line)
        if "SIL Open Font License" not in facts["License"]:
            raise SystemExit(f"{name} is under {facts['License']}, which we may not ship: take it out of choice.py")
        author = (
            f"{facts['Created by'].strip()}, after {facts['A derivative of'].strip()} by {facts['Designer'].strip()}"
        )
        return plotter.font_glyphs(file, LETTERS), {"version": "2.0.0", "licence": "OFL-1.1", "author": author}
    if kind.startswith("sparing"):
        glyphs = allographs.font_glyphs(int(name.rsplit("-", 1)[1]), LETTERS)
        return glyphs, {"version": "1", "licence": "Apache-2.0", "author": "Easel Studio"}
    folder = modules / "@fontsource" / name
    facts_: dict[str, Any] = json.loads((folder / "metadata.json").read_text())
    licence = {"mit": "MIT"}.get(facts_["license"]["type"], facts_["license"]["type"])
    version = json.loads((folder / "package.json").read_text())["version"]
    author = " ".join(facts_["license"]["attribution"].split())
    file = folder / "files" / f"{name}-latin-400-normal.woff2"
    return skeleton.font_glyphs(file, LETTERS), {"version": version, "licence": licence, "author": author}


if __name__ == "__main__":
    main()
