"""What a data set is made of: all that decides a byte of it."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

Share = Annotated[float, Field(ge=0.0, le=1e6, allow_inf_nan=False)]
DRAWN = {"geometry": 4.0, "text": 1.5, "glyphs": 1.5, "emoji": 2.0, "photographs": 0.5}
"""Families that need nothing but the project, and their shares when no other is asked for."""


class Frozen(BaseModel):
    """Refuses unknown keys and never changes."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class PoolWish(Frozen):
    """Which references to paint after."""

    references: int = Field(11_000, ge=1, le=10_000_000, description="References in all, both splits together.")
    seed: int = Field(0, ge=0, le=2**32 - 1, description="Where chance comes from.")
    size: int = Field(128, ge=32, le=512, description="Width and height, px.")
    families: dict[str, Share] = Field(
        default_factory=lambda: dict(DRAWN),
        min_length=1,
        description="Share of each family, in any unit. geometry, text, glyphs, emoji and photographs are drawn by the "
        "project; folder:PATH, coco:PATH, tiny-imagenet:PATH and hub:NAME or hub:PATH bring pictures of one's own; "
        "of coco and hub a #SPLIT at the end names a split to read that is otherwise held out.",
    )
    validation: float = Field(0.02, ge=0.0, le=0.5, description="About the share of references that train has none of.")


class SampleWish(Frozen):
    """Which steps of a trajectory become samples.

    The defaults give 28 samples of C1 and 12 of C2 a reference: 308,000 and 132,000 of 11,000 references, as published
    (arXiv 2608.25417, data section).
    """

    c1_all: int = Field(16, ge=0, description="C1 has every stroke before this one ...")
    c1_until: int = Field(50, ge=0, description="... and some of those from there to before this one:")
    c1_some: int = Field(12, ge=0, description="so many.")
    c2: int = Field(12, ge=0, description="C2 has so many strokes of the whole range, at falling density:")
    c2_half: float = Field(50.0, gt=0.0, allow_inf_nan=False, description="it has halved at this stroke.")
    least_gain: float | None = Field(
        None,
        ge=-1.0,
        le=1.0,
        allow_inf_nan=False,
        description="A stroke that changes the similarity by less is no sample; null: any that changes the canvas is.",
    )


class Recipe(Frozen):
    """All of it."""

    pool: PoolWish = PoolWish.model_validate({})
    samples: SampleWish = SampleWish.model_validate({})
    painter: str = Field("greedy", description="Who paints; a name of `easel_app.painting.painters.PAINTERS`.")
    strokes: int = Field(250, ge=1, le=2_000, description="Strokes of a trajectory.")
    images: bool = Field(True, description="Whether samples hold their pictures; else reading paints them anew.")
    shard: int = Field(100, ge=1, le=10_000, description="References of a shard.")
