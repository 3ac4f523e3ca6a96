"""The Label DAG lab: a known graph, what finds it, and how much data that takes."""

import re
import threading
import time

import pytest
from playwright.sync_api import expect
from sentences import Containing, has_line, holds
from state.structures import RESIDUALS
from views.label_dag import dag_lab
from views.label_dag.dag_lab import Batch, Knobs

from trellislib.data import DIFFICULTIES, simulate_label_dag
from trellislib.graphs import LabelGraph, fs, lead, recovery, recovery_curve
from trellislib.summaries import about_recovery

KNOBS = {"n_instances": 500, "n_labels": 20, "n_features": 10, "n_ones": 3, "delta": 0.0}
LONG = 60_000


@pytest.fixture
def lab(visitor):
    return visitor.go("label_dag")


@pytest.fixture
def small_lab(visitor):
    """The lab with few labels, so that batches are quick."""
    visitor.at.query_params["dag_l"], visitor.at.query_params["dag_graphs"] = "4", "2"
    visitor.at.query_params["dag_vary"] = "Difficulty"
    return visitor.go("label_dag")


def table(lab):
    return lab.table("SHD ↓")


def batch_button(lab):
    return lab.at.button(key="run batch")


def finish(lab):
    """Wait until no batch goes on."""
    return lab.wait(lambda: not lab.workspace().active)


def test_the_first_view_is_full(lab, same_figures):
    holds(lab.title, "structure", "graph")
    data = simulate_label_dag(**KNOBS, **DIFFICULTIES["easy"], random_state=0)
    truth = LabelGraph(data.true_parents)
    found = {"FS": fs(data.Y, random_state=0), "LEAD (signed)": lead(data.X, data.Y, random_state=0)}
    assert lab.takeaway == about_recovery(found, truth, 500)
    assert len(lab.charts) == 4
    for name, graph in found.items():
        scores = recovery(graph, truth)
        row = table(lab).loc[name]
        assert row[["F, directed ↑", "F of pairs ↑", "SHD ↓"]].to_list() == [scores.f, scores.skeleton_f, scores.shd]
    has_line(lab.captions, "The paper reports F = 0.278", "FS", "0.263", "LEAD", "error")
    has_line(lab.text.replace("**", ""), "LEAD (signed)", "signed errors")
    has_line(lab.captions, "simulates", f"other pages show {lab.workspace().dataset.name}")
    same_figures(lab)


@pytest.mark.parametrize("difficulty", DIFFICULTIES)
def test_a_difficulty_sets_alpha_and_sigma2(lab, difficulty):
    lab.set("dag preset", difficulty)
    assert lab.widget("dag_alpha").value == DIFFICULTIES[difficulty]["alpha"]
    assert lab.widget("dag_sigma2").value == DIFFICULTIES[difficulty]["sigma2"]
    has_line(lab.text, f"{difficulty}", f"alpha = {DIFFICULTIES[difficulty]['alpha']:g}", "sigma² =")
    lab.set("dag_alpha", 0.9)
    assert lab.widget("dag preset").value is None
    lab.set("dag preset", "medium")
    lab.set("dag preset", None)  # a click on what is marked takes the mark away, and changes nothing
    assert lab.widget("dag preset").value == "medium"


def test_every_knob_reaches_the_simulation(lab, same_figures):
    values = {"dag_l": 6, "dag_n": 200, "dag_d": 5, "dag_t": 2, "dag_delta": 0.3, "dag_seed": 4, "dag_alpha": -1.0}
    for knob, value in (values | {"dag_sigma2": 0.5, "dag_lead": "error"}).items():
        lab.set(knob, value)
    call = "n_instances=200, n_labels=6, n_features=5, n_ones=2, alpha=-1.0, sigma2=0.5, delta=0.3, random_state=4"
    assert f"data = simulate_label_dag({call})" in lab.flat_code
    assert table(lab).index.to_list() == ["FS", "LEAD (error)"]
    same_figures(lab)


def test_a_label_depends_on_no_more_features_than_there_are(lab):
    lab.set("dag_t", 8).set("dag_d", 4)
    assert lab.widget("dag_t").value == lab.widget("dag_t").max == 4
    assert "n_features=4, n_ones=4" in lab.flat_code


def test_an_address_sets_the_knobs(visitor):
    asked = {"dag_l": "7", "dag_n": "1000", "dag_d": "6", "dag_t": "5", "dag_alpha": "0.5", "dag_sigma2": "2.0"}
    for knob, value in (asked | {"dag_lead": RESIDUALS["error"], "dag_seed": "3"}).items():
        visitor.at.query_params[knob] = value
    visitor.go("label_dag")
    assert "n_instances=1000, n_labels=7, n_features=6, n_ones=5, alpha=0.5, sigma2=2.0, delta=0.0" in visitor.flat_code
    assert "random_state=3" in visitor.code
    assert visitor.widget("dag preset").value == "medium"
    assert visitor.widget("dag_lead").value == "error"


@pytest.mark.parametrize("value", ["-1", "99999999999", "x", "nan", ""])
def test_wrong_addresses_are_tolerated(visitor, value):
    for knob in (*dag_lab.BY_DEFAULT, "dag_lead", "dag_vary", "dag_graphs", "dag_score"):
        visitor.at.query_params[knob] = value
    visitor.go("label_dag")
    assert not visitor.errors
    assert len(visitor.charts) == 4


def test_more_features_of_a_label_than_features_in_the_address(visitor):
    visitor.at.query_params["dag_d"], visitor.at.query_params["dag_t"] = "4", "9"
    visitor.go("label_dag")
    assert visitor.widget("dag_t").value <= 4


def test_two_labels(lab, same_figures):
    lab.set("dag_l", 2)
    same_figures(lab)


def test_the_data_can_be_used_on_all_pages(lab):
    lab.set("dag_l", 5).set("dag_seed", 2)
    lab.press("Use these data on all pages")
    holds(lab.loaded, "Label DAG", "N = 500", "D = 10", "L = 5")
    loaded = lab.loaded
    expected = simulate_label_dag(**KNOBS | {"n_labels": 5}, **DIFFICULTIES["easy"], random_state=2)
    assert lab.workspace().dataset.digest == expected.digest
    assert lab.at.button(key="use dag").disabled
    assert not lab.set("dag_seed", 3).at.button(key="use dag").disabled
    assert lab.loaded == loaded  # turning a knob loads nothing


def test_how_labels_follow_their_parents_is_described_and_shown(lab):
    lab.set("dag_n", 20_000)
    rows = lab.table("theory")
    assert len(rows) == 38
    assert rows["theory"].round(4).isin([0.2398, 0.5, 0.7602]).all()
    exact = rows[rows["exact"]]
    assert ((exact["observed"] - exact["theory"]).abs() < 0.02).all()
    within = exact["observed"].between(exact["low"], exact["high"]).sum()
    has_line(lab.captions, f"{within}", f"{len(exact)} observed shares", "within", "formula", "exact")


# Batches


def test_a_batch_is_priced_and_run(small_lab, same_figures):
    assert re.fullmatch(r"Simulate and search 10 data sets, about [\d.]+ s", batch_button(small_lab).label)
    small_lab.click("run batch")
    finish(small_lab)
    assert len(small_lab.charts) == 5
    assert batch_button(small_lab).disabled
    setting = {name: value for name, value in KNOBS.items() if name != "n_labels"}
    expected = recovery_curve("difficulty", n_datasets=2, n_labels=4, random_state=0, **setting)
    means = expected.groupby(["structure", "difficulty"])["skeleton_f"].mean()
    fs_trace = next(trace for trace in small_lab.figures[-1]["data"] if trace["name"] == "FS")
    shown = small_lab.table("mean").loc["FS"]
    assert [float(cell.split(" ± ")[0]) for cell in shown[["0", "0.5", "1"]]] == pytest.approx(
        means["FS"][[0.0, 0.5, 1.0]].round(3).to_list(), abs=6e-4
    )
    assert shown["in the paper"] == "0.278"
    assert fs_trace["line"]["color"] == "#0072B2"
    assert "FS, published: 0.278" in {trace["name"] for trace in small_lab.figures[-1]["data"]}
    same_figures(small_lab)


def test_a_batch_is_stored_for_its_knobs_and_found_again(small_lab, visit):
    small_lab.click("run batch")
    finish(small_lab)
    small_lab.set("dag_alpha", 0.3)  # which varies in the batch
    assert len(small_lab.charts) == 5
    small_lab.set("dag_l", 5)
    assert len(small_lab.charts) == 4
    assert not batch_button(small_lab).disabled
    other = visit(small_lab.at.query_params["workspace"])  # after a reload
    for knob, value in {"dag_l": "4", "dag_graphs": "2", "dag_vary": "Difficulty"}.items():
        other.at.query_params[knob] = value
    assert len(other.go("label_dag").charts) == 5


def test_a_score_of_a_batch_can_be_chosen(small_lab, same_figures):
    small_lab.click("run batch")
    finish(small_lab)
    small_lab.set("dag_score", "shd")
    assert small_lab.figures[-1]["layout"]["yaxis"]["title"]["text"] == "structural Hamming distance"
    assert "published" not in str(small_lab.figures[-1])
    same_figures(small_lab)


def test_a_cancelled_batch_keeps_what_is_finished(small_lab, monkeypatch):
    batch = Batch.of(dag_lab.Knobs(**KNOBS | {"n_labels": 4}, **DIFFICULTIES["easy"], seed=0), "difficulty", 2)
    monkeypatch.setattr(Batch, "run", lambda self, progress, cancelled: _three_of(self, progress, cancelled))
    small_lab.click("run batch")
    small_lab.workspace().job(batch).cancel()
    finish(small_lab)
    has_line(small_lab.captions, "Cancelled", "3", "40 searches")
    assert not batch_button(small_lab).disabled
    assert "recovery_curve(" not in small_lab.code  # which would not stop there


def _three_of(batch, progress, cancelled):
    """Run a batch until its fourth structure, where its job must have been cancelled."""
    asked = iter([False] * 3 + [True])
    while not cancelled():
        time.sleep(0.01)
    setting = dict(batch.setting)
    return recovery_curve(
        batch.vary, n_datasets=2, random_state=0, progress=progress, cancelled=lambda: next(asked), **setting
    )


def test_a_batch_is_shown_while_it_goes_on(small_lab, monkeypatch):
    reported, may_end = threading.Event(), threading.Event()
    report = dag_lab.Finished.report

    def wait(self, curve):
        report(self, curve)
        if len(curve) == 12:
            reported.set()
            may_end.wait(60)

    monkeypatch.setattr(dag_lab.Finished, "report", wait)
    small_lab.click("run batch")
    try:
        assert reported.wait(60)
        small_lab.run()
        assert len(small_lab.charts) == 5
        has_line(small_lab.captions, "So far", "3", "10 data sets")
        assert "recovery_curve(" not in small_lab.code
    finally:
        may_end.set()
    finish(small_lab)
    assert "So far" not in small_lab.captions
    has_line(small_lab.captions.lower(), "link", "view holds", "knobs", "batch", "run again")


def test_a_batch_that_fails_shows_the_reason(small_lab, monkeypatch):
    def fail(self, progress, cancelled):
        raise ValueError("no such graph")

    monkeypatch.setattr(Batch, "run", fail)
    small_lab.click("run batch")
    finish(small_lab)
    assert small_lab.errors == [Containing("batch failed", "no such graph")]
    assert not batch_button(small_lab).disabled


def test_what_a_batch_costs_grows_with_what_it_does():
    knobs = Knobs(500, 20, 10, 3, 1.0, 1.0, 0.0, 0)
    assert Batch.of(knobs, "difficulty", 20).price == pytest.approx(2 * Batch.of(knobs, "difficulty", 10).price)
    larger = Knobs(5000, 20, 10, 3, 1.0, 1.0, 0.0, 0)
    assert Batch.of(larger, "difficulty", 10).price > 2 * Batch.of(knobs, "difficulty", 10).price
    assert Batch.of(Knobs(50, 2, 2, 1, 1.0, 1.0, 0.0, 0), "difficulty", 2).price == 1.0  # nothing is told to take less
    assert Batch.of(larger, "n_instances", 10) == Batch.of(knobs, "n_instances", 10)


# In a browser


def test_a_person_turns_a_knob_and_runs_and_cancels_batches(screen):
    page = screen.open("label_dag?dag_l=5&dag_graphs=2&dag_vary=Difficulty")
    expect(page.locator(".js-plotly-plot")).to_have_count(4)
    for number in range(3):  # all three graphs are in the first view
        box = page.locator(".js-plotly-plot").nth(number).bounding_box()
        assert box["y"] + box["height"] <= 900

    text = page.get_by_text(re.compile("from 500 instances")).first
    expect(text).to_be_visible()
    slider = page.get_by_role("slider", name="Instances N")
    slider.focus()
    slider.press("ArrowRight")
    expect(page.get_by_text(re.compile("from 1,000 instances")).first).to_be_visible()
    expect(page).to_have_url(re.compile("dag_n=1000"))
    screen.rest()

    page.get_by_role("button", name=re.compile("Simulate and search 10 data sets")).click()
    expect(page.locator(".js-plotly-plot")).to_have_count(5, timeout=LONG)
    expect(page.get_by_text(re.compile("^At difficulty 0, "))).to_be_attached()  # perhaps folded
    screen.rest()

    slider = page.get_by_role("slider", name="Graphs")
    slider.focus()
    slider.press("End")
    expect(page.get_by_role("button", name=re.compile("Simulate and search 250 data sets"))).to_be_visible()
    screen.rest()
    page.get_by_role("button", name=re.compile("Simulate and search 250 data sets")).click()
    expect(page.get_by_text(re.compile(r"on data set \d+, N\s=\s1,000: "))).to_be_visible()
    page.get_by_role("button", name="Cancel").click()
    expect(page.get_by_text(re.compile(r"^Cancelled. Showing \d+ of 1000 searches"))).to_be_visible()
    assert screen.console == []
