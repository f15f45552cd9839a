"""Build `data/references`: `python -m tools.build_references`."""

from __future__ import annotations

import argparse
from pathlib import Path

from . import emoji, fonts, sources

ROOT = Path(__file__).resolve().parents[2]


def main() -> None:
    """Cut fonts, draw emoji, and write where all of it comes from."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.build_references", description="Build the fonts and emoji of the reference pool."
    )
    parser.add_argument("--out", type=Path, default=ROOT / "data" / "references", help="where they go")
    parser.add_argument("--build", type=Path, default=ROOT / "build" / "references", help="where packages are kept")
    parser.add_argument(
        "--tasks", type=Path, default=ROOT / "data" / "tasks" / "catalogue.json", help="whose emoji are left out"
    )
    options = parser.parse_args()

    options.out.mkdir(parents=True, exist_ok=True)
    built = fonts.build(options.build, options.out / "fonts")
    counts = emoji.build(options.build, options.out, options.tasks)
    (options.out / "SOURCES.md").write_text(sources.as_markdown(built, counts), encoding="utf-8")
    (options.out / "notices").mkdir(exist_ok=True)
    for family, text in sources.notices(ROOT / "LICENSE").items():
        (options.out / "notices" / f"{family}.md").write_text(text, encoding="utf-8")
    print(f"{len(built)} fonts and {sum(count for _, count in counts)} emoji in {options.out}")


if __name__ == "__main__":
    main()
