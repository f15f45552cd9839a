"""The packages of the extra `train`, which are many gigabytes and asked for only where they are needed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from easel_app.services.problems import Unsupported

PACKAGES = ("torch", "torchvision", "transformers", "peft", "trl", "datasets", "accelerate")
"""Those that our code imports, by itself or by way of another one."""


@contextmanager
def train_extra() -> Iterator[None]:
    """Import within this what needs the extra.

    Raises:
        Unsupported: it is not installed.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        name = (error.name or "").partition(".")[0]
        if name not in PACKAGES:
            raise
        how = "in the project's folder give pip install -c constraints.txt -e '.[train]'"
        message = f"This needs {name}, which is not installed: {how}."
        raise Unsupported("no_train_extra", message) from error
