"""The stage: what a projector shows of a page, and how one gets onto it and away."""

import re
from itertools import pairwise
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import expect
from state import address


def on_stage(visitor):
    return address.PRESENT in visitor.at.query_params


def test_a_page_is_brought_onto_the_stage_and_back(visitor):
    visitor.go("trellis").click("present")
    assert on_stage(visitor)
    assert "present" not in {button.key for button in visitor.at.button}

    visitor.click("end presenting")
    assert not on_stage(visitor)


def test_whoever_opens_the_address_is_on_the_stage_and_stays_there(visit):
    visitor = visit(present="1").go("dependence")
    assert on_stage(visitor.go("graphs"))
    assert len(visitor.charts) == 2


def links(visitor):
    """Return the links to the pages around one."""
    found = [link.proto for link in visitor.at.get("page_link") if link.proto.label in ("Page before", "Next page")]
    return {link.label: link.page for link in found}


@pytest.mark.parametrize(
    ("view", "around"),
    [
        ("start", {"Next page": "data"}),
        ("trellis", {"Page before": "graphs", "Next page": "verdict"}),
        ("lesson-1", {"Page before": "lessons", "Next page": "lesson-2"}),
        ("label_dag", {"Page before": "room"}),
    ],
)
def test_links_lead_to_the_pages_around(visit, view, around):
    assert links(visit(present="1").go(view)) == around


def test_the_link_of_a_page_leaves_the_stage_out(visit):
    visitor = visit(present="1").go("trellis").set("width", 4)
    (link,) = [box.value for box in visitor.at.code if box.language != "python"]

    query = parse_qs(urlsplit(link).query)
    assert query["width"] == ["4"]
    assert address.PRESENT not in query


@pytest.mark.parametrize("screen", [{"viewport": {"width": 1280, "height": 720}}], indirect=True)
@pytest.mark.parametrize(
    ("view", "first", "others"),
    [
        ("trellis?view=Step+by+step", "Knobs", ["First", "Play", "Last"]),
        ("trellis?view=Tune", "Knobs", ["Pin as A", "Algorithm 1 as printed"]),
        ("graphs?graphs=FS", "Clear all", ["More"]),
        ("inspect?inspect_view=One+prediction", "Knobs", ["Previous row", "First", "Play", "Last"]),
    ],
)
def test_the_knobs_of_a_view_are_on_one_row(screen, view, first, others):
    page = screen.open(f"{view}&present=1")
    buttons = [page.get_by_role("button", name=name, exact=False).first for name in (first, *others)]
    for button in buttons:
        expect(button).to_be_visible()
    boxes = [button.bounding_box() for button in buttons]
    middles = [box["y"] + box["height"] / 2 for box in boxes]
    assert max(middles) - min(middles) < 5
    assert all(left["x"] + left["width"] < right["x"] for left, right in pairwise(boxes))
    assert boxes[-1]["x"] + boxes[-1]["width"] <= 1280
    if first == "Knobs":
        page.get_by_role("button", name="Knobs").click()
        expect(page.get_by_role("combobox", name=re.compile("Parents|Base learner"))).to_be_visible()


SIZES = ({"width": 1280, "height": 720}, {"width": 1920, "height": 1080})


@pytest.mark.parametrize("screen", [{"viewport": SIZES[0]}], indirect=True)
def test_the_figure_fills_the_rest_of_the_screen(screen):
    page = screen.open("trellis?present=1&view=Step+by+step")
    expect(page.get_by_test_id("stSidebar")).to_be_hidden()
    figure = page.get_by_test_id("stPlotlyChart").first
    drawn = figure.locator(".main-svg").first
    for size in SIZES:
        page.set_viewport_size(size)
        screen.rest()
        expect(drawn).to_have_css("height", figure.evaluate("figure => getComputedStyle(figure).height"))
        box = drawn.bounding_box()
        assert size["height"] - 40 < box["y"] + box["height"] <= size["height"]
        assert box["height"] > 0.5 * size["height"]

    page.keyboard.press("n")
    expect(page.get_by_role("slider", name="Step")).to_have_value("2")
    page.keyboard.press("q")
    expect(page.get_by_role("dialog").get_by_role("img")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.keyboard.press("PageUp")
    expect(page.get_by_role("heading", level=1)).to_have_text("Which labels depend on each other directly?")
    screen.rest()
    page.keyboard.press("e")
    expect(page.get_by_test_id("stSidebar")).to_be_visible()
    assert screen.console == []
