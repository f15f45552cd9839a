"""Build `data/tasks` and `data/semantic`: `python -m tools.build_tasks`."""

from __future__ import annotations

import argparse
from pathlib import Path

from . import catalogue, semantic, sheet, sources, variety

ROOT = Path(__file__).resolve().parents[2]


def main() -> None:
    """Paint all tasks, check them, and write pictures, catalogue, sources and contact sheets."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.build_tasks", description="Build the 110 reconstruction tasks and the five semantic ones."
    )
    parser.add_argument("--out", type=Path, default=ROOT / "data" / "tasks", help="where pictures and catalogue go")
    parser.add_argument(
        "--build", type=Path, default=ROOT / "build" / "tasks", help="where packages and contact sheets go"
    )
    parser.add_argument("--semantic", type=Path, default=ROOT / "data" / "semantic", help="where the five tasks go")
    parser.add_argument("--only-semantic", action="store_true", help="leave the 110 reconstructions as they are")
    options = parser.parse_args()

    five = semantic.write(options.semantic)
    print(f"{len(five)} semantic tasks in {options.semantic}")
    if options.only_semantic:
        return
    tasks = list(catalogue.build(options.build))
    variety.check(tasks)
    options.out.mkdir(parents=True, exist_ok=True)
    names = {f"{task.entry['id']}.png": task.pixels for task in tasks}
    for name, pixels in names.items():
        (options.out / name).write_bytes(catalogue.png(pixels))
    for stale in [path for path in options.out.glob("*.png") if path.name not in names]:
        stale.unlink()
    (options.out / "catalogue.json").write_text(catalogue.as_json(tasks), encoding="utf-8")
    (options.out / "SOURCES.md").write_text(sources.as_markdown(tasks), encoding="utf-8")
    for category in catalogue.CATEGORIES:
        own = [(f"{t.entry['id']} {t.entry['title']}", t.pixels) for t in tasks if t.entry["category"] == category.name]
        sheet.contact_sheet(own, options.build / f"sheet-{category.name}.png", side=256, columns=5)
    print(f"{len(tasks)} tasks in {options.out}, contact sheets in {options.build}")


if __name__ == "__main__":
    main()
