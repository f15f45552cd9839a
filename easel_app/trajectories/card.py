"""The card of a data set: what is in it, counted; how it was made; where the pictures come from."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from easel_app import __version__
from easel_app.exports.markdown import cell, code, size, table
from easel_app.exports.parquet import Column, yaml_of
from easel_app.runs.prompts import INTEGERS
from easel_app.services.problems import Conflict
from easel_app.trajectories.folder import CARD, NOTICES, PARTS, SPLITS, Folder, Part, write
from easel_app.trajectories.reasoning import records as texts
from easel_app.trajectories.records import Manifest, Terms, families
from easel_app.trajectories.references.notices import notices
from easel_app.trajectories.sampling import SUBSETS
from easel_app.trajectories.tables import REFERENCES, TRAJECTORIES, sample_columns

MEANINGS: dict[Part, str] = {
    "references": "one a reference: the picture, and where it comes from",
    "trajectories": "one a reference: all strokes that were painted after it",
    "samples": "one a sample: what to paint after, the canvas, and the stroke that followed",
}


def write_card(folder: Folder, manifest: Manifest) -> None:
    """Write README.md of a data set, from what is in its folder now, and the notices that its pictures come with.

    Raises:
        Conflict: what is noted of its texts is damaged.
        OSError: it cannot be written.
    """
    try:
        reasoning = texts.reasoning_manifest(folder.path)
    except ValueError as error:
        raise Conflict("damaged", str(error)) from None
    write(folder.path / CARD, card(manifest, reasoning))
    if told := notices(families(manifest.terms)):
        write(folder.path / NOTICES, told)


def card(manifest: Manifest, reasoning: texts.ReasoningManifest | None = None) -> str:
    """README.md of the data set.

    Args:
        manifest: what is in it.
        reasoning: what is noted of its texts, if it has some.
    """
    recipe = manifest.recipe
    return f"""{_front_matter(manifest, _written(reasoning))}
# Painting trajectories of Easel Studio

Next-stroke samples for models that paint: a reference, the canvas as it is, and the brush stroke that a painter made
next. Made by Easel Studio {__version__} with the painter {code(manifest.versions["painter"])}, after the description of
EASEL-Data ([arXiv 2608.25417](https://arxiv.org/abs/2608.25417)); references, painter and renderer are the project's
own: **this is not EASEL-Data.**

## What is in it

{table(("", "count"), _counts(manifest))}

{table(("table", "rows", "bytes", ""), _tables(manifest))}
{_texts(reasoning)}
```python
from datasets import load_dataset

samples = load_dataset("path/or/name", "samples", split="train")
```

A stroke is 13 integers from 0 to {INTEGERS}, thousandths of a number in [0, 1], in the published order: start, control
point and end of a quadratic Bézier curve (x, y), radius and opacity at the start, radius and opacity at the end, red,
green, blue. The canvases are painted with these very integers (renderer {code(manifest.versions["renderer"])}), from
white: {_pictures(manifest)}

C1 holds the first {recipe.samples.c1_all} strokes and {recipe.samples.c1_some} of those that follow before stroke
{recipe.samples.c1_until}; C2 holds {recipe.samples.c2} of all {recipe.strokes}, at a density that has halved at stroke
{recipe.samples.c2_half:g}. Some strokes are samples of both. A stroke that changes nothing is never a sample. With the
published number of references (11k) the published numbers of samples are 308k and 132k.

No sample of a reference in validation is in train, and no other picture of the same source (photograph, emoji, word,
file). No reference is, or nearly is, a picture of the studio's 115 tasks.

## How it was made

{table(("name", "version"), manifest.versions.items())}

```json
{recipe.model_dump_json(indent=1)}
```

`easel trajectories verify FOLDER` holds every file against `manifest.json` and paints a share of the trajectories
again.

## Pictures

{table(("family", "references", "source", "author", "licence"), _terms(manifest.terms))}

{_noticed(manifest)}Trajectories and canvases were made with Easel Studio; whoever publishes this data set
decides on their terms. A canvas is painted after its picture, so the picture's terms may reach it.

## Columns of `samples`

{_columns(sample_columns(recipe.images))}

## Columns of `trajectories`

{_columns(TRAJECTORIES)}

## Columns of `references`

{_columns(REFERENCES)}
{_text_columns(reasoning)}"""


def _front_matter(manifest: Manifest, written: Sequence[str]) -> str:
    """YAML; whatever comes from outside stands in it as JSON, which is YAML too."""
    total = sum(sum(counts.values()) for counts in manifest.samples.values())
    lines = ["---", "pretty_name: Painting trajectories of Easel Studio", "license: other"]
    lines += ["license_name: see-pictures-below"]
    lines += ["task_categories:", "- image-text-to-text", "- reinforcement-learning"]
    lines += ["tags:", "- painting", "- agents", "- trajectories", f"size_categories:\n- {size(total)}", "configs:"]
    columns: dict[str, Sequence[Column]] = {
        "samples": sample_columns(manifest.recipe.images),
        "trajectories": TRAJECTORIES,
        "references": REFERENCES,
    }
    for part in columns:
        lines += [f"- config_name: {part}", *(["  default: true"] if part == "samples" else []), "  data_files:"]
        for split in manifest.references:
            lines += [f"  - split: {split}", f"    path: {part}/{split}-*.parquet"]
    if written:
        lines += [f"- config_name: {texts.FOLDER}", "  data_files:"]
        for name in written:
            lines += [f"  - split: {name}", f"    path: {texts.FOLDER}/{name}-*.parquet"]
    lines.append("dataset_info:")
    for part, each in (columns | ({texts.FOLDER: texts.TABLE} if written else {})).items():
        lines += [f"- config_name: {part}", "  features:"]
        for column in each:
            lines += yaml_of(column, "  ")
    return "\n".join([*lines, "---"])


def _counts(manifest: Manifest) -> Iterable[tuple[str, str]]:
    for split, count in manifest.references.items():
        yield f"references, {split}", f"{count:,}"
    for family, count in families(manifest.terms).items():
        yield f"references, family {code(family)}", f"{count:,}"
    for reason, count in manifest.skipped.items():
        yield f"candidates that gave no reference: {code(reason)}", f"{count:,}"
    yield "strokes", f"{manifest.strokes:,}"
    for split, counts in manifest.samples.items():
        for subset in SUBSETS:
            yield f"samples, {split}, {subset}", f"{counts.get(subset, 0):,}"
    yield "samples, those of both subsets counted once", f"{manifest.distinct:,}"
    if manifest.fewer:
        yield "samples fewer than asked for, where too few strokes were worth showing", f"{manifest.fewer:,}"
    total = sum(sum(counts.values()) for counts in manifest.samples.values())
    yield "samples whose stroke lowers the similarity", f"{manifest.falling:,} ({manifest.falling / max(1, total):.1%})"
    yield "mean similarity of the last canvases", f"{manifest.mean_similarity:.4f} ({manifest.versions['metric']})"
    kind = "measured" if manifest.recipe.images else "measured on the first shard"
    yield f"bytes of a sample with its pictures ({kind})", f"{manifest.sample_bytes['pictured']:,.0f}"
    yield "bytes of a sample without them", f"{manifest.sample_bytes['bare']:,.0f}"


def _tables(manifest: Manifest) -> Iterable[tuple[str, str, str, str]]:
    for part in PARTS:
        rows = sum(note.rows for name, note in manifest.files.items() if name.startswith(f"{part}/"))
        yield f"`{part}`", f"{rows:,}", f"{manifest.bytes[part]:,}", MEANINGS[part]


def _pictures(manifest: Manifest) -> str:
    if manifest.recipe.images:
        return "each sample holds its pictures."
    return (
        "samples hold no pictures; `easel_app.trajectories.reading.DataSet(folder).samples(split)` gives them with "
        "their pictures, painted anew, the same bytes each time."
    )


def _terms(terms: Sequence[Terms]) -> Iterable[tuple[str, ...]]:
    for each in terms:
        yield code(each.family), f"{each.references:,}", *map(cell, (each.origin, each.author, each.licence))


def _written(reasoning: texts.ReasoningManifest | None) -> list[str]:
    """Splits that have texts."""
    named = [name.rpartition("/")[2] for name, counts in reasoning.shards.items() if counts.texts] if reasoning else []
    return [split for split in SPLITS if any(name.startswith(f"{split}-") for name in named)]


def _texts(reasoning: texts.ReasoningManifest | None) -> str:
    """A paragraph on the texts; empty without any."""
    if reasoning is None or not reasoning.counts.texts:
        return ""
    return (
        f"\n`reasoning` holds {reasoning.counts.texts:,} texts on why a stroke helps, by the model "
        f"{code(reasoning.writer.model)} ({code(reasoning.writer.prompt)}), on samples of {reasoning.share:.0%} of the "
        "references; they join by `reference_key` and `step`.\n"
    )


def _text_columns(reasoning: texts.ReasoningManifest | None) -> str:
    return f"\n## Columns of `reasoning`\n\n{_columns(texts.TABLE)}\n" if _written(reasoning) else ""


def _noticed(manifest: Manifest) -> str:
    return f"`{NOTICES}` has to go with the pictures.\n\n" if notices(families(manifest.terms)) else ""


def _columns(columns: Sequence[Column]) -> str:
    rows: Any = [(f"`{column.name}`", column.words, cell(column.meaning)) for column in columns]
    return table(("column", "type", "meaning"), rows)
