"""Train the second reader: samples with the project's Python, then the fit with one that has torch too.

Run: `python -m tools.train_head samples FILE --seed 1 --count 12000` (several seeds, side by side), then
`python -m tools.train_head fit FILE ...`, which writes `easel_app/handwriting/head.npz`.
"""

from __future__ import annotations

import argparse
import pickle
from pathlib import Path

import numpy as np

OUT = Path(__file__).parents[2] / "easel_app" / "handwriting" / "head.npz"


def main() -> None:
    """Make samples, or fit the head to them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parts = parser.add_subparsers(dest="part", required=True)
    part = parts.add_parser("samples")
    part.add_argument("file", type=Path)
    part.add_argument("--seed", type=int, default=1)
    part.add_argument("--count", type=int, default=12000)
    part = parts.add_parser("fit")
    part.add_argument("files", type=Path, nargs="+")
    part.add_argument("--rounds", type=int, default=12)
    part.add_argument("--without", nargs="*", default=[], help="fonts to leave out, to choose settings with")
    part.add_argument("--out", type=Path, default=OUT)
    options = parser.parse_args()
    if options.part == "samples":
        from .samples import sample

        made = [one for number in range(options.count) if (one := sample(options.seed, number))]
        options.file.write_bytes(pickle.dumps([tuple(one) for one in made]))
        return
    from .fitting import fit
    from .samples import Sample

    read = [Sample(*one) for file in options.files for one in pickle.loads(file.read_bytes())]  # noqa: S301 - our own
    np.savez_compressed(options.out, **fit([one for one in read if one.font not in options.without], options.rounds))


if __name__ == "__main__":
    main()
