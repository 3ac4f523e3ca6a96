"""The Inspect page: one prediction step by step, what-if, the sweeps of Gibbs sampling, and how it is fitted."""

import numpy as np
import pytest
from inspecting import fitting
from playwright.sync_api import expect

from trellislib.inspection import life
from trellislib.methods import METHODS

ONE, SWEEPS, WHOLE = "One prediction", "Gibbs sweeps", "A whole test set"


def labels_of(visitor):
    """Return the table of all labels."""
    return visitor.table("fate")


def traces(visitor):
    return {trace.get("name"): trace for trace in visitor.figures[0]["data"]}


def test_first_it_shows_a_prediction_of_ct_on_the_data_that_are_loaded(visitor):
    visitor.go("inspect")
    assert visitor.title == "Why does a method predict this?"
    table = labels_of(visitor)
    assert len(table) == 14
    assert set(table["step"]) == set(range(1, 15))
    assert len(visitor.charts) == 2
    assert "still to come" in traces(visitor)


def test_the_table_is_what_the_library_predicts(visitor):
    visitor.go("inspect")
    fitted = fitting.at_once(visitor.workspace().dataset, "CT", "Least squares", visitor.workspace().trained)
    table = labels_of(visitor).set_index("label").loc[list(fitted.names)]
    assert table["decided"].astype(int).tolist() == fitted.member.predict(fitted.X_test[[0]])[0].tolist()
    assert table["true"].astype(int).tolist() == np.asarray(fitted.Y_test[[0]])[0].tolist()


def test_steps_are_walked_by_the_buttons(visitor):
    visitor.go("inspect").click("step on").click("step on")
    assert visitor.widget("step").value == 3
    visitor.click("last step")
    assert "still to come" not in traces(visitor)
    assert visitor.at.button(key="step on").disabled


def test_rows_turn_and_the_next_error_is_one(visitor):
    visitor.go("inspect").click("row back")
    n_rows = visitor.widget("row").max
    assert visitor.widget("row").value == n_rows
    visitor.click("row on")
    assert visitor.widget("row").value == 1
    visitor.click("row with an error")
    table = labels_of(visitor)
    assert (table["decided"] != table["true"]).any()


def test_what_if_changes_what_is_downstream_and_is_in_the_address(visitor):
    visitor.go("inspect").click("flip")
    (chosen,) = visitor.widget("set").value
    table = labels_of(visitor)
    first = table.iloc[0]
    assert first["fate"] == "set"
    assert first["decided"] == chosen.partition("-")[2]
    assert "Set by hand" in visitor.said
    fitted = fitting.at_once(visitor.workspace().dataset, "CT", "Least squares", visitor.workspace().trained)
    label, code = map(int, chosen.split("-"))
    forced = life(fitted.member, fitted.X_test[[0]], fitted.Y_test[[0]], {label: code})
    assert table.sort_values("step")["decided"].astype(int).tolist() == [step.code for step in forced.steps]
    visitor.set("set", [])
    assert "Set by hand:" not in visitor.said


@pytest.mark.parametrize("key", fitting.OFFERED)
def test_every_method_with_a_graph_is_walked_through(small, key):
    small.go("inspect").set("inspected", key)
    table = labels_of(small)
    assert sorted(table["step"]) == [1, 2, 3]
    assert len(small.charts) == 2


def test_methods_without_a_graph_are_not_offered():
    without = [key for key in METHODS if key not in fitting.OFFERED]
    assert without == ["LP", "PS", "EPS", "RAkEL", "MOF"]


@pytest.mark.parametrize("name", ["solar-flare", "movies"])
def test_labels_of_several_values_and_sparse_features(visitor, name):
    visitor.choose_packaged(name).go("inspect")
    table = labels_of(visitor)
    assert len(table) == visitor.workspace().dataset.n_labels
    visitor.click("flip")
    assert labels_of(visitor)["fate"].tolist().count("set") == 1


def test_one_label(visitor, meka_arff):
    rows = [f"{int(n % 3 == 0)},{n % 3},{n % 5}" for n in range(30)]
    visitor.upload(("one.arff", meka_arff({"a": "0,1"}, rows))).go("inspect")
    assert len(labels_of(visitor)) == 1


def test_gaps_are_filled(visitor, meka_arff):
    rows = [f"{int(n % 3 == 0)},{int(n % 2)},{n % 3 if n % 4 else '?'},{n % 5}" for n in range(60)]
    visitor.upload(("gaps.arff", meka_arff(dict.fromkeys("ab", "0,1"), rows))).go("inspect")
    assert len(labels_of(visitor)) == 2


def test_members_of_an_ensemble(small):
    small.go("inspect").set("inspected", "ECC")
    orders = []
    for member in range(1, 6):
        small.set("member", member)
        orders.append(tuple(labels_of(small).sort_values("step")["label"]))
    assert len(set(orders)) > 1


def test_sweeps_are_those_of_undirected_graphs(small):
    small.go("inspect").set("inspect_view", SWEEPS)
    assert "CT draws no sweeps" in small.takeaway
    small.click("switch to CDT")
    assert len(small.charts) == 2
    assert "R-hat" in small.captions
    small.set("sweeps", 50)
    assert len(small.figures[0]["data"][0]["x"]) == 50


def test_slow_learners_are_fitted_by_a_button(small):
    small.go("inspect").set("inspected_learner", "Decision tree")
    assert not small.charts
    small.press("Fit CT with decision tree")
    pieces = small.workspace().pieces
    small.wait(lambda: not any(job.is_active for job in pieces.values()))
    assert len(labels_of(small)) == 3


def test_the_python_of_the_page_runs(visitor, monkeypatch):
    visitor.go("inspect")
    shown = []
    monkeypatch.setattr("plotly.graph_objects.Figure.show", lambda figure: shown.append(figure))
    exec(visitor.code, {})
    assert [bar["x"] for bar in visitor.figures[1]["data"]] == [list(bar.x) for bar in shown[0].data]


def test_keys_walk_through_the_steps(screen):
    page = screen.open("inspect")
    step = page.get_by_role("slider", name="Step")
    expect(step).to_have_value("1")
    page.get_by_role("heading", level=1).click()
    page.keyboard.press("n")
    expect(step).to_have_value("2")
    page.keyboard.press("b")
    expect(step).to_have_value("1")
    page.keyboard.press("p")
    expect(step).to_have_value("3")
    page.keyboard.press("p")
    expect(page.get_by_role("button", name="Play")).to_be_visible()
    assert screen.console == []
