"""An exported plan in a browser: it opens from disk, runs nothing, asks for nothing, and shows what it should."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from easel_app.exports.plans.service import PlanExports
from easel_app.plans.files import AnswerRecord
from tests.services.plans.figuring import SET, empty_plans, gap, judge, make_plans, recall, report
from tests.services.plans.making import add_answer, add_query, call, make_query

pytestmark = pytest.mark.browser
EVIL = (
    '"><script>document.title="run"</script><img src="http://evil.test/a.png" onerror=\'document.title="run"\'>'
    '<link rel=stylesheet href="http://evil.test/b.css"></style><style>body{background:url(http://evil.test/c)}</style>'
    '<meta http-equiv=refresh content="0;url=http://evil.test/d"><iframe src="http://evil.test/e"></iframe>'
)
TEXT = "\n\n".join(
    [
        f"Mills turn. {EVIL} [link](http://evil.test/f) ![picture](http://evil.test/g.png)",
        call("reference", EVIL, img_index=0),
        call("code", diagram_type="bar", data={"labels": [EVIL, "b"], "values": [1, 2]}),
        call("diffusion", prompt=EVIL),
        f"<tool>{EVIL}</tool>",
        "x" * 5000,
    ]
)


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """plan.html and compare.html of an evil plan."""
    folder = tmp_path_factory.mktemp("files")
    studio = empty_plans(folder / "studio")
    plans = studio.plans
    make_plans(plans, 1, ("a",))
    query = make_query(plans, 2, id="own", query=EVIL)
    row = add_query(plans, query, SET)
    one, two = (
        add_answer(plans, row, AnswerRecord(query_id="own", planner=name, text=TEXT, note=EVIL)) for name in "ab"
    )
    judge(plans, 1)
    key = next(key for key in plans.store.keys(SET) if key.id == one)
    report(plans, "one", key, "recall", recall([gap(1, 1) | {"reason": EVIL, "anchor_quote": EVIL}]))
    exports = PlanExports(plans)
    for name, made in (("plan.html", exports.plan(one)), ("compare.html", exports.compare(one, two))):
        (folder / name).write_bytes(b"".join(made.pieces))
    studio.close()
    return folder


@pytest.fixture(params=["light", "dark"])
def page(request: pytest.FixtureRequest, browser: Browser) -> Iterator[tuple[Page, list[str], list[str]]]:
    """A page, what it asks for beyond the file, and what its console says."""
    context = browser.new_context(color_scheme=request.param, viewport={"width": 900, "height": 800})
    asked: list[str] = []
    said: list[str] = []

    def refuse(route: Route) -> None:
        asked.append(route.request.url)
        route.abort()

    context.route(lambda url: not url.startswith(("file:", "data:")), refuse)
    page = context.new_page()
    page.on("console", lambda message: said.append(message.text))
    yield page, asked, said
    context.close()


@pytest.mark.parametrize("name", ["plan.html", "compare.html"])
def test_an_evil_plan_runs_nothing_asks_for_nothing_and_stays_in_its_place(
    page: tuple[Page, list[str], list[str]], files: Path, name: str
) -> None:
    opened, asked, said = page
    opened.goto((files / name).as_uri(), wait_until="load")
    expect(opened.locator("article").first).to_be_visible()
    assert asked == said == [] and opened.title() != "run" and opened.url.startswith("file:")
    assert opened.locator("script, iframe, link, body img:not([src^='data:'])").count() == 0
    sizes = opened.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    assert sizes[0] <= sizes[1]
    picture = opened.locator("article img").first
    assert picture.evaluate("(image) => image.complete && image.naturalWidth > 0")
    assert opened.locator("svg rect").first.bounding_box()
    inks = opened.evaluate("['background-color', 'color'].map((name) => getComputedStyle(document.body)[name])")
    assert len(set(inks)) == 2


def test_problems_and_gaps_lead_to_their_places(page: tuple[Page, list[str], list[str]], files: Path) -> None:
    opened, _, _ = page
    opened.goto((files / "plan.html").as_uri())
    opened.get_by_role("link", name="Gap 1").click()
    expect(opened.locator("#gap-1-1")).to_be_in_viewport()
    opened.locator("section", has=opened.get_by_role("heading", name="Problems")).get_by_role("link").first.click()
    expect(opened.locator("article:target")).to_be_in_viewport()
