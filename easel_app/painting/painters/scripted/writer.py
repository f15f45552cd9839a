"""The scripted writer: the strokes of our own font, one after the other, until the word is there."""

from __future__ import annotations

from easel_app.engine.kernel import Bytes, Floats
from easel_app.painting.lettering import write
from easel_app.painting.painters.scripted.plan import Plan
from easel_app.painting.truth import HandwritingTruth


class WriterPainter:
    """Writes the word that is asked for. It is told the word, as every player is."""

    def __init__(self, name: str, truth: HandwritingTruth, size: int, budget: int, seed: int) -> None:
        """Plan all strokes; neither the budget nor the seed plays a part.

        Args:
            name: name and version, such as ``writer/1``.
            truth: the word.
            size: width of the canvas, px.
            budget: steps of the task; a word takes at most ten a letter.
            seed: of no effect, for the writer leaves nothing to chance.

        Raises:
            ValueError: the word cannot be written (see `easel_app.painting.lettering.write`).
        """
        self._name = name
        self._plan = Plan(write(truth.word), size)

    @property
    def name(self) -> str:
        """Name and version."""
        return self._name

    def next(self, canvas: Bytes, step: int) -> Floats | None:
        """The first stroke that is not yet on the canvas, float64 (6,); None when the word is written.

        Args:
            canvas: uint8 (n, n, 3), as it is now.
            step: steps used so far; of no effect.

        Raises:
            ValueError: the canvas is of another size or type.
        """
        return self._plan.next(canvas)
