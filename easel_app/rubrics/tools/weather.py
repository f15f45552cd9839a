"""Weather of a past day by a service that answers as Open-Meteo's archive does.

Told is the hour that begins at noon of local time, which is a state of the weather that was, unlike the means of a day.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, date, datetime, timedelta
from typing import Any

from easel_app.rubrics.tools.asking import NoAnswer, ask, number
from easel_app.rubrics.tools.observation import Observation
from easel_app.rubrics.tools.payloads import failure, one_line
from easel_app.rubrics.tools.places import MOST_NAME, find

NOON = 12
_HOURLY = {
    "temperature": "temperature_2m",
    "humidity": "relative_humidity_2m",
    "wind_speed": "wind_speed_10m",
    "pressure": "pressure_msl",
}
"""Quantities as the tool tells them, by the name of the service's."""
_CODE = "weather_code"
UNITS = "Temperature in °C, relative humidity in %, wind speed in m/s, pressure at sea level in hPa."
CONDITIONS: Mapping[int, str] = {
    0: "clear sky",
    1: "mainly clear",
    2: "partly cloudy",
    3: "overcast",
    45: "fog",
    48: "fog with rime",
    51: "light drizzle",
    53: "drizzle",
    55: "heavy drizzle",
    56: "light freezing drizzle",
    57: "freezing drizzle",
    61: "light rain",
    63: "rain",
    65: "heavy rain",
    66: "light freezing rain",
    67: "freezing rain",
    71: "light snow",
    73: "snow",
    75: "heavy snow",
    77: "snow grains",
    80: "light rain showers",
    81: "rain showers",
    82: "violent rain showers",
    85: "light snow showers",
    86: "heavy snow showers",
    95: "thunderstorm",
    96: "thunderstorm with light hail",
    99: "thunderstorm with heavy hail",
}
"""Codes of the World Meteorological Organization (table 4677, in the choice that the service makes) in words."""


class Weather:
    """The tool, on services of the host's."""

    backend = "service"

    def __init__(self, archive: str, geocoding: str = "") -> None:
        """Ask these services.

        Args:
            archive: address of the archive.
            geocoding: address of what knows places by name; empty: only coordinates are understood.
        """
        self._archive = archive
        self._geocoding = geocoding

    async def __call__(self, arguments: Mapping[str, Any]) -> Observation:
        """`coordinates`, `temperature`, `conditions`, `humidity`, `wind_speed`, `pressure`, `status`, `note`.

        A day that is not over, a place that is not known and a gap in the archive are told in `error`.
        """
        location, day = one_line(arguments["location"], MOST_NAME), arguments["date"]
        asked = {"location": location, "date": day}
        if date.fromisoformat(day) > (datetime.now(UTC) + timedelta(hours=14)).date():  # today where it is latest
            return failure(f"{day} lies in the future; only the weather of past days is known.", **asked)
        try:
            place = await find(arguments["location"], self._geocoding)
            answer = await ask(
                "weather",
                self._archive,
                {
                    "latitude": place.latitude,
                    "longitude": place.longitude,
                    "start_date": day,
                    "end_date": day,
                    "hourly": ",".join((*_HOURLY.values(), _CODE)),
                    "timezone": "auto",
                    "wind_speed_unit": "ms",
                },
            )
        except NoAnswer as error:
            return failure(str(error), **asked)
        measured = {name: _at_noon(answer, quantity, day) for name, quantity in _HOURLY.items()}
        conditions = _words(_at_noon(answer, _CODE, day))
        if measured["temperature"] is None and not conditions:
            return failure(f"The archive holds no weather of {day} at {place.name}.", **asked)
        note = f"{place.name}, at noon of local time. {UNITS}"
        coordinates = {"latitude": place.latitude, "longitude": place.longitude}
        told = {"temperature": measured["temperature"], "conditions": conditions, **measured}
        return Observation({**asked, "coordinates": coordinates, **told, "status": "success", "note": note})


def _at_noon(answer: Mapping[str, Any], quantity: str, day: str) -> int | float | None:
    """A quantity's value of the hour of noon; None when there is none."""
    hourly = answer.get("hourly")
    hourly = hourly if isinstance(hourly, dict) else {}
    times, values = hourly.get("time"), hourly.get(quantity)
    if not isinstance(times, list) or not isinstance(values, list):
        return None
    noon = f"{day}T{NOON}:00"
    return next((number(value) for time, value in zip(times, values, strict=False) if time == noon), None)


def _words(code: int | float | None) -> str:
    if code is None:
        return ""
    return CONDITIONS.get(int(code), f"weather code {code:g} of the WMO")
