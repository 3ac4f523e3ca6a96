"""The Inspect page: one prediction step by step, what-if, the sweeps of Gibbs sampling, and a whole test set."""

import base64
import re
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_array_equal
from playwright.sync_api import expect
from sentences import has_line, holds
from views.inspect import fitting, gibbs, test_set

from trellislib.inspection import gibbs_runs, prediction_path, propagation
from trellislib.methods import METHODS
from trellislib.metrics import log_loss, reliability
from trellislib.summaries import about_reliability

ONE, SWEEPS, WHOLE = "One prediction", "Gibbs sweeps", "A whole test set"


def labels_of(visitor):
    """Return the table of all labels."""
    return visitor.table("outcome")


def drawn(visitor):
    """Return the values that the strip of sweeps shows."""
    z = visitor.figures[0]["data"][0]["z"]
    return np.frombuffer(base64.b64decode(z["bdata"]), z["dtype"]).reshape([int(n) for n in z["shape"].split(",")])


def traces(visitor):
    return {trace.get("name"): trace for trace in visitor.figures[0]["data"]}


def test_the_first_view_is_a_prediction_of_ct_on_the_loaded_data(visitor):
    visitor.go("inspect")
    holds(visitor.title, "Why", "predict")
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


def test_a_constant_label_among_labels_of_several_values_is_walked_through(visitor, meka_arff):
    rows = [f"{n % 3},0,{(n + 1) % 3},{n / 60:.2f},{n % 7}" for n in range(60)]
    visitor.upload(("made.arff", meka_arff(dict.fromkeys("abc", "0,1,2"), rows))).go("inspect")
    for step in range(1, 4):
        visitor.set("step", step)
        assert len(visitor.charts) == 2


def test_steps_are_walked_by_the_buttons(visitor):
    visitor.go("inspect").click("step on").click("step on")
    assert visitor.widget("step").value == 3
    visitor.click("last step")
    assert "still to come" not in traces(visitor)
    assert visitor.at.button(key="step on").disabled


def test_a_key_that_comes_with_the_old_place_of_the_slider_counts(visitor):
    visitor.go("inspect").click("step on")
    visitor.widget("step").set_value(1)  # as the browser has it until the next step arrives
    visitor.click("step on")
    assert visitor.widget("step").value == 3


def test_rows_turn_and_the_next_error_is_one(visitor):
    visitor.go("inspect").click("row back")
    n_rows = visitor.widget("row").max
    assert visitor.widget("row").value == n_rows
    visitor.click("row on")
    assert visitor.widget("row").value == 1
    visitor.click("row with an error")
    table = labels_of(visitor)
    assert (table["decided"] != table["true"]).any()


def test_an_error_counts_where_the_truth_of_an_input_was_not_seen_in_training(visitor):
    visitor.go("inspect")
    fitted = fitting.at_once(visitor.workspace().dataset, "CT", "Least squares", visitor.workspace().trained)
    child = next(label for label, inputs in enumerate(fitted.member.graph_.inputs) if inputs)
    true = fitted.member.predict(fitted.X_test[:3]).copy()
    true[0, fitted.member.graph_.inputs[child][0]] = 7
    true[1, child] = 7
    true[0, child] = 1 - true[0, child]
    seen = replace(fitted, X_test=fitted.X_test[:3], Y_test=true)
    assert seen.wrong.tolist() == [0]  # of the second row, nothing that is known is wrong
    assert seen.inherited.tolist() == []


def test_what_if_changes_what_is_downstream_and_is_in_the_address(visitor):
    visitor.go("inspect").click("flip")
    (chosen,) = visitor.widget("set").value
    table = labels_of(visitor)
    first = table.iloc[0]
    assert first["outcome"] == "set"
    assert first["decided"] == chosen.partition("-")[2]
    assert "Set by hand" in visitor.text
    fitted = fitting.at_once(visitor.workspace().dataset, "CT", "Least squares", visitor.workspace().trained)
    label, code = map(int, chosen.split("-"))
    forced = prediction_path(fitted.member, fitted.X_test[[0]], fitted.Y_test[[0]], {label: code})
    assert table.sort_values("step")["decided"].astype(int).tolist() == [step.code for step in forced.steps]
    visitor.set("set", [])
    assert "Set by hand:" not in visitor.text


def test_it_says_what_deciding_for_a_score_changes(visitor):
    visitor.go("inspect")
    before = labels_of(visitor)
    visitor.set("inspected_decide", "accuracy")
    fitted = fitting.at_once(
        visitor.workspace().dataset, "CT", "Least squares", visitor.workspace().trained, "accuracy"
    )
    method = fitted.decider
    n_changed = 0
    for row in range(4):
        visitor.set("row", row + 1)
        inferred = labels_of(visitor).set_index("label").loc[list(fitted.names), "decided"].astype(int).to_numpy()
        assert_array_equal(inferred, next(iter(method.traces(fitted.X_test[[row]]))).codes[:, 0])
        changed = np.flatnonzero(method.predict(fitted.X_test[[row]])[0] != inferred)
        n_changed += len(changed)
        has_line(
            visitor.text,
            f"The rule “{method.decision_.rule.name}” changes",
            *(fitted.names[label] for label in changed[:2]) if len(changed) else ("no label",),
            "to decide for accuracy",
        )
    assert n_changed
    visitor.set("row", 1).set("inspected_decide", "as the paper does")
    assert "to decide for" not in visitor.text
    pd.testing.assert_frame_equal(labels_of(visitor), before)


def test_the_decision_is_of_the_row_without_what_is_set_by_hand(visitor):
    visitor.go("inspect").set("inspected_decide", "accuracy")
    (sentence,) = re.findall("The rule .* to decide for accuracy\\.", visitor.text)
    visitor.click("flip")
    has_line(visitor.text, sentence, "steps below are without it", "without labels set by hand")


def test_the_score_to_decide_for_is_in_the_address(visit):
    address = {"inspected_decide": "exact match", "inspected": "IC: Independent classifiers"}
    inspect = visit(**address).go("inspect")
    for name, value in address.items():
        inspect.at.query_params[name] = value
    inspect.run()
    has_line(inspect.text, "The rule", "to decide for exact match")
    assert "decide='exact_match'" in inspect.code
    inspect.set("inspect_view", WHOLE)
    has_line(inspect.text, "before IC decides for exact match")


def test_labels_of_more_values_are_decided_for_fewer_scores(visitor):
    visitor.choose_packaged("solar-flare").go("inspect")
    offered = visitor.widget("inspected_decide").options
    assert {"exact match", "Hamming score"} < set(offered)
    assert "accuracy" not in offered
    visitor.set("inspected_decide", "exact match")
    has_line(visitor.text, "The rule", "to decide for exact match")


def test_an_ensemble_that_decides_is_fitted_by_a_button(visitor):
    visitor.go("inspect").set("inspected", "ECT").set("inspected_decide", "accuracy")
    (label,) = [button.label for button in visitor.at.button if button.label.startswith("Fit ECT")]
    assert "about" in label
    assert not visitor.charts


def test_the_next_row_with_an_inherited_error_has_one(visitor):
    visitor.go("inspect").click("row with an inherited error")
    first = visitor.widget("row").value
    assert "inherited error" in labels_of(visitor)["outcome"].tolist()
    fitted = fitting.at_once(visitor.workspace().dataset, "CT", "Least squares", visitor.workspace().trained)
    before = [
        step.outcome
        for row in range(1, first - 1)
        for step in prediction_path(fitted.member, fitted.X_test[[row]], fitted.Y_test[row]).steps
    ]
    assert "inherited error" not in before


def test_a_button_that_comes_with_the_row_before_counts(visitor):
    """As the browser has it until the page has been drawn with the row of the first press."""
    visitor.go("inspect")
    visitor.at.session_state["row left"], visitor.at.session_state["row taken"] = 1, 5
    assert visitor.click("row on").widget("row").value == 6
    assert visitor.set("row", 1).click("row on").widget("row").value == 2


def test_inherited_errors_have_a_caution_where_labels_are_decided_together(small):
    caution = "{} decides labels together"
    small.go("inspect")
    assert caution.format("CT") not in small.captions
    assert "Overruled" not in small.captions
    small.set("inspected", "PCC")
    assert caution.format("PCC") in small.captions
    assert "Overruled" in small.captions
    small.set("inspect_view", WHOLE)
    assert caution.format("PCC") in small.captions
    assert caution.format("CT") not in small.set("inspected", "CT").captions


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
    assert labels_of(visitor)["outcome"].tolist().count("set") == 1


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
    assert "no Gibbs sweeps" in small.takeaway
    small.click("switch to CDT")
    assert len(small.charts) == 2
    assert "R-hat" in small.captions
    small.set("sweeps", 50)
    assert len(small.figures[0]["data"][0]["x"]) == 50


def test_slow_learners_are_fitted_by_a_button(small):
    small.go("inspect").set("inspected_learner", "Decision tree")
    assert not small.charts
    (label,) = [button.label for button in small.at.button if button.label.startswith("Fit ")]
    assert re.fullmatch(r"Fit CT with decision tree, about \d.*s", label)
    small.press(label)
    pieces = small.workspace().pieces
    small.wait(lambda: not any(job.is_active for job in pieces.values()))
    assert len(labels_of(small)) == 3


@pytest.mark.parametrize("key", ["IC", "CC", "BCC", "CT", "CDN", "CDT"])
def test_the_python_of_a_prediction_shows_its_figures(visitor, same_figures, key):
    visitor.go("inspect").set("inspected", key).click("step on").click("flip").click("step on")
    assert "set_to={" in visitor.code
    same_figures(visitor)


def test_the_python_of_sweeps_shows_their_figures(visitor, same_figures):
    visitor.go("inspect").set("inspected", "CDT").set("inspect_view", SWEEPS)
    visitor.set("sweeps", 40).set("chain", 2).set("gibbs_label", 3)
    same_figures(visitor)


def test_keys_walk_through_the_steps(screen):
    page = screen.open("inspect")
    step = page.get_by_role("slider", name="Step")
    expect(step).to_have_value("1")
    page.get_by_role("heading", level=1).click()
    page.keyboard.press("n")
    expect(step).to_have_value("2")
    expect(page.get_by_role("button", name="Back")).to_be_enabled()  # arrives after the slider; a key before is nothing
    page.keyboard.press("b")
    expect(step).to_have_value("1")
    page.keyboard.press("p")
    expect(step).to_have_value("3")
    page.keyboard.press("p")
    expect(page.get_by_role("button", name="Play")).to_be_visible()
    assert screen.console == []


def test_a_link_opens_with_labels_set_by_hand_and_warns_of_those_that_cannot_be(visit):
    visitor = visit()
    visitor.at.query_params["set"] = ["Class4 = 1", "Class4 = 7"]
    visitor.go("inspect")
    assert visitor.widget("set").value == ["3-1"]
    has_line(visitor.text, "Set", "hand", "Class4 = 1")
    (warning,) = visitor.warnings
    assert "Class4 = 7" in warning
    assert "yeast" in warning
    assert not visitor.run().warnings


def test_a_link_may_set_labels_by_their_numbers(visit):
    visitor = visit()
    visitor.at.query_params["set"] = ["3-1", "0-0"]
    visitor.go("inspect")
    assert visitor.widget("set").value == ["3-1", "0-0"]
    has_line(visitor.text, "Set", "hand", "Class1 = 0", "Class4 = 1")
    assert not visitor.warnings


def test_more_sweeps_than_a_page_waits_for_are_refused_by_a_warning(visit, monkeypatch):
    monkeypatch.setattr(gibbs, "MOST_SWEEPS", 60)
    visitor = visit()
    for name, value in (("sweeps", "20000"), ("inspect_view", SWEEPS), ("inspected", "CDT: " + METHODS["CDT"].name)):
        visitor.at.query_params[name] = value
    visitor.go("inspect")
    assert visitor.widget("sweeps").value == 60
    (warning,) = visitor.warnings
    assert re.search(r"20,000 .*10 to 60\b", warning)
    assert not visitor.run().warnings
    visitor.set("sweeps", 12)
    (warning,) = visitor.warnings
    assert re.search(r"10 for burn-in.*0 to 7", warning)
    assert visitor.widget("burn_in").value == 7
    assert "n_sweeps=12, n_burn_in=7" in visitor.code


def test_sweeps_keep_to_labels_set_by_hand(small):
    small.go("inspect").set("inspected", "CDT").set("inspect_view", SWEEPS)
    assert "Set by hand" not in small.captions
    small.set("set", ["1-1"])
    fitted = fitting.at_once(small.workspace().dataset, "CDT", "Least squares", small.workspace().trained)
    runs = gibbs_runs(fitted.member, fitted.X_test[[0]], n_sweeps=200, n_burn_in=10, set_to={1: 1})
    assert (runs.codes[:, :, 1] == 1).all()
    assert_array_equal(drawn(small), runs.codes[0].T)
    has_line(small.captions, "Set", "hand", "not drawn", "b = 1")
    assert "set_to={1: 1}" in small.code


def test_shades_of_several_values_are_explained(visitor):
    visitor.choose_packaged("solar-flare").go("inspect").set("inspected", "CDT").set("inspect_view", SWEEPS)
    assert "brightest" in visitor.captions


def test_chains_that_mix_badly_are_reported(visitor):
    visitor.go("inspect").set("inspected", "CDN").set("inspect_view", SWEEPS)
    assert "do not agree" in visitor.takeaway
    visitor.set("sweeps", 30)
    assert re.search("do not (agree|mix)", visitor.takeaway)


def test_the_whole_walk_by_keys_alone(screen):
    page = screen.open("inspect")
    step = page.get_by_role("slider", name="Step")

    def tab_to(locator):
        for _ in range(100):
            page.keyboard.press("Tab")
            if locator.evaluate("element => element === document.activeElement"):
                return
        pytest.fail(f"{locator} is not reached")

    expect(step).to_have_value("1")
    tab_to(page.get_by_role("button", name="Next row"))
    page.keyboard.press("Enter")
    row = page.get_by_label("Test row of")
    expect(row).to_have_value("2")
    screen.rest()
    tab_to(page.get_by_role("button", name="Next error"))
    page.keyboard.press("Enter")
    expect(row).not_to_have_value("2")
    screen.rest()
    page.keyboard.press("n")
    expect(step).to_have_value("2")
    screen.rest()  # until the button sets the label of this step
    page.keyboard.press("f")
    expect(page.get_by_text("Set by hand: ")).to_be_visible()
    screen.rest()
    tab_to(page.get_by_role("button", name="Last"))
    page.keyboard.press("Enter")
    expect(step).to_have_value("14")
    assert screen.console == []


# A whole test set


def whole(visitor):
    return visitor.go("inspect").set("inspect_view", WHOLE)


def test_a_whole_test_set_shows_inherited_errors_and_the_gains_of_edges(visitor):
    whole(visitor)
    fitted = fitting.at_once(visitor.workspace().dataset, "CT", "Least squares", visitor.workspace().trained)
    expected = propagation(fitted.member, fitted.X_test, fitted.Y_test)
    table = visitor.table("inherited errors")
    assert table["label"].tolist() == [fitted.names[label] for label in expected["label"]]
    assert table["given true"].tolist() == expected["given_true"].tolist()
    assert table["inherited errors"].tolist() == expected["n_inherited"].tolist()
    edges = visitor.table("gain")
    assert len(edges) == len(fitted.member.graph_.edges)
    assert "inherited" in visitor.takeaway
    assert "20 edges" in visitor.text
    assert len(visitor.charts) == 3
    assert "801 " in visitor.captions
    p = fitted.member.predict_proba(fitted.X_test)
    bins = reliability(fitted.Y_test, p)
    assert about_reliability("CT", bins) in visitor.captions.replace("\\", "")
    (metric,) = visitor.at.metric
    assert metric.value == f"{log_loss(fitted.Y_test, p):.3f} nats"
    of_label = [log_loss(fitted.Y_test[:, [label]], p[:, [label]]) for label in expected["label"]]
    np.testing.assert_allclose(table["log loss"], of_label)


def test_a_method_with_edges_is_compared_with_independent_classifiers(visitor):
    visitor.go("inspect").set("inspect_view", WHOLE)
    data = visitor.workspace().dataset
    independent = fitting.at_once(data, "IC", "Least squares", visitor.workspace().trained)
    right = (independent.member.predict(independent.X_test) == independent.Y_test).mean()
    assert re.search(rf"Independent classifiers[^.]*{right:.1%}", visitor.text)
    assert "Independent classifiers (IC) are right" not in visitor.set("inspected", "IC").text


def test_the_answer_names_the_member_of_an_ensemble(visitor):
    visitor.go("inspect").set("inspected", "ECC").set("member", 2)
    assert "Member 2 of 10" in visitor.takeaway


def test_of_another_method_the_label_that_mixes_worst_is_shown(visitor):
    visitor.go("inspect").set("inspected", "CDT").set("inspect_view", SWEEPS).set("gibbs_label", 0)
    assert visitor.run().widget("gibbs_label").value == 0
    visitor.set("inspected", "CDN")
    worst = visitor.workspace().dataset.label_names[visitor.widget("gibbs_label").value]
    assert re.search(f"worst label, {worst},", visitor.takeaway)


def test_the_python_of_a_whole_test_set_shows_its_figures(visitor, same_figures):
    whole(visitor)
    same_figures(visitor)
    visitor.set("inspected", "ECC").set("member", 2).set("inspected_score", "exact_match")
    same_figures(visitor)


def test_the_tables_of_a_whole_test_set_can_be_saved(visitor, downloads):
    whole(visitor)
    saved = downloads["yeast-CT-edges-table csv"]()
    assert saved.splitlines()[0].startswith("parent,child,gain,standard error,p")
    assert "inherited errors" in downloads["yeast-CT-propagation-table csv"]()


@pytest.mark.parametrize("key", ["PCC", "MCC", "CDN", "ECT"])
def test_a_whole_test_set_of_other_methods(small, key):
    whole(small).set("inspected", key)
    assert len(small.charts) == 3
    assert sorted(small.table("inherited errors")["label"]) == ["a", "b", "c"]


def test_members_have_edges_of_their_own(small):
    whole(small).set("inspected", "ECC")
    orders = set()
    for member in range(1, 6):
        small.set("member", member)
        orders.add(tuple(small.table("inherited errors")["label"]))
    assert len(orders) > 1


def test_without_edges_no_error_is_inherited(small):
    whole(small).set("inspected", "IC")
    assert "no error is inherited" in small.takeaway
    assert "no edges" in small.notices
    assert len(small.charts) == 2


def test_a_whole_test_set_of_labels_with_several_values(visitor):
    whole(visitor.choose_packaged("solar-flare"))
    assert visitor.widget("inspected_score").options == ["Hamming score", "Exact match"]
    assert "Hamming score" in visitor.text
    visitor.choose_packaged("yeast").go("inspect")
    assert visitor.widget("inspected_score").value in ("accuracy", "hamming_score")


@pytest.fixture
def nothing_tried():
    """Forget which edges were tried, before and after."""
    for cached in (test_set._trial, test_set._tried):
        cached.clear()
    yield
    for cached in (test_set._trial, test_set._tried):
        cached.clear()


@pytest.mark.usefixtures("nothing_tried")
def test_many_edges_are_tried_by_a_button(small, monkeypatch):
    monkeypatch.setattr(test_set, "AT_ONCE", -1.0)
    whole(small)
    assert len(small.charts) == 2
    assert "edge_effects" not in small.code
    (label,) = [button.label for button in small.at.button if button.label.startswith("Try ")]
    assert re.fullmatch(r"Try [23] edges one by one, about \d.*s", label)
    small.press(label)
    pieces = small.workspace().pieces
    small.wait(lambda: not any(job.is_active for job in pieces.values()))
    assert len(small.charts) == 3
    assert isinstance(small.table("gain"), pd.DataFrame)
    assert "edge_effects" in small.code


@pytest.mark.usefixtures("nothing_tried")
def test_of_too_many_edges_those_of_the_largest_mutual_information_are_tried(visitor, monkeypatch, same_figures):
    monkeypatch.setattr(test_set, "MOST_EDGES", 5)
    whole(visitor).set("inspected", "CC")
    assert len(visitor.table("gain")) == 5
    assert re.search("91 edges.* mutual information", visitor.captions)
    same_figures(visitor)


def test_the_row_stays_chosen_while_a_whole_test_set_is_shown(visitor):
    visitor.go("inspect").click("row on").click("row on")
    whole(visitor)
    visitor.set("inspect_view", ONE)
    assert visitor.widget("row").value == 3
