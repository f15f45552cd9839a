"""`easel trajectories make`: references, trajectories and samples, or what is left of them to make."""

from __future__ import annotations

import errno
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from easel_app.import_terminal import counted, give_up, plain
from easel_app.settings import Settings
from easel_app.trajectory_commands.folders import FOLDER, FolderArgument, bar

if TYPE_CHECKING:
    from easel_app.trajectories.making import Progress
    from easel_app.trajectories.recipe import Recipe
    from easel_app.trajectories.records import Finished, Manifest

STAGES = {"references": "references drawn", "samples": "references painted"}
STOPPED = "Stopped; what is finished stays, and the same command goes on with it."


def register(cli: typer.Typer, settings: Callable[..., Settings]) -> None:
    """Add the command to `easel trajectories`; it needs no settings."""

    @cli.command()
    def make(
        folder: FolderArgument = FOLDER,
        references: Annotated[int, typer.Option(help="References to paint after.")] = 11_000,
        family: Annotated[
            list[str] | None,
            typer.Option(
                metavar="NAME[=SHARE]",
                help="A family of references and its share; may be repeated. Else the five that the project draws: "
                "geometry, text, glyphs, emoji, photographs. Your own pictures: folder:PATH, coco:PATH, "
                "tiny-imagenet:PATH, hub:NAME or hub:PATH.",
            ),
        ] = None,
        painter: Annotated[str, typer.Option(help="Who paints; docs/trajectories.md has a table.")] = "greedy",
        strokes: Annotated[int, typer.Option(help="Strokes of a trajectory.")] = 250,
        seed: Annotated[int, typer.Option(help="Where chance comes from.")] = 0,
        size: Annotated[int, typer.Option(help="Width of references and canvases, px.")] = 128,
        validation: Annotated[float, typer.Option(help="Share of references kept apart from training.")] = 0.02,
        images: Annotated[
            bool, typer.Option(help="Store the pictures of each sample, or paint them anew on reading.")
        ] = True,
        c1_all: Annotated[int, typer.Option(help="C1 has all strokes before this one ...")] = 16,
        c1_until: Annotated[int, typer.Option(help="... and of those from there to before this one ...")] = 50,
        c1_some: Annotated[int, typer.Option(help="... so many.")] = 12,
        c2: Annotated[int, typer.Option(help="C2 has so many strokes of the whole trajectory, fewer and fewer.")] = 12,
        c2_half: Annotated[float, typer.Option(help="The stroke at which C2's density has halved.")] = 50.0,
        least_gain: Annotated[
            float | None,
            typer.Option(help="A stroke that adds less to the similarity is no sample; 0 leaves out harm."),
        ] = None,
        shard: Annotated[int, typer.Option(help="References of a shard, which is made and kept as a whole.")] = 100,
        processes: Annotated[int | None, typer.Option(help="Processes here; as many as there are cores.")] = None,
        engine: Annotated[str, typer.Option(help="Who does the work; docs/trajectories-cluster.md.")] = "processes",
        engine_option: Annotated[
            list[str] | None, typer.Option(metavar="KEY=VALUE", help="An option of the engine; may be repeated.")
        ] = None,
    ) -> None:
        """Make a data set of painting trajectories. The same command again goes on where it stood.

        The defaults give the published numbers of EASEL-Data: 11,000 references, 308,000 samples of C1 and 132,000 of
        C2. Exits with 0 when the data set is complete, 1 when it is not.
        """
        from easel_app.services.problems import Refusal
        from easel_app.trajectories.engines import engine_named
        from easel_app.trajectories.folder import Folder
        from easel_app.trajectories.making import make as make_it

        recipe = _recipe(
            pool={
                "references": references,
                "seed": seed,
                "size": size,
                "validation": validation,
                **({"families": _families(family)} if family else {}),
            },
            samples={"c1_all": c1_all, "c1_until": c1_until, "c1_some": c1_some, "c2": c2, "c2_half": c2_half}
            | {"least_gain": least_gain},
            painter=painter,
            strokes=strokes,
            images=images,
            shard=shard,
        )
        place = Folder(folder.expanduser())
        notes: list[Finished] = []
        begun = time.monotonic()
        try:
            options = _options(engine_option or [])
            worker = engine_named(engine, processes=processes, options=options, scratch=place.work)
            with bar() as told:

                def hear(progress: Progress) -> None:
                    told(STAGES[progress.stage], progress.done, progress.total)
                    if progress.note:
                        notes.append(progress.note)

                manifest = make_it(place, recipe, worker, hear)
        except Refusal as refusal:
            give_up(plain(refusal.message))
        except KeyboardInterrupt:
            give_up(STOPPED)
        except OSError as error:
            give_up(plain(_unwritten(error, str(place.path))))
        typer.echo(_report(manifest, notes, time.monotonic() - begun, str(place.path)))


def _families(given: Sequence[str]) -> dict[str, float]:
    """Shares by the names of families."""
    families: dict[str, float] = {}
    for each in given:
        name, equals, share = each.rpartition("=")
        if not equals:
            name, share = each, "1"
        if _resolved(name) in families:
            give_up(plain(f"--family {name} is given twice; give each family once, with its share."))
        try:
            families[_resolved(name)] = float(share)
        except ValueError:
            give_up(plain(f"--family {each}: the share {share!r} is no number; give NAME=SHARE, such as geometry=2."))
    return families


def _resolved(name: str) -> str:
    """The name of a family with the whole path of its folder, however that was typed."""
    kind, colon, place = name.partition(":")
    with suppress(OSError, RuntimeError):
        path = Path(place).expanduser()
        if colon and path.exists():
            return f"{kind}:{path.resolve()}"
    return name


def _options(given: Sequence[str]) -> dict[str, str]:
    options = {}
    for each in given:
        name, equals, value = each.partition("=")
        if not equals or not name:
            give_up(plain(f"--engine-option {each} is not KEY=VALUE; correct this."))
        options[name] = value
    return options


def _recipe(**given: Any) -> Recipe:
    from pydantic import ValidationError

    from easel_app.trajectories.recipe import Recipe

    try:
        return Recipe.model_validate(given)
    except ValidationError as error:
        fault = error.errors()[0]
        option = str(fault["loc"][-1]).replace("_", "-")
        option = f"family {option}" if "families" in fault["loc"] else option
        why = f"{fault['msg'][:1].lower()}{fault['msg'][1:]}"
        give_up(plain(f"--{option} is {fault['input']!r}, but {why}; correct this."))


def _unwritten(error: OSError, place: str) -> str:
    if error.errno == errno.ENOSPC:
        return f"The disk of {place} is full; what is finished stays: make room and give the same command again."
    return f"{error.filename or place} cannot be written ({error.strerror or error}); correct this and try again."


def _report(manifest: Manifest, notes: Sequence[Finished], elapsed: float, place: str) -> str:
    """What there is, what it weighs and how long it took."""
    counts = {split: sum(each.values()) for split, each in manifest.samples.items()}
    samples = ", ".join(f"{count:,} {split}" for split, count in counts.items())
    measured = "" if manifest.recipe.images else " (measured on the first shard)"
    pictured, bare = (manifest.sample_bytes[name] / 1000 for name in ("pictured", "bare"))
    actions = manifest.bytes["trajectories"] + manifest.bytes["references"]
    lines = [
        f"{place}: {counted(sum(counts.values()), 'sample')} ({samples}) of "
        f"{counted(sum(manifest.references.values()), 'reference')}, mean similarity {manifest.mean_similarity:.4f} "
        f"({manifest.versions['painter']}, {manifest.versions['metric']})",
        f"A sample takes {pictured:.2f} kB with its pictures{measured} and {bare:.3f} kB without them; references and "
        f"trajectories, which both need, take {actions / max(1, sum(counts.values())) / 1000:.3f} kB a sample more.",
    ]
    if manifest.recipe.pool.validation and "validation" not in counts:
        lines.append("No reference came into validation, so few are they; ask for more, or for a larger --validation.")
    if manifest.fewer:
        lines.append(f"{counted(manifest.fewer, 'sample')} fewer than asked for: too few strokes were worth showing.")
    if skipped := sum(manifest.skipped.values()):
        reasons = ", ".join(f"{count:,} {reason}" for reason, count in manifest.skipped.items())
        lines.append(f"{counted(skipped, 'candidate')} gave no reference: {reasons}; .work/skipped.jsonl names them.")
    if notes:
        made, strokes = sum(sum(note.samples.values()) for note in notes), sum(note.strokes for note in notes)
        seconds = max(1e-9, sum(note.seconds for note in notes))
        lines.append(
            f"Made now: {counted(made, 'sample')} in {elapsed:.0f} s; {made / seconds:,.0f} samples a second "
            f"a core, {1e3 * seconds / max(1, strokes):.2f} ms a stroke with all that belongs to it."
        )
    else:
        lines.append("It was complete already; every file is what the manifest says.")
    return "\n".join(lines)
