"""The scripted writer: the strokes of our own font, one after the other, until the word is there."""

from __future__ import annotations

from easel_app.painting.lettering import write
from easel_app.painting.painters.scripted.plan import ScriptedPainter
from easel_app.painting.truth import HandwritingTruth


class WriterPainter(ScriptedPainter):
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
        super().__init__(name, write(truth.word), size)
