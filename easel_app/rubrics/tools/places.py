"""Where a place is: coordinates as they are written, or a name that a geocoding service knows."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from easel_app.rubrics.tools.asking import NoAnswer, ask, number, rows
from easel_app.rubrics.tools.payloads import one_line

MOST_NAME = 200
_COORDINATES = re.compile(r"\s*([+-]?\d{1,3}(?:\.\d+)?)\s*°?\s*[,;\s]\s*([+-]?\d{1,3}(?:\.\d+)?)\s*°?\s*", re.ASCII)
_PARTS = ("name", "admin1", "admin2", "admin3", "country", "country_code")
_SAID_FOR = {"usa": "us", "u.s.": "us", "u.s.a.": "us", "uk": "gb", "u.k.": "gb", "great britain": "gb"}


class Place(NamedTuple):
    """A place."""

    name: str
    """As the service tells it, with region and country; the coordinates of one that was given by them."""
    latitude: float
    """Degrees, -90 to 90."""
    longitude: float
    """Degrees, -180 to 180."""


async def find(location: str, geocoding: str) -> Place:
    """The place that is meant.

    A name may be followed by what it lies in, after commas: of the places of that name the first one counts of which
    all of this is true, for the weather of another one would be wrong without anybody noticing.

    Args:
        location: untrusted.
        geocoding: address of a service that answers as Open-Meteo's does; empty: there is none.

    Raises:
        NoAnswer: there is no such place, or the service does not answer.
    """
    if found := _COORDINATES.fullmatch(location):
        latitude, longitude = float(found[1]), float(found[2])
        if abs(latitude) > 90 or abs(longitude) > 180:
            raise NoAnswer("The latitude must be from -90 to 90 degrees, and the longitude from -180 to 180.")
        return Place(f"{latitude:g}, {longitude:g}", latitude, longitude)
    name, *within = (part.strip() for part in one_line(location, MOST_NAME).split(","))
    if not name:
        raise NoAnswer("The location is blank.")
    if not geocoding:
        raise NoAnswer("Names of places cannot be looked up here; give latitude and longitude, such as 48.85, 2.35.")
    answer = await ask("geocoding", geocoding, {"name": name, "count": 20, "language": "en", "format": "json"})
    known = [(row, place) for row in rows(answer.get("results")) if (place := _place(row))]
    for row, place in known:
        if all(_lies_in(row, part) for part in within if part):
            return place
    if not known:
        raise NoAnswer(
            f"No place of the name {name!r} is known; give latitude and longitude, or a larger place nearby."
        )
    others = "; ".join(place.name for _, place in known[:5])
    raise NoAnswer(f"No {name!r} in {', '.join(within)} is known; known are: {others}.")


def _place(row: Mapping[str, Any]) -> Place | None:
    latitude, longitude = number(row.get("latitude")), number(row.get("longitude"))
    if latitude is None or longitude is None or abs(latitude) > 90 or abs(longitude) > 180:
        return None
    told = dict.fromkeys(one_line(row.get(part), 60) for part in ("name", "admin1", "country"))
    return Place(", ".join(filter(None, told)), float(latitude), float(longitude))


def _lies_in(row: Mapping[str, Any], part: str) -> bool:
    wanted = part.casefold()
    wanted = _SAID_FOR.get(wanted, wanted)
    return any(isinstance(text := row.get(key), str) and text.casefold() == wanted for key in _PARTS)
