"""What a model's answers do to S, in the shape that TRL's GRPOTrainer calls a reward function.

An answer is read by the very rules of a run (`easel_app.runs.reading`) and painted by the engine, so what is trained
for is what is measured. Nothing here imports TRL.

Within a group of answers to one prompt `gain` and `similarity` differ by the same number, which the mean of the group
takes away again; `skill` weighs references against each other.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from easel_app.llm import Reply, Usage
from easel_app.llm.answers import reply_of
from easel_app.painting.stroke import BrushStroke, Invalid
from easel_app.runs.prompts import Coordinates
from easel_app.runs.reading import Form, read
from easel_app.scoring.trajectory import skill
from easel_app.trajectories.reward.canvases import CANVASES
from easel_app.trajectories.reward.columns import FORMS, shown

Measure = Literal["gain", "similarity", "skill"]
Strictness = Literal["lenient", "strict"]
Calling = Literal["text", "tools"]
INVALID = -0.5
"""What an answer that cannot be read is worth, as a change of S.

Measured by `python -m benchmarks reward` on every fifth task: random strokes change S by -0.33 to +0.07 along the data
policy's paintings, and lose 0.49 at most on the finished picture; the policy's own strokes change it by -0.03 to
+0.18. So whoever paints badly is not better off by answering nothing, as with the environment's 0, and in a group that
holds both, a good stroke still stands out from a bad one more than with -1.
"""


@dataclass(frozen=True)
class SimilarityReward:
    """A reward by S. Picklable; `similarity_reward` is the plain one.

    Example:
        >>> stroke = '{"action": "undo"}'
        >>> white = np.full((16, 16, 3), 255, np.uint8)
        >>> SimilarityReward()([""], [stroke], reference=[white], canvas=[white])
        [-0.5]
    """

    reward: Measure = "gain"
    """`gain`: S after the answer minus S before; `similarity`: S after it; `skill`: where that lies between the mean
    fill (0) and the data policy (1)."""
    invalid: float = INVALID
    """What each answer that cannot be read adds to S."""
    coordinates: Coordinates = "integer"
    """The numbers that were asked for: integers from 0 to 1000, or floats in [0, 1]."""
    reading: Strictness = "lenient"
    """As the setting of a run."""
    calling: Calling = "text"
    """Whether the prompt asked for JSON in text or offered a tool; the lenient reading takes both."""

    def __post_init__(self) -> None:
        """Refuse options that are none.

        Raises:
            ValueError: an option has a value that it does not know.
        """
        options = {"reward": Measure, "coordinates": Coordinates, "reading": Strictness, "calling": Calling}
        for name, kind in options.items():
            if getattr(self, name) not in get_args(kind):
                raise ValueError(f"{name} is {getattr(self, name)!r}, but must be one of {', '.join(get_args(kind))}")
        if not math.isfinite(self.invalid):
            raise ValueError(f"invalid is {self.invalid}, but must be a number such as {INVALID}")

    def __call__(
        self,
        prompts: Sequence[Any],
        completions: Sequence[Any],
        *,
        reference: Sequence[Any] | None = None,
        canvas: Sequence[Any] | None = None,
        actions: Sequence[Any] | None = None,
        step: Sequence[int | None] | None = None,
        images: Sequence[Any] | None = None,
        data_policy: Sequence[float | None] | None = None,
        log_metric: Callable[[str, float], None] | None = None,
        log_extra: Callable[[str, list[Any]], None] | None = None,
        **columns: Any,
    ) -> list[float | None]:
        """The reward of each completion.

        A completion is a text, or a list of chat messages. Each message of the assistant is one answer and is painted
        over what those before it left, so a whole rollout is rewarded by its last S minus its first.

        Args:
            prompts: not looked at.
            completions: what the model wrote.
            reference: what is painted after: a PIL image, the bytes of a file, a dict of `datasets`, or a uint8 array
                (n, n, 3). None: the reward does not apply to that row.
            canvas: the canvas that the prompt shows, likewise.
            actions: instead of it, the strokes painted so far on white: integers from 0 to 1000 or floats in [0, 1],
                13 a stroke, one after the other or in lists; `[]` is a white canvas.
            step: how many of these actions count; None: all.
            images: instead of both pictures, `[reference, canvas]`, as a prompt with pictures has them.
            data_policy: S of the data policy on that reference, for `skill`: the last number of a trajectory's
                `similarity`.
            log_metric: is told the share of answers that cannot be read, and the mean gain of those that can.
            log_extra: is told why answers cannot be read.
            columns: whatever else the trainer gives is not looked at.

        Returns:
            A number for each completion; None where the reward does not apply: no reference, or no skill to be had.

        Raises:
            ValueError: the columns do not tell what was shown, which is a fault of the data and not of a model.
        """
        given = {"reference": reference, "canvas": canvas, "actions": actions, "step": step, "images": images}
        table = {name: values for name, values in (given | {"data_policy": data_policy}).items() if values is not None}
        for name, values in table.items():
            if len(values) != len(completions):
                raise ValueError(
                    f"{name} has {len(values)} values for {len(completions)} completions: give one for each"
                )
        if not {"reference", "images"} & set(table):
            raise ValueError(f"there is no column reference or images: give what is painted after, as {FORMS}")
        if self.reward == "skill" and "data_policy" not in table:
            raise ValueError("skill needs a column data_policy: S of the data policy on each reference")
        rows = [{name: values[at] for name, values in table.items()} for at in range(len(completions))]
        judged = [self._judge(at, *pair) for at, pair in enumerate(zip(completions, rows, strict=True))]
        scored = [each for each in judged if each]
        if log_metric and scored:
            log_metric("unreadable", sum(len(each.faults) for each in scored) / sum(each.answers for each in scored))
            log_metric("gain", sum(each.gain for each in scored) / len(scored))
        if log_extra:
            log_extra("unreadable", ["; ".join(each.faults) if each else "" for each in judged])
        return [each.reward if each else None for each in judged]

    def _judge(self, at: int, completion: Any, row: Mapping[str, Any]) -> _Judged | None:
        """What becomes of one completion; None where there is nothing to paint after.

        Raises:
            ValueError: the row does not tell what was shown.
        """
        strokes, faults = self._read(completion)
        try:
            pictures = shown(row)
            if pictures is None:
                return None
            with CANVASES.lock:
                canvas = CANVASES.find(*pictures)
                before, painted = canvas.before, canvas.after(strokes)
                mean_fill = canvas.mean_fill if self.reward == "skill" else 0.0
        except ValueError as error:
            raise ValueError(f"Row {at} of the batch cannot be rewarded: {error}") from error
        worth = painted + self.invalid * len(faults)
        reward: float | None = worth - before if self.reward == "gain" else worth
        if self.reward == "skill":
            policy = row["data_policy"]
            known = isinstance(policy, int | float) and np.isfinite(policy)
            reward = skill(worth, mean_fill, policy if known else None)
        return _Judged(reward, painted - before, faults, len(strokes) + len(faults))

    def _read(self, completion: Any) -> tuple[list[NDArray[np.float64]], list[str]]:
        """The strokes that a completion asks for, and why its other answers are none."""
        form = Form(("brush_stroke",), self.coordinates, self.calling == "tools", self.reading)
        actions = [read(reply, form).action for reply in _replies(completion)]
        strokes = [action.stroke.to_vector() for action in actions if isinstance(action, BrushStroke)]
        return strokes, [action.reason for action in actions if isinstance(action, Invalid)]


class _Judged(NamedTuple):
    """What became of one completion."""

    reward: float | None
    gain: float
    """In S, whatever could not be read."""
    faults: list[str]
    answers: int


_PLAIN = SimilarityReward()


def similarity_reward(prompts: Sequence[Any], completions: Sequence[Any], **columns: Any) -> list[float | None]:
    """The gain in S of each completion: `SimilarityReward()` as a function, whose arguments are explained there."""
    return _PLAIN(prompts, completions, **columns)


def _replies(completion: Any) -> Iterator[Reply]:
    """The answers in a completion, as a run would have got them from an endpoint; an empty one where there is none."""
    messages = completion if isinstance(completion, list | tuple) else [{"content": completion}]
    said = [each for each in messages if isinstance(each, Mapping) and each.get("role", "assistant") == "assistant"]
    for message in said or [{}]:
        yield reply_of({"choices": [{"message": dict(message)}]}, Usage(), 0.0)
