"""Start: what this is, the ways in, the way from data to scores and what is next on it, and the runs of late."""

import re
from dataclasses import replace

import numpy as np
import pytest
from playwright.sync_api import expect
from sentences import Containing, has_line
from state import derived
from state.results_store import moment
from state.tuning import AS_INFERRED, DECISIONS, Shape
from views.start import building
from views.start.pipeline import ABOUT
from views.start.recent import SHOWN_RUNS
from views.start.terms import MEANINGS, about_apart, explained

from trellislib.experiment import Store
from trellislib.labels.graph import LabelGraph

DONE, NEXT = ":material/check: Done", ":material/arrow_forward: Next step"
PHONE = {"viewport": {"width": 390, "height": 844}, "color_scheme": "dark"}


def links(visitor):
    """Return the pages to which the page itself links, with what the links say, in their order."""
    return [(link.proto.page, link.proto.label) for link in visitor.at.main.get("page_link")]


def stands(visitor, unescaped):
    """Return what stands at each of the five stages, in bold."""
    return [unescaped(text.value).strip("*") for text in visitor.at.main.markdown[1:6]]


def below(visitor, unescaped):
    """Return the small lines of the stages, with the marks of those that are done and of the next."""
    shown_text = [unescaped(caption.value) for caption in visitor.at.main.caption]
    start = shown_text.index(ABOUT) + 1
    return shown_text[start : start + 5 + sum(line in (DONE, NEXT) for line in shown_text)]


def runs_listed(visitor):
    return [button for button in visitor.at.main.button if button.key.startswith("compare ")]


def test_the_way_has_five_stages_that_lead_to_their_pages(visitor):
    assert links(visitor)[4:9] == [
        ("data", "1. Data"),
        ("dependence", "2. Dependence"),
        ("trellis", "3. Graph"),
        ("train", "4. Method"),
        ("compare", "5. Scores"),
    ]


def test_what_it_is_and_four_ways_in_come_first(visitor):
    has_line(visitor.takeaway, "yeast", "of 91 label pairs are clearly dependent", "Class12 and Class13", "nats")
    has_line(visitor.captions, "trellislib shows", "labels depend", "predictions", "costs")
    assert links(visitor)[:4] == [
        ("data", "Look at your data"),
        ("verdict", "Is structure worth it?"),
        ("room", "Play with the room"),
        ("lessons", "Take the lessons"),
    ]


def test_before_anything_is_trained_training_is_next(visitor, unescaped):
    assert stands(visitor, unescaped) == [
        "yeast",
        "Class12 and Class13",
        "Trellis of width 3",
        "Nothing trained yet",
        "No scores yet",
    ]
    assert below(visitor, unescaped) == [
        Containing("2,417 instances", "103 features", "14 labels"),
        DONE,
        Containing("0.529 nats"),
        DONE,
        Containing("20 of 91 pairs"),
        DONE,
        "choose methods to train",
        NEXT,
        "train to compare",
    ]
    assert not runs_listed(visitor)


def test_the_films_are_loaded_first_and_the_trellis_joins_them(visitor, monkeypatch):
    monkeypatch.delenv("TRELLISLIB_FIRST")
    has_line(visitor.takeaway, "movies", "of 210 label pairs")
    assert visitor.loaded.startswith("movies: N = 17,029")
    has_line(visitor.captions, "32 edges")


def test_the_building_of_a_trellis_has_a_step_for_each_label_and_one_for_the_swaps(visitor):
    workspace = visitor.go("start").workspace()
    shape, data = workspace.shown, workspace.dataset
    steps, placed = derived.steps(data, *shape.lattice, shape.seed), workspace.placed(shape)
    dependence = derived.information(data)
    shown = building.steps_shown(steps, [steps.trellis, placed], data.label_names, dependence, "nats")
    assert [step["filled"] for step in shown] == [*range(15), 14]
    assert [step["trellis"] for step in shown] == [0] * 15 + [1]
    has_line(shown[0]["text"], "features alone")
    has_line(shown[-1]["text"], "capture 1.78 nats", "alone captures 1.18")
    same = building.steps_shown(steps, [steps.trellis] * 2, data.label_names, dependence, "nats")
    has_line(same[-1]["text"], "No swap", "more than", "1.18 nats")


@pytest.mark.parametrize("words", DECISIONS)
def test_scores_at_each_step_end_with_those_of_the_trellis_page(visitor, words):
    visitor.go("trellis").set("ct_decide", words)
    workspace = visitor.go("start").workspace()
    assert words in visitor.captions
    assert ("decide=" in visitor.code) == (words != AS_INFERRED)
    bench, shape = derived.bench(workspace.dataset), replace(workspace.shown, decide=DECISIONS[words])
    exact, accuracy, unseen = building.scores_shown(bench.filling(shape))
    whole = bench.scores(shape)
    for score, key in ((exact, "exact_match"), (accuracy, "accuracy")):
        assert score["values"][0] == pytest.approx(whole["IC"][key].mean())
        assert score["values"][-1] == pytest.approx(whole["CT"][key].mean())
        assert len(score["texts"]) == 16
    assert unseen["values"][-1] < unseen["values"][0]
    assert unseen["texts"][0].endswith("%")


def test_terms_are_explained_where_they_are_used():
    assert explained("they share 0.3 nats") == MEANINGS["nats"]
    assert explained("3 are clearly dependent (0.3 nats)") == " ".join(MEANINGS.values())
    assert explained("No dependence of 3 labels") == ""
    assert f"at most {np.log(2):.2f}" in MEANINGS["nats"]


def test_a_strongest_pair_that_is_apart_is_explained(visitor):
    chain, names = LabelGraph([[], [0], [1]], [0, 1, 2]), ("sky", "sea", "fog")
    climbed = Shape(2, placement="hill-climbing")
    assert about_apart(names, chain, (0, 1, 0.3), climbed) == ""
    assert about_apart(names, chain, (1, 0, 0.3), climbed) == ""
    assert about_apart(names, chain, (0, 2, 0.0), climbed) == ""
    shown_text = about_apart(names, chain, (0, 2, 0.3), climbed)
    has_line(shown_text, "The strongest pair", "sky", "fog", "not joined", "Algorithm 1", "never moves it again")
    has_line(about_apart(names, chain, (0, 2, 0.3), Shape(2)), "not joined", "no swap", "captures more")
    for other in ({"placement": "random"}, {"criterion": "residual"}, {"swaps": ((0, 1),)}):
        shown_text = about_apart(names, chain, (0, 2, 0.3), replace(climbed, **other))
        has_line(shown_text, "labels", "not placed", "mutual information alone")

    assert "The strongest pair" not in visitor.captions, "swaps join it"


def test_a_single_label_has_no_pairs(visitor, meka_arff, unescaped):
    visitor.upload(("one.arff", meka_arff({"only": "0,1"}, ["1,0.5,0", "0,0.7,1", "1,0.1,0"]))).go("start")
    assert "only is the only label" in visitor.text
    assert "no pairs to join" in below(visitor, unescaped)


def test_the_graph_is_the_trellis_as_it_was_tuned(visitor, unescaped, same_figures):
    visitor.go("trellis").set("width", 5).set("guide", "co-occurrence")
    visitor.go("start")

    assert stands(visitor, unescaped)[2] == "Trellis of width 5"
    same_figures(visitor)


def test_after_training_all_is_done_and_the_best_score_is_shown(small, unescaped, results_file):
    small.go("train").set("folds", 2).set("methods", ["IC", "CC"]).click("train").wait().go("start")

    scores = Store(results_file).results([1]).table("accuracy").loc["small"]
    found = stands(small, unescaped)
    assert "IC" in found[3]
    assert "CC" in found[3]
    best = [method for method in ("IC", "CC") if scores[method] == max(scores)]
    assert found[4] == f"{', '.join(best)}: {max(scores):.3f}"
    small_lines = below(small, unescaped)
    assert small_lines[-2:] == [Containing("best", "Accuracy (Jaccard)", "run"), DONE]
    assert small_lines.count(DONE) == 5
    assert NEXT not in small_lines
    assert re.search(r"\d+ \w{3} \d{4}, \d\d:\d\d UTC: done in ", small.captions)


def test_runs_on_other_data_are_not_those_of_the_way(small, unescaped):
    small.go("train").set("folds", 2).click("train").wait()
    small.choose_packaged("solar-flare").go("start")

    assert stands(small, unescaped)[3:] == ["Nothing trained yet", "No scores yet"]
    assert len(runs_listed(small)) == 1


def test_a_recent_run_is_the_one_that_compare_shows(small):
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

    assert "7: run *6*" in visitor.text
    assert "3: run *2*" in visitor.text
    assert "2: run *1*" not in visitor.text
    assert "was cancelled, 0 fits" in visitor.captions
    assert not runs_listed(visitor), "there is nothing to compare"
    assert ("compare", "2 older runs on Compare") in links(visitor)


@pytest.mark.parametrize(
    ("zone", "reported"),
    [("Asia/Tokyo", "1 Mar 2026, 08:05"), ("America/New_York", "28 Feb 2026, 18:05"), (None, "28 Feb 2026, 23:05 UTC")],
)
def test_a_time_is_shown_in_the_time_zone_of_the_visitor(zone, reported):
    assert moment("2026-02-28T23:05:59+00:00", zone) == reported


WAYS_IN = ("Look at your data", "Is structure worth it?", "Play with the room", "Take the lessons")


@pytest.mark.parametrize(
    ("screen", "role", "at_once"),
    [({"viewport": {"width": 1280, "height": 800}}, "link", WAYS_IN), (PHONE, "button", ("Play",))],
    indirect=["screen"],
    ids=["wide", "dark phone"],
)
def test_the_first_screen_has_the_ways_on_and_stages_are_links_for_mouse_and_keyboard(screen, role, at_once):
    page = screen.open()
    assert not page.evaluate("document.documentElement.scrollWidth > innerWidth")
    for name in at_once:
        box = page.get_by_role(role, name=name).bounding_box()
        assert box["y"] + box["height"] < page.viewport_size["height"], name

    page.get_by_text("Class12 and Class13", exact=True).first.click(force=True)  # the link lies over the whole card
    expect(page.get_by_role("heading", level=1)).to_have_text("Which labels depend on each other?")
    page.go_back()
    screen.rest()
    page.get_by_role("link", name="3. Graph").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("What does a trellis capture?")
    assert screen.console == []


@pytest.mark.parametrize("still", [False, True], ids=["moving", "reduced motion"])
def test_play_shows_each_step_and_the_scores_that_change(screen, still):
    screen.page.emulate_media(reduced_motion="reduce" if still else "no-preference")
    page = screen.open()
    page.get_by_role("button", name="Play").click()
    step = page.get_by_role("slider", name="Step")
    pause = page.get_by_role("button", name="Pause")
    expect(pause).to_be_visible(timeout=60_000)  # the scores are computed first
    expect(page.get_by_text("Step 1 of 14")).to_be_visible()
    label = page.locator(".building .label").first
    moves = label.evaluate("element => getComputedStyle(element).transitionDuration")
    assert (moves == "0s") is still
    pause.click()
    before = page.locator(".building .score b").all_inner_texts()
    step.press("End")
    expect(page.get_by_text("capture 1.78 nats")).to_be_visible()
    after = page.locator(".building .score b").all_inner_texts()
    assert float(after[0]) > float(before[0]), "exact match"
    assert int(after[2].rstrip("%")) < int(before[2].rstrip("%")), "unseen label sets"
    screen.page.emulate_media(reduced_motion="no-preference")
    assert screen.console == []
