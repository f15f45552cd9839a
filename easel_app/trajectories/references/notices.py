"""The notices that licences ask to travel with pictures of the pool."""

from __future__ import annotations

from collections.abc import Iterable

from easel_app.settings import data_folder


def notices(families: Iterable[str]) -> str:
    """What must be handed on with a data set of these families, as Markdown; empty when nothing must.

    The texts are `data/references/notices/<family>.md`. Families that bring pictures of one's own have none: what those
    pictures ask for only whoever brings them knows.

    Args:
        families: as `Reference.family` names them, in any order, any of them more than once.

    Raises:
        OSError: the texts cannot be read.
    """
    asked = set(families)
    files = sorted((data_folder() / "references" / "notices").glob("*.md"))
    return "\n".join(file.read_text(encoding="utf-8") for file in files if file.stem in asked)
