"""Search and weather on services of the host's: what is asked of them, and services that answer nonsense."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from easel_app.rubrics.tools.network import Network
from easel_app.rubrics.tools.search import Search
from easel_app.rubrics.tools.weather import CONDITIONS, Weather
from easel_app.scoring.tool_use import call_outcome
from easel_app.settings import Settings
from tests.llm.conftest import run
from tests.rubrics.tools.sites import Request, Site, answers, page, serving

HITS = [
    {"title": "Tides <b>now</b>", "url": "https://example.org/tides", "content": "High\nwater at noon.", "engine": "x"},
    {"title": None, "url": "https://example.org:8443/b", "content": 7},
    {"title": "Script", "url": "javascript:alert(1)", "content": "no"},
    {"title": "No address", "content": "no"},
    "no hit",
    *({"title": f"Hit {n}", "url": f"https://example.org/{n}", "content": "x" * 5000} for n in range(20)),
]
PLACES = [
    {"name": "Paris", "latitude": 48.85341, "longitude": 2.3488, "country": "France", "country_code": "FR"}
    | {"admin1": "Île-de-France"},
    {"name": "Paris", "latitude": 33.66094, "longitude": -95.55551, "country": "United States", "country_code": "US"}
    | {"admin1": "Texas"},
    {"name": "Nowhere", "latitude": 1e9, "longitude": 0},
]
HOURS = [f"2024-05-01T{hour:02}:00" for hour in range(24)]
HOURLY = {
    "time": HOURS,
    "temperature_2m": [float(hour) for hour in range(24)],
    "relative_humidity_2m": [50 + hour for hour in range(24)],
    "weather_code": [3] * 12 + [61] * 12,
    "wind_speed_10m": [5.4] * 24,
    "pressure_msl": [1016.0] * 24,
}


def places(request: Request) -> None:
    name = parse_qs(urlsplit(request.path).query)["name"][0]
    found = [place for place in PLACES if str(place["name"]).casefold() == name.casefold()]
    answers({"results": found} if found else {"generationtime_ms": 0.1})(request)


STRANGE: list[Site] = []
"""A site for tests that hypothesis runs, which take no fixture of a module."""


@pytest.fixture(scope="module", autouse=True)
def _strange() -> Iterator[None]:
    with serving({}) as running:
        STRANGE.append(running)
        yield


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    services = {"/search": answers({"query": "x", "results": HITS}), "/places": places}
    with serving({**services, "/archive": answers({"hourly": HOURLY})}) as running:
        yield running


def searched(address: str, query: str = "high tide", **more: Any) -> dict[str, Any]:
    found = run(Search(address)({"query": query, **more})).payload
    json.dumps(found, allow_nan=False)
    return found


def weather(site: Site, location: str = "Paris", day: str = "2024-05-01", archive: str = "/archive") -> dict[str, Any]:
    tool = Weather(f"{site.address}{archive}", f"{site.address}/places")
    found = run(tool({"location": location, "date": day})).payload
    json.dumps(found, allow_nan=False)
    judged = call_outcome(
        {
            "function_name": "historical_weather",
            "function_args": {"location": location, "date": day},
            "observation": found,
        }
    )
    assert judged.success == (found["status"] == "success")
    return found


# ---------------------------------------------------------------- search


def test_hits_are_told_in_the_tools_own_form(site: Site) -> None:
    found = searched(site.address, "  high \n tide ")
    assert found["query"] == "high tide" and found["status"] == "success"
    assert found["results"][0] == {
        "title": "Tides <b>now</b>",
        "snippet": "High water at noon.",
        "url": "https://example.org/tides",
        "display_link": "example.org",
    }
    assert found["results"][1] == {
        "title": "",
        "snippet": "",
        "url": "https://example.org:8443/b",
        "display_link": "example.org",
    }
    assert parse_qs(urlsplit(site.asked[-1].path).query) == {"q": ["high tide"], "format": ["json"]}


@pytest.mark.parametrize(("wish", "count"), [({}, 5), ({"num_results": 1}, 1), ({"num_results": 10.0}, 10)])
def test_so_many_hits_come_as_are_asked_for(site: Site, wish: dict[str, Any], count: int) -> None:
    assert len(searched(f"{site.address}/search", **wish)["results"]) == count


def test_long_snippets_are_cut(site: Site) -> None:
    assert all(len(hit["snippet"]) <= 500 for hit in searched(site.address, num_results=10)["results"])


@pytest.mark.parametrize("results", [None, "x", {}, 7, [None, [], {"url": 3}, {"url": "http://[::1"}]])
def test_results_that_are_none_are_no_hits(results: Any) -> None:
    with serving({"/search": answers({"results": results})}) as site:
        assert searched(site.address) == {"results": [], "query": "high tide", "status": "success", "total_results": 0}


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (page("<html>search form</html>"), "no JSON object"),
        (answers([1]), "no JSON object"),
        (page("[" * 100_000, "application/json"), "no JSON object"),
        (answers({"error": {"message": "rate limit"}}, 429), "HTTP 429: rate limit."),
        (answers("no", 403), "HTTP 403."),
        (lambda request: request.send(b"", 302, location="http://10.0.0.1/"), "HTTP 302."),
        (page("{}", "application/json", content_encoding="gzip"), "compressed"),
        (lambda request: request.send(b"x" * (5 * 2**20)), "more than 4 MB"),
        (lambda request: request.send(b"{", length=100), "cannot be reached"),
    ],
)
def test_a_service_that_does_not_answer_is_told_without_its_address(answer: Any, why: str) -> None:
    with serving({"/search": answer}) as site:
        found = searched(site.address)
    assert found["status"] == "error" and why in found["error"]
    assert str(site.port) not in json.dumps(found) and "127.0.0.1" not in json.dumps(found)


def test_a_service_that_is_not_there_is_told_without_its_address() -> None:
    with serving({}) as site:
        pass
    found = searched(site.address)
    assert "cannot be reached" in found["error"] and "127.0.0.1" not in found["error"]


def test_a_blank_query_asks_nobody(site: Site) -> None:
    before = len(site.asked)
    assert "blank" in searched(site.address, " \n\0 ")["error"] and len(site.asked) == before


# ---------------------------------------------------------------- weather


def test_the_weather_of_a_day_is_that_of_noon_there(site: Site) -> None:
    found = weather(site)
    assert found["coordinates"] == {"latitude": 48.85341, "longitude": 2.3488}
    told = [found[key] for key in ("temperature", "conditions", "humidity", "wind_speed", "pressure")]
    assert told == [12.0, "light rain", 62, 5.4, 1016.0]
    assert "Paris, Île-de-France, France" in found["note"] and "noon" in found["note"]
    asked = parse_qs(urlsplit(site.asked[-1].path).query)
    assert asked["start_date"] == asked["end_date"] == ["2024-05-01"]
    assert asked["timezone"] == ["auto"] and asked["wind_speed_unit"] == ["ms"]


@pytest.mark.parametrize("location", ["Paris, Texas", "paris ,united states", "Paris, Texas, US", "Paris, TEXAS, usa"])
def test_what_a_place_lies_in_tells_it_from_others_of_its_name(site: Site, location: str) -> None:
    assert weather(site, location)["coordinates"]["longitude"] == -95.55551


def test_a_place_that_lies_elsewhere_is_not_taken_for_it(site: Site) -> None:
    found = weather(site, "Paris, Ontario")
    assert "No 'Paris' in Ontario" in found["error"] and "Paris, Texas, United States" in found["error"]


@pytest.mark.parametrize("location", ["48.85, 2.35", "48.85 2.35", "+48.85°, 2.35°"])
def test_a_place_may_be_given_by_its_coordinates(site: Site, location: str) -> None:
    assert weather(site, location)["coordinates"] == {"latitude": 48.85, "longitude": 2.35}


def test_names_of_places_need_a_service_for_them(site: Site) -> None:
    tool = Weather(f"{site.address}/archive")
    assert "give latitude" in run(tool({"location": "Paris", "date": "2024-05-01"})).payload["error"]
    assert run(tool({"location": "1, 2", "date": "2024-05-01"})).payload["status"] == "success"


@pytest.mark.parametrize(
    ("location", "why"),
    [("Atlantis", "'Atlantis' is known"), ("Nowhere", "is known"), (" ,Texas", "blank"), ("91, 0", "from -90 to 90")],
)
def test_no_such_place(site: Site, location: str, why: str) -> None:
    assert why in weather(site, location)["error"]


def test_the_weather_to_come_is_not_known(site: Site) -> None:
    before = len(site.asked)
    day = (datetime.now(UTC) + timedelta(days=2)).date().isoformat()
    assert "future" in weather(site, day=day)["error"] and len(site.asked) == before


def test_what_the_archive_says_against_it_is_told(site: Site) -> None:
    site.pages["/refusing"] = answers({"error": True, "reason": "Parameter 'start_date' is out of range"}, 400)
    assert "HTTP 400: Parameter 'start_date' is out of range." in weather(site, archive="/refusing")["error"]


@pytest.mark.parametrize(
    "hourly",
    [
        None,
        [],
        {"time": HOURS},
        {"time": HOURS, "temperature_2m": [None] * 24, "weather_code": [None] * 24},
        {"time": HOURS, "temperature_2m": [True] * 24},
        {"time": HOURS, "temperature_2m": [1e300] * 24},
        {"time": [f"2024-05-02{hour[10:]}" for hour in HOURS], "temperature_2m": [1.0] * 24},
        {"time": 3, "temperature_2m": "warm"},
    ],
)
def test_a_gap_in_the_archive_is_no_weather(site: Site, hourly: Any) -> None:
    site.pages["/gap"] = answers({"hourly": hourly})
    assert "holds no weather of 2024-05-01" in weather(site, archive="/gap")["error"]


def test_no_number_is_taken_from_words_for_numbers(site: Site) -> None:
    body = '{"hourly": {"time": ["2024-05-01T12:00"], "temperature_2m": [NaN], "weather_code": [7.5]}}'
    site.pages["/nan"] = page(body, "application/json")
    found = weather(site, archive="/nan")
    assert found["temperature"] is None and found["conditions"] == "weather code 7.5 of the WMO"


JSON = st.recursive(
    st.none() | st.booleans() | st.floats(allow_nan=False) | st.integers(-(2**53), 2**53) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(["time", "weather_code", "x"]), inner),
    max_leaves=8,
)


@settings(max_examples=40)
@given(st.dictionaries(st.sampled_from(["hourly", "results", "error", "reason"]), JSON))
def test_nothing_that_a_service_says_makes_a_tool_fail(answer: dict[str, Any]) -> None:
    site = STRANGE[0]
    site.pages.update({"/places": answers(answer), "/archive": answers(answer), "/search": answers(answer)})
    assert searched(site.address)["status"] in ("success", "error")
    assert weather(site, "1, 2")["status"] in ("success", "error")
    assert weather(site, "Paris")["status"] == "error"


def test_every_code_has_its_own_words() -> None:
    assert len(set(CONDITIONS.values())) == len(CONDITIONS)


# ---------------------------------------------------------------- settings


def test_services_are_named_in_one_setting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EASEL_TOOL_SERVICES", '{"search": "http://127.0.0.1:8888", "page": "direct"}')
    network = Network.services(Settings().tool_services)
    assert [tool.backend for tool in network.by_name.values()] == ["service", "service", "off"]
    assert "configured no service" in run(network.weather({})).payload["error"]


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ("[1]", '{"page": "direct"}'),
        ("{", '{"page": "direct"}'),
        ('{"page": "http://127.0.0.1:8888"}', "can only be direct"),
        ('{"search": "direct"}', "must be an address"),
        ('{"search": "http://name:word@127.0.0.1/"}', "without name, password or query"),
        ('{"weather": "https://example.org/archive?apikey=x"}', "without name, password or query"),
        ('{"calculator": "http://127.0.0.1/"}', "none of the services search, page, weather, geocoding"),
    ],
)
def test_a_setting_that_cannot_be_used_is_refused(given: str, why: str) -> None:
    with pytest.raises(ValidationError, match=re.escape(why)):
        Settings(tool_services=given)
