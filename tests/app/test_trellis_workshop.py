"""The Trellis page's views of Algorithm 1 step by step, of widths and patterns, and of seeds."""

import base64
import re
import time

import numpy as np
import pandas as pd
import pytest
import streamlit as st
from components import player
from playwright.sync_api import expect
from sentences import has_line, holds
from views.trellis import curves, placed, seeds

from trellislib import ClassifierTrellis, summaries
from trellislib.data import packaged
from trellislib.dependence import information, mutual_information
from trellislib.experiment.rescoring import CrossValidation
from trellislib.graphs import (
    PATTERNS,
    Trellis,
    capture_curve,
    captured_dependence,
    placement_stability,
    placement_steps,
    trellis,
)
from trellislib.running.progress import stop_if

STEP, CURVES, SEEDS = "Step by step", "Widths", "Seeds"


@pytest.fixture
def visitor(visit):
    """A person who has chosen Algorithm 1 as printed, and few seeds; yeast is loaded."""
    return visit(placement="Hill climbing", n_seeds="3")


def see(visitor, view):
    visitor.go("trellis")
    return visitor.set("view", view)


def step_told(visitor):
    """The sentence about the step that is shown."""
    return re.search(r"Step \d+ of \d+: .*", visitor.text)[0]


def finish(visitor):
    return visitor.wait(lambda: not visitor.workspace().active)


@pytest.fixture
def yeast_steps():
    return placement_steps(mutual_information(packaged("yeast").Y), 3, random_state=0)


@pytest.mark.parametrize(("view", "n_figures"), [(STEP, 1), (CURVES, 2), (SEEDS, 3)])
def test_the_python_of_a_view_makes_its_figures(visitor, same_figures, view, n_figures):
    see(visitor, view)
    assert len(visitor.figures) == n_figures
    same_figures(visitor)


@pytest.mark.parametrize("view", [STEP, CURVES, SEEDS])
def test_a_single_label_is_reported(visitor, meka_arff, same_figures, view):
    rows = [f"{n % 2},{n % 7},{n % 3}" for n in range(30)]
    visitor.upload(("one.arff", meka_arff({"only": "0,1"}, rows)))
    see(visitor, view)
    assert visitor.takeaway in (
        "only is the only label and takes the only cell.",
        "Width 1 captures nothing with left-up parents. No other pattern captures a larger share at this width.",
        "This lattice has no edges, so all seeds give the same.",
    )


@pytest.mark.parametrize("view", [STEP, CURVES, SEEDS])
def test_labels_of_several_values_and_gaps_in_the_features(
    visitor, meka_arff, same_figures, view, tmp_path, monkeypatch
):
    rows = [f"{n % 3},{n // 2 % 3},{n // 5 % 3},{n % 7 if n % 4 else '?'},{n % 11}" for n in range(60)]
    content = meka_arff(dict.fromkeys("abc", "0,1,2"), rows)
    (tmp_path / "gaps.arff").write_bytes(content)
    monkeypatch.chdir(tmp_path)  # where the Python of the page finds it
    visitor.upload(("gaps.arff", content))
    visitor.go("trellis").set("guide", "residual")
    visitor.set("view", view)
    assert "nats beyond the features" in visitor.takeaway
    same_figures(visitor)


# Step by step


def test_a_step_is_described_and_drawn(visitor, yeast_steps, same_figures):
    see(visitor, STEP).set("step", 5)
    names = packaged("yeast").label_names
    step = yeast_steps[4]
    parents = " and ".join(names[parent] for parent in step.parents)
    has_line(
        step_told(visitor),
        "Step 5",
        "14",
        "cell in row 2",
        "column 2",
        f"parents {parents}",
        f"{names[step.chosen]} depends most",
    )
    so_far = sum(step.gain for step in yeast_steps[:5])
    has_line(step_told(visitor), "The edges", f"capture {so_far:.3g} of {yeast_steps.captured[-1]:.3g} nats")
    assert "step_figure(steps, 4," in visitor.code
    assert len(visitor.figures) == 2
    same_figures(visitor)
    workspace = visitor.workspace()  # the steps are those of the trellis that is shown
    assert [each.chosen for each in yeast_steps] == list(workspace.placed(workspace.shown).order)


def test_buttons_go_through_the_steps(visitor):
    see(visitor, STEP)
    assert "Step 1 of 14" in step_told(visitor)
    has_line(step_told(visitor), "which the seed draws")
    for button, number in (("step on", 2), ("step on", 3), ("step back", 2), ("last step", 14), ("first step", 1)):
        assert f"Step {number} of 14:" in step_told(visitor.click(button))
    assert visitor.widget("step back").disabled
    assert visitor.widget("first step").disabled
    visitor.click("last step")
    assert visitor.widget("step on").disabled


def test_a_player_goes_on_by_itself_until_it_is_paused(visitor, monkeypatch):
    see(visitor, STEP)
    visitor.run()
    assert "Step 1 of 14" in step_told(visitor)  # it does not start by itself
    visitor.click("play")
    assert visitor.widget("pause").label == "Pause"
    monkeypatch.setattr(player.time, "monotonic", Clock(player.time.monotonic()))
    numbers = [int(re.search(r"\d+", step_told(visitor.run()))[0]) for _ in range(3)]
    assert numbers == [2, 3, 4]
    visitor.click("pause")
    number = step_told(visitor)
    assert step_told(visitor.run()) == number
    assert visitor.widget("play").label == "Play"


class Clock:
    """Time in which every look at it takes as long as a step."""

    def __init__(self, now):
        self.now = now

    def __call__(self):
        self.now += player.PACE
        return self.now


def test_a_player_stops_at_the_last_step_and_starts_again(visitor, monkeypatch):
    see(visitor, STEP).set("step", 13).click("play")
    monkeypatch.setattr(player.time, "monotonic", Clock(player.time.monotonic()))
    visitor.run()
    assert "Step 14 of 14" in step_told(visitor)
    assert "player" not in visitor.at.session_state
    monkeypatch.undo()
    visitor.click("play")
    assert "Step 1 of 14" in step_told(visitor)


def test_a_player_that_nobody_watched_has_stopped(visitor, monkeypatch):
    see(visitor, STEP).click("play")
    later = player.time.monotonic() + 60
    monkeypatch.setattr(player.time, "monotonic", lambda: later)
    visitor.go("graphs")
    visitor.go("trellis")
    assert "player" not in visitor.at.session_state
    assert "Step 1 of 14" in step_told(visitor)


def test_a_turn_of_a_knob_pauses(visitor):
    see(visitor, STEP).click("play").set("width", 4)
    assert "player" not in visitor.at.session_state


def test_other_placements_have_no_steps_and_a_way_to_those_that_have(visitor, same_figures):
    see(visitor, STEP).set("placement", "random")
    holds(visitor.takeaway, "random has no steps", "Hill climbing has one")
    assert not visitor.figures
    same_figures(visitor)
    visitor.press("Switch to hill climbing")
    assert "Step 1 of 14" in step_told(visitor)


def test_steps_before_swaps_by_hand_are_separate_from_the_scores_after_them(visit):
    visitor = visit(swaps="0-1").go("trellis")
    visitor.set("view", STEP)
    assert visitor.workspace().shape.swaps
    has_line(visitor.captions, "steps of Algorithm 1", "Swaps", "scores", "after the swaps")


def test_fewer_labels_have_fewer_steps(visitor, small):
    small.at.session_state["step"] = 14
    see(small, STEP)
    assert "Step 3 of 3" in step_told(small)


def test_a_browser_that_is_behind_does_not_stop_the_player_and_a_person_does(visitor):
    see(visitor, STEP).set("step", 9).click("play")
    visitor.set("step", 8)  # as the slider was a tick ago
    assert visitor.widget("step").value >= 9
    assert "player" in visitor.at.session_state
    visitor.set("step", 2)
    assert visitor.widget("step").value == 2
    assert "player" not in visitor.at.session_state


# Widths


def test_the_curve_is_that_of_the_library(visitor):
    see(visitor, CURVES)
    dependence = mutual_information(packaged("yeast").Y)
    curve = capture_curve(dependence, random_state=0)
    assert visitor.takeaway == summaries.about_capture_curve(curve, "left-up", 3, share=True)
    code = "capture_curve_figure(curve, pattern='left-up', width=3, share=True, unit='nats')"
    assert code in visitor.code
    visitor.set("curve", "amount")
    here = captured_dependence(trellis(dependence, 3, random_state=0), dependence)
    best = max(captured_dependence(trellis(dependence, width, random_state=0), dependence) for width in range(1, 15))
    assert f"captures most with left-up parents: {best:.3g} nats" in visitor.takeaway
    assert f"Width 3 captures {here:.3g} nats" in visitor.takeaway
    assert "share=False" in visitor.code


def test_widths_and_seeds_are_placed_by_swaps_where_the_trellis_is(visitor, monkeypatch):
    monkeypatch.setattr(curves, "WIDTHS", 3)
    see(visitor, CURVES).set("placement", "swaps").set("patterns", False)
    dependence = mutual_information(packaged("yeast").Y)
    curve = capture_curve(dependence, [1, 3, 4, 14], {"left-up": PATTERNS["left-up"]}, placement="swaps")
    assert visitor.takeaway == summaries.about_capture_curve(curve, "left-up", 3, share=True)
    has_line(visitor.captions, "Placement by swaps", "seed 0")

    see(visitor, SEEDS).set("n_seeds", 3)
    found, random = (placement_stability(dependence, 3, n_seeds=3, placement=how) for how in ("swaps", "random"))
    by_swaps = summaries.about_stability(found, random, packaged("yeast").label_names, by="placement by swaps")
    assert visitor.takeaway == by_swaps
    assert list(comparison(visitor).columns) == ["Data", "Score", "random", "hill climbing", "swaps"]


def test_the_scores_of_the_widths_are_those_of_the_folds(visitor):
    see(visitor, CURVES)
    cv = CrossValidation(packaged("yeast"))
    expected = {width: cv.scores(ClassifierTrellis(width=width, random_state=0))["accuracy"].mean() for width in (3, 6)}
    assert f"Width 3 has {expected[3]:.3f}" in visitor.text
    has_line(visitor.text, "Width 6", "best", f"{expected[6]:.3f}")
    has_line(visitor.text, "Width 6", "Width 3", "behind")
    has_line(visitor.captions, "Bars", "standard deviations")


def test_a_custom_pattern_is_drawn_with_the_others(visitor, same_figures):
    see(visitor, CURVES).set("pattern", "custom")
    assert "custom" in {trace.get("name") for trace in visitor.figures[0]["data"]}
    same_figures(visitor)
    visitor.set("patterns", False)
    assert "left-up" not in {trace.get("name") for trace in visitor.figures[0]["data"]}
    same_figures(visitor)


def test_widths_that_take_long_are_scored_on_demand(visitor, monkeypatch, same_figures):
    monkeypatch.setattr(curves, "AT_ONCE", 0.0)
    monkeypatch.setattr(curves, "WIDTHS", 3)
    see(visitor, CURVES)
    assert len(visitor.figures) == 1
    (button,) = [button for button in visitor.at.main.button if button.label.startswith("Score 4 widths, about ")]
    button.click()
    finish(visitor.run())
    assert len(visitor.figures) == 2
    same_figures(visitor)


def test_a_width_between_those_of_the_curve_is_added(visitor, monkeypatch, same_figures):
    monkeypatch.setattr(curves, "WIDTHS", 4)
    see(visitor, CURVES).set("width", 5)
    assert "[1, 2, 5, 6, 14]," in visitor.code
    same_figures(visitor)


# Seeds


def test_the_seeds_and_the_best_of_them(visitor):
    see(visitor, SEEDS).set("n_seeds", 12)
    dependence = mutual_information(packaged("yeast").Y)
    found = placement_stability(dependence, 3, n_seeds=12)
    has_line(visitor.takeaway, "most", f"seed {found.best}")
    assert f"share {found.agreement:.0%} of the pairs" in visitor.takeaway
    names = packaged("yeast").label_names
    table = visitor.table("of the seeds")
    first = found.pairs(names, dependence).iloc[0]
    assert table.iloc[0].tolist() == first.tolist()
    visitor.press(f"Take seed {found.best}")
    assert visitor.widget("seed").value == found.best
    assert f"Seed {found.best} is taken" in [button.label for button in visitor.at.main.button]


def test_taking_a_seed_takes_hill_climbing(visitor):
    see(visitor, SEEDS).set("placement", "random").click("take seed")
    assert visitor.widget("placement").value == "hill-climbing"


def test_hill_climbing_against_random_over_seeds(visitor, same_figures):
    see(visitor, SEEDS).set("n_seeds", 3)
    cv = CrossValidation(packaged("yeast"))
    climbed, random = (
        np.array(
            [
                cv.scores(ClassifierTrellis(width=3, placement=placement, random_state=seed))["accuracy"].mean()
                for seed in range(3)
            ]
        )
        for placement in ("hill-climbing", "random")
    )
    has_line(
        visitor.text,
        f"{climbed.mean():.3f} ± {climbed.std(ddof=1):.3f}",
        f"random placement {random.mean():.3f} ± {random.std(ddof=1):.3f}",
    )
    same_figures(visitor)
    table = comparison(visitor)
    assert table.iloc[0]["Data"] == "yeast, here"
    assert table.iloc[0]["hill climbing"] == f"{climbed.mean():.3f} ± {climbed.std(ddof=1):.3f}"


def test_seeds_that_take_long_are_scored_on_demand(visitor, monkeypatch, same_figures):
    at_once = see(visitor, SEEDS).set("n_seeds", 3).figures[2]
    monkeypatch.setattr(seeds, "AT_ONCE", 0.0)
    assert len(visitor.run().figures) == 2
    press_that_begins(visitor, "Score both with 3 seeds, about ")
    assert visitor.figures[2] == at_once
    same_figures(visitor)


def test_the_pairs_can_be_saved_below_their_table(visitor, downloads):
    see(visitor, SEEDS)
    assert "yeast-stable-pairs-table csv" in downloads
    assert "under Save above" not in visitor.captions


def comparison(visitor) -> pd.DataFrame:
    """The table of random placement against hill climbing."""
    (table,) = [table.value for table in visitor.at.table if "hill climbing" in table.value]
    return table.map(lambda cell: re.sub(r"\\(.)", r"\1", cell))


def test_the_papers_table_is_shown_for_comparison(visitor):
    see(visitor, SEEDS)
    rows = comparison(visitor).set_index("Data")
    assert rows.loc["Music, the paper", ["random", "hill climbing"]].tolist() == ["0.536 ± 0.042", "0.541 ± 0.031"]
    assert rows.loc["Scene, the paper", ["random", "hill climbing"]].tolist() == ["0.639 ± 0.210", "0.678 ± 0.028"]
    assert rows.loc["Music, measured", ["random", "hill climbing"]].tolist() == ["0.538 ± 0.020", "0.534 ± 0.016"]


# Very many labels


@pytest.fixture
def many(visitor, monkeypatch):
    """A visitor whose labels count as very many: their dependence is found row by row."""
    from state import derived

    st.cache_resource.clear()
    for module in (derived, information):
        monkeypatch.setattr(module, "WHOLE_LABELS", 10)
    yield visitor
    st.cache_resource.clear()


def test_what_is_captured_is_looked_up_once(many, monkeypatch):
    see(many, STEP)
    asked = []
    monkeypatch.setattr(placed, "pair_values", lambda *of: asked.append(of))
    many.click("step on")
    assert many.takeaway.startswith("This trellis captures ")
    assert not asked


def press_that_begins(visitor, label):
    (button,) = [button for button in visitor.at.main.button if button.label.startswith(label)]
    button.click()
    return finish(visitor.run())


def test_steps_of_very_many_labels_are_found_one_by_one(many, same_figures, downloads, yeast_steps):
    see(many, STEP)
    assert isinstance(many.workspace().placed(many.workspace().shown), Trellis)
    assert step_told(many) == summaries.about_step(yeast_steps, 0, packaged("yeast").label_names)
    many.click("step on")
    assert step_told(many) == summaries.about_step(yeast_steps, 1, packaged("yeast").label_names)
    assert many.takeaway.startswith("This trellis captures ")
    has_line(many.text, "14 labels", "step", "computed", "shown")
    assert not [key for key in downloads if re.fullmatch(r"yeast-step-\d+-table csv", key)]
    same_figures(many)


def numbers(of_trace):
    """Return the values of a trace, which may be packed."""
    if isinstance(of_trace, list):
        return of_trace
    return np.frombuffer(base64.b64decode(of_trace["bdata"]), of_trace["dtype"]).tolist()


def test_widths_of_very_many_labels_are_a_job(many, monkeypatch):
    monkeypatch.setattr(curves, "AT_ONCE", -1.0)
    see(many, CURVES)
    assert not many.figures
    assert many.takeaway.startswith("This trellis captures ")
    press_that_begins(many, "Place labels in 56 lattices, about ")
    assert len(many.figures) == 1
    assert "with left-up parents" in many.takeaway
    whole = capture_curve(mutual_information(packaged("yeast").Y), range(1, 15), random_state=0)
    own = whole[whole["pattern"] == "left-up"]
    drawn = {trace["name"]: numbers(trace["y"]) for trace in many.figures[0]["data"]}
    assert drawn["left-up"] == pytest.approx((own["captured"] / own["bound"]).tolist())
    assert drawn["random, mean"] == pytest.approx((own["random"] / own["bound"]).tolist())
    assert "capture_curve_figure(curve, pattern='left-up'" in many.flat_code


def test_seeds_of_very_many_labels_are_a_job(many, same_figures, downloads):
    see(many, SEEDS).set("n_seeds", 4)
    assert len(many.figures) == 1  # what the seeds are worth, which is quick
    assert many.takeaway.startswith("This trellis captures ")
    press_that_begins(many, "Place the labels with 4 seeds, about ")
    found = placement_stability(mutual_information(packaged("yeast").Y), 3, n_seeds=4)
    has_line(many.takeaway, "most", f"seed {found.best}")
    assert f"Take seed {found.best}" in [button.label for button in many.at.main.button]
    assert len(many.figures) == 3
    assert "yeast-stable-pairs-table csv" in downloads
    assert "yeast-stability-matrix csv" not in downloads
    same_figures(many)


def test_work_that_was_cancelled_can_be_started_again(many, monkeypatch):
    def endless(*of, cancelled, **more):
        while True:
            stop_if(cancelled)
            time.sleep(0.01)

    monkeypatch.setattr(seeds, "placement_stability", endless)
    see(many, SEEDS)
    (button,) = [button for button in many.at.main.button if button.label.startswith("Place the labels")]
    button.click()
    many.run()
    (job,) = many.workspace().pieces.values()
    job.cancel()
    many.wait(lambda: not job.is_active)
    assert (job.state, job.error) == ("cancelled", "")
    assert [button.label for button in many.at.main.button if button.label.startswith("Place the labels")]


# In a browser


def see_in_browser(screen, view, more=""):
    page = screen.open(f"trellis?view={view.replace(' ', '+')}{more}")
    expect(page.locator(".js-plotly-plot").first).to_be_visible()
    return page


def at_step(page, number, timeout=None):
    expect(page.get_by_text(re.compile(rf"^Step {number} of 14: "))).to_be_visible(timeout=timeout)


# Notes the numbers of the steps that go by, each once.
WATCH = """() => {
    window.steps = [];
    const look = () => {
        for (const said of document.querySelectorAll('[data-testid=stMarkdown] p')) {
            const number = Number(/^Step (\\d+) of /.exec(said.textContent)?.[1]);
            if (number && !window.steps.includes(number)) window.steps.push(number);
        }
    };
    look();
    new MutationObserver(look).observe(document.body, {childList: true, subtree: true, characterData: true});
}"""


def steps_gone_by(page, last):
    """Return the numbers of the steps that were shown since `WATCH`, once the last has come."""
    page.wait_for_function(f"window.steps.includes({last})", timeout=60_000)
    return page.evaluate("window.steps")


def test_a_person_plays_and_steps_by_mouse_and_keys(screen):
    page = see_in_browser(screen, STEP)
    at_step(page, 1)
    page.evaluate(WATCH)
    page.get_by_role("button", name="Play").click()
    assert steps_gone_by(page, 4)[:4] == [1, 2, 3, 4]
    page.get_by_role("button", name="Pause").click()
    expect(page.get_by_role("button", name="Play")).to_be_visible()
    screen.rest()
    reported = page.get_by_text(re.compile(r"^Step \d+ of 14: ")).inner_text()
    number = int(re.search(r"\d+", reported)[0])
    expect(page).to_have_url(re.compile(rf"step={number}\b"))
    with pytest.raises(AssertionError):  # it stays
        expect(page.get_by_text(reported, exact=True)).to_be_hidden(timeout=3000 * player.PACE)
    at_step(page, number)

    for key, further in (("n", 1), ("n", 2), ("b", 1)):
        page.keyboard.press(key)
        at_step(page, number + further)
        screen.rest()
    page.evaluate(WATCH)
    page.keyboard.press("p")
    assert steps_gone_by(page, number + 3)[:3] == [number + 1, number + 2, number + 3]
    page.keyboard.press("p")
    expect(page.get_by_role("button", name="Play")).to_be_visible()
    screen.rest()
    button = page.get_by_role("button", name="First")
    button.focus()
    page.keyboard.press("Enter")
    at_step(page, 1)
    screen.rest()
    slider = page.get_by_role("slider", name="Step")
    slider.focus()
    page.keyboard.press("ArrowRight")
    at_step(page, 2)
    screen.rest()
    page.get_by_role("spinbutton", name="Seed").focus()  # in a field, a letter is a letter
    page.keyboard.press("n")
    with pytest.raises(AssertionError):
        at_step(page, 3, timeout=500)
    at_step(page, 2)
    assert not screen.console


@pytest.mark.parametrize("step", ["99", "0", "-1", "abc"])
def test_an_address_with_a_wrong_step_shows_another(screen, step):
    at_step(see_in_browser(screen, STEP, f"&step={step}"), 1)
    assert not screen.console


def points(page, chart, trace):
    """Return the markers of a trace of a chart."""
    return page.locator(".js-plotly-plot").nth(chart).locator(".scatterlayer .trace").nth(trace).locator(".point")


def test_a_click_on_a_width_takes_it(screen):
    page = see_in_browser(screen, CURVES)
    expect(page.locator(".js-plotly-plot")).to_have_count(2)
    screen.click_middle(points(page, 0, 6).nth(8))  # of left-up-second, which is drawn last
    expect(page).to_have_url(re.compile(r"width=9\b"))
    expect(page).to_have_url(re.compile(r"pattern=left-up-second\b"))
    expect(page.get_by_text(re.compile("with left-up-second parents"))).to_be_visible()
    screen.rest()
    assert not screen.console


def take_by_hand(page, knob, number):
    """Type a number into a knob."""
    field = page.get_by_role("spinbutton", name=knob)
    field.fill(str(number))
    field.press("Enter")


def test_a_click_on_a_seed_takes_it(screen):
    page = see_in_browser(screen, SEEDS, "&n_seeds=8")
    screen.click_middle(points(page, 0, 0).nth(6))
    expect(page).to_have_url(re.compile(r"seed=6\b"))
    expect(page.get_by_role("spinbutton", name="Seed")).to_have_value("6")
    screen.rest()
    take_by_hand(page, "Seed", 7)
    expect(page).to_have_url(re.compile(r"seed=7\b"))
    screen.rest()
    screen.click_middle(points(page, 0, 0).nth(6))  # the same point once more
    expect(page).to_have_url(re.compile(r"seed=6\b"))
    screen.rest()
    page.get_by_role("button", name=re.compile(r"Take seed \d")).click()
    expect(page.get_by_role("button", name=re.compile(r"Seed \d+ is taken"))).to_be_visible()
    assert not screen.console
