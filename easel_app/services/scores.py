"""What a caller sees of scores: one record for each metric, told apart by their parts."""

from __future__ import annotations

from pydantic import BaseModel, Field

from easel_app.painting import scores as records
from easel_app.scoring.similarity import Similarity


class SimilarityScores(BaseModel):
    """similarity/1 and its parts, of a reconstruction."""

    metric: str = Field(description="Name and version.", examples=["similarity/1"])
    similarity: float = Field(description="0.5 · SSIM + 0.3 · (1 - L1) + 0.2 · Edge IoU.")
    ssim: float = Field(description="Mean structural similarity, RGB, window 7.")
    l1: float = Field(description="Mean absolute difference, [0, 1]; lower is better.")
    edge_iou: float = Field(description="Intersection over union of Canny maps, [0, 1].")


class OutlineScores(BaseModel):
    """outline/1, of an outline."""

    metric: str = Field(description="Name and version.", examples=["outline/1"])
    dice: float = Field(description="Dice of the region that the drawing encloses and the target, [0, 1].")
    region: int = Field(description="Pixels that the drawing encloses.")
    target: int = Field(description="Pixels of the target.")


class HandwritingScores(BaseModel):
    """handwriting/1, of a written word."""

    metric: str = Field(description="Name and version.", examples=["handwriting/1"])
    match: float = Field(description="Letters that agree with the word, place by place, over the longer, [0, 1].")
    alignment: float = Field(description="1 - edit distance over the longer of the two, [0, 1].")
    letters: str = Field(description="What was read, without knowing the word: a-z, and # for any other glyph.")
    raw: str = Field(description="The recogniser's own text.")
    confidence: float = Field(description="The recogniser's confidence, [0, 1].")
    mirrored: bool = Field(description="Whether it was taken for mirror writing, which is read as nothing.")
    reader: str = Field(description="Name and version of what read it.")


class MazeScores(BaseModel):
    """maze/1, of a way through a maze."""

    metric: str = Field(description="Name and version.", examples=["maze/1"])
    progress: float = Field(description="Share of the reference route that the drawing has come, [0, 1].")
    reached: int = Field(description="Cells of the route that it has come to.")
    cells: int = Field(description="Cells of the route.")


Scores = SimilarityScores | OutlineScores | HandwritingScores | MazeScores
_VIEWS: dict[type[records.Scores], type[Scores]] = {
    Similarity: SimilarityScores,
    records.OutlineScores: OutlineScores,
    records.HandwritingScores: HandwritingScores,
    records.MazeScores: MazeScores,
}


def shown(scores: records.Scores) -> Scores:
    """Scores as a caller sees them."""
    return _VIEWS[type(scores)].model_construct(metric=records.metric_of(scores), **scores._asdict())
