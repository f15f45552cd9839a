"""Three worked examples for planners, made up for this app: what was asked, and a plan that keeps to every rule.

Together they hold all five tools, a pool with and without a picture of the user's own, and no pool at all.
"""

from __future__ import annotations

import json
from typing import Any, Final, NamedTuple


class Asked(NamedTuple):
    """A query as a planner is shown it."""

    question: str
    documents: tuple[str, ...]
    pictures: tuple[str, ...]
    """What is said of each picture of the pool, in the order of their indices."""


class Drawn(NamedTuple):
    """A call of an example; `place` is that of its picture in the pool, from 0."""

    tool: str
    description: str
    params: dict[str, Any]
    place: int | None = None

    def written(self, index_base: int) -> str:
        """The call as a planner writes it."""
        index = {} if self.place is None else {"img_index": self.place + index_base}
        call = {"tool_name": self.tool, "description": self.description, "params": {**index, **self.params}}
        return f"<tool>{json.dumps(call, ensure_ascii=False)}</tool>"


class Example(NamedTuple):
    """A question and its answer, paragraph by paragraph."""

    asked: Asked
    parts: tuple[str | Drawn, ...]

    def answer(self, index_base: int) -> str:
        """The plan."""
        return "\n\n".join(part if isinstance(part, str) else part.written(index_base) for part in self.parts)


DUMPLINGS: Final = Example(
    Asked(
        "How do I fold dumplings so that they stay closed in the pot?",
        (
            "Roll the dough into discs of about nine centimetres, thinner at the rim than in the middle, and keep them "
            "under a damp cloth. A heaped teaspoon of filling is enough.",
            "For the pleated fold, close the disc to a half moon at one point only, then lay small folds towards that "
            "point along the front edge and press each against the back edge. Air inside makes dumplings burst. Cook "
            "them until they float, and two minutes longer.",
        ),
        (
            "from document 1, called discs_on_board.jpg, 1200 x 800 px",
            "from document 1, called market_stall.jpg, 1600 x 1067 px",
            "from document 2, called pleats_closeup.jpg, 1024 x 1024 px",
        ),
    ),
    (
        "Dumplings open where the rim is thick, wet or dusty with flour. So roll discs of about nine centimetres that "
        "grow thinner towards the rim, and keep those that wait under a damp cloth.",
        Drawn("reference", "Rolled discs of dough on a board, with thin rims.", {}, 0),
        "Put a heaped teaspoon of filling in the middle of a disc and fold it to a half moon, but press the rim "
        "together at one end only. From there on, lay a small fold into the front edge, press it flat against the back "
        "edge, and go on fold by fold until you reach the other end. Push the air out before the last one.",
        Drawn(
            "diffusion",
            "The pleated fold in four steps.",
            {
                "prompt": "Clean instructional line drawing in four numbered panels from left to right, seen from "
                "above at a slight angle: a round disc of dough with a spoonful of filling; the disc folded to a half "
                "moon and pinched at its left end; two hands laying the second small pleat into the front edge; the "
                "finished dumpling with six even pleats. Thin dark outlines, pale dough, plain white background."
            },
        ),
        "A well closed dumpling shows an even row of pleats that lean one way, and no filling between them.",
        Drawn("reference", "A close view of even pleats on a finished dumpling.", {}, 2),
        "Cook them in gently moving water until they float, and two minutes longer.",
    ),
)

DAYLIGHT: Final = Example(
    Asked(
        "How much longer are summer days in Reykjavík than in Rome or Quito? Compare them over the year, and show me "
        "what a night in June looks like up there.",
        (
            "Hours of daylight on the 21st. Quito: March 12.1, June 12.1, September 12.1, December 12.1. Rome: March "
            "12.2, June 15.2, September 12.2, December 9.1. Reykjavík: March 12.3, June 21.1, September 12.4, December "
            "4.1.",
        ),
        (),
    ),
    (
        "On the longest day the sun stays above Reykjavík for 21.1 hours, six more than above Rome and nine more than "
        "above Quito. In December it is the other way round: 4.1 hours against 9.1 and 12.1. Around the equinoxes all "
        "three have about twelve.",
        Drawn(
            "code",
            "Hours of daylight in the three cities over the year.",
            {
                "diagram_type": "line",
                "data": {
                    "labels": ["March", "June", "September", "December"],
                    "series": [
                        {"name": "Reykjavík", "values": [12.3, 21.1, 12.4, 4.1]},
                        {"name": "Rome", "values": [12.2, 15.2, 12.2, 9.1]},
                        {"name": "Quito", "values": [12.1, 12.1, 12.1, 12.1]},
                    ],
                },
            },
        ),
        "In the three hours that are left the sun is only just below the horizon. The sky over the bay keeps a band of "
        "orange all night, and streets can be walked without lamps.",
        Drawn(
            "search",
            "Reykjavík around midnight in June, with a bright sky.",
            {"query": "Reykjavík harbour at midnight in June, bright northern summer night, photograph"},
        ),
        "Near the equator the axis of the Earth hardly matters, which is why nothing of this is seen in Quito.",
    ),
)

ALCOVE: Final = Example(
    Asked(
        "This is the alcove of my bedroom. What would it look like with dark green panelling up to the height of the "
        "window sill, and how is such panelling put up?",
        (
            "Panelling of boards needs a level frame. Screw horizontal battens to the wall every forty centimetres, "
            "pack them out where the wall is hollow, then pin the boards from one corner and close the top with a "
            "rail.",
        ),
        (
            "came with the question, called IMG_2231.jpg, 3024 x 4032 px",
            "from document 1, called battens.png, 900 x 700 px",
        ),
    ),
    (
        "Up to the window sill, about a metre, dark green makes the lower wall calm and hides the marks of chairs and "
        "bags, while the white above keeps a narrow alcove bright.",
        Drawn(
            "edit",
            "Your alcove with dark green panelling on the lower part of its walls.",
            {
                "prompt": "Add vertical wooden panelling in matt dark green to both side walls, from the skirting "
                "board up to the height of the window sill, closed by a narrow rail of the same colour. Keep the "
                "floor, the doors, the ceiling, the light and everything above the rail as they are."
            },
            0,
        ),
        "The boards need a level frame behind them. Screw horizontal battens to the wall every forty centimetres, and "
        "pack them out with thin strips where a straight edge shows a hollow.",
        Drawn("reference", "Horizontal battens screwed to a wall, packed out to be level.", {}, 1),
        "Then pin the boards from one corner on, check every fifth with a spirit level, close the top with the rail, "
        "and paint twice.",
    ),
)

EXAMPLES: Final = (DUMPLINGS, DAYLIGHT, ALCOVE)
