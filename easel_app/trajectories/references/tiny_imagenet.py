"""The family `tiny-imagenet`: the data set of that name in its usual layout.

`train/<wnid>/images/*.JPEG`, `val/images/*.JPEG` with `val/val_annotations.txt`, and `words.txt`, which tells what a
wnid means. Its test pictures are not used. Its pictures have 64 × 64 px and are enlarged to the size of the references:
at 128 px they are soft and have no detail of their own.
"""

from __future__ import annotations

from pathlib import Path

from easel_app.painting.tasks import Source
from easel_app.services.problems import Invalid
from easel_app.trajectories.references.decoding import NoReference, decode
from easel_app.trajectories.references.dice import shuffled
from easel_app.trajectories.references.pictures import cropped, group_of, listed, read, skipped, visible
from easel_app.trajectories.references.reference import Reference, Skipped

TERMS = Source(
    origin="Tiny ImageNet",
    author="photographers not named in the data set",
    licence="ImageNet terms of access: research and education without commerce",
    detail="",
)


class TinyImageNet:
    """Its pictures, in a seeded order."""

    name = "tiny-imagenet"

    def __init__(self, path: Path, seed: int, size: int) -> None:
        """List the files.

        Raises:
            NotFound: there is no such folder.
            Invalid: it is not laid out as Tiny ImageNet is.
        """
        self._path, self._size = path, size
        self._files = sorted(file for file in listed(path) if _is_picture(file))
        if not self._files:
            message = (
                f"{path} holds neither train/<wnid>/images nor val/images, so it is no Tiny ImageNet; give its folder."
            )
            raise Invalid("no_tiny_imagenet", message, "families")
        self._order = shuffled(len(self._files), seed, self.name)
        self._meanings = _table(path / "words.txt")
        self._wnids = _table(path / "val" / "val_annotations.txt")

    @property
    def count(self) -> int:
        """Pictures that there are."""
        return len(self._files)

    def draw(self, index: int) -> Reference | Skipped:
        """The picture that comes at `index`."""
        file = self._files[self._order[index]]
        try:
            decoded = decode(read(self._path / file))
        except NoReference as error:
            return skipped(self.name, file, error)
        pixels, _ = cropped(decoded, self._size)
        name = Path(file).name
        wnid = file.split("/")[1] if file.startswith("train/") else self._wnids.get(name, "").split("\t")[0]
        title = self._meanings.get(wnid, wnid or name).split(",")[0]
        terms = TERMS.model_copy(update={"detail": visible(file)})
        return Reference(pixels, self.name, visible(title), terms, group_of(self.name, file))


def _is_picture(file: str) -> bool:
    parts = file.split("/")
    trained = len(parts) == 4 and parts[0] == "train" and parts[2] == "images"
    return (trained or (len(parts) == 3 and parts[:2] == ["val", "images"])) and parts[-1].lower().endswith(".jpeg")


def _table(path: Path) -> dict[str, str]:
    """Lines of a key, a tab and the rest; empty without the file."""
    try:
        lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return {}
    return {key: rest for key, tab, rest in (line.partition("\t") for line in lines) if tab}
