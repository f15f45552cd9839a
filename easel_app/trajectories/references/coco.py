"""The family `coco`: a data set in the layout of COCO, cropped to one, two or many subjects.

`annotations/instances_*.json` name pictures, which lie in a folder of the split's name (`train2017`), in `images/` or
in `images/<split>`, and tell the boxes of what is seen in them. Annotations of test and validation splits are read only
when one of them is named.
"""

from __future__ import annotations

from array import array
from collections import Counter
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from easel_app.painting.tasks import Source
from easel_app.services.problems import Invalid, NotFound
from easel_app.trajectories.references.decoding import NoReference, decode, square
from easel_app.trajectories.references.dice import Dice, shuffled
from easel_app.trajectories.references.json_stream import top_level
from easel_app.trajectories.references.named_splits import chosen, parted
from easel_app.trajectories.references.pictures import UNKNOWN, group_of, read, skipped, visible
from easel_app.trajectories.references.reference import Reference, Skipped

LEAST = 48.0
"""Least longer side of a subject's box, px: smaller ones are a blur at 128 px."""
KINDS = {"one": 1.0, "two": 1.0, "many": 1.0}


class Box(NamedTuple):
    """What is seen, and where, px."""

    x: float
    y: float
    width: float
    height: float
    category: int


class Picture(NamedTuple):
    """A picture and its boxes, as places in the table of all boxes."""

    file: str
    width: int
    height: int
    licence: int
    boxes: tuple[int, ...]


class Coco:
    """Pictures that have a subject which is large enough, in a seeded order."""

    name = "coco"

    def __init__(self, place: Path, seed: int, size: int) -> None:
        """Read the annotations.

        Args:
            place: the folder, of which test and validation splits are left out; or `FOLDER#SPLIT`, such as
                `coco#val2017`, for one split by its name.
            seed: of the order and the crops.
            size: of the references, px.

        Raises:
            NotFound: there is no such folder.
            Invalid: it is not laid out as COCO is, has no such split, or the annotations are damaged.
        """
        self._seed, self._size = seed, size
        whole, split = parted(str(place))
        path = Path(whole)
        if not path.is_dir():
            raise NotFound("no_such_folder", f"There is no folder at {path}; correct the path.", "families")
        names = sorted(file.name for file in path.glob("annotations/instances_*.json"))
        if not names:
            message = f"{path} has no annotations/instances_….json, so it is not laid out as COCO is; give its folder."
            raise Invalid("no_coco", message, "families")
        taken = chosen(names, split)
        if not taken:
            wanted = f"of a split {split}" if split else "outside of test and validation splits"
            message = f"{path} has no annotations {wanted}; name one of {', '.join(names)} as {path}#SPLIT."
            raise Invalid("no_such_split", message, "families")
        self._splits = [_Split(path, path / "annotations" / name) for name in taken]
        self._places = [(k, j) for k, split in enumerate(self._splits) for j in range(len(split.pictures))]
        self._order = shuffled(len(self._places), seed, self.name)

    @property
    def count(self) -> int:
        """Pictures with a subject."""
        return len(self._places)

    def draw(self, index: int) -> Reference | Skipped:
        """A crop of the picture that comes at `index`."""
        at, place = self._places[self._order[index]]
        split = self._splits[at]
        picture = split.pictures[place]
        try:
            decoded = decode(split.read(picture.file))
        except NoReference as error:
            return skipped(self.name, picture.file, error)
        height, width = decoded.pixels.shape[:2]
        if (width, height) != (picture.width, picture.height):
            why = f"it has {width} × {height} px where its annotations say {picture.width} × {picture.height}"
            return skipped(self.name, picture.file, NoReference("unlike its annotations", why))
        dice = Dice(self._seed, self.name, split.name, picture.file)
        boxes = [box for box in map(split.box, picture.boxes) if box.x < width and box.y < height]
        if not boxes:
            outside = NoReference("unlike its annotations", "its boxes lie outside of it")
            return skipped(self.name, picture.file, outside)
        left, top, side, shown = _crop(dice, boxes, width, height)
        source = Source(
            origin=f"COCO, {split.name}",
            author="photographers not named in the data set",
            licence=split.licences.get(picture.licence, UNKNOWN),
            detail=visible(f"{picture.file}, crop of {side} × {side} px at ({left}, {top})"),
        )
        pixels = square(decoded.pixels, self._size, left, top, side)
        title = _title([split.categories.get(box.category, "thing") for box in shown])
        return Reference(pixels, self.name, title, source, group_of(self.name, f"{split.name}/{picture.file}"))


class _Split:
    """One file of annotations: its pictures, their boxes in flat arrays, and words for what is seen."""

    def __init__(self, root: Path, annotations: Path) -> None:
        self.name = annotations.stem.removeprefix("instances_")
        self.categories: dict[int, str] = {}
        self.licences: dict[int, str] = {}
        self._numbers: array[float] = array("f")
        self._kinds: array[int] = array("i")
        self._root = root
        known: dict[int, tuple[str, int, int, int]] = {}
        boxes: dict[int, list[int]] = {}
        try:
            for name, entry in top_level(annotations):
                if name == "images":
                    size = (int(entry["width"]), int(entry["height"]))
                    known[entry["id"]] = (str(entry["file_name"]), *size, int(entry.get("license") or 0))
                elif name == "annotations" and not entry.get("iscrowd") and _sound(entry["bbox"]):
                    boxes.setdefault(entry["image_id"], []).append(len(self._kinds))
                    self._numbers.extend(entry["bbox"])
                    self._kinds.append(int(entry["category_id"]))
                elif name == "categories":
                    self.categories[entry["id"]] = str(entry["name"])
                elif name == "licenses":
                    self.licences[entry["id"]] = visible(f"{entry['name']} ({entry.get('url', 'no address')})")
        except (OSError, ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError) as error:
            message = f"{annotations.name} is damaged or not in the format of COCO ({error}); fetch it again."
            raise Invalid("no_coco", message, "families") from None
        self.pictures = [
            Picture(*about, boxes=tuple(boxes[number]))
            for number, about in sorted(known.items(), key=_order)
            if number in boxes
        ]

    def box(self, number: int) -> Box:
        """A box of the table."""
        x, y, width, height = self._numbers[4 * number : 4 * number + 4]
        return Box(x, y, width, height, self._kinds[number])

    def read(self, file: str) -> bytes:
        """A picture's bytes, from wherever pictures of the split lie.

        Raises:
            NoReference: it is not there, or its name leads out of the folder.
        """
        folders = (self._root / self.name, self._root / "images" / self.name, self._root / "images")
        for folder in folders:
            path = folder / file
            with suppress(OSError, ValueError):  # a name that is no name, links in a circle
                if path.resolve().is_relative_to(self._root.resolve()) and path.is_file():
                    return read(path)
        raise NoReference("missing", f"it is neither in {self.name} nor in images")


def _order(item: tuple[object, object]) -> tuple[str, object]:
    """Where a picture comes among others, whose ids may be of several types."""
    return type(item[0]).__name__, item[0]


def _sound(box: list[float]) -> bool:
    """Whether a box is one, and large enough."""
    _, _, width, height = box
    return all(0 <= each < 1e6 for each in box) and max(width, height) >= LEAST


def _crop(dice: Dice, boxes: list[Box], width: int, height: int) -> tuple[int, int, int, list[Box]]:
    """Left, top and side of a square about one, two or many subjects, and which those are.

    One: a subject with a little room. Two: the pair that needs the least room, if one fits. Many: as much as there is.
    """
    most = min(width, height)
    kind = dice.weighted(KINDS) if len(boxes) > 1 else dice.one(("one", "one", "many"))
    if kind == "two":
        pairs = [[a, b] for k, a in enumerate(boxes) for b in boxes[k + 1 :]]
        fitting = [pair for pair in pairs if _reach(pair)[2] <= most]
        chosen = min(fitting, key=lambda pair: _reach(pair)[2], default=boxes[:1])
    elif kind == "one":
        chosen = [dice.one(boxes)]
    else:
        chosen = boxes
    x, y, reach = _reach(chosen)
    side = most if kind == "many" else max(32, min(most, int(reach * dice.between(1.1, 1.5))))
    left, top = (int(min(max(middle - side / 2, 0), end - side)) for middle, end in ((x, width), (y, height)))
    shown = [box for box in boxes if _inside(box, left, top, side)]
    return left, top, side, shown or chosen


def _reach(boxes: list[Box]) -> tuple[float, float, float]:
    """Middle of what the boxes cover together, and the side of a square around it."""
    left, top = min(box.x for box in boxes), min(box.y for box in boxes)
    right, bottom = max(box.x + box.width for box in boxes), max(box.y + box.height for box in boxes)
    return (left + right) / 2, (top + bottom) / 2, max(right - left, bottom - top)


def _inside(box: Box, left: int, top: int, side: int) -> bool:
    """Whether the middle of a box is shown."""
    return left <= box.x + box.width / 2 < left + side and top <= box.y + box.height / 2 < top + side


def _title(names: list[str]) -> str:
    parts = [name if count == 1 else f"{name} ({count})" for name, count in Counter(names).items()]
    return visible(", ".join(parts)).capitalize()
