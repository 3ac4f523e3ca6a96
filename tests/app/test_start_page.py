"""Start: the way from data to scores, where one is on it, the ways in, and the runs of late."""

import re

import pytest
from front_door.recent import SHOWN_RUNS
from playwright.sync_api import expect
from shelf import moment

from trellislib.experiment import Store

HERE = ":material/location_on: You are here"
PHONE = {"viewport": {"width": 390, "height": 844}, "color_scheme": "dark"}


def links(visitor):
    """Return the pages to which the page itself links, with what the links say, in their order."""
    return [(link.proto.page, link.proto.label) for link in visitor.at.main.get("page_link")]


def stands(visitor, unescaped):
    """Return what stands at each of the five stages, in bold."""
    return [unescaped(text.value).strip("*") for text in visitor.at.main.markdown[1:6]]


def below(visitor, unescaped):
    """Return the small lines of the stages, with the mark where one is."""
    said = [unescaped(caption.value) for caption in visitor.at.main.caption]
    return said[:6]


def runs_listed(visitor):
    return [button for button in visitor.at.main.button if button.key.startswith("compare ")]


def test_the_way_has_five_stages_that_lead_to_their_pages(visitor):
    assert links(visitor)[:5] == [
        ("data", "1. Data"),
        ("dependence", "2. Dependence"),
        ("trellis", "3. Graph"),
        ("train", "4. Method"),
        ("compare", "5. Scores"),
    ]
    assert [page for page, _ in links(visitor)[5:8]] == ["data", "room", "lessons"]


def test_before_anything_is_trained_one_stands_at_the_graph(visitor, unescaped):
    assert stands(visitor, unescaped) == [
        "yeast",
        "Class12 and Class13",
        "Trellis of width 3",
        "Nothing trained yet",
        "No scores yet",
    ]
    small = below(visitor, unescaped)
    assert small[0] == "N = 2,417, D = 103, L = 14"
    assert small[1] == "the strongest pair, 0.529 nats"
    assert small[2].startswith("20 edges, 60% of")
    assert small[3] == HERE
    assert not runs_listed(visitor)


def test_the_graph_is_the_trellis_as_it_was_tuned(visitor, unescaped, same_figures):
    visitor.go("trellis").set("width", 5).set("guide", "co-occurrence")
    visitor.go("start")

    assert stands(visitor, unescaped)[2] == "Trellis of width 5"
    same_figures(visitor)


def test_after_training_one_stands_at_the_best_score(small, unescaped, results_file):
    small.go("train").set("folds", 2).set("methods", ["IC", "CC"]).click("train").wait().go("start")

    scores = Store(results_file).results([1]).table("accuracy").loc["small"]
    found = stands(small, unescaped)
    assert found[3] == "IC, CC"
    assert found[4] == f"{scores.idxmax()}: {scores.max():.3f}"
    assert below(small, unescaped)[5] == HERE
    assert re.search(r"\d+ \w{3} \d{4}, \d\d:\d\d UTC: done in ", small.captions)


def test_runs_on_other_data_are_not_those_of_the_way(small, unescaped):
    small.go("train").set("folds", 2).click("train").wait()
    small.choose_packaged("solar-flare").go("start")

    assert stands(small, unescaped)[3:] == ["Nothing trained yet", "No scores yet"]
    assert len(runs_listed(small)) == 1


def test_a_run_of_late_is_the_one_that_compare_shows(small):
    for methods in (["IC"], ["CC"]):
        small.go("train").set("folds", 2).set("methods", methods).click("train").wait()
    small.go("start")
    assert [button.key for button in runs_listed(small)] == ["compare 2", "compare 1"]

    small.click("compare 1")
    assert small.title == "Which method is better?"
    assert small.widget("runs").value == [1]
    assert list(small.at.table[0].value.columns) == ["IC"]


def test_of_many_runs_the_newest_are_listed(visit, results_file):
    store = Store(results_file)
    for number in range(SHOWN_RUNS + 2):
        store.end(store.begin(f"run *{number}*", ""), "cancelled")
    visitor = visit()

    assert "7: run *6*" in visitor.said
    assert "3: run *2*" in visitor.said
    assert "2: run *1*" not in visitor.said
    assert "was cancelled, 0 fits" in visitor.captions
    assert not runs_listed(visitor), "there is nothing to compare"
    assert ("compare", "2 older runs on Compare") in links(visitor)


@pytest.mark.parametrize(
    ("zone", "told"),
    [("Asia/Tokyo", "1 Mar 2026, 08:05"), ("America/New_York", "28 Feb 2026, 18:05"), (None, "28 Feb 2026, 23:05 UTC")],
)
def test_a_time_is_told_as_the_clock_of_the_visitor_shows_it(zone, told):
    assert moment("2026-02-28T23:05:59+00:00", zone) == told


@pytest.mark.parametrize("screen", [{}, PHONE], indirect=True, ids=["wide", "dark phone"])
def test_a_stage_is_a_link_for_the_mouse_and_the_keyboard(screen):
    page = screen.open()
    assert not page.evaluate("document.documentElement.scrollWidth > innerWidth")

    page.get_by_text("Class12 and Class13", exact=True).first.click(force=True)  # the link lies over the whole card
    expect(page.get_by_role("heading", level=1)).to_have_text("Which labels depend on each other?")
    page.go_back()
    screen.rest()
    page.get_by_role("link", name="3. Graph").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("What does a trellis capture?")
    assert screen.console == []


def test_the_whole_way_is_on_the_first_screen(screen):
    page = screen.open()

    box = page.get_by_role("link", name="5. Scores").bounding_box()
    assert box["y"] + box["height"] < page.viewport_size["height"]
    for name in ("Look at your data", "Play with the room", "Take the lessons"):
        assert page.get_by_role("link", name=name).is_visible()
