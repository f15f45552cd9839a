"""How the engine's loops are compiled, kept on disk and kept cheap: `kernel`, `inlined`, `borrowed`."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

import numpy as np
from numba import config, njit
from numba.core import types
from numba.extending import intrinsic
from numpy.typing import NDArray

from easel_app.scoring import similarity

Bytes = NDArray[np.uint8]
Ints = NDArray[np.int32]
Longs = NDArray[np.int64]
Floats = NDArray[np.float64]

Function = TypeVar("Function", bound=Callable[..., Any])
Array = TypeVar("Array", bound=NDArray[Any])


KERNEL_FOLDERS = (Path(__file__).parent, Path(__file__).parents[1] / "painting" / "painters")
"""Where kernels are written: the engine, and the painters, whose kernels are compiled together with the engine's."""


def _sources_digest() -> str:
    """Digest of every source that a kernel may be compiled from."""
    digest = hashlib.sha256()
    kernels = (path for folder in KERNEL_FOLDERS for path in sorted(folder.glob("*.py")))
    for path in [*kernels, Path(similarity.__file__)]:
        digest.update(path.name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:16]


CACHE_FOLDER = (
    Path(os.environ.get("NUMBA_CACHE_DIR") or Path(__file__).with_name("__pycache__")) / f"easel-{_sources_digest()}"
)
"""Where compiled kernels are kept: below NUMBA_CACHE_DIR if it is set, else beside the sources.

Numba compiles a kernel anew when its own file changes, but not when a kernel that it calls changes in another
file. A folder named by the digest of all sources makes stale machine code impossible.
"""


def kernel(function: Function) -> Function:
    """Compile a function at its first call, or load its machine code from disk.

    Neither `fastmath` nor fused multiply-add: pixels and edges are decided by comparing floating-point numbers, and
    every machine must decide alike. `error_model="numpy"` leaves out Python's check for division by zero,
    which would keep loops from using vector instructions. Kernels release the interpreter lock.
    """
    settings = cast(Any, config)
    before = settings.CACHE_DIR
    settings.CACHE_DIR = str(CACHE_FOLDER)
    try:
        return cast(Function, njit(cache=True, nogil=True, error_model="numpy")(function))
    finally:
        settings.CACHE_DIR = before


def inlined(function: Function) -> Function:
    """Paste a helper into each kernel that uses it; only kernels may call it.

    A call hands on an array as seven words or more and two changes of a reference count: too much for a few pixels.
    Not by `register_jitable` or an inlined `overload`: after pasting those, Numba removes what it takes for
    dead code, and it takes writing to an array that is an attribute of a tuple for that.
    """
    return cast(Function, njit(inline="always", error_model="numpy")(function))


@intrinsic
def _borrowed(typing_context: Any, array: Any) -> Any:
    """The array with its owner forgotten; None, which Numba reports as a typing error, for anything else."""
    if not isinstance(array, types.Array):
        return None

    def lower(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        view = context.make_array(array)(context, builder, arguments[0])
        for owner in ("meminfo", "parent"):
            setattr(view, owner, getattr(view, owner).type(None))  # a null pointer
        return view._getvalue()

    return array(array), lower


borrowed = cast(Callable[[Array], Array], _borrowed)
"""The same array without ownership, so that slicing it moves no reference count.

Each slice of an owned array costs two atomic operations, and a few of those a row cost several times the row's
arithmetic. For *arguments* of a kernel only, which the caller keeps alive; a borrowed array must never be returned
to Python or stored.
"""
